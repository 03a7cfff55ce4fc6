"""A model as one value: made, checked, kept as JSON and read again, whatever the file holds."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.errors import InputError
from autostatistician.model import Model, check_steps, decomposition, default_horizon, fit_model, from_json, to_json
from autostatistician.search.run import Settings

QUICK = Settings(max_depth=1, restarts=2, n_jobs=1)
X = np.arange(30.0)
DAYS = pd.date_range("2020-01-01", periods=30, freq="MS")


@pytest.fixture(scope="module")
def model() -> Model:
    """A small model of a monthly series."""
    y = 2.0 * X + np.random.default_rng(0).normal(size=30)
    return fit_model(load(pd.Series(y, index=DAYS, name="sales")), "full", QUICK)


def test_a_model_says_what_it_is(model: Model) -> None:
    assert repr(model).startswith("Model('data': Lin + WN, nll=")
    assert model.kernel is model.search.best.kernel


BAD: list[tuple[str, Settings, str]] = [
    ("ful", QUICK, "did you mean 'full'"),
    ("", QUICK, "a language among"),
    ("full", replace(QUICK, criterion="BIC"), "did you mean 'bic'"),
    ("full", replace(QUICK, max_depth=-1), "max_depth as a whole number from 0; found -1"),
    ("full", replace(QUICK, max_depth=1.5), "max_depth .*; found 1.5"),  # type: ignore[arg-type]
    ("full", replace(QUICK, restarts=0), "restarts as a whole number from 1; found 0"),
    ("full", replace(QUICK, n_jobs=0), "n_jobs"),
    ("full", replace(QUICK, n_jobs="two"), "n_jobs .*found 'two'"),  # type: ignore[arg-type]
    ("full", replace(QUICK, time_budget=-1.0), "time_budget as seconds above 0"),
    ("full", replace(QUICK, time_budget=float("nan")), "time_budget"),
    ("full", replace(QUICK, time_budget="1 h"), "time_budget"),  # type: ignore[arg-type]
    ("full", replace(QUICK, seed=-1), "seed"),
]


@pytest.mark.parametrize(("language", "settings", "message"), BAD)
def test_settings_out_of_range_are_said_in_one_line(language: str, settings: Settings, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        fit_model(from_arrays(X, X), language, settings)
    assert "\n" not in str(caught.value)


def test_negative_numbers_of_workers_count_from_the_cores() -> None:
    found = fit_model(from_arrays(X, np.sin(X)), "se", replace(QUICK, n_jobs=-1))
    same = fit_model(from_arrays(X, np.sin(X)), "se", QUICK)
    assert found.kernel == same.kernel
    assert len(found.search.trace) == 2
    assert found.settings.n_jobs == -1


def test_the_record_is_plain_json_and_comes_back_whole(model: Model) -> None:
    record = json.loads(json.dumps(to_json(model), allow_nan=False))
    found = from_json(record)
    assert found.search == model.search
    assert (found.settings, found.language) == (model.settings, model.language)
    np.testing.assert_array_equal(found.dataset.X, model.dataset.X)
    np.testing.assert_array_equal(found.dataset.y, model.dataset.y)
    assert found.dataset.axis == model.dataset.axis
    assert to_json(found) == to_json(model)
    assert record["settings"] == asdict(model.settings)


def test_numbers_of_numpy_are_kept_too() -> None:
    settings = replace(QUICK, max_depth=np.int64(0), seed=np.int32(3))  # type: ignore[arg-type]
    record = to_json(fit_model(from_arrays(X, X), "full", settings))
    assert json.loads(json.dumps(record))["settings"]["seed"] == 3


@pytest.mark.parametrize("record", [None, [], "x", 3, {}, {"format": 0}, {"format": 2}, {"format": 1}])
def test_other_records_are_refused(record: object) -> None:
    with pytest.raises(InputError, match="saved model"):
        from_json(record)


def _places(record: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a record; of long lists, those of the first two entries."""
    if place:
        yield place
    keys = record if isinstance(record, dict) else range(min(len(record), 2)) if isinstance(record, list) else ()
    for key in keys:
        yield from _places(record[key], (*place, key))


def _changed(record: dict[str, Any], place: tuple[Any, ...], value: object) -> dict[str, Any]:
    changed = copy.deepcopy(record)
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return changed


STRANGE = [None, "x", -1, 10**400, [], {}, [1], {"a": 1}, True, 1e308, float("nan")]


def test_no_fault_of_a_record_is_worse_than_one_line(model: Model) -> None:
    record = json.loads(json.dumps(to_json(model)))
    said = []
    for place in _places(record):
        for value in STRANGE:
            try:
                from_json(_changed(record, place, value))
            except InputError as error:
                said.append(str(error))
    assert len(said) > 500
    assert [message for message in said if "\n" in message] == []


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("dataset", "y", 0), float("inf")),
        (("dataset", "X", 0, 0), 1e300),
        (("dataset", "axis", "unit"), "fortnight"),
        (("dataset", "axis", "step"), 0.0),
        (("dataset", "axis", "labels"), "365:1; import os"),
        (("dataset", "axis", "day"), 99.0),
        (("settings", "max_depth"), "ten"),
        (("settings", "criterion"), "best"),
        (("settings", "surprise"), 1),
        (("search", "frontier"), []),
        (("search", "frontier", 0, "nll"), None),
        (("search", "frontier", 0, "kernel", "kernel"), "__import__"),
        (("search", "trace", 0, "bic"), "low"),
        (("language",), "python"),
    ],
)
def test_faults_that_must_not_pass(model: Model, place: tuple[Any, ...], value: object) -> None:
    record = json.loads(json.dumps(to_json(model)))
    with pytest.raises(InputError):
        from_json(_changed(record, place, value))


# Horizons


def _series(n: int, frequency: str) -> Dataset:
    return load(pd.Series(np.arange(float(n)), index=pd.date_range("2000-01-03", periods=n, freq=frequency)))


@pytest.mark.parametrize(
    ("n", "frequency", "steps"),
    [(144, "MS", 24), (40, "MS", 10), (100, "QS", 8), (500, "D", 60), (500, "h", 72), (30, "YS", 3), (5, "D", 2)],
)
def test_usual_horizons(n: int, frequency: str, steps: int) -> None:
    assert default_horizon(_series(n, frequency)) == steps


def test_horizons_of_numbers_and_of_several_inputs() -> None:
    assert default_horizon(load(pd.DataFrame({"x": X / 7.0, "y": X**2}), axis="raw")) == 3
    assert default_horizon(from_arrays(np.arange(8.0).reshape(4, 2), np.zeros(4))) == 0


@pytest.mark.parametrize("steps", [-1, 1.5, "3", True, None])
def test_steps_are_whole_numbers(steps: object) -> None:
    with pytest.raises(InputError, match="steps as a whole number from 0"):
        check_steps(steps, 0)


def test_a_decomposition_has_the_horizon_asked_for(model: Model) -> None:
    assert len(decomposition(model, np.int64(5)).forecast.x) == 5  # type: ignore[arg-type]
    assert len(decomposition(model).forecast.x) == default_horizon(model.dataset)
    with pytest.raises(InputError, match="steps"):
        decomposition(model, -5)


def test_the_record_of_the_fit_is_that_of_the_search(model: Model) -> None:
    found = decomposition(model)
    assert found.fitted.nll == model.search.best.nll
    assert found.fitted.bic == pytest.approx(model.search.best.score)
    assert [step[0] for step in found.path] == [step.expression for step in model.search.trace]

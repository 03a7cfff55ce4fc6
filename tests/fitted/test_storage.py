"""A model kept as JSON and read again, whatever the file holds."""

import copy
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.fitted import saving

from autostatistician.data.dataset import from_arrays
from autostatistician.errors import InputError
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.fitted.storage import Saved, from_json, to_json
from autostatistician.fitted.storage import load as load_model
from autostatistician.fitted.storage import save as save_model
from autostatistician.search.run import Settings

QUICK = Settings(max_depth=1, restarts=2, n_jobs=1)
X = np.arange(30.0)
DAYS = pd.date_range("2020-01-01", periods=30, freq="MS")


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


@pytest.mark.slow
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


@pytest.mark.parametrize("kind", ["columns_beside", "three_classes", "counts"])
def test_what_is_read_of_an_altered_file_can_be_used(kind: str, tmp_path: Path) -> None:
    record = json.loads((SAVED / "0.1.0" / f"{kind}.json").read_text(encoding="utf-8"))
    rng, altered = np.random.default_rng(0), tmp_path / "model.json"
    places = [place for place in _places(record) if place[0] != "search"]
    for place in rng.permutation(np.array(places, dtype=object))[:100]:
        value = STRANGE[rng.integers(len(STRANGE) - 1)]  # NaN is in no file
        altered.write_text(json.dumps(_changed(record, place, value)), encoding="utf-8")
        try:
            model = load_model(altered).model
        except InputError:
            continue
        if model.effects is not None:
            assert all(map(str, model.effects.effects))
            assert np.isfinite(model.effects.added(model.dataset.x)).all()


@pytest.mark.parametrize("name", [{"a": 1}, {"number": {}}, {"number": {"value": "x"}}])
def test_a_message_that_is_none_is_a_fault(model: Model, name: object) -> None:
    record = json.loads(json.dumps(to_json(model)))
    warning = {"message": {"english": "{n} rows"}, "values": {"n": name}}
    with pytest.raises(InputError):
        from_json(_changed(record, ("dataset", "warnings"), [warning]))


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
        (("search", "frontier", 0, "kernel", "kernel"), "Ramp"),  # which version 0.1.0 had
        (("settings", "transform"), "learned"),
    ],
)
def test_faults_that_must_not_pass(model: Model, place: tuple[Any, ...], value: object) -> None:
    record = json.loads(json.dumps(to_json(model)))
    with pytest.raises(InputError):
        from_json(_changed(record, place, value))


# Files of earlier versions


SAVED = Path(__file__).parent / "saved"  # by version 0.1.0 before its rooms were rebuilt


def test_a_saved_series_predicts_as_on_the_day_it_was_saved() -> None:
    found = load_model(SAVED / "series.json")
    assert found.options == Options(average=False, limits=(0.0, np.inf))
    assert found.asked == found.model.settings.criterion == "aic"
    assert str(found.model.kernel) == "Per * Lin + Lin + WN"
    ahead = Predictor(found.model, found.options).ahead(6)[1]
    expected = [95.85195019306411, 97.33616061860084, 97.22672848785442, 95.75661702785874]
    spread = [0.8843693113152955, 0.8846033022674378, 0.884543039337988, 0.884368743994508]
    np.testing.assert_allclose(ahead.mean[2:], expected, rtol=1e-9)
    np.testing.assert_allclose(ahead.std[2:], spread, rtol=1e-9)


def test_a_saved_table_predicts_as_on_the_day_it_was_saved() -> None:
    found = load_model(SAVED / "table.json")
    assert (found.unseen, found.options) == ("new", Options())
    assert found.model.dataset.levels == {"colour": ("blue", "green", "red")}
    made = Predictor(found.model, found.options).predictive(found.model.modelled.X[:3])
    # since the draws of numbers have the variance of the posterior, along axes of the same sign on every machine
    np.testing.assert_allclose(made.mean, [20.81512785465906, 16.581925732310008, 9.49457483918965], rtol=1e-8)
    np.testing.assert_allclose(made.std, [0.3359996938888179, 0.33200122122432124, 0.3308481465212379], rtol=1e-8)


OLD = [path for path in sorted(saving.FOLDER.glob("*/*.json")) if path.stem != "predictions"]


@pytest.mark.parametrize("path", OLD, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_models_of_every_version_foresee_as_on_their_day(path: Path) -> None:
    expected = json.loads((path.parent / "predictions.json").read_text())[path.stem]
    np.testing.assert_allclose(saving.predictions(saving.read(path)), expected, rtol=1e-6)


def test_one_model_of_each_kind_is_kept() -> None:
    assert {path.stem for path in OLD} == {kind.replace(" ", "_") for kind in saving.KINDS}


def test_options_that_went_are_ignored(tmp_path: Path) -> None:
    record = json.loads((SAVED / "table.json").read_text()) | {"weights": "backtest", "calibrate": True}
    (tmp_path / "older.json").write_text(json.dumps(record))
    assert load_model(tmp_path / "older.json").options == Options()


@pytest.mark.parametrize(
    "options",
    [Options(), Options(False, None), Options(limits=(0.0, 9.0)), Options(limits=(-np.inf, 9.0))],
)
def test_how_a_model_predicts_comes_back(model: Model, options: Options, tmp_path: Path) -> None:
    save_model(Saved(model, options), tmp_path / "m.json")
    found = load_model(tmp_path / "m.json")
    assert (found.options, found.unseen) == (options, "error")
    save_model(found, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()


def test_a_model_by_evidence_comes_back_with_its_criterion(by_evidence: Model, tmp_path: Path) -> None:
    save_model(Saved(by_evidence, Options(), asked="auto"), tmp_path / "m.json")
    found = load_model(tmp_path / "m.json")
    assert (found.model.settings.criterion, found.asked) == ("evidence", "auto")
    assert found.model.search == by_evidence.search
    one, other = (Predictor(model).ahead(3)[1] for model in (by_evidence, found.model))  # draws with their priors
    np.testing.assert_array_equal(one.mean, other.mean)
    np.testing.assert_array_equal(one.std, other.std)


def test_flags_that_are_numbers_are_a_fault(model: Model, tmp_path: Path) -> None:
    save_model(Saved(model, Options()), tmp_path / "m.json")
    record = json.loads((tmp_path / "m.json").read_text())
    (tmp_path / "m.json").write_text(json.dumps(record | {"average": 1}))
    with pytest.raises(InputError, match="'average' is 1, not true or false"):
        load_model(tmp_path / "m.json")

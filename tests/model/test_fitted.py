"""A model as one value: made, and taken apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.describe.document.document import Figure
from autostatistician.describe.document.series import document
from autostatistician.errors import InputError
from autostatistician.language.kernel import leaf
from autostatistician.language.traits import has_changes
from autostatistician.model.fitted import Model, decomposition, default_horizon, fit_model
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


def test_negative_numbers_of_workers_count_from_the_cores() -> None:
    found = fit_model(from_arrays(X, np.sin(X)), "se", replace(QUICK, n_jobs=-1))
    same = fit_model(from_arrays(X, np.sin(X)), "se", QUICK)
    assert found.kernel == same.kernel
    assert len(found.search.trace) == 2
    assert found.settings.n_jobs == -1


def test_a_series_of_yes_and_no_gets_no_windows_of_noise() -> None:
    """A dry spell of a daily record of rain was told as two weeks without noise."""
    rain = (np.random.default_rng(3).uniform(size=80) < 0.4).astype(float)
    rain[30:50] = 0.0
    data = load(pd.Series(rain, index=pd.date_range("2021-01-01", periods=80), name="rain"))
    found = fit_model(data, "interpretable", replace(QUICK, max_depth=2))
    for one in found.search.frontier:
        assert not has_changes(one.kernel.expr)
        assert "*" not in str(one.kernel)
    assert any("two values only, 0 and 1" in warning for warning in data.warnings)


def test_one_step_of_a_series_with_two_values_is_a_step_all_the_same() -> None:
    step = from_arrays(X, np.where(X < 12.0, 3.0, 8.0))
    found = fit_model(step, "changepoint", replace(QUICK, max_depth=2, restarts=4))
    assert any(has_changes(one.kernel.expr) for one in found.search.frontier)


# Horizons


def _series(n: int, frequency: str) -> Dataset:
    return load(pd.Series(np.arange(float(n)), index=pd.date_range("2000-01-03", periods=n, freq=frequency)))


@pytest.mark.parametrize(
    ("n", "frequency", "steps"),
    [(144, "MS", 24), (40, "MS", 10), (100, "QS", 8), (500, "D", 60), (500, "h", 72), (30, "YS", 3), (5, "D", 2)],
)
def test_usual_horizons(n: int, frequency: str, steps: int) -> None:
    assert default_horizon(_series(n, frequency)) == steps


@pytest.mark.parametrize(
    ("n", "period", "steps"), [(900, 365.2425, 366), (700, 365.2425, 60), (900, 7.0, 60), (740, 365.2425, 366)]
)
def test_a_forecast_shows_a_whole_turn_of_a_cycle_that_was_seen_twice(n: int, period: float, steps: int) -> None:
    kernel = leaf("Per", lengthscale=1.0, period=period, sd=1.0) + leaf("WN", sd=1.0)
    assert default_horizon(_series(n, "D"), kernel) == steps


def test_horizons_of_numbers_and_of_several_inputs() -> None:
    assert default_horizon(load(pd.DataFrame({"x": X / 7.0, "y": X**2}), axis="raw")) == 3
    assert default_horizon(from_arrays(np.arange(8.0).reshape(4, 2), np.zeros(4))) == 0


def test_a_decomposition_has_the_horizon_asked_for(model: Model) -> None:
    assert len(decomposition(model, np.int64(5)).forecast.x) == 5  # type: ignore[arg-type]
    assert len(decomposition(model).forecast.x) == default_horizon(model.dataset, model.kernel)
    with pytest.raises(InputError, match="steps"):
        decomposition(model, -5)


def test_a_curve_whose_rows_come_in_no_order_has_no_forecast() -> None:
    order = np.random.default_rng(1).permutation(30)
    pairs = pd.DataFrame({"age": X[order], "income": 2.0 * X[order] + np.random.default_rng(0).normal(size=30)})
    data = load(pairs)
    assert not Dataset.from_json(data.to_json()).is_ordered
    of_pairs = fit_model(data, "full", QUICK)
    found = decomposition(of_pairs)
    assert found.forecast.x.size == 0
    assert found.calibration is None  # no row is later than another
    assert decomposition(of_pairs, 3).forecast.x.size == 3  # who asks gets it
    told = document(found)
    assert "forecast" not in told.abstract
    assert "What comes next" not in [section.title for section in told.sections]
    figure = next(block for part in told.sections for block in part.blocks if isinstance(block, Figure))
    assert "forecast" not in figure.caption + figure.alt


def test_the_record_of_the_fit_is_that_of_the_search(model: Model) -> None:
    found = decomposition(model)
    assert found.fitted.nll == model.search.best.nll
    assert found.fitted.bic == pytest.approx(model.search.best.score)
    assert [step[0] for step in found.path] == [step.expression for step in model.search.trace]

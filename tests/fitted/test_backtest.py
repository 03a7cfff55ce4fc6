"""The origins of tests within a series, refits to the rows before them, and what their errors are worth."""

import numpy as np
import pytest

from autostatistician._io.serial_correlation import effective_sample_size
from autostatistician.data.dataset import Dataset, of_rows
from autostatistician.data.load import load
from autostatistician.fitted import backtest
from autostatistician.fitted.backtest import origins, refit, seasonal_naive
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.fitting import fit
from autostatistician.gp.parameters.scales import LeafContext, LearnedPrior, LearnedPriors, measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import leaf

X = np.arange(100.0)
BEFORE = X < 80.0
NOISE = leaf("WN", sd=1.0)
TREND = leaf("Lin", sd=1.0, location=0.0) + NOISE


def _noise(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=n)


def _before(y: np.ndarray) -> Dataset:
    return of_rows(load(X[:, None], y, axis="raw"), BEFORE)


def test_a_gap_where_rows_would_be_forecast_leaves_a_stretch_out() -> None:
    x = np.concatenate([np.arange(80.0), np.arange(92.0, 100.0)])
    assert origins(x) == [(pytest.approx(89.1), 99.0)]


def test_numbers_of_very_many_rows_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backtest, "MOST_ROWS_REFITTED", 79)
    assert refit(TREND, _before(_noise(100)), None, 30) is TREND


def test_a_refit_is_a_fit_in_the_units_of_the_data() -> None:
    before = _before(50.0 + 0.5 * X + _noise(100))
    problem = Problem(before.X, before.y, before.columns)
    best = fit(TREND, problem, measure(before.X, before.y, before.columns)).kernel
    found = refit(TREND, before, None, 200)
    assert found is not None
    one, other = (condition(kernel, problem).observations(X[80:90, None]) for kernel in (found, best))
    np.testing.assert_allclose(one[0], other[0], rtol=1e-3)
    np.testing.assert_allclose(one[1], other[1], rtol=1e-2)


def test_a_refit_knows_what_the_fit_knew() -> None:
    y = _noise(100)
    priors = LearnedPriors(
        {("WN", "sd", LeafContext.TERM): LearnedPrior(1.0, 0.0, 1e-3)}
    )  # about e steps, come what may
    free, held = (refit(NOISE, _before(y), one, 30) for one in (None, priors))
    assert free is not None
    assert held is not None
    assert held.values[0] == pytest.approx(np.e * np.std(np.diff(y[:80])), rel=0.02)
    assert held.values[0] > 2.0 * free.values[0]


def test_one_lasting_miss_is_less_evidence_than_many_single_ones() -> None:
    assert effective_sample_size(np.full(40, 4.0)) == 1.0
    assert effective_sample_size(np.tile([4.0, -4.0], 20)) == 40.0


def test_the_seasonal_naive_forecast_repeats_the_last_season() -> None:
    x = np.arange(36.0) / 12
    y = 10.0 * np.floor(x + 1e-9) + np.tile(np.arange(12.0), 3)
    ahead = np.arange(36.0, 66.0) / 12
    np.testing.assert_array_equal(seasonal_naive((x, y), ahead, 1.0), np.tile(20.0 + np.arange(12.0), 3)[:30])
    np.testing.assert_array_equal(seasonal_naive((x, y), ahead, 5.0), np.full(30, 31.0))  # no such season was seen
    gap = np.delete(np.arange(36), 30)
    assert seasonal_naive((x[gap], y[gap]), np.array([42.0]) / 12, 1.0)[0] in (25.0, 27.0)  # a neighbour's

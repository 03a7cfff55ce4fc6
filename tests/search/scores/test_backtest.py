"""Forecasts of the later part of the data from the earlier, and what follows from them."""

import numpy as np
import pytest
from scipy.stats import norm

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.data.transform import Transform, modelled, transform_of
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.fitting.optimise import fit
from autostatistician.inference.parameters.learned import LearnedPrior, LearnedPriors, Place
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.predictive.predictive import Predictive
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf
from autostatistician.search.scores import backtest as of_backtest
from autostatistician.search.scores.backtest import Stretch, backtest, evidence_of, seasonal_naive, stacked, widening

X = np.arange(100.0)
NOISE = leaf("WN", sd=1.0)
TREND = leaf("Lin", sd=1.0, location=0.0) + NOISE
HALF = np.full(2, 0.5)


def _noise(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=n)


def _data(y: np.ndarray, x: np.ndarray = X) -> Dataset:
    return load(x[:, None], y, axis="raw")


def test_models_are_fitted_to_what_lies_before_and_forecast_what_lies_behind() -> None:
    y = _noise(100)
    found = backtest([NOISE], _data(y), Transform())
    assert [one.rows.tolist() for one in found.stretches] == [list(range(80, 90)), list(range(90, 100))]
    for one in found.stretches:
        before = y[: one.rows[0]]
        np.testing.assert_allclose(one.forecasts.sds, np.sqrt(np.mean(before**2)), rtol=1e-4)  # the best noise alone
        np.testing.assert_allclose(one.y, y[one.rows])


def test_what_is_forecast_has_no_part_in_the_fit() -> None:
    y = 0.5 * X + _noise(100)
    other = np.where(X >= 90, 7.0 - y, y)
    one, two = (backtest([TREND], _data(values), Transform()).stretches for values in (y, other))
    for before, after in zip(one, two, strict=True):
        np.testing.assert_array_equal(before.forecasts.means, after.forecasts.means)
    assert not np.array_equal(one[1].y, two[1].y)


def test_numbers_of_very_many_rows_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_backtest, "MOST_ROWS_REFITTED", 99)
    y = _noise(100)
    found = backtest([leaf("C", sd=1.0) + NOISE], _data(y), Transform())
    for one in found.stretches:
        before = y[: one.rows[0]]
        np.testing.assert_allclose(one.forecasts.means, before.sum() / (len(before) + 1.0), rtol=1e-9)


def test_a_logarithm_is_scored_in_the_units_of_the_data() -> None:
    y = np.exp(0.02 * X + 0.1 * _noise(100))
    data, transform = _data(y), transform_of("log", y)
    found = backtest([TREND], modelled(data, transform), transform)
    np.testing.assert_allclose(found.stretches[0].y, y[80:90])
    assert np.abs(found.stretches[0].alone(0).mean / y[80:90] - 1.0).max() < 0.4


def test_too_few_rows_are_not_tested() -> None:
    found = backtest([NOISE], _data(_noise(20), np.arange(20.0)), Transform())
    assert found.stretches == ()
    assert found.widening(np.ones(1)) == 1.0
    np.testing.assert_array_equal(found.weights(HALF), HALF)


def test_a_gap_where_rows_would_be_forecast_leaves_a_stretch_out() -> None:
    x = np.concatenate([np.arange(80.0), np.arange(92.0, 100.0)])
    found = backtest([NOISE], _data(_noise(len(x)), x), Transform())
    assert [one.rows.tolist() for one in found.stretches] == [list(range(80, 88))]


@pytest.mark.parametrize("transform", [Transform(), Transform("log", 2.0)])
def test_errors_are_those_of_normal_forecasts_far_into_either_tail(transform: Transform) -> None:
    z = np.array([-20.0, -3.0, 0.0, 1.0, 20.0])
    known = Predictive(np.full((1, 5), 0.3), np.full((1, 5), 0.2), np.ones(1), transform, 4.0)
    y = transform.back(0.3 + 0.2 * z) + 4.0
    stretch = Stretch(0.0, np.arange(5), y, known)
    np.testing.assert_allclose(stretch.errors(np.ones(1)), z, atol=1e-9)


def test_errors_of_a_mixture_come_from_its_distribution() -> None:
    known = Predictive(np.array([[0.0], [2.0]]), np.array([[1.0], [1.0]]), HALF, Transform())
    errors = Stretch(0.0, np.arange(1), np.array([2.5]), known).errors(HALF)
    assert norm.cdf(errors[0]) == pytest.approx(0.5 * norm.cdf(2.5) + 0.5 * norm.cdf(0.5))


def test_the_model_that_forecasts_gains_weight_and_the_prior_holds_it_back() -> None:
    y = 0.5 * X + _noise(100)
    found = backtest([TREND, NOISE], _data(y), Transform())
    plain, better = np.array([0.5, 0.5]), found.weights(HALF)
    assert better[0] > plain[0]
    assert better.sum() == pytest.approx(1.0)
    assert better[1] > 20 * 0.5 / (20 + 20) - 1e-6  # twenty rows against a prior worth twenty


def test_stacked_weights_are_where_the_objective_is_highest() -> None:
    rng = np.random.default_rng(0)
    densities, counts = rng.normal(size=(2, 30)), rng.uniform(0.2, 1.0, 30)
    prior = np.array([0.7, 0.3])

    def objective(share: float) -> float:
        weights = np.array([share, 1.0 - share])
        return float(counts @ np.log(weights @ np.exp(densities)) + 20.0 * prior @ np.log(weights))

    found = stacked(densities, counts, prior)
    grid = np.linspace(0.001, 0.999, 999)
    assert found[0] == pytest.approx(grid[np.argmax([objective(share) for share in grid])], abs=2e-3)


def test_models_that_forecast_alike_keep_their_weights() -> None:
    prior = np.array([0.9, 0.1])
    np.testing.assert_allclose(stacked(np.full((2, 15), -3.0), np.ones(15), prior), prior)


def test_bands_that_held_are_not_narrowed() -> None:
    assert widening([0.1 * _noise(200)]) == 1.0


def test_bands_are_widened_by_nearly_what_much_evidence_asks_for() -> None:
    errors = 3.0 * _noise(5000)
    assert widening([errors]) == pytest.approx(3.0, rel=0.05)


def test_one_lasting_miss_is_less_evidence_than_many_single_ones() -> None:
    single = np.tile([4.0, -4.0], 20)
    lasting = np.full(40, 4.0)
    assert evidence_of(lasting) == 1.0
    assert evidence_of(single) == 40.0
    assert 1.0 < widening([lasting]) < 1.05 < widening([single])


def test_forecasts_are_those_of_a_model_fitted_in_the_units_of_the_data() -> None:
    y = 50.0 + 0.5 * X + _noise(100)
    data = _data(y)
    found = backtest([TREND], data, Transform(), steps=200).stretches[0].forecasts
    before, target = data.X[:80], data.y[:80]
    best = fit(TREND, Problem(before, target, data.columns), measure(before, target, data.columns)).kernel
    mean, sd = condition(best, Problem(before, target, data.columns)).observations(data.X[80:90])
    np.testing.assert_allclose(found.means[0], mean, rtol=1e-3)
    np.testing.assert_allclose(found.sds[0], sd, rtol=1e-2)


def test_weights_in_a_forecast_can_be_replaced() -> None:
    known = Predictive(np.array([[0.0], [2.0]]), np.ones((2, 1)), HALF, Transform())
    stretch = Stretch(0.0, np.arange(1), np.zeros(1), known)
    assert stretch.by(np.array([0.25, 0.75])).mean == pytest.approx([1.5])
    assert stretch.alone(1).mean == pytest.approx([2.0])


def test_a_refit_knows_what_the_fit_knew() -> None:
    y = _noise(100)
    priors = LearnedPriors({("WN", "sd", Place.TERM): LearnedPrior(1.0, 0.0, 1e-3)})  # about e steps, come what may
    (free, *_), (held, *_) = (backtest([NOISE], _data(y), Transform(), priors=one).stretches for one in (None, priors))
    assert held.forecasts.sds.mean() == pytest.approx(np.e * np.std(np.diff(y[:80])), rel=0.02)
    assert held.forecasts.sds.mean() > 2.0 * free.forecasts.sds.mean()


def test_the_seasonal_naive_forecast_repeats_the_last_season() -> None:
    x = np.arange(36.0) / 12
    y = 10.0 * np.floor(x + 1e-9) + np.tile(np.arange(12.0), 3)
    ahead = np.arange(36.0, 66.0) / 12
    np.testing.assert_array_equal(seasonal_naive((x, y), ahead, 1.0), np.tile(20.0 + np.arange(12.0), 3)[:30])
    np.testing.assert_array_equal(seasonal_naive((x, y), ahead, 5.0), np.full(30, 31.0))  # no such season was seen
    gap = np.delete(np.arange(36), 30)
    assert seasonal_naive((x[gap], y[gap]), np.array([42.0]) / 12, 1.0)[0] in (25.0, 27.0)  # a neighbour's

"""Breaks after the data: wider tails beyond a series, the same middle, the same means."""

from dataclasses import replace

import numpy as np
import pytest

from autostatistician import AutomaticStatistician
from autostatistician.data.transform import Transform
from autostatistician.inference.predictive import Predictive
from autostatistician.model.breaks_ahead import may_break, with_breaks
from autostatistician.model.fitted import Model
from autostatistician.model.predictions import Options, Predictor

X = np.arange(40.0)[:, None]
Y = 50.0 + X[:, 0] + np.random.default_rng(1).normal(size=40)
PLACES = np.array([[-1.0], [20.0], [39.0], [41.0]])
OUTSIDE = np.array([True, False, False, True])


@pytest.fixture(scope="module")
def model() -> Model:
    return AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1).fit(X, Y).model_


def test_only_observations_outside_a_series_may_follow_a_break(model: Model) -> None:
    np.testing.assert_array_equal(may_break(model, PLACES), OUTSIDE)
    table = AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1).fit(np.column_stack([X, np.sin(X)]), Y).model_
    assert not may_break(table, np.zeros((2, 2))).any()


@pytest.mark.parametrize("averages", [True, False])
def test_ranges_of_an_average_are_wider_where_a_break_may_be(model: Model, averages: bool) -> None:
    levels = (0.025, 0.1, 0.5, 0.9, 0.975)
    options = Options(average=averages)
    with_them, without = (
        Predictor(model, each).predictive(PLACES) for each in (options, replace(options, breaks=False))
    )
    np.testing.assert_allclose(with_them.mean, without.mean, rtol=1e-6)
    wide, narrow = (each.quantiles(levels) - each.quantiles([0.5]) for each in (with_them, without))
    changed = OUTSIDE & averages
    np.testing.assert_allclose(wide[~changed], narrow[~changed])
    if averages:
        assert (wide[changed, 4] > 1.1 * narrow[changed, 4]).all()
        assert (wide[changed, 0] < 1.1 * narrow[changed, 0]).all()
        np.testing.assert_allclose(wide[changed, 3], narrow[changed, 3], rtol=0.1)


def test_the_function_has_no_break_but_its_observations(model: Model) -> None:
    sds = [Predictor(model, Options(breaks=breaks)).predictive(PLACES, signal=True).std for breaks in (True, False)]
    np.testing.assert_allclose(*sds)


def test_covariances_have_the_variances_of_breaks(model: Model) -> None:
    predictor = Predictor(model)
    mean, cov = predictor.joint(PLACES)
    single = predictor.predictive(PLACES)
    np.testing.assert_allclose(mean, single.mean)
    np.testing.assert_allclose(np.sqrt(cov.diagonal()), single.std)


def test_means_of_a_logarithm_stay_and_no_spread_passes_the_widest() -> None:
    log = Transform("log", 10.0)
    moments = np.array([[0.1, 0.2], [0.3, -0.4]]), np.array([[0.2, 0.3], [0.4, 0.9]])
    weights, rows = np.array([0.3, 0.7]), np.array([True, True])
    before = Predictive(*moments, weights, log)
    after = Predictive(*with_breaks(moments, weights, rows, log, widest=0.8), log)
    np.testing.assert_allclose(after.mean, before.mean)
    assert after.sds.max() == 0.9  # what was wider stays
    assert (after.sds[2:, 0] <= 0.8).all()


@pytest.mark.parametrize("level", [0.02, 0.5, 0.99])
def test_mean_shares_stay_where_odds_are_modelled(level: float) -> None:
    odds = Transform("logit", level, shift=1.5)
    moments = 1.5 + np.array([[0.1, -0.6], [0.3, 2.0]]), np.array([[0.2, 0.3], [0.4, 0.9]])
    weights, rows = np.array([0.3, 0.7]), np.array([True, True])
    before = Predictive(*moments, weights, odds)
    after = Predictive(*with_breaks(moments, weights, rows, odds), odds)
    np.testing.assert_allclose(after.mean, before.mean, rtol=2e-4)
    assert (after.std > before.std).all()

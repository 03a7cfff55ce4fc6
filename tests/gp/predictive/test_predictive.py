"""Predictive distributions: normal, lognormal and mixed, against draws and known distributions."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate, stats
from scipy.integrate import quad
from scipy.special import expit, log_expit
from scipy.stats import norm

from autostatistician.data.transform import Transform, transform_of
from autostatistician.gp.counts import CountPredictive, averaged_density
from autostatistician.gp.predictive import Averaged, Predictive, limited_moments, predictive


def slopes(f: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    share = expit(f)
    return 1.0 - share, -share * (1.0 - share), np.zeros_like(f)


@pytest.mark.parametrize(("mean", "variance"), [(0.0, 1.0), (-4.0, 9.0), (2.0, 0.01)])
def test_a_logistic_density_is_averaged(mean: float, variance: float) -> None:
    value, first, second = averaged_density(log_expit, slopes, np.array([mean]), np.array([variance]))
    density = norm(mean, np.sqrt(variance)).pdf
    exact = quad(lambda f: expit(f) * density(f), mean - 30.0, mean + 30.0, points=[mean], limit=200)[0]
    assert value == pytest.approx([np.log(exact)], abs=1e-5)
    step = 1e-4
    above, below = (
        averaged_density(log_expit, slopes, np.array([mean + s]), np.array([variance])) for s in (step, -step)
    )
    assert first == pytest.approx((above[0] - below[0]) / (2.0 * step), abs=1e-5)
    assert second == pytest.approx((above[1] - below[1]) / (2.0 * step), abs=1e-5)


def test_about_a_known_value_it_is_the_density_there() -> None:
    value, first, second = averaged_density(log_expit, slopes, np.array([-1.0]), np.zeros(1))
    assert value == pytest.approx(log_expit(np.array([-1.0])), abs=1e-9)
    assert (first[0], second[0]) == pytest.approx(tuple(part[0] for part in slopes(np.array([-1.0]))[:2]), abs=1e-6)


@pytest.fixture
def both() -> Averaged:
    """A normal and a lognormal distribution of three values; the last is of the first alone."""
    plain = Predictive(np.array([[3.0, 10.0, 4.0]]), np.array([[1.0, 2.0, 1.0]]), np.ones(1), Transform())
    log = predictive(np.array([5.3, 6.4, 5.6]), np.array([0.4, 0.2, 0.3]), transform_of("log", np.array([1.0, 16.0])))
    return Averaged(plain, log, np.array([0.3, 0.5, 0.0]))


def _drawn(both: Averaged, count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    first, second = (
        part.transform.back(part.means[0][:, None] + part.sds[0][:, None] * rng.normal(size=(3, count)))
        for part in (both.first, both.second)
    )
    return np.where(rng.uniform(size=(3, count)) < both.share[:, None], second, first)


def test_moments_quantiles_and_chances_are_those_of_draws(both: Averaged) -> None:
    drawn = _drawn(both, 200_000, 1)
    np.testing.assert_allclose(both.mean, drawn.mean(axis=1), rtol=0.01)
    np.testing.assert_allclose(both.std, drawn.std(axis=1), rtol=0.02)
    levels = [0.025, 0.3, 0.5, 0.975]
    np.testing.assert_allclose(both.quantiles(levels), np.quantile(drawn, levels, axis=1).T, rtol=0.02)
    y = np.array([2.5, 9.0, 4.0])
    np.testing.assert_allclose(both.cdf(y), np.mean(drawn <= y[:, None], axis=1), atol=0.005)


def test_quantiles_undo_the_distribution_function(both: Averaged) -> None:
    for level in (0.01, 0.5, 0.9):
        np.testing.assert_allclose(both.cdf(both.quantiles([level])[:, 0]), level, atol=1e-9)


def test_without_a_share_it_is_the_first_alone(both: Averaged) -> None:
    levels = [0.1, 0.9]
    np.testing.assert_array_equal(both.quantiles(levels)[2], both.first.quantiles(levels)[2])


def test_a_density_is_the_slope_of_the_distribution_function(both: Averaged) -> None:
    y, step = np.array([2.5, 9.0, 4.0]), 1e-5
    slope = (both.cdf(y + step) - both.cdf(y - step)) / (2.0 * step)
    np.testing.assert_allclose(both.log_density(y), np.log(slope), rtol=1e-6)


def test_the_ranked_probability_score_is_that_of_draws(both: Averaged) -> None:
    y = np.array([1.0, 12.0, 4.5])
    one, two = _drawn(both, 200_000, 2), _drawn(both, 200_000, 3)
    expected = np.abs(one - y[:, None]).mean(axis=1) - 0.5 * np.abs(one - two).mean(axis=1)
    np.testing.assert_allclose(both.crps(y), expected, rtol=0.03)


DRAWS = np.random.default_rng(0).normal(size=2_000_000)
SCALES = {"none": Transform(), "log": Transform("log", 10.0)}


@pytest.mark.parametrize("name", SCALES)
@pytest.mark.parametrize(("low", "high"), [(9.0, np.inf), (-np.inf, 12.0), (8.0, 11.0), (0.0, np.inf), (14.0, 20.0)])
def test_moments_are_those_of_clipped_draws(name: str, low: float, high: float) -> None:
    transform = SCALES[name]
    mean, sd = (10.0, 3.0) if name == "none" else (0.0, 0.3)
    found = limited_moments(np.array([mean]), np.array([sd]), transform, low, high)
    clipped = np.clip(transform.back(mean + sd * DRAWS), low, high)
    np.testing.assert_allclose([one[0] for one in found], [clipped.mean(), clipped.std()], rtol=0.005, atol=0.003)


def test_far_limits_and_none_change_nothing_not_even_a_digit() -> None:
    means, sds = np.array([50.0, 3e5]), np.array([1.0, 0.0])
    plain = limited_moments(means, sds, Transform(), -np.inf, np.inf)
    far = limited_moments(means, sds, Transform(), 0.0, 1e6)
    assert all(np.array_equal(one, other) for one, other in zip(plain, far, strict=True))


def test_values_that_are_certain_beyond_a_limit_lie_at_it() -> None:
    mean, sd = limited_moments(np.array([-5.0]), np.array([0.0]), Transform(), 0.0, np.inf)
    assert (mean[0], sd[0]) == (0.0, 0.0)


def test_mixtures_stop_at_their_limits() -> None:
    means, sds, weights = np.array([[1.0], [-2.0]]), np.array([[2.0], [1.0]]), np.array([0.6, 0.4])
    found = Predictive(means, sds, weights, Transform(), offset=1.0, low=0.0)
    draws = np.concatenate([2.0 + 2.0 * DRAWS[:1_200_000], -1.0 + DRAWS[1_200_000:]])
    clipped = np.maximum(draws, 0.0)
    assert found.mean[0] == pytest.approx(clipped.mean(), abs=0.01)
    assert found.std[0] == pytest.approx(clipped.std(), abs=0.01)
    np.testing.assert_allclose(found.quantiles([0.1, 0.9])[0], np.quantile(clipped, [0.1, 0.9]), atol=0.02)
    assert found.cdf(np.array([-0.1]))[0] == 0.0
    assert found.cdf(np.array([0.0]))[0] == pytest.approx(np.mean(clipped == 0.0), abs=0.002)
    assert np.isneginf(found.log_density(np.array([-0.1]))[0])


LOG, NONE = Transform("log", 5.0), Transform()
MIXED = (np.array([[0.1], [0.5]]), np.array([[0.3], [0.6]]), np.array([0.3, 0.7]))


def _known(one: Predictive) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A fine grid of the data, and the distribution function there from the members' own."""
    y = np.linspace(-4.0, 400.0, 400_001)
    total = np.zeros_like(y)
    for mean, sd, weight in zip(one.means[:, 0], one.sds[:, 0], one.weights, strict=True):
        log = stats.lognorm(sd, scale=5.0 * np.exp(mean)) if one.transform.is_log else stats.norm(mean, sd)
        total += weight * log.cdf(y - one.offset)
    return y, total


@pytest.mark.parametrize("one", [Predictive(*MIXED, LOG), Predictive(*MIXED, NONE, 2.0)], ids=["log", "none"])
def test_everything_agrees_with_the_distribution_function(one: Predictive) -> None:
    y, cdf = _known(one)
    density = np.gradient(cdf, y)
    mean = integrate.trapezoid(density * y, y)
    assert one.mean[0] == pytest.approx(mean, rel=1e-3)
    assert one.std[0] == pytest.approx(np.sqrt(integrate.trapezoid(density * (y - mean) ** 2, y)), rel=1e-2)
    assert one.quantiles((0.1, 0.9))[0] == pytest.approx(np.interp((0.1, 0.9), cdf, y), rel=1e-3)
    for place in (2.5, 4.0, 9.0):
        at = np.array([place])
        assert one.cdf(at)[0] == pytest.approx(np.interp(place, y, cdf), abs=1e-4)
        assert one.crps(at)[0] == pytest.approx(integrate.trapezoid((cdf - (y >= place)) ** 2, y), rel=1e-3)
        if place < 5.0:
            assert np.exp(one.log_density(at)[0]) == pytest.approx(np.interp(place, y, density), rel=1e-3)


def test_one_model_has_the_moments_of_its_own_distribution() -> None:
    one = predictive(np.array([0.2]), np.array([0.5]), LOG)
    known = stats.lognorm(0.5, scale=5.0 * np.exp(0.2))
    assert one.mean[0] == pytest.approx(known.mean())
    assert one.quantiles((0.025, 0.975))[0] == pytest.approx(known.ppf([0.025, 0.975]))
    assert one.log_density(np.array([3.0]))[0] == pytest.approx(known.logpdf(3.0))


def test_impossible_values_have_no_density_but_a_score() -> None:
    one = predictive(np.array([0.0]), np.array([0.5]), LOG)
    assert one.log_density(np.array([-1.0]))[0] == -np.inf
    assert one.cdf(np.array([0.0]))[0] == 0.0
    # below everything: E Y - y - E|Y - Y'| / 2
    assert one.crps(np.array([-1.0]))[0] == pytest.approx(one.crps(np.array([0.0]))[0] + 1.0)


def test_what_lies_beyond_a_value_has_all_digits_and_a_limit_its_share() -> None:
    far = predictive(np.zeros(2), np.ones(2), Transform()).beyond(np.array([-20.0, 20.0]))
    assert 0.0 < far[0][0] == far[1][1] < 1e-80
    limited = replace(predictive(np.zeros(1), np.ones(1), Transform()), low=0.0).beyond(np.zeros(1))
    assert [float(side[0]) for side in limited] == [0.0, 0.5]
    counts = CountPredictive(np.log([[2.0]]), np.array([[0.3]]), np.ones(1), Transform("log"))
    below, above = counts.beyond(np.array([3.0]))
    assert float(below[0] + above[0] + np.exp(counts.log_density(np.array([3.0])))[0]) == pytest.approx(1.0)

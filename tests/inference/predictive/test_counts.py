"""Counts about uncertain rates, against SciPy's distributions and against draws."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import nbinom, poisson

from autostatistician.data.transform import Transform
from autostatistician.inference.predictive import CountPredictive
from autostatistician.inference.predictive.counts import log_mean_probability

LOG = Transform("log")


def known(rate: float) -> CountPredictive:
    """About a rate that is known."""
    return CountPredictive(np.array([[np.log(rate)]]), np.array([[1e-8]]), np.ones(1), LOG)


def mixture(mean: float, sd: float) -> CountPredictive:
    return CountPredictive(np.array([[mean], [mean + 0.3]]), np.array([[sd], [sd / 2]]), np.array([0.6, 0.4]), LOG)


def drawn(mean: float, sd: float, count: int = 200_000) -> np.ndarray:
    rng = np.random.default_rng(0)
    logs = [mean + sd * rng.standard_normal(count), mean + 0.3 + sd / 2 * rng.standard_normal(count)]
    return rng.poisson(np.exp(np.where(rng.random(count) < 0.6, *logs)))


@pytest.mark.parametrize("rate", [0.05, 1.0, 7.5, 300.0])
def test_about_a_known_rate_it_is_the_poisson_distribution(rate: float) -> None:
    made, exact = known(rate), poisson(rate)
    levels = (0.025, 0.5, 0.9, 0.975)
    assert made.quantiles(levels)[0].tolist() == exact.ppf(levels).tolist()
    assert made.mean == pytest.approx([rate])
    assert made.std == pytest.approx([np.sqrt(rate)])
    for y in exact.ppf((0.1, 0.5, 0.999)):
        at = np.array([y])
        assert made.cdf(at) == pytest.approx([exact.cdf(y)], abs=1e-6)
        assert made.log_density(at) == pytest.approx([exact.logpmf(y)], abs=1e-5)
        assert made.midpoint(at) == pytest.approx([exact.cdf(y) - 0.5 * exact.pmf(y)], abs=1e-6)


@pytest.mark.parametrize(("mean", "sd"), [(0.0, 0.5), (3.0, 0.2), (8.0, 0.3), (-3.0, 1.0)])
def test_mixtures_are_those_of_draws(mean: float, sd: float) -> None:
    made, draws = mixture(mean, sd), drawn(mean, sd)
    assert made.mean == pytest.approx([draws.mean()], rel=0.02)
    assert made.std == pytest.approx([draws.std()], rel=0.03)
    quantiles = np.quantile(draws, (0.025, 0.5, 0.975), method="inverted_cdf")
    assert made.quantiles((0.025, 0.5, 0.975))[0] == pytest.approx(quantiles, rel=0.01)
    at = np.array([float(quantiles[1])])
    assert made.cdf(at) == pytest.approx([np.mean(draws <= at)], abs=0.005)
    half = len(draws) // 2
    score = np.abs(draws - at).mean() - 0.5 * np.abs(draws[:half] - draws[half:]).mean()
    assert made.crps(at) == pytest.approx([score], rel=0.02, abs=1e-3)


def test_quantiles_are_the_smallest_whole_numbers_that_reach_a_level() -> None:
    made = mixture(1.0, 0.7)
    for level in (0.01, 0.3, 0.5, 0.99):
        (found,) = made.quantiles([level])[0]
        assert found == np.round(found)
        assert made.cdf(np.array([found]))[0] >= level > made.cdf(np.array([found - 1.0]))[0]


def test_probabilities_add_up_and_what_is_no_count_has_none() -> None:
    made = mixture(1.0, 0.7)
    every = np.exp([made.log_density(np.array([y]))[0] for y in np.arange(200.0)])
    assert every.sum() == pytest.approx(1.0, abs=1e-6)
    assert np.isneginf([made.log_density(np.array([y]))[0] for y in (-1.0, 0.5)]).all()
    assert made.cdf(np.array([-0.5])).tolist() == [0.0]


def test_limits_cut_quantiles_and_moments() -> None:
    cut = CountPredictive(np.array([[1.0]]), np.array([[0.7]]), np.ones(1), LOG, 0.0, 1.0, 4.0)
    draws = np.clip(
        np.random.default_rng(0).poisson(np.exp(1.0 + 0.7 * np.random.default_rng(1).standard_normal(200_000))), 1, 4
    )
    assert cut.mean == pytest.approx([draws.mean()], rel=0.01)
    assert cut.std == pytest.approx([draws.std()], rel=0.01)
    assert cut.quantiles([0.001, 0.999])[0].tolist() == [1.0, 4.0]


def test_many_sizes_of_counts_at_once() -> None:
    y, mean = np.array([0.0, 1.0, 50.0, 1e6]), np.array([-20.0, 0.0, 4.0, np.log(1e6)])
    for variance in (1e-14, 1.0, 25.0):
        assert np.isfinite(log_mean_probability(y, mean, np.full(4, variance))).all()


@pytest.mark.parametrize("rate", [0.05, 1.0, 7.5, 300.0])
def test_with_dispersion_it_is_the_negative_binomial_distribution(rate: float) -> None:
    made, exact = replace(known(rate), dispersion=0.5), nbinom(2.0, 1.0 / (1.0 + 0.5 * rate))
    levels = (0.025, 0.5, 0.9, 0.975)
    assert made.quantiles(levels)[0].tolist() == exact.ppf(levels).tolist()
    assert made.mean == pytest.approx([rate])
    assert made.std == pytest.approx([exact.std()])
    for y in exact.ppf((0.1, 0.5, 0.999)):
        at = np.array([y])
        assert made.cdf(at) == pytest.approx([exact.cdf(y)], abs=1e-6)
        assert made.log_density(at) == pytest.approx([exact.logpmf(y)], abs=1e-5)


def test_with_dispersion_about_uncertain_rates_it_is_what_draws_are() -> None:
    made, rng = replace(mixture(1.0, 0.6), dispersion=0.7), np.random.default_rng(0)
    logs = [1.0 + 0.6 * rng.standard_normal(200_000), 1.3 + 0.3 * rng.standard_normal(200_000)]
    rates = np.exp(np.where(rng.random(200_000) < 0.6, *logs))
    draws = rng.poisson(rates * rng.gamma(1.0 / 0.7, 0.7, 200_000))
    assert made.mean == pytest.approx([draws.mean()], rel=0.02)
    assert made.std == pytest.approx([draws.std()], rel=0.02)
    for y in (0.0, 2.0, 9.0):
        assert made.cdf(np.array([y])) == pytest.approx([(draws <= y).mean()], abs=0.005)
        assert np.exp(made.log_density(np.array([y]))) == pytest.approx([(draws == y).mean()], abs=0.005)


def test_with_sizes_values_are_counts_by_a_unit_of_these() -> None:
    sizes = np.array([4.0, 0.5])
    means = np.log(np.full((1, 2), 3.0))
    made = CountPredictive(means, np.full((1, 2), 1e-8), np.ones(1), LOG, sizes=sizes)
    exact = poisson(3.0 * sizes)
    assert made.mean == pytest.approx([3.0, 3.0])
    assert made.std == pytest.approx(np.sqrt(3.0 / sizes))
    assert made.quantiles([0.025, 0.975]) == pytest.approx(
        np.stack([exact.ppf(0.025), exact.ppf(0.975)], axis=-1) / sizes[:, None]
    )
    counts = np.array([11.0, 2.0])
    assert made.cdf(counts / sizes) == pytest.approx(exact.cdf(counts), abs=1e-6)
    assert made.log_density(counts / sizes) == pytest.approx(exact.logpmf(counts), abs=1e-5)
    assert made.log_density(np.array([0.1, 0.1])).tolist() == [-np.inf, -np.inf]
    whole = CountPredictive(means + np.log(sizes), np.full((1, 2), 1e-8), np.ones(1), LOG)
    assert made.crps(counts / sizes) == pytest.approx(whole.crps(counts) / sizes)

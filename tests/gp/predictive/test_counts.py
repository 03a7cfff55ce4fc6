"""Counts about uncertain rates, against SciPy's distributions and against draws."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import binom, nbinom, poisson

from autostatistician.data.transform import Transform
from autostatistician.gp.counts import (
    BinomialLaw,
    CountLaw,
    CountPredictive,
    HurdleLaw,
    HurdlePredictive,
    NegativeBinomialLaw,
    PoissonLaw,
    SharePredictive,
)
from autostatistician.gp.predictive import Averaged, certain

Array = NDArray[np.float64]
ODDS = Transform("logit", 0.3)
Y_SHARES, LOG_ODDS, TOTALS = (
    np.array([0.0, 3.0, 50.0, 1.0]),
    np.array([-3.0, 0.5, 2.0, 1.0]),
    np.array([5.0, 8.0, 50.0, 1.0]),
)
SHARES = BinomialLaw(TOTALS)


def test_shares_it_is_the_distribution_of_scipy() -> None:
    exact = binom(TOTALS.astype(int), expit(LOG_ODDS))
    assert SHARES.log_density(Y_SHARES, LOG_ODDS) == pytest.approx(exact.logpmf(Y_SHARES))
    assert SHARES.cdf(Y_SHARES, LOG_ODDS) == pytest.approx(exact.cdf(Y_SHARES))


@pytest.mark.parametrize(("chance", "total"), [(0.02, 30.0), (0.45, 7.0), (0.98, 400.0)])
def test_about_a_known_chance_it_is_the_binomial_distribution(chance: float, total: float) -> None:
    means = ODDS.forward(np.array([[chance]]))
    made = SharePredictive(means, np.array([[1e-8]]), np.ones(1), ODDS, law=BinomialLaw(total), sizes=np.array([total]))
    exact, levels = binom(int(total), chance), (0.025, 0.5, 0.975)
    assert made.quantiles(levels)[0] == pytest.approx(exact.ppf(levels) / total)
    assert made.mean == pytest.approx([chance])
    assert made.std == pytest.approx([exact.std() / total])
    for y in exact.ppf((0.1, 0.9)):
        assert made.cdf(np.array([y]) / total) == pytest.approx([exact.cdf(y)], abs=1e-6)
        assert made.log_density(np.array([y]) / total) == pytest.approx([exact.logpmf(y)], abs=1e-5)


def test_about_uncertain_chances_it_is_what_draws_are() -> None:
    rng = np.random.default_rng(0)
    means, sds = np.array([[0.4], [1.0]]), np.array([[0.8], [0.3]])
    made = SharePredictive(means, sds, np.array([0.6, 0.4]), ODDS, 0.0, 0.0, 1.0, BinomialLaw(12.0), np.array([12.0]))
    logs = np.where(
        rng.random(200_000) < 0.6, *(m + s * rng.standard_normal(200_000) for m, s in zip(means, sds, strict=True))
    )
    draws = rng.binomial(12, ODDS.back(logs)) / 12.0
    assert made.mean == pytest.approx([draws.mean()], rel=0.01)
    assert made.std == pytest.approx([draws.std()], rel=0.01)
    for y in (0.0, 0.25, 0.75):
        assert made.cdf(np.array([y])) == pytest.approx([(draws <= y + 1e-9).mean()], abs=0.005)
    ends = made.quantiles([1e-12, 1.0 - 1e-12])
    assert (ends >= 0.0).all()
    assert (ends <= 1.0).all()
    assert made.crps(np.array([0.5])) == pytest.approx(
        [np.abs(draws - 0.5).mean() - 0.5 * np.abs(draws[::2] - draws[1::2]).mean()], abs=0.003
    )


LOG = Transform("log")


def known_of_hurdle(rate: float, none: float = 0.4) -> HurdlePredictive:
    return HurdlePredictive(np.log([[rate]]), np.array([[1e-9]]), np.ones(1), LOG, law=HurdleLaw(none))


@pytest.mark.parametrize("rate", [1e-9, 0.05, 1.0, 7.5, 300.0])
def test_it_is_poisson_from_one_beside_its_zeros(rate: float) -> None:
    made, exact = known_of_hurdle(rate), poisson(rate)
    some = -np.expm1(-rate)
    for y in (1.0, 2.0, np.ceil(rate)):
        at = np.array([y])
        assert made.cdf(at) == pytest.approx([1.0 - 0.6 * exact.sf(y) / some], abs=1e-6)
        assert made.log_density(at) == pytest.approx([np.log(0.6) + exact.logpmf(y) - np.log(some)], abs=1e-5)
    assert made.cdf(np.zeros(1)) == pytest.approx([0.4])
    assert made.mean == pytest.approx([0.6 * rate / some])
    assert made.quantiles([0.39, 0.41])[0, 0] == 0.0 < made.quantiles([0.39, 0.41])[0, 1]


@pytest.mark.parametrize("level", [1.0, 7.0])
def test_about_uncertain_rates_it_is_what_draws_are(level: float) -> None:
    rng, n = np.random.default_rng(0), 50_000
    made = HurdlePredictive(
        np.array([[level], [level + 0.3]]), np.array([[0.6], [0.3]]), np.array([0.6, 0.4]), LOG, law=HurdleLaw(0.55)
    )
    logs = np.where(
        rng.random(n) < 0.6, level + 0.6 * rng.standard_normal(n), level + 0.3 + 0.3 * rng.standard_normal(n)
    )
    rates = np.exp(logs)
    # from one by inversion
    below = np.exp(-rates)
    draws = poisson(rates).ppf(below + rng.random(n) * (1.0 - below)) * (rng.random(n) > 0.55)
    assert made.mean == pytest.approx([draws.mean()], rel=0.02)
    assert made.std == pytest.approx([draws.std()], rel=0.02)
    for y in np.quantile(draws, (0.3, 0.7, 0.9)):
        assert made.cdf(np.array([y])) == pytest.approx([(draws <= y).mean()], abs=0.005)
    y = np.quantile(draws, (0.1, 0.9))[1]
    assert made.crps(np.array([y])) == pytest.approx(
        [np.abs(draws - y).mean() - 0.5 * np.abs(draws - rng.permutation(draws)).mean()], rel=0.02
    )


def test_limits_hold_for_its_moments() -> None:
    whole, cut = known_of_hurdle(3.0), replace(known_of_hurdle(3.0), high=2.0)
    assert cut.mean[0] < whole.mean[0]
    assert cut.mean == pytest.approx([0.6 * 2.0 - np.exp(HurdleLaw(0.4).log_density(np.ones(1), np.log([3.0]))[0])])


def test_tiny_rates_keep_their_digits() -> None:
    first, second, third = HurdleLaw(0.4).derivatives(np.array([1.0, 1.0]), np.array([-25.0, np.log(1.0000001e-4)]))
    assert second / first == pytest.approx([1.0, 1.0], rel=1e-3)
    assert third / first == pytest.approx([1.0, 1.0], rel=1e-3)


Y = np.array([0.0, 2.0, 30.0, 1e6])
ETA = np.array([-8.0, 1.0, 3.0, 13.0])


@pytest.mark.parametrize("dispersion", [0.01, 0.7, 5.0])
def test_it_is_the_distribution_of_scipy(dispersion: float) -> None:
    exact = nbinom(1.0 / dispersion, 1.0 / (1.0 + dispersion * np.exp(ETA)))
    assert NegativeBinomialLaw(dispersion).log_density(Y, ETA) == pytest.approx(exact.logpmf(Y), rel=1e-6)
    assert NegativeBinomialLaw(dispersion).cdf(Y, ETA) == pytest.approx(exact.cdf(Y), rel=1e-6)


@pytest.mark.parametrize(
    ("law", "y", "at", "close"),
    [
        (SHARES, Y_SHARES, LOG_ODDS, 1e-5),
        (NegativeBinomialLaw(0.7), Y, ETA, 1e-12),
        (PoissonLaw(), Y, ETA, 1e-5),
        (HurdleLaw(0.3), Y, np.array([-2.0, 1.0, 3.0, 13.0]), 1e-5),
    ],
)
def test_slopes_are_differences(law: CountLaw, y: Array, at: Array, close: float) -> None:
    high, low = ((law.log_density(y, at + step), *law.derivatives(y, at + step)) for step in (1e-4, -1e-4))
    for place, made in enumerate(law.derivatives(y, at)):
        assert made == pytest.approx((high[place] - low[place]) / 2e-4, rel=1e-5, abs=close if place else 1e-5)


def known(rate: float) -> CountPredictive:
    """About a rate that is known."""
    return CountPredictive(np.array([[np.log(rate)]]), np.array([[1e-8]]), np.ones(1), LOG)


def mixture(mean: float, sd: float) -> CountPredictive:
    return CountPredictive(np.array([[mean], [mean + 0.3]]), np.array([[sd], [sd / 2]]), np.array([0.6, 0.4]), LOG)


def drawn(mean: float, sd: float, count: int = 200_000) -> np.ndarray:
    rng = np.random.default_rng(0)
    logs = [mean + sd * rng.standard_normal(count), mean + 0.3 + sd / 2 * rng.standard_normal(count)]
    return rng.poisson(np.exp(np.where(rng.random(count) < 0.6, *logs)))


@pytest.mark.parametrize("dispersion", [0.0, 0.5])
@pytest.mark.parametrize("rate", [0.05, 1.0, 7.5, 300.0])
def test_about_a_known_rate_it_is_the_poisson_or_the_negative_binomial_distribution(
    rate: float, dispersion: float
) -> None:
    made = replace(known(rate), law=NegativeBinomialLaw(dispersion)) if dispersion else known(rate)
    exact = nbinom(1.0 / dispersion, 1.0 / (1.0 + dispersion * rate)) if dispersion else poisson(rate)
    levels = (0.025, 0.5, 0.9, 0.975)
    assert made.quantiles(levels)[0].tolist() == exact.ppf(levels).tolist()
    assert made.mean == pytest.approx([rate])
    assert made.std == pytest.approx([exact.std()])
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
        assert np.isfinite(PoissonLaw().averaged(y, mean, np.full(4, variance))).all()


def test_with_dispersion_about_uncertain_rates_it_is_what_draws_are() -> None:
    made, rng = replace(mixture(1.0, 0.6), law=NegativeBinomialLaw(0.7)), np.random.default_rng(0)
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


def test_counts_beside_values_that_are_certain() -> None:
    """As of a shop that is closed on some days: quantiles of each are those of its own part."""
    counts = CountPredictive(np.log([[5.0, 5.0]]), np.array([[0.1, 0.1]]), np.ones(1), Transform("log"))
    both = Averaged(counts, certain(0.0, 2), np.array([0.0, 1.0]))
    levels = (0.025, 0.5, 0.975)
    np.testing.assert_array_equal(both.quantiles(levels)[0], counts.quantiles(levels)[0])
    np.testing.assert_array_equal(both.quantiles(levels)[1], np.zeros(3))
    between = Averaged(counts, certain(0.0, 2), np.array([0.5, 0.5])).quantiles(levels)
    assert (np.diff(between) >= 0.0).all()
    assert between[0, 0] == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_array_equal(counts.cdf(np.array([[4.0, 4.0], [9.0, 9.0]]))[0], counts.cdf(np.array([4.0, 4.0])))

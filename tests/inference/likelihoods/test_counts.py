"""The laws of counts, against SciPy's distribution, differences and integrals."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import binom, nbinom, norm, poisson
from tests.inference.likelihoods.laws import check_derivatives, check_sites, check_tilted

from autostatistician.data.transform import Transform
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.likelihoods.counts import BINOMIAL, POISSON, Binomial, Hurdle, NegativeBinomial, Poisson
from autostatistician.inference.problem import Problem
from autostatistician.inference.sites_at_mode import by_expectation
from autostatistician.language.kernel import leaf
from autostatistician.language.text import parse

LOG = Transform("log", 2.0, 1.5, 0.5)

COUNTS_OF_HURDLE = Hurdle(LOG, none=0.3)

Y_OF_HURDLE, F_OF_HURDLE = np.array([3.0, 1.0, 40.0]), np.array([1.0, -1.0, 4.0])

RATE_OF_HURDLE = 2.0 * np.exp(F_OF_HURDLE - 1.5)


def test_density_is_that_of_scipy_without_zeros() -> None:
    exact = np.log(0.7) + poisson(RATE_OF_HURDLE).logpmf(Y_OF_HURDLE) - np.log(-np.expm1(-RATE_OF_HURDLE))
    assert COUNTS_OF_HURDLE.log_density(Y_OF_HURDLE, F_OF_HURDLE) == pytest.approx(exact)
    assert COUNTS_OF_HURDLE.log_density(np.zeros(3), F_OF_HURDLE) == pytest.approx(np.log(0.3))


def test_hurdle_derivatives_are_differences() -> None:
    check_derivatives(COUNTS_OF_HURDLE, Y_OF_HURDLE, F_OF_HURDLE)


def test_hurdle_tilted_is_an_integral() -> None:
    check_tilted(COUNTS_OF_HURDLE, Y_OF_HURDLE, F_OF_HURDLE)


def test_hurdle_sites_are_the_density_to_the_second_order() -> None:
    check_sites(COUNTS_OF_HURDLE, Y_OF_HURDLE, F_OF_HURDLE)


def test_moments_are_those_of_all_counts() -> None:
    mean, variance = COUNTS_OF_HURDLE.about_rate(RATE_OF_HURDLE)
    y = np.arange(200.0)[:, None]
    chances = np.exp(COUNTS_OF_HURDLE.log_density(np.broadcast_to(y, (200, 3)), F_OF_HURDLE))
    assert mean == pytest.approx(np.sum(y * chances, axis=0))
    assert variance == pytest.approx(np.sum(y**2 * chances, axis=0) - mean**2)


def test_zeros_say_nothing_of_the_function() -> None:
    """What all rows say is what the others say, with the chance of these zeros."""
    x, y, kernel = np.arange(6.0), np.array([0.0, 7.0, 0.0, 2.0, 5.0, 0.0]), leaf("SE", sd=1.5, lengthscale=2.0)
    some = y > 0.0
    law, start = COUNTS_OF_HURDLE.mapped(Transform("log")), np.zeros(6)
    found = by_expectation(kernel, Problem(x, y), law, start)
    alone = by_expectation(kernel, Problem(x[some], y[some]), law, start[some])
    assert found.log_evidence == pytest.approx(alone.log_evidence + 3.0 * np.log(0.3), abs=1e-3)
    assert found.posterior.signal()[0][some] == pytest.approx(alone.posterior.signal()[0], abs=1e-3)


def test_its_chance_is_the_share_of_zeros_and_makes_it_again() -> None:
    y = np.array([0.0, 0.0, 0.0, 4.0, 1.0, 2.0, 0.0])
    fitted = COUNTS_OF_HURDLE.fitted(y, np.zeros(7), np.ones(7))
    assert fitted.none == 4.5 / 8.0
    assert COUNTS_OF_HURDLE.with_numbers(fitted.numbers) == fitted
    with pytest.raises(ValueError, match="a chance of 1"):
        COUNTS_OF_HURDLE.with_numbers({"none": 1.0})


def test_it_is_looked_for_where_the_others_are() -> None:
    first = COUNTS_OF_HURDLE.first(np.array([0.0, 4.0, 9.0]))
    assert first[1:].tolist() == POISSON.mapped(LOG).first(np.array([4.0, 9.0])).tolist()
    assert LOG.back(first)[0] == pytest.approx(6.0)


ODDS = Transform("logit", 0.2, 1.5)

TOTALS = np.array([4.0, 9.0, 60.0])

PARTS = Binomial(ODDS, sizes=TOTALS)

Y_OF_BINOMIAL, F_OF_BINOMIAL = np.array([0.0, 3.0, 60.0]), np.array([0.5, 2.0, 4.0])


def test_binomial_density_is_that_of_scipy() -> None:
    chance = expit(np.log(0.25) + F_OF_BINOMIAL - 1.5)
    assert PARTS.log_density(Y_OF_BINOMIAL, F_OF_BINOMIAL) == pytest.approx(
        binom(TOTALS.astype(int), chance).logpmf(Y_OF_BINOMIAL)
    )


def test_binomial_derivatives_are_differences() -> None:
    check_derivatives(PARTS, Y_OF_BINOMIAL, F_OF_BINOMIAL)


def test_binomial_tilted_is_an_integral() -> None:
    check_tilted(PARTS, Y_OF_BINOMIAL, F_OF_BINOMIAL, close=1e-5, slopes=1e-4)


def test_binomial_sites_are_the_density_to_the_second_order() -> None:
    check_sites(PARTS, Y_OF_BINOMIAL, F_OF_BINOMIAL)


def test_binomial_evidence_by_expectation_is_the_integral_over_a_level() -> None:
    law = Binomial(Transform("logit", 0.5), sizes=TOTALS)
    found = by_expectation(leaf("C", sd=1.5), Problem(np.arange(3.0), Y_OF_BINOMIAL), law, law.first(Y_OF_BINOMIAL))
    whole = lambda f: np.exp(law.log_density(Y_OF_BINOMIAL, np.full(3, f)).sum()) * norm(0.0, 1.5).pdf(f)  # noqa: E731
    assert found.log_evidence == pytest.approx(np.log(quad(whole, -8.0, 12.0, points=[2.0])[0]), abs=0.02)


def test_without_totals_it_is_one_of_one() -> None:
    assert BINOMIAL.mapped(ODDS).log_density(np.ones(1), np.full(1, 1.5)) == pytest.approx([np.log(0.2)])
    assert PARTS.alone() == BINOMIAL


COUNTS_OF_NEGATIVE_BINOMIAL = NegativeBinomial(LOG, 0.4)

Y, F = np.array([0.0, 3.0, 40.0]), np.array([1.0, 2.0, 4.0])

RATE = 2.0 * np.exp(F - 1.5)


def test_negative_binomial_density_is_that_of_scipy() -> None:
    exact = nbinom(1.0 / 0.4, 1.0 / (1.0 + 0.4 * RATE))
    assert COUNTS_OF_NEGATIVE_BINOMIAL.log_density(Y, F) == pytest.approx(exact.logpmf(Y))


def test_little_dispersion_is_the_poisson_distribution() -> None:
    assert NegativeBinomial(LOG, 1e-7).log_density(Y, F) == pytest.approx(
        POISSON.mapped(LOG).log_density(Y, F), abs=1e-3
    )


def test_negative_binomial_derivatives_are_differences() -> None:
    check_derivatives(COUNTS_OF_NEGATIVE_BINOMIAL, Y, F)


def test_negative_binomial_tilted_is_an_integral() -> None:
    check_tilted(COUNTS_OF_NEGATIVE_BINOMIAL, Y, F)


def test_negative_binomial_sites_are_the_density_to_the_second_order() -> None:
    check_sites(COUNTS_OF_NEGATIVE_BINOMIAL, Y, F)


def test_the_dispersion_that_made_counts_is_found_again() -> None:
    y = nbinom(1.0 / 0.6, 1.0 / (1.0 + 0.6 * 8.0)).rvs(2000, random_state=1).astype(float)
    law = NegativeBinomial(Transform("log", 8.0))
    fitted = law.fitted(y, np.zeros(2000), np.full(2000, 1e-9))
    assert fitted.dispersion == pytest.approx(0.6, rel=0.1)
    assert law.with_numbers(fitted.numbers) == fitted
    with pytest.raises(ValueError, match="a dispersion of -1"):
        law.with_numbers({"dispersion": -1.0})


def test_evidence_by_expectation_is_the_integral_over_a_level() -> None:
    y, law = np.array([0.0, 7.0, 2.0]), NegativeBinomial(Transform("log"), 0.8)
    found = by_expectation(leaf("C", sd=1.5), Problem(np.arange(3.0), y), law, np.zeros(3))
    whole = lambda f: np.exp(law.log_density(y, np.full(3, f)).sum()) * norm(0.0, 1.5).pdf(f)  # noqa: E731
    assert found.log_evidence == pytest.approx(np.log(quad(whole, -8.0, 8.0)[0]), abs=0.02)


COUNTS = Poisson(Transform("log", 2.0, 1.5, 0.5))


def test_density_is_that_of_scipy() -> None:
    assert COUNTS.log_density(Y, F) == pytest.approx(poisson(2.0 * np.exp(F - 1.5)).logpmf(Y))


def test_derivatives_are_differences() -> None:
    check_derivatives(COUNTS, Y, F)


def test_tilted_is_an_integral() -> None:
    check_tilted(COUNTS, Y, F)


def test_sites_are_the_density_to_the_second_order() -> None:
    sites = check_sites(COUNTS, Y, F)
    higher = sites.moved(2.0)
    assert higher.values == pytest.approx(sites.values + 2.0)


def test_engines_take_it_for_normal_noise_by_row() -> None:
    sites = POISSON.mapped(Transform("log")).normal_sites(Y, F)
    problem = Problem(np.arange(3.0), sites.values, likelihood=COUNTS, noise=sites.variances)
    assert LagSpace().cost(parse("C + WN"), problem) is not None

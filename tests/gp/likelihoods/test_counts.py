"""The laws of counts, against SciPy's distribution, differences and integrals."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import binom, nbinom, norm, poisson
from tests.gp.likelihoods.laws import check_derivatives, check_sites, check_tilted

from autostatistician.data.transform import Transform
from autostatistician.gp.count_approximations import expectation_propagation
from autostatistician.gp.count_likelihoods import BINOMIAL, POISSON, Binomial, Hurdle, NegativeBinomial, Poisson, Sited
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import leaf
from autostatistician.kernels.text import parse

LOG = Transform("log", 2.0, 1.5, 0.5)
HURDLE = Hurdle(LOG, none=0.3)
Y_HURDLE, F_HURDLE = np.array([3.0, 1.0, 40.0]), np.array([1.0, -1.0, 4.0])
RATE_HURDLE = 2.0 * np.exp(F_HURDLE - 1.5)


def test_density_is_that_of_scipy_without_zeros() -> None:
    exact = np.log(0.7) + poisson(RATE_HURDLE).logpmf(Y_HURDLE) - np.log(-np.expm1(-RATE_HURDLE))
    assert HURDLE.log_density(Y_HURDLE, F_HURDLE) == pytest.approx(exact)
    assert HURDLE.log_density(np.zeros(3), F_HURDLE) == pytest.approx(np.log(0.3))


def test_zeros_say_nothing_of_the_function() -> None:
    """What all rows say is what the others say, with the chance of these zeros."""
    x, y, kernel = np.arange(6.0), np.array([0.0, 7.0, 0.0, 2.0, 5.0, 0.0]), leaf("SE", sd=1.5, lengthscale=2.0)
    some = y > 0.0
    law, start = HURDLE.mapped(Transform("log")), np.zeros(6)
    found = expectation_propagation(kernel, Problem(x, y), law, start)
    alone = expectation_propagation(kernel, Problem(x[some], y[some]), law, start[some])
    assert found.log_evidence == pytest.approx(alone.log_evidence + 3.0 * np.log(0.3), abs=1e-3)
    assert found.posterior.signal()[0][some] == pytest.approx(alone.posterior.signal()[0], abs=1e-3)


def test_its_chance_is_the_share_of_zeros_and_makes_it_again() -> None:
    y = np.array([0.0, 0.0, 0.0, 4.0, 1.0, 2.0, 0.0])
    fitted = HURDLE.fitted(y, np.zeros(7), np.ones(7))
    assert fitted.none == 4.5 / 8.0
    assert HURDLE.with_numbers(fitted.numbers) == fitted
    with pytest.raises(ValueError, match=r"none between 0 and 1\.0; found 1"):
        HURDLE.with_numbers({"none": 1.0})


def test_it_is_looked_for_where_the_others_are() -> None:
    first = HURDLE.first(np.array([0.0, 4.0, 9.0]))
    assert first[1:].tolist() == POISSON.mapped(LOG).first(np.array([4.0, 9.0])).tolist()
    assert LOG.back(first)[0] == pytest.approx(6.0)


ODDS = Transform("logit", 0.2, 1.5)
TOTALS = np.array([4.0, 9.0, 60.0])
PARTS = Binomial(ODDS, sizes=TOTALS)
Y_PARTS, F_PARTS = np.array([0.0, 3.0, 60.0]), np.array([0.5, 2.0, 4.0])


def test_binomial_density_is_that_of_scipy() -> None:
    chance = expit(np.log(0.25) + F_PARTS - 1.5)
    assert PARTS.log_density(Y_PARTS, F_PARTS) == pytest.approx(binom(TOTALS.astype(int), chance).logpmf(Y_PARTS))


@pytest.mark.parametrize(
    ("law", "y"),
    [
        (Binomial(Transform("logit", 0.5), sizes=TOTALS), Y_PARTS),
        (NegativeBinomial(Transform("log"), 0.8), np.array([0.0, 7.0, 2.0])),
    ],
)
def test_evidence_by_expectation_is_the_integral_over_a_level(law: Sited, y: np.ndarray) -> None:
    found = expectation_propagation(leaf("C", sd=1.5), Problem(np.arange(3.0), y), law, law.first(y))
    whole = lambda f: np.exp(law.log_density(y, np.full(3, f)).sum()) * norm(0.0, 1.5).pdf(f)  # noqa: E731
    assert found.log_evidence == pytest.approx(np.log(quad(whole, -8.0, 12.0, points=[2.0])[0]), abs=0.02)


def test_without_totals_it_is_one_of_one() -> None:
    assert BINOMIAL.mapped(ODDS).log_density(np.ones(1), np.full(1, 1.5)) == pytest.approx([np.log(0.2)])
    assert PARTS.alone() == BINOMIAL


SCATTERED = NegativeBinomial(LOG, 0.4)
Y, F = np.array([0.0, 3.0, 40.0]), np.array([1.0, 2.0, 4.0])
RATE = 2.0 * np.exp(F - 1.5)


def test_negative_binomial_density_is_that_of_scipy() -> None:
    exact = nbinom(1.0 / 0.4, 1.0 / (1.0 + 0.4 * RATE))
    assert SCATTERED.log_density(Y, F) == pytest.approx(exact.logpmf(Y))


def test_little_dispersion_is_the_poisson_distribution() -> None:
    assert NegativeBinomial(LOG, 1e-7).log_density(Y, F) == pytest.approx(
        POISSON.mapped(LOG).log_density(Y, F), abs=1e-3
    )


def test_the_dispersion_that_made_counts_is_found_again() -> None:
    y = nbinom(1.0 / 0.6, 1.0 / (1.0 + 0.6 * 8.0)).rvs(2000, random_state=1).astype(float)
    law = NegativeBinomial(Transform("log", 8.0))
    fitted = law.fitted(y, np.zeros(2000), np.full(2000, 1e-9))
    assert fitted.dispersion == pytest.approx(0.6, rel=0.1)
    assert law.with_numbers(fitted.numbers) == fitted
    with pytest.raises(ValueError, match="dispersion between 0 and inf; found -1"):
        law.with_numbers({"dispersion": -1.0})


COUNTS = Poisson(Transform("log", 2.0, 1.5, 0.5))


def test_density_is_that_of_scipy() -> None:
    assert COUNTS.log_density(Y, F) == pytest.approx(poisson(2.0 * np.exp(F - 1.5)).logpmf(Y))


LAWS = {
    "hurdle": (HURDLE, Y_HURDLE, F_HURDLE, 1.0),
    "binomial": (PARTS, Y_PARTS, F_PARTS, 10.0),  # of its integral fewer digits are known
    "negative binomial": (SCATTERED, Y, F, 1.0),
    "poisson": (COUNTS, Y, F, 1.0),
}


@pytest.mark.parametrize(("law", "y", "f", "times"), LAWS.values(), ids=LAWS)
def test_derivatives_are_differences_averages_integrals_and_sites_the_density(
    law: Sited, y: np.ndarray, f: np.ndarray, times: float
) -> None:
    check_derivatives(law, y, f)
    check_tilted(law, y, f, close=1e-6 * times, slopes=1e-5 * times)
    sites = check_sites(law, y, f)
    assert sites.moved(2.0).values == pytest.approx(sites.values + 2.0)


def test_engines_take_it_for_normal_noise_by_row() -> None:
    sites = POISSON.mapped(Transform("log")).normal_sites(Y, F)
    problem = Problem(np.arange(3.0), sites.values, likelihood=COUNTS, noise=sites.variances)
    assert LagSpace().cost(parse("C + WN"), problem) is not None

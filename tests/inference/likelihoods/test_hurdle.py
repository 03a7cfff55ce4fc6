"""The law of counts whose zeros have a chance of their own, against SciPy's distribution, differences and integrals."""

import numpy as np
import pytest
from scipy.stats import poisson
from tests.inference.likelihoods.laws import check_derivatives, check_sites, check_tilted

from autostatistician.data.transform import Transform
from autostatistician.inference.likelihoods.hurdle import Hurdle
from autostatistician.inference.likelihoods.poisson import POISSON
from autostatistician.inference.problem import Problem
from autostatistician.inference.sites_at_mode import by_expectation
from autostatistician.language.kernel import leaf

LOG = Transform("log", 2.0, 1.5, 0.5)
COUNTS = Hurdle(LOG, none=0.3)
Y, F = np.array([3.0, 1.0, 40.0]), np.array([1.0, -1.0, 4.0])
RATE = 2.0 * np.exp(F - 1.5)


def test_density_is_that_of_scipy_without_zeros() -> None:
    exact = np.log(0.7) + poisson(RATE).logpmf(Y) - np.log(-np.expm1(-RATE))
    assert COUNTS.log_density(Y, F) == pytest.approx(exact)
    assert COUNTS.log_density(np.zeros(3), F) == pytest.approx(np.log(0.3))


def test_derivatives_are_differences() -> None:
    check_derivatives(COUNTS, Y, F)


def test_tilted_is_an_integral() -> None:
    check_tilted(COUNTS, Y, F)


def test_sites_are_the_density_to_the_second_order() -> None:
    check_sites(COUNTS, Y, F)


def test_moments_are_those_of_all_counts() -> None:
    mean, variance = COUNTS.about_rate(RATE)
    y = np.arange(200.0)[:, None]
    chances = np.exp(COUNTS.log_density(np.broadcast_to(y, (200, 3)), F))
    assert mean == pytest.approx(np.sum(y * chances, axis=0))
    assert variance == pytest.approx(np.sum(y**2 * chances, axis=0) - mean**2)


def test_zeros_say_nothing_of_the_function() -> None:
    """What all rows say is what the others say, with the chance of these zeros."""
    x, y, kernel = np.arange(6.0), np.array([0.0, 7.0, 0.0, 2.0, 5.0, 0.0]), leaf("SE", sd=1.5, lengthscale=2.0)
    some = y > 0.0
    law, start = COUNTS.mapped(Transform("log")), np.zeros(6)
    found = by_expectation(kernel, Problem(x, y), law, start)
    alone = by_expectation(kernel, Problem(x[some], y[some]), law, start[some])
    assert found.log_evidence == pytest.approx(alone.log_evidence + 3.0 * np.log(0.3), abs=1e-3)
    assert found.posterior.signal()[0][some] == pytest.approx(alone.posterior.signal()[0], abs=1e-3)


def test_its_chance_is_the_share_of_zeros_and_makes_it_again() -> None:
    y = np.array([0.0, 0.0, 0.0, 4.0, 1.0, 2.0, 0.0])
    fitted = COUNTS.fitted(y, np.zeros(7), np.ones(7))
    assert fitted.none == 4.5 / 8.0
    assert COUNTS.with_numbers(fitted.numbers) == fitted
    with pytest.raises(ValueError, match="a chance of 1"):
        COUNTS.with_numbers({"none": 1.0})


def test_it_is_looked_for_where_the_others_are() -> None:
    first = COUNTS.first(np.array([0.0, 4.0, 9.0]))
    assert first[1:].tolist() == POISSON.mapped(LOG).first(np.array([4.0, 9.0])).tolist()
    assert LOG.back(first)[0] == pytest.approx(6.0)

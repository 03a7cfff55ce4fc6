"""The laws of counts, against SciPy's distribution, differences and integrals."""

import numpy as np
import pytest
from scipy.stats import poisson
from tests.inference.likelihoods.laws import check_derivatives, check_sites, check_tilted

from autostatistician.data.transform import Transform
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.likelihoods.poisson import POISSON, Poisson
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse

COUNTS = Poisson(Transform("log", 2.0, 1.5, 0.5))
Y, F = np.array([0.0, 3.0, 40.0]), np.array([1.0, 2.0, 4.0])


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

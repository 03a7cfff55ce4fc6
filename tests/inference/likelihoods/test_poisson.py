"""The laws of counts, against SciPy's distribution, differences and integrals."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm, poisson

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
    first, second, third = COUNTS.derivatives(Y, F)
    step = 1e-5
    ends = [COUNTS.derivatives(Y, F + sign * step) for sign in (1.0, -1.0)]
    density = [COUNTS.log_density(Y, F + sign * step) for sign in (1.0, -1.0)]
    assert first == pytest.approx((density[0] - density[1]) / (2 * step), rel=1e-6)
    assert second == pytest.approx((ends[0][0] - ends[1][0]) / (2 * step), rel=1e-6)
    assert third == pytest.approx((ends[0][1] - ends[1][1]) / (2 * step), rel=1e-6)


def test_tilted_is_an_integral() -> None:
    variance = np.array([0.3, 1.0, 2.0])
    value, first, second = COUNTS.tilted(Y, F, variance)
    for y, f, v, log_mean in zip(Y, F, variance, value, strict=True):
        density = norm(f, np.sqrt(v)).pdf
        integral, _ = quad(lambda u: np.exp(COUNTS.log_density(y, u)) * density(u), -10, 15, points=[f], limit=200)  # noqa: B023
        assert log_mean == pytest.approx(np.log(integral), abs=1e-6)
    step = 1e-4
    above, below = (COUNTS.tilted(Y, F + sign * step, variance) for sign in (1.0, -1.0))
    assert first == pytest.approx((above[0] - below[0]) / (2 * step), rel=1e-5)
    assert second == pytest.approx((above[1] - below[1]) / (2 * step), rel=1e-5)


def test_sites_are_the_density_to_the_second_order() -> None:
    sites = COUNTS.normal_sites(Y, F)
    for away, close in ((0.0, 1e-12), (1e-3, 1e-7)):
        normal = norm(F + away, np.sqrt(sites.variances)).logpdf(sites.values).sum() + sites.log_ratio
        assert normal == pytest.approx(float(COUNTS.log_density(Y, F + away).sum()), abs=close)
    higher = sites.moved(2.0)
    assert higher.values == pytest.approx(sites.values + 2.0)


def test_engines_take_it_for_normal_noise_by_row() -> None:
    sites = POISSON.mapped(Transform("log")).normal_sites(Y, F)
    problem = Problem(np.arange(3.0), sites.values, likelihood=COUNTS, noise=sites.variances)
    assert LagSpace().cost(parse("C + WN"), problem) is not None

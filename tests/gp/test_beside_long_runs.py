"""Approximations beside what is exact, and beside long runs.

The exact evidence of a probit is the probability of an orthant (Genz 1992, to 1e-4 and better), computed once by
``scipy.stats.multivariate_normal.cdf`` with a million points.
"""

import numpy as np
import pytest

from autostatistician.gp.classes.approximations import expectation_propagation, laplace
from autostatistician.gp.covariance import covariance
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.kernels.kernel import Kernel, leaf
from long_runs import annealed_evidence

Array = np.ndarray
LINE, SHORT = np.linspace(0.0, 5.0, 15)[:, None], np.linspace(-1.0, 1.0, 10)[:, None]
PLANE = np.array(
    [[-0.7, -0.5], [-0.3, 0.4], [1.0, -0.1], [1.4, -0.7], [0.4, 0.9], [0.1, -0.7], [-0.9, -0.5], [0.2, -1.0]]
)
ON_LINE = np.array([1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0])
ON_SHORT = np.array([-1.0, -1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 1.0])
ON_PLANE = np.array([-1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0])


def wave(sd: float) -> Kernel:
    return leaf("SE", sd=sd, lengthscale=0.8)


def line(sd: float, level: float) -> Kernel:
    return leaf("Lin", sd=sd, location=0.0) + leaf("C", sd=level)


FLAT = leaf("SE", column="a", sd=1.0, lengthscale=1.5) * leaf("SE", column="b", sd=1.0, lengthscale=1.5)
# Kernel, inputs, classes, the exact log evidence, and how far EP may be below it.
PROBLEMS = [
    (wave(1.0), LINE, ON_LINE, -9.61539, 0.01),
    (FLAT, PLANE, ON_PLANE, -6.14781, 0.01),
    (line(1.0, 0.5), SHORT, ON_SHORT, -5.15034, 0.01),
    # Functions so large that all rows press against one bound: EP is at its worst.
    (wave(2.0), LINE, ON_LINE, -9.64734, 0.03),
    (line(3.0, 1.0), SHORT, ON_SHORT, -4.36939, 0.045),
]


def _matrix(kernel: Kernel, X: Array) -> Array:
    return covariance(kernel, X, None, ("a", "b")[: X.shape[1]])


@pytest.mark.parametrize(("kernel", "X", "y", "exact", "within"), PROBLEMS)
def test_ep_is_near_and_laplace_is_low(kernel: Kernel, X: Array, y: Array, exact: float, within: float) -> None:
    K = _matrix(kernel, X)
    best = expectation_propagation(K, y, Bernoulli()).log_evidence
    cheap = laplace(K, y, Bernoulli()).log_evidence
    assert exact - within < best < exact + 1e-3
    assert cheap < best
    assert exact - 0.17 < cheap < exact - 0.01


@pytest.mark.long
@pytest.mark.parametrize(("kernel", "X", "y", "exact", "within"), PROBLEMS)
def test_long_runs_agree_with_what_is_exact(kernel: Kernel, X: Array, y: Array, exact: float, within: float) -> None:
    rng = np.random.default_rng(0)
    found, error = annealed_evidence(_matrix(kernel, X), y, Bernoulli(), rng, chains=400, temperatures=400)
    assert error < 0.04
    assert abs(found - exact) < 3.0 * error


def test_a_short_run_agrees_under_a_logistic_link() -> None:
    K, likelihood = _matrix(FLAT, PLANE), Bernoulli("logistic")
    found, error = annealed_evidence(K, ON_PLANE, likelihood, np.random.default_rng(0), chains=200, temperatures=100)
    assert error < 0.04
    assert abs(found - expectation_propagation(K, ON_PLANE, likelihood).log_evidence) < 3.0 * error
    again, _ = annealed_evidence(K, ON_PLANE, likelihood, np.random.default_rng(0), chains=200, temperatures=100)
    assert again == found

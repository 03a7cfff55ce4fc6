"""The whole covariance matrix of an expression on points, and its gradients by the numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import approx_fprime

from autostatistician.inference.covariance.matrices import covariance, prior_variance
from autostatistician.inference.engines.dense import DenseCovariance
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.text import parse_kernel

Array = NDArray[np.float64]

RNG = np.random.default_rng(3)
X, X2 = RNG.normal(size=(7, 2)), RNG.normal(size=(3, 2))
COLUMNS = ("a", "b")
KERNELS = [
    "SE[a](lengthscale=1, sd=2) * SE[b](lengthscale=2, sd=0.8) + C(sd=0.5)",
    "Per[a](lengthscale=1, period=1.5, sd=1) * Lin[b](sd=0.5, location=0.3) + RQ[a](lengthscale=1, sd=1, alpha=2)",
]


def _slopes(kernel: Kernel, total: Callable[[Kernel], float]) -> Array:
    """Differences by the logarithms of positive numbers, by locations as they are."""
    positive = np.array([one.role.positive for one in parameters(kernel.expr)])
    at = np.where(positive, np.log(np.abs(kernel.values)), kernel.values)

    def function(u: Array) -> float:
        return total(Kernel(kernel.expr, tuple(np.where(positive, np.exp(u), u).tolist())))

    return np.asarray(approx_fprime(at, function, 1e-6))


@pytest.mark.parametrize("text", KERNELS)
def test_the_matrix_is_that_of_the_plain_definition(text: str) -> None:
    kernel = parse_kernel(text + " + WN(sd=0.3)")
    found = DenseCovariance(kernel.expr, COLUMNS).filled(kernel.values, X)
    np.testing.assert_allclose(found, covariance(kernel, X, None, COLUMNS), atol=1e-12)


@pytest.mark.parametrize("text", KERNELS)
def test_gradient_by_the_numbers(text: str) -> None:
    kernel, weights = parse_kernel(text + " + WN(sd=0.3)"), RNG.normal(size=(7, 7))
    weights = weights + weights.T
    found = DenseCovariance(kernel.expr, COLUMNS).gradient(kernel.values, X, weights)
    expected = _slopes(kernel, lambda at: float((weights * covariance(at, X, None, COLUMNS)).sum()))
    np.testing.assert_allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize("text", KERNELS)
def test_gradient_of_cross_covariances_and_variances(text: str) -> None:
    kernel, weights, own = parse_kernel(text), RNG.normal(size=(7, 3)), RNG.normal(size=7)
    found = DenseCovariance(kernel.expr, COLUMNS).cross_gradient(kernel.values, X, X2, weights, own)

    def total(at: Kernel) -> float:
        return float((weights * covariance(at, X, X2, COLUMNS)).sum() + own @ prior_variance(at, X, COLUMNS))

    np.testing.assert_allclose(found, _slopes(kernel, total), atol=1e-4)

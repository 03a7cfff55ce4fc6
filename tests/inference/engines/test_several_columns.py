"""Blocks of rows on several columns and categories give the kernel's own covariance and a true gradient."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.several_columns import Blocks
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf, parameters

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.normal(size=120), RNG.normal(size=120)])
PROBLEM = Problem(X, np.sin(X[:, 0]) + X[:, 1], ("a", "b"))
KERNELS = [
    leaf("SE", "a", sd=1.0, lengthscale=0.8) * leaf("SE", "b", sd=1.0, lengthscale=1.4) + leaf("WN", sd=0.3),
    leaf("Lin", "b", sd=0.9, location=0.1) + leaf("Matern32", "a", sd=0.7, lengthscale=0.5) + leaf("WN", sd=0.3),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_values_and_slopes(kernel: Kernel) -> None:
    objective = Blocks().objective(kernel.expr, PROBLEM)
    K = covariance(kernel, X, None, ("a", "b"))
    np.testing.assert_allclose(objective.covariance(kernel.values), K, rtol=1e-9, atol=1e-12)
    value, gradient = objective.value_and_gradient(kernel.values)
    logdet = np.linalg.slogdet(K)[1]
    expected = 0.5 * (PROBLEM.y @ np.linalg.solve(K, PROBLEM.y) + logdet + 120 * np.log(2.0 * np.pi))
    assert value == pytest.approx(expected)
    for index, one in enumerate(parameters(kernel.expr)):
        at = []
        for step in (-1e-5, 1e-5):
            values = list(kernel.values)
            values[index] = values[index] * np.exp(step) if one.role.positive else values[index] + step
            at.append(objective.value(tuple(values)))
        assert gradient[index] == pytest.approx((at[1] - at[0]) / 2e-5, rel=1e-4, abs=1e-4)

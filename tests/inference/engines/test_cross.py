"""Covariances between two sets of points are those of the plain definition, with a true gradient."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from tests.strategies import kernels

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.cross import CrossCovariance
from autostatistician.language.kernel import Kernel, parameters

RNG = np.random.default_rng(4)
X, Z = RNG.uniform(0.2, 3.0, (40, 2)), RNG.uniform(0.2, 3.0, (9, 2))
WEIGHTS = RNG.normal(size=(40, 9))
SYMBOLS = ("SE", "RQ", "Matern32", "Per", "Deep2", "Lin", "C", "WN")


@given(kernels(columns=("a", "b"), symbols=SYMBOLS, max_leaves=5))
def test_values_and_slopes(kernel: Kernel) -> None:
    cross = CrossCovariance(kernel.expr, ("a", "b"))
    np.testing.assert_allclose(
        cross.filled(kernel.values, X, Z), covariance(kernel, X, Z, ("a", "b")), rtol=1e-9, atol=1e-10
    )
    slopes = cross.gradient(kernel.values, X, Z, WEIGHTS)
    for index, one in enumerate(parameters(kernel.expr)):
        at = []
        for step in (-1e-6, 1e-6):
            values = list(kernel.values)
            values[index] = values[index] * np.exp(step) if one.role.positive else values[index] + step
            at.append(float(np.sum(WEIGHTS * cross.filled(tuple(values), X, Z))))
        size = 1.0 + float(np.abs(cross.filled(kernel.values, X, Z)).sum())
        assert abs(slopes[index] - (at[1] - at[0]) / 2e-6) < 1e-4 * size * (1.0 + abs(slopes[index]) / size)

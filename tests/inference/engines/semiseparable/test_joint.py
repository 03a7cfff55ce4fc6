"""Covariances of values that are far apart, and of more of them than there are columns."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.semiseparable.assembly import Assembly
from autostatistician.inference.engines.semiseparable.orders import Wanted
from autostatistician.inference.engines.semiseparable.posterior import posterior_of
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse_kernel

WHOLE = parse_kernel("Matern32(lengthscale=2, sd=1) + C(sd=1) + WN(sd=0.4)")
X = np.linspace(0.0, 15.0, 48)


@pytest.mark.parametrize("count", [2, 5, 40])
def test_covariances_across_many_blocks(count: int) -> None:
    found = posterior_of(WHOLE, Assembly(WHOLE, Problem(X, X), Wanted.alike(1e-6, X), block=4))
    assert found is not None
    part, at = WHOLE.parts[0], np.linspace(-1.0, 16.0, count)[:, None]
    cross = covariance(part, at, X)
    expected = cross @ np.linalg.solve(covariance(WHOLE, X), cross.T)
    reduction = found.project(part, at).reduction
    np.testing.assert_allclose(reduction.gram(reduction), expected, atol=1e-10)

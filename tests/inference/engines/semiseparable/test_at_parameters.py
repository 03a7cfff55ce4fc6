"""What stands within blocks and between them, together, is the covariance."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.semiseparable.objective import SemiseparableObjective
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse_kernel


def test_blocks_and_columns_are_the_covariance() -> None:
    kernel = parse_kernel("Matern32(lengthscale=2, sd=1) * Lin(sd=0.3, location=-1) + Wiener(sd=0.4, location=0)")
    x = np.sort(np.random.default_rng(0).uniform(0.0, 9.0, 12))
    objective = SemiseparableObjective((kernel + parse_kernel("WN(sd=0.5)")).expr, Problem(x, np.zeros(12)), block=4)
    at = objective.at((*kernel.values, 0.5))
    assert at is not None
    U, V, phi, K = at.blocks.U, at.blocks.V, at.blocks.phi, covariance(kernel, x)
    np.testing.assert_allclose(at.blocks.K[1], K[4:8, 4:8] + 0.25 * np.eye(4), atol=1e-12)
    np.testing.assert_allclose(U[1] @ V[0].T, K[4:8, :4], atol=1e-12)
    np.testing.assert_allclose(U[2] @ (phi[1] * V[0]).T, K[8:, :4], atol=1e-12)

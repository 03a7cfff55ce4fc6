"""Numbers that are alike: as a normal distribution with a common part."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.parameters.together import Together

PRIOR = Together(np.array([0.5, -1.0, 2.0]), np.array([1.0, 0.5, 2.0]), np.array([True, True, False]), 0.7)
COVARIANCE = np.diag(PRIOR.width**2) + 0.7**2 * np.outer([1, 1, 0], [1, 1, 0])


def test_as_the_normal_distribution_that_it_is() -> None:
    u = np.array([1.0, 1.0, -1.0])
    expected = np.linalg.solve(COVARIANCE, u - PRIOR.mean)
    value, slope = PRIOR.penalty(u)
    np.testing.assert_allclose(slope, expected)
    assert value == pytest.approx(0.5 * float((u - PRIOR.mean) @ expected))


def test_draws_have_that_covariance() -> None:
    rng = np.random.default_rng(0)
    drawn = np.array([PRIOR.draw(rng) for _ in range(4000)])
    np.testing.assert_allclose(drawn.mean(axis=0), PRIOR.mean, atol=0.1)
    np.testing.assert_allclose(np.cov(drawn.T), COVARIANCE, atol=0.25)

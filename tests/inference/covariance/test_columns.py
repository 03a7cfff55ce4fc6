"""Columns that share a covariance, against the definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from autostatistician.inference.covariance.columns import Columns

RNG = np.random.default_rng(0)
HALF = RNG.standard_normal((6, 6))
K, Y = HALF @ HALF.T + np.eye(6), RNG.standard_normal((6, 3))


def test_the_evidence_is_that_of_each_column() -> None:
    assert Columns.of(K.copy(), Y).log_evidence == pytest.approx(multivariate_normal(np.zeros(6), K).logpdf(Y.T).sum())


def test_the_adjoint_is_the_slope_by_every_cell() -> None:
    adjoint, step = Columns.of(K.copy(), Y).adjoint(), 1e-5
    for i, j in [(0, 0), (2, 4), (5, 1)]:
        change = np.zeros((6, 6))
        change[i, j] += step
        change[j, i] += step  # of a symmetric matrix both cells change; on the diagonal one twice
        both = [Columns.of(K + sign * change, Y).log_evidence for sign in (1.0, -1.0)]
        assert (both[0] - both[1]) / (2.0 * step) == pytest.approx(adjoint[i, j] + adjoint[j, i], abs=1e-6)


def test_predictions_are_conditional_moments() -> None:
    cross = RNG.standard_normal((6, 2))
    mean, less = Columns.of(K.copy(), Y).predict(cross)
    np.testing.assert_allclose(mean, cross.T @ np.linalg.solve(K, Y))
    np.testing.assert_allclose(less, np.diag(cross.T @ np.linalg.solve(K, cross)))


def test_draws_have_that_covariance() -> None:
    drawn = Columns.of(K.copy(), np.zeros((6, 20_000))).draw(np.random.default_rng(0))
    np.testing.assert_allclose(np.cov(drawn), K, atol=0.6)

"""A factor and its inverse as triangles."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.covariance.factor import NotPositiveDefinite
from autostatistician.inference.covariance.triangles import triangles


def test_they_are_inverse_to_each_other_and_make_the_matrix() -> None:
    roots = np.random.default_rng(0).normal(size=(6, 9))
    K = roots @ roots.T
    lower, inverse = triangles(K)
    assert lower @ lower.T == pytest.approx(K)
    assert lower @ inverse == pytest.approx(np.eye(6), abs=1e-10)
    assert not np.triu(lower, 1).any()
    assert not np.triu(inverse, 1).any()


def test_a_matrix_without_factor_is_refused() -> None:
    with pytest.raises(NotPositiveDefinite):
        triangles(np.diag([1.0, -1.0]))

"""A Cholesky factor and its inverse as plain triangles, for models that multiply by them many times."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.inference.covariance.factor import factorise

__all__ = ["triangles"]

Array = NDArray[np.float64]


def triangles(K: Array) -> tuple[Array, Array]:
    """``L`` and ``L^-1`` (n, n) with ``L L' = K``, zeros above the diagonals; with jitter where `factorise` adds some.

    Raises
    ------
    NotPositiveDefinite
        When it cannot be factorised.

    Examples
    --------
    >>> lower, inverse = triangles(np.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> lower.tolist(), inverse.tolist()
    ([[2.0, 0.0], [1.0, 2.0]], [[0.5, 0.0], [-0.25, 0.5]])
    """
    lower = factorise(K).lower
    inverse, info = lapack.dtrtri(lower, lower=1)
    assert info == 0
    return lower, np.tril(inverse)

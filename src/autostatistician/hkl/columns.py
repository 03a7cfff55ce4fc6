"""The kernels of single columns: Gaussian, of few features each, and packed products of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

__all__ = ["ColumnKernel", "PackedTriangle", "column_of"]

Array = NDArray[np.float64]

LEFT_OUT = 1e-3  # of the trace of a kernel, in all: where its incomplete Cholesky decomposition ends


@dataclass(frozen=True, eq=False)
class ColumnKernel:
    """The kernel ``exp(-sharpness (x - x')^2)`` of a column, centred over its values: products of a few features."""

    sharpness: float
    pivots: Array  # (r,) values that span the features
    lower: Array  # (r, r), the Cholesky factor of their kernel
    mean: Array  # (r,) of the features before they are centred

    def features(self, x: Array) -> Array:
        """The features (m, r) of values (m,)."""
        spanned = solve_triangular(self.lower, _gaussian(self.pivots, x, self.sharpness), lower=True)
        return np.asarray(spanned.T - self.mean)


def column_of(x: Array, sharpness: float, rank: int) -> ColumnKernel:
    """The kernel of a column with the values (n,), by a Cholesky decomposition with pivots (Fine and Scheinberg 2001).

    >>> column = column_of(np.linspace(-1.0, 1.0, 9), 0.0625, 30)
    >>> features = column.features(np.array([-1.0, 1.0]))
    >>> features.shape, (features @ features.T).round(3).tolist()
    ((2, 3), [[0.114, -0.107], [-0.107, 0.114]])
    """
    rest, rows = np.ones(len(x)), np.zeros((min(rank, len(x)), len(x)))
    chosen: list[int] = []
    while len(chosen) < len(rows) and rest.sum() > LEFT_OUT:
        at, done = int(np.argmax(rest)), len(chosen)
        row = _gaussian(x[at : at + 1], x, sharpness)[0] - rows[:done, at] @ rows[:done]
        rows[done] = row / np.sqrt(rest[at])
        rest = np.maximum(rest - rows[done] ** 2, 0.0)
        chosen.append(at)
    rows = rows[: len(chosen)]
    return ColumnKernel(sharpness, x[chosen], np.tril(rows[:, chosen].T), rows.mean(axis=1))


def _gaussian(x: Array, other: Array, sharpness: float) -> Array:
    return np.asarray(np.exp(-sharpness * (x[:, None] - other[None, :]) ** 2))


class PackedTriangle:
    """Symmetric matrices (n, n) as vectors of their lower triangles, half as large.

    >>> triangle = PackedTriangle(2)
    >>> triangle.pack(np.array([[1.0, 2.0], [2.0, 3.0]])).tolist()
    [1.0, 2.0, 3.0]
    >>> triangle.outer(np.array([1.0, 2.0])) @ [1.0, 2.0, 3.0]  # (1, 2) K (1, 2)'
    np.float64(21.0)
    """

    def __init__(self, n: int) -> None:
        self.rows, self.columns = np.tril_indices(n)
        self.size = len(self.rows)
        self._places = np.empty((n, n), dtype=np.intp)
        self._places[self.rows, self.columns] = self._places[self.columns, self.rows] = np.arange(self.size)
        self._times = np.where(self.rows == self.columns, 1.0, 2.0)

    def pack(self, K: Array) -> Array:
        """The triangle of a symmetric matrix."""
        return np.asarray(K[self.rows, self.columns])

    def unpack(self, packed: Array) -> Array:
        """The matrix of a triangle."""
        return np.take(packed, self._places)

    def outer(self, a: Array) -> Array:
        """The vector whose product with the triangle of K is ``a' K a``."""
        return np.asarray(a[self.rows] * a[self.columns] * self._times)

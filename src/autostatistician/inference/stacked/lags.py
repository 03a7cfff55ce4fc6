"""The lags that the members of a stack share, and how vectors over them become matrices and back.

On a complete regular grid the matrices are Toeplitz. They are held as upper triangles (in C order), with zeros below.
"""

from __future__ import annotations

import threading
from typing import Protocol

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from autostatistician.inference.engines.geometry import Geometry, Grid
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.engines.workspace import workspace_of
from autostatistician.inference.likelihoods.gaussian import Gaussian
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr

__all__ = ["SharedLags", "Triangles", "is_stackable", "shared_lags", "triangles_for"]

Array = NDArray[np.float64]

MOST_ROWS = 200
CELLS = 32768  # of the matrices that are worked on together: they stay in the cache
MOST_SIZES = 8  # of matrices whose memory is kept


class Triangles:
    """Work matrices (members, n, n) with all that LAPACK and NumPy see of them; the lower triangles stay zero."""

    def __init__(self, n: int) -> None:
        self.n, self.members = n, max(1, CELLS // n**2)
        self._buffer = np.zeros((self.members, n * n + n))
        self.matrices: Array = self._buffer[:, : n * n].reshape(self.members, n, n)
        row, step = self._buffer.strides
        # A tail of zeros follows each matrix, so that its diagonals are the columns of a view.
        self.diagonals: Array = as_strided(self._buffer, (self.members, n, n), (row, (n + 1) * step, step))
        self.main: Array = self._buffer[:, : n * n : n + 1]
        self.factors: list[Array] = [matrix.T for matrix in self.matrices]  # as LAPACK sees them: lower triangles
        self._ones = np.ones((1, n))

    def diagonal_sums(self, count: int) -> Array:
        """The sums (count, n) along the diagonals of the first matrices, of pairs in both orders."""
        sums: Array = np.matmul(self._ones, self.diagonals[:count])[:, 0]
        sums *= 2.0
        sums[:, 0] *= 0.5
        return sums

    def products(self, vectors: Array) -> Array:
        """Of the first symmetric matrices, of which only the upper triangles are here, with a vector each."""
        columns = vectors[:, :, None]
        matrices = self.matrices[: len(vectors)]
        products: Array = np.matmul(matrices, columns)
        products += np.matmul(matrices.transpose(0, 2, 1), columns)
        return products[:, :, 0] - self.main[: len(vectors)] * vectors


class _Kept(threading.local):
    def __init__(self) -> None:
        self.of_size: dict[int, tuple[Triangles, Triangles]] = {}


_kept = _Kept()


def triangles_for(n: int) -> tuple[Triangles, Triangles]:
    """Work matrices of this thread for so many rows, and as many again for one term of a covariance."""
    if n not in _kept.of_size:
        if len(_kept.of_size) >= MOST_SIZES:
            _kept.of_size.clear()
        _kept.of_size[n] = Triangles(n), Triangles(n)
    return _kept.of_size[n]


class SharedLags(Protocol):
    """The points of a stack, as vectors over lags see them."""

    x: Array  # (1, n)
    lags: Array  # (1, lags)

    def expand(self, values: Array, out: Array) -> None:
        """Write values (count, lags) into the upper triangles of ``out`` (count, n, n); the rest becomes zero."""

    def collapse(self, triangles: Triangles, count: int) -> Array:
        """Sums (count, lags) over the pairs of each lag of symmetric matrices, held as upper triangles."""


class _Grid:
    """A complete regular grid."""

    def __init__(self, x: Array, geometry: Geometry) -> None:
        self.x, self.lags, self._n = x[None], geometry.lags(0)[None], len(x)
        self._source = np.zeros((0, 0))

    def expand(self, values: Array, out: Array) -> None:
        n, count = self._n, len(values)
        if len(self._source) < count:
            self._source = np.zeros((count, 2 * n - 1))
        self._source[:count, n - 1 :] = values
        row, step = self._source.strides
        np.copyto(out, as_strided(self._source[:, n - 1 :], (count, n, n), (row, -step, step)))

    def collapse(self, triangles: Triangles, count: int) -> Array:
        return triangles.diagonal_sums(count)


class _Points:
    """Any points: for every pair the place of its lag."""

    def __init__(self, x: Array, geometry: Geometry) -> None:
        self.x, self.lags = x[None], geometry.lags(0)[None]
        n, self._size = len(x), geometry.size
        index = np.empty((n, n))
        geometry.expand(np.arange(self._size, dtype=np.float64), index)
        rows, columns = np.tril_indices(n, -1)
        index[rows, columns] = self._size  # below the diagonal: a place past the lags
        self._index = index.reshape(-1).astype(np.intp)
        self._weights = np.where(np.eye(n, dtype=bool), 1.0, 2.0).reshape(-1)

    def expand(self, values: Array, out: Array) -> None:
        padded = np.zeros((len(values), self._size + 1))
        padded[:, :-1] = values
        np.take(padded, self._index, axis=1, out=out.reshape(len(values), -1), mode="clip")

    def collapse(self, triangles: Triangles, count: int) -> Array:
        size, sums = self._size, np.empty((count, self._size))
        for member, matrix in enumerate(triangles.matrices[:count]):
            weighted = matrix.reshape(-1) * self._weights
            sums[member] = np.bincount(self._index, weights=weighted, minlength=size + 1)[:size]
        return sums


def is_stackable(expr: Expr, problem: Problem) -> bool:
    """Whether kernels of an expression can be evaluated in stacks on a problem: few rows of a series, normal noise.

    Of more rows LAPACK takes nearly all of the time, or another engine less.
    """
    is_gaussian = isinstance(problem.likelihood, Gaussian) and problem.basis is None and problem.noise is None
    plain = is_gaussian and problem.n <= MOST_ROWS
    return plain and LagSpace.takes(expr, problem)


def shared_lags(problem: Problem) -> SharedLags:
    """The points of a problem."""
    x, geometry = problem.X[:, 0], workspace_of(problem).geometry
    return _Grid(x, geometry) if isinstance(geometry, Grid) else _Points(x, geometry)

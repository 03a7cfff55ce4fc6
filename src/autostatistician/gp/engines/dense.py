"""The covariance matrix of an expression on points that may move, and the way from its entries to the parameters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import mirrored, variances
from autostatistician.gp.engines import blocks
from autostatistician.gp.engines.blocks import Block, blocked
from autostatistician.kernels.expr import Expr

__all__ = ["CrossCovariance", "DenseCovariance"]


Array = NDArray[np.float64]

CELLS_PER_BLOCK = 16384


class DenseCovariance:
    """An expression whose leaves act on ``columns``; made once, evaluated many times.

    Examples
    --------
    >>> from autostatistician.kernels.expr import Leaf
    >>> line = DenseCovariance(Leaf("Lin"), ("x",))
    >>> X = np.array([[1.0], [3.0]])
    >>> line.filled((2.0, 0.0), X)
    array([[ 4., 12.],
           [12., 36.]])
    >>> line.gradient((2.0, 0.0), X, np.eye(2))
    array([ 80., -32.])
    """

    def __init__(self, expr: Expr, columns: tuple[str, ...]) -> None:
        self.expr, self.columns, self._root = expr, columns, blocks.blocked(expr)
        self._cross = CrossCovariance(expr, columns)

    def filled(self, values: tuple[float, ...], X: Array) -> Array:
        """The matrix (n, n) at points (n, d), both triangles."""
        n = len(X)
        K = np.zeros((n, n))
        blocks.fill(self._root, values, np.ascontiguousarray(X), self.columns, K, K.reshape(-1)[:: n + 1])
        return mirrored(K)

    def gradient(self, values: tuple[float, ...], X: Array, weights: Array) -> Array:
        """The derivatives of ``sum(weights * matrix)`` by the parameters, for symmetric weights (n, n).

        Those by positive parameters are by their logarithms, those by locations as they are.
        """
        points = np.ascontiguousarray(X)
        return 2.0 * blocks.gradient(self._root, values, points, self.columns, weights, np.zeros(len(X)))

    def cross_gradient(
        self, values: tuple[float, ...], X: Array, X2: Array, weights: Array, on_diagonal: Array
    ) -> Array:
        """The same of ``sum(weights * k(X, X2)) + sum(on_diagonal * k(x, x))``: weights (n, m), and (n,)."""
        slopes = [0.0] * len(values)
        variances(self.expr, values, X, self.columns).back(on_diagonal, on_diagonal, slopes)
        return np.array(slopes) + self._cross.gradient(values, X, X2, weights)


# --- The covariances of an expression between two sets of points, and the way back to its parameters ----------------


class CrossCovariance:
    """An expression whose leaves act on ``columns``, without white noise; made once, evaluated many times.

    Examples
    --------
    >>> from autostatistician.kernels.expr import Leaf
    >>> line = CrossCovariance(Leaf("Lin"), ("x",))
    >>> X, Z = np.array([[1.0], [2.0]]), np.array([[3.0]])
    >>> line.filled((2.0, 0.0), X, Z).tolist(), line.gradient((2.0, 0.0), X, Z, np.ones((2, 1))).tolist()
    ([[12.0], [24.0]], [72.0, -36.0])
    """

    def __init__(self, expr: Expr, columns: tuple[str, ...]) -> None:
        self.columns, self._root = columns, blocked(expr)

    def filled(self, values: tuple[float, ...], X: Array, Z: Array) -> Array:
        """The matrix (n, m) between points (n, d) and (m, d)."""
        matrix = np.empty((len(X), len(Z)))
        for block in self._blocks(values, X, Z, []):
            matrix[block.rows] = self._root.forward(block)[0]
        return matrix

    def gradient(self, values: tuple[float, ...], X: Array, Z: Array, weights: Array) -> Array:
        """The derivatives of ``sum(weights * matrix)`` by the parameters (by the logarithms of positive ones)."""
        slopes = [0.0] * len(values)
        for block in self._blocks(values, X, Z, slopes):
            self._root.forward(block)
            self._root.backward(block, (weights[block.rows], np.zeros(block.rows.stop - block.rows.start)))
        return np.array(slopes)

    def _blocks(self, values: tuple[float, ...], X: Array, Z: Array, gradient: list[float]) -> Iterator[Block]:
        height = max(1, min(len(Z), CELLS_PER_BLOCK // max(len(Z), 1)))
        for start in range(0, len(X), height):
            yield Block(slice(start, min(start + height, len(X))), X, Z, self.columns, values, gradient)

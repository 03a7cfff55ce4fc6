"""The whole covariance matrix of an expression on points that may move, and the way from its entries to the numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines import blocks
from autostatistician.language.expr import Expr

__all__ = ["DenseCovariance"]

Array = NDArray[np.float64]


class DenseCovariance:
    """An expression whose leaves act on ``columns``; made once, evaluated many times.

    Examples
    --------
    >>> from autostatistician.language.expr import Leaf
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

    def filled(self, values: tuple[float, ...], X: Array) -> Array:
        """The matrix (n, n) at points (n, d), both triangles."""
        n = len(X)
        K = np.zeros((n, n))
        blocks.fill(self._root, values, np.ascontiguousarray(X), self.columns, K, K.reshape(-1)[:: n + 1])
        return np.asarray(np.triu(K) + np.triu(K, 1).T)

    def gradient(self, values: tuple[float, ...], X: Array, weights: Array) -> Array:
        """The derivatives of ``sum(weights * matrix)`` by the numbers, for symmetric weights (n, n).

        Those by positive numbers are by their logarithms, those by locations as they are.
        """
        return 2.0 * self._half(values, X, weights)

    def cross_gradient(
        self, values: tuple[float, ...], X: Array, X2: Array, weights: Array, on_diagonal: Array
    ) -> Array:
        """The same of ``sum(weights * k(X, X2)) + sum(on_diagonal * k(x, x))``: weights (n, m), and (n,).

        Points meet some at a time, so that nothing is much larger than the weights.
        """
        m, found = len(X2), np.zeros(len(values))
        for start in range(0, len(X), m):
            some = slice(start, start + m)
            here = len(X[some])
            stacked = np.zeros((here + m, here + m))
            stacked[:here, here:] = weights[some]
            stacked[range(here), range(here)] = 2.0 * on_diagonal[some]
            found += self._half(values, np.vstack([X[some], X2]), stacked)
        return found

    def _half(self, values: tuple[float, ...], X: Array, weights: Array) -> Array:
        """Every pair once, the diagonal half."""
        points = np.ascontiguousarray(X)
        return blocks.gradient(self._root, values, points, self.columns, weights, np.zeros(len(X)))

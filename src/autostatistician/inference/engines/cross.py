"""The covariances of an expression between two sets of points, and the way back to its parameters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.blocks import Block, blocked
from autostatistician.language.expr import Expr

__all__ = ["CrossCovariance"]

Array = NDArray[np.float64]

CELLS_PER_BLOCK = 16384


class CrossCovariance:
    """An expression whose leaves act on ``columns``, without white noise; made once, evaluated many times.

    Examples
    --------
    >>> from autostatistician.language.expr import Leaf
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

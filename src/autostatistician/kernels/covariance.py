"""The matrix of the covariances of points, a few of its rows at a time, and its gradient by the same way back.

Rows that fit into the processor's cache are made together: every node of the expression is evaluated on a block of them
before the next block is begun, and again, with derivatives, on the way back. Nothing but the matrix itself is as large
as the matrix.

Covariances of points of which each has one partner: variances, and the derivatives of single covariances.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.kernels.evaluators import Evaluator, Even, Part
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.leaves import LEAVES, column_index, parameters
from autostatistician.kernels.points import AtPoints, PointCompiler, at_points

__all__ = [
    "Block", "CrossCovariance", "DenseCovariance", "Squares", "Variances", "covariances", "derivatives",
    "rows_at_once", "triangle_rows", "variances",
]  # fmt: skip


Array = NDArray[np.float64]


@dataclass(slots=True)
class _Partners(AtPoints):
    """N pairs of points, whose derivatives are summed, or given for each pair."""

    left: Array  # (N, d)
    right: Array  # (N, d)
    columns: tuple[str, ...]
    values: tuple[float, ...]
    gradient: list[Any]
    is_summed: bool = True
    slopes: tuple[Array, Array] | None = None

    def lags(self, column: str | None) -> Array:
        """The differences (N,)."""
        left, right = self.position(column)
        return left - right

    def square(self, column: str | None) -> Array:
        """Their squares."""
        return self.lags(column) ** 2

    def position(self, column: str | None) -> tuple[Array, Array]:
        """Left and right points (N,) along a column."""
        index = column_index(column, self.columns)
        return self.left[:, index], self.right[:, index]

    def times_right(self, by_pair: Array, right: Array) -> Array:
        """Each left point has one partner."""
        return by_pair * right

    def times_left(self, left: Array, by_pair: Array) -> Array:
        """So has each right point."""
        return left * by_pair

    def at_itself(self, m: Part) -> Part:
        """All pairs count as such; which of them are says the adjoint of the noise."""
        return m

    def with_noise(self, by_value: Array, noise: Part) -> Array:
        """Something more at all pairs."""
        return by_value + noise

    def total(self, adjoint: Any) -> Any:
        """The sum over pairs, where it is wanted."""
        return float(np.sum(adjoint)) if self.is_summed else adjoint

    def inner(self, adjoint: Any, derivative: Any) -> Any:
        """The same of products."""
        return self.total(adjoint * derivative)

    def by_categories(self, rows: NDArray[np.intp], others: NDArray[np.intp], by_value: Array, count: int) -> Array:
        """Sums (count, count), or what each pair (N, count, count) adds to them."""
        by_pair = np.zeros((len(rows), count + 1, count + 1))
        by_pair[np.arange(len(rows)), rows, others] = by_value
        by_pair = by_pair[:, :count, :count]
        return np.asarray(by_pair.sum(axis=0) if self.is_summed else by_pair)

    def moved(self, column: str | None, by_left: Array, by_right: Array) -> None:
        """By the points, both sides."""
        assert self.slopes is not None
        index = column_index(column, self.columns)
        self.slopes[0][:, index] += by_left
        self.slopes[1][:, index] += by_right

    def moved_by_lag(self, column: str | None, by_lag: Array) -> None:
        """Lags grow with left points, and fall with right ones."""
        self.moved(column, by_lag, -by_lag)


class _VarianceCompiler(PointCompiler):
    """All that depends on the lag alone has one variance everywhere."""

    def leaf(self, expr: Leaf, start: int, *, multiplied: bool) -> Evaluator:
        row = LEAVES[expr.symbol]
        if row.of_lag is not None and row.scale_index is not None:
            return Even(expr, start, is_noise=False)
        return super().leaf(expr, start, multiplied=multiplied)


@dataclass(frozen=True, eq=False)
class Variances:
    """Of a function at n points: of its signal and of its noise, each a float where no point differs from another."""

    signal: Part
    noise: Part
    root: Evaluator
    at: _Partners

    @property
    def every(self) -> Array:
        """The sum of both (n,)."""
        return np.asarray(np.zeros(len(self.at.left)) + self.signal + self.noise)

    def back(self, by_signal: Array, by_noise: Array, gradient: list[float]) -> None:
        """Derivatives (n,) by both, added to those by the parameters (by the logarithms of positive ones)."""
        self.at.gradient = gradient
        self._back(by_signal, by_noise)

    def by_points(self, weights: Array) -> Array:
        """The derivatives (n, d) of the sum of both with weights (n,) by the points."""
        slopes = np.zeros(self.at.left.shape)
        self.at.gradient, self.at.slopes = [0.0] * len(self.at.values), (slopes, slopes)
        self._back(weights, weights)
        return slopes

    def _back(self, by_signal: Array, by_noise: Array) -> None:
        self.root.forward(self.at)  # with derivatives now
        self.root.backward(self.at, (by_signal, by_noise))


def variances(expr: Expr, values: tuple[float, ...], X: Array, columns: tuple[str, ...], start: int = 0) -> Variances:
    """Those at points (n, d); its parameters begin at ``start``, derivatives are by their logarithms.

    Examples
    --------
    >>> from autostatistician.kernels.text import parse
    >>> found, slopes = variances(parse("Lin * Lin + Lin * WN"), (2.0, 0.0, 1.0, 1.0, 1.0, 0.0, 3.0),
    ...                           np.array([[2.0]]), ("x",)), [0.0] * 7
    >>> found.back(np.ones(1), np.ones(1), slopes)
    >>> found.signal.tolist(), found.noise.tolist(), slopes
    ([16.0], [36.0], [32.0, -16.0, 32.0, -32.0, 72.0, -36.0, 72.0])
    """
    at, root = _Partners(X, X, columns, values, []), _VarianceCompiler(merged=False).node(expr, start)
    signal, noise = root.forward(at)
    return Variances(signal, noise, root, at)


def derivatives(
    expr: Expr, values: tuple[float, ...], X: Array, Z: Array | None, columns: tuple[str, ...]
) -> list[Array]:
    """Those (n, m) of every covariance by each parameter as it is, without ``Z`` with white noise on the diagonal.

    >>> from autostatistician.kernels.expr import Leaf
    >>> [by.tolist() for by in derivatives(Leaf("Lin"), (2.0, 1.0), np.array([[3.0]]), np.array([[4.0]]), ("x",))]
    [[[24.0]], [[-20.0]]]
    """
    others = X if Z is None else Z
    shape = len(X), len(others)
    pairs = np.repeat(X, len(others), axis=0), np.tile(others, (len(X), 1))
    by_points = np.zeros(pairs[0].shape), np.zeros(pairs[0].shape)
    by_values = [0.0] * len(values)
    at, root = _Partners(*pairs, columns, values, by_values, is_summed=False, slopes=by_points), at_points(expr)
    root.forward(at)
    same = np.zeros(shape) if Z is not None else np.eye(len(X))
    root.backward(at, (np.ones(same.size), same.ravel()))
    return [
        np.broadcast_to(by, same.size).reshape(shape) / (value if parameter.role.positive and value else 1.0)
        for parameter, value, by in zip(parameters(expr), values, at.gradient, strict=True)
    ]


Values = tuple[float, ...]  # of the parameters
Slopes = tuple[Array, Array]

Squares = dict[tuple[int, int], Array]  # of differences, by the first row of a block and the column
CELLS_PER_BLOCK = 8192  # of a block: 64 kilobytes
CELLS_PER_CROSS_BLOCK = 16384


@dataclass(slots=True)
class Block(AtPoints):
    """Some rows of a matrix with all that they meet, at given parameters.

    Of a symmetric matrix that is from the diagonal to its right end.
    """

    rows: slice
    points: Array  # (n, d)
    others: Array  # (m, d), the points of the columns
    columns: tuple[str, ...]
    values: tuple[float, ...]
    gradient: list[float]
    differences: dict[int, Array] = field(default_factory=dict)
    squares: Squares = field(default_factory=dict)
    slopes: Slopes | None = None

    def lags(self, column: str | None) -> Array:
        """The differences (rows, columns) of one column."""
        index = column_index(column, self.columns)
        if index not in self.differences:
            self.differences[index] = np.subtract.outer(self.points[self.rows, index], self.others[:, index])
        return self.differences[index]

    def square(self, column: str | None) -> Array:
        """Their squares."""
        index = self.rows.start, column_index(column, self.columns)
        if index not in self.squares:
            lag = self.lags(column)
            self.squares[index] = lag * lag
        return self.squares[index]

    def position(self, column: str | None) -> tuple[Array, Array]:
        """The positions of the rows, as a column, and of the columns."""
        index = column_index(column, self.columns)
        return self.points[self.rows, index, None], self.others[:, index]

    def times_right(self, by_pair: Array, right: Array) -> Array:
        """The matrix times a vector."""
        return np.asarray(by_pair @ right)

    def times_left(self, left: Array, by_pair: Array) -> Array:
        """A vector times the matrix."""
        return np.asarray(left @ by_pair)

    def at_itself(self, m: Part) -> Part:
        """The diagonal."""
        return m if isinstance(m, float) else m.diagonal()

    def with_noise(self, by_value: Array, noise: Part) -> Array:
        """Something more on the diagonal."""
        by_value.reshape(-1)[:: by_value.shape[1] + 1][: len(by_value)] += noise
        return by_value

    def by_categories(self, rows: NDArray[np.intp], others: NDArray[np.intp], by_value: Array, count: int) -> Array:
        """Sums (count, count) over cells."""
        every = np.eye(count + 1, count)
        return np.asarray(every[rows].T @ by_value @ every[others])

    def moved(self, column: str | None, by_left: Array, by_right: Array) -> None:
        """By the points of rows and of columns."""
        assert self.slopes is not None
        index = column_index(column, self.columns)
        self.slopes[0][self.rows, index] += by_left
        self.slopes[1][:, index] += by_right

    def moved_by_lag(self, column: str | None, by_lag: Array) -> None:
        """Lags grow with the points of rows, and fall with those of columns."""
        self.moved(column, by_lag.sum(axis=1), -by_lag.sum(axis=0))


def covariances(expr: Expr, values: tuple[float, ...], X: Array, Z: Array | None, columns: tuple[str, ...]) -> Array:
    """The matrix (n, m) between points (n, d) and (m, d), or (None) of observations at the former with themselves.

    White noise is one draw per row: the identity, by row, and zero between two sets of observations.
    """
    if Z is None:
        return DenseCovariance(expr, columns, merged=False).filled(values, X)
    return CrossCovariance(expr, columns, merged=False).filled(values, X, Z)


def triangle_rows(n: int, cells: int) -> Iterator[slice]:
    """The rows of an upper triangle (n, n) from above, a few at a time: about so many cells each.

    >>> list(triangle_rows(4, 8))
    [slice(0, 2, None), slice(2, 4, None)]
    """
    start = 0
    while start < n:
        stop = min(n, start + max(1, cells // (n - start)))
        yield slice(start, stop)
        start = stop


def rows_at_once(n: int, columns: int, cells: int) -> Iterator[slice]:
    """The rows of a matrix (n, columns) from above, a few at a time: about so many cells each.

    >>> list(rows_at_once(5, 3, 6))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    height = max(1, cells // max(columns, 1))
    return (slice(start, min(start + height, n)) for start in range(0, n, height))


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

    def __init__(self, expr: Expr, columns: tuple[str, ...], *, merged: bool = True) -> None:
        self.expr, self.columns, self._root = expr, columns, at_points(expr, merged=merged)

    @cached_property
    def _cross(self) -> CrossCovariance:
        return CrossCovariance(self.expr, self.columns)

    def filled(self, values: Values, X: Array) -> Array:
        """The matrix (n, n) at points (n, d), both triangles."""
        K = np.empty((len(X), len(X)))
        self.fill(values, np.ascontiguousarray(X), K, K.reshape(-1)[:: len(X) + 1])
        for block in self._blocks(values, X, []):
            K[block.rows.stop :, block.rows] = K[block.rows, block.rows.stop :].T
        return K

    def gradient(self, values: Values, X: Array, weights: Array) -> Array:
        """The derivatives of ``sum(weights * matrix)`` by the parameters, for symmetric weights (n, n).

        Those by positive parameters are by their logarithms, those by locations as they are.
        """
        return 2.0 * self.nll_gradient(values, np.ascontiguousarray(X), weights, np.zeros(len(X)))

    def fill(self, values: Values, X: Array, matrix: Array, main: Array, squares: Squares | None = None) -> None:
        """Write the upper triangle into ``matrix`` (n, n), whose diagonal is the view ``main``.

        What stands below the diagonal afterwards has no meaning.
        """
        for block in self._blocks(values, X, [], squares):
            m, d = self._root.forward(block)
            matrix[block.rows, block.rows.start :] = m
            main[block.rows] += d

    def nll_gradient(
        self, values: Values, X: Array, matrix: Array, alpha: Array, squares: Squares | None = None
    ) -> Array:
        """The derivative of the negative log likelihood by every parameter (log for positive ones).

        ``matrix`` holds the upper triangle of the inverse covariance and ``alpha`` its product with the targets. The
        derivative is ``tr((K^-1 - alpha alpha') dK) / 2`` (Rasmussen and Williams 2006, eq. 5.9): every pair counts
        once, every diagonal entry half.
        """
        slopes = [0.0] * len(values)
        for block in self._blocks(values, X, slopes, squares):
            weight = np.multiply.outer(-alpha[block.rows], alpha[block.rows.start :])
            weight += matrix[block.rows, block.rows.start :]
            height = len(weight)
            weight[:, :height] = np.triu(weight[:, :height])
            on_diagonal = 0.5 * weight.diagonal()
            np.fill_diagonal(weight, on_diagonal)
            self._root.forward(block)
            self._root.backward(block, (weight, on_diagonal))
        return np.array(slopes)

    def _blocks(
        self, values: Values, X: Array, gradient: list[float], squares: Squares | None = None
    ) -> Iterator[Block]:
        """The blocks of the upper triangle from above; ``squares`` that are given are kept for the next time."""
        for rows in triangle_rows(len(X), CELLS_PER_BLOCK):
            kept: Squares = {} if squares is None else squares
            yield Block(rows, X, X[rows.start :], self.columns, values, gradient, squares=kept)

    def cross_gradient(self, values: Values, X: Array, X2: Array, weights: Array, on_diagonal: Array) -> Array:
        """The same of ``sum(weights * k(X, X2)) + sum(on_diagonal * k(x, x))``: weights (n, m), and (n,)."""
        slopes = [0.0] * len(values)
        variances(self.expr, values, X, self.columns).back(on_diagonal, on_diagonal, slopes)
        return np.array(slopes) + self._cross.gradient(values, X, X2, weights)


class _CrossBlock(Block):
    """Some rows of a matrix between two sets of points: none meets itself, so white noise adds nothing."""

    __slots__ = ()

    def at_itself(self, m: Part) -> Part:
        """No point."""
        return 0.0

    def with_noise(self, by_value: Array, noise: Part) -> Array:
        """None."""
        return by_value


class CrossCovariance:
    """The covariances of an expression between two sets of points, without white noise; made once, evaluated often.

    Examples
    --------
    >>> from autostatistician.kernels.expr import Leaf
    >>> line = CrossCovariance(Leaf("Lin"), ("x",))
    >>> X, Z = np.array([[1.0], [2.0]]), np.array([[3.0]])
    >>> line.filled((2.0, 0.0), X, Z).tolist(), line.gradient((2.0, 0.0), X, Z, np.ones((2, 1))).tolist()
    ([[12.0], [24.0]], [72.0, -36.0])
    >>> [slopes.tolist() for slopes in line.by_points((2.0, 0.0), X, Z, np.ones((2, 1)))]
    [[[12.0], [12.0]], [[12.0]]]
    """

    def __init__(self, expr: Expr, columns: tuple[str, ...], *, merged: bool = True) -> None:
        self.columns, self._root = columns, at_points(expr, merged=merged)

    def filled(self, values: tuple[float, ...], X: Array, Z: Array) -> Array:
        """The matrix (n, m) between points (n, d) and (m, d)."""
        matrix = np.empty((len(X), len(Z)))
        for block in self._blocks(values, X, Z, []):
            matrix[block.rows] = self._root.forward(block)[0]
        return matrix

    def gradient(self, values: tuple[float, ...], X: Array, Z: Array, weights: Array) -> Array:
        """The derivatives of ``sum(weights * matrix)`` by the parameters (by the logarithms of positive ones)."""
        by_parameters = [0.0] * len(values)
        self._back(values, X, Z, weights, by_parameters)
        return np.array(by_parameters)

    def by_points(self, values: tuple[float, ...], X: Array, Z: Array, weights: Array) -> Slopes:
        """The same by the points (n, d) and (m, d): those of one side stay when those of the other move."""
        slopes = np.zeros(X.shape), np.zeros(Z.shape)
        self._back(values, X, Z, weights, [0.0] * max(len(values), 1), slopes)
        return slopes

    def _back(
        self, values: Values, X: Array, Z: Array, weights: Array, gradient: list[float], slopes: Slopes | None = None
    ) -> None:
        for block in self._blocks(values, X, Z, gradient, slopes):
            self._root.forward(block)
            self._root.backward(block, (weights[block.rows], np.zeros(block.rows.stop - block.rows.start)))

    def _blocks(
        self, values: Values, X: Array, Z: Array, gradient: list[float], slopes: Slopes | None = None
    ) -> Iterator[_CrossBlock]:
        for rows in rows_at_once(len(X), len(Z), CELLS_PER_CROSS_BLOCK):
            yield _CrossBlock(rows, X, Z, self.columns, values, gradient, slopes=slopes)

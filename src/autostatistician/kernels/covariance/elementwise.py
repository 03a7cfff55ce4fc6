"""Covariances of points of which each has one partner: variances, and the derivatives of single covariances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.kernels.covariance.nodes import Evaluator, Even, Part
from autostatistician.kernels.covariance.points import AtPoints, PointCompiler, at_points
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.parameters import column_index, parameters

__all__ = ["Variances", "derivatives", "variances"]

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

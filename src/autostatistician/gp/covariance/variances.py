"""The variances of an expression at points, signal apart from noise, and the way back to its parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance.changes import change_weights, weights_and_slopes
from autostatistician.gp.covariance.lowrank import by_parameters, category_variance
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import operands, size
from autostatistician.kernels.lag_functions import LagFunction
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES, own_parameters
from autostatistician.kernels.traits import column_index

__all__ = ["Variances", "variances"]

Array = NDArray[np.float64]
Part = Array | float  # a float where it is the same at all points


@dataclass(frozen=True, eq=False)
class Variances:
    """Of a function at n points: of its signal and of its noise, each a float where no point differs from another."""

    signal: Part
    noise: Part
    back: Callable[[Array, Array, list[float]], None]  # derivatives (n,) by both, added to those by the parameters


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
    return _Walker(values, X, columns).node(expr, start)


@dataclass(frozen=True, eq=False)
class _Walker:
    values: tuple[float, ...]
    X: Array
    columns: tuple[str, ...]

    def node(self, expr: Expr, start: int) -> Variances:
        match expr:
            case Leaf():
                return self._leaf(expr, start)
            case Sum():
                return _sum(self._parts(expr, start))
            case Product():
                first, *others = self._parts(expr, start)
                for other in others:
                    first = _product(first, other)
                return first
            case ChangePoint() | ChangeWindow():
                return self._change(expr, start)

    def _parts(self, expr: Expr, start: int) -> list[Variances]:
        parts = []
        for part in operands(expr):
            parts.append(self.node(part, start))
            start += size(part)
        return parts

    def _column(self, expr: Leaf | ChangePoint | ChangeWindow) -> Array:
        return self.X[:, column_index(expr.column, self.columns)]

    def _leaf(self, expr: Leaf, start: int) -> Variances:
        values = self.values[start : start + size(expr)]
        row = LEAVES[expr.symbol]
        if row.kind is LeafKind.LINE:
            return _linear(values, self._column(expr), start)
        if row.shape is not None:
            return _categories(row.shape, values, self._column(expr), start)
        if row.of_increments is not None:
            return _walk(row.of_increments, values, self._column(expr), start)
        if row.scale_index is None:
            return Variances(0.0, 0.0, lambda by_signal, by_noise, gradient: None)
        # All other leaves have the variance sd^2 everywhere.
        return _even(values[row.scale_index] ** 2, start + row.scale_index, is_noise=row.kind is LeafKind.NOISE)

    def _change(self, expr: ChangePoint | ChangeWindow, start: int) -> Variances:
        count, x = len(own_parameters(expr)), self._column(expr)
        values = self.values[start : start + count]
        parts = self._parts(expr, start + count)
        every = list(zip(parts, change_weights(expr, x, values), (1.0, -1.0), strict=True))

        def back(by_signal: Array, by_noise: Array, gradient: list[float]) -> None:
            _, pieces = weights_and_slopes(expr, x, values)
            for part, w, sign in every:
                part.back(by_signal * w**2, by_noise * w**2, gradient)
                slope = sign * 2.0 * w * (by_signal * part.signal + by_noise * part.noise)
                for index, piece in enumerate(pieces, start=start):
                    gradient[index] += float(slope @ piece)

        signal, noise = (
            sum(w**2 * variance for (_, w, _), variance in zip(every, each, strict=True))
            for each in ([part.signal for part in parts], [part.noise for part in parts])
        )
        return Variances(signal, noise, back)


def _even(variance: float, place: int, *, is_noise: bool) -> Variances:
    def back(by_signal: Array, by_noise: Array, gradient: list[float]) -> None:
        gradient[place] += 2.0 * variance * float(np.sum(by_noise if is_noise else by_signal))

    return Variances(0.0, variance, back) if is_noise else Variances(variance, 0.0, back)


def _linear(values: tuple[float, ...], x: Array, start: int) -> Variances:
    sd, location = values
    signal = (sd * (x - location)) ** 2

    def back(by_signal: Array, by_noise: Array, gradient: list[float]) -> None:
        gradient[start] += 2.0 * float(by_signal @ signal)
        gradient[start + 1] -= 2.0 * sd**2 * float(by_signal @ (x - location))

    return Variances(signal, 0.0, back)


def _categories(shape: tuple[int, int], values: tuple[float, ...], x: Array, start: int) -> Variances:
    def back(by_signal: Array, by_noise: Array, gradient: list[float]) -> None:
        codes = x.astype(np.intp)
        sums = np.diag(np.bincount(codes, by_signal, minlength=shape[0]).astype(np.float64))
        for index, slope in enumerate(by_parameters(shape, values, sums), start=start):
            gradient[index] += float(slope)

    return Variances(category_variance(shape, values, x), 0.0, back)


def _walk(rise: LagFunction, own: tuple[float, ...], x: Array, start: int) -> Variances:
    *values, location = own

    def back(by_signal: Array, by_noise: Array, gradient: list[float]) -> None:
        _, slopes = rise.value_and_derivatives(x - location, *values)
        for index, slope in enumerate(slopes, start=start):
            gradient[index] += 2.0 * float(by_signal @ slope)

    return Variances(2.0 * rise.value(x - location, *values), 0.0, back)


def _sum(parts: list[Variances]) -> Variances:
    def back(by_signal: Array, by_noise: Array, gradient: list[float]) -> None:
        for part in parts:
            part.back(by_signal, by_noise, gradient)

    return Variances(sum(part.signal for part in parts), sum(part.noise for part in parts), back)


def _product(first: Variances, other: Variances) -> Variances:
    """``(m + d delta)(m' + d' delta)``, where delta is one where a point meets itself."""

    def back(by_signal: Array, by_noise: Array, gradient: list[float]) -> None:
        for this, that in ((first, other), (other, first)):
            by_this = by_signal * that.signal + by_noise * that.noise
            this.back(by_this, by_noise * (that.noise + that.signal), gradient)

    noise = first.noise * other.noise + first.noise * other.signal + other.noise * first.signal
    return Variances(first.signal * other.signal, noise, back)

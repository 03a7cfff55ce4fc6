"""The variances of an expression at points, signal apart from noise, and the way back to its numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import between, by_numbers, change_weight, column_index
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.language.kernel import operands, size
from autostatistician.language.leaves import category_shape, increments_of, own_parameters

__all__ = ["Variances", "variances"]

Array = NDArray[np.float64]
Part = Array | float  # a float where it is the same at all points


@dataclass(frozen=True, eq=False)
class Variances:
    """Of a function at n points: of its signal and of its noise, each a float where no point differs from another."""

    signal: Part
    noise: Part
    back: Callable[[Array, Array, list[float]], None]  # derivatives (n,) by both, added to those by the numbers


def variances(expr: Expr, values: tuple[float, ...], X: Array, columns: tuple[str, ...]) -> Variances:
    """Those at points (n, d); the derivatives are by the logarithms of positive numbers.

    Examples
    --------
    >>> from autostatistician.language.text import parse
    >>> found, slopes = variances(parse("Lin * Lin + Lin * WN"), (2.0, 0.0, 1.0, 1.0, 1.0, 0.0, 3.0),
    ...                           np.array([[2.0]]), ("x",)), [0.0] * 7
    >>> found.back(np.ones(1), np.ones(1), slopes)
    >>> found.signal.tolist(), found.noise.tolist(), slopes
    ([16.0], [36.0], [32.0, -16.0, 32.0, -32.0, 72.0, -36.0, 72.0])
    """
    return _Walker(values, X, columns).node(expr, 0)


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
        found = []
        for part in operands(expr):
            found.append(self.node(part, start))
            start += size(part)
        return found

    def _column(self, expr: Leaf | ChangePoint | ChangeWindow) -> Array:
        return self.X[:, column_index(expr.column, self.columns)]

    def _leaf(self, expr: Leaf, start: int) -> Variances:
        own = self.values[start : start + size(expr)]
        if expr.symbol == "0":
            return Variances(0.0, 0.0, lambda by_signal, by_noise, found: None)
        if expr.symbol == "Lin":
            return _linear(own, self._column(expr), start)
        if shape := category_shape(expr.symbol):
            return _categories(shape, own, self._column(expr), start)
        if (rise := increments_of(expr.symbol)) is not None:
            values, slopes = rise.value_and_derivatives(self._column(expr) - own[-1], *own[:-1])
            return Variances(2.0 * values, 0.0, _along([2.0 * one for one in slopes], start))
        scale = [name for name, _ in own_parameters(expr)].index("sd")
        return _even(own[scale] ** 2, start + scale, is_noise=expr.symbol == "WN")

    def _change(self, expr: ChangePoint | ChangeWindow, start: int) -> Variances:
        count = len(own_parameters(expr))
        weight, pieces = change_weight(expr, self._column(expr), self.values[start : start + count])
        parts, weights = self._parts(expr, start + count), (weight, 1.0 - weight)
        every = list(zip(parts, weights, (1.0, -1.0), strict=True))

        def back(by_signal: Array, by_noise: Array, found: list[float]) -> None:
            for part, w, sign in every:
                part.back(by_signal * w**2, by_noise * w**2, found)
                slope = sign * 2.0 * w * (by_signal * part.signal + by_noise * part.noise)
                for index, piece in enumerate(pieces, start=start):
                    found[index] += float(slope @ piece)

        signal, noise = (
            sum(w**2 * one for (_, w, _), one in zip(every, each, strict=True))
            for each in ([part.signal for part in parts], [part.noise for part in parts])
        )
        return Variances(signal, noise, back)


def _even(variance: float, place: int, *, is_noise: bool) -> Variances:
    def back(by_signal: Array, by_noise: Array, found: list[float]) -> None:
        found[place] += 2.0 * variance * float(np.sum(by_noise if is_noise else by_signal))

    return Variances(0.0, variance, back) if is_noise else Variances(variance, 0.0, back)


def _linear(own: tuple[float, ...], x: Array, start: int) -> Variances:
    sd, location = own
    signal = (sd * (x - location)) ** 2

    def back(by_signal: Array, by_noise: Array, found: list[float]) -> None:
        found[start] += 2.0 * float(by_signal @ signal)
        found[start + 1] -= 2.0 * sd**2 * float(by_signal @ (x - location))

    return Variances(signal, 0.0, back)


def _categories(shape: tuple[int, int], own: tuple[float, ...], x: Array, start: int) -> Variances:
    codes = x.astype(np.intp)

    def back(by_signal: Array, by_noise: Array, found: list[float]) -> None:
        sums = np.diag(np.bincount(codes, by_signal, minlength=shape[0]).astype(np.float64))
        for index, slope in enumerate(by_numbers(shape, own, sums), start=start):
            found[index] += float(slope)

    return Variances(between(shape, own).diagonal()[codes], 0.0, back)


def _along(slopes: list[Array], start: int) -> Callable[[Array, Array, list[float]], None]:
    def back(by_signal: Array, by_noise: Array, found: list[float]) -> None:
        for index, slope in enumerate(slopes, start=start):
            found[index] += float(by_signal @ slope)

    return back


def _sum(parts: list[Variances]) -> Variances:
    def back(by_signal: Array, by_noise: Array, found: list[float]) -> None:
        for part in parts:
            part.back(by_signal, by_noise, found)

    return Variances(sum(part.signal for part in parts), sum(part.noise for part in parts), back)


def _product(one: Variances, other: Variances) -> Variances:
    """``(m + d delta)(m' + d' delta)``, where delta is one where a point meets itself."""

    def back(by_signal: Array, by_noise: Array, found: list[float]) -> None:
        for this, that in ((one, other), (other, one)):
            by_this = by_signal * that.signal + by_noise * that.noise
            this.back(by_this, by_noise * (that.noise + that.signal), found)

    noise = one.noise * other.noise + one.noise * other.signal + other.noise * one.signal
    return Variances(one.signal * other.signal, noise, back)

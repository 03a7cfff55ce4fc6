"""Covariances of points, and the way back to the parameters and to the points.

Values are a pair ``(m, d)``: ``m`` at pairs of points, a float where they are all the same, and ``d``, what white noise
adds where a point meets itself. Which pairs these are a domain says: rows of a matrix (`matrix`), or points of which
each has one partner. Squared exponentials that are multiplied share one exponential.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.kernels.evaluators import (
    Compiler,
    Domain,
    Evaluator,
    LeafEvaluator,
    Multiplied,
    Part,
    Stationary,
    is_nothing,
    weights_and_slopes,
)
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf
from autostatistician.kernels.lag_functions import LagFunction
from autostatistician.kernels.leaves import LEAVES, Placed, nodes_of, own_parameters
from autostatistician.kernels.plain_leaves import between, by_parameters, codes_of

__all__ = ["AtPoints", "Pair", "PointCompiler", "at_points", "only_at_points"]

Array = NDArray[np.float64]
Pair = tuple[Part, Part]  # values, and what white noise adds where a point meets itself


class AtPoints(Domain, Protocol):
    """Pairs of points at given parameters, with the arithmetic of values there.

    Left and right are the points (k,) and (l,) that are paired: all with all, or (k = l) each with one.
    """

    __slots__ = ()
    values: tuple[float, ...]
    gradient: list[Any]
    slopes: tuple[Array, Array] | None  # (n, d) and (m, d), by the points; None where these are not asked for

    @property
    def with_gradient(self) -> bool:
        """Whether there will be a way back."""
        return bool(self.gradient)

    def square(self, column: str | None) -> Array:
        """Their squares."""

    def position(self, column: str | None) -> tuple[Array, Array]:
        """The positions of left and right points, in shapes whose sums are those of the pairs."""

    def times_right(self, by_pair: Array, right: Array) -> Array:
        """Sums (k,) over the pairs of each left point, the values of the right ones as weights."""

    def times_left(self, left: Array, by_pair: Array) -> Array:
        """Sums (l,) over the pairs of each right point."""

    def at_itself(self, m: Part) -> Part:
        """The values where a point meets itself."""

    def with_noise(self, by_value: Array, noise: Part) -> Array:
        """Values of pairs (given away) with something more where a point meets itself."""

    def by_categories(self, rows: NDArray[np.intp], others: NDArray[np.intp], by_value: Array, count: int) -> Any:
        """Sums (count, count) over pairs of the categories of their points."""

    def moved(self, column: str | None, by_left: Array, by_right: Array) -> None:
        """Add the derivatives by left (k,) and right points (l,) along a column."""

    def moved_by_lag(self, column: str | None, by_lag: Array) -> None:
        """The same, given those by the lags of pairs."""

    def zero(self) -> Pair:
        """Nothing."""
        return 0.0, 0.0

    def stationary(self, value: Part, noise: float) -> Pair:
        """What depends on the lag alone."""
        return value, noise

    def by_stationary(self, adjoint: tuple[Array, Array]) -> tuple[Array, Array]:
        """The derivatives by such values and by such noise."""
        return adjoint

    def added(self, parts: Sequence[Pair]) -> Pair:
        """The sum."""
        m: Part = 0.0
        d: Part = 0.0
        for more, noise in parts:
            m, d = m + more, d + noise
        return m, d

    def by_term(self, term: Pair, adjoint: tuple[Array, Array]) -> tuple[Array, Array]:
        """The derivative by a term of a sum is that by the sum."""
        return adjoint

    def multiplied(self, left: Pair, right: Pair) -> Pair:
        """The product: (m + d delta)(m' + d' delta)."""
        if is_nothing(left[1]) and is_nothing(right[1]):
            return left[0] * right[0], 0.0
        d = left[1] * right[1] + left[1] * self.at_itself(right[0]) + right[1] * self.at_itself(left[0])
        return 0.0 if is_nothing(left[0]) or is_nothing(right[0]) else left[0] * right[0], d

    def by_factor(self, target: Pair, other: Pair, adjoint: tuple[Array, Array]) -> tuple[Array, Array]:
        """The derivatives by one factor, given those by its product with the other."""
        (by_value, by_noise), (m, d) = adjoint, other
        value = by_value * m
        if not is_nothing(d):
            value = self.with_noise(value, by_noise * d)
        return value, by_noise * (d + self.at_itself(m))


def only_at_points(expr: Expr) -> bool:
    """Whether an expression has a leaf that is no function of lags."""
    return any(isinstance(node, Leaf) and LEAVES[node.symbol].shape is not None for node in nodes_of(expr))


def at_points(expr: Expr, *, merged: bool = True) -> Evaluator:
    """The nodes of an expression, made once and evaluated many times (one domain at a time).

    Squared exponentials that are multiplied are ``merged``, which is quicker, or each rounded by itself.
    """
    return PointCompiler(merged=merged).node(expr)


class _Stationary(Stationary):
    """A function of the lag of two points."""

    __slots__ = ()

    def backward(self, at: AtPoints, adjoint: tuple[Array, Array]) -> None:  # type: ignore[override]
        """By each of its parameters, and by the points."""
        super().backward(at, adjoint)
        if at.slopes is not None:
            slope = self.function.slope(at.lags(self.column), *self.own(at))
            at.moved_by_lag(self.column, adjoint[0] * slope)


class _Line(LeafEvaluator):
    """``sd^2 (x - location)(x' - location)``; where not ``merged`` each side is rounded with its own sd."""

    def __init__(self, expr: Leaf, start: int, *, merged: bool) -> None:
        super().__init__(expr, start)
        self.merged = merged

    def _factors(self, at: AtPoints) -> tuple[float, Array, Array]:
        sd, location = self.own(at)
        left, right = at.position(self.column)
        return sd, left - location, right - location

    def forward(self, at: AtPoints) -> Pair:
        sd, left, right = self._factors(at)
        return (sd**2 * left) * right if self.merged else (sd * left) * (sd * right), 0.0

    def backward(self, at: AtPoints, adjoint: tuple[Array, Array]) -> None:
        by_value, _ = adjoint
        sd, left, right = self._factors(at)
        variance, left = sd**2, left.ravel()
        by_left, by_right = at.times_right(by_value, right), at.times_left(left, by_value)
        at.gradient[self.start] += 2.0 * variance * at.inner(left, by_left)
        at.gradient[self.start + 1] -= variance * (at.total(by_left) + at.total(by_right))
        if at.slopes is not None:
            at.moved(self.column, variance * by_left, variance * by_right)


class _Gaussians(Evaluator):
    """A product of squared exponentials: one exponential of the sum of their exponents."""

    def __init__(self, parts: list[tuple[Leaf, int]]) -> None:
        self.parts = [(leaf.column, start) for leaf, start in parts]

    def forward(self, at: AtPoints) -> Pair:
        variance, exponents = 1.0, []
        for column, start in self.parts:
            lengthscale, sd = at.values[start : start + 2]
            exponents.append(at.square(column) * (-0.5 / lengthscale**2))
            variance *= sd * sd
        k: Array = exponents[0]
        for exponent in exponents[1:]:
            k += exponent
        np.exp(k, out=k)
        k *= variance
        self.k = k
        return k, 0.0

    def backward(self, at: AtPoints, adjoint: tuple[Array, Array]) -> None:
        by_value, _ = adjoint
        product = by_value * self.k
        total = 2.0 * at.total(product)
        for column, start in self.parts:
            lengthscale = at.values[start]
            at.gradient[start] += at.inner(product, at.square(column)) / lengthscale**2
            at.gradient[start + 1] += total
            if at.slopes is not None:
                at.moved_by_lag(column, product * at.lags(column) / -(lengthscale**2))


class _Walk(LeafEvaluator):
    """``g(x - o) + g(x' - o) - g(x - x')`` for g, half the variance of increments, and the location o."""

    def __init__(self, expr: Leaf, start: int, rise: LagFunction) -> None:
        super().__init__(expr, start)
        self.rise = rise

    def _places(self, at: AtPoints, location: float) -> tuple[Array, Array, Array]:
        """Where g is asked: left and right points as the location sees them, and lags."""
        left, right = at.position(self.column)
        return left - location, right - location, at.lags(self.column)

    def forward(self, at: AtPoints) -> Pair:
        *own, location = self.own(at)
        every = self._places(at, location)
        if not at.with_gradient:
            return _walked([self.rise.value(lags, *own) for lags in every]), 0.0
        values, derivatives = zip(*(self.rise.value_and_derivatives(lags, *own) for lags in every), strict=True)
        self.derivatives = [_walked(three) for three in zip(*derivatives, strict=True)]
        return _walked(values), 0.0

    def backward(self, at: AtPoints, adjoint: tuple[Array, Array]) -> None:
        by_value, _ = adjoint
        for index, derivative in enumerate(self.derivatives, start=self.start):
            at.gradient[index] += at.inner(by_value, derivative)
        if at.slopes is not None:
            self._move(at, by_value)

    def _move(self, at: AtPoints, by_value: Array) -> None:
        """By points, and by the location, which fits leave as it is."""
        *own, location = self.own(at)
        left, right, lag = (self.rise.slope(lags, *own) for lags in self._places(at, location))
        left = left.ravel()
        by_left = left * at.times_right(by_value, np.ones(len(right)))
        by_right = right * at.times_left(np.ones(len(left)), by_value)
        at.moved(self.column, by_left, by_right)
        at.moved_by_lag(self.column, -by_value * lag)
        at.gradient[self.stop - 1] -= at.total(by_left) + at.total(by_right)


def _walked(of_left_right_lag: Sequence[Array]) -> Array:
    left, right, lag = of_left_right_lag
    return np.asarray(left + right - lag)


class _Categories(LeafEvaluator):
    """A full covariance between the categories of one column (see `plain_leaves`)."""

    def __init__(self, expr: Leaf, start: int, shape: tuple[int, int]) -> None:
        super().__init__(expr, start)
        self.shape = shape

    def forward(self, at: AtPoints) -> Pair:
        left, right = at.position(self.column)
        levels = self.shape[0]
        self.rows, self.others = codes_of(left, levels), codes_of(right, levels)
        covariances = between(self.shape, self.own(at))
        found = np.pad(covariances, (0, 1))[self.rows, self.others]
        if (self.rows == levels).any():  # an unknown category shares nothing, and varies as others do in the mean
            found[(left == right) & (self.rows == levels)] = covariances.diagonal().mean()
        return found, 0.0

    def backward(self, at: AtPoints, adjoint: tuple[Array, Array]) -> None:
        by_value, _ = adjoint
        sums = at.by_categories(self.rows.ravel(), self.others, by_value, self.shape[0])
        slopes = by_parameters(self.shape, self.own(at), sums)
        for index, derivative in enumerate(np.moveaxis(slopes, -1, 0), start=self.start):
            at.gradient[index] = at.gradient[index] + derivative


class _Change(Evaluator):
    """Change point or window: two weights that sum to one, each on both sides of one operand."""

    def __init__(self, expr: ChangePoint | ChangeWindow, start: int, parts: list[Evaluator]) -> None:
        self.expr, self.parts = expr, parts
        self.start, self.stop = start, start + len(own_parameters(expr))

    def forward(self, at: AtPoints) -> Pair:
        own, places = at.values[self.start : self.stop], at.position(self.expr.column)
        both = (weights_and_slopes(self.expr, x, own) for x in places)
        weights, self.by_weight = zip(*both, strict=True)
        self.weights = list(zip(*weights, strict=True))
        self.seen = [part.forward(at) for part in self.parts]
        m: Part = 0.0
        d: Part = 0.0
        for (value, noise), (here, there) in zip(self.seen, self.weights, strict=True):
            if not is_nothing(value):
                m = m + value * here * there
            if not is_nothing(noise):
                d = d + here.ravel() ** 2 * noise
        return m, d

    def backward(self, at: AtPoints, adjoint: tuple[Array, Array]) -> None:
        by_value, by_noise = adjoint
        by_left, by_right = (np.zeros(weight.size) for weight in self.weights[0])
        for part, (value, noise), (here, there), sign in zip(
            self.parts, self.seen, self.weights, (1.0, -1.0), strict=True
        ):
            once = here.ravel()
            part.backward(at, (here * there * by_value, by_noise * once**2))
            if not is_nothing(value):
                product = by_value * value
                by_left += sign * at.times_right(product, there)
                by_right += sign * at.times_left(once, product)
            by_left += sign * 2.0 * by_noise * noise * once
        self._by_weights(at, by_left, by_right)

    def _by_weights(self, at: AtPoints, by_left: Array, by_right: Array) -> None:
        """From the derivatives by the first weight at the points to those by parameters and points."""
        left, right = ([slope.ravel() for slope in slopes] for slopes in self.by_weight)
        for index, (here, there) in enumerate(zip(left, right, strict=True), start=self.start):
            at.gradient[index] += at.inner(by_left, here) + at.inner(by_right, there)
        if at.slopes is not None:  # weights depend on the distance from the change
            at.moved(self.expr.column, -by_left * left[0], -by_right * right[0])


class PointCompiler(Compiler):
    """Makes the evaluators of covariances of points."""

    def __init__(self, *, merged: bool = True) -> None:
        self.merged = merged

    def leaf(self, expr: Leaf, start: int, *, multiplied: bool) -> Evaluator:
        """That of a leaf."""
        if self.merged and expr.symbol == "SE":
            return _Gaussians([(expr, start)])
        shape = LEAVES[expr.symbol].shape
        return super().leaf(expr, start, multiplied=multiplied) if shape is None else _Categories(expr, start, shape)

    def product(self, parts: list[Placed]) -> Evaluator:
        """That of a product, its squared exponentials taken together."""
        if not self.merged:
            return super().product(parts)
        smooth = [(part, at) for part, at in parts if isinstance(part, Leaf) and part.symbol == "SE"]
        others = [self.node(*factor) for factor in parts if factor not in smooth]
        nodes = [*([_Gaussians(smooth)] if smooth else []), *others]
        return nodes[0] if len(nodes) == 1 else Multiplied(nodes)

    def stationary(self, expr: Leaf, start: int) -> Evaluator:
        """That of any other function of the lag."""
        return _Stationary(expr, start)

    def line(self, expr: Leaf, start: int) -> Evaluator:
        """See `Compiler`."""
        return _Line(expr, start, merged=self.merged)

    def walk(self, expr: Leaf, start: int, rise: LagFunction, *, multiplied: bool) -> Evaluator:
        """See `Compiler`."""
        return _Walk(expr, start, rise)

    def change(self, expr: ChangePoint | ChangeWindow, start: int, parts: list[Evaluator]) -> Evaluator:
        """See `Compiler`."""
        return _Change(expr, start, parts)

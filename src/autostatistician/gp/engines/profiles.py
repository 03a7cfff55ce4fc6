"""A kernel as a sum of ``diag(a) T(v) diag(a)`` terms, and the reverse: from matrix sums to parameters.

On given points every kernel is a sum over *profiles* ``a`` (products of linear factors and sigmoids, functions of the
input) of stationary parts: a vector ``v`` over the distinct lags plus a diagonal weight ``d`` for white noise, and
``rise + rise'`` where only increments are stationary. All special functions act on ``v`` (length O(n) on a grid), so
the n x n matrices see only additions and products. `Terms` evaluates this form bottom-up and takes the derivative of
any scalar with respect to it back to the parameters top-down.

Sums and products of terms ``diag(a) T(v) diag(a)``, and the way back through them.

A kernel on given points is such a sum over profiles ``a``. Products of terms multiply their profiles
and what stands at each lag; white noise counts at lag zero of a point with itself only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.kernels.evaluators import (
    Compiler,
    Evaluator,
    LeafEvaluator,
    inner,
    is_nothing,
    weights_and_slopes,
)
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf
from autostatistician.kernels.lag_functions import LagFunction
from autostatistician.kernels.leaves import own_parameters
from autostatistician.kernels.traits import column_index

__all__ = [
    "BLOCK_LENGTH", "Evaluation", "Profile", "Slot", "Terms", "compiled", "evaluate", "noise_of_product", "with_factor",
]  # fmt: skip


Vector = NDArray[np.float64]
# A profile is the tuple of the numbers of its factors; () is the constant profile 1.
Profile = tuple[int, ...]

# Pairs of points come in hundreds of thousands: blocks of this size keep the steps of a leaf in the cache.
BLOCK_LENGTH = 16384


@dataclass(slots=True)
class Slot:
    """What stands between one profile: ``v`` over lags (a float when the same at all lags) and noise ``d``.

    Of functions with stationary increments also ``rise`` over the points: their covariance has ``rise + rise'``. Slots
    that are multiplied have none.
    """

    v: Vector | float = 0.0
    d: float = 0.0
    rise: Vector | None = None

    def at_zero(self) -> float:
        """The value of ``v`` at lag zero."""
        return self.v if isinstance(self.v, float) else float(self.v[0])


Terms = dict[Profile, Slot]


def with_factor(key: Profile, factor: int) -> Profile:
    """The profile with one factor more."""
    return tuple(sorted((*key, factor)))


def noise_of_product(a: Slot, b: Slot) -> float:
    """The noise of a product of two slots: of either with what the other is at lag zero, and of both."""
    noise = 0.0 if is_nothing(a.d) else a.d * (b.d + b.at_zero())
    return noise if is_nothing(b.d) else noise + b.d * a.at_zero()


Columns = tuple[str, ...]


class HasLags(Protocol):
    """Points on one input, of which only the lags are asked for."""

    def lags(self, column: int) -> Vector:
        """Distinct distances, that of lag zero first."""


@dataclass(slots=True)
class Evaluation:
    """One kernel at given parameters on given points: its terms and what the way back needs."""

    values: tuple[float, ...]
    X: Vector
    geometry: HasLags
    columns: Columns
    with_gradient: bool
    pool: list[Vector]  # vectors over the lags, kept from one evaluation to the next
    taken: int = 0
    factors: list[Vector] = field(default_factory=list)  # the profile factors, each (n,)
    numbers: dict[int, int] = field(default_factory=dict)  # of the first factor of what has parameters from a place on
    adjoints: list[Vector] = field(default_factory=list)  # their accumulated derivatives
    terms: Terms = field(default_factory=dict)
    gradient: list[float] = field(default_factory=list)
    root: Evaluator | None = None
    sized: int | None = None  # by how many of the first points the size of walks within products goes; None: by all

    def profile(self, key: Profile) -> Vector | None:
        """The product of the factors of a profile, None for the constant 1."""
        if not key:
            return None
        product = self.factors[key[0]]
        for index in key[1:]:
            product = product * self.factors[index]
        return product

    def add_profile_adjoint(self, key: Profile, adjoint: Vector) -> None:
        """Accumulate the derivative with respect to a profile onto its factors."""
        for position, index in enumerate(key):
            rest = self.profile(key[:position] + key[position + 1 :])
            self.adjoints[index] += adjoint if rest is None else adjoint * rest

    def backward(self, adjoints: Terms) -> NDArray[np.float64]:
        """The derivative with respect to every parameter (log for positive ones), given that for every slot.

        It is zero for parameters that rows hold. Profile adjoints must have been added before.
        """
        assert self.root is not None
        self.root.backward(self, adjoints)
        return np.array(self.gradient)

    def lags(self, column: str | None) -> Vector:
        """Distinct lags along a column."""
        return self.geometry.lags(column_index(column, self.columns))

    def evaluated(
        self, function: LagFunction, lags: Vector, values: tuple[float, ...], skipped: int | None
    ) -> tuple[Vector, tuple[Vector, ...]]:
        """Value and derivatives of a leaf; over many lags that of index ``skipped`` is not kept."""
        if len(lags) <= BLOCK_LENGTH:
            return function.value_and_derivatives(lags, *values)
        value = self.scratch(len(lags))
        derivatives = tuple(value if index == skipped else self.scratch(len(lags)) for index in range(len(values)))
        for start in range(0, len(lags), BLOCK_LENGTH):
            part = slice(start, start + BLOCK_LENGTH)
            value[part], slopes = function.value_and_derivatives(lags[part], *values)
            for index, target in enumerate(derivatives):
                if index != skipped:
                    target[part] = slopes[index]
        return value, derivatives

    def along(self, column: str | None) -> Vector:
        """The points along a column."""
        return self.X[:, column_index(column, self.columns)]

    def total(self, adjoint: Vector | float) -> float:
        """The sum over all lags or points."""
        return adjoint if isinstance(adjoint, float) else float(adjoint.sum())

    def inner(self, adjoint: Any, derivative: Any) -> Any:
        """The sum of products over all lags or points."""
        return inner(adjoint, derivative)

    def zero(self) -> Terms:
        """Nothing."""
        return {}

    def stationary(self, value: Vector | float, noise: float) -> Terms:
        """What depends on the lag alone has the constant profile."""
        return {(): Slot(value, noise)}

    def by_stationary(self, adjoint: Terms) -> tuple[Vector | float, float]:
        """The derivatives by such values and by such noise."""
        return adjoint[()].v, adjoint[()].d

    def added(self, parts: Sequence[Terms]) -> Terms:
        """The sum."""
        total: Terms = {}
        for terms in parts:
            for key, slot in terms.items():
                if key in total:
                    other = total[key]
                    rises = [term.rise for term in (other, slot) if term.rise is not None]
                    rise = rises[0] + rises[1] if len(rises) == 2 else next(iter(rises), None)
                    total[key] = Slot(self._plus(other.v, slot.v), other.d + slot.d, rise)
                else:
                    total[key] = slot
        return total

    def by_term(self, term: Terms, adjoint: Terms) -> Terms:
        """The derivative by a term, given that by a sum."""
        return {key: adjoint[key] for key in term}

    def multiplied(self, left: Terms, right: Terms) -> Terms:
        """The product: (v1 + d1 delta)(v2 + d2 delta), where delta is one at lag zero of a point with itself only."""
        products = [
            {tuple(sorted(key + other)): Slot(self._times(a.v, b.v), noise_of_product(a, b))}
            for key, a in left.items()
            for other, b in right.items()
        ]
        return self.added(products)

    def by_factor(self, target: Terms, other: Terms, adjoint: Terms) -> Terms:
        """The derivative by a factor, given that by its product with another."""
        by_target: Terms = {}
        for key, slot in target.items():
            parts = []
            for partner, b in other.items():
                parts.append(self._by_slot(slot, b, adjoint[tuple(sorted(key + partner))]))
            by_target[key] = parts[0] if len(parts) == 1 else self.added([{(): part} for part in parts])[()]
        return by_target

    def _by_slot(self, slot: Slot, partner: Slot, up: Slot) -> Slot:
        d = 0.0 if is_nothing(slot.d) else up.d * (partner.d + partner.at_zero())
        if is_nothing(slot.v):
            return Slot(0.0, d)
        v = self._times(up.v, partner.v)
        if not is_nothing(partner.d):  # a noisy partner passes the diagonal on through the value at lag zero
            if isinstance(slot.v, np.ndarray) and isinstance(v, float):
                v = np.zeros_like(slot.v)
            if isinstance(v, float):
                v += up.d * partner.d
            else:
                v[0] += up.d * partner.d
        # A slot that is one number has one derivative; as a vector it could not be added to those by other partners.
        return Slot(self.total(v) if isinstance(slot.v, float) else v, d)

    def _times(self, v: Vector | float, w: Vector | float) -> Vector | float:
        """The product; an exact zero (the lag part of white noise) stays one number and costs nothing later."""
        if isinstance(v, float) or isinstance(w, float):
            return 0.0 if is_nothing(v) or is_nothing(w) else v * w
        return np.multiply(v, w, out=self.scratch(len(v))) if len(v) > BLOCK_LENGTH else v * w

    def _plus(self, v: Vector | float, w: Vector | float) -> Vector | float:
        if isinstance(v, np.ndarray) and isinstance(w, np.ndarray) and len(v) > BLOCK_LENGTH:
            return np.add(v, w, out=self.scratch(len(v)))
        return v + w

    def scratch(self, length: int) -> Vector:
        """A vector of the pool: fresh memory of this size costs more than the arithmetic on it."""
        if self.taken == len(self.pool):
            self.pool.append(np.empty(length))
        elif len(self.pool[self.taken]) < length:
            self.pool[self.taken] = np.empty(length)
        self.taken += 1
        vector = self.pool[self.taken - 1]
        return vector if len(vector) == length else vector[:length]

    def new_factor(self, values: Vector, start: int) -> int:
        """Register a profile factor of what has its parameters from a place on, and return its number."""
        self.numbers.setdefault(start, len(self.factors))
        self.factors.append(values)
        self.adjoints.append(np.zeros(len(values)))
        return len(self.factors) - 1


def compiled(expr: Expr) -> Evaluator:
    """The nodes of an expression, made once and evaluated many times (one evaluation at a time)."""
    return _ProfileCompiler().node(expr)


def evaluate(
    root: Evaluator,
    values: tuple[float, ...],
    X: Vector,
    geometry: HasLags,
    columns: Columns,
    pool: list[Vector],
    with_gradient: bool = True,
    sized: int | None = None,
) -> Evaluation:
    """Evaluate the terms of a compiled expression at its parameters (natural units, preorder) at points (n, d).

    Points that are evaluated one after the other have the same profiles where the first ``sized`` of them are the same.
    """
    state = Evaluation(values, X, geometry, columns, with_gradient, pool, sized=sized)
    state.gradient = [0.0] * len(values)
    state.root = root
    state.terms = root.forward(state)
    return state


class _LineProfile(LeafEvaluator):
    """``sd^2 (x - location)(x' - location)``: profile x - location, constant part sd^2."""

    __slots__ = ("factor",)

    def forward(self, state: Evaluation) -> Terms:
        sd, location = self.own(state)
        self.factor = state.new_factor(state.along(self.column) - location, self.start)
        return {(self.factor,): Slot(sd**2)}

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        state.gradient[self.start] += 2.0 * state.values[self.start] ** 2 * state.total(adjoints[(self.factor,)].v)
        state.gradient[self.start + 1] -= state.total(state.adjoints[self.factor])


class _WalkProfiles(LeafEvaluator):
    """``g(x - o) + g(x' - o) - g(x - x')`` for g, half the variance of increments, and the location o.

    Within a product the sum needs profiles: with 1 + h and 1 - h for h = g(x - o) / c it is
    ``c/2 ((1 + h)(1 + h') - (1 - h)(1 - h'))``, whatever c is; as the largest g it keeps the digits.
    """

    __slots__ = ("derivatives", "factors", "function", "lags", "location", "multiplied", "points", "size")

    def __init__(self, expr: Leaf, start: int, function: LagFunction, multiplied: bool) -> None:
        super().__init__(expr, start)
        self.function, self.multiplied = function, multiplied
        self.lags: Vector | None = None
        self.location = nan

    def forward(self, state: Evaluation) -> Terms:
        *values, location = self.own(state)
        places, n = self._places(state, location), len(state.along(self.column))
        if state.with_gradient:
            g, self.derivatives = state.evaluated(self.function, places, tuple(values), None)
        else:
            g = self.function.value(places, *values)
        rise, fall = g[:n], -g[n:]
        if not self.multiplied:
            return {(): Slot(fall, 0.0, rise)}
        self.size = float(rise[: state.sized].max()) or 1.0  # 1 where there is none
        relative = rise / self.size
        first, second = (state.new_factor(1.0 + sign * relative, self.start) for sign in (1.0, -1.0))
        self.factors = first, second
        return {(first,): Slot(0.5 * self.size), (second,): Slot(-0.5 * self.size), (): Slot(fall)}

    def _places(self, state: Evaluation, location: float) -> Vector:
        """The points (n,) as the location sees them, and behind them the lags: one call for both costs half of two."""
        lags = state.lags(self.column)
        if self.lags is not lags or self.location is not location:
            self.lags, self.location = lags, location
            self.points = np.concatenate([state.along(self.column) - location, lags])
        return self.points

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        by_rise, by_lags = adjoints[()].rise, adjoints[()].v
        if self.multiplied:
            first, second = self.factors
            by_rise = (state.adjoints[first] - state.adjoints[second]) / self.size
        assert by_rise is not None
        n = len(by_rise)
        for index, derivative in enumerate(self.derivatives, start=self.start):
            state.gradient[index] += state.inner(by_rise, derivative[:n]) - state.inner(by_lags, derivative[n:])


class _ChangeProfiles(Evaluator):
    """Change point or window: two profiles that sum to one, each multiplied onto one operand."""

    __slots__ = ("count", "expr", "first", "parts", "second", "seen", "slopes", "start")

    def __init__(self, expr: ChangePoint | ChangeWindow, start: int, parts: list[Evaluator]) -> None:
        self.expr, self.start, self.parts, self.count = expr, start, parts, len(own_parameters(expr))

    def forward(self, state: Evaluation) -> Terms:
        x = state.along(self.expr.column)
        values = state.values[self.start : self.start + self.count]
        weights, self.slopes = weights_and_slopes(self.expr, x, values)
        self.first, self.second = (state.new_factor(weight, self.start) for weight in weights)
        self.seen = [part.forward(state) for part in self.parts]
        return {
            **{with_factor(key, self.first): slot for key, slot in self.seen[0].items()},
            **{with_factor(key, self.second): slot for key, slot in self.seen[1].items()},
        }

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        for part, terms, factor in zip(self.parts, self.seen, (self.first, self.second), strict=True):
            part.backward(state, {key: adjoints[with_factor(key, factor)] for key in terms})
        adjoint = state.adjoints[self.first] - state.adjoints[self.second]
        for index, slope in enumerate(self.slopes, start=self.start):
            state.gradient[index] += state.inner(adjoint, slope)


class _ProfileCompiler(Compiler):
    def line(self, expr: Leaf, start: int) -> Evaluator:
        return _LineProfile(expr, start)

    def walk(self, expr: Leaf, start: int, rise: LagFunction, *, multiplied: bool) -> Evaluator:
        return _WalkProfiles(expr, start, rise, multiplied)

    def change(self, expr: ChangePoint | ChangeWindow, start: int, parts: list[Evaluator]) -> Evaluator:
        return _ChangeProfiles(expr, start, parts)

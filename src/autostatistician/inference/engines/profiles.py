"""A kernel as a sum of ``diag(a) T(v) diag(a)`` terms, and the reverse: from matrix sums to parameters.

On given points every kernel is a sum over *profiles* ``a`` (products of linear factors and
sigmoids, functions of the input) of stationary parts: a vector ``v`` over the distinct lags
plus a diagonal weight ``d`` for white noise, and ``rise + rise'`` where only increments are stationary. All special
functions act on ``v`` (length O(n) on a grid), so the n x n matrices see only additions and products. `Terms`
evaluates this form bottom-up and takes the derivative of any scalar with respect to it back to the parameters top-down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import change_weight, column_index
from autostatistician.inference.engines.terms import (
    BLOCK_LENGTH,
    Profile,
    Slot,
    Terms,
    added,
    multiplied,
    product_adjoint,
    total,
    with_factor,
)
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.language.kernel import size
from autostatistician.language.lag_functions import LagFunction
from autostatistician.language.leaves import increments_of, lag_function, own_parameters

__all__ = ["Evaluation", "Node", "compiled", "evaluate"]

Vector = NDArray[np.float64]
Columns = tuple[str, ...]


class HasLags(Protocol):
    """Points on one input, of which only the lags are asked for."""

    def lags(self, column: int) -> Vector:
        """Distinct distances, that of lag zero first."""
        ...


@dataclass(slots=True)
class Evaluation:
    """One kernel at given numbers on given points: its terms and what the way back needs."""

    values: tuple[float, ...]
    X: Vector
    geometry: HasLags
    columns: Columns
    with_gradient: bool
    pool: list[Vector]  # vectors over the lags, kept from one evaluation to the next
    taken: int = 0
    factors: list[Vector] = field(default_factory=list)  # the profile factors, each (n,)
    adjoints: list[Vector] = field(default_factory=list)  # their accumulated derivatives
    terms: Terms = field(default_factory=dict)
    gradient: list[float] = field(default_factory=list)
    root: Node | None = None
    sized: int | None = None  # by how many of the first points the size of walks within products goes; None: by all

    def profile(self, key: Profile) -> Vector | None:
        """The product of the factors of a profile, None for the constant 1."""
        if not key:
            return None
        found = self.factors[key[0]]
        for index in key[1:]:
            found = found * self.factors[index]
        return found

    def add_profile_adjoint(self, key: Profile, adjoint: Vector) -> None:
        """Accumulate the derivative with respect to a profile onto its factors."""
        for position, index in enumerate(key):
            rest = self.profile(key[:position] + key[position + 1 :])
            self.adjoints[index] += adjoint if rest is None else adjoint * rest

    def backward(self, adjoints: Terms) -> NDArray[np.float64]:
        """The derivative with respect to every parameter (log for positive ones), given that for every slot.

        It is zero for numbers that rows hold. Profile adjoints must have been added before.
        """
        assert self.root is not None
        self.root.backward(self, adjoints)
        return np.array(self.gradient)

    def scratch(self, length: int) -> Vector:
        """A vector of the pool: fresh memory of this size costs more than the arithmetic on it."""
        if self.taken == len(self.pool):
            self.pool.append(np.empty(length))
        elif len(self.pool[self.taken]) < length:
            self.pool[self.taken] = np.empty(length)
        self.taken += 1
        found = self.pool[self.taken - 1]
        return found if len(found) == length else found[:length]

    def new_factor(self, values: Vector) -> int:
        """Register a profile factor and return its number."""
        self.factors.append(values)
        self.adjoints.append(np.zeros_like(values))
        return len(self.factors) - 1


def compiled(expr: Expr) -> Node:
    """The nodes of an expression, made once and evaluated many times (one evaluation at a time)."""
    return _node(expr, 0)


def evaluate(
    root: Node,
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


def _node(expr: Expr, start: int, multiplied: bool = False) -> Node:
    """The node of an expression, which may be a factor of a product, or stand within one."""
    match expr:
        case Leaf(symbol="Lin"):
            return _Linear(expr, start)
        case Leaf(symbol="WN"):
            return _Noise(expr, start)
        case Leaf(symbol="C"):
            return _Constant(expr, start)
        case Leaf(symbol="0"):
            return _Zero(expr, start)
        case Leaf(symbol=symbol) if rise := increments_of(symbol):
            return _Walk(expr, start, rise, multiplied)
        case Leaf():
            return _Stationary(expr, start)
        case Sum(terms=parts):
            return _Sum(_nodes(parts, start, multiplied))
        case Product(factors=parts):
            return _Product(_nodes(parts, start, multiplied=True))
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            return _Change(expr, start, _nodes((first, second), start + len(own_parameters(expr)), multiplied))


def _nodes(parts: tuple[Expr, ...], start: int, multiplied: bool) -> list[Node]:
    nodes = []
    for part in parts:
        nodes.append(_node(part, start, multiplied))
        start += size(part)
    return nodes


class Node:
    """A node of the expression during one evaluation."""

    __slots__ = ()

    def forward(self, state: Evaluation) -> Terms:
        """The terms of the node; what the way back needs is kept."""
        raise NotImplementedError

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        """Add the derivatives by the node's parameters to the gradient, given those by its terms."""
        raise NotImplementedError


class _Leaf(Node):
    __slots__ = ("count", "expr", "start")

    def __init__(self, expr: Leaf, start: int) -> None:
        self.expr, self.start, self.count = expr, start, size(expr)


class _Zero(_Leaf):
    __slots__ = ()

    def forward(self, state: Evaluation) -> Terms:
        return {}

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        return


class _Constant(_Leaf):
    __slots__ = ()

    def forward(self, state: Evaluation) -> Terms:
        return {(): Slot(state.values[self.start] ** 2)}

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        state.gradient[self.start] += 2.0 * state.values[self.start] ** 2 * total(adjoints[()].v)


class _Noise(_Leaf):
    __slots__ = ()

    def forward(self, state: Evaluation) -> Terms:
        return {(): Slot(0.0, state.values[self.start] ** 2)}

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        state.gradient[self.start] += 2.0 * state.values[self.start] ** 2 * adjoints[()].d


class _Linear(_Leaf):
    """``sd^2 (x - location)(x' - location)``: profile x - location, constant part sd^2."""

    __slots__ = ("factor",)

    def forward(self, state: Evaluation) -> Terms:
        sd, location = state.values[self.start : self.start + 2]
        self.factor = state.new_factor(state.X[:, column_index(self.expr.column, state.columns)] - location)
        return {(self.factor,): Slot(sd**2)}

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        state.gradient[self.start] += 2.0 * state.values[self.start] ** 2 * total(adjoints[(self.factor,)].v)
        state.gradient[self.start + 1] -= float(state.adjoints[self.factor].sum())


class _Stationary(_Leaf):
    __slots__ = ("derivatives", "scale")

    def __init__(self, expr: Leaf, start: int) -> None:
        super().__init__(expr, start)
        self.scale = [name for name, _ in own_parameters(expr)].index("sd")

    def forward(self, state: Evaluation) -> Terms:
        function = lag_function(self.expr.symbol)
        own = state.values[self.start : self.start + self.count]
        lags = state.geometry.lags(column_index(self.expr.column, state.columns))
        if not state.with_gradient:
            return {(): Slot(function.value(lags, *own))}
        value, derivatives = _in_blocks(function, lags, own, state, self.scale)
        # Every stationary leaf is proportional to its variance: the derivative by log sd is twice the value.
        self.derivatives = tuple(value if i == self.scale else d for i, d in enumerate(derivatives))
        return {(): Slot(value)}

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        adjoint = adjoints[()].v
        for index, derivative in enumerate(self.derivatives):
            product = adjoint @ derivative if isinstance(adjoint, np.ndarray) else adjoint * derivative.sum()
            state.gradient[self.start + index] += float(product) * (2.0 if index == self.scale else 1.0)


class _Walk(_Leaf):
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
        *own, location = state.values[self.start : self.start + self.count]
        places, n = self._places(state, location), len(state.X)
        if state.with_gradient:
            g, self.derivatives = _in_blocks(self.function, places, tuple(own), state, None)
        else:
            g = self.function.value(places, *own)
        if not self.multiplied:
            return {(): Slot(-g[n:], 0.0, g[:n])}
        self.size = float(g[:n][: state.sized].max()) or 1.0
        relative = g[:n] / self.size
        self.factors = state.new_factor(1.0 + relative), state.new_factor(1.0 - relative)
        first, second = self.factors
        return {(first,): Slot(0.5 * self.size), (second,): Slot(-0.5 * self.size), (): Slot(-g[n:])}

    def _places(self, state: Evaluation, location: float) -> Vector:
        """The points (n,) as the location sees them, and behind them the lags: one call for both costs half of two."""
        column = column_index(self.expr.column, state.columns)
        lags = state.geometry.lags(column)
        if self.lags is not lags or self.location != location:
            self.lags, self.location = lags, location
            self.points = np.concatenate([state.X[:, column] - location, lags])
        return self.points

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        by_rise, by_lags = adjoints[()].rise, adjoints[()].v
        if self.multiplied:
            first, second = self.factors
            by_rise = (state.adjoints[first] - state.adjoints[second]) / self.size
        assert by_rise is not None
        n = len(by_rise)
        for index, derivative in enumerate(self.derivatives, start=self.start):
            of_lags = derivative[n:]
            through_lags = by_lags @ of_lags if isinstance(by_lags, np.ndarray) else by_lags * of_lags.sum()
            state.gradient[index] += float(by_rise @ derivative[:n] - through_lags)


def _in_blocks(
    function: LagFunction, lags: Vector, own: tuple[float, ...], state: Evaluation, skipped: int | None
) -> tuple[Vector, tuple[Vector, ...]]:
    """Value and derivatives of a leaf; over many lags that of index ``skipped`` is not kept."""
    if len(lags) <= BLOCK_LENGTH:
        return function.value_and_derivatives(lags, *own)
    value = state.scratch(len(lags))
    derivatives = tuple(value if index == skipped else state.scratch(len(lags)) for index in range(len(own)))
    for start in range(0, len(lags), BLOCK_LENGTH):
        part = slice(start, start + BLOCK_LENGTH)
        value[part], found = function.value_and_derivatives(lags[part], *own)
        for index, target in enumerate(derivatives):
            if index != skipped:
                target[part] = found[index]
    return value, derivatives


class _Sum(Node):
    __slots__ = ("parts", "seen")

    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts
        self.seen: list[Terms] = []

    def forward(self, state: Evaluation) -> Terms:
        self.seen = [part.forward(state) for part in self.parts]
        return added(self.seen, state)

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        for part, terms in zip(self.parts, self.seen, strict=True):
            part.backward(state, {key: adjoints[key] for key in terms})


class _Product(Node):
    """Products of all pairs of terms, folded from the left; partial products are kept for the way back."""

    __slots__ = ("parts", "partial", "seen")

    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts

    def forward(self, state: Evaluation) -> Terms:
        self.seen = [part.forward(state) for part in self.parts]
        self.partial = [self.seen[0]]
        for terms in self.seen[1:]:
            self.partial.append(multiplied(self.partial[-1], terms, state))
        return self.partial[-1]

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        for index in range(len(self.parts) - 1, 0, -1):
            left, right = self.partial[index - 1], self.seen[index]
            self.parts[index].backward(state, product_adjoint(right, left, adjoints, state))
            adjoints = product_adjoint(left, right, adjoints, state)
        self.parts[0].backward(state, adjoints)


class _Change(Node):
    """Change point or window: two profiles that sum to one, each multiplied onto one operand."""

    __slots__ = ("count", "expr", "first", "parts", "pieces", "second", "seen", "start")

    def __init__(self, expr: ChangePoint | ChangeWindow, start: int, parts: list[Node]) -> None:
        self.expr, self.start, self.parts, self.count = expr, start, parts, len(own_parameters(expr))

    def forward(self, state: Evaluation) -> Terms:
        x = state.X[:, column_index(self.expr.column, state.columns)]
        weight, self.pieces = change_weight(self.expr, x, state.values[self.start : self.start + self.count])
        self.first, self.second = state.new_factor(weight), state.new_factor(1.0 - weight)
        self.seen = [part.forward(state) for part in self.parts]
        return {
            **{with_factor(key, self.first): slot for key, slot in self.seen[0].items()},
            **{with_factor(key, self.second): slot for key, slot in self.seen[1].items()},
        }

    def backward(self, state: Evaluation, adjoints: Terms) -> None:
        for part, terms, factor in zip(self.parts, self.seen, (self.first, self.second), strict=True):
            part.backward(state, {key: adjoints[with_factor(key, factor)] for key in terms})
        adjoint = state.adjoints[self.first] - state.adjoints[self.second]
        for index, piece in enumerate(self.pieces, start=self.start):
            state.gradient[index] += float(adjoint @ piece)

"""An expression at given numbers as damped waves between profiles, and the way back to its numbers.

The keys are those of `profiles.Evaluation.terms` for the same expression: factors are numbered in the same order. Of
each term this is ``v`` at lags above zero as waves; its noise, and what profiles and rises depend on, is there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce
from math import prod
from operator import add

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import change_weight
from autostatistician.inference.engines.semiseparable.leaf_waves import LEAF_WAVES, LeafWaves, is_short
from autostatistician.inference.engines.semiseparable.orders import Wanted, graded, leaves, variance
from autostatistician.inference.engines.semiseparable.products import (
    Factor,
    distributed,
    merged,
    numbered,
    placed,
    smooth_factors,
)
from autostatistician.inference.engines.semiseparable.waves import (
    WaveAdjoint,
    Waves,
    joined,
    product,
    product_adjoints,
    some,
    split,
    waves,
)
from autostatistician.inference.engines.terms import Profile, with_factor
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.language.kernel import size
from autostatistician.language.leaves import increments_of, own_parameters

__all__ = ["Between", "between"]

Array = NDArray[np.float64]
INEXACT = {"SE", "RQ", "Deep2", "Deep3", "Deep", "Per"}  # of these there are as many waves as accuracy wants
EXACT = set(LEAF_WAVES) - INEXACT
GRADES, DECADES = 8, 0.6  # as many groups of waves, each over so many decades of their sizes

WaveTerms = dict[Profile, Waves]
Adjoints = dict[Profile, WaveAdjoint]
Back = Callable[[Adjoints], None]
Node = tuple[WaveTerms, Back]


@dataclass(slots=True)
class _State:
    values: tuple[float, ...]
    x: Array
    wanted: Wanted
    gradient: Array
    factors: dict[int, int]  # the number of the (first) factor of what has its own numbers from here on
    context: Array | float = 1.0  # the variance that the node is multiplied with, at the places of `wanted`
    reached: bool = True  # whether all leaves are as accurate as is wanted

    def leaf(self, symbol: str, own: tuple[float, ...], sd: float) -> LeafWaves:
        """The waves of a leaf, as accurate as is wanted here."""
        accuracy, reached = self.wanted.accuracy(symbol, sd**2, self.context)
        if symbol == "SE" and not reached and is_short(own, accuracy.longest):
            accuracy, reached = replace(accuracy, error=0.0), True
        self.reached &= reached or symbol in EXACT
        return LEAF_WAVES[symbol](own, accuracy)


@dataclass(frozen=True, slots=True)
class Between:
    """The waves of every profile, and the way back."""

    terms: WaveTerms
    reached: bool  # whether they are as accurate as was wanted
    _back: Back = field(repr=False)
    _gradient: Array = field(repr=False)

    @property
    def columns(self) -> int:
        """How many they need, without those of rises."""
        return sum(one.columns for one in self.terms.values())

    def backward(self, adjoints: Adjoints) -> Array:
        """The derivatives (p,) by the numbers through waves alone, given those by weights and rates (once only)."""
        self._back(adjoints)
        return self._gradient


def between(expr: Expr, values: tuple[float, ...], x: Array, wanted: Wanted) -> Between:
    """The waves of an expression at its numbers (natural units, preorder) for places x (n,).

    >>> from autostatistician.language.text import parse
    >>> x, values = np.arange(3.0), (2.0, 1.0, 3.0, 0.0, 1.0)
    >>> found = between(parse("Matern12 * Lin + WN"), values, x, Wanted.alike(1e-6, x))
    >>> {key: (one.weight.real.tolist(), one.rate.real.tolist()) for key, one in found.terms.items()}
    {(0,): ([[9.0]], [0.5]), (): ([], [])}
    """
    state = _State(values, x, wanted, np.zeros(len(values)), numbered(expr))
    terms, back = _node(expr, 0, state, multiplied=False)
    return Between(terms, state.reached, back, state.gradient)


def _node(expr: Expr, start: int, state: _State, *, multiplied: bool) -> Node:
    match expr:
        case Leaf(symbol="C"):
            return _constant((), state.values[start] ** 2, start, state)
        case Leaf(symbol="Lin"):
            return _constant((state.factors[start],), state.values[start] ** 2, start, state)
        case Leaf(symbol=symbol) if increments_of(symbol):
            return _walk(expr, start, state, multiplied)
        case Leaf(symbol=symbol):
            own = state.values[start : start + size(expr)]
            return _of_leaf({}, state.leaf(symbol, own, _sd(expr, own)), start, state)
        case Sum(terms=parts):
            return _sum(_nodes(parts, start, state, multiplied=multiplied))
        case Product(factors=parts):
            monomials = distributed(expr, start)
            if any(len(smooth_factors(one)) > 1 for one in monomials):
                return _sum([_product(merged(one), state) for one in monomials])
            return _product(placed(parts, start), state)
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            factors = state.factors[start], state.factors[start] + 1
            inner = start + len(own_parameters(expr))
            saved, found = state.context, []
            weight, _ = change_weight(expr, state.wanted.x, state.values[start:inner])
            for part, at, share in ((first, inner, weight), (second, inner + size(first), 1.0 - weight)):
                state.context = saved * share**2
                found.append(_node(part, at, state, multiplied=multiplied))
            state.context = saved
            return _change(factors, found)


def _nodes(parts: tuple[Expr, ...], start: int, state: _State, *, multiplied: bool) -> list[Node]:
    return [_node(part.expr, part.starts[0], state, multiplied=multiplied) for part in placed(parts, start)]


def _constant(key: Profile, variance: float, start: int, state: _State) -> Node:
    found = waves([variance], [0.0], real=True)
    return _of_leaf({}, (found, [(2.0 * found.weight, found.rate)]), start, state, key)


def _walk(expr: Leaf, start: int, state: _State, multiplied: bool) -> Node:
    """Within a product the rises are two profiles (see `profiles`), whose size is only a unit: it has no derivative."""
    *own, location = state.values[start : start + size(expr)]
    sized: WaveTerms = {}
    if multiplied:
        function = increments_of(expr.symbol)
        assert function is not None
        most = float(function.value(np.abs(state.x - location), *own).max()) or 1.0
        first = state.factors[start]
        sized = {(first + i,): waves([sign * 0.5 * most], [0.0], real=True) for i, sign in enumerate((1.0, -1.0))}
    return _of_leaf(sized, state.leaf(expr.symbol, tuple(own), 1.0), start, state)


def _of_leaf(others: WaveTerms, leaf: LeafWaves, start: int, state: _State, key: Profile = ()) -> Node:
    found, moved = leaf

    def back(adjoints: Adjoints) -> None:
        by = adjoints[key]
        for index, (weight, rate) in enumerate(moved, start=start):
            state.gradient[index] += float(((by.weight * weight).sum() + by.rate @ rate).real)

    return {**others, key: found}, back


def _sum(nodes: list[Node]) -> Node:
    having: dict[Profile, list[int]] = {}
    for index, (terms, _) in enumerate(nodes):
        for key in terms:
            having.setdefault(key, []).append(index)
    found = {key: joined([nodes[index][0][key] for index in which]) for key, which in having.items()}

    def back(adjoints: Adjoints) -> None:
        own: list[Adjoints] = [{} for _ in nodes]
        for key, which in having.items():
            for index, by in zip(which, split(adjoints[key], [nodes[i][0][key] for i in which]), strict=True):
                own[index][key] = by
        for (_, below), by_terms in zip(nodes, own, strict=True):
            below(by_terms)

    return found, back


def _factor(factor: Factor, state: _State) -> Node:
    """The node of a factor of a product."""
    if len(factor.starts) == 1:
        return _node(factor.expr, factor.starts[0], state, multiplied=True)
    own = _numbers_of(factor, state)
    found, (by_lengthscale, by_sd) = state.leaf("SE", own, own[1])

    def back(adjoints: Adjoints) -> None:
        by = adjoints[()]
        for start in factor.starts:
            share = (own[0] / state.values[start]) ** 2
            for index, (weight, rate), times in ((start, by_lengthscale, share), (start + 1, by_sd, 1.0)):
                state.gradient[index] += times * float(((by.weight * weight).sum() + by.rate @ rate).real)

    return {(): found}, back


def _numbers_of(factor: Factor, state: _State) -> tuple[float, float]:
    """Lengthscale and sd of a product of squared exponentials."""
    precision = sum(state.values[start] ** -2 for start in factor.starts)
    return precision**-0.5, prod(state.values[start + 1] for start in factor.starts)


def _product(parts: list[Factor], state: _State) -> Node:
    """Of factors.

    A factor of cosines stands for itself first: the others need the less accuracy the smaller the cosines are.
    """
    cosines = next((one for one in parts if len(parts) > 1 and graded(one.expr) and "Per" in leaves(one.expr)), None)
    saved = state.context
    if cosines is None:
        found = None
        for part in parts:
            state.context = saved * _others(parts, part, state)
            node = _factor(part, state)
            found = node if found is None else _times(found, node)
        state.context = saved
        assert found is not None
        return found
    rest = [part for part in parts if part is not cosines]
    state.context = saved * _others(parts, cosines, state)
    node, by, groups = _factor(cosines, state), [], []
    whole = node[0][()]
    inexact = any(leaves(part.expr) & INEXACT for part in rest)
    for which in _grades(whole) if inexact else [np.arange(len(whole.rate))]:
        share, own = some(whole, which), whole.empty()
        by.append(own)
        state.context = saved * float(np.abs(share.weight).sum())
        groups.append(_times(({(): share}, _kept(own, which)), _product(rest, state)))
    state.context = saved
    terms, below = _sum(groups)

    def back(adjoints: Adjoints) -> None:
        below(adjoints)
        node[1]({(): reduce(add, by)})

    return terms, back


def _kept(by: WaveAdjoint, which: NDArray[np.intp]) -> Back:
    def back(adjoints: Adjoints) -> None:
        by.weight[which] += adjoints[()].weight
        by.rate[which] += adjoints[()].rate

    return back


def _grades(waves: Waves) -> list[NDArray[np.intp]]:
    """Which waves are about as large, the large ones first."""
    sizes = np.abs(waves.weight).sum(1)
    with np.errstate(divide="ignore"):
        grade = np.minimum(-np.log10(sizes / sizes.max(initial=0.0)) / DECADES, GRADES - 1).astype(np.intp)
    return [np.flatnonzero(grade == one) for one in sorted(set(grade.tolist()))]


def _others(parts: list[Factor], but: Factor, state: _State) -> Array | float:
    """The variance of the product of all factors but one."""
    found: Array | float = 1.0
    for part in parts:
        if part is not but:
            for start in part.starts:
                found = found * variance(part.expr, state.values, start, state.wanted.x)
    return found


def _sd(expr: Leaf, own: tuple[float, ...]) -> float:
    """The one among the numbers of a leaf; zero for those without."""
    return next((value for (name, _), value in zip(own_parameters(expr), own, strict=True) if name == "sd"), 0.0)


def _times(left: Node, right: Node) -> Node:
    """All pairs of terms, of which those between the same profiles are added."""
    pairs = [(tuple(sorted(key + other)), key, other) for key in left[0] for other in right[0]]
    products: list[Node] = [({key: product(left[0][one], right[0][other])}, _nothing) for key, one, other in pairs]
    terms, _ = _sum(products)

    def back(adjoints: Adjoints) -> None:
        by_left: dict[Profile, WaveAdjoint] = {}
        by_right: dict[Profile, WaveAdjoint] = {}
        for key in terms:
            met = [
                (one, other, found[key])
                for (k, one, other), (found, _) in zip(pairs, products, strict=True)
                if k == key
            ]
            shares = split(adjoints[key], [found for _, _, found in met])
            for (one, other, _), share in zip(met, shares, strict=True):
                by_one, by_other = product_adjoints(left[0][one], right[0][other], share)
                by_left[one] = _plus(by_left.get(one), by_one)
                by_right[other] = _plus(by_right.get(other), by_other)
        left[1](by_left)
        right[1](by_right)

    return terms, back


def _plus(one: WaveAdjoint | None, other: WaveAdjoint) -> WaveAdjoint:
    return other if one is None else one + other


def _nothing(adjoints: Adjoints) -> None:
    """Terms of a product have no numbers of their own."""


def _change(factors: tuple[int, int], nodes: list[Node]) -> Node:
    found = {
        with_factor(key, factor): term
        for factor, (terms, _) in zip(factors, nodes, strict=True)
        for key, term in terms.items()
    }

    def back(adjoints: Adjoints) -> None:
        for factor, (terms, below) in zip(factors, nodes, strict=True):
            below({key: adjoints[with_factor(key, factor)] for key in terms})

    return found, back

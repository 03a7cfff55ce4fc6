"""An expression at given parameters as exponential terms between profiles, and the way back to its parameters.

The keys are those of `profiles.Evaluation.terms` for the same expression: factors have the same numbers. Of
each term this is ``v`` at lags above zero as exponential terms; its noise, and what profiles and
rises depend on, is there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from math import prod
from operator import add

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.profiles import Evaluation, Profile, with_factor
from autostatistician.gp.engines.semiseparable.exponentials import (
    ExponentialsAdjoint,
    PlacedFactor,
    Wanted,
    distributed,
    factors_of,
    graded,
    has_harmonics,
    is_approximate,
    merged,
    product,
    product_adjoints,
    smooth_factors,
    some,
    split,
)
from autostatistician.kernels.evaluators import change_weights
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import size
from autostatistician.kernels.lag_functions import Exponentials, LeafTerms, joined
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES, is_leaf_of, own_parameters, placed

__all__ = ["Between", "between"]

Array = NDArray[np.float64]
GRADES, DECADES = 8, 0.6  # as many groups of terms, each over so many decades of their sizes

ProfiledTerms = dict[Profile, Exponentials]
Adjoints = dict[Profile, ExponentialsAdjoint]
Back = Callable[[Adjoints], None]
Written = tuple[ProfiledTerms, Back]


@dataclass(slots=True)
class _State:
    values: tuple[float, ...]
    x: Array
    wanted: Wanted
    gradient: Array
    factors: dict[int, int]  # the number of the (first) factor of what has its own parameters from here on
    context: Array | float = 1.0  # the variance that the node is multiplied with, at the inputs of `wanted`
    reached: bool = True  # whether all leaves are as accurate as is wanted

    def leaf(self, leaf: Leaf, values: tuple[float, ...], sd: float) -> LeafTerms:
        """The terms of a leaf, as accurate as is wanted here."""
        form = LEAVES[leaf.symbol].state_space
        assert form is not None  # see `can_write`
        accuracy, reached = self.wanted.accuracy(form, values, sd**2, self.context)
        self.reached &= reached or form.finest is None
        return form.terms(values, accuracy)


@dataclass(frozen=True, slots=True)
class Between:
    """The exponential terms of every profile, and the way back."""

    terms: ProfiledTerms
    reached: bool  # whether they are as accurate as was wanted
    _back: Back = field(repr=False)
    _gradient: Array = field(repr=False)

    @property
    def columns(self) -> int:
        """How many they need, without those of rises."""
        return sum(terms.columns for terms in self.terms.values())

    def backward(self, adjoints: Adjoints) -> Array:
        """The derivatives (p,) by the parameters through these terms alone, given those by the terms (once only)."""
        self._back(adjoints)
        return self._gradient


def between(expr: Expr, evaluation: Evaluation, x: Array, wanted: Wanted) -> Between:
    """The exponential terms of an expression at the parameters of an evaluation of it, for inputs x (n,).

    >>> from autostatistician.gp.engines.profiles import compiled, evaluate
    >>> from autostatistician.gp.engines.semiseparable.layout import laid_out
    >>> from autostatistician.kernels.text import parse
    >>> x, values = np.arange(3.0), (2.0, 1.0, 3.0, 0.0, 1.0)
    >>> expr, where = parse("Matern12 * Lin + WN"), laid_out(x)
    >>> found = between(expr, evaluate(compiled(expr), values, x[:, None], where, ("x",), []), x, Wanted.alike(1e-6, x))
    >>> {key: (one.weight.real.tolist(), one.rate.real.tolist()) for key, one in found.terms.items()}
    {(0,): ([[9.0]], [0.5]), (): ([], [])}
    """
    values = evaluation.values
    state = _State(values, x, wanted, np.zeros(len(values)), evaluation.numbers)
    terms, back = _node(expr, 0, state, multiplied=False)
    return Between(terms, state.reached, back, state.gradient)


def _node(expr: Expr, start: int, state: _State, *, multiplied: bool) -> Written:
    match expr:
        case Leaf() if is_leaf_of(expr, LeafKind.ZERO):
            return {}, _nothing
        case Leaf() if is_leaf_of(expr, LeafKind.LINE):
            return _of_leaf(
                {}, state.leaf(expr, state.values[start : start + 1], 0.0), start, state, (state.factors[start],)
            )
        case Leaf(symbol=symbol) if LEAVES[symbol].of_increments:
            return _walk(expr, start, state, multiplied)
        case Leaf():
            values = state.values[start : start + size(expr)]
            return _of_leaf({}, state.leaf(expr, values, _sd(expr, values)), start, state)
        case Sum():
            return _sum([_node(part, at, state, multiplied=multiplied) for part, at in placed(expr, start)])
        case Product():
            monomials = distributed(expr, start)
            if any(len(smooth_factors(monomial)) > 1 for monomial in monomials):
                return _sum([_product(merged(monomial), state) for monomial in monomials])
            return _product(factors_of(expr, start), state)
        case ChangePoint() | ChangeWindow():
            factors = state.factors[start], state.factors[start] + 1
            saved, operands = state.context, []
            weights = change_weights(expr, state.wanted.x, state.values[start : start + len(own_parameters(expr))])
            for (part, at), share in zip(placed(expr, start), weights, strict=True):
                state.context = saved * share**2
                operands.append(_node(part, at, state, multiplied=multiplied))
            state.context = saved
            return _change(factors, operands)


def _walk(expr: Leaf, start: int, state: _State, multiplied: bool) -> Written:
    """Within a product the rises are two profiles (see `profiles`), whose size is only a unit: it has no derivative."""
    *values, location = state.values[start : start + size(expr)]
    sized: ProfiledTerms = {}
    if multiplied:
        function = LEAVES[expr.symbol].of_increments
        assert function is not None
        most = float(function.value(np.abs(state.x - location), *values).max()) or 1.0
        first = state.factors[start]
        sized = {
            (first + i,): Exponentials.of([sign * 0.5 * most], [0.0], real=True) for i, sign in enumerate((1.0, -1.0))
        }
    return _of_leaf(sized, state.leaf(expr, tuple(values), 1.0), start, state)


def _of_leaf(others: ProfiledTerms, leaf: LeafTerms, start: int, state: _State, key: Profile = ()) -> Written:
    terms, derivatives = leaf

    def back(adjoints: Adjoints) -> None:
        for index, derivative in enumerate(derivatives, start=start):
            state.gradient[index] += adjoints[key].along(derivative)

    return {**others, key: terms}, back


def _sum(nodes: list[Written]) -> Written:
    having: dict[Profile, list[int]] = {}
    for index, (terms, _) in enumerate(nodes):
        for key in terms:
            having.setdefault(key, []).append(index)
    total = {key: joined([nodes[index][0][key] for index in which]) for key, which in having.items()}

    def back(adjoints: Adjoints) -> None:
        by_node: list[Adjoints] = [{} for _ in nodes]
        for key, which in having.items():
            for index, by in zip(which, split(adjoints[key], [nodes[i][0][key] for i in which]), strict=True):
                by_node[index][key] = by
        for (_, below), by_terms in zip(nodes, by_node, strict=True):
            below(by_terms)

    return total, back


def _factor(factor: PlacedFactor, state: _State) -> Written:
    """A factor of a product."""
    if len(factor.starts) == 1 or not isinstance(factor.expr, Leaf):
        return _node(factor.expr, factor.starts[0], state, multiplied=True)
    values = _values_of(factor, state)
    terms, (by_lengthscale, by_sd) = state.leaf(factor.expr, values, values[1])

    def back(adjoints: Adjoints) -> None:
        by = adjoints[()]
        for start in factor.starts:
            state.gradient[start] += (values[0] / state.values[start]) ** 2 * by.along(by_lengthscale)
            state.gradient[start + 1] += by.along(by_sd)

    return {(): terms}, back


def _values_of(factor: PlacedFactor, state: _State) -> tuple[float, float]:
    """Lengthscale and sd of a product of squared exponentials."""
    precision = sum(state.values[start] ** -2 for start in factor.starts)
    return precision**-0.5, prod(state.values[start + 1] for start in factor.starts)


def _product(parts: list[PlacedFactor], state: _State) -> Written:
    """Of factors.

    A factor of cosines stands for itself first: the others need the less accuracy the smaller the cosines are.
    """
    cosines = next((p for p in parts if len(parts) > 1 and graded(p.expr) and has_harmonics(p.expr)), None)
    saved = state.context
    if cosines is None:
        written = None
        for part in parts:
            state.context = saved * _others(parts, part, state)
            node = _factor(part, state)
            written = node if written is None else _times(written, node)
        state.context = saved
        assert written is not None
        return written
    rest = [part for part in parts if part is not cosines]
    state.context = saved * _others(parts, cosines, state)
    node, by, groups = _factor(cosines, state), [], []
    whole = node[0][()]
    inexact = any(is_approximate(part.expr) for part in rest)
    for which in _grades(whole) if inexact else [np.arange(len(whole.rate))]:
        share, adjoint = some(whole, which), ExponentialsAdjoint.zero(whole)
        by.append(adjoint)
        state.context = saved * float(np.abs(share.weight).sum())
        groups.append(_times(({(): share}, _kept(adjoint, which)), _product(rest, state)))
    state.context = saved
    terms, below = _sum(groups)

    def back(adjoints: Adjoints) -> None:
        below(adjoints)
        node[1]({(): reduce(add, by)})

    return terms, back


def _kept(by: ExponentialsAdjoint, which: NDArray[np.intp]) -> Back:
    def back(adjoints: Adjoints) -> None:
        by.weight[which] += adjoints[()].weight
        by.rate[which] += adjoints[()].rate

    return back


def _grades(terms: Exponentials) -> list[NDArray[np.intp]]:
    """Which terms are about as large, the large ones first."""
    sizes = np.abs(terms.weight).sum(1)
    with np.errstate(divide="ignore"):
        grade = np.minimum(-np.log10(sizes / sizes.max(initial=0.0)) / DECADES, GRADES - 1).astype(np.intp)
    return [np.flatnonzero(grade == level) for level in sorted(set(grade.tolist()))]


def _others(parts: list[PlacedFactor], but: PlacedFactor, state: _State) -> Array | float:
    """The variance of the product of all factors but one."""
    variance: Array | float = 1.0
    for part in parts:
        if part is not but:
            for start in part.starts:
                variance = variance * state.wanted.variance(part.expr, state.values, start)
    return variance


def _sd(expr: Leaf, values: tuple[float, ...]) -> float:
    """The sd among the parameters of a leaf; zero for those without."""
    return next((value for (name, _), value in zip(own_parameters(expr), values, strict=True) if name == "sd"), 0.0)


def _times(left: Written, right: Written) -> Written:
    """All pairs of terms, of which those between the same profiles are added."""
    pairs = [(tuple(sorted(key + other)), key, other) for key in left[0] for other in right[0]]
    products: list[Written] = [
        ({key: product(left[0][first], right[0][other])}, _nothing) for key, first, other in pairs
    ]
    terms, _ = _sum(products)

    def back(adjoints: Adjoints) -> None:
        by_left: dict[Profile, ExponentialsAdjoint] = {}
        by_right: dict[Profile, ExponentialsAdjoint] = {}
        for key in terms:
            met = [
                (first, other, factors[key])
                for (k, first, other), (factors, _) in zip(pairs, products, strict=True)
                if k == key
            ]
            shares = split(adjoints[key], [factors for _, _, factors in met])
            for (first, other, _), share in zip(met, shares, strict=True):
                by_one, by_other = product_adjoints(left[0][first], right[0][other], share)
                by_left[first] = _plus(by_left.get(first), by_one)
                by_right[other] = _plus(by_right.get(other), by_other)
        left[1](by_left)
        right[1](by_right)

    return terms, back


def _plus(first: ExponentialsAdjoint | None, other: ExponentialsAdjoint) -> ExponentialsAdjoint:
    return other if first is None else first + other


def _nothing(adjoints: Adjoints) -> None:
    """Terms of a product have no parameters of their own."""


def _change(factors: tuple[int, int], nodes: list[Written]) -> Written:
    exponentials = {
        with_factor(key, factor): term
        for factor, (terms, _) in zip(factors, nodes, strict=True)
        for key, term in terms.items()
    }

    def back(adjoints: Adjoints) -> None:
        for factor, (terms, below) in zip(factors, nodes, strict=True):
            below({key: adjoints[with_factor(key, factor)] for key in terms})

    return exponentials, back

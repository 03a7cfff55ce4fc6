"""Products and parts of sums of exponential terms, and the way back.

Adjoints are complex: with that of a number z called G, the value changes by ``Re(G dz)``.

How accurate the exponential terms of each leaf must be, and how many columns they may become.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product as choices_of
from math import prod

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.profiles import Evaluation
from autostatistician.gp.engines.semiseparable.layout import BlockLayout
from autostatistician.kernels.covariance import variances
from autostatistician.kernels.expr import Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import operands, placed
from autostatistician.kernels.lag_functions import Accuracy, Derivative, Exponentials, StateSpace
from autostatistician.kernels.leaf_row import LeafKind, LeafRow
from autostatistician.kernels.leaves import LEAVES, is_leaf_of, nodes_of

__all__ = [
    "COMPARED", "ExponentialsAdjoint", "PlacedFactor", "Wanted", "can_write", "distributed", "expected_columns",
    "factors_of", "graded", "has_harmonics", "is_approximate", "merged", "product", "product_adjoints",
    "smooth_factors", "some", "split", "wanted",
]  # fmt: skip


Array = NDArray[np.float64]

Complex = NDArray[np.complex128]


@dataclass(frozen=True, slots=True)
class ExponentialsAdjoint:
    """Derivatives by weight (A, D) and rate (A,)."""

    weight: Complex
    rate: Complex

    def __add__(self, other: ExponentialsAdjoint) -> ExponentialsAdjoint:
        return ExponentialsAdjoint(self.weight + other.weight, self.rate + other.rate)

    def along(self, derivative: Derivative) -> float:
        """The derivative by what weights and rates have this one by."""
        weight, rate = derivative
        return float(((self.weight * weight).sum() + self.rate @ rate).real)

    @classmethod
    def zero(cls, of: Exponentials) -> ExponentialsAdjoint:
        """That of what changes nothing."""
        return cls(np.zeros_like(of.weight), np.zeros_like(of.rate))


def some(whole: Exponentials, which: NDArray[np.intp]) -> Exponentials:
    """A part of the sum."""
    return Exponentials(whole.weight[which], whole.rate[which], whole.real[which], whole.degree[which])


def split(adjoint: ExponentialsAdjoint, parts: list[Exponentials]) -> list[ExponentialsAdjoint]:
    """The adjoints of the parts of a sum."""
    shares, start = [], 0
    for part in parts:
        rows = slice(start, start := start + len(part.rate))
        shares.append(ExponentialsAdjoint(adjoint.weight[rows, : part.weight.shape[1]], adjoint.rate[rows]))
    return shares


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Which term meets which: two with frequencies give the half of their product, and with one turned back."""

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    turned: NDArray[np.bool_]
    share: Array


def _pairs(left: Exponentials, right: Exponentials) -> _Pairs:
    return _met(left.real.tobytes(), right.real.tobytes())


@lru_cache(maxsize=1024)
def _met(left: bytes, right: bytes) -> _Pairs:
    """By which terms have no frequency: whatever their parameters are."""
    steady, other = np.frombuffer(left, bool), np.frombuffer(right, bool)
    i, j = (index.ravel() for index in np.indices((len(steady), len(other))))
    both = ~(steady[i] | other[j])
    turned = np.concatenate([np.zeros(len(i), bool), np.ones(int(both.sum()), bool)])
    share = np.where(np.concatenate([both, both[both]]), 0.5, 1.0)
    return _Pairs(np.concatenate([i, i[both]]), np.concatenate([j, j[both]]), turned, share[:, None])


def product(left: Exponentials, right: Exponentials) -> Exponentials:
    """The product, ``Re(a) Re(b) = Re(a b) / 2 + Re(a b*) / 2``.

    >>> slow, quick = (Exponentials.of([1.0], [rate], real=False) for rate in (2j, 3j))
    >>> beat = product(slow, quick)
    >>> beat.rate.imag.tolist(), beat.at(np.array([0.5])).round(6).tolist(), round(float(np.cos(1.0) * np.cos(1.5)), 6)
    ([5.0, -1.0], [0.038219], 0.038219)
    """
    met = _pairs(left, right)
    first, second = left.weight[met.left] * met.share, _turned(right.weight[met.right], met.turned)
    weight = np.zeros((len(first), first.shape[1] + second.shape[1] - 1), complex)
    for k in range(first.shape[1]):
        weight[:, k : k + second.shape[1]] += first[:, k, None] * second
    rate = left.rate[met.left] + _turned(right.rate[met.right], met.turned)
    return Exponentials(
        weight, rate, left.real[met.left] & right.real[met.right], left.degree[met.left] + right.degree[met.right]
    )


def product_adjoints(
    left: Exponentials, right: Exponentials, adjoint: ExponentialsAdjoint
) -> tuple[ExponentialsAdjoint, ExponentialsAdjoint]:
    """Those of both factors, given that of the product."""
    met = _pairs(left, right)
    first, second = left.weight[met.left], _turned(right.weight[met.right], met.turned)
    up = adjoint.weight * met.share
    by_first, by_second = np.zeros_like(first), np.zeros_like(second)
    for k in range(first.shape[1]):
        window = up[:, k : k + second.shape[1]]
        by_first[:, k] = (window * second).sum(1)
        by_second += window * first[:, k, None]
    return (
        ExponentialsAdjoint(_sums(met.left, by_first, len(left.rate)), _sums(met.left, adjoint.rate, len(left.rate))),
        ExponentialsAdjoint(
            _sums(met.right, _turned(by_second, met.turned), len(right.rate)),
            _sums(met.right, _turned(adjoint.rate, met.turned), len(right.rate)),
        ),
    )


def _sums(index: NDArray[np.intp], values: Complex, count: int) -> Complex:
    """Of the values (P,) or (P, D) that go to each of some terms."""
    sums = np.zeros((count, *values.shape[1:]), complex)
    if values.ndim == 2 and values.shape[1] == 1:
        np.add.at(sums[:, 0], index, values[:, 0])
    else:
        np.add.at(sums, index, values)
    return sums


def _turned(values: Complex, which: NDArray[np.bool_]) -> Complex:
    """The conjugates of some rows."""
    return np.where(which if values.ndim == 1 else which[:, None], values.conj(), values)


# --- The factors of products: where their parameters are, and products of sums as sums of products ------------------


@dataclass(frozen=True, slots=True)
class PlacedFactor:
    """A factor and where its parameters begin; several places for squared exponentials whose product is one again."""

    expr: Expr
    starts: tuple[int, ...]


def factors_of(expr: Expr, start: int) -> list[PlacedFactor]:
    """The factors of a product whose parameters begin at a place."""
    return [PlacedFactor(part, (at,)) for part, at in placed(expr, start)]


@lru_cache(maxsize=1024)
def distributed(expr: Expr, start: int) -> list[list[PlacedFactor]]:
    """A product of sums as a sum of products.

    >>> from autostatistician.kernels.text import parse
    >>> [[part.starts for part in one] for one in distributed(parse("SE * (C + SE)"), 0)]
    [[(0,), (2,)], [(0,), (3,)]]
    """
    match expr:
        case Sum():
            return [factor for part, at in placed(expr, start) for factor in distributed(part, at)]
        case Product():
            choices = [distributed(part, at) for part, at in placed(expr, start)]
            return [[factor for chosen in several for factor in chosen] for several in choices_of(*choices)]
        case _:
            return [[PlacedFactor(expr, (start,))]]


def smooth_factors(parts: list[PlacedFactor]) -> list[PlacedFactor]:
    """The squared exponentials among factors."""
    return [part for part in parts if isinstance(part.expr, Leaf) and part.expr.symbol == "SE"]


def merged(parts: list[PlacedFactor]) -> list[PlacedFactor]:
    """With one squared exponential in place of several."""
    smooth = smooth_factors(parts)
    if len(smooth) < 2:
        return parts
    starts = tuple(part.starts[0] for part in smooth)
    return [part for part in parts if part not in smooth] + [PlacedFactor(smooth[0].expr, starts)]


NATS = 0.05  # by which the evidence may err
# The part of the estimate below that is reached: errors of fits change their sign from lag to lag, but a left-out
# harmonic moves the evidence in full.
OF_FITS, OF_HARMONICS = 0.7, 2.0
COMPARED = 64  # at which variances are compared with noise
NO_NOISE = 1e-200
COARSEST = 0.02  # error of a leaf
# The part of the columns of leaves that small harmonics want of other factors.
OF_SMALL_HARMONICS = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """How accurate leaves must be for the evidence to be so.

    An error E of the covariance moves the evidence by ``(tr(K^-1 E) - alpha' E alpha) / 2``, each term of which is
    about the sum over all inputs of the size of E over the noise.
    """

    x: Array  # (S,): some of the inputs
    weight: Array  # (S,): what a unit of error at all inputs alike costs through these, in parts of what is allowed
    shortest: float  # lags
    longest: float
    columns: tuple[str, ...] = ("x",)

    @classmethod
    def alike(cls, error: float, x: Array) -> Wanted:
        """The same error of a unit of variance everywhere."""
        gaps = np.diff(np.unique(x))
        return cls(x[:1], np.array([1.0 / (OF_FITS * error)]), float(gaps.min(initial=np.inf)), float(np.ptp(x)))

    def finer(self, times: float) -> Wanted:
        """The same with smaller errors."""
        return replace(self, weight=times * self.weight)

    def variance(self, expr: Expr, values: tuple[float, ...], start: int) -> Array | float:
        """The variance of an expression at the inputs but for noise; its parameters begin at ``start``."""
        return variances(expr, values, self.x[:, None], self.columns, start).signal

    def accuracy(
        self, form: StateSpace, values: tuple[float, ...], variance: float, context: Array | float
    ) -> tuple[Accuracy, bool]:
        """What is asked of a leaf that ``context`` (S,) is multiplied with, and whether it can be that accurate."""
        share = OF_HARMONICS if form.harmonics else OF_FITS
        times = self.weight @ context if isinstance(context, np.ndarray) else self.weight.sum() * context
        cost = share * variance * float(times)
        finest = 0.0 if form.finest is None else form.finest(values, self.longest)
        error = min(1.0 / cost, COARSEST) if cost > 0.0 else COARSEST
        return Accuracy(max(error, finest), self.shortest, self.longest), bool(error >= finest)


def wanted(state: Evaluation, where: BlockLayout, n: int | None = None, *, least_noise: float = 0.0) -> Wanted:
    """What moves the evidence by at most `NATS`, for the noise of an evaluation and the least of rows by themselves.

    That is at the inputs of a layout, or at some of ``n`` inputs.
    """
    some = len(state.X) - 1 - np.unique(np.linspace(0.0, len(where.x) - 1.0, COMPARED).astype(np.intp))[::-1]
    noise = np.full(len(some), least_noise)
    for key, slot in state.terms.items():
        if slot.d:
            noise += slot.d * np.prod([state.factors[index][some] ** 2 for index in key], axis=0)
    weight = (n or len(where.x)) / (NATS * len(some)) / np.maximum(noise, NO_NOISE)
    return Wanted(state.X[some, 0], weight, where.shortest, 2.0 * where.unit, state.columns)


def _rows(expr: Expr) -> list[LeafRow]:
    """Those of the leaves of an expression."""
    return [LEAVES[node.symbol] for node in nodes_of(expr) if isinstance(node, Leaf)]


def has_harmonics(expr: Expr) -> bool:
    """Whether some leaf of it is a series of cosines, of which small ones are left out."""
    return any(row.state_space is not None and row.state_space.harmonics for row in _rows(expr))


def is_approximate(expr: Expr) -> bool:
    """Whether some leaf of it has as many terms as accuracy wants."""
    return any(row.state_space is not None and row.state_space.finest is not None for row in _rows(expr))


def graded(expr: Expr) -> bool:
    """Whether it is made of cosines, each with a size of its own.

    >>> from autostatistician.kernels.text import parse
    >>> [graded(parse(text)) for text in ("Per", "C + Per", "C + SE", "CP(C, Per)")]
    [True, True, False, False]
    """
    even = LeafKind.CYCLIC, LeafKind.CONSTANT, LeafKind.NOISE, LeafKind.ZERO
    return all(isinstance(node, Sum | Product) or is_leaf_of(node, *even) for node in nodes_of(expr))


def can_write(expr: Expr) -> bool:
    """Whether all leaves have exponential terms."""
    return all(row.state_space is not None for row in _rows(expr))


def expected_columns(expr: Expr) -> int:
    """The columns of an expression with moderate parameters.

    >>> from autostatistician.kernels.text import parse
    >>> expected_columns(parse("SE * Per + Lin + WN"))
    60
    """
    match expr:
        case Leaf(symbol=symbol):
            form = LEAVES[symbol].state_space
            assert form is not None  # see `can_write`
            return form.columns
        case Product():
            return sum(_expected_of_factors(merged(monomial)) for monomial in distributed(expr, 0))
        case _:
            return sum(map(expected_columns, operands(expr)))


def _expected_of_factors(factors: list[PlacedFactor]) -> int:
    counts = [expected_columns(factor.expr) for factor in factors]
    cosines = max((expected_columns(factor.expr) for factor in factors if has_harmonics(factor.expr)), default=0)
    of_others = prod(counts) / max(cosines, 1)
    return round(cosines * max(1.0, OF_SMALL_HARMONICS * of_others) if cosines and of_others else prod(counts))

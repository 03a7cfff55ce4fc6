"""How accurate the exponential terms of each leaf must be, and how many columns they may become."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.profiles import Evaluation
from autostatistician.gp.engines.semiseparable.layout import BlockLayout
from autostatistician.gp.engines.semiseparable.term_products import PlacedFactor, distributed, merged
from autostatistician.kernels.covariance import variances
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import operands
from autostatistician.kernels.leaf_row import LeafKind, LeafRow
from autostatistician.kernels.leaves import LEAVES, is_leaf_of
from autostatistician.kernels.state_space import Accuracy, StateSpace

__all__ = [
    "COMPARED", "Wanted", "can_write", "expected_columns", "graded", "has_harmonics", "is_approximate",
    "wanted",
]  # fmt: skip

Array = NDArray[np.float64]

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
    if isinstance(expr, Leaf):
        return [LEAVES[expr.symbol]]
    return [row for part in operands(expr) for row in _rows(part)]


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
    match expr:
        case Leaf():
            return is_leaf_of(expr, LeafKind.CYCLIC, LeafKind.CONSTANT, LeafKind.NOISE, LeafKind.ZERO)
        case Sum() | Product():
            return all(map(graded, operands(expr)))
        case _:
            return False


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
        case Sum(terms=parts):
            return sum(map(expected_columns, parts))
        case Product():
            return sum(_expected_of_factors(merged(monomial)) for monomial in distributed(expr, 0))
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            return expected_columns(first) + expected_columns(second)


def _expected_of_factors(factors: list[PlacedFactor]) -> int:
    counts = [expected_columns(factor.expr) for factor in factors]
    cosines = max((expected_columns(factor.expr) for factor in factors if has_harmonics(factor.expr)), default=0)
    of_others = prod(counts) / max(cosines, 1)
    return round(cosines * max(1.0, OF_SMALL_HARMONICS * of_others) if cosines and of_others else prod(counts))

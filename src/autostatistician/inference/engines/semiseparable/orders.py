"""How accurate the waves of each leaf must be, and how many columns they may become."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from operator import mul

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import change_weight
from autostatistician.inference.engines.profiles import Evaluation
from autostatistician.inference.engines.semiseparable.cut import Cut
from autostatistician.inference.engines.semiseparable.leaf_waves import FINEST, Accuracy
from autostatistician.inference.engines.semiseparable.products import Factor, distributed, merged
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.language.kernel import size
from autostatistician.language.leaves import increments_of, own_parameters

__all__ = ["FITTED", "PLACES", "Wanted", "can_write", "expected_columns", "graded", "leaves", "variance", "wanted"]

Array = NDArray[np.float64]

NATS = 0.05  # by which the evidence may err
# The part of the estimate below that is reached: errors of fits change their sign from lag to lag, but a left-out
# harmonic moves the evidence in full.
OF_FITS, OF_HARMONICS = 0.7, 2.0
PLACES = 64  # at which variances are compared with noise
NO_NOISE = 1e-200
FINEST_FITTED, COARSEST = 1e-8, 0.02  # errors of leaves that can be asked for
FITTED = {"RQ", "Deep2", "Deep3", "Deep"}
# Columns of leaves with moderate numbers and noise, and the part of them that small harmonics want of other factors.
_COLUMNS = {
    "C": 1, "Lin": 1, "SE": 7, "RQ": 13, "Deep2": 13, "Deep3": 13, "Deep": 13, "Matern12": 1, "Matern32": 2, "Cos": 2,
    "Per": 14, "Wiener": 3, "IOU": 4, "WN": 0, "0": 0,
}  # fmt: skip
OF_SMALL_HARMONICS = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """How accurate leaves must be for the evidence to be so.

    An error E of the covariance moves the evidence by ``(tr(K^-1 E) - alpha' E alpha) / 2``, each term of which is
    about the sum over all places of the size of E over the noise.
    """

    x: Array  # (S,): some of the places
    weight: Array  # (S,): what a unit of error at all places alike costs through these, in parts of what is allowed
    shortest: float  # lags
    longest: float

    @classmethod
    def alike(cls, error: float, x: Array) -> Wanted:
        """The same error of a unit of variance everywhere."""
        gaps = np.diff(np.unique(x))
        return cls(x[:1], np.array([1.0 / (OF_FITS * error)]), float(gaps.min(initial=np.inf)), float(np.ptp(x)))

    def finer(self, times: float) -> Wanted:
        """The same with smaller errors."""
        return replace(self, weight=times * self.weight)

    def accuracy(self, symbol: str, variance: float, context: Array | float) -> tuple[Accuracy, bool]:
        """What is asked of a leaf that ``context`` (S,) is multiplied with, and whether it can be that accurate."""
        share = OF_HARMONICS if symbol == "Per" else OF_FITS
        times = self.weight @ context if isinstance(context, np.ndarray) else self.weight.sum() * context
        cost = share * variance * float(times)
        finest = FINEST_FITTED if symbol in FITTED else FINEST
        error = min(1.0 / cost, COARSEST) if cost > 0.0 else COARSEST
        return Accuracy(max(error, finest), self.shortest, self.longest), bool(error >= finest)


def wanted(state: Evaluation, where: Cut, n: int | None = None) -> Wanted:
    """What moves the evidence by at most `NATS`, for the noise of an evaluation.

    That is at the places of a cut, or at some of ``n`` places.
    """
    some = len(state.X) - 1 - np.unique(np.linspace(0.0, len(where.x) - 1.0, PLACES).astype(np.intp))[::-1]
    noise = np.zeros(len(some))
    for key, slot in state.terms.items():
        if slot.d:
            noise += slot.d * np.prod([state.factors[index][some] ** 2 for index in key], axis=0)
    weight = (n or len(where.x)) / (NATS * len(some)) / np.maximum(noise, NO_NOISE)
    return Wanted(state.X[some, 0], weight, where.shortest, 2.0 * where.unit)


def variance(expr: Expr, values: tuple[float, ...], start: int, x: Array) -> Array | float:
    """The variance at places x (S,) but for white noise; the numbers of the expression begin at ``start``.

    >>> from autostatistician.language.text import parse
    >>> np.asarray(variance(parse("Lin * (C + WN)"), (2.0, 1.0, 3.0, 5.0), 0, np.array([2.0, 3.0]))).tolist()
    [36.0, 144.0]
    """
    own = values[start : start + len(own_parameters(expr))]
    match expr:
        case Leaf(symbol="WN" | "0"):
            return 0.0
        case Leaf(symbol="Lin"):
            return np.asarray((own[0] * (x - own[1])) ** 2)
        case Leaf(symbol=symbol) if function := increments_of(symbol):
            return 2.0 * function.value(np.abs(x - own[-1]), *own[:-1])
        case Leaf():
            return own[[name for name, _ in own_parameters(expr)].index("sd")] ** 2
    sizes: list[Array | float] = []
    inner = start + len(own)
    for operand in _operands(expr):
        sizes.append(variance(operand, values, inner, x))
        inner += size(operand)
    match expr:
        case Sum():
            return sum(sizes)
        case Product():
            return reduce(mul, sizes)
        case _:
            first, _ = change_weight(expr, x, own)
            return np.asarray(first**2 * sizes[0] + (1.0 - first) ** 2 * sizes[1])


def _operands(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Sum(terms=parts) | Product(factors=parts):
            return parts
        case ChangePoint(before=one, after=other) | ChangeWindow(outside=one, inside=other):
            return one, other
        case Leaf():
            return ()


def leaves(expr: Expr) -> set[str]:
    """The symbols of an expression."""
    return {expr.symbol} if isinstance(expr, Leaf) else set().union(*map(leaves, _operands(expr)))


def graded(expr: Expr) -> bool:
    """Whether it is made of cosines, each with a size of its own.

    >>> from autostatistician.language.text import parse
    >>> [graded(parse(text)) for text in ("Per", "C + Per", "C + SE", "CP(C, Per)")]
    [True, True, False, False]
    """
    match expr:
        case Leaf(symbol=symbol):
            return symbol in ("C", "Cos", "Per", "WN", "0")
        case Sum() | Product():
            return all(map(graded, _operands(expr)))
        case _:
            return False


def can_write(expr: Expr) -> bool:
    """Whether all leaves are waves."""
    return leaves(expr) <= set(_COLUMNS)


def expected_columns(expr: Expr) -> int:
    """The columns of an expression with moderate numbers.

    >>> from autostatistician.language.text import parse
    >>> expected_columns(parse("SE * Per + Lin + WN"))
    60
    """
    match expr:
        case Leaf(symbol=symbol):
            return _COLUMNS[symbol]
        case Sum(terms=parts):
            return sum(map(expected_columns, parts))
        case Product():
            return sum(_expected_of_factors(merged(one)) for one in distributed(expr, 0))
        case ChangePoint(before=one, after=other) | ChangeWindow(outside=one, inside=other):
            return expected_columns(one) + expected_columns(other)


def _expected_of_factors(factors: list[Factor]) -> int:
    counts = [expected_columns(one.expr) for one in factors]
    cosines = max((expected_columns(one.expr) for one in factors if "Per" in leaves(one.expr)), default=0)
    of_others = prod(counts) / max(cosines, 1)
    return round(cosines * max(1.0, OF_SMALL_HARMONICS * of_others) if cosines and of_others else prod(counts))

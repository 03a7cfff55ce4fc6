"""How probable a structure is before the data are seen: a grammar of sums with learned probabilities.

A model of a series is a level and noise, and some terms more. How many these are has a probability, so has the shape of
each: a leaf, a cycle that changes, a product, a change between two sums. The probabilities were learned from other
series: those with a year, those with a week or a day, and those without a cycle of the calendar. All spellings of one
function have one probability.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from math import lgamma, log

from autostatistician.gp import Scales
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import operands, unset
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of
from autostatistician.kernels.rewrite import canonical

__all__ = [
    "Season", "StructurePrior", "learned_structures", "one_spelling", "read_structures", "shape_of", "summands",
    "terms_of",
]  # fmt: skip


MOVED = ("WN", "C")  # what may stand beside a change or on its sides

TABLE = "learned_structures.csv"  # beside this module, written by benchmarks/learn.py

LEAST_PROBABILITY = 1e-3  # of a shape that no series had

OPERANDS_GO_ON = 0.5  # probability that a side of a change has one more term, and that level and noise both change

WITHOUT_LEVEL = 0.02  # probability of data that have no level of their own but lie around zero

FACTORS_GO_ON = 0.3  # probability that a product of two or more factors has one more

LEAST_OF_COUNTS = 1e-4  # of a number of terms that no series had; each further one is less probable by a factor

FALL_OF_COUNTS = 0.3

MOST_KNOWN = 50_000  # expressions whose probabilities are kept

PRODUCT, CHANGE_POINT, CHANGE_WINDOW = "product", "CP", "CW"


class Season(StrEnum):
    """The shortest cycle of the calendar that a series shows."""

    NONE = "none"
    YEAR = "year"
    WITHIN_YEAR = "within"

    @classmethod
    def of(cls, scales: Scales) -> Season:
        """That of a series with these scales: months have a year, days a week.

        >>> import numpy as np
        >>> from autostatistician.gp.parameters.scales import measure
        >>> rows = np.arange(99.0)[:, None], np.ones(99), ("x",)
        >>> [Season.of(measure(*rows, periods)).value for periods in ((), (12.0,), (7.0, 365.25))]
        ['none', 'year', 'within']
        """
        column = scales.only
        if not column.seasons:
            return cls.NONE
        return cls.WITHIN_YEAR if min(column.seasons) < max(column.natural_periods) else cls.YEAR


@dataclass(frozen=True)
class StructurePrior:
    """Probabilities of the number of terms beside level and noise, of their shapes, and of the factors of products."""

    counts: Mapping[str, float]
    shapes: Mapping[str, float]
    factors: Mapping[str, float]
    _known: dict[Expr, float] = field(default_factory=dict, init=False, compare=False, repr=False)

    def log_probability(self, expr: Expr) -> float:
        """The logarithm of the probability of a model (natural logarithm, at most 0 up to the order of its terms).

        >>> from autostatistician.kernels.text import parse
        >>> prior = StructurePrior({"0": 0.5, "1": 0.5}, {"Lin": 0.25}, {})
        >>> [round(prior.log_probability(parse(text)), 3) for text in ("C + WN", "Lin + C + WN")]
        [-0.693, -2.079]
        """
        value = self._known.get(expr)  # asked for again and again, in all searches of a process
        if value is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            value = self._known[expr] = self._log_probability(one_spelling(expr))
        return value

    def _log_probability(self, expr: Expr) -> float:
        terms, level = terms_of(expr), 0.0 if _has_level(expr) else log(WITHOUT_LEVEL)
        orders = lgamma(len(terms) + 1) - sum(lgamma(times + 1) for times in Counter(terms).values())
        return level + self._of_count(len(terms)) + orders + sum(map(self._of_term, terms))

    def _of_count(self, count: int) -> float:
        probability = self.counts.get(str(count))
        most = max(map(int, self.counts), default=0)
        return log(probability) if probability else log(LEAST_OF_COUNTS) + max(count - most, 0) * log(FALL_OF_COUNTS)

    def _of_term(self, term: Expr) -> float:
        shape = shape_of(term)
        probability = log(max(self.shapes.get(shape, 0.0), LEAST_PROBABILITY))
        if shape == PRODUCT:
            return probability + self._of_factors(operands(term))
        if is_change(term):
            return probability + _of_both(term) + sum(map(self._of_operand, operands(term)))
        return probability

    def _of_operand(self, operand: Expr) -> float:
        """Of what a model is on one side of a change: often no more than a level."""
        terms = terms_of(operand)
        return log(OPERANDS_GO_ON) * len(terms) + log(1.0 - OPERANDS_GO_ON) + sum(map(self._of_term, terms))

    def _of_factors(self, factors: Sequence[Expr]) -> float:
        """Of the factors of a product, in any order."""
        length = (len(factors) - 2) * log(FACTORS_GO_ON) + log(1.0 - FACTORS_GO_ON)
        orders = lgamma(len(factors) + 1) - sum(lgamma(times + 1) for times in Counter(factors).values())
        return length + orders + sum(map(self._of_factor, factors))

    def _of_factor(self, factor: Expr) -> float:
        if isinstance(factor, Leaf):
            return log(max(self.factors.get(factor.symbol, 0.0), LEAST_PROBABILITY))
        return log(LEAST_PROBABILITY) + self._of_operand(factor)


def _has_level(expr: Expr) -> bool:
    """Whether data have a level of their own throughout: also one that changes from one to another.

    >>> from autostatistician.kernels.text import parse
    >>> [_has_level(parse(text)) for text in ("Lin + C", "CP(C, Lin + C) + WN", "CP(C, Lin)", "SE")]
    [True, True, False, False]
    """
    if isinstance(expr, Sum):
        return any(map(_has_level, expr.terms))
    if isinstance(expr, ChangePoint | ChangeWindow):
        return all(map(_has_level, operands(expr)))
    return expr == Leaf("C")


def _of_both(change: Expr) -> float:
    """What a change of the noise costs beside one of the level.

    >>> from autostatistician.kernels.text import parse
    >>> [round(_of_both(parse(text)), 3) for text in ("CP(C, C)", "CP(WN, WN)", "CP(C + WN, C + WN)")]
    [0.0, 0.0, -0.693]
    """
    parts = {part for side in operands(change) for part in summands(side)}
    return log(OPERANDS_GO_ON) if {Leaf("C"), Leaf("WN")} <= parts else 0.0


def terms_of(expr: Expr) -> list[Expr]:
    """The terms of a model beside its level and its noise; where it is silent there are none.

    >>> from autostatistician.kernels.kernel import unset
    >>> from autostatistician.kernels.text import parse
    >>> [str(unset(term)) for term in terms_of(parse("C + Lin + SE * Per + WN"))]
    ['Lin', 'SE * Per']
    """
    return [term for term in summands(expr) if not is_leaf_of(term, LeafKind.CONSTANT, LeafKind.NOISE, LeafKind.ZERO)]


def shape_of(term: Expr) -> str:
    """What kind of term this is: a leaf by its symbol, SE * Per, or one of the composed shapes.

    >>> from autostatistician.kernels.text import parse
    >>> [shape_of(parse(text)) for text in ("Lin", "SE * Per", "Lin * SE * Per", "CP(C, Lin)")]
    ['Lin', 'SE * Per', 'product', 'CP']
    """
    match term:
        case Leaf(symbol=symbol):
            return symbol
        case Product(factors=(Leaf(symbol="SE"), Leaf(symbol="Per"))):
            return "SE * Per"
        case ChangePoint():
            return CHANGE_POINT
        case ChangeWindow():
            return CHANGE_WINDOW
        case _:
            return PRODUCT


@cache
def learned_structures(season: Season) -> StructurePrior:
    """The prior that comes with the package."""
    with files("autostatistician.search.scores").joinpath(TABLE).open(encoding="utf-8") as lines:
        return read_structures(lines, season)


def read_structures(lines: Iterable[str], season: Season) -> StructurePrior:
    """The prior of a table with the columns season, kind, key, probability.

    >>> read_structures(["season,kind,key,probability", "none,count,0,1.0"], Season.NONE).counts
    {'0': 1.0}
    """
    rows = [row for row in csv.DictReader(lines) if row["season"] == season]
    tables = {kind: {row["key"]: float(row["probability"]) for row in rows if row["kind"] == kind} for kind in KINDS}
    return StructurePrior(*(tables[kind] for kind in KINDS))


KINDS = ("count", "shape", "factor")


# --- Spellings of one function --------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def one_spelling(expr: Expr) -> Expr:
    """The same for all spellings of one function: noise and level of which a change has some stand on both its sides.

    >>> from autostatistician.kernels.text import parse
    >>> [str(unset(one_spelling(parse(text)))) for text in ("C + WN + CP(WN, C)", "WN + CP(C, C)")]
    ['CP(C + WN, C + WN)', 'WN + CP(C, C)']
    """
    return canonical(unset(_moved(expr))).expr if _changes(expr) else expr


def is_change(expr: Expr) -> bool:
    """Whether an expression is a change from one function to another."""
    return isinstance(expr, ChangePoint | ChangeWindow)


def summands(expr: Expr) -> tuple[Expr, ...]:
    """The terms of a sum; of anything else itself.

    >>> [str(unset(term)) for term in summands(Leaf("C") + Leaf("WN"))]
    ['C', 'WN']
    """
    return expr.terms if isinstance(expr, Sum) else (expr,)


def _changes(expr: Expr) -> list[Expr]:
    return [term for term in summands(expr) if is_change(term)]


def _moved(expr: Expr) -> Expr:
    """A sum whose noise and level stand within the changes that have some already, sides included."""
    terms = list(summands(expr))
    for leaf in map(Leaf, MOVED):
        having = [_has(term, leaf) for term in terms]
        if leaf in terms and any(having):
            terms = [_with(term, leaf) if has else term for term, has in zip(terms, having, strict=True)]
            terms = [term for term in terms if term != leaf]
    return _sum(_within(term) if is_change(term) else term for term in terms)


def _has(term: Expr, leaf: Leaf) -> bool:
    """Whether a change has a leaf on one of its sides, or in a change there."""
    sides = [part for side in operands(term) for part in summands(side)] if is_change(term) else []
    return any(part == leaf or _has(part, leaf) for part in sides)


def _with(change: Expr, leaf: Leaf) -> Expr:
    """A change with a leaf on both sides."""
    first, second = (side if leaf in summands(side) else _sum((*summands(side), leaf)) for side in operands(change))
    return _changed(change, first, second)


def _within(change: Expr) -> Expr:
    first, second = map(_moved, operands(change))
    return _changed(change, first, second)


def _changed(change: Expr, first: Expr, second: Expr) -> Expr:
    assert isinstance(change, ChangePoint | ChangeWindow)
    return type(change)(first, second, change.column)


def _sum(terms: Iterable[Expr]) -> Expr:
    every = tuple(terms)
    return every[0] if len(every) == 1 else Sum(every)

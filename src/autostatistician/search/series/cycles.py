"""Cycles that stand out of what a model leaves, or out of what one of its bending terms explains.

A curve that bends quickly enough explains any cycle, and from there no single step leads to the cycle: so cycles are
proposed in its place and beside it, with the periods of the clear peaks of the periodogram.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference import Problem, condition
from autostatistician.language.expr import Expr, Product
from autostatistician.language.kernel import Kernel, leaf, parameters
from autostatistician.language.languages import Language, Operator
from autostatistician.language.leaf_row import LeafKind
from autostatistician.language.leaves import is_leaf_of
from autostatistician.language.rewrite import canonical
from autostatistician.search.starting.hints import clear_periods

__all__ = ["cycled"]

Array = NDArray[np.float64]

BENDING = (LeafKind.SMOOTH, LeafKind.WANDERING, LeafKind.UNBOUNDED)
MOST_PERIODS = 2  # of a term
SAME_PERIOD = 0.06  # relative difference of two periods that count as one
RANGES_OF_CHANGE = 0.3  # lengthscale with which a cycle begins to change, in ranges of the data
LEAST_SIZE = 1e-3  # of the spread of the data: beside a high level, all of it may be less than that of their size


def cycled(kernel: Kernel, problem: Problem, language: Language, seasons: Sequence[float] = ()) -> list[Kernel]:
    """A kernel with the cycles that stand out: in the place of each term that bends, and beside its terms.

    Beside its terms, those of the calendar are proposed whether they stand out or not: what bends hides them.

    Parameters
    ----------
    kernel : Kernel
        With its parameters, in standard units, on one column.
    problem : Problem
        The data in standard units.
    language : Language
        One without cycles has none.
    seasons : sequence of float
        Periods of the calendar, in standard units.
    """
    if "Per" not in language.bases or float(np.ptp(problem.X)) == 0.0:
        return []
    terms = kernel.terms
    posterior = condition(kernel, problem)
    rest = posterior.residual()
    proposals = [(terms, rest)]
    for index, term in enumerate(terms):
        if _bends(term.expr):
            proposals.append(((*terms[:index], *terms[index + 1 :]), rest + posterior.project(term).mean))
    periods_in = [
        value
        for parameter, value in zip(parameters(kernel.expr), kernel.values, strict=True)
        if parameter.name == "period"
    ]
    least = LEAST_SIZE * float(np.std(problem.y))
    clear = [_new(clear_periods(problem.X[:, 0], series), periods_in) for _, series in proposals]
    clear[0] += _new(seasons, [*periods_in, *clear[0]])
    return [
        canonical(Kernel.sum((*others, cycle)))
        for (others, series), periods in zip(proposals, clear, strict=True)
        for period in periods
        for cycle in _cycles(period, max(float(np.std(series)), least), language)
    ]


def _bends(expr: Expr) -> bool:
    """Whether a term can bend with a cycle of any period: a curve, or a cycle that changes as quickly as one."""
    return is_leaf_of(expr, *BENDING) or (isinstance(expr, Product) and any(map(_bends, expr.factors)))


def _new(periods: Sequence[float], others: Sequence[float]) -> list[float]:
    """The first few of some periods that are not among those that are known."""
    return [period for period in periods if all(abs(period - other) > SAME_PERIOD * other for other in others)][
        :MOST_PERIODS
    ]


def _cycles(period: float, size: float, language: Language) -> Iterator[Kernel]:
    """A cycle of a period that stays as it is, and one that changes."""
    yield leaf("Per", sd=size, lengthscale=1.0, period=period)
    if "SE" in language.bases and Operator.MULTIPLY in language.operators:
        yield leaf("SE", sd=size, lengthscale=RANGES_OF_CHANGE) * leaf("Per", sd=1.0, lengthscale=1.0, period=period)

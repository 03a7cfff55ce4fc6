"""What a cycle costs that the data show only a few times, or that is not one of the calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log

from autostatistician.gp import Problem, Scales, fit
from autostatistician.kernels.expr import Sum
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of
from autostatistician.search.constants import PENALTY_PER_MISSING_CYCLE
from autostatistician.search.state import Candidate

__all__ = ["cycle_penalty", "is_one_named_cycle", "on_the_calendar"]


ODDS = 1000.0  # for the calendar's period, before the data

SAME = 0.005  # relative difference from the calendar's period that makes none

STEPS = 40


def cycle_penalty(kernel: Kernel, scales: Scales) -> float:
    """What the periods of a kernel add to its criterion, for few cycles within the data and for having been chosen.

    Any smooth or wandering curve has some bends, which a cycle of a suitable period meets: two or three of them are no
    evidence that they repeat. For each cycle that is missing to four the prior odds of the model fall to
    ``exp(-PENALTY_PER_MISSING_CYCLE / 2)``, about one in seven. Cycles of the calendar are believed.

    Where a calendar names its cycles, all others share the prior odds of one of these: the best of many periods meets
    the noise better than the true one. Without this a cycle of two years, whose pattern has twice as many free values,
    now and then beats that of one year.

    >>> import numpy as np
    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> scales = measure(np.arange(40.0)[:, None], np.ones(40), ("x",))
    >>> [cycle_penalty(leaf("Cos", period=period, sd=1.0), scales) for period in (8.0, 16.0)]
    [0.0, 6.0]
    """
    return sum(
        PENALTY_PER_MISSING_CYCLE * scales.column(column).missing_cycles(period)
        + 2.0 * log(scales.column(column).others(period))
        for column, period in kernel.periods
    )


def is_one_named_cycle(kernel: Kernel, scales: Scales) -> bool:
    """Whether all structure of a kernel is one plain cycle that the calendar names: nobody had to search for it.

    >>> import numpy as np
    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> years = measure(np.arange(48.0)[:, None] / 12.0, np.ones(48), ("x",), (1.0,))
    >>> cycle, rest = leaf("Per", lengthscale=1.0, period=1.01, sd=1.0), leaf("C", sd=1.0) + leaf("WN", sd=1.0)
    >>> line = leaf("Lin", sd=1.0, location=0.0)
    >>> is_one_named_cycle(cycle + rest, years), is_one_named_cycle(cycle + line + rest, years)
    (True, False)
    """
    parts = kernel.expr.terms if isinstance(kernel.expr, Sum) else (kernel.expr,)
    cycles = [part for part in parts if not is_leaf_of(part, LeafKind.CONSTANT, LeafKind.NOISE)]
    if len(cycles) != 1 or not is_leaf_of(cycles[0], LeafKind.CYCLIC):
        return False
    ((column, period),) = kernel.periods
    return scales.column(column).is_named(period)


# --- Periods that the data cannot tell from one of the calendar -----------------------------------------------------


def on_the_calendar(ranked: Sequence[Candidate], problem: Problem, scales: Scales) -> list[Candidate]:
    """Candidates, the likelier ones with periods of the calendar where the data leave that open; the first stays.

    Weather that comes a week early in one of two years makes a shorter year likelier than that of the calendar; a
    forecast by it is soon weeks ahead. Learned priors know of the calendar already.

    Parameters
    ----------
    ranked : sequence of Candidate
        In standard units.
    problem, scales : Problem, Scales
        The data, and their scales.
    """
    if scales.priors is not None:
        return list(ranked)
    worst = ranked[0].score + 2.0 * log(ODDS)
    first, *others = (
        _moved(candidate, problem, scales) if candidate.score <= worst else candidate for candidate in ranked
    )
    same = all(candidate in ranked for candidate in others)
    return [first, *(others if same else sorted(others, key=Candidate.rank))]


def _moved(candidate: Candidate, problem: Problem, scales: Scales) -> Candidate:
    if not _is_off(candidate.kernel, scales):
        return candidate
    fitted = fit(candidate.kernel, problem, scales, STEPS, calendar=True)
    lost = fitted.nll - candidate.nll
    if lost > log(ODDS) or _is_off(fitted.kernel, scales):
        return candidate
    return replace(candidate, kernel=fitted.kernel, nll=fitted.nll, score=candidate.score + 2.0 * lost)


def _is_off(kernel: Kernel, scales: Scales) -> bool:
    """Whether a period is not quite that of the calendar, from which the data cannot tell it."""
    near = [(scales.column(column).indistinct(period), period) for column, period in kernel.periods]
    return any(named is not None and abs(period - named) > SAME * named for named, period in near)

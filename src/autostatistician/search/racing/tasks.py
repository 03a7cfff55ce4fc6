"""Tasks of a race: one candidate to fit, on which rows, and with how much effort.

Work is cut into tasks that know nothing of each other and draw from generators seeded by the candidate
itself, so that the result does not depend on how many workers there are or which one was first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf, isfinite, isnan
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp import Problem
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.evidence import log_evidence
from autostatistician.gp.fitting import Fit, Outcome, fit, units_of
from autostatistician.gp.parameters import FreeParameters
from autostatistician.kernels.expr import Expr, stable_key
from autostatistician.kernels.kernel import Kernel, open_names
from autostatistician.search.constants import LARGER_SUBSET_ROWS, SUBSET_ROWS, VERY_MANY_ROWS
from autostatistician.search.scores.cycles import cycle_penalty
from autostatistician.search.starting.starts import Context, draws, releases

__all__ = ["Effort", "Parts", "Rows", "Subsets", "Task", "run_task"]

STRETCHES = 4  # of a series
Parts = tuple[NDArray[np.intp], NDArray[np.intp]]  # few rows, and more of them


class Rows(Enum):
    """Parts of the rows, each within the next."""

    FEW = "a part for first looks"
    MORE = "a part for comparisons of the better candidates"
    ALL = "all rows"


@dataclass(frozen=True, slots=True)
class Effort:
    """What is spent on a candidate.

    Of so many ``starts`` that are evaluated, the best few are fitted (none: then the best start counts). What comes of
    it is judged on ``rows``, and fitted there, too, unless ``on_few``. Where parameters have priors and the effort is
    ``integrated``, the loss is minus the log evidence, all parameters integrated out.
    """

    starts: int
    fits: int
    steps: int
    on_few: bool = False
    rows: Rows = Rows.ALL
    integrated: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """One candidate to fit. A kernel without open parameters is continued from where it stands."""

    kernel: Kernel
    effort: Effort
    key: tuple[int, ...]  # seeds the generator, together with the expression
    parent: Expr | None = None  # the expression that the kernel was made from


@dataclass(frozen=True, eq=False)
class Subsets:
    """The data in standard units, whole and (when they are many) in parts."""

    whole: Problem
    few: Problem
    more: Problem

    def rows(self, rows: Rows) -> Problem:
        """The data of some rows."""
        match rows:
            case Rows.FEW:
                return self.few
            case Rows.MORE:
                return self.more
            case Rows.ALL:
                return self.whole

    @classmethod
    def of(cls, whole: Problem, seed: int | None, parts: Parts | None = None) -> Subsets:
        """The parts of a problem: random ones that depend on the seed alone, without a seed some stretches of a series.

        What wanders or is soon forgotten shows from row to row alone, what changes slowly from one stretch to the next.
        Where ``parts`` are given, for first looks and for comparisons, they are taken.
        """
        if parts is not None:
            few = whole.rows(parts[0])
            return cls(whole, few, few if len(parts[1]) == len(parts[0]) else whole.rows(parts[1]))
        if whole.n <= 4 * SUBSET_ROWS // 3:
            return cls(whole, whole, whole)
        if seed is None:
            return cls(whole, whole.rows(np.sort(np.argsort(whole.X[:, 0], kind="stable")[_stretches(whole.n)])), whole)
        rng = np.random.default_rng(seed)
        chosen = np.sort(rng.choice(whole.n, SUBSET_ROWS, replace=False))
        few = whole.rows(chosen)
        if len(whole.columns) == 1 or whole.n <= VERY_MANY_ROWS:
            return cls(whole, few, whole)
        others = np.setdiff1d(np.arange(whole.n), chosen)
        both = np.sort(np.concatenate([chosen, rng.choice(others, LARGER_SUBSET_ROWS - SUBSET_ROWS, replace=False)]))
        return cls(whole, few, whole.rows(both))


def _stretches(n: int) -> NDArray[np.intp]:
    """The places of `SUBSET_ROWS` of n rows, in stretches that are evenly spread from the first row to the last.

    >>> _stretches(1000)[[0, 49, 50, 99, 150, 199]].tolist()
    [0, 49, 317, 366, 950, 999]
    """
    length = SUBSET_ROWS // STRETCHES
    begins = np.linspace(0, n - length, STRETCHES).round().astype(np.intp)
    return (begins[:, None] + np.arange(length)).reshape(-1)


def _never() -> bool:
    return False


def run_task(task: Task, subsets: Subsets, context: Context, is_late: Callable[[], bool] = _never) -> Fit:
    """Fit one candidate: evaluate some starts, take the best of them further, return the best fit (on its rows).

    Once it ``is_late``, the best so far is taken.
    """
    fitted = _fitted(task, subsets, context, is_late)
    if not task.effort.integrated or context.scales.priors is None:
        return fitted
    judged = subsets.rows(task.effort.rows)
    return replace(fitted, loss=-log_evidence(fitted.kernel, fitted.nll, judged, context.scales))


def _fitted(task: Task, subsets: Subsets, context: Context, is_late: Callable[[], bool]) -> Fit:
    judged = subsets.rows(task.effort.rows)
    if not any(isnan(value) for value in task.kernel.values):
        if not task.effort.fits:
            (nll,) = _values([task.kernel], judged)
            return Fit(task.kernel, nll, Outcome.STOPPED, 1, nll + _penalty(task.kernel, context))
        return fit(task.kernel, judged, context.scales, task.effort.steps, is_late)
    points = subsets.few if task.effort.on_few else judged
    rng = np.random.default_rng([*task.key, crc32(stable_key(task.kernel.expr).encode())])
    starts = draws(task.kernel, context, rng, task.effort.starts * _breadth(task.kernel))
    values = _values(starts, points, is_late)
    ranked = _in_turn(sorted((value + _penalty(starts[index], context), index) for index, value in enumerate(values)))
    spent = len(values)
    if not task.effort.fits or is_late():
        value, index = min(ranked)
        penalty = _penalty(starts[index], context)
        return Fit(starts[index], value - penalty, Outcome.STOPPED, spent, value)
    best, units = Fit(starts[0], inf, Outcome.FAILED, 0), units_of(starts[ranked[0][1]], points, context.scales)
    for start in [starts[index] for value, index in ranked[: task.effort.fits] if value < inf]:
        if is_late() and best.nll < inf:
            break
        found = fit(start, points, context.scales, task.effort.steps, is_late, units)
        spent += found.evaluations
        best = min(best, found, key=lambda result: result.loss + 0.5 * cycle_penalty(result.kernel, context.scales))
    nll = best.nll
    if points is not judged:
        (nll,) = _values([best.kernel], judged)
    return Fit(best.kernel, nll, best.outcome, spent, nll + best.loss - best.nll)


def _values(kernels: Sequence[Kernel], problem: Problem, is_late: Callable[[], bool] = _never) -> list[float]:
    """The negative log likelihoods of kernels of one expression; infinite where there is none.

    No more are evaluated once it ``is_late`` and one is known.
    """
    objective, values = objective_of(kernels[0].expr, problem), list[float]()
    for kernel in kernels:
        if min(values, default=inf) < inf and is_late():
            break
        value = objective.value(kernel.values)
        values.append(value if isfinite(value) else inf)
    return values


# How many times as many starts a candidate gets whose new change has a place, and a window also a width, to be found.
STARTS_FOR_POINTS, STARTS_FOR_WINDOWS = 2, 4


def _breadth(kernel: Kernel) -> int:
    opened = open_names(kernel)
    return STARTS_FOR_WINDOWS if "width" in opened else STARTS_FOR_POINTS if "steepness" in opened else 1


def _in_turn(ranked: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Best first, alternating between starts that keep the known parameters and those that release some of them.

    The latter begin worse, but lead to where the former cannot go.
    """
    keeping = [candidate for candidate in ranked if not releases(candidate[1])]
    releasing = [candidate for candidate in ranked if releases(candidate[1])]
    paired = [start for pair in zip(keeping, releasing, strict=False) for start in pair]
    return paired + keeping[len(releasing) :] + releasing[len(keeping) :]


def _penalty(kernel: Kernel, context: Context) -> float:
    """What the priors of its parameters, where there are any, say against a kernel."""
    return FreeParameters.of(kernel.expr, context.scales).penalty(kernel.values)

"""The race of one level on a series: every proposal a little, the better ones more, the best anew and to the end."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from autostatistician.inference.optimise import Fit
from autostatistician.language.kernel import Kernel, unset
from autostatistician.search.effort import Heats, merged
from autostatistician.search.race import Heat, Task
from autostatistician.search.starts import Context

__all__ = ["series_race"]

ALLOWANCE = 600  # evaluations of a level's first heat per restart
SCREENED = 200  # of more proposals than this only the better ones enter the first heat
FEWEST, PASSING = 50, 8  # so many, or one in this many, if they are very many
AGAIN = 6  # of the best candidates are drawn again, and taken to their optimum
SMALL = 8  # numbers that can all be drawn at once with some luck


def series_race(heats: Heats, proposals: list[Kernel], context: Context, level: int) -> tuple[list[Fit], int]:
    """The fits of a level that are worth keeping, and the evaluations that all of its fits took."""
    looks, seed = heats.restarts, heats.seed
    passed, spent = _screened(heats, proposals, context, level)
    heat = _first_heat(len(passed), len(proposals), looks)
    first, more = heats.run([Task(k, heat, (seed, level, 1)) for k in passed], context)
    spent += more
    better = heats.best(merged(first, heats.charge), max(24, len(first) // 6))
    second, more = heats.continued([fit.kernel for fit in better], 20, context)
    shorter, extra = heats.simplified([fit for fit in second if heats.idle(fit.kernel)], 20, context)
    second, spent = merged(second + shorter, heats.charge), spent + more + extra
    third, more = heats.run(_anew(heats, proposals, second, level), context)
    fresh, extra = heats.run(_from_nothing(heats, second, level), replace(context, residual=context.data))
    third, more = third + fresh, more + extra
    if heats.runner.arena.subset is not heats.runner.arena.whole:
        third, extra = heats.continued([fit.kernel for fit in third], 20, context)
        more += extra
    spent += more
    leaders = heats.best(merged(second + third, heats.charge), AGAIN)
    last, more = heats.continued([fit.kernel for fit in leaders], 200, context)
    simpler, extra = heats.simplified(last, 200, context)
    return merged(second + third + last + simpler, heats.charge), spent + more + extra


def _anew(heats: Heats, proposals: list[Kernel], fits: list[Fit], level: int) -> list[Task]:
    """The best again, with more starts."""
    best = {fit.kernel.expr for fit in heats.best(fits, AGAIN)}
    heat = Heat(4 * heats.restarts, max(2, 2 * heats.restarts // 5), 20, on_subset=True)
    return [Task(kernel, heat, (heats.seed, level, 3)) for kernel in proposals if kernel.expr in best]


def _from_nothing(heats: Heats, fits: list[Fit], level: int) -> list[Task]:
    """Good ones that are small, with all numbers drawn: those that they inherited may stand in the way of better."""
    heat = Heat(4 * heats.restarts, max(2, heats.restarts // 2), 20, on_subset=True)
    small = [fit.kernel.expr for fit in heats.best(fits, 2 * AGAIN) if len(fit.kernel.values) <= SMALL]
    return [Task(unset(expr), heat, (heats.seed, level, 4)) for expr in small]


def _screened(heats: Heats, proposals: list[Kernel], context: Context, level: int) -> tuple[list[Kernel], int]:
    """Of many proposals those that do best after a few steps from one start each."""
    if len(proposals) <= SCREENED:
        return proposals, 0
    heat = Heat((heats.restarts + 1) // 2, 1, 6, on_subset=True)
    tasks = [Task(kernel, heat, (heats.seed, level, 1)) for kernel in proposals]
    fits = heats.runner.fits(tasks, context, heats.late)
    scores = [
        (inf, index) if fit is None else (heats.score(fit.kernel, fit.nll), index) for index, fit in enumerate(fits)
    ]
    passing = sorted(scores)[: max(FEWEST, len(proposals) // PASSING)]
    spent = sum(fit.evaluations for fit in fits if fit is not None)
    return [proposals[index] for _, index in sorted(passing, key=lambda one: one[1])], spent


def _first_heat(candidates: int, proposals: int, restarts: int) -> Heat:
    """The allowance of a level shared among its candidates: few get several long fits, many a short one each."""
    if candidates < proposals:
        return Heat(restarts, 3, 10, on_subset=True)
    share = ALLOWANCE * restarts / max(candidates, 1)
    fits = 3 if share < 80 else 6
    steps = min(max(int(share / fits) - 5, 6), 20)
    looks = 2 * restarts if share > 40 else restarts
    return Heat(looks, fits, steps, on_subset=True)

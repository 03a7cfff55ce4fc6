"""The races of one level on a series: every proposal a little, the better ones more, the best anew and to the end."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from autostatistician.language.kernel import unset
from autostatistician.search.rounds import Found, Proposal, Rounds, Trial, merged
from autostatistician.search.strategy import Level
from autostatistician.search.tasks import Effort, Rows, Task

__all__ = ["race", "race_by_looks"]

EVALUATIONS_PER_RESTART = 600  # in the first round of a level
MOST_UNSCREENED = 200  # of more proposals than this only the better ones enter the first round
FEWEST_PASSING, PASSING_ONE_IN = 50, 8  # so many, or one in this many, if they are very many
DRAWN_AGAIN = 6  # of the best candidates are drawn again, and taken to their optimum
MOST_DRAWN_AT_ONCE = 8  # numbers that can all be drawn at once with some luck
STEPS, MOST_STEPS = 20, 200  # of a better candidate, and of the best
# Where fewer rows have shown most: looks at a proposal, how many of the proposals are then fitted, how many on all.
LOOKS, FEWEST_FITTED, FITTED_ONE_IN, STEPS_ON_FEW, BETTER = 2, 30, 8, 6, 8


def race(rounds: Rounds, level: Level) -> Found:
    """The trials of a level that are worth keeping, and the evaluations that all of its fits took."""
    context = level.context
    passed, spent = _screened(rounds, level)
    effort = _first_effort(len(passed), len(level.proposals), rounds.restarts)
    first, more = rounds.run(_tasks(passed, effort, (rounds.seed, level.number, 1)), context)
    better = rounds.best(merged(first, rounds.charge), max(24, len(first) // 6))
    found, extra = _to_the_end(rounds, level, better, anew=True)
    return found, spent + more + extra


def race_by_looks(rounds: Rounds, level: Level) -> Found:
    """The same where fewer rows have shown most: looks, which are cheap, choose what is fitted at all, on few rows."""
    key, times = (rounds.seed, level.number, 1), level.times
    look = Effort(times * LOOKS, 0, 0, rows=Rows.FEW)
    looks, spent = rounds.run(_tasks(level.proposals, look, key), level.context)
    count = times * max(FEWEST_FITTED, len(looks) // FITTED_ONE_IN)
    passing = {one.kernel.expr for one in rounds.best(looks, count, Rows.FEW)}
    effort = Effort((rounds.restarts + 1) // 2, 1, STEPS_ON_FEW, rows=Rows.FEW)
    passed = [one for one in level.proposals if one.kernel.expr in passing]
    first, more = rounds.run(_tasks(passed, effort, key), level.context)
    better = rounds.best(merged(first, rounds.charge), times * BETTER, Rows.FEW)
    found, extra = _to_the_end(rounds, level, better, anew=level.thorough)
    return found, spent + more + extra


def _to_the_end(rounds: Rounds, level: Level, better: list[Trial], *, anew: bool) -> Found:
    """The better proposals on all rows; of these perhaps the best anew, and the best of all until nothing moves."""
    context = level.context
    second, spent = rounds.continued(better, STEPS, context)
    shorter, extra = rounds.simplified([one for one in second if rounds.is_idle(one.kernel)], STEPS, context)
    second, spent = merged(second + shorter, rounds.charge), spent + extra
    third, more = _drawn_again(rounds, level, second) if anew else ([], 0)
    spent += more
    leaders = rounds.best(merged(second + third, rounds.charge), DRAWN_AGAIN)
    last, more = rounds.continued(leaders, MOST_STEPS, context)
    simpler, extra = rounds.simplified(last, MOST_STEPS, context)
    return merged(second + third + last + simpler, rounds.charge), spent + more + extra


def _drawn_again(rounds: Rounds, level: Level, trials: list[Trial]) -> Found:
    """The best again from other starts, on all rows in the end."""
    context = level.context
    anew, spent = rounds.run(_anew(rounds, level, trials), context)
    fresh, more = rounds.run(_from_nothing(rounds, level, trials), replace(context, residual=context.data))
    found, spent = anew + fresh, spent + more
    if rounds.runner.subsets.few is not rounds.runner.subsets.whole:
        found, more = rounds.continued(found, STEPS, context)
        spent += more
    return found, spent


def _anew(rounds: Rounds, level: Level, trials: list[Trial]) -> list[Task]:
    """The proposals of the best expressions again, with more starts."""
    best = {one.kernel.expr for one in rounds.best(trials, DRAWN_AGAIN)}
    effort = Effort(4 * rounds.restarts, max(2, 2 * rounds.restarts // 5), STEPS, on_few=True)
    again = [one for one in level.proposals if one.kernel.expr in best]
    return _tasks(again, effort, (rounds.seed, level.number, 3))


def _from_nothing(rounds: Rounds, level: Level, trials: list[Trial]) -> list[Task]:
    """Good ones that are small, with all numbers drawn: those that they inherited may stand in the way of better."""
    effort = Effort(4 * rounds.restarts, max(2, rounds.restarts // 2), STEPS, on_few=True)
    best = rounds.best(trials, 2 * DRAWN_AGAIN)
    small = [
        Proposal(unset(one.kernel.expr), one.parent) for one in best if len(one.kernel.values) <= MOST_DRAWN_AT_ONCE
    ]
    return _tasks(small, effort, (rounds.seed, level.number, 4))


def _screened(rounds: Rounds, level: Level) -> tuple[list[Proposal], int]:
    """Of many proposals those that do best after a few steps from one start each."""
    proposals = level.proposals
    if len(proposals) <= MOST_UNSCREENED:
        return proposals, 0
    effort = Effort((rounds.restarts + 1) // 2, 1, 6, on_few=True)
    tasks = _tasks(proposals, effort, (rounds.seed, level.number, 1))
    fits = rounds.runner.fits(tasks, level.context, rounds.is_late)
    scores = [(inf, index) if fit is None else (rounds.score(fit), index) for index, fit in enumerate(fits)]
    passing = sorted(scores)[: max(FEWEST_PASSING, len(proposals) // PASSING_ONE_IN)]
    spent = sum(fit.evaluations for fit in fits if fit is not None)
    return [proposals[index] for _, index in sorted(passing, key=lambda one: one[1])], spent


def _tasks(proposals: list[Proposal], effort: Effort, key: tuple[int, ...]) -> list[Task]:
    return [Task(one.kernel, effort, key, one.parent) for one in proposals]


def _first_effort(candidates: int, proposals: int, restarts: int) -> Effort:
    """The allowance of a level shared among its candidates: few get several long fits, many a short one each."""
    if candidates < proposals:
        return Effort(restarts, 3, 10, on_few=True)
    share = EVALUATIONS_PER_RESTART * restarts / max(candidates, 1)
    fits = 3 if share < 80 else 6
    steps = min(max(int(share / fits) - 5, 6), 20)
    looks = 2 * restarts if share > 40 else restarts
    return Effort(looks, fits, steps, on_few=True)

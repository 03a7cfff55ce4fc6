"""The race of a level on many rows, when fewer have shown most of the structure: what more rows show beside it.

Proposals are fitted on the rows of the first stage; the better ones go on with those of the stage before; of these the
better ones are looked at on all of this one, few are fitted.
"""

from __future__ import annotations

from autostatistician.search.rounds import Found, Rounds, Trial, merged
from autostatistician.search.strategy import Level
from autostatistician.search.tasks import Effort, Rows, Task

__all__ = ["onwards"]

LOOKS, STEPS_ON_FEW = 3, 6
COMPARED, STEPS_OF_COMPARED = 30, 6  # on the rows of the stage before
LOOKED_AT, FITTED, FINALISTS = 12, 6, 2  # on all rows
STEPS, STEPS_OF_FINALISTS = 12, 40


def onwards(rounds: Rounds, level: Level) -> Found:
    """The trials of a level that are worth keeping, and the evaluations that all of its fits took."""
    context, key = level.context, (rounds.seed, level.number, 1)
    effort = Effort(LOOKS, 1, STEPS_ON_FEW, rows=Rows.FEW)
    first, spent = rounds.run([Task(one.kernel, effort, key, one.parent) for one in level.proposals], context)
    better, more = _compared(rounds, merged(first, rounds.charge), level)
    spent += more
    looks, more = rounds.run([Task(one.kernel, Effort(1, 0, 0), (), one.parent) for one in better], context)
    spent += more
    second, more = rounds.continued(rounds.best(looks, FITTED), STEPS, context)
    simpler, extra = rounds.simplified(second, STEPS, context)
    second, spent = merged([*second, *simpler], rounds.charge), spent + more + extra
    last, more = rounds.continued(rounds.best(second, FINALISTS), STEPS_OF_FINALISTS, context)
    simpler, extra = rounds.simplified(last, STEPS_OF_FINALISTS, context)
    return merged([*second, *last, *simpler], rounds.charge), spent + more + extra


def _compared(rounds: Rounds, trials: list[Trial], level: Level) -> Found:
    """The better of some trials, after some steps on more rows where there are such."""
    if rounds.runner.subsets.more is rounds.runner.subsets.few:
        return rounds.best(trials, LOOKED_AT, Rows.FEW), 0
    found, spent = rounds.continued(
        rounds.best(trials, COMPARED, Rows.FEW), STEPS_OF_COMPARED, level.context, Rows.MORE
    )
    return rounds.best(found, LOOKED_AT, Rows.MORE), spent

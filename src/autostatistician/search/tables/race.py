"""The race of one level on a table: proposals ranked on few rows, the better ones fitted on more, the last on all."""

from __future__ import annotations

from math import inf

from autostatistician.language.kernel import Kernel, open_names
from autostatistician.language.traits import columns_of
from autostatistician.search.rounds import Found, Proposal, Rounds, Trial, merged
from autostatistician.search.starts import Context
from autostatistician.search.strategy import Level
from autostatistician.search.tables.proposals import without
from autostatistician.search.tasks import Effort, Rows, Task

__all__ = ["race"]

# How many of the proposals are fitted on few rows, in how many steps; the next ones from where the former ended.
ROUNDS_ON_FEW_ROWS = ((40, 6), (12, 12))
SEMIFINALISTS, STEPS_ON_MORE_ROWS = 6, 15
FINALISTS, STEPS_ON_ALL_ROWS, STEPS_ON_VERY_MANY_ROWS = 2, 60, 25
STEPS_FROM_ABOVE, STEPS_WITHOUT_A_COLUMN = 30, 4


def race(rounds: Rounds, level: Level) -> Found:
    """The trials of a level that are worth keeping, and the evaluations that all of its fits took.

    Those from above are freed of what the data do not need before they join.
    """
    context, key, subsets = level.context, (rounds.seed, level.number, 1), rounds.runner.subsets
    looks = [Task(one.kernel, _looks(one.kernel, rounds.restarts), key, one.parent) for one in level.proposals]
    found, spent = rounds.run(looks, context)
    for count, steps in ROUNDS_ON_FEW_ROWS:
        better = rounds.best(merged(found), count, Rows.FEW)
        found, more = rounds.continued(better, steps, context, Rows.FEW)
        spent += more
    freed, more = _freed_from_above(rounds, level.from_above, context)
    found, spent = merged([*found, *freed]), spent + more
    if subsets.more is not subsets.few:
        better = rounds.best(found, SEMIFINALISTS, Rows.FEW)
        found, more = rounds.continued(better, STEPS_ON_MORE_ROWS, context, Rows.MORE)
        spent += more
    on_all = subsets.more is subsets.whole
    steps = STEPS_ON_ALL_ROWS if on_all else STEPS_ON_VERY_MANY_ROWS
    last, more = rounds.continued(rounds.best(found, FINALISTS, Rows.MORE), steps, context)
    simpler, extra = rounds.simplified(last, steps, context)
    return merged([*(found if on_all else ()), *last, *simpler]), spent + more + extra


def _looks(kernel: Kernel, restarts: int) -> Effort:
    """Some looks at a proposal; more where a period must be met, or the side on which a line crosses zero."""
    opened = open_names(kernel)
    times = 4 if "period" in opened else 3 if "location" in opened else 1
    return Effort(max(2, 2 * restarts // 5) * times, 0, 0, rows=Rows.FEW)


def _freed_from_above(rounds: Rounds, proposals: list[Proposal], context: Context) -> Found:
    """Products and sums over all columns, fitted on few rows and freed of the columns that these do not need."""
    begun, spent = rounds.continued(proposals, STEPS_FROM_ABOVE // 3, context, Rows.FEW)
    wide, more = rounds.continued(merged(begun), STEPS_FROM_ABOVE, context, Rows.FEW)
    spent += more
    done: list[Trial] = []
    while wide:
        shorter, more = _shortened(rounds, wide, context)
        done += [one for one in wide if one not in shorter]
        spent += more
        wide, more = rounds.continued(
            [shorter[one] for one in wide if one in shorter], STEPS_FROM_ABOVE // 2, context, Rows.FEW
        )
        wide, spent = merged(wide), spent + more
    return merged(done), spent


def _shortened(rounds: Rounds, wide: list[Trial], context: Context) -> tuple[dict[Trial, Proposal], int]:
    """For every trial that has columns to spare the kernel without them, and the evaluations that it took."""
    every = [
        (one, name, without(one.kernel, [name]))
        for one in wide
        for name in (None, *sorted(columns_of(one.kernel.expr)))
    ]
    admits = rounds.runner.subsets.whole.likelihood.admits
    attempts = [each for each in every if each[2].expr != each[0].kernel.expr and admits(each[2].expr)]
    proposals = [Proposal(kernel, one.parent) for one, _, kernel in attempts]
    fits, spent = rounds.continued(proposals, STEPS_WITHOUT_A_COLUMN, context, Rows.FEW)
    scores = {one.kernel.expr: rounds.score(one, Rows.FEW) for one in merged(fits)}
    shorter: dict[Trial, Proposal] = {}
    for trial in wide:
        limit = rounds.score(trial, Rows.FEW)
        own = [(scores.get(kernel.expr, inf), index) for index, (one, _, kernel) in enumerate(attempts) if one is trial]
        spare = sorted(one for one in own if one[0] < limit)
        # Columns that stand in for each other look spare together: half of them at a time.
        names = [attempts[index][1] for _, index in spare[: (len(spare) + 1) // 2]]
        kernel = without(trial.kernel, names)
        if names and admits(kernel.expr):
            shorter[trial] = Proposal(kernel, trial.parent)
    return shorter, spent

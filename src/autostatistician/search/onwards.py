"""The race of a level on many rows, when fewer have shown most of the structure: what more rows show beside it.

Proposals are fitted on the rows of the first stage; the better ones go on with those of the stage before; of these the
better ones are looked at on all of this one, few are fitted.
"""

from __future__ import annotations

from collections import Counter

from autostatistician.language.expr import Expr, Leaf, Sum
from autostatistician.search.rounds import Found, Rounds, Trial, merged
from autostatistician.search.strategy import Level
from autostatistician.search.tasks import Effort, Rows, Task

__all__ = ["onwards"]

LOOKS, STEPS_ON_FEW = 2, 6
FEWEST_PASSING, PASSING_ONE_IN = 30, 8
# Few rows do not show a term that is small, or whose cycle they have missed: what adds one is fitted on more of them.
# A look would not do: a term begins by taking from others, and until these give way, the smallest does least harm.
ROWS_FOR_ADDED, LOOKS_AT_ADDED, FITTED_ADDED = 1000, 3, 3
COMPARED, STEPS_OF_COMPARED = 30, 6  # on the rows of the stage before
LOOKED_AT, FITTED, FINALISTS = 12, 4, 2  # on all rows
STEPS, STEPS_OF_FINALISTS = 12, 25


def onwards(rounds: Rounds, level: Level) -> Found:
    """The trials of a level that are worth keeping, and the evaluations that all of its fits took."""
    context, key = level.context, (rounds.seed, level.number, 1)
    added = [one for one in level.proposals if one.parent is not None and _adds(one.kernel.expr, one.parent)]
    others = [one for one in level.proposals if one not in added]
    rows = Rows.MORE if rounds.runner.subsets.more.n >= ROWS_FOR_ADDED else Rows.ALL
    effort = Effort(LOOKS_AT_ADDED, 1, STEPS_ON_FEW, rows=rows)
    shown, spent = rounds.run([Task(one.kernel, effort, key, one.parent) for one in added], context)
    shown = rounds.best(merged(shown, rounds.charge), FITTED_ADDED, rows)
    look = Effort(level.times * LOOKS, 0, 0, rows=Rows.FEW)
    looks, more = rounds.run([Task(one.kernel, look, key, one.parent) for one in others], context)
    passing = rounds.best(looks, level.times * max(FEWEST_PASSING, len(looks) // PASSING_ONE_IN), Rows.FEW)
    first, extra = rounds.continued(passing, STEPS_ON_FEW, context, Rows.FEW)
    spent += more + extra
    better, more = _compared(rounds, merged(first, rounds.charge), level)
    looks, extra = rounds.run([Task(one.kernel, Effort(1, 0, 0), (), one.parent) for one in better], context)
    spent += more + extra
    chosen = [*rounds.best(looks, FITTED), *shown]
    second, more = rounds.continued(chosen, STEPS, context)
    simpler, extra = rounds.simplified(second, STEPS, context)
    second, spent = merged([*second, *simpler], rounds.charge), spent + more + extra
    last, more = rounds.continued(rounds.best(second, FINALISTS), STEPS_OF_FINALISTS, context)
    simpler, extra = rounds.simplified(last, STEPS_OF_FINALISTS, context)
    return merged([*second, *last, *simpler], rounds.charge), spent + more + extra


def _adds(expr: Expr, parent: Expr) -> bool:
    """Whether an expression is its parent and one more leaf."""
    more = Counter(_terms(expr)) - Counter(_terms(parent))
    return not Counter(_terms(parent)) - Counter(_terms(expr)) and [type(one) for one in more.elements()] == [Leaf]


def _terms(expr: Expr) -> tuple[Expr, ...]:
    return expr.terms if isinstance(expr, Sum) else (expr,)


def _compared(rounds: Rounds, trials: list[Trial], level: Level) -> Found:
    """The better of some trials, after some steps on more rows where there are such."""
    if rounds.runner.subsets.more is rounds.runner.subsets.few:
        return rounds.best(trials, LOOKED_AT, Rows.FEW), 0
    found, spent = rounds.continued(
        rounds.best(trials, COMPARED, Rows.FEW), STEPS_OF_COMPARED, level.context, Rows.MORE
    )
    return rounds.best(found, LOOKED_AT, Rows.MORE), spent

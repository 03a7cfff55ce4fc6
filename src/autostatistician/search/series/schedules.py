"""The races on a series, as data. Where a comment names no benchmark, none has chosen the numbers."""

from __future__ import annotations

from autostatistician.search.constants import ROWS_FOR_ADDED
from autostatistician.search.racing.race import (
    Again,
    Heat,
    Keep,
    Leg,
    Round,
    Schedule,
    ScheduleSizes,
    Simplify,
    Source,
    further,
)
from autostatistician.search.racing.tasks import Rows

__all__ = ["ENTRY", "OBJECTIONS", "by_evidence", "by_starts", "from_scratch", "onwards", "reach"]

EVALUATIONS_PER_RESTART = 600  # in the first round of a level
MOST_UNSCREENED = 200  # of more proposals than this only the better ones enter the first round
FEWEST_PASSING, PASSING_ONE_IN = 50, 8
DRAWN_AGAIN = 6  # of the best candidates are drawn again, and taken to their optimum
STEPS, MOST_STEPS = 20, 200  # of a better candidate, and of the best
FEWEST_FITTED, FITTED_ONE_IN = 30, 8  # of candidates whose starting points were evaluated on few rows
STARTS, BETTER = 2, 8  # starting points on few rows, and candidates that go on from there to all
# In deviance: what is farther from the best of its round is given up. More rows can make up for more. Sums are all
# fitted a little first; of neighbours, starting points are compared, and before them how probable their structures are.
# Chosen with records of races on made series: nearly all that had weight in the end were within.
# Structures as far as sums: with 14 and 0.03 an exact line was not seen to have no noise, which improbable ones tell.
REACH, MORE_PER_ROW = 20.0, 0.05
REACH_OF_STARTS, MORE_PER_ROW_OF_STARTS = 8.0, 0.02
REACH_OF_SUGGESTED = 24.0
REACH_OF_NEIGHBOURS, MOST_NEIGHBOURS = 16.0, 8  # after their first steps; so many go on
# Times as many starting points where a period or a place is to be found: elsewhere the centre of the prior does.
STARTS_FOR_PLACES = (("period", 3), ("width", 1), ("steepness", 3))
# Fewer do not tell sums apart: cycles that drift were 70 to 400 from the best after four, and the best in the end.
STEPS_OF_SUMS = (12, 60)
STEPS_FROM_LOOKS = 4  # from where they were on another scale
MOST_SUMS = 16  # that are fitted to the end
REACH_OF_BEST = 4.0  # sums within it are fitted to the end; others have the evidence of where they are

# Of what an earlier stage found: all are evaluated, the better ones get some steps, the best are fitted to the end.
ENTRY = Schedule.of(
    Round(Rows.ALL, fits=0, keep=Keep(5), counts=True),
    further(Rows.ALL, 12, Keep(2), counts=True),
    further(Rows.ALL, 30, counts=True),
)


# Of a model and what the data object to it: as what is suggested by evidence, and the better ones to the end.
OBJECTIONS = Schedule.of(
    Round(Rows.FEW, steps=STEPS_OF_SUMS[0], keep=Keep(MOST_SUMS, reach=REACH)),
    Round(Rows.FEW, steps=18, keep=Keep(MOST_NEIGHBOURS, reach=REACH_OF_NEIGHBOURS)),
    further(Rows.ALL, 15, Keep(4), Simplify.ALL, counts=True),
    further(Rows.ALL, 100, counts=True),
)


def reach(n: int) -> float:
    """How far from the best, in deviance, a sum or a structure on so many rows is not given up."""
    return REACH + MORE_PER_ROW * n


# --- by BIC -----------------------------------------------------------------------------------------------------


def from_scratch(sizes: ScheduleSizes) -> Schedule:
    """Every proposal a little, the better ones more, the best anew and to the end."""
    restarts, count = sizes.restarts, sizes.proposals
    rounds = [further(Rows.ALL, STEPS, simplify=Simplify.IDLE, counts=True)]
    if count > MOST_UNSCREENED:
        passing = Keep(max(FEWEST_PASSING, count // PASSING_ONE_IN), again=Again.AS_PROPOSED)
        rounds.insert(0, Round(Rows.ALL, restarts, 3, 10, Keep(24, one_in=6), on_few=True))
        rounds.insert(0, Round(Rows.ALL, (restarts + 1) // 2, 1, 6, passing, on_few=True))
    else:
        rounds.insert(0, _first_round(count, restarts))
    return Schedule((Leg((Heat(Source.PROPOSALS, tuple(rounds)),)), _again(sizes), _LAST))


def _first_round(count: int, restarts: int) -> Round:
    """The allowance of a level shared among its candidates: few get several long fits, many a short one each."""
    share = EVALUATIONS_PER_RESTART * restarts / max(count, 1)
    fits = 3 if share < 80 else 6
    steps = min(max(int(share / fits) - 5, 6), 20)
    return Round(Rows.ALL, 2 * restarts if share > 40 else restarts, fits, steps, Keep(24, one_in=6), on_few=True)


def by_starts(sizes: ScheduleSizes) -> Schedule:
    """Where fewer rows have shown most: starting points, which are cheap, choose what is fitted at all, on few rows."""
    chosen = Keep(FEWEST_FITTED, FITTED_ONE_IN, again=Again.ALL_AS_PROPOSED)
    rounds = (
        Round(Rows.FEW, STARTS, fits=0, keep=chosen),
        Round(Rows.FEW, (sizes.restarts + 1) // 2, 1, 6, Keep(BETTER)),
        further(Rows.ALL, STEPS, simplify=Simplify.IDLE, counts=True),
    )
    return Schedule((Leg((Heat(Source.PROPOSALS, rounds),), Keep(DRAWN_AGAIN)), _LAST))


_LAST = Leg((Heat(Source.SURVIVORS, (further(Rows.ALL, MOST_STEPS, simplify=Simplify.ALL, counts=True),)),))


def _again(sizes: ScheduleSizes) -> Leg:
    """The best once more: as they were proposed with more starts, and the small ones with all parameters drawn.

    Parameters that were inherited may stand in the way of better ones.
    """
    restarts, is_part = sizes.restarts, sizes.few < sizes.whole
    then = (further(Rows.ALL, STEPS, counts=True),) if is_part else ()

    def drawn(fits: int) -> Round:
        return Round(Rows.ALL, 4 * restarts, max(2, fits), STEPS, on_few=True, counts=not is_part)

    proposed = Heat(Source.AGAIN, (drawn(2 * restarts // 5), *then), DRAWN_AGAIN)
    fresh = Heat(Source.FROM_NOTHING, (drawn(restarts // 2), *then), 2 * DRAWN_AGAIN)
    return Leg((proposed, fresh), Keep(DRAWN_AGAIN), stay=True)


# --- by evidence ------------------------------------------------------------------------------------------------


def by_evidence(sizes: ScheduleSizes) -> Schedule:
    """In the first level the sums; then neighbours: each evaluated, the better ones in some steps, the best to the end.

    What the data suggest comes with its parameters, far from the best: an evaluation would only compare these.
    """
    times = sizes.whole / sizes.few  # scores on few rows are as if these were all, and as much less certain
    if sizes.complete_kernels:
        first = Round(Rows.FEW, steps=STEPS_OF_SUMS[0], keep=Keep(MOST_SUMS, reach=times * reach(sizes.whole)))
        near, is_part = Keep(reach=REACH_OF_BEST), int(sizes.few < sizes.whole)
        weighed = Round(Rows.ALL, fits=is_part, steps=STEPS_OF_SUMS[0], keep=near, integrated=True, counts=True)
        finished = further(Rows.ALL, STEPS_OF_SUMS[1], counts=True)
        return Schedule.of(first, weighed, finished, source=Source.COMPLETE, variants=True)
    near = Keep(reach=times * (REACH_OF_STARTS + MORE_PER_ROW_OF_STARTS * sizes.whole))
    proposed = (Round(Rows.FEW, fits=0, keep=near, more_starts=STARTS_FOR_PLACES), Round(Rows.FEW, steps=6))
    suggested = (Round(Rows.FEW, steps=10, keep=Keep(reach=times * REACH_OF_SUGGESTED)), Round(Rows.FEW, steps=20))
    last = (further(Rows.ALL, 15, Keep(4), Simplify.ALL, counts=True), further(Rows.ALL, 100, counts=True))
    better = Keep(MOST_NEIGHBOURS, reach=times * REACH_OF_NEIGHBOURS)
    heats = (Heat(Source.OPEN, proposed), Heat(Source.SUGGESTED, suggested))
    return Schedule((Leg(heats, better), Leg((Heat(Source.SURVIVORS, last),))))


# --- on many rows -----------------------------------------------------------------------------------------------


def onwards(sizes: ScheduleSizes) -> Schedule:
    """What more rows show beside the structure of fewer: compared on those of the stages before, few fitted on all.

    Few rows do not show a term that is small, or whose cycle they have missed: what adds one is fitted on more of
    them. An evaluation would not do: a term begins by taking from others, and until these give way, the smallest does
    least harm.
    """
    has_more = sizes.more > sizes.few
    on_more = (further(Rows.MORE, 6, Keep(12)),) if has_more else ()
    others = (
        Round(Rows.FEW, STARTS, fits=0, keep=Keep(FEWEST_FITTED, FITTED_ONE_IN)),
        further(Rows.FEW, 6, Keep(30 if has_more else 12)),
        *on_more,
        Round(Rows.ALL, fits=0, keep=Keep(4)),
    )
    suggested = (further(Rows.FEW, 12, Keep(4)), further(Rows.ALL, 6, Keep(2)))
    added = (Round(Rows.MORE if sizes.more >= ROWS_FOR_ADDED else Rows.ALL, 3, 1, 6, Keep(3)),)
    last = (
        further(Rows.ALL, 12, Keep(2), Simplify.ALL, counts=True),
        further(Rows.ALL, 25, simplify=Simplify.ALL, counts=True),
    )
    heats = (Heat(Source.OTHERS, others), Heat(Source.SUGGESTED, suggested), Heat(Source.ADDED, added))
    return Schedule((Leg(heats), Leg((Heat(Source.SURVIVORS, last),))))

"""The race on a table, as data: proposals ranked on few rows, the better ones fitted on more, the last on all.

No benchmark has chosen the numbers.
"""

from __future__ import annotations

from autostatistician.search.racing.race import Heat, Keep, Leg, Round, Schedule, Simplify, Sizes, Source, further
from autostatistician.search.racing.tasks import Rows
from autostatistician.search.tables.elimination import Elimination

__all__ = ["of_table"]

SEMIFINALISTS, FINALISTS = 6, 2
STEPS_ON_ALL_ROWS, STEPS_ON_VERY_MANY_ROWS = 60, 25
# More starts where a period must be met, or the side on which a line crosses zero.
MORE_STARTS = (("period", 4), ("location", 3))


def of_table(sizes: Sizes) -> Schedule:
    """The race of every level; complete kernels are freed of what the data do not need before they join."""
    starts = max(2, 2 * sizes.restarts // 5)
    has_more, on_all = sizes.more > sizes.few, sizes.more == sizes.whole
    proposed = (
        Round(Rows.FEW, starts, fits=0, keep=Keep(40), more_starts=MORE_STARTS),
        further(Rows.FEW, 6, Keep(12)),
        further(Rows.FEW, 12, counts=True),
    )
    complete = (further(Rows.FEW, 10, Keep()), further(Rows.FEW, 30), Elimination())
    steps = STEPS_ON_ALL_ROWS if on_all else STEPS_ON_VERY_MANY_ROWS
    on_more = (further(Rows.MORE, 15, Keep(FINALISTS), counts=True),) if has_more else ()
    last = (*on_more, further(Rows.ALL, steps, simplify=Simplify.ALL, counts=True))
    # Those that do about as well as their parent are not among the best of a race, but share its probability.
    swapped = (further(Rows.ALL, steps, counts=True),)
    return Schedule(
        (
            Leg(
                (Heat(Source.PROPOSALS, proposed), Heat(Source.COMPLETE, complete)),
                Keep(SEMIFINALISTS if has_more else FINALISTS),
            ),
            Leg((Heat(Source.SURVIVORS, last), Heat(Source.SWAPPED, swapped))),
        )
    )

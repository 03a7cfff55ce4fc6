"""The race on a table, as data: proposals ranked on few rows, the better ones fitted on more, the last on all.

No benchmark has chosen the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from autostatistician.kernels.traits import columns_of
from autostatistician.search.racing.race import (
    Heat,
    Keep,
    Leg,
    Race,
    Round,
    Schedule,
    ScheduleSizes,
    Simplify,
    Source,
    further,
)
from autostatistician.search.racing.rounds import Proposal, Trial, merged
from autostatistician.search.racing.tasks import Effort, Rows
from autostatistician.search.tables.proposals import without

__all__ = ["of_classes", "of_table"]


SEMIFINALISTS, FINALISTS, SUGGESTED = 6, 2, 6

STEPS_ON_ALL_ROWS, STEPS_ON_VERY_MANY_ROWS, FEW_STEPS = 60, 25, 8

# More starts where a period must be met, or the side on which a line crosses zero.
MORE_STARTS = (("period", 4), ("location", 3))


def of_table(sizes: ScheduleSizes) -> Schedule:
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
    heats = (Heat(Source.PROPOSALS, proposed), Heat(Source.COMPLETE, complete))
    better = Leg(heats, Keep(SEMIFINALISTS if has_more else FINALISTS))
    return Schedule((better, Leg((Heat(Source.SURVIVORS, last), Heat(Source.SWAPPED, swapped)))))


def of_classes(sizes: ScheduleSizes) -> Schedule:
    """The race of a level for classes: what features suggest meets all rows, beside the better ones of all changes."""
    starts = max(2, sizes.restarts // 5)
    proposed = (
        Round(Rows.FEW, starts, fits=0, keep=Keep(16), more_starts=MORE_STARTS),
        Round(Rows.FEW, steps=6, keep=Keep(8)),
        further(Rows.FEW, 12, counts=True),
    )
    steps, suggested = (
        (STEPS_ON_VERY_MANY_ROWS, SUGGESTED) if sizes.more == sizes.whole else (FEW_STEPS, SUGGESTED // 2)
    )
    complete = (further(Rows.FEW, 10, Keep()), further(Rows.FEW, 30), Elimination())
    on_more = (further(Rows.MORE, 15, Keep(FINALISTS), counts=True),) if sizes.more > sizes.few else ()
    last = (*on_more, further(Rows.ALL, steps, simplify=Simplify.ALL, counts=True))
    brought = (Round(Rows.ALL, fits=0, keep=Keep(suggested)), further(Rows.ALL, steps, counts=True))
    better = Leg((Heat(Source.PROPOSALS, proposed), Heat(Source.COMPLETE, complete)), Keep(SEMIFINALISTS))
    return Schedule((better, Leg((Heat(Source.SURVIVORS, last), Heat(Source.SWAPPED, brought)))))


# --- Backward elimination: complete kernels, freed of the columns that the data do not need -------------------------


@dataclass(frozen=True, slots=True)
class Elimination:
    """A kernel is tried without each column, and loses half of those to spare at a time, until none is.

    Parameters
    ----------
    steps, steps_after : int
        Of a kernel without one column, and of one that has lost some.
    """

    steps: int = 4
    steps_after: int = 15
    rows: Rows = Rows.FEW

    def run(self, race: Race, candidates: Sequence[Proposal], salt: int) -> list[Trial]:
        """The trials that need all columns which they have."""
        wide = [candidate for candidate in candidates if isinstance(candidate, Trial)]
        done: list[Trial] = []
        while wide:
            shorter = self._shortened(race, wide)
            done += [trial for trial in wide if trial not in shorter]
            wide = merged(
                race.continued([shorter[trial] for trial in wide if trial in shorter], self.steps_after, self.rows)
            )
        done = merged(done)
        race.count_in(done, self.rows)
        return done

    def asked(self, candidates: int) -> tuple[list[tuple[int, Effort]], int]:
        """About how many candidates get which effort: a handful of columns go one half after another."""
        without_one, after = Effort(1, 1, self.steps, rows=self.rows), Effort(1, 1, self.steps_after, rows=self.rows)
        return [(4 * candidates, without_one), (candidates, after)], candidates

    def _shortened(self, race: Race, wide: list[Trial]) -> dict[Trial, Proposal]:
        """For every trial that has columns to spare the kernel without them."""
        rounds = race.rounds
        admits = rounds.runner.subsets.whole.likelihood.admits
        attempts = [
            (trial, name, kernel)
            for trial in wide
            for name in (None, *sorted(columns_of(trial.kernel.expr)))
            if (kernel := without(trial.kernel, [name])).expr != trial.kernel.expr and admits(kernel.expr)
        ]
        fits = race.continued([Proposal(kernel, trial.parent) for trial, _, kernel in attempts], self.steps, self.rows)
        scores = {fitted.kernel.expr: rounds.score(fitted, self.rows) for fitted in merged(fits)}
        shorter: dict[Trial, Proposal] = {}
        for trial in wide:
            limit = rounds.score(trial, self.rows)
            tried = [
                (scores.get(kernel.expr, inf), index)
                for index, (wider, _, kernel) in enumerate(attempts)
                if wider is trial
            ]
            spare = sorted(pair for pair in tried if pair[0] < limit)
            # Columns that stand in for each other look spare together: half of them at a time.
            names = [attempts[index][1] for _, index in spare[: (len(spare) + 1) // 2]]
            kernel = without(trial.kernel, names)
            if names and admits(kernel.expr):
                shorter[trial] = Proposal(kernel, trial.parent)
        return shorter

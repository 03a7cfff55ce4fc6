"""Backward elimination: complete kernels, freed of the columns that the data do not need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from autostatistician.language.traits import columns_of
from autostatistician.search.racing.race import Race
from autostatistician.search.racing.rounds import Proposal, Trial, merged
from autostatistician.search.racing.tasks import Effort, Rows
from autostatistician.search.tables.proposals import without

__all__ = ["Elimination"]


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

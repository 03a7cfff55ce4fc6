"""The rounds of a race: tasks run, what came of them ranked, the better ones continued."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from autostatistician.gp.criteria import CRITERIA
from autostatistician.gp.fitting import Fit
from autostatistician.kernels.expr import Expr, stable_key
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.simplify import Spans, idle_changes, simplify
from autostatistician.kernels.tree import from_kernel
from autostatistician.search.budget import Budget
from autostatistician.search.racing.tasks import Effort, Rows, Task
from autostatistician.search.racing.workers import Runner
from autostatistician.search.starting.starts import Context

__all__ = ["Proposal", "Rounds", "Trial", "Trials", "merged"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A kernel to be fitted, and the expression that it was made from."""

    kernel: Kernel
    parent: Expr | None


@dataclass(frozen=True, slots=True)
class Trial(Proposal):
    """A kernel as it was fitted, with its negative log likelihood and its loss on the rows of the round."""

    nll: float
    loss: float = inf  # what was minimised (see `optimise.Fit`)
    log_evidence: float | None = None  # on all rows, where the round has worked it out
    began: Kernel | None = field(default=None, compare=False, repr=False)  # as the task had it


Trials = tuple[list[Trial], int]  # with the evaluations that all of the fits took
Penalty = Callable[[Kernel], float]  # in deviance


@dataclass(frozen=True)
class Rounds:
    """What the rounds of all levels share."""

    runner: Runner
    columns: tuple[str, ...]
    criterion: str
    seed: int
    budget: Budget
    penalty: Penalty  # what the cheap form of the criterion does not know of the choices made
    by_evidence: bool = False  # whether parameters are integrated out on the way, too, and not of the last few alone

    @property
    def spans(self) -> Spans:
        """The range of every column in standard units."""
        return dict.fromkeys(self.columns, (0.0, 1.0))

    def is_idle(self, kernel: Kernel) -> bool:
        """Whether a change of the kernel lies beyond the data: something simpler is the same there."""
        return idle_changes(from_kernel(kernel), self.spans)

    def run(self, tasks: Sequence[Task], context: Context) -> Trials:
        """The trials of tasks; those that failed, or were not reached in time, are left out."""
        fits = self.runner.fits(tasks, context, self.budget)
        done = [(task, fit) for task, fit in zip(tasks, fits, strict=True) if fit is not None]
        integrates = context.scales.priors is not None
        trials = []
        for task, fit in done:
            if np.isfinite(fit.nll):
                log_evidence = -fit.loss if integrates and self._is_whole(task) else None
                trials.append(Trial(fit.kernel, task.parent, fit.nll, fit.loss, log_evidence, task.kernel))
        return trials, sum(fit.evaluations for _, fit in done)

    def _is_whole(self, task: Task) -> bool:
        """Whether a fit was judged by its evidence on all rows."""
        subsets = self.runner.subsets
        return task.effort.integrated and subsets.rows(task.effort.rows) is subsets.whole

    def continued(self, candidates: Sequence[Proposal], steps: int, context: Context, rows: Rows = Rows.ALL) -> Trials:
        """Go on from kernels whose parameters are known; nothing is drawn."""
        effort = Effort(1, 1, steps, rows=rows, integrated=self.by_evidence)
        return self.run([Task(candidate.kernel, effort, (), candidate.parent) for candidate in candidates], context)

    def simplified(self, trials: Sequence[Trial], steps: int, context: Context) -> Trials:
        """Refit those of which a part has become indistinguishable from something simpler."""
        simpler = [(trial, simplify(trial.kernel, self.spans)) for trial in trials]
        changed = [Proposal(kernel, trial.parent) for trial, kernel in simpler if kernel.expr != trial.kernel.expr]
        return self.continued(changed, steps, context)

    def score(self, trial: Trial | Fit, rows: Rows = Rows.ALL) -> float:
        """The cheap form of the criterion; a likelihood of a part of the rows counts as if it were of all."""
        n, part = self.runner.subsets.whole.n, self.runner.subsets.rows(rows).n
        if self.by_evidence:
            return 2.0 * trial.loss * (n / part) + self.penalty(trial.kernel)
        return CRITERIA[self.criterion].cheap(trial.nll * (n / part), trial.kernel.expr, n) + self.penalty(trial.kernel)

    def best(self, trials: Sequence[Trial], count: int, rows: Rows = Rows.ALL) -> list[Trial]:
        """The best few, best first."""
        ranked = sorted(trials, key=lambda trial: (self.score(trial, rows), stable_key(trial.kernel.expr)))
        return ranked[:count]


def merged(trials: Sequence[Trial], penalty: Penalty = lambda _: 0.0, apart: float = inf) -> list[Trial]:
    """The best trial of every expression, after a penalty that may depend on the parameters.

    Others of it stay where so much is between them.
    """
    kept: dict[Expr, list[tuple[float, Trial]]] = {trial.kernel.expr: [] for trial in trials}
    scored = [(2.0 * trial.loss + penalty(trial.kernel), trial) for trial in trials]
    for value, trial in sorted(scored, key=lambda pair: pair[0]):
        before = kept[trial.kernel.expr]
        if not before or value - before[-1][0] > apart:
            before.append((value, trial))
    return [trial for same in kept.values() for _, trial in same]

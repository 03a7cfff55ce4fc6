"""The heats of a race: tasks run, what came of them ranked, the better ones continued."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from autostatistician.inference.criteria import CRITERIA
from autostatistician.inference.optimise import Fit
from autostatistician.language.edges import Spans, idle_changes
from autostatistician.language.kernel import Kernel
from autostatistician.language.keys import stable_key
from autostatistician.language.simplify import simplify
from autostatistician.language.tree import from_kernel
from autostatistician.search.race import Heat, Rows, Task
from autostatistician.search.runner import Runner
from autostatistician.search.starts import Context

__all__ = ["Found", "Heats", "merged"]

Found = tuple[list[Fit], int]  # fits, and the evaluations that all of them took


@dataclass(frozen=True)
class Heats:
    """What the heats of all levels share."""

    runner: Runner
    columns: tuple[str, ...]
    criterion: str
    restarts: int
    seed: int
    late: Callable[[], bool]
    charge: Callable[[Kernel], float]  # what the cheap form of the criterion does not know of the choices made

    @property
    def spans(self) -> Spans:
        """The range of every column in standard units."""
        return dict.fromkeys(self.columns, (0.0, 1.0))

    def idle(self, kernel: Kernel) -> bool:
        """Whether a change of the kernel lies beyond the data: something simpler is the same there."""
        return idle_changes(from_kernel(kernel), self.spans)

    def run(self, tasks: Sequence[Task], context: Context) -> Found:
        """The fits of tasks; those that failed, or were not reached in time, are left out."""
        fits = [fit for fit in self.runner.fits(tasks, context, self.late) if fit is not None]
        return [fit for fit in fits if np.isfinite(fit.nll)], sum(fit.evaluations for fit in fits)

    def continued(self, kernels: Sequence[Kernel], steps: int, context: Context, rows: Rows = Rows.ALL) -> Found:
        """Go on from kernels whose numbers are known; nothing is drawn."""
        return self.run([Task(kernel, Heat(1, 1, steps, rows=rows), ()) for kernel in kernels], context)

    def simplified(self, fits: Sequence[Fit], steps: int, context: Context) -> Found:
        """Refit those of which a part has become indistinguishable from something simpler."""
        pairs = [(fit.kernel, simplify(fit.kernel, self.spans)) for fit in fits]
        return self.continued([simple for kernel, simple in pairs if simple.expr != kernel.expr], steps, context)

    def score(self, kernel: Kernel, nll: float, rows: Rows = Rows.ALL) -> float:
        """The cheap form of the criterion; a likelihood of a part of the rows counts as if it were of all."""
        n, part = self.runner.arena.whole.n, self.runner.arena.points(rows).n
        return CRITERIA[self.criterion].cheap(nll * (n / part), kernel.expr, n) + self.charge(kernel)

    def best(self, fits: Sequence[Fit], count: int, rows: Rows = Rows.ALL) -> list[Fit]:
        """The best few, best first."""
        return sorted(fits, key=lambda fit: (self.score(fit.kernel, fit.nll, rows), stable_key(fit.kernel.expr)))[
            :count
        ]


def merged(fits: Sequence[Fit], charge: Callable[[Kernel], float] = lambda kernel: 0.0) -> list[Fit]:
    """The best fit of every expression, after a charge on the scale of a deviance that may depend on the numbers."""
    best: dict[object, tuple[float, Fit]] = {}
    for fit in fits:
        known, value = best.get(fit.kernel.expr), 2.0 * fit.nll + charge(fit.kernel)
        if known is None or value < known[0]:
            best[fit.kernel.expr] = value, fit
    return [fit for _, fit in best.values()]

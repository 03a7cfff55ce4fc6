"""The race of one level: many cheap looks at every candidate, many steps only for the promising.

Work is cut into tasks that know nothing of each other and draw from generators seeded by the candidate
itself, so that the result does not depend on how many workers there are or which one was first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from zlib import crc32

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from autostatistician.inference.evidence import Evidence, Points
from autostatistician.inference.optimise import Fit, Outcome, fit
from autostatistician.language.kernel import Kernel
from autostatistician.search.starts import Context, draw

__all__ = ["Heat", "Runner", "Task", "run_task"]


@dataclass(frozen=True, slots=True)
class Heat:
    """How much is spent on one candidate: draws looked at, draws fitted, and steps for each of these."""

    draws: int
    fits: int
    steps: int


@dataclass(frozen=True, slots=True)
class Task:
    """One candidate to fit. A kernel without open numbers is continued from where it stands."""

    kernel: Kernel
    heat: Heat
    key: tuple[int, ...]  # seeds the generator, together with the expression


def run_task(task: Task, points: Points, context: Context) -> Fit:
    """Fit one candidate: look at some starts, take the best of them further, return the best fit."""
    rng = np.random.default_rng([*task.key, crc32(str(task.kernel).encode())])
    evidence = Evidence(task.kernel.expr, points)
    looks = [draw(task.kernel, context, rng, jitter=index % 2 == 1) for index in range(task.heat.draws)]
    ranked = sorted(((_look(evidence, look), index) for index, look in enumerate(looks)))
    best = Fit(looks[0], inf, Outcome.FAILED, evidence.evaluations)
    spent = evidence.evaluations if len(looks) > 1 else 0
    for value, index in ranked[: task.heat.fits]:
        if value == inf:
            continue
        found = fit(looks[index], points, context.scales, task.heat.steps)
        spent += found.evaluations
        best = min(best, found, key=lambda one: one.nll)
    return Fit(best.kernel, best.nll, best.outcome, spent)


def _look(evidence: Evidence, kernel: Kernel) -> float:
    value = evidence.value(kernel.values)
    return value if np.isfinite(value) else inf


class Runner:
    """Runs tasks here or on joblib workers, one BLAS thread each, and gives the fits back in order."""

    def __init__(self, X: np.ndarray, y: np.ndarray, columns: tuple[str, ...], n_jobs: int) -> None:
        self._data = (X, y, columns)
        self._n_jobs = n_jobs
        self.points = Points(X, y, columns)

    def fits(self, tasks: Sequence[Task], context: Context, stop: Callable[[], bool]) -> list[Fit | None]:
        """One fit per task; None for those not reached before ``stop()`` became true."""
        found: list[Fit | None] = [None] * len(tasks)
        with threadpool_limits(limits=1):
            for index, result in self._results(tasks, context):
                found[index] = result
                if stop():
                    break
        return found

    def _results(self, tasks: Sequence[Task], context: Context) -> Iterator[tuple[int, Fit]]:
        if self._n_jobs == 1 or len(tasks) < 2:
            for index, task in enumerate(tasks):
                yield index, run_task(task, self.points, context)
            return
        # Neighbouring candidates cost alike: dealing them out in turn keeps the batches even.
        count = min(len(tasks), 8 * self._n_jobs)
        batches = [range(start, len(tasks), count) for start in range(count)]
        jobs = (delayed(_run_batch)(self._data, context, [(i, tasks[i]) for i in batch]) for batch in batches)
        for results in Parallel(n_jobs=self._n_jobs, return_as="generator_unordered")(jobs):
            yield from results


_prepared: dict[bytes, Points] = {}


def _run_batch(
    data: tuple[np.ndarray, np.ndarray, tuple[str, ...]], context: Context, tasks: list[tuple[int, Task]]
) -> list[tuple[int, Fit]]:
    with threadpool_limits(limits=1):
        points = _points(data)
        return [(index, run_task(task, points, context)) for index, task in tasks]


def _points(data: tuple[np.ndarray, np.ndarray, tuple[str, ...]]) -> Points:
    """The prepared points of the data, kept from one batch to the next inside a worker."""
    key = data[0].tobytes() + data[1].tobytes()
    if key not in _prepared:
        _prepared.clear()
        _prepared[key] = Points(*data)
    return _prepared[key]

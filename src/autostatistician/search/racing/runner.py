"""Tasks spread over workers by joblib, with whatever backend is in force, and gathered although workers die."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from contextlib import closing

from joblib import delayed

from autostatistician.inference import Problem
from autostatistician.inference.fitting import Fit
from autostatistician.processes import end_with_parent
from autostatistician.search.budget import Budget
from autostatistician.search.racing.tasks import Parts, Subsets, Task, run_task
from autostatistician.search.racing.workers import gathered, is_lost_worker
from autostatistician.search.starting.starts import Context
from autostatistician.threads import one_thread

__all__ = ["Runner"]

Data = tuple[Problem, int | None, Parts | None]  # what `Subsets` are made of

ATTEMPTS_WITH_WORKERS = 3  # with workers, if they die; what then remains is run in this process
BATCHES_PER_WORKER = 8  # per worker
SECONDS_OF_WORKERS = 1.5  # until they have started: what is done sooner is done here
SECONDS_PER_EVALUATION, SECONDS_PER_PAIR, SECONDS_PER_CUBE = 2.5e-4, 1e-8, 4e-11


class Runner:
    """Runs tasks here or on joblib workers, one BLAS thread each, and gives the fits back in order.

    The backend is that of joblib (``with joblib.parallel_config("dask"): ...``), by default processes of this
    machine. No result depends on it. Rows for first looks and comparisons are drawn unless ``parts`` name them.
    """

    def __init__(self, problem: Problem, seed: int | None, n_jobs: int, parts: Parts | None = None) -> None:
        self._data = problem, seed, parts
        self._n_jobs = n_jobs
        self.subsets = _subsets(*self._data)

    def fits(self, tasks: Sequence[Task], context: Context, budget: Budget | None = None) -> list[Fit | None]:
        """One fit per task; None for those not reached before the budget was used up."""
        budget = budget or Budget(None)
        fits: list[Fit | None] = [None] * len(tasks)
        with one_thread(), closing(self._results(tasks, context, budget)) as results:
            for index, result in results:
                fits[index] = result
                if budget.is_used_up:
                    break
        return fits

    def _results(self, tasks: Sequence[Task], context: Context, budget: Budget) -> Generator[tuple[int, Fit]]:
        missing = dict(enumerate(tasks))
        pays = len(tasks) > 1 and (context.scales.priors is None or self._seconds(tasks) > SECONDS_OF_WORKERS)
        attempts = ATTEMPTS_WITH_WORKERS if self._n_jobs > 1 and pays else 0
        for _ in range(attempts):
            try:
                with closing(self._spread(missing, context, budget)) as spread:
                    for index, result in spread:
                        del missing[index]
                        yield index, result
                return
            except Exception as error:
                if not is_lost_worker(error):
                    raise
        for index, task in missing.items():
            yield index, run_task(task, self.subsets, context, lambda: budget.is_used_up)

    def _seconds(self, tasks: Sequence[Task]) -> float:
        """About what the tasks take in one process, from sizes alone."""
        efforts = [task.effort for task in tasks]
        rows = [self.subsets.few.n if effort.on_few else self.subsets.rows(effort.rows).n for effort in efforts]
        return sum(
            (effort.starts + effort.fits * effort.steps)
            * (SECONDS_PER_EVALUATION + SECONDS_PER_PAIR * n**2 + SECONDS_PER_CUBE * n**3)
            for effort, n in zip(efforts, rows, strict=True)
        )

    def _spread(self, tasks: dict[int, Task], context: Context, budget: Budget) -> Generator[tuple[int, Fit]]:
        # Neighbouring candidates cost alike: dealing them out in turn keeps the batches even.
        items = list(tasks.items())
        count = min(len(items), BATCHES_PER_WORKER * self._n_jobs)
        left = budget.left  # joblib takes jobs in threads of its own, whose time is not that of the search
        jobs = (delayed(_run_batch)(self._data, context, items[start::count], left) for start in range(count))
        with closing(gathered(jobs, self._n_jobs)) as batches:
            for results, seconds in batches:
                budget.add(seconds)
                yield from results


class _Prepared(threading.local):
    """The last prepared data of a thread: their work matrices cannot be shared."""

    def __init__(self) -> None:
        self.subsets: dict[bytes, Subsets] = {}


_prepared = _Prepared()


def _run_batch(
    data: Data, context: Context, tasks: list[tuple[int, Task]], seconds: float
) -> tuple[list[tuple[int, Fit]], float]:
    """The fits of some tasks, and the processor seconds that they took; after so many they end early."""
    end_with_parent()
    budget = Budget(seconds)
    budget.start(binds=True)
    with one_thread():
        subsets = _subsets(*data)
        fits = [(index, run_task(task, subsets, context, lambda: budget.is_used_up)) for index, task in tasks]
    return fits, budget.spent


def _subsets(problem: Problem, seed: int | None, parts: Parts | None) -> Subsets:
    """The prepared data, kept from one batch to the next inside a worker."""
    about = repr(
        (problem.columns, problem.likelihood, seed, None if parts is None else [rows.tobytes() for rows in parts])
    )
    key = b"".join([problem.X.tobytes(), problem.y.tobytes(), about.encode()])
    subsets = _prepared.subsets
    if key not in subsets:
        subsets.clear()
        subsets[key] = Subsets.of(problem, seed, parts)
    return subsets[key]

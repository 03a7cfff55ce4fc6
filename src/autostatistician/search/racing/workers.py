"""A worker pool: calls spread over the processes of a joblib backend, and what the loss of a worker looks like."""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager
from inspect import signature
from multiprocessing import resource_tracker
from typing import Any, TypeVar

from joblib import Parallel, delayed, effective_n_jobs
from joblib.externals.loky.backend import resource_tracker as loky_tracker
from joblib.parallel import get_active_backend

from autostatistician._io.processes import end_with_parent, started_as_own
from autostatistician._io.threads import one_thread
from autostatistician.gp import Problem
from autostatistician.gp.fitting import Fit
from autostatistician.search.budget import Budget
from autostatistician.search.racing.tasks import Parts, Subsets, Task, run_task
from autostatistician.search.starting.starts import Context

__all__ = ["Runner", "each", "gathered", "gathered_until_lost", "is_lost_worker", "worker_count"]


Item = TypeVar("Item")

Result = TypeVar("Result")

# Errors of a backend that has lost a worker, by name: the package that defines them need not be installed.
ERRORS_OF_LOST_WORKERS = {
    *("KilledWorker", "FutureCancelledError", "CommClosedError"),  # dask
    *("RayActorError", "WorkerCrashedError", "NodeDiedError", "ObjectLostError"),  # ray
}

Data = tuple[Problem, int | None, Parts | None]  # what `Subsets` are made of

ATTEMPTS_WITH_WORKERS = 3  # with workers, if they die; what then remains is run in this process

BATCHES_PER_WORKER = 8  # per worker

SECONDS_OF_WORKERS = 1.5  # until they have started: what is done sooner is done here

SECONDS_PER_EVALUATION, SECONDS_PER_PAIR, SECONDS_PER_CUBE = 2.5e-4, 1e-8, 4e-11


def gathered(jobs: Iterable[Any], n_jobs: int, **options: Any) -> Generator[Any]:
    """The results of joblib's delayed calls as they end, in any order; closing it leaves the rest undone."""
    as_they_end = getattr(get_active_backend()[0], "supports_return_generator", False)
    how = "generator_unordered" if as_they_end else "list"
    with started_as_own(), _deaf_to_interrupts():
        done = Parallel(n_jobs=worker_count(n_jobs), return_as=how, **options, **_from_the_start())(jobs)
    try:
        for result in done:  # noqa: UP028 (`yield from` would close it before the warning below is silenced)
            yield result
    finally:
        if as_they_end:
            with warnings.catch_warnings():  # joblib counts aloud what a stop leaves undone
                warnings.simplefilter("ignore", UserWarning)
                done.close()


def gathered_until_lost(jobs: Iterable[Any], n_jobs: int, **options: Any) -> Generator[Any]:
    """The same, fewer where a worker dies, which takes others with it."""
    try:
        with closing(gathered(jobs, n_jobs, **options)) as results:
            yield from results
    except Exception as error:
        if not is_lost_worker(error):
            raise


def each(function: Callable[[Item], Result], items: Sequence[Item], n_jobs: int | None) -> list[Result]:
    """What a function makes of each of some items, in their order, by workers where there are several of both.

    >>> each(abs, [-1, 2], 1)
    [1, 2]
    """
    if len(items) > 1 and worker_count(n_jobs) > 1:
        try:
            calls = (delayed(_numbered)(function, index, item) for index, item in enumerate(items))
            results = dict(gathered(calls, worker_count(n_jobs)))
            return [results[index] for index in range(len(items))]
        except Exception as error:
            if not is_lost_worker(error):
                raise
    with one_thread():
        return [function(item) for item in items]


def _numbered(function: Callable[[Item], Result], index: int, item: Item) -> tuple[int, Result]:
    end_with_parent()
    with one_thread():
        return index, function(item)


def worker_count(asked: int | None) -> int:
    """How many workers the backend in force is asked for, as scikit-learn counts them: at most as many as it has.

    In a worker of a pool, which may have none of its own, it is one; joblib would warn.

    >>> worker_count(100_000) == worker_count(-1), worker_count(None)
    (True, 1)
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return max(1, min(int(effective_n_jobs(asked)), int(effective_n_jobs(-1))))


def _from_the_start() -> dict[str, Any]:
    """What lets processes of joblib's own watch their parent before their first job, where joblib can pass it on."""
    is_loky = type(get_active_backend()[0]).__name__ == "LokyBackend"
    return {"initializer": end_with_parent} if is_loky and "backend_kwargs" in signature(Parallel).parameters else {}


def is_lost_worker(error: Exception) -> bool:
    """Whether an error tells that a worker has died, not that its work failed."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return isinstance(error, BrokenExecutor) or not names.isdisjoint(ERRORS_OF_LOST_WORKERS)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started inside do not get Ctrl-C and SIGTERM, which often go to all: the search itself answers them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    for tracker in (resource_tracker, loky_tracker):
        tracker.ensure_running()  # these helper processes let the signal through again when they start
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- Tasks spread over workers by joblib, with whatever backend is in force -----------------------------------------


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
    own = b"" if problem.noise is None else problem.noise.tobytes()
    key = b"".join([problem.X.tobytes(), problem.y.tobytes(), own, about.encode()])
    subsets = _prepared.subsets
    if key not in subsets:
        subsets.clear()
        subsets[key] = Subsets.of(problem, seed, parts)
    return subsets[key]

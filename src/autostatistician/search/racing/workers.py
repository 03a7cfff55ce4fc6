"""Calls spread over the workers of whatever joblib backend is in force, and what the loss of a worker looks like."""

from __future__ import annotations

import signal
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

from autostatistician.processes import end_with_parent, started_as_own
from autostatistician.threads import one_thread

__all__ = ["each", "gathered", "gathered_until_lost", "is_lost_worker", "worker_count"]

Item = TypeVar("Item")
Result = TypeVar("Result")

# Errors of a backend that has lost a worker, by name: the package that defines them need not be installed.
ERRORS_OF_LOST_WORKERS = {
    *("KilledWorker", "FutureCancelledError", "CommClosedError"),  # dask
    *("RayActorError", "WorkerCrashedError", "NodeDiedError", "ObjectLostError"),  # ray
}


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

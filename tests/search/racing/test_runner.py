"""Searches on several backends of joblib, and on workers that are killed."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import joblib
import numpy as np
import pytest
from joblib.externals.loky import reusable_executor
from joblib.parallel import ThreadingBackend

from autostatistician.data.dataset import from_arrays
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.search.racing.workers import is_lost_worker
from autostatistician.search.run import Settings, search
from autostatistician.search.state import SearchResult

X = np.arange(60.0)
Y = np.sin(X / 4.0) + 0.05 * X + 0.1 * np.random.default_rng(0).normal(size=60)


def _found(n_jobs: int | None) -> SearchResult:
    return search(from_arrays(X, Y), LANGUAGES["full"], Settings(max_depth=1, restarts=3, n_jobs=n_jobs))


@pytest.fixture(scope="module")
def alone() -> SearchResult:
    return _found(1)


def _same(one: SearchResult, other: SearchResult) -> bool:
    return (one.frontier, one.evaluations) == (other.frontier, other.evaluations)


@contextmanager
def _killing(workers: Callable[[], list[int]]) -> Iterator[list[int]]:
    """Kill the first worker that shows up, a moment later; yields the list of those killed."""
    killed: list[int] = []
    over = threading.Event()

    def kill() -> None:
        while not over.is_set() and not killed:
            if pids := workers():
                time.sleep(0.1)
                os.kill(pids[0], signal.SIGKILL)
                killed.append(pids[0])
            time.sleep(0.005)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


def _loky_workers() -> list[int]:
    executor = reusable_executor._executor
    return [] if executor is None else list(executor._processes or ())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="workers are killed by a signal")
def test_a_killed_process_changes_nothing(alone: SearchResult) -> None:
    reusable_executor.get_reusable_executor(max_workers=2).shutdown(kill_workers=True)
    with _killing(_loky_workers) as killed:
        found = _found(2)
    assert killed
    assert _same(found, alone)


@pytest.mark.slow
def test_threads_do_not_share_their_matrices(alone: SearchResult) -> None:
    with joblib.parallel_config("threading"):
        assert _same(_found(2), alone)


@pytest.mark.slow
def test_a_backend_without_generators(alone: SearchResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ThreadingBackend, "supports_return_generator", False)
    with joblib.parallel_config("threading"):
        assert _same(_found(2), alone)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="workers are killed by a signal")
@pytest.mark.filterwarnings("ignore")  # those of the cluster, which reports the loss
def test_a_dask_cluster_that_loses_a_worker_changes_nothing(alone: SearchResult) -> None:
    distributed = pytest.importorskip("distributed", reason="needs the extra 'cluster'")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config("dask"),
    ):
        assert _same(_found(None), alone)
        with _killing(lambda: [worker.pid for worker in cluster.workers.values()]) as killed:
            found = _found(None)
        assert killed
        assert _same(found, alone)


def _ray_workers() -> list[int]:
    """The processes that work for joblib on a local ray, by the names that ray gives them."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (place / "cmdline").read_text().startswith("ray::PoolActor"):
                found.append(int(place.name))
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds the workers in /proc")
@pytest.mark.filterwarnings("ignore")  # ray's own
def test_a_ray_cluster_that_loses_a_worker_changes_nothing(alone: SearchResult) -> None:
    """Ray is in none of the extras: it is large, and joblib needs no more of it than what the how-to says."""
    ray = pytest.importorskip("ray", reason="needs ray")
    pytest.importorskip("ray.util.joblib").register_ray()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        with joblib.parallel_config("ray"):
            assert _same(_found(None), alone)
            earlier = _ray_workers()  # they may still be ending
            with _killing(lambda: [pid for pid in _ray_workers() if pid not in earlier]) as killed:
                found = _found(None)
    finally:
        ray.shutdown()
    assert killed
    assert _same(found, alone)


@pytest.mark.parametrize("name", ["KilledWorker", "RayActorError"])
def test_an_error_that_tells_of_a_dead_worker_is_known_by_name(name: str) -> None:
    kind = type(name, (Exception,), {})
    assert is_lost_worker(type("ActorDiedError", (kind,), {})())
    assert is_lost_worker(BrokenExecutor())
    assert not is_lost_worker(ZeroDivisionError())

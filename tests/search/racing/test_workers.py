"""Workers: as many as there are cores, whatever is asked for."""

from dataclasses import replace
from multiprocessing import current_process
from typing import Any

import numpy as np
import pytest
from joblib import Parallel, cpu_count, delayed, parallel_config

from autostatistician.gp.problem import Problem
from autostatistician.search.racing import workers
from autostatistician.search.racing.workers import each, gathered, worker_count


@pytest.mark.parametrize("asked", [-1, 100_000, 2**40])
def test_no_more_workers_than_cores(asked: int) -> None:
    assert worker_count(asked) == cpu_count()
    assert worker_count(1) == 1


def test_a_worker_of_a_pool_has_one_and_is_not_warned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(current_process()._config, "daemon", True)  # type: ignore[attr-defined]
    assert worker_count(-1) == 1


def test_nothing_asked_for_is_what_joblib_is_set_to() -> None:
    assert worker_count(None) == 1
    with parallel_config("threading", n_jobs=2):
        assert worker_count(None) == min(2, cpu_count())


def test_whatever_is_spread_has_no_more_workers_than_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Counted(Parallel):  # type: ignore[misc]
        def __init__(self, n_jobs: int, **options: Any) -> None:
            started.append(n_jobs)
            super().__init__(n_jobs, **options)

    monkeypatch.setattr(workers, "Parallel", Counted)
    with parallel_config("threading"):
        assert sorted(gathered([delayed(abs)(-k) for k in range(5)], 100_000)) == [0, 1, 2, 3, 4]
    assert started == [cpu_count()]


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_comes_in_order(jobs: int) -> None:
    with parallel_config("threading"):
        assert each(abs, [-3, 2, -1, 0], jobs) == [3, 2, 1, 0]


def test_what_lost_workers_leave_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    class KilledWorker(Exception): ...

    def lost(*_: Any) -> Any:
        raise KilledWorker

    monkeypatch.setattr(workers, "worker_count", lambda asked: 2)
    monkeypatch.setattr(workers, "gathered", lost)
    assert each(abs, [-1, -2], 2) == [1, 2]


def test_an_error_of_the_work_is_told() -> None:
    with parallel_config("threading"), pytest.raises(ZeroDivisionError):
        each(lambda x: 1 / x, [1, 0], 2)


def test_prepared_data_of_other_errors_are_others() -> None:
    plain = Problem(np.arange(6.0)[:, None], np.ones(6))
    workers._subsets(plain, 0, None)
    noise = np.full(6, 0.5)
    assert workers._subsets(replace(plain, noise=noise), 0, None).whole.noise is noise

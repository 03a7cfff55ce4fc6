"""Workers: as many as there are cores, whatever is asked for."""

from __future__ import annotations

from typing import Any

import pytest
from joblib import Parallel, cpu_count, delayed, parallel_config

from autostatistician.search import workers
from autostatistician.search.workers import gathered, worker_count


@pytest.mark.parametrize("asked", [None, -1, 100_000, 2**40])
def test_no_more_workers_than_cores(asked: int | None) -> None:
    assert worker_count(asked) == cpu_count()
    assert worker_count(1) == 1


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

"""The time of a search: of processors, not of clocks, and without end where none is set."""

from __future__ import annotations

import time
from math import inf

import pytest

from autostatistician.search.budget import Budget


def _started(allowed: float | None, *, binds: bool = True) -> Budget:
    budget = Budget(allowed)
    budget.start(binds=binds)
    return budget


def test_without_a_limit_there_is_always_time() -> None:
    budget = _started(None)
    budget.add(1e9)
    assert (budget.left, budget.is_used_up) == (inf, False)
    assert budget.spent >= 1e9


def test_waiting_costs_nothing() -> None:
    budget = _started(0.04)
    time.sleep(0.05)
    assert not budget.is_used_up


def test_work_counts_here_and_elsewhere() -> None:
    budget = _started(100.0)
    begin = time.thread_time()
    while time.thread_time() - begin < 0.01:
        pass
    budget.add(40.0)
    assert 0.01 < budget.spent - 40.0 < 1.0
    assert budget.left == pytest.approx(60.0, abs=1.0)
    budget.add(60.0)
    assert budget.is_used_up


def test_it_ends_nothing_before_it_binds() -> None:
    budget = _started(1.0, binds=False)
    budget.add(5.0)
    assert (budget.left, budget.is_used_up) == (inf, False)
    budget.binds = True
    assert budget.is_used_up


def test_what_comes_before_the_start_is_not_counted() -> None:
    assert Budget(1.0).spent == 0.0

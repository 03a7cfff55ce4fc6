"""The time of a search: on two clocks, and without end where none is set."""

from __future__ import annotations

import time

import pytest

from autostatistician.search.budget import Budget


def test_without_a_limit_there_is_always_time() -> None:
    budget = Budget(None, began=time.perf_counter() - 1e9)
    assert not budget.is_used_up
    assert budget.deadline is None
    assert budget.spent >= 1e9


def test_what_is_left_is_the_same_on_both_clocks() -> None:
    budget = Budget(100.0, began=time.perf_counter() - 40.0)
    assert not budget.is_used_up
    assert budget.deadline is not None
    assert budget.deadline - time.time() == pytest.approx(60.0, abs=5.0)


def test_a_budget_is_used_up_by_time_alone() -> None:
    budget = Budget(100.0, began=time.perf_counter() - 100.5)
    assert budget.is_used_up
    assert budget.deadline is not None
    assert budget.deadline < time.time()

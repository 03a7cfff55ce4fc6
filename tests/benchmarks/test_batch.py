"""Simulated time, and which short series are taken."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest


def test_tasks_go_to_whoever_is_free(folder: Path) -> None:
    made = import_module("batch")
    assert made.makespan([3.0, 1.0, 1.0, 1.0], 2, 0.0) == 3.0
    assert made.makespan([1.0] * 4, 2, 0.5) == 3.0
    found = made.Recorded([(True, [1.0] * 16), (False, [2.0])], 20.0)
    assert found.simulated(1, 0.1) == 20.0
    assert found.simulated(2, 0.1) == pytest.approx(4.0 + 8.0 + 8 * 0.1)


def test_short_series_may_be_looked_at_and_are_spread(folder: Path) -> None:
    made, corpus = import_module("batch"), import_module("corpus_series")
    try:
        found = made.short_series(20)
    except SystemExit:
        pytest.skip("the package of the corpus is not installed")
    assert all(corpus.is_ours(one.name) and len(one.values) >= made.ROWS for one in found)
    assert len({one.name for one in found}) == 20
    assert len({one.dataset for one in found}) > 1

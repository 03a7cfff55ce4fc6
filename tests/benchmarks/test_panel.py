"""Runs over panels of series whose fit is a sleep."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest


@pytest.mark.slow
def test_workers_search_nothing_and_tell_what_they_take(folder: Path) -> None:
    row = import_module("panel").overhead(40, 2)
    assert float(row["seconds"]) > 0.2
    assert float(row["processor"]) > 0.0
    assert float(row["worker_mb"]) > 10.0

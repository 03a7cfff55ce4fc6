from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The scripts, which find one another as they do when they are run."""
    folder = root / "benchmarks"
    before = set(sys.modules)
    monkeypatch.syspath_prepend(folder)
    yield folder
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "") or "").startswith(f"{folder}{os.sep}"):
            del sys.modules[name]

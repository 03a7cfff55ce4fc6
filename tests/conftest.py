"""Fixtures of the whole suite: where the benchmark data lie, and a word on what was left out without them."""

from __future__ import annotations

import os
from pathlib import Path

# One BLAS thread in tests, as in the workers of the search; it must be said before NumPy is imported.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("MPLBACKEND", "Agg")

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"
NO_SHARED_DATA = "needs the benchmark data beside the repository (folder shared/data), which are not part of a clone"


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of the benchmark data; the test is skipped where it is absent, also in CI."""
    if not SHARED_DATA.is_dir():
        pytest.skip(NO_SHARED_DATA)
    return SHARED_DATA


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the tests that were skipped for want of the benchmark data (they also run where `-r s` is not given)."""
    reports = [r for r in terminalreporter.stats.get("skipped", []) if NO_SHARED_DATA in str(r.longrepr)]
    if reports:
        terminalreporter.section(f"{len(reports)} tests skipped: {NO_SHARED_DATA}", sep="-")
        for report in reports:
            terminalreporter.line(report.nodeid)

"""The section about one likelihood as the rows grow."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def section(folder: Path, tmp_path: Path) -> Any:
    """The section from rows of the table."""
    made, empty = import_module("page_long"), import_module("goals").Tables.read(tmp_path / "none")
    return lambda rows: "\n".join(made.long_series(replace(empty, long=rows)))


def row(model: str, n: int, ms: float, columns: int = 9, nats: str = "", ratio: str = "") -> dict[str, str]:
    return {
        "model": model, "n": str(n), "columns": str(columns), "ms": str(ms), "value_ms": str(ms / 2), "floor_ms": "",
        "ratio": ratio, "nats": nats, "engine": "", "engine_ms": "", "engine_ratio": ratio, "code": "1",
    }  # fmt: skip


def test_without_rows_it_says_so(section: Any) -> None:
    assert "Not measured yet." in section([])


def test_medians_are_of_models_that_are_no_matrix(section: Any) -> None:
    rows = [row("a", 1000, 2.0, nats="-0.02", ratio="0.2"), row("b", 1000, 4.0, nats="0.01", ratio="0.4")]
    text = section([*rows, row("c", 1000, 99.0, columns=0), row("a", 1_000_000, 2000.0 * 10.0**0.3)])
    assert "| 1000 | 2 of 3 | 9 | 3 | 1.5 | – | 0.3 | 0.02 | 0.3 | ≤ 0.4 |" in text
    assert "the power 1.10 (with gradient) and 1.10 (value alone); to reach: 1.1." in text


def test_searches_are_shown_beside_what_is_to_be_reached(folder: Path, tmp_path: Path) -> None:
    made, empty = import_module("page_long"), import_module("goals").Tables.read(tmp_path / "none")
    assert "Not measured yet." in "\n".join(made.long_searches(empty))
    found = {
        "case": "made-10000", "n_jobs": "2", "code": "1", "n": "10000", "search_seconds": "300.4",
        "report_seconds": "9.6", "megabytes": "900", "page_megabytes": "1.20", "bic": "1.0", "expression": "Per + WN",
    }  # fmt: skip
    text = "\n".join(made.long_searches(replace(empty, scale=[found])))
    assert "| 10,000 | made | 300 | ≤ 360 | 10 | 900 | 1.20 | `Per + WN` |" in text
    assert "with 2 workers a search" in text

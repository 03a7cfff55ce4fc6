"""The section about tables of many rows."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def section(folder: Path, tmp_path: Path) -> Any:
    """The section from rows of the table."""
    made, empty = import_module("page_scale"), import_module("goals").Tables.read(tmp_path / "none")
    return lambda rows: "\n".join(made.large_tables(replace(empty, tables_scale=rows)))


def row(name: str, method: str, rmse: float) -> dict[str, str]:
    return {
        "set": name, "rows": "10000", "method": method, "seed": "0", "rmse": str(rmse), "coverage95": "0.951",
        "seconds": "240", "expression": "SE[a] + WN", "code": "1",
    }  # fmt: skip


def test_without_rows_it_says_so(section: Any) -> None:
    assert "Not measured yet." in section([])
    assert "Not measured yet." in section([row("friedman", "ours", 0.2)])


def test_errors_are_beside_each_other(section: Any) -> None:
    cases = {"friedman": (0.2, 0.3), "diamonds": (0.5, 0.4)}
    rows = [
        row(name, one, rmse)
        for name, both in cases.items()
        for one, rmse in zip(("ours", "boosted trees"), both, strict=True)
    ]
    text = section(rows)
    assert "| friedman | 10,000 | **0.200** | 0.300 | 95.1% | 4.0 | 4.0 | `SE[a] + WN` |" in text
    assert "| diamonds | 10,000 | 0.500 | 0.400 |" in text
    assert "in 1 of 2 cases" in text


def test_a_set_that_is_made_has_rows_to_learn_from_and_to_predict(folder: Path) -> None:
    made = import_module("tables_scale")
    X, y = made.friedman()
    assert X.shape == (100_000 + made.PREDICTED, 8)
    assert y.std() == pytest.approx(4.98, abs=0.1)

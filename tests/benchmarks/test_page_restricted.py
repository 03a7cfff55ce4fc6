"""The section about the poorer languages of the original, run here."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def section(folder: Path, tmp_path: Path) -> Any:
    """The section, and the variants that other sections show, from rows of extrapolation."""
    page, goals = import_module("page_restricted"), import_module("goals")
    empty = goals.Tables.read(tmp_path / "none")

    def made(rows: list[dict[str, str]]) -> tuple[str, list[str]]:
        tables = replace(empty, extrapolation=rows)
        return "\n".join(page.restricted(tables, "extrapolation")), [str(one) for one in goals.variants(tables)]

    return made


def row(series: str, method: str, rmse: float, nlp: float) -> dict[str, str]:
    shared = {"axis": "raw", "split": "extrapolation", "seed": "0", "settings": "max_depth=3", "code": "1"}
    return shared | {"series": series, "method": method, "rmse": str(rmse), "nlp": str(nlp)}


def test_ours_stand_beside_the_published_figures(section: Any) -> None:
    rows = [
        row("01-airline", "linear", 72.2, 5.0),
        row("02-solar", "linear", 0.8, 0.9),
        row("01-airline", "se", 100, 6),
    ]
    text, variants = section([*rows, row("01-airline", "extended", 11, 4)])
    assert variants == ["extended (max_depth=3)"]
    assert "| series | `linear` (linear) | `se` (SE) |" in text
    assert "| 01-airline | **4.94** (4.94) | **6.84** (32.21) |" in text
    assert "| 02-solar | 2.10 (1.07) | – |" in text
    assert "| 01-airline | **5.00** (6.12) | **6.00** (9.11) |" in text
    assert "with `max_depth=3`, the same" in text
    assert "3 rows" in text


def test_without_rows_there_is_no_section(section: Any) -> None:
    assert section([row("01-airline", "extended", 11, 4)])[0] == ""

"""Pieces of Markdown for the page of results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["NOTHING", "bold", "made_by", "number", "rounded", "table"]

Row = dict[str, Any]

NOTHING = "Not measured yet."


def rounded(value: float | None) -> str:
    """Four digits, without powers of ten; a dash for nothing."""
    return "–" if value is None else f"{value:.0f}" if abs(value) >= 1000.0 else f"{value:.4g}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [list(head), ["---"] * len(head), *(list(row) for row in rows)]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines] + [""]


def number(value: float | None, form: str = ".3f") -> str:
    return "–" if value is None else f"{value:{form}}"


def bold(text: str, wanted: bool | None) -> str:
    return f"**{text}**" if wanted else text


def made_by(rows: Sequence[Row], table: str) -> str:
    """Which code made the rows of a table, and with how many workers."""
    codes = Counter(row["code"] for row in rows)
    jobs = sorted({row["n_jobs"] for row in rows if row.get("n_jobs")})
    said = ", ".join(f"`{code}` ({count} rows)" if len(codes) > 1 else f"`{code}`" for code, count in codes.items())
    workers = f", with {' or '.join(jobs)} {'worker' if jobs == ['1'] else 'workers'} a search" if jobs else ""
    return f"Table: [`{table}`](../benchmarks/results/{table}), {len(rows)} rows, made by {said}{workers}."

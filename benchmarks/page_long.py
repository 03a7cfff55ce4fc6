"""The section of the page of results about one likelihood of one column as the rows grow."""

from __future__ import annotations

from math import log
from statistics import median
from typing import Any

from goals import Tables
from page_text import NOTHING, made_by, rounded, table

__all__ = ["exponent", "long_series"]

Row = dict[str, Any]

TARGETS = {"400": 0.8, "1000": 0.4, "3000": 0.1}  # of the median ratio to the floor
FROM, TO = 1000, 1_000_000  # rows, between which the exponent is that of


def long_series(tables: Tables) -> list[str]:
    lines = ["## One likelihood as the rows grow", ""]
    rows = tables.long
    if not rows:
        return [*lines, NOTHING, ""]
    return [
        *lines,
        "One log marginal likelihood with its gradient by the engine whose cost grows with the rows, for the",
        "structures that the original found best on its 13 series, on evenly spaced places: medians over the models",
        "that it takes (for others, with hardly any noise somewhere or too many columns, one matrix is better). The",
        "floor is LAPACK's Cholesky factor and inverse of a matrix of so many rows, in the same process. The error is",
        "that of the evidence. Times are those of the processor.",
        "",
        *table(
            [
                "rows",
                "models",
                "columns",
                "ms",
                "value alone, ms",
                "floor, ms",
                "ratio",
                "to reach",
                "largest error, nats",
            ],
            [_line(n, [row for row in rows if row["n"] == n]) for n in sorted({row["n"] for row in rows}, key=int)],
        ),
        *_growth(rows),
        made_by(rows, "long.csv"),
        "",
    ]


def _line(n: str, rows: list[Row]) -> list[str]:
    own = [row for row in rows if int(row["columns"]) and row["ms"]]
    errors = [abs(float(row["nats"])) for row in own if row["nats"]]
    target = f"≤ {TARGETS[n]:g}" if n in TARGETS else "–"
    middle = [_median(own, name) for name in ("columns", "ms", "value_ms", "floor_ms", "ratio")]
    return [n, f"{len(own)} of {len(rows)}", *map(rounded, middle), target, rounded(max(errors, default=None))]


def _median(rows: list[Row], name: str) -> float | None:
    known = [float(row[name]) for row in rows if row[name]]
    return median(known) if known else None


def exponent(rows: list[Row], name: str) -> float | None:
    """The power of the rows with which a time grows, the median over the models that have both ends."""
    ends = {(row["model"], int(row["n"])): float(row[name]) for row in rows if row[name]}
    both = [model for model, n in ends if n == TO and (model, FROM) in ends]
    slopes = [log(ends[model, TO] / ends[model, FROM]) / log(TO / FROM) for model in both]
    return median(slopes) if slopes else None


def _growth(rows: list[Row]) -> list[str]:
    found = {said: exponent(rows, name) for said, name in (("with gradient", "ms"), ("value alone", "value_ms"))}
    told = [f"{one:.2f} ({said})" for said, one in found.items() if one is not None]
    if not told:
        return []
    return [f"From {FROM} to {TO} rows the time grows with the power {' and '.join(told)}; to reach: 1.1.", ""]

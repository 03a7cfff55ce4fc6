"""The section of the page of results about one likelihood of one column as the rows grow."""

from __future__ import annotations

from math import log
from statistics import median
from typing import Any

from goals import Tables
from page_text import NOTHING, made_by, rounded, table

__all__ = ["exponent", "long_searches", "long_series"]

Row = dict[str, Any]

TARGETS = {"400": 0.8, "1000": 0.4, "3000": 0.1}  # of the median ratio to the floor
SECONDS = {500: 15, 1000: 30, 3000: 120, 10_000: 360, 100_000: 1500}  # of a search, to reach on two cores
SECONDS_OF_REPORT = 60  # of 100 000 rows
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
        "that of the evidence. Times are those of the processor. Which engine is taken follows from the expression and",
        "the size of the data: the last ratio is that of the one which is, whichever it is, over all models.",
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
                "largest error, nats",
                "ratio of the engine taken",
                "to reach",
            ],
            [_line(n, [row for row in rows if row["n"] == n]) for n in sorted({row["n"] for row in rows}, key=int)],
        ),
        *_growth(rows),
        made_by(rows, "long.csv"),
        "",
    ]


def long_searches(tables: Tables) -> list[str]:
    lines = ["## Searches as the rows grow", ""]
    if not tables.scale:
        return [*lines, NOTHING, ""]
    head = [
        "rows",
        "series",
        "search, s",
        "to reach",
        "report and forecast, s",
        "MB of memory",
        "MB of the page",
        "the model",
    ]
    rows = sorted(tables.scale, key=lambda row: int(row["n"]))
    return [
        *lines,
        "`AutomaticStatistician` with its defaults on the first rows of a half-hourly demand of electricity and on a",
        "made series of hours with a day and a week in it. From 400 rows on it looks at a part of the rows first.",
        f"The report of 100 000 rows is to take {SECONDS_OF_REPORT} s.",
        "",
        *table(head, [_search(row) for row in rows]),
        made_by(rows, "scale.csv"),
        "",
    ]


def _search(row: Row) -> list[str]:
    n = int(row["n"])
    target = f"≤ {SECONDS[n]}" if n in SECONDS else "–"
    seconds = [f"{float(row[name]):.0f}" for name in ("search_seconds", "report_seconds")]
    size = [row["megabytes"], row["page_megabytes"], f"`{row['expression']}`"]
    return [f"{n:,}", row["case"].split("-")[0], seconds[0], target, seconds[1], *size]


def _line(n: str, rows: list[Row]) -> list[str]:
    own = [row for row in rows if int(row["columns"]) and row["ms"]]
    errors = [abs(float(row["nats"])) for row in own if row["nats"]]
    target = f"≤ {TARGETS[n]:g}" if n in TARGETS else "–"
    middle = [_median(own, name) for name in ("columns", "ms", "value_ms", "floor_ms", "ratio")]
    taken = rounded(_median(rows, "engine_ratio"))
    return [n, f"{len(own)} of {len(rows)}", *map(rounded, middle), rounded(max(errors, default=None)), taken, target]


def _median(rows: list[Row], name: str) -> float | None:
    known = [float(row[name]) for row in rows if row.get(name)]
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

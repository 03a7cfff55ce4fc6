"""The section of the page of results about series that no other benchmark holds."""

from __future__ import annotations

from goals import Tables
from others import LONGEST, summary
from page_text import NOTHING, made_by, table

__all__ = ["other_series"]


def other_series(tables: Tables) -> list[str]:
    lines = ["## Forecasts of other series", ""]
    rows = summary(tables.others)
    if not rows:
        return [*lines, NOTHING, ""]
    return [
        *lines,
        f"Series that come with statsmodels and pmdarima (of long ones the last {LONGEST} values), their last tenth",
        "predicted from what precedes it. The others are told the season, ours is told nothing. Ratios are geometric",
        "means over the series. These series took part in the choice of how logarithms are modelled.",
        "",
        *table(list(rows[0]), [[str(cell) for cell in row.values()] for row in rows]),
        made_by(tables.others, "others.csv"),
        "",
    ]

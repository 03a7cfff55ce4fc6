"""Sections of the pages of results on columns beside a time, counts, outliers, and classes of wide tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import columns
import count_tables
import counts
import intermittent
import robust
import wide_classes
from goals import Tables
from page_calibration import rows_of
from page_text import NOTHING, made_by

__all__ = ["beside_time", "counted_series", "counted_tables", "items", "outliers", "wide_tables"]

Row = dict[str, Any]


def _section(
    title: str, said: str, rows: list[Row], name: str, *summaries: Callable[[list[Row]], Sequence[Row]]
) -> list[str]:
    found = [summary(rows) for summary in summaries] if rows else []
    if not found:
        return [f"## {title}", "", NOTHING, ""]
    shown = [line for summary in found if summary for line in rows_of(summary)]
    return [f"## {title}", "", said, "", *shown, made_by(rows, name), ""]


def beside_time(tables: Tables) -> list[str]:
    """Series with columns whose future values are known."""
    said = (
        "The last tenth of real tables with a time and columns, the columns known. `sql`, `mase` and `msis` are "
        "relative to a seasonal naive rule, geometric means over the tables; boosted trees see lags, the calendar "
        "and the columns."
    )
    return _section("Columns beside a time", said, tables.columns, "columns.csv", columns.summary, columns.by_table)


def counted_series(tables: Tables) -> list[str]:
    """Series of counts."""
    said = (
        "Real series of counts, the last fifth forecast: mean log scores (more is better) with the likelihood left "
        "open and with each asked for; below, simulated counts."
    )
    return _section("Series of counts", said, tables.counts, "counts.csv", counts.of_real, counts.of_simulated)


def items(tables: Tables) -> list[str]:
    """Items sold a day."""
    said = "Made series of items sold a day, most days none: quantile loss of the 28 days that follow."
    return _section("Items sold, most days none", said, tables.intermittent, "intermittent.csv", intermittent.summary)


def counted_tables(tables: Tables) -> list[str]:
    """Tables of counts without a time."""
    said = "Counts explained by several columns: mean log scores of the last fifth (more is better)."
    return _section("Tables of counts", said, tables.count_tables, "count-tables.csv", count_tables.summary)


def outliers(tables: Tables) -> list[str]:
    """What gross outliers do to a forecast."""
    said = (
        "Made series with one gross outlier in twenty rows (`inside`), also among the last three (`end`), or with "
        "a new level at their end: how far the forecast moves from that of the clean series, and which outliers "
        "are named."
    )
    return _section("Outliers", said, tables.robust, "robust.csv", robust.summary)


def wide_tables(tables: Tables) -> list[str]:
    """Classes of wide tables."""
    said = (
        "Three tables that come with scikit-learn, by which nothing was chosen: `auto` is `GPClassifier()`, `ard` "
        "has a lengthscale for every column."
    )
    return _section("Classes of wide tables", said, tables.wide_classes, "wide-classes.csv", wide_classes.summary)

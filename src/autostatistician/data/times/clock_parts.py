"""Times that stand in several columns: year and month (and day), year and quarter or week, date and clock time."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from autostatistician.data.columns import DataColumn, Floats, Times
from autostatistician.data.missing import is_missing
from autostatistician.data.numbers import parse_numbers
from autostatistician.data.times.counted import DAY_NAMES, MONTH_NAMES, YEAR_NAMES
from autostatistician.data.times.dates import parse_times

__all__ = ["combined", "with_clock"]

WEEK_NAMES, QUARTER_NAMES = frozenset({"week", "wk", "isoweek"}), frozenset({"quarter", "qtr"})
HOUR_NAMES = frozenset({"hour", "hr", "hh"})
CLOCK_TIME = re.compile(r"^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?$")
Made = tuple[DataColumn, tuple[DataColumn, ...]]


def combined(columns: Sequence[DataColumn]) -> Made | None:
    """A date made of separate columns for year and month (and day), quarter or week, and those columns.

    >>> made, used = combined([DataColumn("year", ("2020", "2020")), DataColumn("quarter", ("1", "2"))])
    >>> made.values, len(used)
    (('2020Q1', '2020Q2'), 2)
    """
    year, month, day = (_called(columns, names) for names in (YEAR_NAMES, MONTH_NAMES, DAY_NAMES))
    if year is None:
        return None
    years = _whole(year, 1, 9999)
    if years is None:
        return None
    if month is not None and (months := _whole(month, 1, 12)) is not None:
        days = None if day is None else _whole(day, 1, 31)
        if day is None or days is None:
            return _joined((year, month), (years, months), "{:04.0f}-{:02.0f}")
        return _joined((year, month, day), (years, months, days), "{:04.0f}-{:02.0f}-{:02.0f}")
    for names, most, form in ((QUARTER_NAMES, 4, "{:04.0f}Q{:.0f}"), (WEEK_NAMES, 53, "{:04.0f}-W{:02.0f}")):
        part = _called(columns, names)
        if part is not None and (values := _whole(part, 1, most)) is not None:
            return _joined((year, part), (years, values), form)
    return None


def _called(columns: Sequence[DataColumn], names: frozenset[str]) -> DataColumn | None:
    return next((column for column in columns if column.name.strip().lower() in names), None)


def _joined(used: tuple[DataColumn, ...], parts: tuple[Floats, ...], form: str) -> Made:
    rows = zip(*parts, strict=True)
    texts = tuple(None if any(np.isnan(row)) else form.format(*row) for row in rows)
    return DataColumn("-".join(column.name for column in used), texts), used


def _whole(column: DataColumn, low: int, high: int) -> Floats | None:
    """The numbers of a column whose cells are whole numbers within bounds; of months also their names."""
    name, cells = column.name.strip().lower(), column.values
    values = column.numbers.values
    if name in MONTH_NAMES and isinstance(cells, tuple) and np.isnan(values).all():
        named = parse_times([f"2001 {cell}" for cell in cells])
        values = values if named is None else _month_numbers(named.times)
    if name in QUARTER_NAMES and isinstance(cells, tuple) and np.isnan(values).all():
        values = parse_numbers([(cell or "").strip().upper().removeprefix("Q") for cell in cells]).values
    filled = values[np.isfinite(values)]
    fits = filled.size > 0 and np.all((filled == np.round(filled)) & (filled >= low) & (filled <= high))
    return values if fits else None


def _month_numbers(times: Times) -> Floats:
    months = times.astype("M8[M]").astype(np.int64) % 12 + 1
    return np.asarray(np.where(np.isnat(times), np.nan, months), dtype=np.float64)


def with_clock(columns: Sequence[DataColumn], dated: Sequence[DataColumn]) -> Made | None:
    """A column of dates and a column of clock times (14:30) or hours beside it as one, and the columns used up."""
    parsed = dated[0].times if dated else None
    if parsed is None:
        return None
    days = parsed.times.astype("M8[D]")
    if np.any(parsed.times != days):
        return None
    for clock in columns:
        times = None if clock in dated else _at_clock(days, clock)
        if times is not None:
            return DataColumn(f"{dated[0].name} {clock.name}", times, parsed.notes), (dated[0], clock)
    return None


def _at_clock(days: Times, clock: DataColumn) -> Times | tuple[str | None, ...] | None:
    """Days with the hours (0 to 23, or 1 to 24) or clock times of a column; None where it holds something else."""
    hours = _whole(clock, 0, 24) if clock.name.strip().lower() in HOUR_NAMES else None
    if hours is not None:
        filled = np.isfinite(hours)
        times = days.astype("M8[us]")
        times[filled] += hours[filled].astype(np.int64) * np.timedelta64(3_600_000_000, "us")
        times[~filled] = np.datetime64("NaT")
        return times
    if not isinstance(clock.values, tuple):
        return None
    cells = [None if cell is None or is_missing(cell) else cell.strip() for cell in clock.values]
    if not any(cells) or not all(cell is None or CLOCK_TIME.match(cell) for cell in cells):
        return None
    return tuple(None if np.isnat(day) or not cell else f"{day} {cell}" for day, cell in zip(days, cells, strict=True))

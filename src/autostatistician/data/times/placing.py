"""Put the cells of the time column on a model axis."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Flags, Floats
from autostatistician.data.columns import DataColumn
from autostatistician.data.times.axes import Axis, with_gap
from autostatistician.data.times.calendar import Placed, place, place_numbers
from autostatistician.data.times.dates import ParsedTimes
from autostatistician.data.times.numeric_times import place_years
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note, note_some

__all__ = ["AxisMode", "place_times", "positions_of", "readable_positions"]

AxisMode = Literal["calendar", "raw"]
LARGEST_POSITION = 1e150  # larger positions count as infinite: their squares are


def place_times(column: DataColumn | None, usable: Flags, mode: AxisMode) -> tuple[Placed, Flags]:
    """The axis and the positions of the rows that have both a value (``usable``) and a time, and which rows these are.

    No column: the rows are counted from 0, those without a value included.
    """
    if column is None:
        rows = np.flatnonzero(usable).astype(np.float64)
        return Placed(Axis("row", "", "", 1.0), rows), usable
    parsed = column.times
    is_number = isinstance(column.values, np.ndarray) and column.values.dtype.kind == "f"
    if parsed is not None and not (mode == "raw" and is_number):
        kept = usable & ~np.isnat(parsed.times)
        notes = (*parsed.notes, *_left_out(column, usable & np.isnat(parsed.times), parsed.bad))
        return _noted(_dates(column, parsed, usable, mode), notes), kept
    return _number_axis(column, usable, mode)


def _dates(column: DataColumn, parsed: ParsedTimes, usable: Flags, mode: AxisMode) -> Placed:
    readable = ~np.isnat(parsed.times)
    if not readable.any():
        return Placed(Axis(column.name, "day", "", None, "1970-01-01"), np.zeros(0))
    placed = _only(place(parsed.times[readable], column.name), usable[readable])
    if mode == "raw":
        return _noted(placed, (note("Dates have no raw numbers; they were put on a calendar axis."),))
    if not placed.axis.frequency:
        return _noted(placed, (note("The dates in column {column} follow no regular grid.", column=repr(column.name)),))
    return placed


def _only(placed: Placed, rows: Flags) -> Placed:
    """Some of the rows. The grid is recognised on all: a date without a value still belongs to the calendar."""
    x = placed.x[rows]
    return replace(placed, x=x, axis=with_gap(placed.axis, x))


def _noted(placed: Placed, notes: tuple[str, ...]) -> Placed:
    return replace(placed, notes=notes + placed.notes)


def _left_out(column: DataColumn, lost: Flags, bad: tuple[int, ...]) -> tuple[str, ...]:
    row = next((row for row in bad if lost[row]), None)
    some = "" if row is None else note(" (such as {cell} in row {row})", cell=repr(column.text(row)), row=row + 1)
    return note_some(
        int(lost.sum()), "{n} row without a readable time in column {column} left out{some}.",
        "{n} rows without a readable time in column {column} left out{some}.",
        column=repr(column.name), some=some,
    )  # fmt: skip


def _number_axis(column: DataColumn, usable: Flags, mode: AxisMode) -> tuple[Placed, Flags]:
    numbers = column.numbers
    if column.has_bad_numbers:
        expected = note("dates or numbers in column {column}", column=repr(column.name))
        remedy = note("write dates as 2024-01-31, or name another column")
        raise InputError.of(expected, column.first_bad, remedy)
    finite = np.abs(numbers.values) <= LARGEST_POSITION
    kept = usable & finite
    notes = (*numbers.notes, *_left_out(column, usable & ~finite, numbers.bad))
    x = numbers.values[finite]
    years = place_years(x, column.name) if mode == "calendar" else None
    return _noted(_only(years or place_numbers(x, column.name), usable[finite]), notes), kept


def positions_of(axis: Axis, column: DataColumn, *, every: bool = True) -> Floats:
    """Model positions of new times written in any way the axis understands; one cell must hold a time, or ``every``."""
    x = readable_positions(axis, column)
    wrong = np.flatnonzero(np.isnan(x))
    if wrong.size and (every or wrong.size == len(x)):
        row = int(wrong[0])
        expected = f"times for the axis {axis.column!r} in every row"
        raise InputError.of(expected, f"{column.text(row)!r} in row {row + 1}", "write them as in the data")
    return x


def readable_positions(axis: Axis, column: DataColumn) -> Floats:
    """Model positions of the cells of a time column, NaN where a cell holds no time.

    >>> readable_positions(Axis("day", "day", "day", 1.0, "2024-01-01"), DataColumn("day", ("2024-01-03", ""))).tolist()
    [2.0, nan]
    """
    parsed = column.times_of_most if axis.is_calendar else None
    values: NDArray[Any] = column.numbers.values if parsed is None else parsed.times
    if parsed is not None and parsed.either:
        values = max((parsed.times, *parsed.either.values()), key=lambda times: _filled(axis, times))
    there = np.isfinite(values) if parsed is None else ~np.isnat(values)
    x = np.full(len(values), np.nan)
    if there.any():
        x[there] = axis.read(values[there])
    return x


def _filled(axis: Axis, times: NDArray[Any]) -> float:
    """How much of the grid of an axis some dates fill from the first to the last, less what repeats."""
    x = axis.read(times[~np.isnat(times)])
    places = np.unique(np.round(x / (axis.step or axis.gap)))
    return places.size / x.size * places.size / (np.ptp(places) + 1.0)

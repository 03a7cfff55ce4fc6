"""Put the cells of the time column on a model axis, and rows in the order of time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Flags, Floats, Rows
from autostatistician.data.columns import DataColumn
from autostatistician.data.missing import said_of_rows
from autostatistician.data.times.axes import CLOCK_UNITS, Axis, label_text, with_gap
from autostatistician.data.times.calendar import Placed, place, place_numbers
from autostatistician.data.times.dates import ParsedTimes, regularity
from autostatistician.data.times.numeric_times import place_years
from autostatistician.errors import InputError
from autostatistician.i18n.messages import message, note, note_some

__all__ = ["AxisMode", "absent", "ordered", "place_times", "positions_of", "readable_positions"]

AxisMode = Literal["calendar", "raw"]
LARGEST_POSITION = 1e150  # larger positions count as infinite: their squares are
# Where clocks change at hours of their own: those of all others change with one of these.
ZONES = ("Europe/Berlin", "Europe/London", "Europe/Helsinki", "America/New_York", "Australia/Sydney")
MOST_CHANGES = 1000  # positions that are looked up: many years of minutes


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
    if not placed.axis.frequency and (readable & usable).any():  # rows without a value may lie off the grid
        placed = place(parsed.times[readable & usable], column.name)
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
    text = message("{rows} without a readable time in column {column} left out{some}.")
    return said_of_rows(int(lost.sum()), text, column=repr(column.name), some=some)


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
        values = max((parsed.times, *parsed.either.values()), key=regularity)
    there = np.isfinite(values) if parsed is None else ~np.isnat(values)
    x = np.full(len(values), np.nan)
    if there.any():
        x[there] = axis.read(values[there])
    return x


# --- Rows that repeat a time, and times without a row ----------------------------------------------------------------


def _at_changes(axis: Axis, x: Floats) -> Flags:
    """Which positions (m,) are times that the clocks of one zone, that of most, skip or show twice in a year.

    >>> hours = Axis("t", "hour", "hour", 1.0, "2024-03-31T00:00")
    >>> _at_changes(hours, np.array([2.0])).tolist(), _at_changes(hours, np.array([5.0])).tolist()
    ([True], [False])
    """
    known = axis.unit in CLOCK_UNITS and len(x) <= MOST_CHANGES
    local = np.asarray(axis.times(x)).astype("M8[s]").tolist() if known else []
    times = [[time.replace(tzinfo=ZoneInfo(zone)) for time in local] for zone in ZONES]
    changed = max(([time.utcoffset() != time.replace(fold=1).utcoffset() for time in each] for each in times), key=sum)
    return np.array(changed if 2 * sum(changed) > len(x) else [False] * len(x), dtype=bool)


def _first(axis: Axis, x: Floats) -> str:
    return label_text(np.asarray(axis.times(x[:1]))[0]) if x.size else ""


def absent(axis: Axis, x: Floats, dropped: int) -> tuple[str, ...]:
    """That dates of a regular calendar have no value, where that is more than the rows that were dropped for it."""
    lacking = axis.lacking(x, float(x[0])) if axis.is_calendar else x[:0]
    skipped = _at_changes(axis, lacking)
    said = note_some(
        int(skipped.sum()), "{n} time is skipped where the clock is put forward (the first is {first}).",
        "{n} times are skipped where the clock is put forward (the first is {first}).",
        first=_first(axis, lacking[skipped]),
    )  # fmt: skip
    lacking = lacking[~skipped]
    if lacking.size <= dropped:
        return said
    return said + note_some(
        int(lacking.size),
        "{n} date between the first and the last has no value (the first is {first}); nothing was filled in.",
        "{n} dates between the first and the last have no value (the first is {first}); nothing was filled in.",
        first=_first(axis, lacking),
    )  # fmt: skip


def ordered(x: Floats, y: Floats, axis: Axis) -> tuple[Rows, tuple[str, ...]]:
    """The rows (n,) in the order of time, and sentences on what was changed.

    Of those equal in date and value one alone is kept, but where clocks are put back; other repeated times are counted.
    """
    notes: list[str] = []
    steps, order = np.diff(x), np.argsort(x, kind="stable")
    twice = np.append(False, np.diff(x[order]) == 0)
    back = np.zeros(len(x), dtype=bool)
    back[twice] = _at_changes(axis, x[order][twice])
    if not np.isin(x[1:][steps < 0], x[order][back]).all():
        notes.append(note("The rows ran backwards in time and were turned round.") if np.all(steps <= 0) else
                     note("The rows were not in the order of time and were sorted."))  # fmt: skip
    if axis.is_calendar and twice.any():
        copies = np.ones(len(x), dtype=bool)
        copies[np.unique(np.column_stack([x, y])[order], axis=0, return_index=True)[1]] = False
        copies &= ~back
        notes += said_of_rows(int(copies.sum()), message("{rows} with the date and value of another row left out."))
        order, back = order[~copies], back[~copies]
    notes += note_some(
        int(back.sum()), "{n} time stands twice where the clock is put back (the first is {first}); all rows are kept.",
        "{n} times stand twice where the clock is put back (the first is {first}); all rows are kept.",
        first=_first(axis, x[order][back]),
    )  # fmt: skip
    what = note("a date with another value") if axis.is_calendar else note("an earlier position")
    repeated = np.append(False, np.diff(x[order]) == 0) & ~back
    notes += note_some(
        int(repeated.sum()), "{n} row repeats {what}; all are kept.", "{n} rows repeat {what}; all are kept.", what=what
    )
    return order, tuple(notes)

"""Times that stand in several columns: year and month (and day), year and quarter or week, date and clock time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autostatistician.data.columns import DataColumn, Floats, Times
from autostatistician.data.missing import is_missing
from autostatistician.data.numbers import parse_numbers
from autostatistician.data.times.counted import DAY_NAMES, MONTH_NAMES, YEAR_NAMES
from autostatistician.data.times.dates import parse_times
from autostatistician.wording.messages import note

__all__ = ["combined", "with_clock"]

WEEK_NAMES, QUARTER_NAMES = frozenset({"week", "wk", "isoweek"}), frozenset({"quarter", "qtr"})
DAY_PART_NAMES = frozenset((
    "hour", "hours", "hr", "hh", "he", "hb", "period", "periods", "sp", "slot", "interval", "block", "ending",
    "hourending", "stunde", "viertelstunde", "heure", "hora", "ora", "uur", "time",
))  # fmt: skip
PARTS_OF_DAY = (24, 48, 96, 288)
_CLOCK = r"\d{1,2}[:.h]\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?"
CLOCK_TIME = re.compile(rf"^({_CLOCK})(?:\s*(?:-|\u2013|to|bis|/)\s*{_CLOCK})?(?:\s*(?:Uhr|h))?$")
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
    """A column of dates and one of clock times (14:30), hours or other parts of the day as one, and both columns.

    >>> day, period = DataColumn("day", ("2020-01-01",) * 48), DataColumn("period", np.arange(1.0, 49.0))
    >>> made, used = with_clock([day, period], [day])
    >>> made.values[-1], made.notes[0][:48]
    ('2020-01-01 23:30', "The numbers 1 to 48 in column 'period' were read")
    """
    parsed = dated[0].times if dated else None
    if parsed is None or np.any(parsed.times != parsed.times.astype("M8[D]")):
        return None
    for clock in columns:
        if any(clock is other for other in dated):
            continue
        cells, said = _clock_cells(clock)
        if cells is not None:
            days = parsed.times.astype("M8[D]").astype(str).tolist()
            written = dated[0].values if isinstance(dated[0].values, tuple) else days
            name = f"{dated[0].name} {clock.name}"
            made = replace(dated[0], name=name, values=_beside(written, cells), notes=(*dated[0].notes, *said))
            if made.times is None:
                made = replace(made, values=_beside(days, cells), notes=(*made.notes, *parsed.notes))
            return made, (dated[0], clock)
    return None


def _beside(days: Sequence[str | None], cells: Sequence[str | None]) -> tuple[str | None, ...]:
    return tuple(None if day is None or not cell else f"{day} {cell}" for day, cell in zip(days, cells, strict=True))


def _clock_cells(clock: DataColumn) -> tuple[list[str | None] | None, tuple[str, ...]]:
    """Clock times as text, of clock times (or periods between two) or of numbers that count parts of the day."""
    if set(re.split(r"[\W_]+", clock.name.strip().lower())) & DAY_PART_NAMES:
        numbers, said = _parts_of_day(clock)
        if numbers is not None:
            return [None if np.isnan(m) else f"{int(m) // 60:02d}:{int(m) % 60:02d}" for m in numbers], said
    if not isinstance(clock.values, tuple):
        return None, ()
    cells = [None if cell is None or is_missing(cell) else cell.strip() for cell in clock.values]
    matches = {cell: CLOCK_TIME.match(cell) for cell in cells if cell}
    if not matches or not all(matches.values()):
        return None, ()
    begins = {cell: match[1] for cell, match in matches.items() if match}
    return [begins[cell] if cell else None for cell in cells], ()


def _parts_of_day(column: DataColumn) -> tuple[Floats | None, tuple[str, ...]]:
    """Minutes at which the parts of a day begin that whole numbers count: hours, or 1 to 24, 1 to 48, 0 to 95.

    Days on which the clock is put back have an hour more.
    """
    numbers = _whole(column, 0, 300)
    if numbers is None:
        return None, ()
    low, high = int(np.nanmin(numbers)), int(np.nanmax(numbers))
    parts = next((n for n in PARTS_OF_DAY if n <= high - low + 1 <= n + n // 24 and low <= 1), None)
    if parts is None and high < 24:
        return numbers * 60, ()
    if parts is None:
        return None, ()
    said = note(
        "The numbers {first} to {last} in column {name} were read as parts of the day, the first from 0:00 on.",
        first=low, last=high, name=repr(column.name),
    )  # fmt: skip
    return (numbers - low) * (1440 / parts), (said,) if (low, high) != (0, 23) else ()

"""Which column of a table is the time axis, and which one is modelled: as told, or guessed and said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from autostatistician.data.cells import Column, Floats, Times, as_numbers, as_times, is_missing
from autostatistician.data.decimal_years import TIME_NAMES
from autostatistician.data.wording import listed
from autostatistician.errors import InputError

__all__ = ["Roles", "assign_roles", "find_column", "guess_target", "is_row_count"]

TARGET_NAMES = ("y", "target", "value", "values", "observation", "observed", "count", "response", "output")
YEAR_NAMES, MONTH_NAMES = frozenset({"year", "yr", "yyyy"}), frozenset({"month", "mon", "mm", "mo"})
CLOCK = re.compile(r"^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AaPp]\.?[Mm]\.?)?$")
DAY_NAMES = frozenset({"day", "dd", "dom"})
TIME_ENDINGS = ("date", "time", "timestamp", "_at", "year", "month")


@dataclass(frozen=True, eq=False)
class Roles:
    """The time column (None: count the rows), the target, and the sentences about guesses."""

    time: Column | None
    target: Column
    notes: tuple[str, ...]


def assign_roles(columns: tuple[Column, ...], time: str | None, target: str | None, comma: bool = False) -> Roles:
    """Choose the time and target columns; names that are given are taken as they are."""
    chosen = None if target is None else find_column(columns, target, "target")
    others = tuple(column for column in columns if column is not chosen)
    notes: list[str] = []
    if time is not None:
        axis: Column | None = find_column(columns, time, "time axis")
        if axis is chosen:
            raise InputError.of("different columns for time and target", f"{time!r} for both", "name two columns")
        used: tuple[Column | None, ...] = (axis,)
    else:
        axis, used, said = _guess_time(others, comma, alone=chosen is None)
        notes.extend(said if chosen is None or len(others) > 1 or axis is None else [])
    if chosen is None:
        chosen, left = guess_target(tuple(c for c in columns if all(c is not other for other in used)), comma)
        notes.append(_target_note(chosen, left, len(columns) > 2 or axis is None))
    return Roles(axis, chosen, tuple(note for note in notes if note))


def find_column(columns: tuple[Column, ...], name: str, role: str) -> Column:
    """The column of that name; upper and lower case are told apart only where needed."""
    for fold in (str, str.lower):
        for column in columns:
            if fold(column.name) == fold(str(name).strip()):
                return column
    names = [column.name for column in columns]
    close = get_close_matches(str(name), names, n=1)
    remedy = f"did you mean {close[0]!r}?" if close else "name one of these"
    raise InputError.of(f"a column {str(name)!r} for the {role}", f"the columns {listed(names)}", remedy)


def _guess_time(
    columns: tuple[Column, ...], comma: bool, *, alone: bool
) -> tuple[Column | None, tuple[Column | None, ...], list[str]]:
    """The time column, the columns it was made of, and what to say. ``alone``: one column is needed for the target."""
    combined = _combined(columns, comma)
    if combined is not None:
        return combined
    dated = [column for column in columns if _is_dated(column)]
    if (clocked := _with_clock(columns, dated)) is not None:
        return clocked
    if dated:
        axis = min(dated, key=lambda column: not _has_time_name(column.name))
        said = [f"Column {axis.name!r} is taken as the time axis."] if len(columns) > 1 else []
        if len(dated) > 1:
            rest = listed([column.name for column in dated if column is not axis])
            said = [f"Column {axis.name!r} is taken as the time axis; other columns of dates are left out: {rest}."]
        return axis, (axis, *dated), said
    numeric = [column for column in columns if as_numbers(column, comma=comma).share >= 0.95]
    if len(numeric) < (2 if alone else 1):
        return None, (), [_no_times(columns)]
    named = [column for column in numeric if column.name.strip().lower() in TIME_NAMES]
    plain = [c for c in numeric if not is_row_count(c, comma) and c.name.strip().lower() not in TARGET_NAMES]
    rising = [column for column in plain if _is_monotone(column, comma)]
    axis_or_none = next(iter(named or rising), None)
    if axis_or_none is None:
        return None, (), [_no_times(columns)]
    reason = "" if named else ", because its numbers only rise or only fall"
    return axis_or_none, (axis_or_none,), [f"Column {axis_or_none.name!r} is taken as the time axis{reason}."]


def _no_times(columns: tuple[Column, ...]) -> str:
    """That the rows are counted, and which column looked like times but cannot be read as such."""
    for column in columns:
        if not isinstance(column.values, tuple) or as_numbers(column).share >= 0.5:
            continue
        some = as_times(column, share=0.5)
        if some is None and not _has_time_name(column.name):
            continue
        bad = next((row for row in range(column.size) if not is_missing(column.values[row])), 0)
        row = bad if some is None or not some.bad else some.bad[0]
        unreadable = f"column {column.name!r} cannot be read as times (such as {column.text(row)!r} in row {row + 1})"
        return f"No column of times was found, because {unreadable}; the rows are counted instead."
    return "No column of times was found; the rows are counted instead."


def _with_clock(
    columns: tuple[Column, ...], dated: list[Column]
) -> tuple[Column, tuple[Column | None, ...], list[str]] | None:
    """A column of dates and a column of clock times (14:30) beside it are one time axis."""
    for clock in columns:
        if clock in dated or not isinstance(clock.values, tuple) or not dated:
            continue
        cells = [cell for cell in clock.values if not is_missing(cell)]
        if not cells or not all(CLOCK.match((cell or "").strip()) for cell in cells):
            continue
        days = as_times(dated[0])
        if days is None or np.any(days.times != days.times.astype("M8[D]")):
            return None
        texts = [
            None if np.isnat(day) or is_missing(cell) else f"{day} {(cell or '').strip()}"
            for day, cell in zip(days.times.astype("M8[D]"), clock.values, strict=True)
        ]
        names = f"{dated[0].name!r} and {clock.name!r}"
        joined = Column(f"{dated[0].name} {clock.name}", tuple(texts), days.notes)
        return joined, (*dated, clock), [f"Columns {names} were combined into the time axis."]
    return None


def _is_dated(column: Column) -> bool:
    return as_times(column) is not None and not (isinstance(column.values, np.ndarray) and _all_missing(column))


def _all_missing(column: Column) -> bool:
    return as_numbers(column).missing == column.size


def _has_time_name(name: str) -> bool:
    name = name.strip().lower()
    return name in TIME_NAMES or name.endswith(TIME_ENDINGS)


def _is_monotone(column: Column, comma: bool) -> bool:
    values = as_numbers(column, comma=comma).values
    values = values[np.isfinite(values)]
    return values.size > 1 and bool(np.all(values[1:] > values[:-1]) or np.all(values[1:] < values[:-1]))


def is_row_count(column: Column, comma: bool) -> bool:
    """Whether a column only counts the rows (0, 1, 2, ... or 1, 2, 3, ...), as index columns do."""
    name = column.name.strip().lower()
    if not (name in ("", "id", "index", "row", "rownames", "no", "nr", "#") or name.startswith("unnamed")):
        return False
    values = as_numbers(column, comma=comma).values
    return values.size > 1 and any(np.array_equal(values, np.arange(values.size) + first) for first in (0, 1))


def _combined(columns: tuple[Column, ...], comma: bool) -> tuple[Column, tuple[Column | None, ...], list[str]] | None:
    """A date made of separate columns for year and month (and day)."""
    year = next((column for column in columns if column.name.strip().lower() in YEAR_NAMES), None)
    month = next((column for column in columns if column.name.strip().lower() in MONTH_NAMES), None)
    day = next((column for column in columns if column.name.strip().lower() in DAY_NAMES), None)
    if year is None or month is None:
        return None
    parts = [_whole(column, comma, low, high) for column, low, high in ((year, 1, 9999), (month, 1, 12))]
    days = None if day is None else _whole(day, comma, 1, 31)
    if any(part is None for part in parts):
        return None
    used = (year, month) if day is None or days is None else (year, month, day)
    rows = zip(*(part for part in (*parts, days) if part is not None), strict=True)
    texts = [None if any(np.isnan(row)) else _joined(row) for row in rows]
    names = " and ".join(repr(column.name) for column in used)
    joined = Column("-".join(column.name for column in used), tuple(texts))
    return joined, used, [f"Columns {names} were combined into the time axis."]


def _joined(parts: tuple[float, ...]) -> str:
    return "-".join([f"{parts[0]:04.0f}", *(f"{part:02.0f}" for part in parts[1:])])


def _whole(column: Column, comma: bool, low: int, high: int) -> Floats | None:
    values = as_numbers(column, comma=comma).values
    if column.name.strip().lower() in MONTH_NAMES and isinstance(column.values, tuple) and np.isnan(values).all():
        named = as_times(Column("", tuple(f"2001 {cell}" for cell in column.values)))
        values = values if named is None else _month_numbers(named.times)
    filled = values[np.isfinite(values)]
    fits = filled.size > 0 and np.all((filled == np.round(filled)) & (filled >= low) & (filled <= high))
    return values if fits else None


def _month_numbers(times: Times) -> Floats:
    months = times.astype("M8[M]").astype(np.int64) % 12 + 1
    return np.asarray(np.where(np.isnat(times), np.nan, months), dtype=np.float64)


def guess_target(columns: tuple[Column, ...], comma: bool) -> tuple[Column, list[Column]]:
    """The column to model, and the other columns of numbers that could have been it."""
    numeric = [column for column in columns if as_numbers(column, comma=comma).share >= 0.5]
    useful = [column for column in numeric if not is_row_count(column, comma)] or numeric
    if not useful:
        _refuse(columns)
    by_name = {column.name.strip().lower(): column for column in reversed(useful)}
    varied = [column for column in useful if _is_varied(column, comma)] or useful  # rather a quantity than a flag
    chosen = next((by_name[name] for name in TARGET_NAMES if name in by_name), varied[-1])
    return chosen, [column for column in useful if column is not chosen]


def _is_varied(column: Column, comma: bool) -> bool:
    values = as_numbers(column, comma=comma).values
    return bool(np.unique(values[np.isfinite(values)]).size > 2)


def _refuse(columns: tuple[Column, ...]) -> None:
    if not columns:
        raise InputError.of("a column of numbers besides the time axis", "none", "give a table with two columns")
    column = columns[-1]
    row = next((k for k in range(column.size) if not is_missing(column.text(k))), None)
    if row is None:
        found = f"only missing values in column {column.name!r}"
        raise InputError.of("a column of numbers to model", found, "fill it in, or name another column with target")
    found = f"{column.text(row)!r} in row {row + 1} of column {column.name!r}"
    raise InputError.of("a column of numbers to model", found, "name the column to model, or clean it")


def _target_note(target: Column, left: list[Column], several: bool) -> str:
    if left:
        return f"Column {target.name!r} is modelled; not used: {listed([column.name for column in left])}."
    return f"Column {target.name!r} is modelled." if several else ""

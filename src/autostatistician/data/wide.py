"""Wide tables, whose columns are called after times: a row for each of these times, and the time of each cell.

Such names are years or whole dates, or parts of the time of their row: months of a year, hours of a day.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Flags, Floats, Rows, Times
from autostatistician.data.columns import DataColumn, DataTable, place_of
from autostatistician.data.roles.keys import keys_of, table_where
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.time_column import PARTS_OF_DAY, joined, timing
from autostatistician.data.times.dates import HALF, parse_times
from autostatistician.data.times.forms import LATEST_YEAR, NAMES, USUAL_YEAR
from autostatistician.data.times.languages import are_weekdays
from autostatistician.data.words import TABLES, words
from autostatistician.i18n.messages import note
from autostatistician.i18n.names import all_of, listed

__all__ = [
    "MOST_LABELS", "TOTALS", "cells_filled", "joined_table", "of_named_row", "times_across", "times_of", "turned",
]  # fmt: skip

VALUE = "value"  # name of the column of all cells below times
MOST_LABELS = 4  # columns at the left that may be written once for a block, or name a total
FEWEST_TIMES = 3  # names of columns that are times, or columns of which another is the sum
ROUNDED = 0.02  # how well numbers of totals are such

_TOTALS = {place: "|".join(map(re.escape, sorted(words("totals", place)))) for place in TABLES["totals"]}
TOTALS = re.compile(
    r"\b(?:{words})\b|(?:{endings})\b|\b(?:{beginnings})|{anywhere}|^(?:{alone})$".format(**_TOTALS),
    re.IGNORECASE | re.MULTILINE,
)
_DATED_TITLE = re.compile(r"(?:\d\D*){4}|[^\W\d]{3}[^\W\d]*\W\d\d$|^[QHTS][1-4][/ '-]+\d\d$")  # 2021M01, Jan-21, Q1/21
YEAR_TITLE = re.compile(r"^[XxYy]?((?:1[5-9]|2[01])\d\d)(?:\s*\[YR\d{4}\])?$")
NUMBERED = re.compile(r"^([^\W\d_]*)[ _.-]?(\d{1,2})(?::(\d\d))?(?:\s?-\s?\d{1,2}(?::\d\d)?)?[. ]*([^\W\d]*)$")
# Columns that are called after parts of the time of their row: the part (see `NAMES`), how many there are, what else
# may stand beside their numbers, the unit of the time of the row, and the length of a part, or of all of them.
PARTS: tuple[tuple[str, Collection[int], Collection[str], str, np.timedelta64], ...] = (
    ("q", (4,), ("", "q", "t"), "Y", np.timedelta64(3, "M")),
    ("m", (12,), ("", "m"), "Y", np.timedelta64(1, "M")),
    ("w", (52, 53), ("", "w", "cw"), "Y", np.timedelta64(7, "D")),
    ("h", PARTS_OF_DAY, ("", "h", "p"), "D", np.timedelta64(1440, "m")),
    ("d", (28, 29, 30, 31), ("", "d"), "M", np.timedelta64(1, "D")),
)
FISCAL = re.compile(r"\bfye?(?:\b|\d)|\bfiscal", re.IGNORECASE)  # years that are called by the year in which they end
Across = tuple[tuple[DataColumn, ...], Times]  # columns that stand for times, and the times of all their cells


def times_across(table: DataTable) -> tuple[DataTable, Across, DataColumn | None]:
    """Columns that stand for times, the times (rows, columns) of their cells, and the column of those of the rows.

    Without such a column, all rows have the same times; it may be made of several, as it is in the table with them.

    >>> table = DataTable((DataColumn("item", ("a", "b")), *(DataColumn(f"199{k}", ("1", "2")) for k in (7, 8, 9))))
    >>> times_across(table)[1][1].astype(str).tolist()
    [['1997', '1998', '1999'], ['1997', '1998', '1999']]
    """
    numbers = [column for column in table.columns if column.is_numeric or Profile(column).is_empty]
    years = [(column, np.datetime64(match[1])) for column in numbers if (match := YEAR_TITLE.match(column.name))]
    dated = [column for column in numbers if _DATED_TITLE.search(column.name)]
    parsed = parse_times([column.name for column in dated], HALF) if len(dated) > len(years) else None
    if parsed is not None:  # others, as years beside their quarters, are no such times
        years = [(column, time) for column, time in zip(dated, parsed.times, strict=True) if not np.isnat(time)]
    if len(years) >= FEWEST_TIMES:
        columns, times = zip(*years, strict=True)
        return table, (columns, np.broadcast_to(np.array(times), (table.size, len(times)))), None
    for row in table.columns[:MOST_LABELS]:
        rest = [column for column in numbers if column is not row]
        known = len(rest) >= 4 and (row.times is not None or not np.isnat(times_of(row)).any())
        if known and (found := _parts_of(row, rest)):
            return table, found, row
    whole = joined_table(table)
    return (table, ((), np.zeros((table.size, 0), "M8[us]")), None) if whole is table else times_across(whole)


def _parts_of(row: DataColumn, columns: Sequence[DataColumn]) -> Across | None:
    """Columns that are called after parts of the times of rows, as months of years, and the times of their cells."""
    times = times_of(row)
    each = np.unique(times[~np.isnat(times)])
    units = "DM" if each.size < 3 else "D" if np.unique(each.astype("M8[M]")).size < each.size else "M"
    if np.all(each == each.astype("M8[Y]")):
        units = "Y" if each.size > 2 else "YDM"
        if (months := _months(columns)) is not None:
            fiscal, one = FISCAL.search(f"{row.name} {row.text(0)}"), len(re.findall(r"\d+", row.text(0))) == 1
            first = times.astype("M8[Y]") - int(bool(months[1][0] and fiscal and one))
            return months[0], first.astype("M8[M]")[:, None] + months[1].astype("m8[M]")
    for part, counts, beside, unit, length in PARTS:
        run = _run(columns, counts, NAMES[part].union(beside), clock=unit == "D") if unit in units else None
        if run is not None:
            part_length = length // run[2] if unit == "D" else length
            return run[0], _starts(times.astype(f"M8[{unit}]")[:, None], _on_the_wall(*run) * part_length)
    week = _week(columns, each)
    return (week, times.astype("M8[D]")[:, None] + np.arange(len(week)).astype("m8[D]")) if week else None


def _starts(rows: Times, since: NDArray[np.timedelta64]) -> Times:
    """When parts of the years, months or days of rows (n, 1) begin; not a time beyond their end.

    >>> _starts(np.array([["2021-02"]], "M8[M]"), np.arange(27, 29).astype("m8[D]")).tolist()
    [[datetime.date(2021, 2, 28), None]]
    """
    weeks = rows.dtype == "M8[Y]" and since.dtype == "m8[D]"  # a week is of the year in which its Thursday lies
    first = rows.astype("M8[D]") + (-rows.astype("M8[D]").astype(np.int64)) % 7 if weeks else rows
    starts = first + since
    return np.where(starts.astype(rows.dtype) == rows, starts - 3 if weeks else starts, np.datetime64("NaT"))


def _months(columns: Sequence[DataColumn]) -> tuple[tuple[DataColumn, ...], Rows] | None:
    """Twelve columns that are called after the months, in any language and from any month on, and their places."""
    words = [column for column in columns if not any(map(str.isdigit, column.name)) and not TOTALS.search(column.name)]
    for first in range(len(words) - 11):
        parsed = parse_times([f"2001 {column.name}" for column in words[first : first + 12]])
        months = None if parsed is None else parsed.times.astype("M8[M]").astype(np.int64) % 12
        if months is not None and np.all(np.diff(months) % 12 == 1):
            return tuple(words[first : first + 12]), months[0] + np.arange(12)
    return None


def _week(columns: Sequence[DataColumn], days: Times) -> tuple[DataColumn, ...]:
    """Columns that are called after the days of the week, in any language, from that of all ``days`` of rows on."""
    weekdays = np.unique((days.astype("M8[D]").astype(np.int64) + 3) % 7).tolist()
    names = [column.name for column in columns] if len(weekdays) == 1 < days.size else []
    for length, first in product((7, 6, 5), range(len(names) - 4)):
        week, whole = names[first : first + length], first > 0 and names[first - 1 : first + length]
        if are_weekdays(week, weekdays[0]) and not (whole and are_weekdays(whole, weekdays[0] - 1)):
            return tuple(columns[first : first + length])
    return ()


def _run(
    columns: Sequence[DataColumn], counts: Collection[int], beside: Collection[str], *, clock: bool
) -> tuple[tuple[DataColumn, ...], Rows, int] | None:
    """Columns that are called Q1 to Q4, H01 to H24, 00:00 to 23:30, the place of each, and how many there should be.

    Of hours one may be left out, or stand behind the last, for the day on which the clock is put back.
    """
    matches = [(column, match) for column in columns if (match := NUMBERED.match(column.name.strip().lower()))]
    matches = [(column, match) for column, match in matches if match[1] in beside and match[4] in beside]
    numbers = np.array([int(match[2]) * 60 + int(match[3] or 0) for _, match in matches])
    if numbers.size < min(counts) * 23 // 24:
        return None
    if numbers[-1] == 0:  # the end of the day, where periods are called by their ends
        numbers[-1] = 1440
    step = max(int(np.diff(numbers).min()), 1)
    places, rest = np.divmod(numbers - numbers[0], step)
    more = {n: n // 24 if clock else 0 for n in counts}
    n = next((n for n in counts if n <= places[-1] + 1 <= n + more[n] and places.size >= n - more[n]), 0)
    known = step == 60 or (clock and n * step == 1440)
    if not n or rest.any() or np.diff(places).min() < 1 or not known or numbers[0] not in (0, step):
        return None
    return tuple(column for column, _ in matches), places, n


def _on_the_wall(columns: Sequence[DataColumn], places: Rows, n: int) -> Rows:
    """The places of parts of days (rows, parts) on the clock, which is put back at 3:00 on days of 25 hours.

    >>> day = [DataColumn(f"H{k + 1}", (str(k), "" if k > 23 else "0")) for k in range(25)]
    >>> _on_the_wall(day, np.arange(25), 24)[:, [2, 3, 24]].tolist()
    [[2, 2, 23], [2, 3, 24]]
    """
    late = cells_filled(columns[-1])[:, None] & (places[-1] >= n)
    return np.where(late & (places >= 3 * n // 24), places - n // 24, places)


def turned(table: DataTable) -> DataTable | None:
    """The table with a row for each of the times that are names of columns, without empty cells and total columns.

    None where no columns are called so.

    >>> shares = DataTable((DataColumn("year", ("2021",)), *(DataColumn(f"Q{k}", (str(k),)) for k in (1, 2, 3, 4))))
    >>> turned(shares).columns[0].values.astype(str).tolist()
    ['2021-01', '2021-04', '2021-07', '2021-10']
    """
    table, (across, times), row = times_across(table)
    if not across:
        return None
    sums = np.cumsum([np.zeros(table.size), *(column.numbers.values for column in across)], axis=0)
    ids = [
        column for column in table.columns if column is not row and column not in across
        and not (column.is_numeric and (_is_longer(column.name) or _is_total(column.numbers.values, sums)))
        and not (row is not None and Profile(column).is_number and Profile(column).has_time_name)
    ]  # fmt: skip
    keys = () if row is None else keys_of(row, list(map(Profile, ids)), across[0])
    beside = [Profile(column) for column in ids if column not in keys]
    if row is not None and any(each.column.is_numeric and each.explains and each.varies for each in beside):
        return None
    cells = [column.text(place) for place in range(table.size) for column in across]
    kept = np.flatnonzero([bool(cell.strip()) and cell != "nan" for cell in cells])
    made = (
        *(column.at(kept // len(across)) for column in ids),
        _column_of(row, times, kept),
        replace(across[0], name=VALUE, values=tuple(cells[k] for k in kept)),
    )
    names = listed([column.name for column in across])
    said = note("The columns {columns} were read as times, with a row for each.", columns=names)
    return replace(table, columns=made, notes=(*table.notes, said))


def of_named_row(table: DataTable, target: str | None) -> DataTable:
    """The table with a column of the values of one row whose columns were times, where the target is called as it.

    >>> columns = [DataColumn(name, tuple(cells)) for name, cells in [("item", "aa"), ("time", "12"), ("value", "56")]]
    >>> [column.name for column in of_named_row(DataTable(tuple(columns)), "a").columns]
    ['time', 'a']
    """
    names = [column.name for column in table.columns]
    if target is None or names[-1] != VALUE or place_of(target, names) is not None:
        return table
    named = [column.name for column in table.columns[:-2] if target in column.texts]
    if len(named) != 1:
        return table
    chosen = table_where(table, {named[0]: target})
    return replace(chosen, columns=(*chosen.columns[:-1], chosen.columns[-1].renamed(target)))


def _column_of(row: DataColumn | None, times: Times, kept: Rows) -> DataColumn:
    """The column of the times of cells, or of the years that they are."""
    cells = times.reshape(-1)[kept]
    if row is None and times.dtype == "M8[Y]":
        return DataColumn("year", (cells.astype(np.int64) + 1970).astype(np.float64))
    notes = row.times.notes if row is not None and row.times is not None else ()
    if row is not None and times.dtype == "M8[M]" and times[0, 0] != times[0, 0].astype("M8[Y]"):
        told = {"cell": repr(row.text(0)), "first": str(times[0, 0]), "last": str(times[0, -1])}
        notes = (note("Years such as {cell} were read as those from {first} to {last}.", **told),)
    return DataColumn("time" if row is None else row.name, cells, notes)


def _is_longer(name: str) -> bool:
    """Whether a column is called after more than a month: a year, a part of one, or the first letters of its months.

    >>> [_is_longer(name) for name in ("Annual", "HALF1", "DJF", "J-D", "Jan", "Area")]
    [True, True, True, True, False, False]
    """
    word = name.strip().upper()
    letters = re.fullmatch("[JFMASOND]-[JFMASOND]", word) or (len(word) > 2 and word in 2 * "JFMAMJJASOND")
    parsed = None if letters or word[:1] not in "HQSW" else parse_times([f"2001 {word}"])
    return bool(TOTALS.search(name) or letters or parsed)


def _is_total(values: Floats, sums: Floats) -> bool:
    """Whether numbers are the sums or means of some columns beside each other, of which ``sums`` are the running ones.

    >>> sums = np.cumsum([[0.0, 0.0], [1.0, 2.0], [2.0, 2.0], [3.0, 5.0], [9.0, 7.0]], axis=0)
    >>> [_is_total(np.array(values), sums) for values in ([6.0, 9.0], [2.0, 3.0], [6.0, 8.0])]
    [True, True, False]
    """
    whole = np.isfinite(sums).all(axis=0) & np.isfinite(values)  # others are unfinished
    if not whole.any():
        return False
    values, sums = values[whole], sums[:, whole]
    first, stop = np.triu_indices(len(sums), k=FEWEST_TIMES)
    for divisor in (1, stop - first):  # most runs differ in the first row already
        alike = np.flatnonzero(np.isclose((sums[stop, 0] - sums[first, 0]) / divisor, values[0], rtol=ROUNDED))
        means = (sums[stop[alike]] - sums[first[alike]]) / np.broadcast_to(divisor, stop.shape)[alike, None]
        if np.isclose(means, values, rtol=ROUNDED).all(axis=1).any():
            return True
    return False


def joined_table(table: DataTable, named: Collection[str | None] = ()) -> DataTable:
    """The table with one column for times that stand in several, where these are the times of its rows.

    Columns that are ``named`` stay as they are.

    >>> parts = DataColumn("year", ("2020", "2020", "2020")), DataColumn("month", ("1", "2", "3"))
    >>> joined_table(DataTable((*parts, DataColumn("sales", ("5", "6", "7"))))).columns[0].values
    ('2020-01', '2020-02', '2020-03')
    """
    made = joined(table.columns)
    if made is None or not {part.name for part in made[1]}.isdisjoint(named):
        return table
    columns = (made[0], *(column for column in table.columns if column not in made[1]))
    if timing([Profile(column) for column in columns]).column is not made[0]:
        return table
    names = all_of(repr(part.name) for part in made[1])
    said = note("Columns {names} were combined into column {column}.", names=names, column=repr(made[0].name))
    return replace(table, columns=columns, notes=(*table.notes, said))


def _years(values: Floats) -> Times:
    """Numbers as years; not a time where they are none."""
    years = np.isfinite(values) & (values == np.round(values))
    years[years] = (values[years] >= USUAL_YEAR) & (values[years] < LATEST_YEAR)
    return np.where(years, np.where(years, values, 0) - 1970, np.iinfo(np.int64).min).astype(np.int64).astype("M8[Y]")


def times_of(column: DataColumn) -> Times:
    """The times (n,) of all cells that have some, or the years.

    >>> times_of(DataColumn("year", ("1999", "x"))).tolist()
    [datetime.datetime(1999, 1, 1, 0, 0), None]
    """
    return column.times.times if column.times is not None else _years(column.numbers.values).astype("M8[us]")


def cells_filled(column: DataColumn) -> Flags:
    """Which cells (n,) hold anything.

    >>> cells_filled(DataColumn("day", ("1", " ", None))).tolist()
    [True, False, False]
    """
    if isinstance(column.values, tuple):
        return np.array([bool(cell and cell.strip()) for cell in column.values], dtype=np.bool_)
    return ~np.isnan(column.values) if column.values.dtype.kind == "f" else ~np.isnat(column.values)

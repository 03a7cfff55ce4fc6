"""Tables with a row for each event, such as sales: refused as a series, and added up by days or other periods."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from autostatistician.data.arrays import Floats, Times
from autostatistician.data.columns import DataColumn, DataTable, find_column
from autostatistician.data.roles.keys import LEAST_REPEATED_TIMES, MOST_REPEATED_KEYS, codes_of, numbered, time_codes
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.targets import is_added_up, ranked_targets
from autostatistician.data.roles.time_column import FEWEST_EVENTS, happened
from autostatistician.data.table_layouts import dated_column
from autostatistician.data.times.dates import regularity
from autostatistician.errors import InputError, check_choice
from autostatistician.i18n.messages import message, note

__all__ = ["in_periods", "large_in_periods", "refuse_events"]

# Months of a period, or the unit of NumPy in which it is counted; weeks begin on Monday.
PERIODS = {"hour": "h", "day": "D", "week": "W", "month": "M", "quarter": "3M", "year": "Y"}
MADE = {
    "sum": message("Column {target} was added up by periods; where there is no row it is 0."),
    "mean": message("Of column {target} the mean of each period was taken."),
    "count": message("The rows of each period were counted."),
}
MOST_LOST = 0.1  # share of the rows that may be left out for want of a time
FIRST_ROWS = 10_000  # of a large file, that tell its columns
IRREGULAR = 0.05  # times that fill less of a grid are those of events


def refuse_events(axis: DataColumn | None, target: DataColumn, table: DataTable) -> None:
    """An `InputError` where rows are events: many share a time, or each has a number and a time of its own.

    So too where many have no time at all, as with times that are written for some rows only.
    """
    if axis is None or axis.times is None or not axis.size:
        return
    times = axis.times.times[~np.isnat(axis.times.times)]
    if times.size < (1.0 - MOST_LOST) * axis.size:
        told = {"n": axis.size - times.size, "all": axis.size, "column": repr(axis.name)}
        found = note("{n} of {all} without one in column {column}", **told)
        remedy = note("fill them in; {option} leaves these rows out", option=f"--time {shlex.quote(axis.name)}")
        raise InputError.of(note("a time in every row"), found, remedy)
    once = np.unique(times).size
    repeated = 0  # rows at one time with different values: others are copies
    if FEWEST_EVENTS <= times.size > once:
        each = time_codes(axis)
        repeated = np.unique(numbered([each, codes_of(target)])[0][each >= 0]).size - once
    named = [profile for profile in map(Profile, table.columns) if profile.is_called_key and profile.names_rows]
    counted = any(profile.is_key for profile in named) and regularity(times) < IRREGULAR
    most = MOST_REPEATED_KEYS if named else LEAST_REPEATED_TIMES
    counted = counted or (is_added_up(Profile(target)) and happened(Profile(axis), (), target))
    if not counted and repeated < most * times.size:
        return
    expected, found = note("values in the course of time"), note("{n} rows at irregular times, as events have", n=once)
    if once < times.size:
        expected = note("one row for each time")
        found = note("{n} rows at {times} different times, and no column of keys", n=times.size, times=once)
    remedy = note(
        "add up {target} by {option} (or mean, or count for the number of rows); {time} takes every row as it is; "
        "{table} makes a table of them, without times",
        target=repr(target.name), option="--every day --by sum", time=f"--time {shlex.quote(axis.name)}",
        table="--inputs '*'",
    )  # fmt: skip
    raise InputError.of(expected, found, remedy)


def in_periods(
    table: DataTable, every: str | None, by: str | None, time: str | None, target: str | None
) -> tuple[DataTable, str, str]:
    """A table with one row for each period, and the names of its times and values.

    >>> day = DataColumn("day", ("2024-01-01 09:30", "2024-01-01 17:00", "2024-01-03"))
    >>> sold = DataColumn("sold", ("2", "3", "4"))
    >>> made, *names = in_periods(DataTable((day, sold)), "day", "sum", None, None)
    >>> made.columns[1].values.tolist(), names
    ([5.0, 0.0, 4.0], ['day', 'sold'])
    """
    every, by = _checked(every, by)
    axis, chosen = _axis_and_values(table, by, time, target)
    assert axis.times is not None
    values = np.ones(axis.size) if by == "count" else chosen.numbers.values
    there = ~np.isnat(axis.times.times) & np.isfinite(values)
    rows = axis.times.times[there], np.ones(int(there.sum())), values[there]
    return _with_periods(table, axis, chosen, rows, every, by)


def large_in_periods(
    path: str | Path, every: str | None, by: str | None, time: str | None, target: str | None,
    where: Mapping[str, object] | None,
) -> tuple[DataTable, str, str]:  # fmt: skip
    """The same of a file that is too large to be read: its first rows tell the columns, a query adds all of them up."""
    from autostatistician.data.files.queries import queried, summed_by_period

    every, by = _checked(every, by)
    table = queried(path, f"from data limit {FIRST_ROWS}")
    axis, chosen = _axis_and_values(table, by, time, target)
    sums = summed_by_period(path, every, axis.name, None if by == "count" else chosen.name, where)
    counted, added = (sums[name].to_numpy(np.float64) for name in ("rows", "total"))
    rows = sums["start"].to_numpy().astype("M8[us]"), counted, added
    return _with_periods(table, axis, chosen, rows, every, by)


def _checked(every: str | None, by: str | None) -> tuple[str, str]:
    if every is None or by is None:
        raise InputError.of("both every and by", "one of them", "give the other one, or leave both out")
    check_choice("every", every, tuple(PERIODS))
    check_choice("by", by, tuple(MADE))
    return every, by


def _axis_and_values(table: DataTable, by: str, time: str | None, target: str | None) -> tuple[DataColumn, DataColumn]:
    """The columns of the times and of the values; where rows are counted, the times stand for these, too."""
    axis = dated_column(table.columns, time)
    if axis.times is None:
        raise InputError.of(note("a column of dates"), axis.told([0]), note("name the column of the times"))
    if target is not None:
        return axis, find_column(table.columns, target, "target")
    if by == "count":
        return axis, axis
    rest = [Profile(column) for column in table.columns if column is not axis]
    return axis, ranked_targets([each for each in rest if not each.is_key] or rest, series=True)[0].column


Sums = tuple[Times, Floats, Floats]  # of rows to add up: times, how many there are at each, the sum of their values


def _with_periods(
    table: DataTable, axis: DataColumn, chosen: DataColumn, rows: Sums, every: str, by: str
) -> tuple[DataTable, str, str]:
    assert axis.times is not None
    times, *counted = rows
    if not times.size:
        remedy = note("check column {column}", column=repr(chosen.name))
        raise InputError.of(note("rows with a time and a value"), note("none"), remedy)
    monday = np.timedelta64(3 if every == "week" else 0, "D")  # weeks of NumPy begin on Thursday, as 1970 did
    periods = (times + monday).astype(f"M8[{PERIODS[every]}]")
    first = periods.min()
    places = (periods - first).astype(np.int64)
    counts, sums = (np.bincount(places, weights).astype(np.float64) for weights in counted)
    made = sums[counts > 0] / counts[counts > 0] if by == "mean" else sums
    starts = first + (np.flatnonzero(counts) if by == "mean" else np.arange(counts.size))
    name = "rows" if by == "count" else chosen.name
    said = note(MADE[by], target=repr(chosen.name))
    columns = (DataColumn(axis.name, starts.astype("M8[us]") - monday, axis.times.notes), DataColumn(name, made))
    return replace(table, columns=columns, notes=(*table.notes, said)), axis.name, name

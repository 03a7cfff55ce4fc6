"""A series from a table: the target along its time axis, sorted, with a sentence on all that was changed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.beside import covariates_of
from autostatistician.data.columns import DataColumn, DataTable, Floats, checked_numbers
from autostatistician.data.dataset import Dataset
from autostatistician.data.roles.assignment import Roles
from autostatistician.data.row_limits import checked_rows
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.placing import AxisMode, place_times
from autostatistician.data.value_checks import (
    LARGEST_VALUE,
    check_size,
    check_spread,
    far_from_zero,
    left_out_as_too_large,
    remarks,
)
from autostatistician.errors import InputError
from autostatistician.wording.lists import one_after_another
from autostatistician.wording.messages import note, note_count

__all__ = ["FEWEST_ROWS", "series_of"]

FEWEST_ROWS = 3


def series_of(table: DataTable, roles: Roles, mode: AxisMode) -> Dataset:
    """The target of a table along its times, or along its rows where it has none.

    >>> month = DataColumn("month", ("1949-03", "1949-01", "1949-02"))
    >>> sales = DataColumn("sales", ("3", "1", "2"))
    >>> series_of(DataTable((month, sales)), Roles(month, sales, ()), "calendar").y.tolist()
    [1.0, 2.0, 3.0]
    """
    target = roles.target
    numbers = checked_numbers(target, note("clean the column, or name another target"))
    usable, dropped = _usable_values(target)
    placed, kept = place_times(roles.time, usable, mode)
    if kept.sum() < FEWEST_ROWS:
        why = [told for told in (*placed.notes, *dropped) if "left out" in told]
        usable_rows = note("{n} of {all}", n=int(kept.sum()), all=kept.size)
        remedy = note("give more data. {why}", why=one_after_another(why)) if why else note("give more data")
        raise InputError.of(note("at least {n} rows with a time and a value", n=FEWEST_ROWS), usable_rows, remedy)
    x, y = placed.x, numbers.values[kept]
    x, y, ordering = _ordered(x, y, placed.axis.is_calendar)
    if x[0] == x[-1]:
        remedy = note("check column {column}", column=repr(placed.axis.column))
        raise InputError.of(note("at least two different times"), note("only one"), remedy)
    check_spread(x[:, None], (placed.axis.column,))
    offset, said = far_from_zero(y)
    absent = _absent(placed.axis, x, int((~kept).sum()))
    notes = (*table.notes, *roles.notes, *placed.notes, *numbers.notes, *dropped, *ordering, *absent, *said)
    covariates, beside = covariates_of(roles.beside, roles.time, placed.axis, x)
    check_size(y, offset, target.name)
    notes = (*notes, *beside, *remarks(y, target.name), *checked_rows(y.size))
    return Dataset(
        x[:, None], y - offset, (placed.axis.column,), target.name, placed.axis, table.name, offset,
        tuple(dict.fromkeys(notes)), covariates=covariates,
    )  # fmt: skip


def _usable_values(column: DataColumn) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
    """Which rows have a finite value, and a sentence on the others."""
    numbers, notes = column.numbers, list[str]()
    if numbers.missing:
        notes.append(note_count(
            numbers.missing, "{n} row without a value in column {column} left out.",
            "{n} rows without a value in column {column} left out.", n=numbers.missing, column=repr(column.name),
        ))  # fmt: skip
    if numbers.bad:
        notes.append(note_count(
            len(numbers.bad), "{n} row without a number in column {column} left out (the first is {first}).",
            "{n} rows without a number in column {column} left out (the first is {first}).",
            n=len(numbers.bad), column=repr(column.name), first=column.first_bad,
        ))  # fmt: skip
    notes += left_out_as_too_large(numbers.values, column.name)
    return np.abs(numbers.values) <= LARGEST_VALUE, tuple(notes)


def _absent(axis: Axis, x: Floats, dropped: int) -> tuple[str, ...]:
    """That dates of a regular calendar have no value, where that is more than the rows that were dropped for it."""
    if not axis.is_calendar or not axis.step:
        return ()
    rows = np.unique(np.round((x - x[0]) / axis.step).astype(np.int64))
    if rows[-1] + 1 - rows.size <= dropped:
        return ()
    gap = int(np.flatnonzero(np.diff(rows) > 1)[0])
    first = str(np.asarray(axis.times(x[:1] + axis.step * (rows[gap] + 1)))[0].astype("datetime64[s]"))
    absent = int(rows[-1]) + 1 - rows.size
    return (
        note_count(
            absent,
            "{n} date between the first and the last has no value (the first is {first}); nothing was filled in.",
            "{n} dates between the first and the last have no value (the first is {first}); nothing was filled in.",
            n=absent, first=first.removesuffix("T00:00:00"),
        ),
    )  # fmt: skip


def _ordered(x: Floats, y: Floats, dates: bool) -> tuple[Floats, Floats, tuple[str, ...]]:
    """Sort by time; of rows equal in date and value only one is kept; other repeated times are counted."""
    notes: list[str] = []
    steps = np.diff(x)
    if np.any(steps < 0):
        notes.append(note("The rows ran backwards in time and were turned round.") if np.all(steps <= 0) else
                     note("The rows were not in the order of time and were sorted."))  # fmt: skip
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    if dates and np.any(np.diff(x) == 0):
        first = np.sort(np.unique(np.column_stack([x, y]), axis=0, return_index=True)[1])
        if first.size < x.size:
            notes.append(note_count(
                x.size - first.size, "{n} row with the date and value of another row left out.",
                "{n} rows with the date and value of another row left out.", n=x.size - first.size,
            ))  # fmt: skip
        x, y = x[first], y[first]
    repeated = int(np.sum(np.diff(x) == 0))
    if repeated and dates:
        notes.append(note_count(
            repeated, "{n} row repeats a date with another value; all are kept.",
            "{n} rows repeat a date with another value; all are kept.", n=repeated,
        ))  # fmt: skip
    elif repeated:
        notes.append(note_count(
            repeated, "{n} row repeats an earlier position; all are kept.",
            "{n} rows repeat an earlier position; all are kept.", n=repeated,
        ))  # fmt: skip
    return x, y, tuple(notes)

"""What the columns beside a series will be: a plan, read from a table with the time column of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.beside import covariate_of
from autostatistician.data.columns import DataColumn, find_column
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.sources import Source, read_source
from autostatistician.data.times.axes import Axis, month_parts
from autostatistician.data.times.placing import readable_positions
from autostatistician.errors import InputError
from autostatistician.wording.lists import listed
from autostatistician.wording.messages import Number, note, note_count
from autostatistician.wording.numbers import as_written

__all__ = ["Plan", "read_plan"]

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

ON_GRID = 1e-3  # of a step


@dataclass(frozen=True, eq=False)
class Plan:
    """Planned values of the columns, and sentences on what could not be read as it was written."""

    columns: Covariates
    notes: tuple[str, ...] = ()


def read_plan(source: Any, past: Covariates, axis: Axis, last: float, others: Sequence[str] = ()) -> Plan:
    """The rows of a table that lie after position ``last``, with the columns of the past in their order and codes.

    Parameters
    ----------
    source : path, frame, mapping or DataTable
        With the time column of the data and the columns that are planned; it may hold past rows, too.
    past : Covariates
        Of the data; their calendars are those of the plan.
    axis : Axis
        Of the data.
    last : float
        The position of the last row with a target.

    Raises
    ------
    InputError
        Without a time column, planned columns or later rows; where a time comes twice with other values, and where a
        cell is no number.

    Examples
    --------
    >>> past = Covariates(np.arange(4.0), (Covariate("price", np.array([4.0, 5.0, 4.5, 4.0])),))
    >>> plan = read_plan({"week": [4, 5], "price": [5.0, 9.0]}, past, Axis("week", "", "", 1.0), 3.0)
    >>> plan.columns.x.tolist(), plan.columns.table[0].values.tolist()
    ([4.0, 5.0], [5.0, 9.0])
    >>> plan.notes[0]
    "Column 'price' of the plan goes up to 9, but past values lie from 4 to 5: beyond them the model extrapolates."
    """
    given = read_source(source, None, None)
    if not isinstance(given, Source):
        raise InputError.of("a plan with names of columns", "numbers without names", "give a file or a frame")
    columns = given.table.columns
    planned = _planned(columns, past)
    x, notes = _positions(columns, axis, last)
    rows, said = _rows_of_plan(x, axis, last)
    rows, twice = _without_copies(rows, x, planned, axis)
    notes = [*given.table.notes, *notes, *said, *twice, *_gaps(x[rows], axis, last)]
    table = []
    for column in past.table:
        covariate, about = _read_column(column, planned.get(column.name), rows, past.x <= last)
        table.append(covariate)
        notes += about
    used = [axis.column, *(column.name for column in planned.values()), *others]
    idle = [column.name for column in columns if column.name not in used]
    if idle:
        notes.append(note_count(
            len(idle), "Of the plan {columns} is not used: no model has them.",
            "Of the plan {columns} are not used: no model has them.", columns=listed(idle),
        ))  # fmt: skip
    return Plan(Covariates(x[rows], tuple(table), past.calendar), tuple(notes))


def _planned(columns: Sequence[DataColumn], past: Covariates) -> dict[str, DataColumn]:
    """The columns of the past that the table has, by their name in the past; upper and lower case may differ."""
    exact = {column.name: column for column in columns}
    folded = {column.name.lower(): column for column in reversed(columns)}
    pairs = {column.name: exact.get(column.name) or folded.get(column.name.lower()) for column in past.table}
    planned = {name: column for name, column in pairs.items() if column is not None}
    if past.table and not planned:
        names = [column.name for column in past.table]
        there = f"only {listed([column.name for column in columns])}"
        raise InputError.of(f"a plan of any of the columns {listed(names)}", there, "name the columns as in the data")
    return planned


def _positions(columns: Sequence[DataColumn], axis: Axis, last: float) -> tuple[Floats, list[str]]:
    """The position of each row, NaN where it has none, and a sentence on those."""
    size = columns[0].size if columns else 0
    if axis.column == "row" and all(column.name != "row" for column in columns):
        return last + np.arange(1.0, size + 1.0), []
    column = find_column(columns, axis.column, "times of the plan")
    x = readable_positions(axis, column)
    wrong = np.flatnonzero(~np.isfinite(x))
    if wrong.size == len(x):
        shown = f"{column.text(0)!r} in row 1" if len(x) else "no rows"
        raise InputError.of(f"times in column {column.name!r} of the plan", shown, "write them as in the data")
    if not wrong.size:
        return _by_months(x, axis, last)
    x, notes = _by_months(x, axis, last)
    left_out = note_count(
        wrong.size, "{n} row of the plan without a readable time left out (such as {cell} in row {row}).",
        "{n} rows of the plan without a readable time left out (such as {cell} in row {row}).",
        n=wrong.size, cell=repr(column.text(int(wrong[0]))), row=int(wrong[0]) + 1,
    )  # fmt: skip
    return x, [left_out, *notes]


def _by_months(x: Floats, axis: Axis, last: float) -> tuple[Floats, list[str]]:
    """Dates on other days of their months than those of the data are read as these months."""
    there = np.flatnonzero(np.isfinite(x))
    if axis.unit != "year" or not axis.step or not _off_grid(x[there], axis, last).any():
        return x, []
    months = month_parts(np.asarray(axis.times(x[there])).astype("M8[us]"))[0]
    moved = x.copy()
    moved[there] = (months + axis.within) / 12
    if np.unique(months).size < months.size or _off_grid(moved[there], axis, last).any():
        return x, []
    return moved, [
        note("The dates of the plan are read as their months, for they lie on other days than those of the data.")
    ]


def _off_grid(x: Floats, axis: Axis, last: float) -> NDArray[np.bool_]:
    if not axis.step:
        return np.zeros(len(x), dtype=bool)
    steps = (x - last) / axis.step
    return np.asarray(np.abs(steps - np.round(steps)) > ON_GRID)


def _rows_of_plan(x: Floats, axis: Axis, last: float) -> tuple[Rows, list[str]]:
    """The rows after the last one with a target that lie on the grid, in order, and sentences on the others."""
    near = ON_GRID * (axis.step or axis.gap)
    later = np.flatnonzero(x > last + near)
    off = later[_off_grid(x[later], axis, last)]
    rows = np.setdiff1d(later, off)
    if not rows.size:
        dates = _written(axis, [np.nanmin(x), np.nanmax(x)])
        held = f"{dates[0]} to {dates[1]}" if not off.size else f"times between the steps, such as {dates[0]}"
        expected = f"rows of the plan after {_written(axis, [last])[0]}, the last with a target"
        raise InputError.of(expected, held, "add the rows of the time to come")
    notes: list[str] = []
    past = int(np.sum(x <= last + near))
    if past:
        notes.append(note_count(
            past, "{n} row of the plan up to {last} is past and left out.",
            "{n} rows of the plan up to {last} are past and left out.", n=past, last=_written(axis, [last])[0],
        ))  # fmt: skip
    if off.size:
        example = _written(axis, x[off[:1]])[0]
        notes.append(note_count(
            off.size, "{n} row of the plan between the steps of the data left out ({example}).",
            "{n} rows of the plan between the steps of the data left out ({example}).", n=off.size, example=example,
        ))  # fmt: skip
    return rows[np.argsort(x[rows], kind="stable")], notes


def _without_copies(
    rows: Rows, x: Floats, planned: dict[str, DataColumn], axis: Axis
) -> tuple[Rows, list[str]]:  # fmt: skip
    """The first row of each time; rows of one time that differ are refused."""
    near = ON_GRID * (axis.step or axis.gap)
    twice = np.flatnonzero(np.diff(x[rows]) <= near)
    for place in twice:
        first, second = (int(rows[place + k]) for k in (0, 1))
        for name, column in planned.items():
            if column.texts[first] != column.texts[second]:
                both = f"{column.text(first)!r} and {column.text(second)!r} in column {name!r}"
                when = _written(axis, x[rows[[place]]])[0]
                raise InputError.of(f"one row of the plan for {when}", both, "leave one of them out")
    copies = note_count(
        twice.size, "{n} row of the plan for a time that it has already left out.",
        "{n} rows of the plan for a time that it has already left out.", n=twice.size,
    )  # fmt: skip
    return np.delete(rows, twice + 1), [copies] if twice.size else []


def _gaps(x: Floats, axis: Axis, last: float) -> list[str]:
    """A sentence on steps without a row between the data and the end of the plan."""
    if not axis.step:
        return []
    steps = np.round((x - last) / axis.step).astype(np.int64)
    absent = np.setdiff1d(np.arange(1, steps.max() + 1), steps)
    if not absent.size:
        return []
    first = _written(axis, axis.future(last, int(absent[0]))[-1:])[0]
    return [
        note(
            "The plan has no row for {n} of its {all} steps (the first is {first}).",
            n=absent.size, all=int(steps.max()), first=first,
        )
    ]  # fmt: skip


def _written(axis: Axis, x: Any) -> list[str]:
    texts = [
        as_written(value) if isinstance(value, float) else str(value) for value in axis.written(np.asarray(x)).tolist()
    ]
    return [text.removesuffix(" 00:00:00") for text in texts]


def _read_column(
    past: Covariate, column: DataColumn | None, rows: Rows, seen: NDArray[np.bool_]
) -> tuple[Covariate, list[str]]:
    """The planned values of a column, and sentences on those that the past cannot tell anything about."""
    name = past.name
    if column is None:
        unknown = replace(past, values=np.full(len(rows), np.nan))
        return unknown, [note("The plan has no column {name}, so its values to come are not known.", name=repr(name))]
    if past.levels:
        values = covariate_of(column, rows, past.levels).values
        notes = _new_categories(name, column, rows, values >= len(past.levels))
    else:
        _check_numbers(name, column, rows)
        numbers = column.numbers.values[rows]
        values = np.where(np.isfinite(numbers), numbers, np.nan)
        notes = _beyond(name, values, past.values[seen])
    empty = int(np.isnan(values).sum())
    if empty:
        notes.append(note_count(
            empty, "Column {name} has no value in {n} row of the plan.",
            "Column {name} has no value in {n} rows of the plan.", name=repr(name), n=empty,
        ))  # fmt: skip
    before = past.values[seen]
    if np.unique(before[np.isfinite(before)]).size < 2:
        notes.append(note(
            "Column {name} was the same in all past rows, so nothing is known of what another value does.",
            name=repr(name),
        ))  # fmt: skip
    return replace(past, values=values), notes


def _check_numbers(name: str, column: DataColumn, rows: Rows) -> None:
    wrong = [row for row in column.numbers.bad if row in rows]
    if wrong:
        shown = f"{column.text(wrong[0])!r} in row {wrong[0] + 1}"
        raise InputError.of(f"numbers in column {name!r} of the plan", shown, "correct the cell, or leave it empty")


def _new_categories(name: str, column: DataColumn, rows: Rows, new: NDArray[np.bool_]) -> list[str]:
    names = list(dict.fromkeys(column.texts[row] or "" for row in rows[new]))
    if not names:
        return []
    rows_with = int(new.sum())
    where = note_count(rows_with, "{n} row", "{n} rows", n=rows_with)
    return [
        note_count(
            len(names), "{names} in column {column} of the plan was never seen before: no effect in {rows}.",
            "{names} in column {column} of the plan were never seen before: no effect in {rows}.",
            names=listed(names), column=repr(name), rows=where,
        )
    ]  # fmt: skip


def _beyond(name: str, values: Floats, before: Floats) -> list[str]:
    values, before = values[np.isfinite(values)], before[np.isfinite(before)]
    if not (values.size and before.size):
        return []
    low, high = float(before.min()), float(before.max())
    least, most = Number(float(values.min())), Number(float(values.max()))
    if values.min() >= low and values.max() <= high:
        return []
    if values.min() >= low:
        ends = note("up to {most}", most=most)
    elif values.max() <= high:
        ends = note("down to {least}", least=least)
    else:
        ends = note("up to {most} and down to {least}", most=most, least=least)
    if low < high:
        seen = note("past values lie from {low} to {high}", low=Number(low), high=Number(high))
    else:
        seen = note("all past values are {value}", value=Number(low))
    return [
        note(
            "Column {name} of the plan goes {ends}, but {seen}: beyond them the model extrapolates.",
            name=repr(name), ends=ends, seen=seen,
        )
    ]  # fmt: skip

"""The columns beside a series, from a table with a time column: those of past rows and of rows that are a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.categories import coded
from autostatistician.data.columns import DataColumn
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.placing import readable_positions
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note, note_some
from autostatistician.i18n.names import listed

__all__ = ["columns_beside", "covariate_of", "covariates_of", "in_time"]

Floats = NDArray[np.float64]

MOST_REPEATED = 0.05  # of the times of a table, that have a second row
MOST_EMPTY = 0.5  # of the cells of a column
MOST_LEVELS = 12  # of categories, each with an effect of its own


def covariates_of(
    columns: Sequence[DataColumn], time: DataColumn | None, axis: Axis, used: Floats
) -> tuple[Covariates | None, tuple[str, ...]]:
    """Columns of a table along its axis, and sentences on those that cannot be used; ``used``: times with a target.

    >>> week, promo = DataColumn("week", np.arange(3.0)), DataColumn("promo", np.array([0.0, 1.0, 0.0]))
    >>> columns, notes = covariates_of([promo], week, Axis("week", "", "", 1.0), np.arange(3.0))
    >>> columns.at(np.array([1.0]))[0].values.tolist(), notes
    ([1.0], ())
    """
    if not columns:
        return None, ()
    x = np.arange(float(columns[0].size)) if time is None else readable_positions(axis, time)
    order, again = in_time(x)
    repeated = int(again.sum())
    names = [column.name for column in columns]
    if repeated > MOST_REPEATED * max(order.size, 1):
        return None, (note("Not used, because times repeat: {columns}.", columns=listed(names)),)
    order = order[~again]
    notes = [*note_some(
        repeated, "Of {n} repeated time the columns of the first row are used.",
        "Of {n} repeated times the columns of the first row are used.",
    )]  # fmt: skip
    inside = np.isin(np.round(x[order] / axis.gap, 3), np.round(used / axis.gap, 3))
    table = []
    for column in columns:
        covariate = covariate_of(column, order)
        reason = _unusable(covariate, inside)
        if reason:
            notes.append(note("Not used, because {reason}: {columns}.", reason=reason, columns=listed([column.name])))
            continue
        table.append(covariate)
        notes += note_some(
            int(np.sum(~np.isfinite(covariate.values[inside]))),
            "Column {column} has no value in {n} row; there it explains nothing.",
            "Column {column} has no value in {n} rows; there it explains nothing.", column=repr(column.name),
        )  # fmt: skip
    return (Covariates(x[order], tuple(table)) if table else None), tuple(notes)


def in_time(x: Floats, near: float = 0.0) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The rows that have a position, in the order of these, and which of them are at that of the row before.

    >>> rows, again = in_time(np.array([2.0, np.nan, 1.0, 2.0]))
    >>> rows.tolist(), again.tolist()
    ([2, 0, 3], [False, False, True])
    """
    rows = np.argsort(x, kind="stable")[: np.isfinite(x).sum()]
    return rows, np.diff(x[rows], prepend=-np.inf) <= near


def columns_beside(known: Covariates, given: Sequence[DataColumn], x: Floats, *, alike: bool = False) -> Covariates:
    """The columns beside a series at new positions (m,), NaN: none; where nothing is given, as they are known there.

    Of several rows at one time the first counts; those that must be ``alike`` are refused where they differ.

    >>> known = Covariates(np.array([0.0]), (Covariate("promo", np.array([1.0])),))
    >>> new = columns_beside(known, [DataColumn("promo", np.array([0.0, np.nan]))], np.array([1.0, 0.0]))
    >>> new.x.tolist(), new.table[0].values.tolist()
    ([0.0, 1.0], [1.0, 0.0])
    """
    rows, again = in_time(x)
    by_name, table = {column.name: column for column in given}, []
    for column in known.table:
        values = known.of(column.name, x[rows])
        if column.name in by_name:
            read = covariate_of(by_name[column.name], rows, column).values
            if alike and np.any(again & (np.abs(np.diff(read, prepend=0.0)) > 0.0)):
                expected = f"one value of {column.name!r} at each time"
                raise InputError.of(expected, "two at the same time", "predict them one after the other")
            values = np.where(np.isfinite(read), read, values)
        table.append(replace(column, values=values[~again]))
    return replace(known, x=x[rows[~again]], table=tuple(table))


def covariate_of(column: DataColumn, rows: NDArray[np.intp], known: Covariate | None = None) -> Covariate:
    """Some rows of a column as numbers, or as codes of categories: its own, or those of a column that is ``known``.

    >>> covariate_of(DataColumn("shop", ("b", None, "a")), np.array([0, 1, 2])).values.tolist()
    [1.0, nan, 0.0]
    """
    own = column.categories if column.is_category else ()
    levels = own if known is None else known.levels
    if not levels:
        values = column.numbers.values[rows]
        return Covariate(column.name, np.where(np.isfinite(values), values, np.nan))
    empty = np.array([text is None for text in column.texts])
    return Covariate(column.name, np.where(empty, np.nan, coded(column, levels, unseen="new"))[rows], levels)


def _unusable(column: Covariate, inside: NDArray[np.bool_]) -> str:
    """Why a column cannot explain the target; "" where it may."""
    values = column.values[inside]
    present = values[np.isfinite(values)]
    if present.size < MOST_EMPTY * values.size:
        return note("most of its cells are empty")
    if np.unique(present).size < 2:
        return note("it is the same in all rows with a target")
    if len(column.levels) > MOST_LEVELS:
        return note("it holds more than {n} categories", n=MOST_LEVELS)
    return ""

"""The columns beside a series, from a table with a time column: those of past rows and of rows that are a plan."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.categories import coded
from autostatistician.data.columns import DataColumn
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.placing import readable_positions
from autostatistician.wording.lists import listed
from autostatistician.wording.messages import note, note_count

__all__ = ["covariate_of", "covariates_of"]

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
    rows = np.flatnonzero(np.isfinite(x))
    order = rows[np.argsort(x[rows], kind="stable")]
    first = np.concatenate([[True], np.diff(x[order]) > 0.0]) if order.size else np.zeros(0, dtype=bool)
    repeated = int((~first).sum())
    names = [column.name for column in columns]
    if repeated > MOST_REPEATED * max(order.size, 1):
        return None, (note("Not used, because times repeat: {columns}.", columns=listed(names)),)
    order = order[first]
    notes: list[str] = []
    if repeated:
        notes.append(note_count(
            repeated, "Of {n} repeated time the columns of the first row are used.",
            "Of {n} repeated times the columns of the first row are used.", n=repeated,
        ))  # fmt: skip
    inside = np.isin(np.round(x[order] / axis.gap, 3), np.round(used / axis.gap, 3))
    table = []
    for column in columns:
        covariate = covariate_of(column, order)
        reason = _unusable(covariate, inside)
        if reason:
            notes.append(note("Not used, because {reason}: {columns}.", reason=reason, columns=listed([column.name])))
            continue
        table.append(covariate)
        empty = int(np.sum(~np.isfinite(covariate.values[inside])))
        if empty:
            notes.append(note_count(
                empty, "Column {column} has no value in {n} row; there it explains nothing.",
                "Column {column} has no value in {n} rows; there it explains nothing.",
                column=repr(column.name), n=empty,
            ))  # fmt: skip
    return (Covariates(x[order], tuple(table)) if table else None), tuple(notes)


def covariate_of(column: DataColumn, rows: NDArray[np.intp], levels: tuple[str, ...] = ()) -> Covariate:
    """Some rows of a column as numbers, or as codes of categories: its own, or ``levels`` that are known already.

    >>> covariate_of(DataColumn("shop", ("b", None, "a")), np.array([0, 1, 2])).values.tolist()
    [1.0, nan, 0.0]
    """
    if column.is_category or levels:
        levels = levels or column.categories
        codes = coded(column, levels, unseen="new")
        empty = np.array([text is None for text in column.texts])
        return Covariate(column.name, np.where(empty, np.nan, codes)[rows], levels)
    values = np.array(column.numbers.values, dtype=np.float64)
    return Covariate(column.name, np.where(np.isfinite(values), values, np.nan)[rows])


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

"""Known errors of measurement and limits of detection of a target: found in a table, and put beside its values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.columns import DataColumn, DataTable, Floats, find_column
from autostatistician.data.dataset import Dataset
from autostatistician.data.measured import BELOW, LEAST_ERROR, Measured, has_marks, read_marks
from autostatistician.data.missing import refuse_first
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note_some

__all__ = [
    "errors_of_rows", "measured_on", "told_as_limits", "variances_of", "with_errors", "with_limits",
    "without_marks",
]  # fmt: skip


FEWEST_MEASURED = 3


def with_limits(table: DataTable, target: str | None) -> DataTable:
    """The table with numbers for cells such as "<0.5", of its target or, where none is named, of all its columns.

    >>> column = DataColumn("lead", ("<0.5", "2", "3", "7"))
    >>> with_limits(DataTable((column,)), None).columns[0].numbers.values.tolist()
    [0.5, 2.0, 3.0, 7.0]
    """
    named = None if target is None else find_column(table.columns, target, "target")
    columns = tuple(without_marks(each) if named in (None, each) else each for each in table.columns)
    return table if columns == table.columns else replace(table, columns=columns)


def without_marks(column: DataColumn) -> DataColumn:
    """A column whose cells are numbers or limits with numbers; any other as it is."""
    if not isinstance(column.values, tuple) or not has_marks(column.values):
        return column
    cells, sides = read_marks(column.values)
    bare = replace(column, values=cells, measured=Measured(sides))
    return bare if sides.any() and not sides.all() and bare.is_numeric else column


def with_errors(table: DataTable, target: str | None, error: Any) -> DataTable:
    """The table with standard deviations of the errors of its target: a column of it, or numbers (n,).

    Raises
    ------
    InputError
        When no target is named, the column is not there, or some error is not a number from zero.
    """
    if target is None:
        raise InputError.of("the name of the target beside an error", "none", "name the target, too")
    aimed = find_column(table.columns, target, "target")
    if isinstance(error, str):
        column = find_column(table.columns, error, "error")
        if column is aimed:
            raise InputError.of("another column than the target for the error", repr(error), "name another")
        errors, by = column.numbers.values, column.name
    else:
        column, by = None, ""
        errors = _as_errors(error, aimed.size)
    sides = np.zeros(aimed.size) if aimed.measured is None else aimed.measured.sides
    seen = replace(aimed, measured=Measured(sides, errors, by))
    rest = tuple(seen if each is aimed else each for each in table.columns if each is not column)
    return replace(table, columns=rest)


def _as_errors(error: Any, n: int) -> Floats:
    """One standard deviation for all rows, or one for each."""
    try:
        errors = np.asarray(error, dtype=np.float64).reshape(-1)
        return np.array(np.broadcast_to(errors, n))
    except (TypeError, ValueError):
        expected = f"the standard deviation of each of {n} errors, or one for all"
        raise InputError.of(expected, "something else", "give an array of numbers, or the name of a column") from None


def told_as_limits(column: DataColumn) -> tuple[str, ...]:
    """What is said of a column that explains a target, and has cells with limits: these are its values there."""
    if column.measured is None:
        return ()
    return note_some(
        int(np.count_nonzero(column.measured.sides)),
        "{n} value of column {column} is a limit of detection, and was taken as that value.",
        "{n} values of column {column} are limits of detection, and were taken as these values.",
        column=repr(column.name),
    )  # fmt: skip


def errors_of_rows(dataset: Dataset, error: Any, size: int) -> Dataset:
    """A data set made of so many rows with standard deviations of the errors of their target: numbers (n,), or one."""
    sides = np.zeros(size)
    if dataset.censored is not None:
        sides[_rows_of(dataset)] = dataset.censored
    return measured_on(dataset, Measured(sides, _as_errors(error, size)))


def measured_on(dataset: Dataset, measured: Measured | None, rows: NDArray[np.intp] | None = None) -> Dataset:
    """A data set with what is known of the measurements of its target, by the ``rows`` of the table that are its own.

    Raises
    ------
    InputError
        When some error is not a number from zero, or fewer than three values were measured.
    """
    if measured is None:
        return dataset
    here = measured.at(_rows_of(dataset) if rows is None else rows)
    seen = here.sides == 0.0
    if np.count_nonzero(seen) < FEWEST_MEASURED:
        found = f"{np.count_nonzero(seen)}, and limits else"
        raise InputError.of(f"at least {FEWEST_MEASURED} values that were measured", found, "give more data")
    errors = np.zeros(dataset.n) if here.errors is None else here.errors
    return replace(
        dataset, noise=_squared(errors, dataset.y[seen], measured.by), censored=None if seen.all() else here.sides,
        warnings=(*dataset.warnings, *said_of(dataset.target, here)),
    )  # fmt: skip


def variances_of(error: Any, y: Floats) -> Floats | None:
    """Variances (n,) of the errors of values (n,), of their standard deviations; None where nothing is known.

    Raises
    ------
    InputError
        When some error is not a number from zero.

    Examples
    --------
    >>> variances_of([0.5, 2.0], np.array([3.0, 4.0])).tolist()
    [0.25, 4.0]
    """
    return None if error is None else _squared(_as_errors(error, len(y)), y, "")


def _squared(errors: Floats, y: Floats, by: str) -> Floats:
    wrong = ~(np.isfinite(errors) & (errors >= 0.0))
    named = f"column {by!r}" if by else "the error"
    refuse_first(wrong, errors, f"a number from zero in {named} for every row", "correct the cell")
    least = LEAST_ERROR * (float(np.std(y)) or 1.0)
    return np.asarray(np.maximum(errors, least) ** 2)


def _rows_of(dataset: Dataset) -> NDArray[np.intp]:
    return np.array(dataset.rows) - 1 if dataset.rows else np.arange(dataset.n)


def said_of(target: str, measured: Measured) -> tuple[str, ...]:
    """How values that were not seen whole are used, in a sentence for each kind."""
    name = repr(target)
    below, above = (int(np.count_nonzero(measured.sides == side)) for side in (BELOW, -BELOW))
    said = note_some(
        below, "{n} value of column {column} of {all} lies below its limit of detection: it counts as the chance to "
        "lie there, and is drawn at the limit.",
        "{n} values of column {column} of {all} lie below their limits of detection: they count as the chance to lie "
        "there, and are drawn at the limits.", column=name, all=len(measured.sides),
    )  # fmt: skip
    said += note_some(
        above, "{n} value of column {column} of {all} lies above the largest that could be measured: it counts as the "
        "chance to lie there, and is drawn at the limit.",
        "{n} values of column {column} of {all} lie above the largest that could be measured: they count as the chance "
        "to lie there, and are drawn at the limits.", column=name, all=len(measured.sides),
    )  # fmt: skip
    return said + note_some(
        0 if measured.errors is None else len(measured.sides),
        "{n} value of column {column} has a known error of measurement: it is no part of what is predicted.",
        "{n} values of column {column} have known errors of measurement, which are part of the noise of their rows: "
        "predictions are of the values without them.", column=name,
    )  # fmt: skip

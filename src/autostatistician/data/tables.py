"""A data set of several inputs, some of them categories, from the columns of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autostatistician.data.beside import covariate_of
from autostatistician.data.columns import DataColumn, checked_numbers
from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.value_checks import remarks as remarks_on
from autostatistician.errors import InputError
from autostatistician.wording.messages import message, note

__all__ = ["table_of"]

CLEAN = message("clean the column, or leave it out")


def table_of(
    columns: Sequence[DataColumn], target: DataColumn, *, name: str = "data", notes: tuple[str, ...] = ()
) -> Dataset:
    """A data set of several inputs, some of them categories, without a time axis; rows stay in their order.

    Rows with a missing cell are left out, and that is said.

    >>> size, colour = DataColumn("size", np.array([1.0, 2.0, 3.0])), DataColumn("colour", ("red", "blue", "red"))
    >>> data = table_of([size, colour], DataColumn("price", np.array([5.0, 6.0, 8.0])))
    >>> data.X.tolist(), data.levels
    ([[1.0, 1.0], [2.0, 0.0], [3.0, 1.0]], {'colour': ('blue', 'red')})
    """
    if not columns:
        raise InputError.of(note("columns to explain the target with"), note("none"), note("name them as inputs"))
    levels = {column.name: column.categories for column in columns if column.is_category}
    inputs, said = [], list(notes)
    for column in columns:
        if column.name in levels:
            inputs.append(covariate_of(column, np.arange(column.size)).values)
        else:
            numbers = checked_numbers(column, note(CLEAN))
            inputs.append(numbers.values)
            said += numbers.notes
    values = checked_numbers(target, note(CLEAN))
    names = tuple(column.name for column in columns)
    dataset = from_arrays(np.column_stack(inputs), values.values, names, target=target.name, name=name, levels=levels)
    of_target = remarks_on(dataset.y, target.name)
    return replace(dataset, warnings=tuple(dict.fromkeys([*said, *values.notes, *of_target, *dataset.warnings])))

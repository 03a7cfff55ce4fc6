"""What the columns beside many series will be: one plan, by the ids that it has, or for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.columns import DataTable
from autostatistician.data.dataset import Dataset
from autostatistician.data.new_rows import read_plan
from autostatistician.data.panels import SeriesTable, split_rows
from autostatistician.data.sources import read_source
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note, noted

__all__ = ["PlannedTable", "planned_panel"]


@dataclass(frozen=True, eq=False)
class PlannedTable:
    """Series of which a plan says what their columns will be; built by `planned_panel`.

    Where the plan has none of the ids, its rows are those of all series; where it has some, of all that have these.
    """

    table: SeriesTable
    plan: DataTable
    ids: tuple[str, ...]  # those of the table, and so are the keys
    keys: Sequence[tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.table)

    def name(self, index: int) -> str:
        """The name of a series."""
        return self.table.name(index)

    def dataset(self, index: int) -> Dataset:
        """The data of a series whose columns go on as planned; a plan that does not fit them is one of its warnings."""
        data, rows = self.table.dataset(index), self._rows(self.keys[index])
        columns = data.covariates
        said: tuple[str, ...]
        if columns is None or data.axis is None or not columns.table:
            said = (note("The plan is not used: no columns explain this series."),)
        elif not rows.size:
            said = (note("The plan has no rows of this series."),)
        else:
            own = tuple(column.at(rows) for column in self.plan.columns if column.name not in self.ids)
            try:
                plan = read_plan(replace(self.plan, columns=own), columns, data.axis, float(data.x.max()))
                columns, said = columns.joined(plan.columns), plan.notes
            except InputError as error:
                said = (note("The plan is not used: {reason}.", reason=noted(error)),)
        return replace(data, covariates=columns, warnings=(*data.warnings, *said))

    def _rows(self, key: tuple[str, ...]) -> NDArray[np.intp]:
        """The rows of the plan for a series."""
        names, rows = self._parts
        if not names:
            return np.arange(self.plan.size)
        shared = tuple(value for column, value in zip(self.ids, key, strict=True) if column in names)
        return rows.get(shared, np.zeros(0, dtype=np.intp))

    @cached_property
    def _parts(self) -> tuple[tuple[str, ...], dict[tuple[str, ...], NDArray[np.intp]]]:
        """The ids that the plan has, in their order, and its rows by them."""
        columns = {column.name: column for column in self.plan.columns}
        names = tuple(name for name in self.ids if name in columns)
        if not names:
            return (), {}
        keys, rows = split_rows([columns[name] for name in names])
        return names, dict(zip(keys, rows, strict=True))


def planned_panel(table: SeriesTable, plan: Any) -> PlannedTable:
    """The series of a table with a plan for their columns: a path or a frame, with ids, times and columns.

    Raises
    ------
    InputError
        When the plan cannot be read, or has no rows.

    Examples
    --------
    >>> from autostatistician.data.panels import panel_of
    >>> weeks, promo = [*range(20)] * 2, [int(week % 3 == 0) for week in range(20)] * 2
    >>> shops = {"shop": ["A"] * 20 + ["B"] * 20, "week": weeks, "promo": promo, "sales": np.arange(40.0) % 7}
    >>> planned = planned_panel(panel_of(shops, ids=["shop"]), {"shop": ["B"], "week": [20], "promo": [1]})
    >>> [planned.dataset(index).covariates.of("promo", np.array([20.0])).tolist() for index in (0, 1)]
    [[nan], [1.0]]
    """
    read = read_source(plan).table
    if not read.size:
        raise InputError.of("a plan with names of columns, and rows", "none", "give a file or a frame")
    return PlannedTable(table, read, table.ids, table.keys)

"""The sums of a panel's series by their ids, as a table of series of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.data.panel_plans import PlannedTable
from autostatistician.data.panels import PanelTable
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note
from autostatistician.i18n.numbers import joined
from autostatistician.panel.records import SeriesRecord
from autostatistician.panel.settings import SeriesTable

__all__ = ["TOTAL", "AggregatedTable", "aggregated_table", "levels_of"]

TOTAL = "total"
LEAST_SHARE_OF_ROWS = 0.5  # of the usual number, that a series needs: a sum goes back as far as its shortest series
Positions = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AggregatedTable:
    """Sums of the series of a table, each a series of its own; built by `aggregated_table`.

    Parameters
    ----------
    table : SeriesTable
        The series.
    kept : tuple of int
        Which of them are in the sums: those that share their times.
    ids : tuple of str
        The columns by which there are sums: the ids of the series, then others that say something of each.
    keys : tuple of tuples
        What these are in each sum, "" for one over which it goes.
    members : tuple of tuples of int
        Places in ``kept`` of the series of each sum.
    left_out : dict
        Names of the series that are in no sum, by the reason.
    """

    table: SeriesTable
    kept: tuple[int, ...]
    ids: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    members: tuple[tuple[int, ...], ...]
    left_out: dict[str, tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.keys)

    def name(self, index: int) -> str:
        """``total``, or the ids of the sum: with slashes where they are the first ones, else each with its column."""
        return self._names[index]

    @cached_property
    def _names(self) -> tuple[str, ...]:
        used, names = {self.table.name(index) for index in range(len(self.table))}, []
        for key in self.keys:
            name = self._usual_name(key)
            while name in used:
                name = f"{name} (sum)"
            used.add(name)
            names.append(name)
        return tuple(names)

    def _usual_name(self, key: tuple[str, ...]) -> str:
        several = [(column, value) for column, value in zip(self.ids, key, strict=True) if value]
        if not several:
            return TOTAL
        if all(key[: len(several)]):
            return "/".join(value for _, value in several)
        return ", ".join(f"{column}={value}" for column, value in several)

    def dataset(self, index: int) -> Dataset:
        """The sum at all times at which every one of its series has a value."""
        first = self.table.dataset(self.kept[self.members[index][0]])
        times, total = _places(first), first.y + first.offset
        x = first.x
        for member in self.members[index][1:]:
            data = self.table.dataset(self.kept[member])
            _, here, there = np.intersect1d(times, _places(data), return_indices=True)
            times, x, total = times[here], x[here], total[here] + (data.y + data.offset)[there]
        if len(x) < 3:
            raise InputError.of("three times that all series of a sum share", str(len(x)), "sum others")
        count = len(self.members[index])
        return replace(
            first, X=x[:, None], y=total, offset=0.0, name=self.name(index), covariates=None, choice="",
            warnings=(
                note("The sum of {n} series at the {times} times that they share.", n=count, times=len(x)),
            ), where={},
        )  # fmt: skip


def _places(dataset: Dataset) -> Positions:
    """What tells whether two rows of different series are of one time: milliseconds, or numbers."""
    assert dataset.axis is not None
    times: NDArray[Any] = np.asarray(dataset.axis.times(dataset.x))
    return times.astype("M8[ms]").astype(np.float64) if times.dtype.kind == "M" else np.round(times, 9)


def levels_of(levels: Sequence[str | Sequence[str]], table: SeriesTable) -> tuple[tuple[str, ...], ...]:
    """The levels of a hierarchy, each by the columns that its sums go by, ids of the series first, the total as ().

    A level in one text has commas between its columns; "total" has none.

    Raises
    ------
    InputError
        When a column is neither an id nor says one thing of each series, or a level has all ids: these are the series.

    Examples
    --------
    >>> from autostatistician.data.panels import panel_of
    >>> columns = {"shop": ["A", "B"] * 2, "day": [1, 1, 2, 2], "sold": [5, 1, 6, 2], "region": [7, 8] * 2}
    >>> levels_of([["region"], []], panel_of(columns, ids=["shop"], target="sold"))
    (('region',), ())
    """
    levels = [_names(level) if isinstance(level, str) else level for level in levels]
    other_columns = tuple(dict.fromkeys(name for level in levels for name in level if name not in table.ids))
    for name in other_columns:
        _labels(table, name)
    named = []
    for level in levels:
        if set(table.ids) <= set(level):
            found = f"all of them ({joined(list(table.ids))}), which are the series themselves"
            raise InputError.of("some of the ids for a sum", found, "leave one out")
        named.append(tuple(name for name in (*table.ids, *other_columns) if name in level))
    return tuple(dict.fromkeys(named))


def _names(level: str) -> list[str]:
    return [] if level.strip() == TOTAL else [name.strip() for name in level.split(",")]


def _labels(table: SeriesTable, name: str) -> tuple[str, ...]:
    if isinstance(table, PlannedTable):
        return _labels(table.table, name)
    if isinstance(table, PanelTable):
        return table.labels(name)
    raise InputError.of(f"ids of the series ({joined(list(table.ids))})", repr(name), "sum over those")


def aggregated_table(
    table: SeriesTable, records: Iterable[SeriesRecord], levels: Sequence[str | Sequence[str]]
) -> AggregatedTable:
    """The sums of a table by ``levels``, of series that share step, last time and forecast, and have rows enough.

    Parameters
    ----------
    table : SeriesTable
        The series.
    records : iterable of SeriesRecord
        Of all series, in the order of the table.
    levels : sequence of sequences of str
        For each level the columns that its sums go by, ids or others that say one thing of each series:
        ``[["region"], []]`` are a sum for each region, and the total.
    """
    named = levels_of(levels, table)
    other_columns = tuple(dict.fromkeys(name for level in named for name in level if name not in table.ids))
    ids, labels = (*table.ids, *other_columns), [_labels(table, name) for name in other_columns]
    kinds, rows, names = [], [], []
    for record in records:
        forecast = record.forecast
        kinds.append(None if forecast is None else (record.step, record.last, forecast.times[:2]))
        rows.append(record.rows)
        names.append(record.name)
    usual = Counter(kind for kind in kinds if kind is not None).most_common(1)
    alike = [index for index, kind in enumerate(kinds) if usual and kind == usual[0][0]]
    least = LEAST_SHARE_OF_ROWS * float(np.median([rows[index] for index in alike])) if alike else 0.0
    kept = tuple(index for index in alike if rows[index] >= least)
    chosen, known = set(kept), set(alike)
    reasons: dict[str, list[str]] = {}
    for index, kind in enumerate(kinds):
        if index not in chosen:
            reason = "no forecast" if kind is None else "too few rows" if index in known else "other times"
            reasons.setdefault(reason, []).append(names[index])
    members: dict[tuple[str, ...], list[int]] = {}
    for level in named:
        for place, index in enumerate(kept):
            values = (*table.keys[index], *(of_series[index] for of_series in labels))
            key = tuple(value if name in level else "" for name, value in zip(ids, values, strict=True))
            members.setdefault(key, []).append(place)
    left_out = {reason: tuple(several) for reason, several in reasons.items()}
    return AggregatedTable(table, kept, ids, tuple(members), tuple(map(tuple, members.values())), left_out)

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
from autostatistician.errors import InputError
from autostatistician.panel.records import SeriesRecord
from autostatistician.panel.settings import SeriesTable
from autostatistician.wording.numbers import joined

__all__ = ["TOTAL", "SummedTable", "levels_of", "summed_table"]

TOTAL = "total"
LEAST_SHARE_OF_ROWS = 0.5  # of the usual number, that a series needs: a sum goes back as far as its shortest series
Positions = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SummedTable:
    """Sums of the series of a table, each a series of its own; built by `summed_table`.

    Parameters
    ----------
    table : SeriesTable
        The series.
    kept : tuple of int
        Which of them are in the sums: those that share their times.
    keys : tuple of tuples
        The ids of each sum, "" for an id over which it goes.
    members : tuple of tuples of int
        Places in ``kept`` of the series of each sum.
    left_out : dict
        Names of the series that are in no sum, by the reason.
    """

    table: SeriesTable
    kept: tuple[int, ...]
    keys: tuple[tuple[str, ...], ...]
    members: tuple[tuple[int, ...], ...]
    left_out: dict[str, tuple[str, ...]]

    @property
    def ids(self) -> tuple[str, ...]:
        """The names of the id columns."""
        return self.table.ids

    def __len__(self) -> int:
        return len(self.keys)

    def name(self, index: int) -> str:
        """``total``, or the ids of the sum: with slashes where they are the first ones, else each with its column."""
        return self._names[index]

    @cached_property
    def _names(self) -> tuple[str, ...]:
        taken, names = {self.table.name(index) for index in range(len(self.table))}, []
        for key in self.keys:
            name = self._usual_name(key)
            while name in taken:
                name = f"{name} (sum)"
            taken.add(name)
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
            warnings=(f"The sum of {count} series at the {len(x)} times that they share.",), where={},
        )  # fmt: skip


def _places(dataset: Dataset) -> Positions:
    """What tells whether two rows of different series are of one time: milliseconds, or numbers."""
    assert dataset.axis is not None
    times: NDArray[Any] = np.asarray(dataset.axis.times(dataset.x))
    return times.astype("M8[ms]").astype(np.float64) if times.dtype.kind == "M" else np.round(times, 9)


def levels_of(levels: Sequence[Sequence[str]], ids: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The levels of a hierarchy, each by the ids that its sums have, in the order of the columns, the total as ().

    Raises
    ------
    InputError
        When an id is not among the columns, or a level has all of them: these are the series themselves.

    Examples
    --------
    >>> levels_of([["store", "region"], [], ["region"]], ["region", "store", "item"])
    (('region', 'store'), (), ('region',))
    """
    named = []
    for level in levels:
        unknown = [name for name in level if name not in ids]
        if unknown:
            raise InputError.of(f"ids of the series ({joined(list(ids))})", repr(unknown[0]), "sum over those")
        if set(level) == set(ids) and ids:
            found = f"all of them ({joined(list(ids))}), which are the series themselves"
            raise InputError.of("some of the ids for a sum", found, "leave one out")
        named.append(tuple(name for name in ids if name in level))
    return tuple(dict.fromkeys(named))


def summed_table(table: SeriesTable, records: Iterable[SeriesRecord], levels: Sequence[Sequence[str]]) -> SummedTable:
    """The sums of a table by ``levels``, of series that share step, last time and forecast, and have rows enough.

    Parameters
    ----------
    table : SeriesTable
        The series.
    records : iterable of SeriesRecord
        Of all series, in the order of the table.
    levels : sequence of sequences of str
        For each level the ids that its sums have: ``[["region"], []]`` are a sum for each region, and the total.
    """
    named = levels_of(levels, table.ids)
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
            key = tuple(
                value if name in level else "" for name, value in zip(table.ids, table.keys[index], strict=True)
            )
            members.setdefault(key, []).append(place)
    left_out = {reason: tuple(several) for reason, several in reasons.items()}
    return SummedTable(table, kept, tuple(members), tuple(map(tuple, members.values())), left_out)

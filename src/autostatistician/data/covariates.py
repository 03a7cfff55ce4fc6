"""Columns beside a series (exogenous regressors): what is known at its times, of past rows and of planned ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from autostatistician.data.arrays import Flags, Floats, Rows
from autostatistician.data.categories import coded
from autostatistician.data.columns import DataColumn
from autostatistician.data.records import fields_from, record_of
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.placing import readable_positions
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note, note_some
from autostatistician.i18n.names import listed

__all__ = [
    "CalendarColumns", "Covariate", "Covariates", "columns_beside", "covariate_of", "covariates_of", "in_time",
]  # fmt: skip

MOST_KEPT = 4  # sets of positions
SAME_PLACE = 1e-6  # of the distance between neighbours: times that differ by less are one
MOST_REPEATED = 0.05  # of the times of a table, that have a second row
MOST_EMPTY = 0.5  # of the cells of a column
MOST_LEVELS = 12  # of categories, each with an effect of its own


@dataclass(frozen=True, eq=False)
class Covariate:
    """A column: a number at each time, NaN where there is none; of categories codes into ``levels``.

    >>> Covariate("promo", np.array([0.0, 1.0, np.nan])).is_flag
    True
    """

    name: str
    values: Floats
    levels: tuple[str, ...] = ()
    group: str = ""  # of columns that share the size of their effects, as holidays do
    event: str = ""  # the holiday or event that a column of a calendar belongs to
    days: int = 0  # how many days after the event (before: negative)
    calendar: str = ""  # that it comes from, as the user named it

    @property
    def is_flag(self) -> bool:
        """Whether it holds zero and one only."""
        present = self.values[np.isfinite(self.values)]
        return not self.levels and present.size > 0 and bool(np.isin(present, (0.0, 1.0)).all())


class CalendarColumns(Protocol):
    """Columns that follow from the date alone, so they are known at any time."""

    def columns(self, x: Floats) -> tuple[Covariate, ...]:
        """The columns at positions (m,) of the axis."""

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record."""


@dataclass(frozen=True, eq=False)
class Covariates:
    """Columns at increasing positions ``x`` (m,) of the model axis; those of a calendar at any position.

    The positions are those of rows that have a target and of rows that have none yet, which are a plan.

    >>> columns = Covariates(np.array([0.0, 1.0]), (Covariate("promo", np.array([0.0, 1.0])),))
    >>> columns.at(np.array([1.0, 2.0]))[0].values.tolist()
    [1.0, nan]
    """

    x: Floats
    table: tuple[Covariate, ...]
    calendar: tuple[CalendarColumns, ...] = ()
    _kept: dict[bytes, tuple[Covariate, ...]] = field(default_factory=dict, init=False, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all columns."""
        return tuple(column.name for column in self.at(self.x[:1]))

    @property
    def gap(self) -> float:
        """The median distance of neighbouring rows; 1 of a single one."""
        return float(np.median(np.diff(self.x))) if len(self.x) > 1 else 1.0

    def at(self, x: Floats) -> tuple[Covariate, ...]:
        """The columns at positions (k,); NaN where the table has no such row."""
        x = np.asarray(x, dtype=np.float64)
        rows, there = self._rows(x)
        looked_up = tuple(replace(column, values=_picked(column.values, rows, there)) for column in self.table)
        return looked_up + self._of_calendar(x)

    def of(self, name: str, x: Floats) -> Floats:
        """The values (k,) of one column at positions (k,); NaN where it has none."""
        x = np.asarray(x, dtype=np.float64)
        own = [_picked(column.values, *self._rows(x)) for column in self.table if column.name == name]
        return own[0] if own else next(column.values for column in self._of_calendar(x) if column.name == name)

    def _of_calendar(self, x: Floats) -> tuple[Covariate, ...]:
        """The columns of the calendar, kept for the positions asked for last: each is asked for by its name."""
        key = x.tobytes()
        if key not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = tuple(column for source in self.calendar for column in source.columns(x))
        return self._kept[key]

    def joined(self, plan: Covariates) -> Covariates:
        """These with the rows of a plan, which take the place of rows at the same time.

        Raises
        ------
        InputError
            When the plan lacks a column.
        """
        others = {column.name: column for column in plan.table}
        lacking = [column.name for column in self.table if column.name not in others]
        if lacking:
            found = f"a plan without column {lacking[0]!r}"
            raise InputError.of("a plan with the columns of the data", found, "add the column to the plan")
        kept = ~plan._rows(self.x)[1]
        x = np.concatenate([self.x[kept], plan.x])
        order = np.argsort(x, kind="stable")
        table = []
        for column in self.table:
            values = np.concatenate([column.values[kept], others[column.name].values])[order]
            table.append(replace(column, values=values))
        return replace(self, x=x[order], table=tuple(table))

    def until(self, last: float) -> Covariates:
        """The rows up to a position, which is included; the calendar stays."""
        rows = self.x <= last
        table = tuple(replace(column, values=column.values[rows]) for column in self.table)
        return replace(self, x=self.x[rows], table=table)

    def only(self, names: Sequence[str]) -> Covariates:
        """Those columns of the table that are named; the calendar stays."""
        return replace(self, table=tuple(column for column in self.table if column.name in names))

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record; missing cells are null."""
        table = [{name: record_of(column)[name] for name in ("name", "values", "levels")} for column in self.table]
        record = {"x": self.x.tolist(), "table": table}
        return record | ({"calendar": [source.to_json() for source in self.calendar]} if self.calendar else {})

    @classmethod
    def from_json(cls, record: dict[str, Any], calendar: tuple[CalendarColumns, ...] = ()) -> Covariates:
        """The columns of a record made by `to_json`, with calendars that were read from it.

        >>> columns = Covariates(np.array([0.0, 1.0]), (Covariate("promo", np.array([np.nan, 1.0])),))
        >>> Covariates.from_json(columns.to_json()).table[0].values.tolist()
        [nan, 1.0]
        """
        read = fields_from(cls, {name: record[name] for name in ("x", "table")})
        if any(column.values.shape != read["x"].shape for column in read["table"]):
            raise ValueError("a column of another length than its positions")
        return cls(**read, calendar=calendar)

    def _rows(self, x: Floats) -> tuple[Rows, Flags]:
        """The nearest row to each position, and whether it lies there."""
        if not self.x.size:
            return np.zeros(len(x), dtype=np.intp), np.zeros(len(x), dtype=bool)
        nearest = np.searchsorted((self.x[1:] + self.x[:-1]) / 2, x)
        return nearest, np.asarray(np.abs(self.x[nearest] - x) <= SAME_PLACE * max(self.gap, 1e-300))


def _picked(values: Floats, rows: Rows, there: Flags) -> Floats:
    """Values at rows (k,), NaN where nothing is there."""
    picked = np.full(len(rows), np.nan)
    picked[there] = values[rows[there]]
    return picked


# --- Columns of a table with a time column, as those beside a series --------------------------------------------------


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


def in_time(x: Floats, near: float = 0.0) -> tuple[Rows, Flags]:
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


def covariate_of(column: DataColumn, rows: Rows, known: Covariate | None = None) -> Covariate:
    """Some rows of a column as numbers, or as codes of categories: its own, or those of a column that is ``known``.

    >>> covariate_of(DataColumn("shop", ("b", None, "a")), np.array([0, 1, 2])).values.tolist()
    [1.0, nan, 0.0]
    """
    own = column.categories if column.is_category else ()
    levels = own if known is None else known.levels
    if not levels:
        values = column.as_lengths().numbers.values[rows]
        return Covariate(column.name, np.where(np.isfinite(values), values, np.nan))
    empty = np.array([text is None for text in column.texts])
    return Covariate(column.name, np.where(empty, np.nan, coded(column, levels, unseen="new"))[rows], levels)


def _unusable(column: Covariate, inside: Flags) -> str:
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

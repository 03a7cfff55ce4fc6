"""Many series in one table: which columns tell them apart, and the data of each when it is asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from autostatistician.data.arrays import Rows
from autostatistician.data.columns import DataColumn, DataTable, find_column
from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.data.roles.keys import LongTableError, codes_of, numbered, table_where, texts_of
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.targets import ranked_targets
from autostatistician.data.roles.time_column import timing
from autostatistician.data.sources import read_source
from autostatistician.data.table_layouts import as_read, dated_column, refuse_either_order, with_order
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note
from autostatistician.i18n.names import counted, listed

__all__ = [
    "FolderTable", "PanelTable", "SeriesTable", "WideTable", "escaped", "panel_of", "split_rows", "tables",
    "wide_panel_of",
]  # fmt: skip


# A table that calls its columns so is one of many series (the form of Nixtla's packages).
ID_NAME, TIME_NAME, TARGET_NAME = "unique_id", "ds", "y"

# What would end a line or an id, what is put in its place, and what no file can hold (from names that are no text).
NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff%/]")

PROBED_ROWS = 20_000  # that show what the columns of a table are

TABLE_SUFFIXES = (".csv", ".tsv", ".txt", ".parquet", ".xlsx")  # also packed

PACKED_SUFFIXES = (".gz", ".zip")


def escaped(part: str) -> str:
    """A part of the name of a series: signs that names do not have become their numbers.

    >>> escaped("x/y"), escaped("50 %"), escaped("a" + chr(10) + "b")
    ('x%2Fy', '50 %25', 'a%0Ab')
    """
    return NOT_IN_NAMES.sub(lambda sign: f"%{ord(sign[0]):02X}", part)


class SeriesTable(Protocol):
    """A table of many series, of whatever shape."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The names of the id columns."""

    @property
    def keys(self) -> Sequence[tuple[str, ...]]:
        """The ids of each series, in the order of the table."""

    def __len__(self) -> int: ...

    def name(self, index: int, /) -> str:
        """The name of a series, unique in the table."""

    def dataset(self, index: int, /) -> Dataset:
        """The data of a series; an `InputError` where it has none that can be modelled."""


@dataclass(frozen=True, eq=False)
class PanelTable:
    """Series under each other in one table; each becomes a data set when it is asked for.

    Examples
    --------
    >>> table = panel_of({"shop": ["A", "B"] * 3, "day": [1, 1, 2, 2, 3, 3], "sales": [5, 1, 6, 2, 4, 1]}, ids=["shop"])
    >>> table.keys, table.dataset(1).y.tolist()
    ((('A',), ('B',)), [1.0, 2.0, 1.0])
    """

    ids: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]  # of each series, in the order of their first rows
    table: DataTable  # the columns but the ids
    rows: tuple[Rows, ...]  # of each series
    options: dict[str, Any] = field(default_factory=dict)  # of `load`

    def __len__(self) -> int:
        return len(self.keys)

    def name(self, index: int) -> str:
        """The ids of a series with slashes between them; slashes and ends of lines within an id are escaped.

        >>> PanelTable(("a", "b"), (("x/y", "z"),), DataTable(()), ()).name(0)
        'x%2Fy/z'
        """
        return "/".join(map(escaped, self.keys[index]))

    def labels(self, name: str) -> tuple[str, ...]:
        """What a column says of each series: the region of each shop.

        Raises
        ------
        InputError
            When there is no such column, or it is not the same in all rows of a series.

        Examples
        --------
        >>> columns = {"shop": ["A", "B"] * 2, "day": [1, 1, 2, 2], "sold": [5, 1, 6, 2], "region": [7, 8] * 2}
        >>> panel_of(columns, ids=["shop"], target="sold").labels("region")
        ('7', '8')
        """
        column = find_column(self.table.columns, name, "sums")
        codes, texts = codes_of(column), texts_of(column)
        for index, rows in enumerate(self.rows):
            if (codes[rows] != codes[rows[0]]).any():
                found = f"several values in series '{self.name(index)}'"
                raise InputError.of(f"column '{name}' to hold one value for each series", found, "sum over another one")
        return tuple(texts[rows[0]] for rows in self.rows)

    def dataset(self, index: int) -> Dataset:
        """The data of a series, read as `load` reads a table of its rows alone.

        Raises
        ------
        InputError
            When its rows cannot be modelled, or have no id, so that nobody knows what they are rows of.
        """
        rows = self.rows[index]
        if missing := [column for column, key in zip(self.ids, self.keys[index], strict=True) if not key]:
            expected = f"an id in every row of column {listed(missing)}"
            raise InputError.of(expected, f"{counted(len(rows), 'row')} without one", "fill them in")
        columns = tuple(column.at(rows) for column in self.table.columns)
        data = load(replace(self.table, columns=columns, name="/".join(self.keys[index])), **self.options)
        return replace(data, where=dict(zip(self.ids, self.keys[index], strict=True)))


@dataclass(frozen=True, eq=False)
class WideTable:
    """Series beside each other over one time: a column for each.

    Examples
    --------
    >>> table = wide_panel_of({"day": [1, 2, 3], "north": [5, 6, 4], "south": [1, 2, 1]}, time="day")
    >>> table.keys, table.dataset(1).y.tolist()
    ((('north',), ('south',)), [1.0, 2.0, 1.0])
    """

    table: DataTable
    time: DataColumn
    series: tuple[DataColumn, ...]
    options: dict[str, Any] = field(default_factory=dict)  # of `load`
    ids: tuple[str, ...] = ("series",)

    def __len__(self) -> int:
        return len(self.series)

    @property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """The names of the columns."""
        return tuple((column.name,) for column in self.series)

    def name(self, index: int) -> str:
        """The name of a column."""
        return self.series[index].name

    def dataset(self, index: int) -> Dataset:
        """The data of a series; an `InputError` when they cannot be modelled."""
        table = replace(self.table, columns=(self.time, self.series[index]), name=self.name(index))
        return load(table, **{**self.options, "time": self.time.name, "target": self.name(index)})


def wide_panel_of(data: Any, **options: Any) -> WideTable:
    """The series of a table that has a column for each, beside that of the times; options are those of `panel_of`.

    Raises
    ------
    InputError
        When the table has no column of times, or fewer than two of numbers beside it.
    """
    table, options["time"] = with_order(read_source(data).table, options.get("time"))
    table, options = table_where(table, options.get("where")), _given(options)
    time = dated_column(table.columns, options.get("time"))
    series = tuple(_read_once(column) for column in table.columns if column is not time and column.is_numeric)
    if len(series) < 2:
        expected = "a column of times, and one of numbers for each series"
        raise InputError.of(
            expected, f"{len(series)} of numbers", "give a table with several, or report its one series"
        )
    return WideTable(table, _read_once(time), series, options)


def panel_of(data: Any, y: Any = None, *, ids: Sequence[str] | None = None, **options: Any) -> PanelTable | None:
    """The series of a table, or None where it holds one series or none.

    Parameters
    ----------
    data : path, frame, or DataTable
        A table with series under each other, told apart by columns of ids.
    y : array of shape (n,), optional
        The values, where they are no column of the table.
    ids : sequence of str, optional
        The columns of ids. Left out, they are ``unique_id`` where columns are called so, or those that tell rows with
        the same time apart.
    options
        Of `load`: ``time``, ``target``, ``inputs``, ``axis``, ``where``, ``holidays``, ``allow_leaks``.

    Raises
    ------
    InputError
        When a column is not there, or the table cannot be read.

    Examples
    --------
    >>> panel_of({"day": [1, 2, 3], "sales": [5.0, 6.0, 4.0]}) is None
    True
    """
    source = read_source(data, y, options.get("target"))
    if source.inputs:
        return None
    table, options["time"] = with_order(source.table, options.get("time"))
    named = {options["time"], options.get("target"), *(options.get("inputs") or ())}
    table = table_where(as_read(table, named), options.get("where"))
    options = _given(options if y is None else {**options, "target": source.target})
    names = {column.name for column in table.columns}
    if ids is None and {ID_NAME, TIME_NAME, TARGET_NAME} <= names:
        ids, options = [ID_NAME], {"time": TIME_NAME, "target": TARGET_NAME} | options
    if ids is None:
        ids = _guessed(table, options)
    if not ids:
        return None
    chosen = [find_column(table.columns, name, "ids") for name in ids]
    if len({column.name for column in chosen}) < len(ids) or len(chosen) == len(names):
        raise InputError.of("different columns as ids, and others beside them", f"{list(ids)}", "name others")
    keys, rows = split_rows(chosen)
    options, said = _roles(table, chosen, _first(rows), options)
    refuse_either_order(next((column for column in table.columns if column.name == options.get("time")), None))
    others = tuple(_read_once(column) for column in table.columns if all(column is not other for other in chosen))
    notes = (*table.notes, said) if said else table.notes
    return PanelTable(tuple(ids), keys, replace(table, columns=others, notes=notes), rows, options)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that are given, but the rows to choose."""
    return {name: value for name, value in options.items() if value is not None and name != "where"}


def _guessed(table: DataTable, options: dict[str, Any]) -> list[str]:
    """The columns that tell apart rows of the same time; none where the table is no panel, or cannot be read at all."""
    try:
        load(table, **options)
    except InputError as error:
        return list(error.choices) if isinstance(error, LongTableError) else []
    return []


def _first(rows: Sequence[Rows]) -> Rows:
    """The rows of the first series, as many as show what columns are: all of a usual panel."""
    ends = np.cumsum([len(some) for some in rows])
    return np.concatenate(rows[: max(1, int(np.searchsorted(ends, PROBED_ROWS)))])


def _roles(
    table: DataTable, ids: Sequence[DataColumn], rows: Rows, options: dict[str, Any]
) -> tuple[dict[str, Any], str]:
    """Time and target of all series, decided over some rows together, and a sentence on what was guessed.

    A series by itself could choose others: one that never sells anything has no sales to model.
    """
    names = {column.name for column in ids}
    columns = [column.at(rows) for column in table.columns] if len(rows) < table.size else list(table.columns)
    target = None if options.get("target") is None else find_column(columns, options["target"], "target")
    profiles, roles = [Profile(column) for column in columns], dict(options)
    used: tuple[DataColumn, ...]
    if "time" in options:
        used = (find_column(columns, options["time"], "time axis"),)
    else:
        made = timing(profiles, target)
        used = made.used
        if made.column is not None and any(made.column is column for column in columns):
            roles["time"] = made.column.name  # else it is made of several, in each series again
    if target is not None:
        return {**roles, "target": target.name}, ""
    others = [profile for profile in profiles if profile.column.name not in names]
    rest = [profile for profile in others if all(profile.column is not column for column in used)]
    name = ranked_targets(rest, series=True)[0].column.name
    return {**roles, "target": name}, note("Column {target} is modelled in every series.", target=repr(name))


def split_rows(columns: Sequence[DataColumn]) -> tuple[tuple[tuple[str, ...], ...], tuple[Rows, ...]]:
    """The keys of all series in the order of their first rows, and the rows of each, by one sort.

    >>> split_rows([DataColumn("shop", ("B", "A", "B"))])
    ((('B',), ('A',)), (array([0, 2]), array([1])))
    """
    codes, first = numbered([codes_of(column) for column in columns])
    order = np.argsort(codes, kind="stable")
    rows = np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)
    texts = [texts_of(column) for column in columns]
    return tuple(tuple(column[row] for column in texts) for row in first.tolist()), tuple(rows)


def _read_once(column: DataColumn) -> DataColumn:
    """A column whose cells are read for all series together: a date means the same in each, and is parsed once."""
    if not isinstance(column.values, tuple):
        return column
    times = column.times
    if times is not None and not (times.bad or times.either):
        return DataColumn(column.name, times.times)
    if column.is_numeric and not column.has_bad_numbers:
        return DataColumn(column.name, column.numbers.values)
    return column


# --- Folders of tables ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class FolderTable:
    """Series in files, one in each; a file is read when its series is asked for.

    >>> FolderTable(Path("in"), [Path("in/a.csv"), Path("in/b.csv"), Path("in/b.tsv")]).keys
    (('a',), ('b.csv',), ('b.tsv',))
    """

    folder: Path
    files: Sequence[Path]
    options: dict[str, Any] = field(default_factory=dict)  # of `load`
    ids: tuple[str, ...] = ("file",)

    def __len__(self) -> int:
        return len(self.files)

    @cached_property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """Paths below the folder, without their endings where these tell no two apart."""
        whole = [path.relative_to(self.folder) for path in self.files]
        short = [path.parent / path.name.split(".")[0] for path in whole]
        usual = Counter(short)
        named = (name if usual[name] == 1 else path for name, path in zip(short, whole, strict=True))
        return tuple(("/".join(map(escaped, path.parts)),) for path in named)

    def name(self, index: int) -> str:
        """The name of the file."""
        return self.keys[index][0]

    def dataset(self, index: int) -> Dataset:
        """The data of a series; an `InputError` when its file cannot be read, or they cannot be modelled."""
        return load(self.files[index], **self.options)


def tables(folder: Path, output: Path | None = None, pattern: str | None = None) -> list[Path]:
    """The tables of a folder in order: files that fit a pattern (by default those with a known ending).

    Raises
    ------
    InputError
        When there is no such folder, no table in it, or the outputs would come among the tables.
    """
    if not folder.is_dir():
        raise InputError.of("a folder of tables", f"no folder '{folder}'", "give the path of a folder")
    if output is not None and output.resolve() == folder.resolve():
        found = f"that of the tables, '{folder}'"
        raise InputError.of("another folder for the output", found, "choose another --output")
    try:
        paths = sorted(path for path in folder.glob(pattern or "*") if path.is_file())
    except (ValueError, NotImplementedError, IndexError) as error:
        raise InputError.of("a pattern below the folder, as '*.csv'", repr(pattern), "change --pattern") from error
    paths = [path for path in paths if not path.name.startswith(".")]
    if output is not None:
        paths = [path for path in paths if not path.resolve().is_relative_to(output.resolve())]
    if pattern is None:
        paths = [path for path in paths if _may_hold_a_table(path)]
    if not paths:
        found = f"no file {pattern or 'with an ending of tables'}"
        raise InputError.of(f"tables in '{folder}'", found, "see --pattern")
    return paths


def _may_hold_a_table(path: Path) -> bool:
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in PACKED_SUFFIXES]
    return bool(suffixes) and suffixes[-1] in TABLE_SUFFIXES

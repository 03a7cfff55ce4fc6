"""The data of one modelling task: float64 arrays on the model axis, with where they came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Floats
from autostatistician.data.columns import DataColumn, checked_numbers
from autostatistician.data.covariates import Covariates, covariate_of
from autostatistician.data.exposures import LogOffsets, SizesOfRows
from autostatistician.data.gaps import INDICATOR, FilledInputs, Gaps, most_gaps, without_gaps
from autostatistician.data.holidays import calendar_from_json
from autostatistician.data.missing import said_of_rows
from autostatistician.data.records import fields_from, reading, record_of, refuse
from autostatistician.data.row_limits import checked_rows
from autostatistician.data.times.axes import Axis, label_text, plain_axis
from autostatistician.data.times.calendar import with_constants
from autostatistician.data.value_checks import (
    LARGEST_VALUE,
    check_size,
    checked_table,
    checked_varying,
    is_copy,
    left_out_as_too_large,
)
from autostatistician.data.value_checks import remarks as remarks_on
from autostatistician.errors import InputError
from autostatistician.i18n.messages import message, note
from autostatistician.i18n.names import one_after_another
from autostatistician.i18n.numbers import as_written

__all__ = [
    "Dataset", "Kind", "are_shuffled", "as_counted", "at_usual", "counted", "from_arrays", "in_order", "label_text",
    "of_rows", "table_of", "time_labels", "without_constants", "without_offset",
]  # fmt: skip


ALWAYS_SAVED = ("name", "target", "columns", "axis", "offset", "warnings", "X", "y")

CLEAN = message("clean the column, or leave it out")
COPIES = message("{n} rows left out: they repeat other rows in every column, and copies are no further evidence.")


class Kind(Enum):
    """What a data set is: rows along one axis, or rows of several inputs (or of categories) without one."""

    SERIES = "series"
    TABLE = "table"


@dataclass(frozen=True, eq=False)
class Dataset:
    """Inputs ``X`` (n, d) and target ``y`` (n,); read-only arrays.

    Its ``kind`` is a series where its one input column holds numbers or dates, else a table. A series has an ``axis``
    (of plain numbers where none is given), a table has none.

    >>> Dataset(np.arange(3.0)[:, None], np.ones(3), ("x",), "y", Axis("x", "", "", 1.0), "demo")
    Dataset 'demo': 3 rows of 'y' over 'x' (0 to 2)
    """

    X: Floats
    y: Floats
    columns: tuple[str, ...]
    target: str
    axis: Axis | None
    name: str = "data"
    offset: float = 0.0  # subtracted from y, only where the data are too far from zero for float64 arithmetic
    warnings: tuple[str, ...] = ()
    # Of columns of categories: X holds indices into these lists. Columns of numbers have no entry.
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    choice: str = ""  # the warning that says which of several readings of the table was chosen
    shuffled: bool = False  # whether rows that came in no order were put in that of their positions
    classes: tuple[str, ...] = ()  # names of what y holds as codes (`data.classes`); none where it holds numbers
    where: Mapping[str, str] = field(default_factory=dict)  # what columns hold in the rows that were chosen of a table
    covariates: Covariates | None = None  # the columns beside a series that may explain it, too
    # Variances (n,) that rows have by themselves, beside what a model says of noise: of known errors of measurement.
    noise: Floats | None = None
    censored: Floats | None = None  # (n,) -1 where y is a limit that the value lies below, 1 above, 0 where it is known
    counts: Floats | None = None  # (n,) for which y stand, as pseudo-targets with that noise
    sizes: SizesOfRows | None = None  # of a series of counts: y are their rates by exposure, or their shares of totals
    added: LogOffsets | None = None  # what columns add to counts: y are their rates or shares at usual values of these
    rows: tuple[int, ...] = ()  # (n,) numbers of the rows in the table, from 1, where others were left out
    gaps: Gaps | None = None  # of a table with empty numbers: how all numbers vary together, and with the target
    unsure: Floats | None = None  # variances (n,) of y for these numbers: by so much others would move it
    constant: Floats | None = None  # positions (k,) of rows left out as their places always have one number
    kind: Kind = field(init=False)  # decided here, once for all who ask

    def __post_init__(self) -> None:
        for name, values in (("X", self.X), ("y", self.y)):
            array = np.array(values, dtype=np.float64)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        kind = Kind.SERIES if len(self.columns) == 1 and not self.levels else Kind.TABLE
        object.__setattr__(self, "kind", kind)
        by_row = [values for values in (self.noise, self.unsure, self.censored) if values is not None]
        wrong = {
            "X and y differ in length, or X and its names in number": self.X.shape != (self.n, len(self.columns)),
            "an axis beside several inputs or categories": self.axis is not None and kind is Kind.TABLE,
            "not one variance or limit for each row": any(values.shape != self.y.shape for values in by_row),
            "limits without errors": self.censored is not None and self.noise is None,
        }
        refuse(wrong)
        if self.axis is None and kind is Kind.SERIES:
            object.__setattr__(self, "axis", plain_axis(self.columns[0], self.X[:, 0]))

    def __repr__(self) -> str:
        inputs = ", ".join(repr(column) for column in self.columns)
        span = ""
        if self.axis is not None and self.n:
            first, last = map(self.axis.label, np.sort(self.x)[[0, -1]])
            span = f" ({', '.join(filter(None, [self.axis.frequency, f'{first} to {last}']))})"
        return f"Dataset {self.name!r}: {self.n} rows of {self.target!r} over {inputs}{span}"

    @property
    def is_ordered(self) -> bool:
        """Whether the rows follow one axis one after the other, so that something comes next; those of a curve do not.

        >>> from_arrays([1, 2, 3], [1, 2, 3]).is_ordered, from_arrays([47, 20, 31], [3, 1, 2]).is_ordered
        (True, False)
        """
        return self.kind is Kind.SERIES and not self.shuffled and bool(np.all(np.diff(self.x) >= 0.0))

    @property
    def is_curve(self) -> bool:
        """Whether the rows lie along one axis in no order, so that nothing comes next.

        >>> from_arrays([1, 2, 3], [1, 2, 3]).is_curve, from_arrays([47, 20, 31], [3, 1, 2]).is_curve
        (False, True)
        """
        return self.kind is Kind.SERIES and not self.is_ordered

    @property
    def given(self) -> tuple[str, ...]:
        """The columns that the table has: without those that say where others have no value.

        >>> Dataset(np.ones((1, 2)), np.ones(1), ("a", "a missing"), "y", None, levels={"a missing": INDICATOR}).given
        ('a',)
        """
        return tuple(name for name in self.columns if self.levels.get(name) != INDICATOR)

    @property
    def incomplete(self) -> tuple[str, ...]:
        """The columns of numbers that may be empty."""
        return () if self.gaps is None else self.gaps.incomplete

    def filled(self, X: Floats) -> tuple[Floats, Floats]:
        """Rows (m, d) with what stands for empty numbers (see `gaps`), and variances (m,) of their targets for these.

        >>> from_arrays([1, 2, 3], [1, 2, 3]).filled(np.array([[2.0]]))
        (array([[2.]]), array([0.]))
        """
        if self.gaps is None:
            return X, np.zeros(len(X))
        X, numbers = X.copy(), [self.columns.index(name) for name in self.gaps.columns]
        X[:, numbers], variances = self.gaps.filled(X[:, numbers])
        return X, variances

    @property
    def n(self) -> int:
        """The number of rows."""
        return int(self.y.size)

    @property
    def x(self) -> Floats:
        """The single input column, shape (n,)."""
        if len(self.columns) != 1:
            raise InputError.of("data with one input", f"{len(self.columns)} inputs", "use X, or name one column")
        column: Floats = self.X[:, 0]
        return column

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record; numbers keep every bit."""
        record = record_of(self, "counts")
        rare = {name: value for name, value in record.items() if value and name not in ALWAYS_SAVED}
        return {name: record[name] for name in ALWAYS_SAVED} | rare

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Dataset:
        """The data set of a record made by `to_json`."""
        with reading("a data set", "save it again"):
            read = fields_from(cls, {name: value for name, value in record.items() if name != "covariates"})
            read["X"] = read["X"].reshape(-1, len(read["columns"]))
            beside = record.get("covariates")
            if beside is not None:
                calendars = tuple(map(calendar_from_json, beside.get("calendar", ())))
                read["covariates"] = Covariates.from_json(beside, calendars)
            saved = _consistent(cls(**read))
        return saved


def _consistent(saved: Dataset) -> Dataset:
    """A data set that was saved; a `ValueError` where its fields do not fit each other."""
    count = len(saved.classes)
    codes = {-1.0, 1.0} if count == 2 else set(map(float, range(count)))
    coded = count > 1 and set(saved.y.tolist()) <= codes
    wrong = {
        "classes that are not those of their codes": not (coded or count == 0),
        "levels of a column that is not there": not set(saved.levels) <= set(saved.columns),
        "numbers of other rows than there are": len(saved.rows) not in (0, saved.n),
        "errors that are none": saved.noise is not None and not (saved.noise > 0.0).all(),
        "variances for gaps that are none": saved.unsure is not None and not (saved.unsure >= 0.0).all(),
    }
    refuse(wrong)
    return saved


def in_order(dataset: Dataset) -> Dataset:
    """The same data, the rows of a series in the order of their positions; those of a table stay as they are.

    >>> in_order(from_arrays([3.0, 1.0, 2.0], [30.0, 10.0, 20.0])).y.tolist()
    [10.0, 20.0, 30.0]
    """
    if dataset.kind is Kind.TABLE or bool(np.all(np.diff(dataset.x) >= 0.0)):
        return dataset
    return of_rows(dataset, np.argsort(dataset.x, kind="stable"))


def are_shuffled(x: Floats) -> bool:
    """Whether positions (n,) as they came are in no order: then they are of a curve, after which nothing comes.

    >>> are_shuffled(np.array([1.0, 3.0, 2.0])), are_shuffled(np.array([3.0, 2.0, 1.0]))
    (True, False)
    """
    steps = np.diff(x)
    return bool((steps < 0.0).any() and (steps > 0.0).any())


def of_rows(dataset: Dataset, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Dataset:
    """Some rows of a data set, with the noise that they have by themselves.

    >>> of_rows(from_arrays([3.0, 1.0, 2.0], [30.0, 10.0, 20.0]), np.array([0, 2])).y.tolist()
    [30.0, 20.0]
    """
    by_row = (dataset.noise, dataset.unsure, dataset.censored, dataset.counts)
    noise, unsure, censored, counts = (None if values is None else values[rows] for values in by_row)
    numbers = tuple(np.array(dataset.rows)[rows].tolist()) if dataset.rows else ()
    return replace(
        dataset, X=dataset.X[rows], y=dataset.y[rows], noise=noise, unsure=unsure, censored=censored, counts=counts,
        rows=numbers,
    )  # fmt: skip


def without_constants(dataset: Dataset) -> Dataset:
    """A series without the rows that its calendar foretells: at places that always have one number; with a sentence.

    >>> days, sold = np.arange("2024-01-01", "2024-07-01", dtype="M8[D]"), np.arange(182.0)
    >>> axis = Axis("day", "day", "day", 1.0, "2024-01-01")
    >>> shop = Dataset(sold[:, None], np.where(sold % 7 == 6, 0.0, sold), ("day",), "sold", axis)
    >>> without_constants(shop).n, without_constants(shop).warnings[0]
    (156, "26 values of 'sold' lie at places of the week where it is 0 nearly always, the first at 2024-01-07: they \
are no part of the model, and forecasts have 0 there.")
    """
    if dataset.axis is None or dataset.classes or not dataset.is_ordered:
        return dataset
    raw = dataset.y + dataset.offset
    axis = with_constants(dataset.axis, dataset.x, raw)
    rows = axis.are_constant(dataset.x) & (raw == axis.calendar.value)
    if not rows.any():
        return dataset
    text = note(
        "{n} values of {target} lie at places of the week where it is {value} nearly always, the first at {first}: "
        "they are no part of the model, and forecasts have {value} there.",
        n=int(rows.sum()), target=repr(dataset.target), value=as_written(axis.calendar.value),
        first=axis.label(dataset.x[rows][0]),
    )  # fmt: skip
    kept = of_rows(dataset, ~rows)
    return replace(kept, axis=axis, constant=dataset.x[rows], warnings=(*dataset.warnings, text))


def without_offset(dataset: Dataset) -> Dataset:
    """The same data with their targets as they were given.

    >>> data = replace(from_arrays([1.0, 2.0], [3.0, 4.0]), offset=10.0)
    >>> without_offset(data).y.tolist(), without_offset(data).offset
    ([13.0, 14.0], 0.0)
    """
    return replace(dataset, y=dataset.y + dataset.offset, offset=0.0)


def counted(dataset: Dataset) -> Dataset:
    """The same data with counts as targets, where they are rates or shares.

    >>> counted(from_arrays([1.0, 2.0], [3.0, 4.0])).y.tolist()
    [3.0, 4.0]
    """
    raw = without_offset(dataset)
    if raw.sizes is None and raw.added is None:
        return raw
    return replace(raw, y=np.round(as_counted(raw) * (1.0 if raw.sizes is None else raw.sizes.at(raw.x))))


def as_counted(dataset: Dataset) -> Floats:
    """Counts (n,), or their rates or shares, as they were given, whatever columns add to them."""
    y = without_offset(dataset).y
    return y if dataset.added is None else dataset.added.with_it(dataset.x, y, is_share=_has_shares(dataset))


def at_usual(dataset: Dataset, added: LogOffsets) -> Dataset:
    """The same counts as they would be with the columns beside them at their usual values.

    >>> data = at_usual(from_arrays([1.0, 2.0], [3.0, 4.0]), LogOffsets(np.array([1.0, 2.0]), np.log([1.0, 2.0])))
    >>> data.y.tolist(), counted(data).y.tolist()
    ([3.0, 2.0], [3.0, 4.0])
    """
    y = added.without(dataset.x, as_counted(dataset), is_share=_has_shares(dataset))
    return replace(without_offset(dataset), y=y, added=added)


def _has_shares(dataset: Dataset) -> bool:
    return dataset.sizes is not None and dataset.sizes.is_total


def time_labels(dataset: Dataset, x: Floats) -> NDArray[Any]:
    """Positions ``x`` of the model axis in the caller's terms: dates, (decimal) years or numbers.

    >>> data = Dataset(np.array([[1949.0]]), np.ones(1), ("month",), "y", Axis("month", "year", "month", 1 / 12))
    >>> time_labels(data, np.array([1949.5])).astype(str).tolist()
    ['1949-07-01T00:00:00']
    """
    return np.asarray(x, dtype=np.float64) if dataset.axis is None else dataset.axis.written(x)


def from_arrays(
    X: Any, y: Any, columns: tuple[str, ...] | None = None, *, target: str = "y", name: str = "data",
    levels: Mapping[str, tuple[str, ...]] | None = None,
) -> Dataset:  # fmt: skip
    """A data set of one or several number columns; rows stay in their order.

    Parameters
    ----------
    X : array-like (n, d) or (n,)
    y : array-like (n,)
    columns : tuple of str, optional
        Names of the inputs; "x" or "x1", "x2", ... when left out.
    levels : mapping of column to names, optional
        The categories of those columns of X that hold codes instead of numbers.

    Raises
    ------
    InputError
        When the shapes do not fit, or something is not a finite number in any row.

    Examples
    --------
    >>> from_arrays([[1, 2], [3, 4], [5, 6]], [1, 2, 3])
    Dataset 'data': 3 rows of 'y' over 'x1', 'x2'
    """
    inputs, values = _floats(X, "X"), _floats(y, "y")
    inputs = inputs[:, None] if inputs.ndim == 1 else inputs
    values = values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
    if inputs.ndim != 2 or values.ndim != 1 or len(inputs) != len(values):
        shapes = f"the shapes {inputs.shape} and {values.shape}"
        raise InputError.of("X of shape (n, d) and y of shape (n,)", shapes, "give one row of X for each y")
    d = inputs.shape[1]
    names = columns or (("x",) if d == 1 else tuple(f"x{k + 1}" for k in range(d)))
    if len(names) != d:
        raise InputError.of(f"{d} names of columns", f"{len(names)}", "name every column of X")
    is_table = d > 1 or bool(levels)
    read = FilledInputs(inputs, tuple(names), dict(levels or {}))
    read = without_gaps(read, values) if is_table else read
    inputs, values, rows, warnings = _usable(read.X, values, read.names, target, is_table=is_table)
    warnings += read.notes + (checked_table(inputs, read.names) if is_table else checked_rows(len(inputs)))
    checked_varying(inputs, read.names)
    check_size(np.column_stack([inputs, values]), (*read.names, target))
    unsure = read.unsure if read.unsure is None or not rows else read.unsure[np.array(rows) - 1]
    return Dataset(
        inputs, values, read.names, target, None, name, 0.0, warnings, read.levels, rows=rows, gaps=read.gaps,
        unsure=unsure,
    )  # fmt: skip


def _usable(
    inputs: Floats, values: Floats, names: Sequence[str], target: str, *, is_table: bool
) -> tuple[Floats, Floats, tuple[int, ...], tuple[str, ...]]:
    """The rows of finite numbers whose squares are numbers, which these are ("()": all), and what is said of others."""
    cells = np.column_stack([inputs, values])
    finite = np.isfinite(cells).all(axis=1)
    usable = (np.abs(cells) <= LARGEST_VALUE).all(axis=1)
    gaps = dict(zip((*names, target), (~np.isfinite(cells)).sum(axis=0).tolist(), strict=True))
    text = message("{rows} with missing or infinite values left out: {columns}.")
    said = said_of_rows(int((~finite).sum()), text, columns="" if finite.all() else most_gaps(gaps))
    for name, column in zip((*names, target), cells[finite].T, strict=True):
        said += left_out_as_too_large(column, name)
    if not usable.any():
        remedy = note("give more data. {why}", why=one_after_another(said)) if finite.any() else ""
        raise InputError.of("rows of finite numbers", "none", remedy or "give data without missing values")
    if is_table:
        places, found = np.flatnonzero(usable), is_copy(cells[usable])
        usable = np.isin(np.arange(len(cells)), places[~found])
        said += (note(COPIES, n=int(found.sum())),) if found.any() else ()
    rows = () if usable.all() else tuple((np.flatnonzero(usable) + 1).tolist())
    return inputs[usable], values[usable], rows, said


def _floats(values: Any, what: str) -> Floats:
    try:
        array = np.asarray(values)
        if array.dtype.kind == "c":
            raise TypeError
        return np.array(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError.of(f"numbers in {what}", "something else", "give an array of real numbers") from None


# --- A data set of several inputs, some of them categories, from the columns of a table -----------------------------


def table_of(
    columns: Sequence[DataColumn], target: DataColumn, *, name: str = "data", notes: tuple[str, ...] = ()
) -> Dataset:
    """A data set of several inputs, some of them categories, without a time axis; rows stay in their order.

    Rows without a target are left out, empty cells of inputs are filled (see `gaps`), and both are said.

    >>> size, colour = DataColumn("size", np.array([1.0, 2.0, 3.0])), DataColumn("colour", ("red", "blue", "red"))
    >>> data = table_of([size, colour], DataColumn("price", np.array([5.0, 6.0, 8.0])))
    >>> data.X.tolist(), data.levels
    ([[1.0, 1.0], [2.0, 0.0], [3.0, 1.0]], {'colour': ('blue', 'red')})
    """
    if not columns:
        raise InputError.of(note("columns to explain the target with"), note("none"), note("name them as inputs"))
    levels = {column.name: column.categories for column in columns if column.is_category}
    numbers = {each.name: checked_numbers(each, note(CLEAN)) for each in columns if each.name not in levels}
    said = [*notes, *(told for read in numbers.values() for told in read.notes)]
    inputs = [
        covariate_of(each, np.arange(each.size)).values if each.name in levels else numbers[each.name].values
        for each in columns
    ]
    values = checked_numbers(target, note(CLEAN))
    names = tuple(column.name for column in columns)
    dataset = from_arrays(np.column_stack(inputs), values.values, names, target=target.name, name=name, levels=levels)
    of_target = remarks_on(dataset.y, target.name)
    return replace(dataset, warnings=tuple(dict.fromkeys([*said, *values.notes, *of_target, *dataset.warnings])))

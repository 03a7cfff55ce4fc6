"""What is given later for data that are there: rows to predict, new rows, and plans of the columns beside a series.

All are read by the names of the data, put on their axis, and given their columns and codes.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Flags, Floats, Rows
from autostatistician.data.categories import input_matrix
from autostatistician.data.columns import DataColumn, DataTable, find_column, place_of
from autostatistician.data.covariates import Covariate, Covariates, columns_beside, covariate_of, in_time
from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.exposures import SizesOfRows, check_counts, check_parts
from autostatistician.data.frames import column_from_array, columns_of, frame_of
from autostatistician.data.missing import unmasked
from autostatistician.data.roles.keys import table_where
from autostatistician.data.roles.time_column import joined
from autostatistician.data.sources import as_frame, read_source
from autostatistician.data.times.axes import Axis, month_parts
from autostatistician.data.times.dates import zone_notes
from autostatistician.data.times.placing import positions_of
from autostatistician.data.value_checks import check_reach
from autostatistician.errors import InputError
from autostatistician.i18n.messages import Number, message, note, note_count, note_some
from autostatistician.i18n.names import listed
from autostatistician.i18n.numbers import as_written

__all__ = [
    "NewRows", "Plan", "columns_given", "extended", "has_dates", "inputs_of", "model_positions", "named_columns",
    "new_rows", "own_rows", "read_plan", "rows_of_table",
]  # fmt: skip

SAME_VALUE, SAME_POSITION = 1e-9, 1e-6  # relative to the size of the values, and to the spacing of the positions
ON_GRID = 1e-3  # of a step
LEAST_STEP = 0.5  # of the steps of the data, between new rows


# --- columns and times ------------------------------------------------------------------------------------------------


def has_dates(X: Any) -> bool:
    """Whether any column of a frame, series or array holds dates, or text that may stand for some."""
    if isinstance(X, np.ndarray):
        return bool(X.dtype.kind == "M")
    if isinstance(X, list | tuple):
        return any(_is_date(cell) for cell in X)
    if _is_date_index(X) or _is_date(X):
        return True
    return any(isinstance(column.values, tuple) or column.values.dtype.kind == "M" for column in columns_of(X))


def _is_date(cell: Any) -> bool:
    """One cell: a date of any library, or text."""
    return isinstance(cell, str | np.datetime64) or hasattr(cell, "isoformat")


def _is_date_index(X: Any) -> bool:
    return type(X).__name__ in ("DatetimeIndex", "PeriodIndex")


def columns_given(given: Any, names: Sequence[str]) -> tuple[DataColumn, ...]:
    """The columns of a frame, series or mapping; those of an array, list or index get the names by their order.

    >>> [column.values for column in columns_given([["red", 1], ["blue", 2]], ("colour", "size"))]
    [('red', 'blue'), array([1., 2.])]
    """
    given = as_frame(given.to_timestamp() if type(given).__name__ == "PeriodIndex" else unmasked(given))
    if not _is_date_index(given) and frame_of(given) is not None:
        return columns_of(given)
    cells = np.atleast_1d(np.asarray(given))
    if cells.dtype.kind == "U":  # else numbers beside text would be text
        cells = np.atleast_1d(np.asarray(given, dtype=object))
    cells = cells[:, None] if cells.ndim == 1 else cells
    if cells.ndim != 2 or cells.shape[1] != len(names):
        expected = f"rows with the columns {listed(list(names))}"
        raise InputError.of(expected, f"an array of shape {cells.shape}", "give a frame with these columns")
    return tuple(column_from_array(name, cells[:, k]) for k, name in enumerate(names))


def named_columns(X: Any) -> tuple[DataColumn, ...]:
    """The columns of a frame, series or mapping; none of an array, whose columns have no names.

    >>> [column.name for column in named_columns({"day": [1, 2], "price": [5.0, 6.0]})], named_columns([[1], [2]])
    (['day', 'price'], ())
    """
    return columns_given(X, ()) if isinstance(X, dict) or frame_of(X) is not None else ()


def model_positions(dataset: Dataset, times: Any) -> Floats:
    """Model positions (n,) of times as the caller has them: dates, text, numbers; arrays, indexes, series, frames.

    Of several columns the one with the name of the axis is taken, or those that it was made of, else the first with
    dates.

    >>> from autostatistician.data.load import load
    >>> data = load({"month": ["1949-01", "1949-02", "1949-03"], "sales": [1.0, 2.0, 4.0]})
    >>> model_positions(data, ["1950-01"]).tolist()
    [1950.0]
    """
    assert dataset.axis is not None, "only data with an axis have positions"
    columns = columns_given(times, (dataset.axis.column,))
    dated = (column for column in columns if column.times is not None or len(columns) == 1)
    chosen = _of_axis(columns, dataset.axis) or next(dated, None)
    if chosen is None:
        names = f"the columns {[column.name for column in columns]}"
        raise InputError.of(f"times in a column {dataset.axis.column!r}", names, "give the times to predict at")
    _compare_zones(dataset, chosen)
    return positions_of(dataset.axis, chosen)


def _compare_zones(dataset: Dataset, times: DataColumn) -> None:
    """Warn where new times were read by another clock than those of the data."""
    parsed = times.times
    ours, theirs = zone_notes(dataset.warnings), zone_notes(parsed.notes if parsed else ())
    if theirs and ours != theirs:
        then = f"Of the data it was said: {' '.join(ours)}" if ours else "Those of the data carried none."
        text = f"{' '.join(theirs)} {then} Give both in one time zone."
        warnings.warn(text, UserWarning, stacklevel=4)


def inputs_of(dataset: Dataset, X: Any, unseen: str = "error") -> Any:
    """The columns of a frame that are inputs of the data set, as an array (n, d); anything else as it is.

    Of data with categories the cells become codes, also those of an array of objects (by their order); ``unseen``
    says what becomes of new categories (see `categories.coded`). Empty cells of columns with gaps are NaN.
    """
    is_read = dataset.levels or dataset.incomplete
    columns = columns_given(X, dataset.given) if is_read else named_columns(X)
    if not is_read and {column.name for column in columns}.isdisjoint(dataset.columns):
        return np.asarray(X) if columns else X  # a frame of someone who knows the order alone
    return input_matrix(columns, dataset.columns, dataset.levels, unseen=unseen, incomplete=dataset.incomplete)


def _positions(columns: Sequence[DataColumn], axis: Axis, first: float, *, every: bool = True) -> Floats:
    """The positions (m,) of the rows of a table; those that are only counted are so from the ``first``."""
    if axis.column == "row" and all(column.name != "row" for column in columns):
        return first + np.arange(float(columns[0].size if columns else 0))
    return positions_of(axis, _of_axis(columns, axis) or find_column(columns, axis.column, "time axis"), every=every)


def _of_axis(columns: Sequence[DataColumn], axis: Axis) -> DataColumn | None:
    """The column of the times that an axis is called after, which may stand in several columns."""
    named = next((column for column in columns if column.name == axis.column), None)
    made = joined(columns, known=True) if named is None else None
    return made[0] if made is not None and made[0].name == axis.column else named


def _off_grid(x: Floats, axis: Axis, origin: float) -> Flags:
    """Which positions lie between the steps of the axis."""
    steps = (x - origin) / (axis.step or np.inf)
    return np.asarray(np.abs(steps - np.round(steps)) > ON_GRID)


# --- plans of the columns beside a series -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Plan:
    """Planned values of the columns, and sentences on what could not be read as it was written."""

    columns: Covariates
    notes: tuple[str, ...] = ()


def read_plan(source: Any, past: Covariates, axis: Axis, last: float, others: Sequence[str] = ()) -> Plan:
    """The rows of a table that lie after position ``last``, with the columns of the past in their order and codes.

    Parameters
    ----------
    source : path, frame, mapping or DataTable
        With the time column of the data and the columns that are planned; it may hold past rows, too.
    past : Covariates
        Of the data; their calendars are those of the plan.
    axis : Axis
        Of the data.
    last : float
        The position of the last row with a target.

    Raises
    ------
    InputError
        Without a time column, planned columns or later rows; where a time comes twice with other values, and where a
        cell is no number.

    Examples
    --------
    >>> past = Covariates(np.arange(4.0), (Covariate("price", np.array([4.0, 5.0, 4.5, 4.0])),))
    >>> plan = read_plan({"week": [4, 5], "price": [5.0, 9.0]}, past, Axis("week", "", "", 1.0), 3.0)
    >>> plan.columns.x.tolist(), plan.columns.table[0].values.tolist()
    ([4.0, 5.0], [5.0, 9.0])
    >>> plan.notes[0]
    "Column 'price' of the plan holds 5 to 9, past values lie from 4 to 5: beyond them the model extrapolates."
    """
    table = read_source(source).table
    names = [column.name for column in table.columns]
    places = {column.name: place_of(column.name, names) for column in past.table}
    planned = {name: table.columns[place] for name, place in places.items() if place is not None}
    if past.table and not planned:
        expected = f"a plan of any of the columns {listed(list(places))}"
        raise InputError.of(expected, f"only {listed(names)}", "name the columns as in the data")
    x, moved = _by_months(_positions(table.columns, axis, last + 1.0, every=False), axis, last)
    rows, left_out = _rows_of_plan(x, axis, last, planned)
    notes = [*table.notes, *moved, *left_out, *_gaps(x[rows], axis, last)]
    read = [_read_column(column, planned.get(column.name), rows, past.x <= last) for column in past.table]
    notes += [text for _, said in read for text in said]
    used = {axis.column, *(column.name for column in planned.values()), *others}
    idle = [name for name in names if name not in used]
    notes += note_some(
        len(idle), "Of the plan {columns} is not used: no model has them.",
        "Of the plan {columns} are not used: no model has them.", columns=listed(idle),
    )  # fmt: skip
    return Plan(Covariates(x[rows], tuple(made for made, _ in read), past.calendar), tuple(notes))


def _by_months(x: Floats, axis: Axis, last: float) -> tuple[Floats, list[str]]:
    """Dates on other days of their months than those of the data are read as these months."""
    there = np.flatnonzero(np.isfinite(x))
    if axis.unit != "year" or not _off_grid(x[there], axis, last).any():
        return x, []
    months = month_parts(np.asarray(axis.times(x[there])).astype("M8[us]"))[0]
    moved = x.copy()
    moved[there] = (months + axis.within) / 12
    if np.unique(months).size < months.size or _off_grid(moved[there], axis, last).any():
        return x, []
    return moved, [
        note("The dates of the plan are read as their months, for they lie on other days than those of the data.")
    ]


def _rows_of_plan(x: Floats, axis: Axis, last: float, planned: dict[str, DataColumn]) -> tuple[Rows, list[str]]:
    """The rows after the last one with a target that lie on the grid, in order, each time once; what is said of others.

    Rows of one time that differ are refused.
    """
    near = ON_GRID * (axis.step or axis.gap)
    is_past = x <= last + near
    between = ~is_past & _off_grid(x, axis, last)
    rows, again = in_time(np.where(is_past | between, np.nan, x), near)
    if not rows.size:
        expected = f"rows of the plan after {axis.label(last)}, the last with a target"
        span = f"{axis.label(np.nanmin(x))} to {axis.label(np.nanmax(x))}" if x.size else "no rows"
        found = f"times between the steps, such as {axis.label(x[between][0])}" if between.any() else span
        raise InputError.of(expected, found, "add the rows of the time to come")
    twice = np.flatnonzero(again)
    for first, second in zip(rows[twice - 1], rows[twice], strict=True):
        for name, column in planned.items():
            if column.texts[first] != column.texts[second]:
                both = f"{column.text(first)!r} and {column.text(second)!r} in column {name!r}"
                expected = f"one row of the plan for {axis.label(x[first])}"
                raise InputError.of(expected, both, "leave one of them out")
    left_out = {
        message("no readable time"): np.flatnonzero(np.isnan(x)),
        message("past"): np.flatnonzero(is_past),
        message("between the steps of the data"): np.flatnonzero(between),
        message("a time that it has already"): rows[twice],
    }
    return rows[~again], [
        note_count(
            out.size, "{n} row of the plan left out: {why} (row {row}).",
            "{n} rows of the plan left out: {why} (such as row {row}).", n=out.size, why=note(why), row=int(out[0]) + 1,
        )
        for why, out in left_out.items()
        if out.size
    ]  # fmt: skip


def _gaps(x: Floats, axis: Axis, last: float) -> list[str]:
    """A sentence on steps without a row between the data and the end of the plan."""
    absent = axis.lacking(np.append(last, x), last)
    if not absent.size:
        return []
    values = {"n": absent.size, "all": axis.grid(last, x.max()).size - 1, "first": axis.label(absent[0])}
    return [note("The plan has no row for {n} of its {all} steps (the first is {first}).", **values)]


def _read_column(past: Covariate, column: DataColumn | None, rows: Rows, seen: Flags) -> tuple[Covariate, list[str]]:
    """The planned values of a column, and sentences on those that the past cannot tell anything about."""
    name = repr(past.name)
    if column is None:
        unknown = replace(past, values=np.full(len(rows), np.nan))
        return unknown, [note("The plan has no column {name}, so its values to come are not known.", name=name)]
    wrong = [] if past.levels else [row for row in column.numbers.bad if row in rows]
    if wrong:
        shown = f"{column.text(wrong[0])!r} in row {wrong[0] + 1}"
        raise InputError.of(f"numbers in column {name} of the plan", shown, "correct the cell, or leave it empty")
    values = covariate_of(column, rows, past).values
    before, present = np.unique(past.values[seen & np.isfinite(past.values)]), values[np.isfinite(values)]
    is_new = values >= (len(past.levels) or np.inf)
    new = list(dict.fromkeys(column.texts[row] or "" for row in rows[is_new]))
    notes: list[str] = []
    if not past.levels and present.size and before.size > 1:
        ends = {"least": present.min(), "most": present.max(), "low": before[0], "high": before[-1]}
        if ends["least"] < ends["low"] or ends["most"] > ends["high"]:
            notes.append(note(
                "Column {name} of the plan holds {least} to {most}, past values lie from {low} to {high}: beyond them "
                "the model extrapolates.", name=name, **{key: Number(float(value)) for key, value in ends.items()},
            ))  # fmt: skip
    notes += note_some(
        len(new), "{names} in column {column} of the plan was never seen before: no effect there.",
        "{names} in column {column} of the plan were never seen before: no effect there.",
        names=listed(new), column=name,
    )  # fmt: skip
    notes += note_some(
        int(np.isnan(values).sum()), "Column {name} has no value in {n} row of the plan.",
        "Column {name} has no value in {n} rows of the plan.", name=name,
    )  # fmt: skip
    if before.size < 2:
        notes.append(note(
            "Column {name} was the same in all past rows, so nothing is known of what another value does.", name=name
        ))  # fmt: skip
    return replace(past, values=values), notes


# --- new rows ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NewRows:
    """Inputs (m, d) on the model axis or in codes, values (m,) as the caller has them.

    Of the rows that were given beside them, ``known`` were there already, ``empty`` had no value that can be read; of
    those here ``between`` lie between the steps of the model's axis. ``columns`` are those of all rows that were given,
    where the series has some beside it.
    """

    X: Floats
    values: Floats
    known: int = 0
    empty: int = 0
    between: int = 0
    columns: Covariates | None = None
    sizes: Covariates | None = None  # of which the values are rates or shares
    constant: Floats = field(default_factory=lambda: np.zeros(0))  # positions of rows that the calendar foretells
    unsure: Floats | None = None  # variances (m,) of the values for empty numbers (see `gaps`)

    def only(self, rows: NDArray[Any]) -> NewRows:
        """Some of the rows."""
        unsure = None if self.unsure is None else self.unsure[rows]
        return replace(self, X=self.X[rows], values=self.values[rows], unsure=unsure)


def own_rows(dataset: Dataset, source: Any) -> DataTable:
    """The rows of a file or frame that are of the data, where these were some rows of a table: those of one shop.

    A table without the columns that tell them apart is of the data alone.

    >>> data = Dataset(np.ones((2, 1)), np.ones(2), ("day",), "sold", None, where={"shop": "B"})
    >>> own_rows(data, {"shop": ["A", "B"], "day": [3, 4]}).columns[0].values.tolist()
    [4.0]
    """
    table = read_source(source).table
    names = [column.name for column in table.columns]
    return table_where(table, {name: key for name, key in dataset.where.items() if place_of(name, names) is not None})


def rows_of_table(dataset: Dataset, data: Any, unseen: str = "error") -> NewRows:
    """The rows of a file or frame that has the columns of the data set, also those without a value (NaN)."""
    if isinstance(data, np.ndarray | list | tuple):
        raise InputError.of("y beside X", "X alone", "give both, or a frame with the columns of the data")
    columns = own_rows(dataset, data).columns
    target = dataset.target if dataset.sizes is None else dataset.sizes.counted
    values = np.array(find_column(columns, target, "target").as_lengths().numbers.values)
    if dataset.axis is None:
        rows = input_matrix(columns, dataset.columns, dataset.levels, unseen=unseen, incomplete=dataset.incomplete)
        X, unsure = dataset.filled(rows)
        return NewRows(X, values, unsure=unsure)
    first = 0.0 if _begins_with(values, dataset) else dataset.x.max() + 1.0
    x = _positions(columns, dataset.axis, first)
    known = dataset.covariates
    beside = columns_beside(known, columns, x) if known is not None and known.table else None
    if dataset.sizes is None:
        return NewRows(x[:, None], values, columns=beside)
    rates, sizes = _sized(dataset.sizes, columns, x, values)
    return NewRows(x[:, None], rates, columns=beside, sizes=sizes)


def _begins_with(values: Floats, dataset: Dataset) -> bool:
    """Whether rows that are only counted begin with those of the data set: then they are its table, grown."""
    if dataset.x.max() >= len(values) or dataset.x.min() < 0.0:
        return False
    rows = dataset.x.astype(np.intp)
    return bool(np.all(np.abs(values[rows] - dataset.offset - dataset.y) <= _same(dataset.y)))


def _same(values: Floats) -> float:
    """By how much values differ that are the same."""
    return SAME_VALUE * max(float(np.abs(values).max()), 1e-300)


def _sized(sizes: SizesOfRows, columns: Sequence[DataColumn], x: Floats, counts: Floats) -> tuple[Floats, Covariates]:
    """New counts as rates or shares of what stands beside them, and that."""
    whole = np.isfinite(counts)
    find_column(columns, sizes.name, "totals" if sizes.is_total else "exposure")
    new = columns_beside(sizes.columns, columns, np.where(whole, x, np.nan))
    joined = sizes.joined(new, where="row")
    at_rows = joined.at(x)
    check_counts(counts[whole], sizes.counted, "correct the value, or fit a model anew")
    if joined.is_total:
        check_parts(counts[whole], at_rows[whole], sizes.counted, sizes.name)
    return counts / at_rows, new


def new_rows(dataset: Dataset, given: NewRows, aside: Collection[tuple[float, float]] = ()) -> NewRows:
    """The rows that can be added: those with a value, of a series in order and without those that it has already.

    Of a table all rows count as new unless every row of the data set is among them: then it was given again. Values
    ``aside``, (position, value) of a series, were given before, too. Other values at a time that has one are refused,
    and numbers beyond all that were seen.
    """
    whole = np.isfinite(given.values)
    rows = given.only(whole)
    seen = np.column_stack([dataset.X, dataset.y + dataset.offset])
    names, ends = (*dataset.columns, dataset.target), (seen.min(axis=0), seen.max(axis=0))
    check_reach(np.column_stack([rows.X, rows.values]), names, ends)
    if dataset.kind is Kind.SERIES:
        rows = _without_constants(dataset, rows.only(np.argsort(rows.X[:, 0], kind="stable")))
        _check_times(dataset, rows)
        known = _known(dataset, rows, aside)
    else:
        known = _known_of_table(dataset, rows)
    rows = replace(rows.only(~known), known=int(known.sum()), empty=int((~whole).sum()))
    if not len(rows.values):
        what = f"{rows.known} that the model has already" if rows.known else "none with a value"
        raise InputError.of("new rows with values", what, "give later ones")
    if dataset.axis is None or not dataset.axis.is_calendar:
        return rows
    return replace(rows, between=int(_off_grid(rows.X[:, 0], dataset.axis, dataset.x[0]).sum()))


def _without_constants(dataset: Dataset, rows: NewRows) -> NewRows:
    """The rows of a series but for those that its calendar foretells."""
    assert dataset.axis is not None, "a series has one"
    foretold = dataset.axis.are_constant(rows.X[:, 0]) & (rows.values == dataset.axis.calendar.value)
    return replace(rows.only(~foretold), constant=rows.X[foretold, 0])


def _check_times(dataset: Dataset, rows: NewRows) -> None:
    """Refuse two values at one time, or in one step, where the model has one at each: of several series, or sums."""
    axis, times = dataset.axis, np.unique(rows.X[:, 0])
    if axis is None or not dataset.is_ordered or not np.all(np.diff(dataset.x) > 0.0):
        return
    twice = np.flatnonzero((np.diff(rows.X[:, 0]) <= _near(dataset.x)) & (np.diff(rows.values) != 0.0))
    if twice.size:
        first, second = map(as_written, rows.values[twice[0] : twice[0] + 2])
        expected, when = "one value at each time, as in the data of the model", axis.label(rows.X[twice[0], 0])
        raise InputError.of(expected, f"{first} and {second} at {when}", "give the rows of one series")
    if not axis.step or len(times) < 2 or np.median(np.diff(times)) >= LEAST_STEP * axis.step:
        return
    step, (first, second) = axis.frequency or "step", map(axis.label, times[:2])
    expected = f"one value for each {step}, as in the data of the model"
    raise InputError.of(expected, f"values at {first} and {second}", f"give the sum or the mean of each {step}")


def _known(dataset: Dataset, rows: NewRows, aside: Collection[tuple[float, float]]) -> Flags:
    """Which rows a series has already, in time and value, or had before they were set aside."""
    order = np.argsort(dataset.x, kind="stable")
    x, y, new = dataset.x[order], dataset.y[order] + dataset.offset, rows.X[:, 0]
    near, same = _near(x), _same(y)
    ends = (np.searchsorted(x, new - near), np.searchsorted(x, new + near))
    there = [y[first:end] for first, end in zip(*ends, strict=True)]
    known = np.array(
        [np.any(np.abs(y - value) <= same) for y, value in zip(there, rows.values, strict=True)], dtype=bool
    )
    for row, values in enumerate(there):
        if values.size and not known[row] and dataset.axis is not None and dataset.axis.is_calendar:
            expected = f"the value {as_written(values[0])} of the model at {dataset.axis.label(new[row])}"
            raise InputError.of(expected, as_written(rows.values[row]), "fit a model to all rows anew")
    for position, value in aside:
        known |= (np.abs(new - position) <= near) & (np.abs(rows.values - value) <= SAME_VALUE * abs(value))
    return known


def _known_of_table(dataset: Dataset, rows: NewRows) -> Flags:
    """Which rows are those of the data set, where it was given again with all its rows."""
    had = Counter(map(bytes, np.column_stack([dataset.X, dataset.y]) + 0.0))
    given = list(map(bytes, np.column_stack([rows.X, rows.values - dataset.offset]) + 0.0))
    known = np.zeros(len(given), dtype=bool)
    if had <= Counter(given):
        for row, cells in enumerate(given):
            known[row] = had[cells] > 0
            had[cells] -= 1
    return known


def _near(x: Floats) -> float:
    gaps = np.diff(x)
    return SAME_POSITION * float(gaps[gaps > 0.0].min(initial=1.0))


def extended(dataset: Dataset, rows: NewRows) -> Dataset:
    """The data with new rows, those of a series in the order of their positions where they were before.

    >>> data = Dataset(np.array([[1.0], [3.0]]), np.array([5.0, 7.0]), ("x",), "y", None)
    >>> extended(data, NewRows(np.array([[2.0]]), np.array([6.0]))).y.tolist()
    [5.0, 6.0, 7.0]
    """
    X, y = np.vstack([dataset.X, rows.X]), np.append(dataset.y, rows.values - dataset.offset)
    if dataset.kind is Kind.SERIES and not dataset.shuffled:
        order = np.argsort(X[:, 0], kind="stable")
        X, y = X[order], y[order]
    covariates = dataset.covariates
    if covariates is not None and rows.columns is not None:
        covariates = covariates.joined(rows.columns)
    sizes = dataset.sizes
    if sizes is not None and rows.sizes is not None:
        sizes = sizes.joined(rows.sizes, where="row")
    constant = dataset.constant if dataset.constant is None else np.append(dataset.constant, rows.constant)
    unsure = dataset.unsure
    if unsure is not None:
        unsure = np.append(unsure, np.zeros(len(rows.values)) if rows.unsure is None else rows.unsure)
    return replace(dataset, X=X, y=y, covariates=covariates, sizes=sizes, constant=constant, unsure=unsure)

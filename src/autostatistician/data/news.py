"""New rows for a data set that is there already, from a table that has its columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.beside import covariate_of
from autostatistician.data.categories import input_matrix
from autostatistician.data.columns import DataColumn, DataTable
from autostatistician.data.covariates import Covariates
from autostatistician.data.dataset import Dataset, Kind, label_text, time_labels
from autostatistician.data.roles.keys import rows_where
from autostatistician.data.sizes import Sizes
from autostatistician.data.sources import read_source
from autostatistician.data.times.placing import positions_of
from autostatistician.errors import InputError
from autostatistician.wording.lists import listed
from autostatistician.wording.numbers import as_written

__all__ = ["NewRows", "extended", "new_rows", "rows_of_table"]

Floats = NDArray[np.float64]

SAME_VALUE, SAME_POSITION = 1e-9, 1e-6  # relative to the size of the values, and to the spacing of the positions
MOST_TIMES = 1e8  # the largest value of the model: what is larger was measured in other units, or is no number
ON_GRID = 1e-3  # of a step
LEAST_STEP = 0.5  # of the steps of the data, between new rows


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

    def only(self, rows: NDArray[Any]) -> NewRows:
        """Some of the rows."""
        return replace(self, X=self.X[rows], values=self.values[rows])


def rows_of_table(dataset: Dataset, data: Any, unseen: str = "error") -> NewRows:
    """The rows of a file or frame that has the columns of the data set, also those without a value (NaN).

    Where the data were some rows of a table, chosen by what columns hold, so are these.
    """
    if isinstance(data, np.ndarray | list | tuple):
        raise InputError.of("y beside X", "X alone", "give both, or a frame with the columns of the data")
    target = dataset.target if dataset.sizes is None else dataset.sizes.counted
    source = read_source(data, None, target)
    if isinstance(source, Dataset):
        raise InputError.of("a table", "numbers without names", "give X and y")
    table = source.table
    if dataset.where:
        table = replace(table, columns=rows_where(table.columns, dataset.where)[0])
    values = np.array(_column(table.columns, target).numbers.values)
    X = _inputs(dataset, table, values, unseen)
    if dataset.sizes is not None:
        beside = _columns_beside(dataset.covariates, table, X[:, 0])
        return replace(_sized(dataset.sizes, table, X, values), columns=beside)
    return NewRows(X, values, columns=_columns_beside(dataset.covariates, table, X[:, 0]))


def _sized(sizes: Sizes, table: DataTable, X: Floats, counts: Floats) -> NewRows:
    """New counts as rates or shares of what stands beside them."""
    whole = np.isfinite(counts)
    _column(table.columns, sizes.name)
    new = _columns_beside(sizes.columns, table, X[:, 0])
    assert new is not None
    kept = np.isin(new.x, X[whole, 0])
    new = replace(new, x=new.x[kept], table=tuple(replace(one, values=one.values[kept]) for one in new.table))
    joined = sizes.joined(new, where="row")
    odd = counts[whole & ((counts < 0.0) | (counts != np.round(counts)))]
    if odd.size:
        raise InputError.of(
            "counts: whole numbers from zero", as_written(odd[0]), "correct the value, or fit a model anew"
        )
    above = whole & (counts > joined.at(X[:, 0])) & joined.is_total
    if above.any():
        raise InputError.of(
            f"no more than the total in {sizes.name!r}", as_written(counts[above][0]), "correct the cell"
        )
    return NewRows(X, counts / joined.at(X[:, 0]), sizes=new)


def _columns_beside(known: Covariates | None, table: DataTable, x: Floats) -> Covariates | None:
    """The columns beside a series at its new times, the first row of each; as known where the table has no value."""
    if known is None or not known.table:
        return None
    order = np.argsort(x, kind="stable")
    order = order[np.concatenate([[True], np.diff(x[order]) > 0.0])[: order.size]]
    given, made = {column.name: column for column in table.columns}, []
    for column in known.table:
        values = known.of(column.name, x[order])
        if column.name in given:
            read = covariate_of(given[column.name], order, column.levels).values
            values = np.where(np.isfinite(read), read, values)
        made.append(replace(column, values=values))
    return replace(known, x=x[order], table=tuple(made))


def _inputs(dataset: Dataset, table: DataTable, values: Floats, unseen: str) -> Floats:
    axis = dataset.axis
    if axis is None:
        return input_matrix(table.columns, dataset.columns, dataset.levels, unseen=unseen)
    if all(column.name != axis.column for column in table.columns) and axis.column == "row":
        first = 0.0 if _begins_with(values, dataset) else dataset.x.max() + 1.0
        return np.asarray(first + np.arange(float(table.size))[:, None])
    return positions_of(axis, _column(table.columns, axis.column))[:, None]


def _begins_with(values: Floats, dataset: Dataset) -> bool:
    """Whether rows that are only counted begin with those of the data set: then they are its table, grown."""
    rows = dataset.x.astype(np.intp)
    if rows.max() >= len(values):
        return False
    near = SAME_VALUE * max(float(np.abs(dataset.y).max()), 1e-300)
    return bool(np.all(np.abs(values[rows] - dataset.offset - dataset.y) <= near))


def _column(columns: tuple[DataColumn, ...], name: str) -> DataColumn:
    for column in columns:
        if column.name == name:
            return column
    names = f"only {listed([column.name for column in columns])}"
    raise InputError.of(f"a column {name!r}, as in the data of the model", names, "give a table with the same columns")


def new_rows(dataset: Dataset, given: NewRows, aside: Collection[tuple[float, float]] = ()) -> NewRows:
    """The rows that can be added: those with a value, of a series in order and without those that it has already.

    Of a table all rows count as new unless every row of the data set is among them: then it was given again. Values
    ``aside``, (position, value) of a series, were given before, too. Other values at a time that has one are refused,
    and numbers beyond all that were seen.
    """
    whole = np.isfinite(given.values)
    rows = replace(given.only(whole), empty=int((~whole).sum()))
    _check_sizes(dataset, rows)
    if dataset.kind is Kind.SERIES and len(rows.values):
        rows = rows.only(np.argsort(rows.X[:, 0], kind="stable"))
        _check_times(dataset, rows)
        rows = _without(_unknown(dataset, rows), aside, _near(np.sort(dataset.x)))
        rows = replace(rows, between=_between(dataset, rows))
    elif len(rows.values):
        rows = _beside_table(dataset, rows)
    if not len(rows.values):
        what = f"{rows.known} that the model has already" if rows.known else "none with a value"
        raise InputError.of("new rows with values", what, "give later ones")
    return rows


def _check_sizes(dataset: Dataset, rows: NewRows) -> None:
    """Refuse numbers that are beyond all that the model has seen."""
    numbers = [(dataset.target, dataset.y + dataset.offset, rows.values)]
    names = zip(dataset.columns, dataset.X.T, rows.X.T, strict=True)
    for name, before, after in [*numbers, *names]:
        most = MOST_TIMES * (float(np.abs(before).max()) or 1.0)
        far = np.abs(after[np.isfinite(after)]).max(initial=0.0)
        if far > most:
            raise InputError.of(
                f"numbers like those of the model in column {name!r}",
                as_written(far),
                "correct it, or give the same units",
            )


def _check_times(dataset: Dataset, rows: NewRows) -> None:
    """Refuse two values at one time, or in one step, where the model has one at each: of several series, or sums."""
    if not dataset.is_ordered or not np.all(np.diff(dataset.x) > 0.0):
        return
    near = _near(dataset.x)
    twice = np.flatnonzero((np.diff(rows.X[:, 0]) <= near) & (np.diff(rows.values) != 0.0))
    if twice.size:
        (when,) = time_labels(dataset, rows.X[twice[:1], 0])
        when = str(when).removesuffix("T00:00:00")
        first, second = rows.values[twice[0]], rows.values[twice[0] + 1]
        raise InputError.of(
            "one value at each time, as in the data of the model",
            f"{as_written(first)} and {as_written(second)} at {when}",
            "give the rows of one series",
        )  # fmt: skip
    axis = dataset.axis
    times = np.unique(rows.X[:, 0])
    if axis is None or not axis.step or len(times) < 2 or np.median(np.diff(times)) >= LEAST_STEP * axis.step:
        return
    step, (first, second) = axis.frequency or "step", map(label_text, time_labels(dataset, times[:2]))
    raise InputError.of(
        f"one value for each {step}, as in the data of the model", f"values at {first} and {second}",
        f"give the sum or the mean of each {step}",
    )  # fmt: skip


def _unknown(dataset: Dataset, rows: NewRows) -> NewRows:
    """Without rows that the series has already, in time and value."""
    order = np.argsort(dataset.x, kind="stable")
    x, y = dataset.x[order], dataset.y[order] + dataset.offset
    nearest = np.clip(np.searchsorted(x, rows.X[:, 0] - _near(x)), 0, len(x) - 1)
    at_same = np.abs(x[nearest] - rows.X[:, 0]) <= _near(x)
    differs = at_same & (np.abs(y[nearest] - rows.values) > SAME_VALUE * max(float(np.abs(y).max()), 1e-300))
    if differs.any() and dataset.axis is not None and dataset.axis.is_calendar:
        (when,) = time_labels(dataset, rows.X[differs][:1, 0])
        value, before = rows.values[differs][0], y[nearest][differs][0]
        raise InputError.of(
            f"the value {as_written(before)} of the model at {when}", as_written(value), "fit a model to all rows anew"
        )
    known_already = at_same & ~differs
    return replace(rows.only(~known_already), known=int(known_already.sum()))


def _without(rows: NewRows, aside: Collection[tuple[float, float]], near: float) -> NewRows:
    """Without values that were set aside before."""
    repeated = np.zeros(len(rows.values), dtype=bool)
    for position, value in aside:
        repeated |= (np.abs(rows.X[:, 0] - position) <= near) & (np.abs(rows.values - value) <= SAME_VALUE * abs(value))
    return replace(rows.only(~repeated), known=rows.known + int(repeated.sum()))


def _between(dataset: Dataset, rows: NewRows) -> int:
    """How many rows lie between the steps of the axis."""
    axis = dataset.axis
    if axis is None or not axis.is_calendar or axis.step is None:
        return 0
    steps = (rows.X[:, 0] - dataset.x[0]) / axis.step
    return int(np.sum(np.abs(steps - np.round(steps)) > ON_GRID))


def _beside_table(dataset: Dataset, rows: NewRows) -> NewRows:
    """Without the rows of the data set where it was given again, with all its rows."""
    had = Counter(map(bytes, np.column_stack([dataset.X, dataset.y]) + 0.0))
    given = list(map(bytes, np.column_stack([rows.X, rows.values - dataset.offset]) + 0.0))
    if not had <= Counter(given):
        return rows
    new = np.ones(len(given), dtype=bool)
    for row, cells in enumerate(given):
        if had[cells] > 0:
            had[cells] -= 1
            new[row] = False
    return replace(rows.only(new), known=int((~new).sum()))


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
    return replace(dataset, X=X, y=y, covariates=covariates, sizes=sizes)

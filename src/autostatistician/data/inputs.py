"""The one reader of all estimators: any ``X`` and ``y`` as numbers, with the names and categories of their columns.

`read_dataset` and `new_positions` read for the estimator that searches: whatever holds times, files among them.
`read_inputs`, `read_target` and `new_inputs` read plain tables, whose rows are all needed, for the others;
`read_measurements` those in which cells may be empty.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import _safe_indexing, check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, validate_data

from autostatistician.data.arrays import Floats
from autostatistician.data.categories import checked_whole, has_categories, input_matrix
from autostatistician.data.classes import MOST_CLASSES, Task, codes_of, of_those_there, refuse_classes
from autostatistician.data.columns import DataColumn
from autostatistician.data.dataset import Dataset, Kind, are_shuffled, from_arrays
from autostatistician.data.frames import columns_of
from autostatistician.data.gaps import INDICATOR
from autostatistician.data.known_errors import errors_of_rows
from autostatistician.data.load import load
from autostatistician.data.measured import has_marks
from autostatistician.data.missing import checked_finite, checked_target, said_of_rows, unmasked
from autostatistician.data.new_rows import columns_given, has_dates, inputs_of, model_positions
from autostatistician.data.row_limits import check_length
from autostatistician.data.value_checks import check_reach
from autostatistician.errors import InputError, check_choice
from autostatistician.forms import UNSEEN
from autostatistician.i18n.messages import message

__all__ = [
    "InputColumns",
    "checked_numbers",
    "new_inputs",
    "new_positions",
    "read_classes",
    "read_dataset",
    "read_inputs",
    "read_measurements",
    "read_target",
    "spreads",
]

NO_TARGET = "requires y to be passed, but the target y is None"  # in the words of scikit-learn


@dataclass(frozen=True)
class InputColumns:
    """Names of the columns, the levels of those that hold categories, and the lowest and highest rows of a fit."""

    columns: tuple[str, ...]
    levels: dict[str, tuple[str, ...]]
    ends: tuple[Floats, Floats] | None = field(default=None, compare=False)
    incomplete: tuple[str, ...] = ()  # that may have empty numbers

    def of(self, rows: Floats) -> InputColumns:
        """The same with the ends of the rows (n, d) of a fit."""
        return replace(self, ends=(rows.min(axis=0), rows.max(axis=0)))

    @property
    def measured(self) -> tuple[str, ...]:
        """The columns of numbers."""
        return tuple(name for name in self.columns if name not in self.levels)


# --- for the estimator that searches ----------------------------------------------------------------------------------


def read_dataset(estimator: BaseEstimator, X: Any, y: Any, *, error: Any = None, **columns: Any) -> Dataset:
    """The data of a fit, a series or a table; of arrays of numbers scikit-learn's checks are done.

    With times or categories in it, or without ``y``, it is read like a file: columns are guessed and said, rows with
    empty cells left out. Numbers are taken as they are; of a table some may be NaN (see `gaps`). ``columns`` are
    options of `load` for those beside a series; ``error`` is as there.
    """
    if isinstance(X, Dataset):
        return X if error is None else errors_of_rows(X, error, X.n)
    check_length(X)
    if error is not None or _has_limits(y):
        return _loaded(estimator, X, y, error=error, axis="raw" if _is_plain_array(X) else "calendar", **columns)
    if y is None or isinstance(y, str) or isinstance(X, str | Path) or has_dates(X) or has_categories(X):
        return _loaded(estimator, X, y, **columns)
    if isinstance(y, np.ma.MaskedArray) and np.ma.getmaskarray(y).any():
        rows = ~np.ma.getmaskarray(y).reshape(len(y), -1).any(axis=1)
        dataset = read_dataset(estimator, _safe_indexing(X, rows), y[rows].data, **columns)
        left_out = said_of_rows(int(np.sum(~rows)), message("{rows} with a masked target left out."))
        return replace(dataset, warnings=(*left_out, *dataset.warnings))
    X, y = unmasked(X), unmasked(y)
    X = _as_column(X) if _is_in_order(X) else X
    checked_target(y)
    X, y = validate_data(estimator, X, y, dtype=np.float64, y_numeric=True, ensure_all_finite=False)
    names = tuple(getattr(estimator, "feature_names_in_", ()))
    if X.shape[1] == 1:
        checked_finite(X, names)
        return replace(load(X, y, axis="raw", **columns), shuffled=are_shuffled(X[:, 0]))
    checked_finite(np.where(np.isnan(X), 0.0, X), names)  # empty cells of a table may be
    return from_arrays(X, y, names or None)


def _has_limits(y: Any) -> bool:
    """Whether values are texts some of which are limits of detection.

    >>> _has_limits(np.array(["<0.5", "2"])), _has_limits([1.0, 2.0])
    (True, False)
    """
    values = np.asarray(y) if y is not None and not isinstance(y, str) else np.zeros(0)
    return values.dtype.kind in "OU" and has_marks(value for value in values.ravel() if isinstance(value, str))


def _is_in_order(X: Any) -> bool:
    """Whether X is one-dimensional and could be times; scikit-learn wants others to be refused."""
    values = np.asarray(X)
    return values.ndim == 1 and values.dtype.kind in "iuf" and bool(np.all(np.diff(values) >= 0))


def _as_column(X: Any) -> Any:
    """A one-dimensional array or series as a column; anything else as it is.

    >>> _as_column([3.0, 4.0]).shape, _as_column(np.ones((2, 3))).shape
    ((2, 1), (2, 3))
    """
    if np.ndim(X) != 1 or isinstance(X, str):
        return X
    return X.to_frame() if isinstance(getattr(X, "name", None), str) else np.asarray(X)[:, None]


def read_classes(estimator: BaseEstimator, X: Any, y: Any) -> tuple[Dataset, NDArray[Any]]:
    """The same where the target is one of some classes, and their labels in the order of their codes."""
    if isinstance(X, Dataset) or y is None or isinstance(y, str):
        dataset = X if isinstance(X, Dataset) else _loaded(estimator, X, y, task="class")
        if not dataset.classes:
            content = f"numbers in column {dataset.target!r}"
            raise InputError.of("a data set of classes", content, "load it with task='class'")
        return dataset, np.array(dataset.classes)
    labels, codes = _coded_labels(y)
    dataset, labels = of_those_there(read_dataset(estimator, X, codes), labels)
    named = y.name if isinstance(getattr(y, "name", None), str) else dataset.target
    return replace(dataset, target=named), labels


def _coded_labels(y: Any) -> tuple[NDArray[Any], Any]:
    """Labels in order, and the code (n,) for each row; missing ones are NaN, masked ones stay so."""
    import pandas as pd

    masked = np.ma.getmaskarray(y) if isinstance(y, np.ma.MaskedArray) else None
    given = np.asarray(column_or_1d(np.ma.getdata(y) if masked is not None else unmasked(y), warn=True))
    missing = np.asarray(pd.isna(given)) | (False if masked is None else masked.reshape(-1))
    if given.dtype.kind == "f" and np.isinf(given).any():
        raise ValueError("Input y contains infinity.")
    check_classification_targets(given[~missing])
    labels, places = np.unique(given[~missing], return_inverse=True)
    if not 2 <= len(labels) <= MOST_CLASSES:
        refuse_classes("y", [str(label) for label in labels])
    codes = np.full(len(given), np.nan)
    codes[~missing] = np.array(codes_of(len(labels)))[places]
    return labels, codes if masked is None else np.ma.masked_array(codes, masked.reshape(-1))


def _is_plain_array(X: Any) -> bool:
    return isinstance(X, np.ndarray | list) and np.asarray(X).dtype.kind in "biuf" and np.ndim(X) == 2


def _loaded(estimator: BaseEstimator, X: Any, y: Any, task: Task = "number", **columns: Any) -> Dataset:
    if y is None and _is_plain_array(X):
        raise ValueError(NO_TARGET)
    dataset = load(X, y, task=task, **columns)
    if dataset.kind is Kind.TABLE and not isinstance(X, str | Path):
        validate_data(estimator, X, skip_check_array=True)  # keeps the names of the columns
        if y is None or isinstance(y, str):  # the target is one of them, and rows to predict have none
            estimator.feature_names_in_ = np.array(dataset.given, dtype=object)
    return dataset


def new_positions(estimator: BaseEstimator, dataset: Dataset, X: Any, unseen: str) -> Floats:
    """The rows of a prediction in the terms of the caller, on the model axis or among the columns: shape (m, d).

    Of columns with gaps, empty cells are NaN.
    """
    rows = X.X if isinstance(X, Dataset) else _new_positions(estimator, dataset, X, unseen)
    return check_reach(rows, dataset.columns, (dataset.X.min(axis=0), dataset.X.max(axis=0)))


def _new_positions(estimator: BaseEstimator, dataset: Dataset, X: Any, unseen: str) -> Floats:
    X, axis = unmasked(X), dataset.axis
    if axis is not None and has_dates(X):
        return model_positions(dataset, X)[:, None]
    X = X if axis is None else _as_column(X)
    inputs = InputColumns(dataset.columns, dict(dataset.levels), incomplete=dataset.incomplete)
    if not hasattr(estimator, "feature_names_in_"):  # scikit-learn does not know the columns of a file
        X, inputs = inputs_of(dataset, X, unseen), replace(inputs, levels={})
        if dataset.given != dataset.columns:  # more than scikit-learn expects
            return np.asarray(X, dtype=np.float64)
    rows = new_inputs(estimator, X, inputs, unseen)
    return rows if axis is None else axis.read(rows[:, 0])[:, None]


# --- for those of plain tables ----------------------------------------------------------------------------------------


def read_inputs(estimator: BaseEstimator, X: Any) -> tuple[Floats, InputColumns]:
    """The rows of a fit as numbers (n, d), and what their columns are; scikit-learn's checks are done."""
    X = unmasked(X)
    columns = columns_of(X, index=False)
    if all(map(_is_plain, columns)):
        rows = np.asarray(validate_data(estimator, X, dtype=np.float64, ensure_min_samples=2, ensure_all_finite=False))
        d = rows.shape[1]
        names = getattr(estimator, "feature_names_in_", ["x"] if d == 1 else [f"x{k + 1}" for k in range(d)])
        inputs = InputColumns(tuple(map(str, names)), {})
        return checked_finite(rows, inputs.columns), inputs.of(rows)
    validate_data(estimator, X, skip_check_array=True)
    levels = {column.name: checked_whole(column).categories for column in columns if column.is_category}
    inputs = InputColumns(tuple(column.name for column in columns), levels)
    rows = input_matrix(columns, inputs.columns, levels)
    if len(rows) < 2:
        raise InputError.of("at least 2 rows", f"{len(rows)}", "give more data")
    return rows, inputs.of(rows)


def read_measurements(estimator: BaseEstimator, X: Any, *, reset: bool = True) -> Floats:
    """The rows of a fit, or new ones, as numbers (n, d); cells without one are NaN. scikit-learn's checks are done."""
    X = unmasked(X)
    groups = [column.name for column in columns_of(X, index=False) if column.is_category]
    if groups:
        raise InputError.of("columns of numbers", f"categories in column {groups[0]!r}", "leave the column out")
    least = 2 if reset else 1
    checked = validate_data(
        estimator, X, reset=reset, dtype=np.float64, ensure_min_samples=least, ensure_all_finite="allow-nan"
    )
    rows = np.array(checked, dtype=np.float64)
    empty = np.isnan(rows).all(axis=0)
    if reset and empty.any():
        gap = f"none in column {int(empty.argmax()) + 1}"
        raise InputError.of("a number in every column", gap, "leave the column out")
    return rows


def _is_plain(column: DataColumn) -> bool:
    """Whether a column is of numbers already."""
    return not column.levels and not isinstance(column.values, tuple) and column.values.dtype.kind == "f"


def checked_numbers(y: Any, *, marks: bool = False) -> None:
    """Raise an `InputError` where targets are text or dates; with ``marks``, such as "<0.5", where all are words."""
    values = np.asarray(y)
    cells = [cell for cell in values.flat if cell is not None and cell == cell] if values.dtype.kind in "OU" else []
    if marks and not (cells and all(isinstance(cell, str) and not any(map(str.isdigit, cell)) for cell in cells)):
        return
    if values.dtype.kind == "O":
        with suppress(TypeError):  # of missing values, which others speak of
            values = _as_floats(values)
    if values.dtype.kind in "USM":
        content = "dates" if values.dtype.kind == "M" else f"text such as {str(values.flat[0])[:40]!r}"
        raise InputError.of("numbers as target", content, "make numbers of it, or use a classifier for classes")


def _as_floats(values: Any) -> Any:
    """The numbers of an array of objects, or its text where there is some."""
    try:
        return values.astype(np.float64)
    except ValueError:
        return np.array([cell for cell in values.flat if isinstance(cell, str)])


def read_target(estimator: BaseEstimator, y: Any, rows: Floats) -> Floats:
    """The target (n,) of a fit with one number for each of its rows; scikit-learn's checks are done."""
    if y is None:
        raise ValueError(NO_TARGET)
    y = unmasked(y)
    checked_numbers(y)
    checked_target(y, "leave such rows out")
    whole = check_array(column_or_1d(y, warn=True), ensure_2d=False, input_name="y", estimator=estimator)
    target = np.asarray(whole, dtype=np.float64)
    check_consistent_length(rows, target)
    return target


def new_inputs(estimator: BaseEstimator, X: Any, inputs: InputColumns, unseen: str) -> Floats:
    """The rows of a prediction as numbers (m, d), empty ones NaN in columns that may have them."""
    check_choice("unseen", unseen, UNSEEN)
    X = unmasked(X)
    columns = columns_of(X, index=False)
    if not inputs.levels and not inputs.incomplete and all(map(_is_plain, columns)):
        plain = validate_data(estimator, X, reset=False, dtype=np.float64, ensure_all_finite=False)
        rows = checked_finite(np.asarray(plain), inputs.columns)
    else:
        validate_data(estimator, X, reset=False, skip_check_array=True)
        given = [name for name in inputs.columns if inputs.levels.get(name) != INDICATOR]
        columns = columns or columns_given(X, given)
        rows = input_matrix(columns, inputs.columns, inputs.levels, unseen=unseen, incomplete=inputs.incomplete)
    return rows if inputs.ends is None else check_reach(rows, inputs.columns, inputs.ends)


def spreads(X: Floats) -> Floats:
    """Standard deviations of columns (n, d); one for those that do not vary.

    >>> spreads(np.array([[1.0, 5.0, 1e-200], [3.0, 5.0, 3e-200]])).tolist()
    [1.0, 1.0, 1e-200]
    """
    most = np.abs(X).max(axis=0, initial=0.0)
    power = np.frexp(most)[1]  # so that squares of very large or small numbers are numbers; no digit changes
    sds = np.ldexp(np.ldexp(X, -power).std(axis=0), power)
    return np.asarray(np.where(sds > 1e-12 * most, sds, 1.0))

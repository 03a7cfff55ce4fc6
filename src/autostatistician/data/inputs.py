"""What regressors of tables read: rows as numbers, with categories as codes, and what each column is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from autostatistician.data.categories import UNSEEN, has_categories, input_matrix, is_category, levels_of
from autostatistician.data.finite import checked_finite
from autostatistician.data.frames import columns_of
from autostatistician.errors import InputError

__all__ = ["MOST_ROWS", "Inputs", "new_inputs", "read_inputs"]

Array = NDArray[np.float64]

MOST_ROWS = 5000  # the covariance of more does not fit


@dataclass(frozen=True)
class Inputs:
    """Names of the columns, and the levels of those that hold categories."""

    columns: tuple[str, ...]
    levels: dict[str, tuple[str, ...]]

    @property
    def measured(self) -> tuple[str, ...]:
        """The columns of numbers."""
        return tuple(name for name in self.columns if name not in self.levels)


def read_inputs(estimator: BaseEstimator, X: Any) -> tuple[Array, Inputs]:
    """The rows of a fit as numbers (n, d), and what their columns are; scikit-learn's checks are done.

    Raises
    ------
    InputError
        When there are more rows than one matrix can hold (before they are looked at), or a cell is empty.
    """
    shape = getattr(X, "shape", ()) or (len(X) if isinstance(X, list | tuple) else 0,)
    if shape[0] > MOST_ROWS:
        remedy = "give a random sample of the rows (it keeps most of what they tell)"
        raise InputError.of(f"at most {MOST_ROWS} rows", f"{shape[0]}", remedy)
    if not has_categories(X):
        rows = np.asarray(validate_data(estimator, X, dtype=np.float64, ensure_min_samples=2, ensure_all_finite=False))
        d = rows.shape[1]
        names = getattr(estimator, "feature_names_in_", ["x"] if d == 1 else [f"x{k + 1}" for k in range(d)])
        found = Inputs(tuple(map(str, names)), {})
        return checked_finite(rows, found.columns), found
    validate_data(estimator, X, skip_check_array=True)
    columns = columns_of(X, index=False)
    names = tuple(column.name for column in columns)
    found = Inputs(names, {column.name: levels_of(column) for column in columns if is_category(column)})
    return input_matrix(columns, names, found.levels), found


def new_inputs(estimator: BaseEstimator, X: Any, known: Inputs, unseen: str) -> Array:
    """The rows of a prediction as numbers (m, d).

    Raises
    ------
    InputError
        When a category is unknown and not to be taken as new, a column is missing, or a number is none.
    """
    if unseen not in UNSEEN:
        raise InputError.of("unseen='error' or unseen='new'", repr(unseen), "choose one of them")
    if not known.levels:
        rows = validate_data(estimator, X, reset=False, dtype=np.float64, ensure_all_finite=False)
        return checked_finite(np.asarray(rows), known.columns)
    validate_data(estimator, X, reset=False, skip_check_array=True)
    return input_matrix(columns_of(X, index=False), known.columns, known.levels, unseen=unseen)

"""What estimators of plain tables share: how rows are read and put in standard units, and how a fit is run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.categories import UNSEEN
from autostatistician.data.inputs import InputColumns, new_inputs, read_inputs, read_target, spreads
from autostatistician.errors import InputError, check_choice
from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.inference.engines.exact import MOST_ROWS, check_rows
from autostatistician.threads import one_thread

__all__ = ["NumberTableEstimator", "StandardisedEstimator", "TableEstimator", "TableRegressor", "fitting"]

Array = NDArray[np.float64]


@contextmanager
def fitting(error_type: type[Exception] = NotPositiveDefinite, remedy: str = "scale or clean them") -> Iterator[None]:
    """A context for a fit: one thread, so that it gives the same numbers on any machine, and an error that helps.

    >>> with fitting():
    ...     raise NotPositiveDefinite("nothing")
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected data that a model can be fitted to; found nothing; scale or clean them
    """
    with one_thread():
        try:
            yield
        except error_type as error:
            raise InputError.of("data that a model can be fitted to", str(error), remedy) from error


class TableEstimator(BaseEstimator):  # type: ignore[misc]
    """Of rows that are all needed, in columns of numbers and of categories."""

    unseen: Any = "error"
    _most_rows: int | None = MOST_ROWS
    inputs_: InputColumns
    n_features_in_: int

    def _read(self, X: Any) -> Array:
        """The rows (n, d) of a fit as numbers, in the units of the data."""
        check_choice("unseen", self.unseen, UNSEEN)
        rows, self.inputs_ = read_inputs(self, X)
        if self._most_rows is not None:
            check_rows(len(rows), self._most_rows)
        return rows

    def _new(self, X: Any) -> Array:
        """The rows (m, d) of a prediction, in the same way."""
        check_is_fitted(self)
        return new_inputs(self, X, self.inputs_, self.unseen)


class StandardisedEstimator(TableEstimator):
    """The same in standard units: columns of numbers have mean 0 and deviation 1 in the rows of the fit."""

    centre_: Array
    scale_: Array

    def _read(self, X: Any) -> Array:
        rows = super()._read(X)
        measured = np.array([name in self.inputs_.measured for name in self.inputs_.columns])
        self.centre_, self.scale_ = np.where(measured, rows.mean(axis=0), 0.0), np.where(measured, spreads(rows), 1.0)
        return self._standard(rows)

    def _new(self, X: Any) -> Array:
        return self._standard(super()._new(X))

    def _standard(self, rows: Array) -> Array:
        return np.asarray((rows - self.centre_) / self.scale_)


class NumberTableEstimator(StandardisedEstimator):
    """The same of columns of numbers only, and as many rows as the estimator allows."""

    _most_rows = None

    def _read(self, X: Any) -> Array:
        rows = super()._read(X)
        if self.inputs_.levels:
            categories = f"categories in column {next(iter(self.inputs_.levels))!r}"
            raise InputError.of("columns of numbers", categories, "encode them as numbers, or use AdditiveGPRegressor")
        return rows


class TableRegressor(RegressorMixin, TableEstimator):  # type: ignore[misc]
    """Numbers as target; subclasses say how ``_fit`` goes on from rows and target."""

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the model to rows and target.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            Columns of text, truth values and categories are categories; no cell may be missing.
        y : array of shape (n,)
            Of several outputs (n, q), where the estimator takes them.

        Raises
        ------
        InputError
            When a setting is out of its range or does not fit the columns, data cannot be used, or there are more
            rows than the estimator can bear.
        """
        rows = self._read(X)
        self._fit(rows, self._target(y, rows))
        return self

    def _target(self, y: Any, rows: Array) -> Array:
        return read_target(self, y, rows)

    def _fit(self, rows: Array, y: Array) -> None:
        """Fit to rows as ``_read`` gives them, and target."""
        raise NotImplementedError

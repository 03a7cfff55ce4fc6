"""Kernel densities for scikit-learn, with a width for each column."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from autostatistician.data.inputs import spreads
from autostatistician.errors import InputError
from autostatistician.estimators.checks import check_count
from autostatistician.latent.density import best_widths, log_densities
from autostatistician.seeds import generator
from autostatistician.threads import one_thread

__all__ = ["LeaveOneOutDensity"]

Array = NDArray[np.float64]

MOST_CELLS = 1e8  # of the differences of all pairs of rows
ROWS_AT_A_TIME = 500


class LeaveOneOutDensity(DensityMixin, BaseEstimator):  # type: ignore[misc]
    """Normal kernels along the columns, their widths chosen so that every row is most probable from all others.

    The baseline of densities of mixtures and of `GPLVM`.

    Attributes
    ----------
    widths_ : array (d,)
        The deviations of the kernels, in units of the columns.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> density = LeaveOneOutDensity().fit(X)
    >>> density.score([[0.0, 0.0]]) > density.score([[3.0, 3.0]])
    True
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose the widths for rows (n, d) of numbers.

        Raises
        ------
        InputError
            When there are more rows than can be compared in pairs.
        """
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=3)
        if len(X) ** 2 * X.shape[1] > MOST_CELLS:
            raise InputError.of("rows that can be compared in pairs", f"{len(X)} of them", "give a random sample")
        self.centre_, self.scale_ = X.mean(axis=0), spreads(X)
        self.rows_ = (X - self.centre_) / self.scale_
        varies = np.ptp(self.rows_, axis=0) > 0.0
        self._widths = np.ones(X.shape[1])  # a column that never varies tells nothing
        with one_thread():
            self._widths[varies] = best_widths(self.rows_[:, varies]) if varies.any() else 1.0
        self.widths_ = self._widths * self.scale_
        return self

    def score_samples(self, X: Any) -> Array:
        """The log density (m,) of rows (m, d)."""
        check_is_fitted(self)
        rows = (validate_data(self, X, dtype=np.float64, reset=False) - self.centre_) / self.scale_
        parts = np.split(rows, range(ROWS_AT_A_TIME, len(rows), ROWS_AT_A_TIME))
        densities = [log_densities(self.rows_, self._widths, part) for part in parts]
        return np.concatenate(densities) - float(np.log(self.scale_).sum())

    def score(self, X: Any, y: Any = None) -> float:
        """The mean log density of rows (m, d)."""
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1, *, random_state: Any = 0) -> Array:
        """Further rows (n_samples, d)."""
        check_is_fitted(self)
        rng, count = generator(random_state), check_count("n_samples", n_samples, 1)
        near = self.rows_[rng.integers(len(self.rows_), size=count)]
        return np.asarray((near + self._widths * rng.standard_normal(near.shape)) * self.scale_ + self.centre_)

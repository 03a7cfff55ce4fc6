"""Rows that come in groups, as those of one person do: groups left out as a whole."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.exact_fits import last_digit
from autostatistician.decompose.records.table import LeftOutGroups
from autostatistician.decompose.table.witnesses import MOST_ROWS, ROWS_PER_TERM
from autostatistician.gp.posterior import Posterior

__all__ = ["left_out_groups", "repeated"]

Array = NDArray[np.float64]


def repeated(values: Array) -> NDArray[np.intp] | None:
    """The group of every row by the number (n,) that it shares with others; None where equal ones may be an accident.

    They are none where those shared are so fine that there could be more of them than rows, and where rows are sorted
    by them.

    >>> fine = np.random.default_rng(0).normal(size=30).round(4)
    >>> repeated(np.repeat(fine, 3)) is None, repeated(np.repeat(fine.round(1), 3)) is None, repeated(fine) is None
    (False, True, True)
    """
    distinct, groups, counts = np.unique(values, return_inverse=True, return_counts=True)
    if not ROWS_PER_TERM <= len(distinct) <= 0.5 * len(values):
        return None
    shared = distinct[counts > 1]  # others may stand for an empty cell
    is_fine = np.ptp(shared) >= last_digit(shared) * len(values)
    return groups if is_fine or np.all(np.diff(values) >= 0.0) else None


def left_out_groups(
    posterior: Posterior, told: Array, predicted: Callable[[Array, Array], Array]
) -> LeftOutGroups | None:
    """The share of the variation that is explained in groups of rows left out, by the column that tells them worst.

    It is of the values ``told`` (n,), as ``predicted`` from means and variances (n,) on the scale of the posterior. The
    parameters are those of the fit to all data. With K the covariance and G the rows of a group, the inverse of the
    block of K^-1 at G is their covariance given all others, and that times K^-1 y there what is missed of them.
    """
    y, found = posterior.y, []
    candidates = {name: repeated(X) for name, X in zip(posterior.columns, posterior.X.T, strict=True)}
    grouped = {name: groups for name, groups in candidates.items() if name and groups is not None}
    if not grouped or len(y) > MOST_ROWS or np.ptp(y) == 0.0:
        return None
    whitening = posterior.whitened(np.asfortranarray(np.eye(len(y))))
    inverse, alpha = whitening.T @ whitening, whitening.T @ (whitening @ y)
    for name, groups in grouped.items():
        mean, variance, count = y.copy(), np.empty(len(y)), int(groups.max()) + 1
        for rows in (np.flatnonzero(groups == group) for group in range(count)):
            given = np.linalg.inv(inverse[np.ix_(rows, rows)])
            mean[rows] -= given @ alpha[rows]
            variance[rows] = given.diagonal()
        missed = told - predicted(mean, variance)
        r2 = 1.0 - float(missed @ missed) / float(np.sum((told - told.mean()) ** 2))
        found.append(LeftOutGroups(name, count, r2))
    return min(found, key=lambda one: one.r2, default=None)

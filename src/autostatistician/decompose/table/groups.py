"""Rows that come in groups, as those of one person do: how well a group is foreseen that is left out as a whole."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.exact_fits import last_digit
from autostatistician.decompose.records.table import LeftOutGroups
from autostatistician.decompose.series.component_order import MOST_FOLDS
from autostatistician.decompose.table.witnesses import MOST_ROWS
from autostatistician.gp.posterior import Posterior

__all__ = ["left_out_groups", "repeated"]

Array = NDArray[np.float64]


def repeated(values: Array) -> NDArray[np.intp] | None:
    """The group of every row by the number (n,) that it shares with others; None where equal ones may be an accident.

    They are none where numbers are so fine that there could be more of them than rows, and where rows are sorted by
    them.

    >>> fine = np.random.default_rng(0).normal(size=30).round(4)
    >>> repeated(np.repeat(fine, 3)) is None, repeated(np.repeat(fine.round(1), 3)) is None, repeated(fine) is None
    (False, True, True)
    """
    distinct, groups = np.unique(values, return_inverse=True)
    if not 2 * MOST_FOLDS <= len(distinct) <= 0.5 * len(values):
        return None
    is_fine = distinct[-1] - distinct[0] >= last_digit(values) * len(values)
    return groups if is_fine or np.all(np.diff(values) >= 0.0) else None


def left_out_groups(posterior: Posterior, used: Collection[str]) -> LeftOutGroups | None:
    """The share of the variation that is explained in groups of rows left out, by the column that tells them worst.

    Groups are left out a tenth at a time, with the parameters of the fit to all data.
    """
    y, found = posterior.y, []
    if len(y) > MOST_ROWS or np.ptp(y) == 0.0:
        return None
    for index, name in enumerate(posterior.columns):
        groups = repeated(posterior.X[:, index]) if name in used else None
        if name is None or groups is None:
            continue
        missed = np.empty(len(y))
        for fold in range(MOST_FOLDS):
            rows = np.flatnonzero(groups % MOST_FOLDS == fold)
            missed[rows] = y[rows] - posterior.without(rows).observations(posterior.X[rows])[0]
        r2 = 1.0 - float(missed @ missed) / float(np.sum((y - y.mean()) ** 2))
        found.append(LeftOutGroups(name, int(groups.max()) + 1, r2))
    return min(found, key=lambda one: one.r2, default=None)

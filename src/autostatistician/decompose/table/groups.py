"""Rows that come in groups, as those of one person do: groups left out as a whole, and what groups say of columns."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.data.exact_fits import last_digit
from autostatistician.decompose.records.table import DropTest, LeftOutGroups, Plain
from autostatistician.decompose.series.component_order import MOST_FOLDS
from autostatistician.decompose.table.witnesses import MOST_ROWS, PlainTable
from autostatistician.gp.posterior import Posterior

__all__ = ["left_out_groups", "repeated", "said_by_groups"]

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


def said_by_groups(dataset: Dataset, column: str, used: Collection[str]) -> dict[str, Plain]:
    """What groups of rows, of the same value of a ``column`` each, say of the columns that are the same within them.

    Of these, rows of one group are no evidence of their own: a group is a row with the mean of its targets.
    """
    groups = repeated(dataset.X[:, dataset.columns.index(column)])
    if groups is None:
        return {}
    first = np.unique(groups, return_index=True)[1]
    same = np.flatnonzero((dataset.X[first][groups] == dataset.X).all(axis=0))
    names = tuple(dataset.columns[place] for place in same)
    y = np.bincount(groups, dataset.y) / np.bincount(groups)
    levels = {name: dataset.levels[name] for name in names if name in dataset.levels}
    made = Dataset(dataset.X[np.ix_(first, same)], y, names, dataset.target, None, levels=levels)
    said = PlainTable(made, [name for name in used if name in names]).columns()
    part = float(np.var(y) / np.var(dataset.y))
    return {name: _of_all(plain, part) for name, plain in said.items() if plain is not None}


def _of_all(plain: Plain, part: float) -> Plain:
    """The same with shares of the variation of all rows, of which that of groups is a ``part``."""
    copies = None if plain.of_copies is None else _part_of(plain.of_copies, part)
    slope = replace(plain.slope, most=part * plain.slope.most)
    return replace(plain, beside_model=_part_of(plain.beside_model, part), of_copies=copies, slope=slope, carried=None)


def _part_of(loss: DropTest, part: float) -> DropTest:
    low, high = loss.span
    return replace(loss, share=part * loss.share, span=(part * low, part * high))

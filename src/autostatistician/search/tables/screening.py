"""Which columns of a table are alike, so that each may stand in the place of the other."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from autostatistician.gp import Problem

__all__ = ["alike_columns"]


ALIKE = 0.9  # rank correlation of columns that are tried in each other's place
MOST_PAIRS = 20


def alike_columns(problem: Problem, names: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """The pairs of these columns whose ranks are nearly the same, up or down, the closest first.

    Each of such a pair tells nearly what the other tells, so data may hardly say which of them acts.

    >>> x = np.arange(20.0)
    >>> X = np.column_stack([x, -(x**2), x % 7.0])
    >>> alike_columns(Problem(X, x, ("a", "b", "c")), frozenset("abc"))
    (('a', 'b'),)
    """
    used = [index for index, name in enumerate(problem.columns) if name in names and np.ptp(problem.X[:, index]) > 0.0]
    ranks = np.array([rankdata(problem.X[:, index]) for index in used])
    if len(used) < 2:
        return ()
    closeness = np.abs(np.corrcoef(ranks))
    first, second = np.nonzero(np.triu(closeness >= ALIKE, 1))
    order = np.argsort(-closeness[first, second], kind="stable")[:MOST_PAIRS]
    return tuple((problem.columns[used[first[at]]], problem.columns[used[second[at]]]) for at in order)

"""The choice of a few rows that stand for all: evenly spaced ones, or stretches of neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.rows import evenly_spaced

__all__ = ["in_stretches", "typical"]

MOST_LOOKED_AT = 2000  # rows


def in_stretches(n: int, most: int, length: int = 50) -> NDArray[np.intp]:
    """At most ``most`` of n rows, in evenly spaced stretches of neighbours: they show what is quick and what is slow.

    >>> in_stretches(10, 6, 2).tolist(), in_stretches(4, 6).tolist()
    ([0, 1, 4, 5, 8, 9], [0, 1, 2, 3])
    """
    if n <= most:
        return np.arange(n)
    starts = evenly_spaced(n - length + 1, max(most // length, 1))
    return np.unique(starts[:, None] + np.arange(length))


def typical(X: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """At most ``most`` rows of X (n, d) whose means and mean squares are near those of all, added one after the other.

    >>> typical(np.arange(8.0)[:, None], 4).tolist()
    [1, 2, 5, 6]
    """
    if len(X) <= most:
        return np.arange(len(X))
    rows = evenly_spaced(len(X), MOST_LOOKED_AT)
    centred = X[rows] - X[rows].mean(axis=0)
    values = np.concatenate([centred, centred**2 - (centred**2).mean(axis=0)], axis=1)
    values /= np.where((sizes := values.std(axis=0)) > 0.0, sizes, 1.0)
    total, sizes_squared = np.zeros(values.shape[1]), np.sum(values**2, axis=1)
    for _ in range(most):
        best = int(np.argmin(sizes_squared + 2.0 * values @ total))
        total += values[best]
        sizes_squared[best] = np.inf
    return np.asarray(rows[np.isinf(sizes_squared)])

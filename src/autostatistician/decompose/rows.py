"""The choice of a few rows that stand for all: evenly spaced ones, or stretches of neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["evenly_spaced", "in_stretches"]


def evenly_spaced(n: int, most: int) -> NDArray[np.intp]:
    """The indices of at most ``most`` of n rows, evenly spaced, the first and the last among them.

    >>> evenly_spaced(9, 3).tolist(), evenly_spaced(2, 3).tolist()
    ([0, 4, 8], [0, 1])
    """
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.intp))


def in_stretches(n: int, most: int, length: int = 50) -> NDArray[np.intp]:
    """At most ``most`` of n rows, in evenly spaced stretches of neighbours: they show what is quick and what is slow.

    >>> in_stretches(10, 6, 2).tolist(), in_stretches(4, 6).tolist()
    ([0, 1, 4, 5, 8, 9], [0, 1, 2, 3])
    """
    if n <= most:
        return np.arange(n)
    starts = evenly_spaced(n - length + 1, max(most // length, 1))
    return np.unique(starts[:, None] + np.arange(length))

"""The choice of a few rows that stand for all: evenly spaced ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["evenly_spaced"]


def evenly_spaced(n: int, most: int) -> NDArray[np.intp]:
    """The indices of at most ``most`` of n rows, evenly spaced, the first and the last among them.

    >>> evenly_spaced(9, 3).tolist(), evenly_spaced(2, 3).tolist()
    ([0, 4, 8], [0, 1])
    """
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.intp))

"""Which rows stand for all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["evenly"]


def evenly(n: int, most: int) -> NDArray[np.intp]:
    """At most so many of n rows, as evenly as can be, the first and the last among them.

    >>> evenly(9, 3).tolist(), evenly(2, 3).tolist()
    ([0, 4, 8], [0, 1])
    """
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.intp))

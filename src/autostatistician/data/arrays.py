"""The kinds of arrays that are read from tables, and runs of flags."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Days", "Flags", "Floats", "Rows", "Times", "runs"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]  # their numbers
Times = NDArray[np.datetime64]
Days = NDArray[np.datetime64]  # M8[D]


def runs(flags: Flags) -> list[tuple[int, int]]:
    """First and last index of every run of neighbours that are set.

    >>> runs(np.array([True, True, False, True]))
    [(0, 1), (3, 3)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    return [(int(first), int(end) - 1) for first, end in zip(edges[::2], edges[1::2], strict=True)]

"""What is remarkable about the values of a series: constant, far from zero, placeholders among the numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.wording import counted

__all__ = ["far_from_zero", "remarks"]

Floats = NDArray[np.float64]

PLACEHOLDERS = (-9.0, -9.99, -99.0, -99.9, -99.99, -999.0, -999.9, -999.99, -9999.0, -99999.0, 999.0, 9999.0, 99999.0)
FAR = 1e6  # standard deviations from zero beyond which float64 loses digits that matter


def far_from_zero(y: Floats) -> tuple[float, tuple[str, ...]]:
    """What to subtract from values whose mean is more than a million standard deviations from zero, and the sentence.

    >>> far_from_zero(1e9 + np.array([0.0, 1e-3, 2e-3]))[0]
    1000000000.001
    """
    scale = float(np.abs(y).max())
    if scale == 0.0:
        return 0.0, ()
    mean = float((y / scale).mean()) * scale
    sd = float((y / scale - (y / scale).mean()).std()) * scale
    if sd == 0.0 or not abs(mean) > FAR * sd:
        return 0.0, ()
    return mean, (f"The values lie so far from zero that their mean, {mean:.12g}, was subtracted for the fit.",)


def remarks(y: Floats, column: str) -> tuple[str, ...]:
    """Sentences on constant values and on numbers that may stand for missing ones.

    >>> remarks(np.array([310.0, 311.0, -99.99, 312.0]), "co2")
    ("The value -99.99 stands in 1 row of column 'co2'; if it means a missing value, clear these cells.",)
    """
    unique, counts = np.unique(y, return_counts=True)
    if unique.size == 1:
        return (f"All values of column {column!r} are the same.",)
    scale = float(np.abs(unique).max())
    if float(unique[-1] / scale - unique[0] / scale) < 1e-12:
        return (f"The values of column {column!r} differ by less than rounding allows to tell.",)
    for place, rest in ((0, unique[1:]), (-1, unique[:-1])):
        value = unique[place]
        if rest.size < 2 or not np.any(np.isclose(value, PLACEHOLDERS, rtol=1e-12, atol=0.0)):
            continue
        distance = min(abs(value - rest[0]), abs(value - rest[-1]))
        if distance > 2 * (rest[-1] - rest[0]):
            rows = counted(int(counts[place]), "row")
            clear = "if it means a missing value, clear these cells"
            return (f"The value {value:g} stands in {rows} of column {column!r}; {clear}.",)
    return ()

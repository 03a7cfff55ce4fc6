"""The legs of a curve: from one turning point that exceeds its uncertainty to the next, and where most of each lies."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.turning_points import contrast, turning_points
from autostatistician.forms import BAND_SDS, Leg

__all__ = ["legs"]

Array = NDArray[np.float64]

MOST_OF_A_LEG = 2.0 / 3.0  # of a rise or fall: the shortest stretch with it tells when the curve moved most


def legs(x: Array, mean: Array, cov: Array) -> tuple[Leg, ...]:
    """The rises and falls of a curve with posterior ``mean`` (m,) and ``cov`` (m, m) at ascending ``x`` (m,).

    There are none where even the difference between its highest and its lowest place is within its uncertainty.

    >>> x = np.arange(7.0)
    >>> both = legs(x, np.array([0.0, 0.1, 6.0, 6.1, 6.0, 5.9, 2.0]), 1e-4 * np.eye(7))
    >>> [(leg.start, leg.stop, leg.first, leg.last, leg.most) for leg in both]
    [(0.0, 3.0, 0.0, 6.1, (1.0, 2.0)), (3.0, 6.0, 6.1, 2.0, (5.0, 6.0))]
    """
    size = contrast(mean, cov, int(mean.argmin()), int(mean.argmax()))
    if not size.number > BAND_SDS * size.sd:
        return ()
    return tuple(_leg(x, mean, *rows) for rows in pairwise(turning_points(mean, cov, size.number)))


def _leg(x: Array, mean: Array, start: int, stop: int) -> Leg:
    inputs, values = x[start : stop + 1], mean[start : stop + 1]
    moved = np.subtract.outer(values, values).T * np.sign(values[-1] - values[0])  # from each row to each column
    enough = np.triu(moved >= MOST_OF_A_LEG * abs(values[-1] - values[0]), 1)
    lengths = np.where(enough, np.subtract.outer(inputs, inputs).T, np.inf)
    first, last = np.unravel_index(int(lengths.argmin()), lengths.shape)
    change = float(values[last] - values[first])
    ends = (float(inputs[first]), float(inputs[last]))
    return Leg(float(x[start]), float(x[stop]), float(values[0]), float(values[-1]), ends, change)

"""The turning points of a curve that its posterior is sure of.

A rise or fall counts when it is larger than chance leaves open (its posterior standard deviation) and no detail of
the whole (a tenth of the difference between the highest and the lowest place).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.table import Contrast
from autostatistician.forms import BAND_SDS

__all__ = ["DETAIL_SHARE", "contrast", "is_sure", "turning_points"]

Array = NDArray[np.float64]

DETAIL_SHARE = 0.1  # of the size of a curve: smaller rises and falls are not reported


def contrast(mean: Array, cov: Array, start: int, stop: int) -> Contrast:
    """The value at one place less that at another, with its posterior standard deviation.

    >>> contrast(np.array([1.0, 3.0]), np.eye(2), 0, 1)
    Contrast(number=2.0, sd=1.4142135623730951)
    """
    variance = cov[start, start] + cov[stop, stop] - 2.0 * cov[start, stop]
    return Contrast(float(mean[stop] - mean[start]), float(np.sqrt(max(variance, 0.0))))


def is_sure(leg: Contrast, size: float) -> bool:
    """Whether a rise or fall is beyond its 95 % range, and no detail of a curve of that size."""
    return abs(leg.number) > BAND_SDS * leg.sd and abs(leg.number) >= DETAIL_SHARE * size > 0.0


def turning_points(mean: Array, cov: Array, size: float) -> list[int]:
    """The ends, and the extremes between them that are left when unsure rises and falls are taken out.

    ``size`` is the difference between the highest and the lowest place; the least of the unsure is taken out first. An
    end of which nothing is sure is left out where it would take a sure rise or fall with it.

    >>> turning_points(np.array([0.0, 3.0, 2.9, 5.0, 1.0]), 1e-4 * np.eye(5), 5.0)
    [0, 3, 4]
    >>> turning_points(np.array([0.0, 3.0, 1.0, 5.0, 4.0]), np.diag([1e-4, 1e-4, 1e-4, 1e-4, 9.0]), 5.0)
    [0, 1, 2, 3]
    """
    steps = np.sign(np.diff(mean))
    moving = np.flatnonzero(steps)  # a flat top is where the curve comes to rest
    turned = steps[moving[1:]] * steps[moving[:-1]] < 0
    stops = [0, *(moving[:-1][turned] + 1).tolist(), len(mean) - 1]
    while len(stops) > 2:
        legs = [contrast(mean, cov, *leg) for leg in pairwise(stops)]
        unsure = [index for index, leg in enumerate(legs) if not is_sure(leg, size)]
        if not unsure:
            break
        worst = min(unsure, key=lambda index: abs(legs[index].number))
        end = _open_end(mean, cov, size, stops, worst)
        if end is not None:
            del stops[end]
            continue
        first = max(worst, 1)
        del stops[first : min(worst + 2, len(stops) - 1)]
        for neighbour in (first - 1, first):
            if 0 < neighbour < len(stops) - 1:
                stops[neighbour] = _extreme(mean, *stops[neighbour - 1 : neighbour + 2])
    return stops if len(stops) > 2 else [0, len(mean) - 1]


def _open_end(mean: Array, cov: Array, size: float, stops: list[int], worst: int) -> int | None:
    """Which end of the stops is beyond the unsure leg ``worst``, where what comes before it is sure only without it."""
    last = len(stops) - 2
    if worst not in (0, last) or last < 2:
        return None
    end, turn, before = (0, 1, 2) if worst == 0 else (-1, -2, -3)
    alone, whole = (contrast(mean, cov, stops[before], stops[place]) for place in (turn, end))
    return end if is_sure(alone, size) and abs(whole.number) <= BAND_SDS * whole.sd else None


def _extreme(mean: Array, before: int, stop: int, after: int) -> int:
    """Where the mean turns between two places: the taken-out one may have been further up (or down) than the stop.

    >>> _extreme(np.array([0.0, 3.0, 2.0, 4.0, 1.0]), 0, 1, 4)
    3
    """
    inner = mean[before + 1 : after]
    top = 2.0 * mean[stop] > mean[before] + mean[after]
    return before + 1 + int(inner.argmax() if top else inner.argmin())

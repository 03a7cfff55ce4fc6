"""Where a rise or fall stands still: the stretch in which hardly any of it happens, though it is a large part of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import theilslopes

from autostatistician.decompose.records.function import Standstill
from autostatistician.decompose.series.estimates import Back

__all__ = ["standstill"]

Array = NDArray[np.float64]

SLOW, MOVING = 0.2, 0.5  # times the pace of the whole: what stands still, and from which on it moves
MOST_WITHIN = 0.35  # of a change: what goes up and down by more is no standstill
SURE = 0.95
FEWEST_ROWS = 4


def standstill(x: Array, curves: Array, values: Array, back: Back, least: float) -> Standstill | None:
    """The stretch in which smooth curves (k, m), which go one way in all, hardly go that way, or against it.

    It is at least so large a share of the inputs ``x`` (m,), and both nearly all curves and the median slope (Theil and
    Sen) of the ``values`` (m,), the data, are slower there than half the pace of the whole.

    >>> x = np.arange(60.0)
    >>> stairs = np.interp(x, [0.0, 15.0, 40.0, 59.0], [0.0, 30.0, 30.0, 70.0])
    >>> still = standstill(x, stairs[None], stairs, lambda levels: levels, 0.3)
    >>> (still.start, still.stop, still.first, still.last)
    (15.0, 40.0, 30.0, 30.0)
    >>> standstill(x, x[None], x, lambda levels: levels, 0.3) is None
    True
    """
    middle = np.median(curves, axis=0)
    change, span = float(middle[-1] - middle[0]), float(np.ptp(x))
    if change == 0.0 or len(x) < FEWEST_ROWS:
        return None
    done, passed = (middle - middle[0]) / change, (x - x[0]) / span
    start, stop = _slowest(done, passed)
    length = float(passed[stop] - passed[start])
    if length < least or stop - start < FEWEST_ROWS or done[stop] - done[start] > SLOW * length:
        return None
    if np.ptp(done[start : stop + 1]) > MOST_WITHIN:
        return None
    most = MOVING * abs(change) / span
    slopes = np.sign(change) * (curves[:, stop] - curves[:, start]) / (x[stop] - x[start])
    some = slice(start, stop + 1)
    seen = float(theilslopes(values[some], x[some])[0]) * np.sign(change)
    if np.mean(slopes < most) < SURE or seen > most:
        return None
    first, last = (float(np.median(back(curves[:, row]))) for row in (start, stop))
    return Standstill(float(x[start]), float(x[stop]), first, last)


def _slowest(done: Array, passed: Array) -> tuple[int, int]:
    """The two rows between which most is missing to half the pace of the whole; what goes against it counts as nothing.

    >>> _slowest(np.array([0.0, 0.4, 0.5, 0.3, 0.5, 1.0]), np.linspace(0.0, 1.0, 6))
    (1, 4)
    """
    missing = MOVING * (passed[None] - passed[:, None]) - np.maximum(done[None] - done[:, None], 0.0)
    start, stop = np.unravel_index(int(np.argmax(np.triu(missing))), missing.shape)
    return int(start), int(stop)

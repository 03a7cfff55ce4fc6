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
CLEARLY = 4.0  # by which the criterion of a jump is below that of a bend, whose place is as free


def standstill(x: Array, curves: Array, values: Array, back: Back, least: float) -> Standstill | None:
    """The stretch in which smooth curves (k, m), which go one way in all, hardly go that way, or against it.

    It is at least so large a share of the inputs ``x`` (m,), and both nearly all curves and the median slope (Theil and
    Sen) of the ``values`` (m,), the data, are slower there than half the pace of the whole. It ends with a jump where
    the data show one: curves that are smooth begin to fall before it.

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
    if passed[stop] < 1.0:
        stop = _jump(x, values, start, stop, float(np.sign(change)))
    return Standstill(float(x[start]), float(x[stop]), first, last)


def _slowest(done: Array, passed: Array) -> tuple[int, int]:
    """The two rows between which most is missing to half the pace of the whole; what goes against it counts as nothing.

    >>> _slowest(np.array([0.0, 0.4, 0.5, 0.3, 0.5, 1.0]), np.linspace(0.0, 1.0, 6))
    (1, 4)
    """
    missing = MOVING * (passed[None] - passed[:, None]) - np.maximum(done[None] - done[:, None], 0.0)
    start, stop = np.unravel_index(int(np.argmax(np.triu(missing))), missing.shape)
    return int(start), int(stop)


def _jump(x: Array, values: Array, start: int, stop: int, way: float) -> int:
    """The row of the jump that ends a standstill between two rows, or its end as it is where the data show no jump.

    From the second half of the standstill on, least squares with a step are compared with those with a bend.

    >>> x = np.arange(60.0)
    >>> noise = np.random.default_rng(0).normal(size=60)
    >>> fall, jump = -np.maximum(x - 30.0, 0.0), -20.0 * (x >= 40.0)
    >>> [_jump(x, curve + noise, 0, 34, -1.0) for curve in (fall, jump)]
    [34, 40]
    """
    begin = (start + stop) // 2
    places, some = x[begin:], values[begin:]
    rows = np.arange(FEWEST_ROWS, len(some) - FEWEST_ROWS + 1)
    if len(rows) < FEWEST_ROWS:
        return stop
    steps, bends = (places[:, None] >= places[rows]), np.maximum(places[:, None] - places[rows], 0.0)
    (left, size), (bent, _) = (_least_squares(columns.astype(np.float64), some) for columns in (steps, bends))
    best = int(np.argmin(left))
    clear = len(some) * np.log(max(float(bent.min()), 1e-300) / max(float(left[best]), 1e-300)) > CLEARLY
    return begin + int(rows[best]) if clear and size[best] * way > 0.0 else stop


def _least_squares(columns: Array, values: Array) -> tuple[Array, Array]:
    """What each column (m, k) beside a level leaves of the squares of values (m,), and its coefficient, (k,) each."""
    centred, rest = columns - columns.mean(axis=0), values - values.mean()
    size = rest @ centred / np.maximum(np.sum(centred**2, axis=0), 1e-300)
    return np.sum((rest[:, None] - centred * size) ** 2, axis=0), size

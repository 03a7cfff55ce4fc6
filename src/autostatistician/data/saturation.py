"""Series that level off just below one or a hundred: shares, though no name says so."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import expit

from autostatistician._io.serial_correlation import effective_sample_size
from autostatistician.data.arrays import Floats

__all__ = ["levels_off_below", "nearest_top"]

FEWEST_ROWS = 20
NEAR = 0.9  # of the top: less high neither the values nor the level to which they tend lie near to it
GAIN = 10.0  # of the Bayesian information criterion against a straight line
RATES, MIDDLES = np.geomspace(1.0, 30.0, 25), np.arange(0.1, 0.8, 0.1)  # of curves, along the span
BENT = 1.5  # rates: of a curve that has run less long since its middle nobody knows where it tends to
STEP = 1e-4  # of derivatives


def nearest_top(y: Floats) -> float | None:
    """One or a hundred, where values (n,) reach nearly up to it and none lies above; else None.

    >>> [nearest_top(np.array([0.2, high])) for high in (0.95, 97.0, 50.0, 101.0)]
    [1.0, 100.0, None, None]
    """
    return next((top for top in (1.0, 100.0) if NEAR * top <= y.max() <= top and y.min() >= 0.0), None)


def levels_off_below(x: Floats, y: Floats, top: float) -> bool:
    """Whether values (n,) rise to a level that is near to a ``top`` and with its 95 % range no higher, as shares do.

    It is that of the exponential or logistic curve that fits best by least squares, where that is clearly better than a
    straight line; residuals that go along with their neighbours count as fewer.

    >>> x = np.arange(60.0)
    >>> noise = np.random.default_rng(0).normal(0.0, 0.5, 60)
    >>> [levels_off_below(x, level * (1.0 - np.exp(-x / 15.0)) + noise, 100.0) for level in (98.0, 110.0, 60.0)]
    [True, False, False]
    """
    n = len(y)
    if n < FEWEST_ROWS or nearest_top(y) != top:
        return False
    u = (x - x[0]) / (np.ptp(x) or 1.0)
    straight = np.column_stack([np.ones(n), u])
    line = y - straight @ np.linalg.lstsq(straight, y, rcond=None)[0]
    rest, level, size, rate, middle = min(_curves(u, y), key=lambda curve: float(curve[0] @ curve[0]))
    squares = max(float(rest @ rest), 1e-300)
    independent = effective_sample_size(rest)
    gain = independent * np.log(max(float(line @ line), 1e-300) / squares) - np.log(n)
    error = _error_of_level(u, size, rate, middle) * np.sqrt(squares / max(independent - 3.0, 1.0))
    bent = size < 0.0 and rate * (1.0 - middle) > BENT and gain > GAIN
    return bool(bent and level >= NEAR * top and level + 2.0 * error <= top)


def _curves(u: Floats, y: Floats) -> Iterator[tuple[Floats, float, float, float, float]]:
    """Residuals (n,), the level far ahead, how far below the curve began, its rate and its middle (0: exponential)."""
    for middle in (0.0, *MIDDLES):
        for rate in RATES:
            design = np.column_stack([np.ones(len(u)), _shape(u, rate, middle)])
            level, size = np.linalg.lstsq(design, y, rcond=None)[0]
            yield y - design @ np.array([level, size]), float(level), float(size), float(rate), float(middle)


def _shape(u: Floats, rate: float, middle: float) -> Floats:
    return np.exp(-rate * u) if middle == 0.0 else np.asarray(expit(-2.0 * rate * (u - middle)))


def _error_of_level(u: Floats, size: float, rate: float, middle: float) -> float:
    """The standard error of the level in units of that of a residual, with all that is fitted left open."""
    here = _shape(u, rate, middle)
    slopes = [size * (_shape(u, rate * (1.0 + STEP), middle) - here) / (STEP * rate)]
    slopes += [size * (_shape(u, rate, middle + STEP) - here) / STEP] if middle else []
    columns = np.column_stack([np.ones(len(u)), here, *slopes])
    return float(np.sqrt(np.linalg.pinv(columns.T @ columns)[0, 0]))

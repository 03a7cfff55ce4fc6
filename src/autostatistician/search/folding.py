"""Which cycles a long series has, by folding it: what returns after a period is the same in every fold.

The strongest peak of a periodogram is often a harmonic of the cycle that makes it. A fold shows the whole cycle.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.search.hints import hints

__all__ = ["cycles", "fold"]

Array = NDArray[np.float64]

MOST_CYCLES = 2
MOST_PHASES, FEWEST_PHASES = 48, 4
MOST_HARMONICS = 10  # of a peak, among which its cycle is looked for
FEWEST_FOLDS = 2.0
LEAST_GAIN = 10.0  # of the deviance of what is folded, beside what its phases cost
LEAST_SHARE = 0.01  # of the variance within a period
ALMOST, NEAR = 0.85, 0.06


def cycles(x: Array, y: Array, named: Sequence[float] = ()) -> tuple[float, ...]:
    """The periods that explain most of a series ``y`` (n,) at ``x`` (n,), one beside another.

    Where a calendar has ``named`` cycles, only these are looked at; else the peaks of the periodogram and multiples
    of them.

    >>> days = np.arange(2400) / 24.0
    >>> noise = np.random.default_rng(0).standard_normal(2400)
    >>> day, weekend = np.cos(2.0 * np.pi * days), (days % 7.0 < 2.0)
    >>> [round(one, 2) for one in cycles(days, day - 3.0 * weekend + 0.3 * noise)]
    [7.0, 1.0]
    >>> cycles(days, noise)
    ()
    """
    found: list[float] = []
    order = np.argsort(x, kind="stable")
    x, left = x[order], y[order]
    for _ in range(MOST_CYCLES):
        gains = {one: fold_gain(x, left, one) for one in named or _candidates(x, left) if _is_new(one, found)}
        best = max(gains.values(), default=0.0)
        if best < LEAST_GAIN:
            break
        # a multiple of a cycle repeats, too
        found.append(min(one for one, gain in gains.items() if gain > ALMOST * best))
        left = left - fold(x, left, found[-1])[0]
    return tuple(found)


def _is_new(period: float, known: Sequence[float]) -> bool:
    return all(abs(period - one) > NEAR * one for one in known)


def _candidates(x: Array, y: Array) -> list[float]:
    """The peaks of the periodogram and multiples of them that the series shows often enough."""
    span = float(np.ptp(x))
    peaks = hints(x, y, detrend=True).periods
    multiples = (peak * number for peak in peaks for number in range(1, MOST_HARMONICS + 1))
    return [one for one in multiples if FEWEST_FOLDS * one <= span]


def fold_gain(x: Array, y: Array, period: float) -> float:
    """By how much a fold lowers the deviance of what changes within a period, less what its phases cost."""
    pattern, rest, phases = fold(x, y, period)
    n, folds = len(y), float(np.ptp(x)) / period
    within = float(np.var(pattern + rest))
    share = 1.0 - float(np.var(rest)) / within if within > 0.0 else 0.0
    beyond_chance = (share - 1.0 / folds) / (1.0 - 1.0 / folds)  # folds that have nothing in common share so much
    if beyond_chance < LEAST_SHARE:
        return 0.0
    return -n * float(np.log1p(-min(beyond_chance, 1.0 - 1e-12))) - phases * float(np.log(n))


def fold(x: Array, y: Array, period: float) -> tuple[Array, Array, int]:
    """The average course of ``y`` (n,) over a period at every row, what is left within a period, and the phases."""
    z = y - _moving_average(x, y, period)
    step = float(np.median(np.diff(x)))
    phases = int(np.clip(round(period / step) if step > 0.0 else MOST_PHASES, FEWEST_PHASES, MOST_PHASES))
    place = np.floor(((x - x[0]) / period + 0.5 / phases) % 1.0 * phases).astype(np.intp) % phases
    counts = np.maximum(np.bincount(place, minlength=phases), 1)
    pattern = (np.bincount(place, z, phases) / counts)[place]
    return pattern, z - pattern, phases


def _moving_average(x: Array, y: Array, width: float) -> Array:
    """The means (n,) of the rows within half a width on either side."""
    sums = np.concatenate([[0.0], np.cumsum(y)])
    begin, end = np.searchsorted(x, x - 0.5 * width, "left"), np.searchsorted(x, x + 0.5 * width, "left")
    averages: Array = (sums[end] - sums[begin]) / np.maximum(end - begin, 1)
    return averages

"""Seasons of the calendar whose size changes along the data: without it, what they grow by looks like ups and downs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.series.seasons import SeasonMap, broken_lines

__all__ = ["growing_seasons"]

Array = NDArray[np.float64]

STRETCHES = (1, 2, 4, 8)  # over each of which sizes run straight
CYCLES_IN_STRETCH = 3.0
FEWEST_CYCLES = 4.0
CLEAR = 6.0  # by which the criterion falls


def growing_seasons(x: Array, values: Array, seasons: SeasonMap, gap: float) -> dict[float, int]:
    """Which seasons of a map have sizes that change in the data (m,), with the number of stretches that show it best.

    By the Bayesian information criterion, of the values and of their differences from row to row: a level that wanders
    has no part in these. The average season is multiplied by a broken line.

    >>> from autostatistician.decompose.series.seasons import season_map
    >>> x = np.arange(96.0)
    >>> grows, stays = (size * np.cos(2.0 * np.pi * x / 12.0) for size in (1.0 + 0.1 * x, 5.0))
    >>> noise = np.random.default_rng(0).normal(size=96)
    >>> flat = season_map(x, (12.0,), 1.0)
    >>> growing_seasons(x, grows + noise, flat, 1.0), growing_seasons(x, stays + noise, flat, 1.0)
    ({12.0: 1}, {})
    """
    growing: dict[float, int] = {}
    best, columns = seasons.criteria(values), np.zeros((len(x), 0))
    for index, period in enumerate(seasons.periods):
        cycles = (float(np.ptp(x)) + gap) / period
        if period in seasons.drifting or cycles < FEWEST_CYCLES:
            continue
        season = seasons.season(values[None], index, x)[0]
        before = columns
        for stretches in (count for count in STRETCHES if count == 1 or count * CYCLES_IN_STRETCH <= cycles):
            sizes = broken_lines(x, np.linspace(x[0], x[-1], stretches + 1))[:, 1:]
            trial = np.hstack([before, sizes * season[:, None]])
            tried = seasons.criteria(values, trial)
            if all(new < old - CLEAR for new, old in zip(tried, best, strict=True)):
                growing[period], best, columns = stretches, tried, trial
    return growing

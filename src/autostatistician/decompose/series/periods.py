"""After how long a cycle of a function comes back, by draws of the function: where no calendar knows it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.function import Estimate
from autostatistician.decompose.series.estimates import estimate
from autostatistician.decompose.series.seasons import season_map

__all__ = ["period_of"]

Array = NDArray[np.float64]

DRAWS = 200  # that are asked
REACH = 1.3  # times the period of the models, and divided by it, between which periods are tried
TRIED = 121


def period_of(x: Array, curves: Array, period: float, others: Sequence[float], gap: float) -> Estimate:
    """The period near to one that least squares give for each of curves (k, m) at inputs (m,), beside other cycles.

    A kernel whose cycle may change in the course of the data hardly feels how long its period is.

    Parameters
    ----------
    x, curves : arrays (m,) and (k, m)
        Inputs, and draws of the function there.
    period : float
        That of the models, around which it is looked for.
    others : sequence of float
        Of cycles that are there, too.
    gap : float
        The distance of neighbouring rows.

    Examples
    --------
    >>> x = np.arange(240.0)
    >>> round(period_of(x, np.cos(2.0 * np.pi * x / 41.0)[None], 38.5, (12.0,), 1.0).number)
    41
    """
    tried = period * np.geomspace(1.0 / REACH, REACH, TRIED)
    tried = tried[[not any(abs(candidate - other) <= 0.1 * other for other in others) for candidate in tried]]
    some = curves[:: max(1, len(curves) // DRAWS)]
    squares = [season_map(x, (*others, float(candidate)), gap).squares_left(some) for candidate in tried]
    if not squares:
        return Estimate(period, period, period, 1.0)
    return estimate(tried[np.argmin(squares, axis=0)])

"""Leaves whose increments are stationary, by half the variance of an increment as a function of its length.

A function that is zero at an origin o then has the covariance ``g(x - o) + g(x' - o) - g(x - x')``. The three functions
of a leaf are as in `lag_functions`, of g and without the origin.

Formulas: Taylor, Cumberland and Sy 1994 (A stochastic model for analysis of longitudinal AIDS data), for the
integrated Ornstein-Uhlenbeck process.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.kernels.lag_functions import Derivatives, LagFunction

__all__ = [
    "INTEGRATED_OU",
    "WIENER",
    "iou",
    "iou_derivatives",
    "iou_slope",
    "wiener",
    "wiener_derivatives",
    "wiener_slope",
]

Array = NDArray[np.float64]

# Below this ratio u of lag and lengthscale the difference u - 1 + exp(-u) is a series: its terms nearly cancel.
SMALL_RATIO = 0.1
# u^2 (1/2 - u/6 + u^2/24 - ...), highest power first.
_SERIES = (1 / 3628800, -1 / 362880, 1 / 40320, -1 / 5040, 1 / 720, -1 / 120, 1 / 24, -1 / 6, 1 / 2)


def wiener(lag: Array, sd: float) -> Array:
    """Wiener process, ``sd^2 |lag| / 2``: a walk whose increments have the variance ``sd^2 |lag|``.

    >>> float(wiener(np.array(-3.0), 2.0))
    6.0
    """
    return np.asarray(np.abs(lag) * (0.5 * sd * sd))


def wiener_derivatives(lag: Array, sd: float) -> Derivatives:
    """`wiener` and its derivative with respect to log sd, twice itself."""
    g = wiener(lag, sd)
    return g, (2.0 * g,)


def wiener_slope(lag: Array, sd: float) -> Array:
    """The slope of `wiener` by the lag, ``sign(lag) sd^2 / 2``; zero at lag zero, where it jumps.

    >>> wiener_slope(np.array([-2.0, 0.0, 2.0]), 2.0).tolist()
    [-2.0, 0.0, 2.0]
    """
    return np.asarray(np.sign(lag) * (0.5 * sd * sd))


def iou(lag: Array, lengthscale: float, sd: float) -> Array:
    """Integrated Ornstein-Uhlenbeck process, ``sd^2 l^2 (u - 1 + exp(-u))`` with ``u = |lag| / lengthscale``.

    The slope has the deviation ``sd`` and is forgotten over the lengthscale: with a long one a line, with a short one
    `wiener` with the deviation ``sd sqrt(2 lengthscale)``.

    >>> float(iou(np.array(-2.0), 2.0, 0.5).round(6))
    0.367879
    """
    g, _, _ = _rise(lag, lengthscale)
    g *= (lengthscale * sd) ** 2
    return g


def iou_derivatives(lag: Array, lengthscale: float, sd: float) -> Derivatives:
    """`iou` and its derivatives with respect to log lengthscale and log sd.

    ``dg/dlog l = 2 g - sd^2 l^2 u (1 - exp(-u))`` and ``dg/dlog s = 2 g``.
    """
    g, ratio, forgotten = _rise(lag, lengthscale)
    variance = (lengthscale * sd) ** 2
    g *= variance
    twice = 2.0 * g
    ratio *= forgotten
    ratio *= variance
    return g, (twice + ratio, twice)


def iou_slope(lag: Array, lengthscale: float, sd: float) -> Array:
    """The slope of `iou` by the lag, ``sign(lag) sd^2 l (1 - exp(-u))``.

    >>> float(iou_slope(np.array(-2.0), 2.0, 0.5).round(6))
    -0.31606
    """
    return np.asarray(np.expm1(-np.abs(lag / lengthscale)) * np.sign(lag) * (-sd * sd * lengthscale))


def _rise(lag: Array, lengthscale: float) -> tuple[Array, Array, Array]:
    """``u - 1 + exp(-u)``, ``u`` and ``exp(-u) - 1``, each exact to its last digits."""
    ratio = np.asarray(np.abs(lag / lengthscale))
    forgotten = np.asarray(np.expm1(-ratio))
    rise = np.asarray(ratio + forgotten)
    small = ratio < SMALL_RATIO
    if small.any():
        u = ratio[small]
        series = np.full(u.shape, _SERIES[0])
        for coefficient in _SERIES[1:]:
            series *= u
            series += coefficient
        rise[small] = series * u * u
    return rise, ratio, forgotten


WIENER = LagFunction(wiener, wiener_derivatives, wiener_slope)
INTEGRATED_OU = LagFunction(iou, iou_derivatives, iou_slope)

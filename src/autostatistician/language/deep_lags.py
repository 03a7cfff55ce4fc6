"""Deep kernels as functions of the lag, with derivatives: the leaves Deep2, Deep3 and Deep (see `lag_functions`).

Random functions of many features, these of a random function of many features and of the input again, and so on: with
``u = lag^2 / (2 lengthscale^2)`` the correlation is ``k_1 = exp(-u)`` and ``k_(l+1) = exp(k_l - 1 - u)``, and without
end that one of the solutions of ``k - log k = 1 + u`` which is at most one (Duvenaud 2014, section 5.5, whose sign of u
is a slip).

All of them are mixtures of squared exponential kernels: ``k_l`` is the mean of ``exp(-N u)`` where N is the number of
people in the first l generations of a family in which each has a Poisson(1) number of children. So they are
covariances, and infinitely divisible; without end N has the distribution of Borel.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import lambertw

from autostatistician.language.lag_functions import Derivatives, LagFunction

__all__ = [
    "DEEP",
    "DEEP_2",
    "DEEP_3",
    "deep",
    "deep_derivatives",
    "deep_slope",
    "endless",
    "endless_derivatives",
    "endless_slope",
]

Array = NDArray[np.float64]

# Near lag zero (1 - k) / d for d = |lag| / lengthscale is a series, since there the Lambert function loses half its
# digits: with k - log k - 1 = d^2 / 2, 1 - k = d - d^2/3 + d^3/36 + d^4/270 ... Highest power first.
SMALL = 0.1
_SERIES = (-571 / 2351462400, -1 / 204120, -139 / 5443200, -1 / 17010, 1 / 4320, 1 / 270, 1 / 36, -1 / 3, 1.0)


def deep(lag: Array, lengthscale: float, sd: float, *, layers: int) -> Array:
    """The deep kernel of so many layers, each connected to the input: ``sd^2 k_layers``.

    >>> [float(deep(np.array(1.0), 1.0, 1.0, layers=layers).round(4)) for layers in (1, 2, 3)]
    [0.6065, 0.4092, 0.336]
    """
    k, _, _ = _nested(lag, lengthscale, layers)
    k *= sd * sd
    return k


def deep_derivatives(lag: Array, lengthscale: float, sd: float, *, layers: int) -> Derivatives:
    """`deep` and its derivatives with respect to log lengthscale and log sd.

    ``dk_1/du = -k_1``, ``dk_(l+1)/du = k_(l+1) (dk_l/du - 1)``, ``du/dlog l = -2 u`` and ``dk/dlog s = 2 k``.
    """
    k, by_u, distance = _nested(lag, lengthscale, layers)
    k *= sd * sd
    return k, (by_u * distance**2 * (-sd * sd), 2.0 * k)


def deep_slope(lag: Array, lengthscale: float, sd: float, *, layers: int) -> Array:
    """The slope of `deep` by the lag, ``sd^2 dk/du lag / l^2``.

    >>> float(deep_slope(np.array(1.0), 1.0, 1.0, layers=2).round(4))
    -0.6574
    """
    _, by_u, distance = _nested(lag, lengthscale, layers)
    return np.asarray(by_u * distance * (sd * sd / lengthscale))


def _nested(lag: Array, lengthscale: float, layers: int) -> tuple[Array, Array, Array]:
    """The correlation, its derivative by u, and the lag in lengthscales."""
    distance = np.asarray(lag / lengthscale)
    u = 0.5 * distance * distance
    k = np.asarray(np.exp(-u))
    by_u = -k
    for _ in range(layers - 1):
        k = np.asarray(np.exp(k - 1.0 - u))
        by_u = k * (by_u - 1.0)
    return k, by_u, distance


def endless(lag: Array, lengthscale: float, sd: float) -> Array:
    """The deep kernel without end: ``sd^2 k`` with ``k = -W(-exp(-1 - u))``, W the main branch of Lambert's function.

    Near lag zero it falls like ``exp(-|lag| / lengthscale)``, far off as fast as a squared exponential.

    >>> endless(np.array([0.5, 1.0, 2.0, 3.0]), 1.0, 1.0).round(4).tolist()
    [0.5796, 0.3017, 0.0525, 0.0041]
    """
    k, _, _ = _limit(lag, lengthscale)
    k *= sd * sd
    return k


def endless_derivatives(lag: Array, lengthscale: float, sd: float) -> Derivatives:
    """`endless` and its derivatives with respect to log lengthscale and log sd.

    Of ``k - log k = 1 + u``: ``dk/du = -k / (1 - k)``, so ``dk/dlog l = d^2 k / (1 - k)`` with ``d = |lag| / l``, which
    is zero at lag zero; ``dk/dlog s = 2 k``.
    """
    k, rise, distance = _limit(lag, lengthscale)
    k *= sd * sd
    return k, (k * distance / rise, 2.0 * k)


def endless_slope(lag: Array, lengthscale: float, sd: float) -> Array:
    """The slope of `endless` by the lag, ``-sign(lag) sd^2 (k d / (1 - k)) / l``; zero at lag zero, where it jumps.

    >>> endless_slope(np.array([-1e-9, 0.0, 1e-9]), 2.0, 1.0).round(4).tolist()
    [0.5, -0.0, -0.5]
    """
    k, rise, _ = _limit(lag, lengthscale)
    return np.asarray(k / rise * (-np.sign(lag) * (sd * sd / lengthscale)))


def _limit(lag: Array, lengthscale: float) -> tuple[Array, Array, Array]:
    """The correlation k, ``(1 - k) / d``, and ``d``, the length of the lag in lengthscales."""
    distance = np.asarray(np.abs(lag / lengthscale))
    k, rise = np.empty(distance.shape), np.empty(distance.shape)
    small = distance < SMALL
    near, far = distance[small], distance[~small]
    rise[small] = np.polyval(_SERIES, near)
    k[small] = 1.0 - near * rise[small]
    k[~small] = -lambertw(-np.exp(-1.0 - 0.5 * far * far)).real
    rise[~small] = (1.0 - k[~small]) / far
    return k, rise, distance


def _of(layers: int) -> LagFunction:
    return LagFunction(
        partial(deep, layers=layers), partial(deep_derivatives, layers=layers), partial(deep_slope, layers=layers)
    )


DEEP_2, DEEP_3 = _of(2), _of(3)
DEEP = LagFunction(endless, endless_derivatives, endless_slope)

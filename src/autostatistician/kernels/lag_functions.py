"""Stationary leaves as functions of the lag, with derivatives; `periodic` has those that repeat.

Every leaf has three functions with the same arguments: the lags (any shape, any sign) and the parameters in the order
of its row in `autostatistician.kernels.leaves.LEAVES`. The first returns the covariances, the second also their
derivatives with respect to the *logarithm* of each parameter, the third the derivatives of the covariances with respect
to the lag. Where a covariance has a kink at lag zero, its slope there is zero, the mean of both sides.

Formulas: Duvenaud 2014 (Automatic Model Construction with Gaussian Processes), appendix B, for SE and RQ; Rasmussen and
Williams 2006 (Gaussian Processes for Machine Learning), section 4.2.1, for the Matern leaves.

Leaves whose increments are stationary, by half the variance of an increment as a function of its length.

A function that is zero at an origin o then has the covariance ``g(x - o) + g(x' - o) - g(x - x')``. The three functions
of a leaf are as in `lag_functions`, of g and without the origin.

Formulas: Taylor, Cumberland and Sy 1994 (A stochastic model for analysis of longitudinal AIDS data), for the integrated
Ornstein-Uhlenbeck process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import lambertw

from autostatistician.kernels.periodic import cos, cos_derivatives, cos_slope, per, per_derivatives, per_slope

__all__ = [
    "CATEGORIES", "COSINE", "DEEP", "DEEP_2", "DEEP_3", "INTEGRATED_OU", "MATERN_12", "MATERN_32", "PERIODIC",
    "RATIONAL_QUADRATIC", "SQUARED_EXPONENTIAL", "WIENER", "LagFunction", "cat", "cat_derivatives", "iou",
    "iou_derivatives", "iou_slope", "matern12", "matern12_derivatives", "matern12_slope", "matern32",
    "matern32_derivatives", "matern32_slope", "rq", "rq_derivatives", "rq_slope", "se", "se_derivatives", "se_slope",
    "wiener", "wiener_derivatives", "wiener_slope",
]  # fmt: skip


Array = NDArray[np.float64]

Derivatives = tuple[Array, tuple[Array, ...]]

# Near lag zero (1 - k) / d for d = |lag| / lengthscale is a series, since there the Lambert function loses half its
# digits: with k - log k - 1 = d^2 / 2, 1 - k = d - d^2/3 + d^3/36 + d^4/270 ... Highest power first.
SMALL = 0.1

_LAMBERT_SERIES = (-571 / 2351462400, -1 / 204120, -139 / 5443200, -1 / 17010, 1 / 4320, 1 / 270, 1 / 36, -1 / 3, 1.0)


@dataclass(frozen=True, slots=True)
class LagFunction:
    """The functions of one leaf: ``value(lag, *parameters)``, the same with derivatives, and the slope by the lag."""

    value: Callable[..., Array]
    value_and_derivatives: Callable[..., Derivatives]
    slope: Callable[..., Array]


def se(lag: Array, lengthscale: float, sd: float) -> Array:
    """Squared exponential, ``sd^2 exp(-lag^2 / (2 lengthscale^2))``.

    >>> float(se(np.array(2.0), 2.0, 1.0).round(6))
    0.606531
    """
    k = np.asarray(lag / lengthscale)
    np.multiply(k, k, out=k)
    k *= -0.5
    np.exp(k, out=k)
    k *= sd * sd
    return k


def se_derivatives(lag: Array, lengthscale: float, sd: float) -> Derivatives:
    """`se` and its derivatives with respect to log lengthscale and log sd.

    ``dk/dlog l = k lag^2 / l^2`` and ``dk/dlog s = 2 k``.
    """
    square = np.asarray(lag / lengthscale)
    np.multiply(square, square, out=square)
    k = np.asarray(square * -0.5)
    np.exp(k, out=k)
    k *= sd * sd
    square *= k
    return k, (square, 2.0 * k)


def se_slope(lag: Array, lengthscale: float, sd: float) -> Array:
    """The slope of `se` by the lag, ``-k lag / l^2``.

    >>> float(se_slope(np.array(2.0), 2.0, 1.0).round(6))
    -0.303265
    """
    return np.asarray(se(lag, lengthscale, sd) * (-lag / lengthscale) / lengthscale)


def rq(lag: Array, lengthscale: float, sd: float, alpha: float) -> Array:
    """Rational quadratic, ``sd^2 (1 + lag^2 / (2 alpha lengthscale^2))^(-alpha)``; tends to `se` as alpha grows.

    >>> float(rq(np.array(2.0), 2.0, 1.0, 1e12).round(6))
    0.606531
    """
    k = _rq_ratio(lag, lengthscale, alpha)
    np.log1p(k, out=k)
    k *= -alpha
    np.exp(k, out=k)
    k *= sd * sd
    return k


def rq_derivatives(lag: Array, lengthscale: float, sd: float, alpha: float) -> Derivatives:
    """`rq` and its derivatives with respect to log lengthscale, log sd and log alpha.

    With ``q = lag^2 / (2 alpha l^2)``: ``dk/dlog l = 2 alpha k q / (1 + q)``, ``dk/dlog s = 2 k`` and
    ``dk/dlog alpha = alpha k (q / (1 + q) - log(1 + q))``.
    """
    ratio = _rq_ratio(lag, lengthscale, alpha)
    logarithm = np.log1p(ratio)
    k = np.asarray(logarithm * -alpha)
    np.exp(k, out=k)
    k *= sd * sd
    share = np.asarray(ratio / (1.0 + ratio))
    by_alpha = np.asarray(share - logarithm)
    if np.any(alpha > _LARGE_ALPHA):
        small = (ratio < _SMALL_RATIO) & (alpha > _LARGE_ALPHA)
        by_alpha[small] = np.polyval(_RQ_SERIES, ratio[small]) * ratio[small] ** 2
    by_alpha *= k
    by_alpha *= alpha
    share *= k
    share *= 2.0 * alpha
    return k, (share, 2.0 * k, by_alpha)


# q / (1 + q) - log(1 + q) = -q^2/2 + 2 q^3/3 - 3 q^4/4 ...: the difference cancels for small q, which matters when
# alpha is large, since then all lags with a covariance worth the name have a small q.
_LARGE_ALPHA, _SMALL_RATIO = 100.0, 0.01

_RQ_SERIES = np.array([(-1.0) ** (k - 1) * (k - 1) / k for k in range(9, 1, -1)])


def _rq_ratio(lag: Array, lengthscale: float, alpha: float) -> Array:
    ratio = np.asarray(lag / lengthscale)
    np.multiply(ratio, ratio, out=ratio)
    ratio /= 2.0 * alpha
    return ratio


def rq_slope(lag: Array, lengthscale: float, sd: float, alpha: float) -> Array:
    """The slope of `rq` by the lag, ``-(k / (1 + q)) lag / l^2`` with ``q = lag^2 / (2 alpha l^2)``.

    >>> float(rq_slope(np.array(2.0), 2.0, 1.0, 0.5).round(6))
    -0.176777
    """
    k = rq(lag, lengthscale, sd, alpha) / (1.0 + _rq_ratio(lag, lengthscale, alpha))
    return np.asarray(k * (-lag / lengthscale) / lengthscale)


def matern12(lag: Array, lengthscale: float, sd: float) -> Array:
    """Matern of order 1/2 (Ornstein-Uhlenbeck), ``sd^2 exp(-|lag| / lengthscale)``.

    >>> float(matern12(np.array(-2.0), 2.0, 1.0).round(6))
    0.367879
    """
    return np.asarray(np.exp(-np.abs(lag / lengthscale)) * (sd * sd))


def matern12_derivatives(lag: Array, lengthscale: float, sd: float) -> Derivatives:
    """`matern12` and its derivatives with respect to log lengthscale and log sd.

    ``dk/dlog l = k |lag| / l`` and ``dk/dlog s = 2 k``.
    """
    distance = np.abs(lag / lengthscale)
    k = np.asarray(np.exp(-distance) * (sd * sd))
    return k, (distance * k, 2.0 * k)


def matern12_slope(lag: Array, lengthscale: float, sd: float) -> Array:
    """The slope of `matern12` by the lag, ``-sign(lag) k / l``; zero at lag zero, where it jumps.

    >>> matern12_slope(np.array([-2.0, 0.0, 2.0]), 2.0, 1.0).round(6).tolist()
    [0.18394, -0.0, -0.18394]
    """
    return np.asarray(matern12(lag, lengthscale, sd) * (-np.sign(lag) / lengthscale))


def matern32(lag: Array, lengthscale: float, sd: float) -> Array:
    """Matern of order 3/2, ``sd^2 (1 + d) exp(-d)`` with ``d = sqrt(3) |lag| / lengthscale``.

    >>> float(matern32(np.array(-2.0), 2.0, 1.0).round(6))
    0.483358
    """
    distance = np.abs(lag * (sqrt(3.0) / lengthscale))
    return np.asarray((1.0 + distance) * np.exp(-distance) * (sd * sd))


def matern32_derivatives(lag: Array, lengthscale: float, sd: float) -> Derivatives:
    """`matern32` and its derivatives with respect to log lengthscale and log sd.

    ``dk/dlog l = sd^2 d^2 exp(-d)`` and ``dk/dlog s = 2 k``.
    """
    distance = np.abs(lag * (sqrt(3.0) / lengthscale))
    falling = np.asarray(np.exp(-distance) * (sd * sd))
    k = (1.0 + distance) * falling
    return k, (distance * distance * falling, 2.0 * k)


def matern32_slope(lag: Array, lengthscale: float, sd: float) -> Array:
    """The slope of `matern32` by the lag, ``-3 sd^2 lag / l^2 exp(-d)``.

    >>> float(matern32_slope(np.array(-2.0), 2.0, 1.0).round(6))
    0.265382
    """
    falling = np.exp(-np.abs(lag * (sqrt(3.0) / lengthscale))) * (sd * sd)
    return np.asarray(falling * (-3.0 * lag / lengthscale) / lengthscale)


def cat(lag: Array, contrast: float, sd: float) -> Array:
    """Categories as codes: ``sd^2`` where they are equal (lag zero), ``sd^2 / (1 + contrast)`` where they differ.

    The contrast is the variance of what each category has for itself, relative to that of what all share: an
    exchangeable (compound-symmetric) covariance, as one squared exponential over one-of-k codes gives it (Duvenaud
    2014, section 2.9).

    >>> cat(np.array([0.0, 1.0, -3.0]), 3.0, 2.0).tolist()
    [4.0, 1.0, 1.0]
    """
    variance = sd * sd
    return np.where(lag == 0.0, variance, variance / (1.0 + contrast))


def cat_derivatives(lag: Array, contrast: float, sd: float) -> Derivatives:
    """`cat` and its derivatives with respect to log contrast and log sd.

    Where categories differ ``dk/dlog c = -k c / (1 + c)``, else zero; ``dk/dlog s = 2 k``.
    """
    k = cat(lag, contrast, sd)
    by_contrast = np.where(lag == 0.0, 0.0, -sd * sd * contrast / (1.0 + contrast) ** 2)
    return k, (by_contrast, 2.0 * k)


def cat_slope(lag: Array, contrast: float, sd: float) -> Array:
    """Zero: codes of categories have no order."""
    return np.zeros(np.shape(lag))


SQUARED_EXPONENTIAL = LagFunction(se, se_derivatives, se_slope)

RATIONAL_QUADRATIC = LagFunction(rq, rq_derivatives, rq_slope)

MATERN_12 = LagFunction(matern12, matern12_derivatives, matern12_slope)

MATERN_32 = LagFunction(matern32, matern32_derivatives, matern32_slope)

PERIODIC = LagFunction(per, per_derivatives, per_slope)

COSINE = LagFunction(cos, cos_derivatives, cos_slope)

CATEGORIES = LagFunction(cat, cat_derivatives, cat_slope)


# --- Deep kernels as functions of the lag, with derivatives ---------------------------------------------------------


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
    rise[small] = np.polyval(_LAMBERT_SERIES, near)
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


# Below this ratio u of lag and lengthscale the difference u - 1 + exp(-u) is a series: its terms nearly cancel.
SMALL_RATIO = 0.1
# u^2 (1/2 - u/6 + u^2/24 - ...), highest power first.
_RISE_SERIES = (1 / 3628800, -1 / 362880, 1 / 40320, -1 / 5040, 1 / 720, -1 / 120, 1 / 24, -1 / 6, 1 / 2)


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
        series = np.full(u.shape, _RISE_SERIES[0])
        for coefficient in _RISE_SERIES[1:]:
            series *= u
            series += coefficient
        rise[small] = series * u * u
    return rise, ratio, forgotten


WIENER = LagFunction(wiener, wiener_derivatives, wiener_slope)
INTEGRATED_OU = LagFunction(iou, iou_derivatives, iou_slope)

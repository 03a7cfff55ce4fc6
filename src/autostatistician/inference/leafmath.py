"""Stationary leaves as functions of the lag, with derivatives; `periodic` has those that repeat.

Every leaf has two functions with the same arguments: the lags (any shape, any sign) and the parameters in the order
of `autostatistician.language.leaves.LEAVES`. The first returns the covariances, the second also their derivatives
with respect to the *logarithm* of each parameter. `STATIONARY` finds them by symbol.

Formulas: Duvenaud 2014 (Automatic Model Construction with Gaussian Processes), appendix B, for SE and RQ; Rasmussen
and Williams 2006 (Gaussian Processes for Machine Learning), section 4.2.1, for the Matern leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.periodic import cos, cos_derivatives, per, per_derivatives

__all__ = [
    "STATIONARY", "LeafMath", "cat", "cat_derivatives", "matern12", "matern12_derivatives", "matern32",
    "matern32_derivatives", "rq", "rq_derivatives", "se", "se_derivatives",
]  # fmt: skip

Array = NDArray[np.float64]
Derivatives = tuple[Array, tuple[Array, ...]]


@dataclass(frozen=True, slots=True)
class LeafMath:
    """The two functions of one leaf: ``value(lag, *parameters)`` and the same with derivatives."""

    value: Callable[..., Array]
    value_and_derivatives: Callable[..., Derivatives]


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
    if alpha > _LARGE_ALPHA:
        small = ratio < _SMALL_RATIO
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


def cat(lag: Array, contrast: float, sd: float) -> Array:
    """Categories as codes: ``sd^2`` where they are equal (lag zero), ``sd^2 / (1 + contrast)`` where they differ.

    The contrast is the variance of what each category has for itself, relative to that of what all share: an
    exchangeable (compound-symmetric) covariance, as one squared exponential over one-of-k codes gives it (Duvenaud
    2014, section 2.6.1).

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


STATIONARY: dict[str, LeafMath] = {
    "SE": LeafMath(se, se_derivatives),
    "RQ": LeafMath(rq, rq_derivatives),
    "Matern12": LeafMath(matern12, matern12_derivatives),
    "Matern32": LeafMath(matern32, matern32_derivatives),
    "Per": LeafMath(per, per_derivatives),
    "Cos": LeafMath(cos, cos_derivatives),
    "Cat": LeafMath(cat, cat_derivatives),
}

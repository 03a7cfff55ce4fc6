"""Smooth leaves and leaves that wander: squared exponential, rational quadratic, Matern and deep kernels.

Of each its functions of the lag, its exponential terms, and its row of the table.

Formulas: Duvenaud 2014 (Automatic Model Construction with Gaussian Processes), appendix B, for SE and RQ; Rasmussen and
Williams 2006 (Gaussian Processes for Machine Learning), section 4.2.1, for the Matern leaves. Terms of the squared
exponential: a table made by `benchmarks/fit_exponential_terms.py`.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import lru_cache, partial
from importlib import resources
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import lambertw

from autostatistician.i18n.messages import message
from autostatistician.kernels.lag_functions import (
    FINEST,
    Accuracy,
    Derivatives,
    Exponentials,
    LagFunction,
    LeafTerms,
    StateSpace,
    Values,
    by_length_and_size,
    fitted,
)
from autostatistician.kernels.leaf_row import SD, Decay, LeafKind, LeafRow, Start, lengthscale_of, shape_of

__all__ = ["SMOOTH_LEAVES"]


Array = NDArray[np.float64]


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


ROUNDING, FACTORIALS = 1e-16, np.cumprod([1.0, *range(1, 24)])


@lru_cache(maxsize=1)
def _table() -> list[tuple[float, float, int, Exponentials]]:
    """Longest lag, error, number of columns and terms of ``exp(-t^2 / 2)``, fewest columns first."""
    text = (resources.files(__package__) / "squared_exponential_terms.csv").read_text()
    groups: dict[tuple[float, ...], list[list[float]]] = {}
    for row in list(csv.reader(text.splitlines()))[1:]:
        longest, columns, error, *row_terms = map(float, row)
        groups.setdefault((columns, error, longest), []).append(row_terms)
    terms = []
    for (columns, error, longest), lines in sorted(groups.items()):
        rate, weight = (np.array(lines) @ part for part in ([[1], [1j], [0], [0]], [[0], [0], [1], [1j]]))
        steady = rate[:, 0].imag == 0.0
        unit = Exponentials(weight, rate[:, 0], steady, np.zeros(len(lines), dtype=np.intp))
        terms.append((longest, error, int(columns), unit))
    return terms


def _smooth(error: float, longest: float) -> Exponentials:
    """The fewest terms of ``exp(-t^2 / 2)`` that are good enough up to a lag, else the best ones."""
    serving = [entry for entry in _table() if longest <= entry[0]]
    return next((entry for entry in serving if entry[1] <= error), serving[-1])[3]


def _se(values: Values, accuracy: Accuracy) -> LeafTerms:
    lengthscale, sd = values
    if accuracy.error < FINEST and _is_short(values, accuracy.longest):
        return _short_se(values, accuracy.longest)
    unit = _smooth(accuracy.error, accuracy.longest / lengthscale)
    terms = replace(unit, weight=unit.weight * sd**2, rate=unit.rate / lengthscale)
    return terms, by_length_and_size(terms)


def _is_short(values: Values, longest: float) -> bool:
    """Whether all lags are within the lengthscale of a squared exponential: then a few of its powers are exact."""
    return longest <= values[0]


def _short_se(values: Values, longest: float) -> LeafTerms:
    """As the powers of the lag that a double sees: ``exp(-t^2 / 2)`` is the sum of ``(-t^2 / 2)^k / k!``."""
    lengthscale, sd = values
    half = 0.5 * (longest / lengthscale) ** 2
    shares = half ** np.arange(FACTORIALS.size) / FACTORIALS
    k = np.arange(int(np.argmax(shares < ROUNDING)))
    weight, by_lengthscale = np.zeros((2, 1, 2 * len(k) - 1))
    weight[0, ::2] = sd**2 * (-0.5 / lengthscale**2) ** k / FACTORIALS[k]
    by_lengthscale[0, ::2] = -2.0 * k * weight[0, ::2]
    terms = Exponentials.of(weight, [0.0], real=True)
    return terms, [(by_lengthscale.astype(complex), 0.0 * terms.rate), (2.0 * terms.weight, 0.0 * terms.rate)]


def _finest_se(values: Values, longest: float) -> float:
    return 0.0 if _is_short(values, longest) else FINEST


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


RATIONAL_QUADRATIC = LagFunction(rq, rq_derivatives, rq_slope)


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


def _matern12_terms(values: Values, accuracy: Accuracy) -> LeafTerms:
    lengthscale, sd = values
    terms = Exponentials.of([sd**2], [1.0 / lengthscale], real=True)
    return terms, by_length_and_size(terms)


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


def _matern32_terms(values: Values, accuracy: Accuracy) -> LeafTerms:
    lengthscale, sd = values
    rate = sqrt(3.0) / lengthscale
    terms = Exponentials.of([[sd**2, sd**2 * rate]], [rate], real=True)
    return terms, by_length_and_size(terms, terms.weight * [0.0, -1.0])


# Near lag zero (1 - k) / d for d = |lag| / lengthscale is a series, since there the Lambert function loses half its
# digits: with k - log k - 1 = d^2 / 2, 1 - k = d - d^2/3 + d^3/36 + d^4/270 ... Highest power first.
SMALL = 0.1


_LAMBERT_SERIES = (-571 / 2351462400, -1 / 204120, -139 / 5443200, -1 / 17010, 1 / 4320, 1 / 270, 1 / 36, -1 / 3, 1.0)


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

# --- Their rows in the table ---

SMOOTH_LEAVES = {
    "SE": LeafRow(
        message("squared exponential kernel"),
        message("a smooth curve without a fixed form"),
        LeafKind.SMOOTH,
        (lengthscale_of(message("length over which it changes")), SD),
        LagFunction(se, se_derivatives, se_slope),
        Decay(0.5, 2, exponential=True),
        divisible=True,
        for_few_rows=True,
        spellings=("rbf", "exponential"),
        state_space=StateSpace(_se, 7, _finest_se),
    ),
    "RQ": LeafRow(
        message("rational quadratic kernel"),
        message("a smooth curve that varies on several scales"),
        LeafKind.SMOOTH,
        (
            lengthscale_of(message("typical length over which it changes")),
            SD,
            shape_of("alpha", message("mixture of scales (small: many, large: one)"), 0.05, 100.0),
        ),
        RATIONAL_QUADRATIC,
        Decay(0.5, 2, mixed=True),
        divisible=True,
        state_space=fitted(RATIONAL_QUADRATIC),
    ),
    # Levels and slopes that wander: with a long lengthscale a Wiener process and its integral.
    "Matern12": LeafRow(
        message("Matern kernel of order 1/2"),
        message("a level that wanders"),
        LeafKind.WANDERING,
        (lengthscale_of(message("length of its memory"), Start.MEMORY), SD),
        LagFunction(matern12, matern12_derivatives, matern12_slope),
        Decay(1.0, 1, exponential=True),
        divisible=True,
        state_space=StateSpace(_matern12_terms, 1),
    ),
    "Matern32": LeafRow(
        message("Matern kernel of order 3/2"),
        message("a curve whose slope wanders"),
        LeafKind.WANDERING,
        (lengthscale_of(message("length over which its slope changes"), Start.MEMORY), SD),
        LagFunction(matern32, matern32_derivatives, matern32_slope),
        Decay(1.5, 2),
        divisible=True,
        state_space=StateSpace(_matern32_terms, 2),
    ),
    # Deep kernels, every layer connected to the input: mixtures of squared exponentials of the lengthscale and of
    # shorter ones; without end of ever shorter ones.
    "Deep2": LeafRow(
        message("deep kernel of two layers"),
        message("a smooth curve with some finer detail"),
        LeafKind.SMOOTH,
        (lengthscale_of(message("length over which it changes")), SD),
        DEEP_2,
        Decay(1.0, 2, mixed=True),
        divisible=True,
        state_space=fitted(DEEP_2),
    ),
    "Deep3": LeafRow(
        message("deep kernel of three layers"),
        message("a smooth curve with finer detail"),
        LeafKind.SMOOTH,
        (lengthscale_of(message("length over which it changes")), SD),
        DEEP_3,
        Decay(1.5, 2, mixed=True),
        divisible=True,
        state_space=fitted(DEEP_3),
    ),
    "Deep": LeafRow(
        message("deep kernel of infinitely many layers"),
        message("a rough curve, like a level that wanders, that forgets all in the end"),
        LeafKind.WANDERING,
        (lengthscale_of(message("length of its memory")), SD),
        DEEP,
        Decay(1.0, 1),
        divisible=True,
        spellings=("deepkernel", "deepest"),
        state_space=fitted(DEEP),
    ),
}

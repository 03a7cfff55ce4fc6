"""The leaves that repeat, Per and Cos: functions of the lag, exponential terms, and rows of the table.

Formulas: Duvenaud 2014 (Automatic Model Construction with Gaussian Processes), appendix B, for Cos; Lloyd et al. 2014
(Automatic Construction and Natural-Language Description of Nonparametric Regression Models), supplement, for the
periodic kernel without a constant part.
"""

from __future__ import annotations

from math import exp, expm1, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import i0e, i1e, ive

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
)
from autostatistician.kernels.leaf_row import SD, Amount, LeafKind, LeafParameter, LeafRow, Role, Start, Unit, shape_of

__all__ = ["CYCLIC_LEAVES"]

Array = NDArray[np.float64]


def cos(lag: Array, period: float, sd: float) -> Array:
    """Cosine, ``sd^2 cos(2 pi lag / period)``.

    >>> float(cos(np.array(0.25), 0.5, 2.0))
    -4.0
    """
    depth = _tangents(lag, period)
    depth *= depth
    depth /= depth + 1.0
    depth *= 2.0
    k = np.subtract(1.0, depth, out=depth)
    k *= sd * sd
    return k


def cos_derivatives(lag: Array, period: float, sd: float) -> Derivatives:
    """`cos` and its derivatives with respect to log period and log sd.

    With ``D = 2 pi lag / period``: ``dk/dlog p = s^2 D sin D``.
    """
    depth, by_period = _sines(lag, period)
    k = np.subtract(1.0, depth, out=depth)
    k *= sd * sd
    by_period *= lag
    by_period *= 4.0 * pi * sd * sd / period
    return k, (by_period, 2.0 * k)


def cos_slope(lag: Array, period: float, sd: float) -> Array:
    """The slope of `cos` by the lag, ``-sd^2 (2 pi / period) sin(2 pi lag / period)``.

    >>> float(cos_slope(np.array(0.125), 0.5, 1.0).round(4))
    -12.5664
    """
    _, half_sine = _sines(lag, period)
    half_sine *= -4.0 * pi * sd * sd / period
    return half_sine


def _turns(lag: Array, period: float) -> Array:
    # Whole periods are taken off before the multiplication by pi, which keeps far lags exact and sines fast.
    turns = np.asarray(lag / period)
    turns -= np.rint(turns)
    return turns


def _tangents(lag: Array, period: float) -> Array:
    # t = tan(pi lag / period)
    tangent = _turns(lag, period)
    tangent *= pi
    return np.asarray(np.tan(tangent, out=tangent))


def _sines(lag: Array, period: float) -> tuple[Array, Array]:
    # 1 - cos D and sin(D) / 2 for D = 2 pi lag / period, both from t = tan(D / 2): one tangent costs an eighth of a
    # sine and a cosine (NumPy has a vector tangent), and 2 t^2 / (1 + t^2), t / (1 + t^2) lose no digits.
    tangent = _tangents(lag, period)
    depth = np.asarray(tangent * tangent)
    below = depth + 1.0
    tangent /= below
    depth /= below
    depth *= 2.0
    return depth, tangent


def per(lag: Array, lengthscale: float, period: float, sd: float) -> Array:
    """Periodic without a constant part; marginal variance ``sd^2``, mean over a period zero.

    With ``z = lengthscale^-2``: ``sd^2 [exp(z cos(2 pi lag / period)) - I0(z)] / [exp(z) - I0(z)]``
    (Lloyd et al. 2014). The lengthscale is relative to the period (no unit). For large lengthscales the kernel
    tends to `cos`.

    Computed as ``1 + expm1(-z v) / q`` with ``v = 1 - cos = 2 sin^2`` and ``q = 1 - exp(-z) I0(z)``, both free of
    cancellation for all z.

    >>> float(per(np.array(1.0), 0.5, 2.0, 1.0).round(6)), float(per(np.array(1.0), 1e9, 2.0, 1.0))
    (-0.260614, -1.0)
    """
    if isinstance(lengthscale, np.ndarray):
        return per_derivatives(lag, lengthscale, period, sd)[0]
    z = lengthscale**-2
    k = _turns(lag, period)
    k *= pi
    np.tan(k, out=k)
    np.multiply(k, k, out=k)
    k /= 1.0 + k
    if z < _SMALL_Z:
        k *= -2.0 * _mean_slope(k, z)
        k /= np.polyval(_Q_SERIES, z)
    elif z < _MODERATE_Z:
        k *= -2.0 * z
        np.expm1(k, out=k)
        k /= _q(z)
    else:
        k *= -2.0 * z
        np.exp(k, out=k)
        k -= 1.0
        k /= _q(z)
    k += 1.0
    k *= sd * sd
    return k


def per_derivatives(lag: Array, lengthscale: float, period: float, sd: float) -> Derivatives:
    """`per` and its derivatives with respect to log lengthscale, log period and log sd.

    With ``D = 2 pi lag / period``, ``v = 1 - cos D``, ``E = exp(-z v)``, ``q = 1 - exp(-z) I0(z)`` and
    ``q' = exp(-z) (I0(z) - I1(z))``: ``dk/dlog p = s^2 z E D sin(D) / q`` and
    ``dk/dlog l = 2 z [s^2 v E + (k - s^2) q'] / q``. For small z, where both terms of the latter cancel, a series.
    """
    variance, z = sd * sd, lengthscale**-2
    depth, by_period = _sines(lag, period)
    by_period *= lag
    form = _per_of_each if isinstance(z, np.ndarray) else _per_small if z < _SMALL_Z else _per_large
    k, decay, by_lengthscale = form(depth, z)
    by_period *= decay
    by_period *= 4.0 * pi / period * variance / _scaled_q(z)
    k *= variance
    by_lengthscale *= variance
    return k, (by_lengthscale, by_period, 2.0 * k)


def per_slope(lag: Array, lengthscale: float, period: float, sd: float) -> Array:
    """The slope of `per` by the lag, ``-sd^2 (2 pi / period) z E sin(D) / q`` (as in `per_derivatives`).

    >>> float(per_slope(np.array(0.5), 1.0, 2.0, 1.0).round(6))
    -2.16331
    """
    z = lengthscale**-2
    depth, slope = _sines(lag, period)
    depth *= -z
    np.exp(depth, out=depth)
    slope *= depth
    slope *= -4.0 * pi / period * (sd * sd) / _scaled_q(z)
    return slope


def harmonics(lengthscale: float, error: float, most: int = 100) -> tuple[Array, Array]:
    """Variances of the harmonics of `per` with sd 1, as many as leave less than ``error``, and d/dlog lengthscale.

    Their covariances are ``2 I_j(z) / (exp(z) - I0(z)) cos(2 pi j lag / period)`` (Solin and Sarkka 2014).

    >>> share, _ = harmonics(1.0, 1e-3)
    >>> share.round(4).tolist()
    [0.7783, 0.187, 0.0305, 0.0038]
    """
    z = lengthscale**-2
    order = np.arange(most + 2)
    bessel, scaled = ive(order, z), _scaled_q(z)
    share = 2.0 * bessel[1:-1] / z / scaled
    count = min(int(np.sum(1.0 - np.cumsum(share) > error)) + 1, most)
    # q' stands for the derivative of exp(z) - I0(z), divided by exp(z).
    slope = (bessel[:-2] + bessel[2:]) / scaled - share * (1.0 - bessel[1]) / scaled
    return np.asarray(share[:count]), np.asarray(-2.0 * slope[:count])


def _per_of_each(depth: Array, z: Array) -> tuple[Array, Array, Array]:
    """`_per_large` or `_per_small` for each row of ``depth``, with the z (rows, 1) of its own."""
    small = z[:, 0] < _SMALL_Z
    if not small.any():
        return _per_large(depth, z)
    parts = np.empty((3, *depth.shape))
    parts[:, small] = _per_small(depth[small], z[small])
    parts[:, ~small] = _per_large(depth[~small], z[~small])
    return parts[0], parts[1], parts[2]


def _per_large(depth: Array, z: Any) -> tuple[Array, Array, Array]:
    """Unit-variance kernel, ``E`` and ``dk/dlog l`` from ``v = depth`` by the closed form."""
    q = _q(z)
    k = np.asarray(depth * -z)
    decay = np.asarray(np.exp(k))
    if isinstance(z, np.ndarray):
        moderate = z[:, 0] < _MODERATE_Z
        rest = decay - 1.0
        rest[moderate] = np.expm1(k[moderate])
        k = rest
    elif z < _MODERATE_Z:
        np.expm1(k, out=k)
    else:
        np.subtract(decay, 1.0, out=k)
    k /= q
    by_lengthscale = np.multiply(depth, decay, out=depth)
    by_lengthscale += k * _q_slope(z)
    by_lengthscale *= 2.0 * z / q
    k += 1.0
    return k, decay, by_lengthscale


def _per_small(depth: Array, z: Any) -> tuple[Array, Array, Array]:
    """The same for small z: with ``w = z v``, ``q = z Q``, ``E = 1 - w f(w)`` and ``E - f = w g(w)``.

    ``k = 1 - v f / Q`` and ``dk/dlog l = 2 z v (v g Q - f Q') / Q^2``; f and g by their power series.
    """
    series, series_slope = np.polyval(_Q_SERIES, z), np.polyval(np.polyder(_Q_SERIES), z)
    exponent = depth * -z
    mean = np.polyval(_MEAN_SERIES, exponent)
    gap = np.polyval(_GAP_SERIES, exponent)
    decay = np.exp(exponent)
    k = np.asarray(1.0 - depth * mean / series)
    by_lengthscale = depth * (depth * gap * series - mean * series_slope)
    by_lengthscale *= 2.0 * z / series**2
    return k, decay, by_lengthscale


# Below _SMALL_Z power series (error 1e-16), up to _MODERATE_Z expm1, beyond it the faster exp (error 1e-15 / z).
_SMALL_Z, _MODERATE_Z = 0.01, 0.1
_LARGE_Z = 60.0
# f(w) = (1 - exp(-w)) / w and g(w) = (exp(-w) - f(w)) / w as series in -w, highest power first.
_FACTORIALS = np.cumprod(np.arange(1.0, 12.0))
_MEAN_SERIES = np.array([1.0 / _FACTORIALS[k] for k in range(8, -1, -1)])
_GAP_SERIES = np.array([-k / _FACTORIALS[k] for k in range(9, 0, -1)])


def _q_coefficient(k: int) -> float:
    # exp(-z) I0(z) = 1F1(1/2; 1; -2 z), hence q / z = -sum over k >= 1 of (1/2)_k (-2)^k z^(k-1) / k!^2.
    return -float(np.prod([(0.5 + j) * -2.0 / (j + 1) ** 2 for j in range(k)]))


_Q_SERIES = np.array([_q_coefficient(k) for k in range(10, 0, -1)])


def _mean_slope(half_depth: Array, z: float) -> Array:
    """``(1 - exp(-w)) / w`` for ``w = 2 z half_depth`` below 0.02."""
    return np.asarray(np.polyval(_MEAN_SERIES, half_depth * (-2.0 * z)))


# Of one z, or of a column of them.


def _q(z: Any) -> Any:
    """``1 - exp(-z) I0(z)`` without cancellation."""
    if isinstance(z, np.ndarray):
        if (z > 1.0).all():
            return 1.0 - i0e(z)
        small = np.minimum(z, 1.0)
        return np.where(z > 1.0, 1.0 - i0e(z), -np.expm1(-small) - np.exp(-small) * _rest_of_i0(small))
    if z > 1.0:
        return 1.0 - float(i0e(z))
    return -expm1(-z) - exp(-z) * _rest_of_i0(z)


def _rest_of_i0(z: Any) -> Any:
    """``I0(z) - 1`` for z up to one."""
    quarter, term, rest = z * z / 4.0, 1.0, 0.0
    for k in range(1, 12):
        term = term * (quarter / (k * k))
        rest = rest + term
    return rest


def _scaled_q(z: Any) -> Any:
    """``q(z) / z``, finite at z = 0."""
    if isinstance(z, np.ndarray):
        if (z >= _SMALL_Z).all():
            return _q(z) / z
        return np.where(z < _SMALL_Z, np.polyval(_Q_SERIES, z), _q(z) / z)
    return float(np.polyval(_Q_SERIES, z)) if z < _SMALL_Z else _q(z) / z


def _q_slope(z: Any) -> Any:
    """``dq/dz = exp(-z) (I0(z) - I1(z))``; for large z by the asymptotic series, since I0 and I1 agree there."""
    if isinstance(z, np.ndarray):
        slope = i0e(z) - i1e(z)
        if (z < _LARGE_Z).all():
            return slope
        return np.where(z < _LARGE_Z, slope, _asymptotic_slope(np.maximum(z, _LARGE_Z)))
    return float(i0e(z) - i1e(z)) if z < _LARGE_Z else _asymptotic_slope(z)


def _asymptotic_slope(z: Any) -> Any:
    term0, term1, total = 1.0, 1.0, 0.0
    for k in range(1, 16):  # Abramowitz and Stegun 9.7.1 for orders 0 and 1
        odd = (2 * k - 1) ** 2
        term0 = term0 * (odd / (k * 8.0 * z))
        term1 = term1 * ((odd - 4.0) / (k * 8.0 * z))
        total = total + (term0 - term1)
    return total / (2.0 * pi * z) ** 0.5


def _cos_terms(values: Values, accuracy: Accuracy) -> LeafTerms:
    period, sd = values
    terms = Exponentials.of([sd**2], [2j * pi / period], real=False)
    return terms, by_length_and_size(terms)


def _per_terms(values: Values, accuracy: Accuracy) -> LeafTerms:
    lengthscale, period, sd = values
    share, by_lengthscale = harmonics(lengthscale, accuracy.error)
    terms = Exponentials.of(share * sd**2, 2j * pi / period * np.arange(1, len(share) + 1), real=False)
    return terms, [((by_lengthscale * sd**2).astype(complex)[:, None], 0.0 * terms.rate), *by_length_and_size(terms)]


# --- Their rows in the table ---

PERIODS = Amount(1.0, Unit.SHORTEST_PERIOD), Amount(1.0, Unit.LONGEST_PERIOD)
PERIOD = LeafParameter("period", Role.LENGTH, message("period"), *PERIODS, Start.PERIOD)
DETAIL = shape_of("lengthscale", message("smoothness within a cycle (small: detailed, large: a pure wave)"), 0.1, 30.0)
CYCLIC_LEAVES = {
    # The periodic leaf is the zero-mean one of Lloyd et al. (2014): with z = 1 / lengthscale^2 its correlation is
    # (exp(z cos(2 pi t / period)) - I0(z)) / (exp(z) - I0(z)). The lengthscale is relative to the period, so it
    # has no unit.
    "Per": LeafRow(
        message("periodic kernel"),
        message("a pattern that repeats"),
        LeafKind.CYCLIC,
        (DETAIL, PERIOD, SD),
        LagFunction(per, per_derivatives, per_slope),
        spellings=("periodic",),
        state_space=StateSpace(_per_terms, 14, lambda own, longest: FINEST, harmonics=True),
    ),
    "Cos": LeafRow(
        message("cosine kernel"),
        message("a pure wave, a sinusoid"),
        LeafKind.CYCLIC,
        (PERIOD, SD),
        LagFunction(cos, cos_derivatives, cos_slope),
        spellings=("cosine",),
        state_space=StateSpace(_cos_terms, 2),
    ),
}

"""Moments of values that cannot go beyond limits: those that a model puts there lie at the limit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from autostatistician.data.transform import Transform

__all__ = ["limited_moments"]

Array = NDArray[np.float64]

LEAST_PROBABILITY = 1e-9  # probability beyond a limit from which it changes a moment
TINY_PROBABILITY = 1e-200
FARTHEST_SDS = 38.0  # standard deviations beyond which a density is zero in these numbers


def limited_moments(means: Array, sds: Array, transform: Transform, low: float, high: float) -> tuple[Array, Array]:
    """Mean and standard deviation of min(max(Y, low), high), Y being (log)normal with moments on the model's scale.

    Johnson, Kotz and Balakrishnan 1994 (Continuous Univariate Distributions 1), sections 13.10.1 and 14.7: partial
    moments of the normal and the lognormal distribution. All arrays are of one shape, limits in units of the data.

    >>> mean, sd = limited_moments(np.array([0.0]), np.array([1.0]), Transform(), 0.0, np.inf)
    >>> mean.round(4).tolist(), sd.round(4).tolist()
    ([0.3989], [0.5838])
    """
    if transform.is_power:
        return transform.moments_within(means, sds, low, high)
    plain = transform.moments(means, sds)
    if transform.is_odds or (low == -np.inf and high == np.inf):  # shares have their own
        return plain
    from_low, to_high = (
        (_on_scale(limit, transform) - means) / np.maximum(sds, TINY_PROBABILITY) for limit in (low, high)
    )
    below, above = ndtr(from_low), ndtr(-to_high)
    partial = _of_log if transform.is_log else _of_normal
    # about the plain mean, so that no digits are lost
    first, second = partial(*plain, sds, from_low, to_high)
    ends = [(chance, limit - plain[0]) for chance, limit in ((below, low), (above, high)) if np.isfinite(limit)]
    first = first + sum(chance * gap for chance, gap in ends)
    second = second + sum(chance * gap**2 for chance, gap in ends)
    reached = below + above > LEAST_PROBABILITY
    mean = np.where(reached, plain[0] + first, plain[0])
    return mean, np.where(reached, np.sqrt(np.maximum(second - first**2, 0.0)), plain[1])


def _on_scale(limit: float, transform: Transform) -> float:
    if not np.isfinite(limit):
        return limit
    if transform.is_log and limit <= 0.0:
        return -np.inf
    return float(transform.forward(np.array([limit]))[0])


def _of_normal(mean: Array, sd: Array, _: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """First and second moment about the mean, of what lies between standardised limits."""
    at_a, at_b = _density(a), _density(b)
    inner = ndtr(b) - ndtr(a)
    return sd * (at_a - at_b), sd**2 * (inner + _times(a, at_a) - _times(b, at_b))


def _of_log(mean: Array, sd: Array, spread: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """The same for a lognormal variable; ``spread`` is the standard deviation of its logarithm."""
    none, one, two = (ndtr(b - k * spread) - ndtr(a - k * spread) for k in (0.0, 1.0, 2.0))
    return mean * (one - none), (sd**2 + mean**2) * two - 2.0 * mean**2 * one + mean**2 * none


def _density(z: Array) -> Array:
    return np.asarray(np.exp(-0.5 * np.clip(z, -FARTHEST_SDS, FARTHEST_SDS) ** 2) / np.sqrt(2.0 * np.pi))


def _times(z: Array, density: Array) -> Array:
    return np.where(np.isfinite(z), z, 0.0) * density

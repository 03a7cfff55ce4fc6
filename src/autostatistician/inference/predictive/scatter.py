"""Counts that scatter about their rate by more than chance: the negative binomial distribution by its log rate.

A rate that is itself drawn from a gamma distribution of mean mu and variance dispersion mu^2 (Cameron and Trivedi 2013,
section 3.3).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, expit, gammaln, log_expit

__all__ = ["derivatives_of_scattered", "log_scattered", "most_scattered"]

Array = NDArray[np.float64]


def log_scattered(y: Array, log_rate: Array, dispersion: float) -> Array:
    """Log probabilities of counts.

    >>> log_scattered(np.array([0.0]), np.log([2.0]), 0.5).round(4).tolist()  # (1 + 1)^-2
    [-1.3863]
    """
    size = 1.0 / dispersion
    odds = log_rate + np.log(dispersion)  # of the rate against the size, as a logarithm
    ways = gammaln(y + size) - gammaln(size) - gammaln(y + 1.0)
    return np.asarray(ways + size * log_expit(-odds) + y * log_expit(odds))


def derivatives_of_scattered(y: Array, log_rate: Array, dispersion: float) -> tuple[Array, Array, Array]:
    """Of these by the log rate: the first, the second and the third."""
    size, share = 1.0 / dispersion, expit(log_rate + np.log(dispersion))
    second = -(y + size) * share * (1.0 - share)
    return y - (y + size) * share, second, second * (1.0 - 2.0 * share)


def most_scattered(y: Array, log_rate: Array, dispersion: float) -> Array:
    """Probabilities of at most ``y``, whole numbers from zero.

    >>> most_scattered(np.array([0.0]), np.log([2.0]), 0.5).round(4).tolist()
    [0.25]
    """
    return np.asarray(betainc(1.0 / dispersion, y + 1.0, expit(-log_rate - np.log(dispersion))))

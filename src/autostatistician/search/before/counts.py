"""Counts that are large now and then, as their distribution has it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import nbinom

__all__ = ["possible_counts"]

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEAST_MEAN = 0.1
LEAST_DISPERSION = 1e-6  # with which the negative binomial is the Poisson distribution


def possible_counts(y: Array, expected: Array, usual: Flags, chance: float) -> Flags:
    """Which counts (n,) are such as the negative binomial about what is expected gives with more than a chance.

    Its dispersion is that of the ``usual`` rows by moments: their variance is mu + dispersion mu^2 (Cameron and Trivedi
    2013, section 3.3).

    >>> y = np.array([0.0, 1.0, 2.0, 1.0, 0.0, 2.0, 5.0, 50.0])
    >>> possible_counts(y, np.ones(8), y < 5.0, 1e-3).tolist()
    [True, True, True, True, True, True, True, False]
    """
    mean = np.maximum(expected, LEAST_MEAN)
    squares = ((y - mean) ** 2 - mean)[usual]
    dispersion = max(float(squares.sum() / np.sum(mean[usual] ** 2)), LEAST_DISPERSION)
    given = nbinom(1.0 / dispersion, 1.0 / (1.0 + dispersion * mean))
    return np.asarray(2.0 * np.minimum(given.sf(y - 1.0), given.cdf(y)) > chance)

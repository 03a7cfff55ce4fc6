"""Doubly stochastic functional gradients (Dai et al. 2014, Scalable kernel methods via doubly stochastic gradients).

The function that minimises ``E (f(x) - y)^2 / 2 + ridge |f|^2 / 2`` is gone after by steps against a gradient of which
two things are drawn: some rows, and some random features of the kernel, new ones in each step,

    f <- (1 - step ridge) f - step Phi(.) Phi(B)' (f(B) - y_B) / |B|.

With ``ridge = noise / n`` that function is the mean of the posterior. No feature is ever kept but by what it adds to f
at the rows, those to learn from and those to predict.
"""

from __future__ import annotations

import numpy as np

from ard import Numbers
from common import Array

__all__ = ["predicted"]

STEPS, ROWS, FEATURES = 600, 1000, 200
LONGEST, HALVED = 1.5, 1000  # of the steps, in units of the inverse variance; after so many steps they are half as long


def predicted(numbers: Numbers, X: Array, y: Array, new: Array, rng: np.random.Generator, steps: int = STEPS) -> Array:
    """The function at ``new`` places (m, d), from rows (n, d) with targets (n,)."""
    places, n = np.vstack([X, new]) * np.exp(-numbers.log_scales), len(X)
    ridge, f = numbers.noise / n, np.zeros(len(places))
    for number in range(steps):
        step = LONGEST / numbers.variance / (1.0 + number / HALVED)
        features = _features(places, numbers.variance, rng)
        rows = rng.choice(n, min(ROWS, n), replace=False)
        slope = features[rows].T @ (f[rows] - y[rows]) / len(rows)
        f = (1.0 - step * ridge) * f - step * (features @ slope)
    return f[n:]


def _features(places: Array, variance: float, rng: np.random.Generator) -> Array:
    """New ones at places in units of the lengthscales: the mean of their products is the covariance."""
    waves = rng.standard_normal((places.shape[1], FEATURES))
    found = places @ waves
    found += rng.uniform(0.0, 2.0 * np.pi, FEATURES)
    np.cos(found, out=found)
    found *= np.sqrt(2.0 * variance / FEATURES)
    return np.asarray(found)

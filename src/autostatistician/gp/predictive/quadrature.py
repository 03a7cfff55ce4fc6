"""Densities averaged over a normal function, by quadrature about the value that an observation makes likely."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

__all__ = ["averaged_density"]

Array = NDArray[np.float64]
Density = Callable[[Array], Array]
Derivatives = Callable[[Array], tuple[Array, Array, Array]]

NODES = 30  # of Gauss-Hermite quadrature
MOST_STEPS, LARGEST_STEP = 100, 2.0  # of Newton's method
SETTLED = 1e-10
LEAST_VARIANCE = 1e-12  # of a function: below it, it counts as known


def averaged_density(
    log_density: Density, derivatives: Derivatives, mean: Array, variance: Array
) -> tuple[Array, Array, Array]:
    """Log densities averaged over ``N(mean, variance)``, and their two derivatives by the mean; arrays of one shape.

    Liu and Pierce 1994 (Biometrika 81, 624-629), about the mode of a log-concave density. The averages of the first
    derivative, and of its square and the second, under the tilted distribution are those by the mean.

    >>> square, slopes = lambda f: -0.5 * f**2, lambda f: (-f, -np.ones_like(f), np.zeros_like(f))
    >>> [part.round(6).tolist() for part in averaged_density(square, slopes, np.ones(1), np.ones(1))]
    [[-0.596574], [-0.5], [-0.5]]
    """
    variance = np.maximum(variance, LEAST_VARIANCE)
    mode, narrowed = _mode(derivatives, mean, variance)
    nodes, weights = np.polynomial.hermite.hermgauss(NODES)
    places = [mode + np.sqrt(2.0 * narrowed) * node for node in nodes]
    terms = np.array([
        log_density(f) - 0.5 * (f - mean) ** 2 / variance + node**2 + np.log(weight)
        for f, node, weight in zip(places, nodes, weights, strict=True)
    ])  # fmt: skip
    total = logsumexp(terms, axis=0)
    shares = np.exp(terms - total)
    slopes = [derivatives(f) for f in places]
    first = np.sum([share * slope[0] for share, slope in zip(shares, slopes, strict=True)], axis=0)
    second = np.sum([share * (slope[0] ** 2 + slope[1]) for share, slope in zip(shares, slopes, strict=True)], axis=0)
    value = total + 0.5 * np.log(narrowed / variance) - 0.5 * np.log(np.pi)
    return np.asarray(value), np.asarray(first), np.asarray(second - first**2)


def _mode(derivatives: Derivatives, mean: Array, variance: Array) -> tuple[Array, Array]:
    """Where density and normal distribution together are highest, and the variance of a normal one of the curvature."""
    f = mean
    for _ in range(MOST_STEPS):
        first, second, _ = derivatives(f)
        step = (variance * first - (f - mean)) / (1.0 - variance * second)
        f = f + np.clip(step, -LARGEST_STEP, LARGEST_STEP)
        if np.abs(step).max(initial=0.0) < SETTLED:
            break
    return f, variance / (1.0 - variance * derivatives(f)[1])

"""Statistics of many samples at once, one per row, and p-values by simulation that stops when enough is known."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

__all__ = [
    "ENOUGH_EXCEEDING", "MOST_SIMULATIONS", "SIMULATIONS_AT_A_TIME", "Courses", "Tally", "anderson", "autocorrelation",
    "root_mean_square", "spectrum",
]  # fmt: skip  # fmt: skip

Array = NDArray[np.float64]

SIMULATIONS_AT_A_TIME = 200  # simulations at a time
ENOUGH_EXCEEDING = 40  # simulations that show as much as the data: then the p-value is known well enough
MOST_SIMULATIONS = 4000  # simulations at all
MOST_LAGS = 60
TIME_WIDTH = 0.15  # of the data: values closer than this are compared with each other in a course
QUADRATURE_NODES = 16  # of the quadrature over frequencies
LEAST_EIGENVALUE_SHARE = 1e-6  # eigenvalues of less than this share are left out


def anderson(samples: Array) -> Array:
    """The statistic of Anderson and Darling (1952) against the standard normal, per row."""
    ordered, n = np.sort(samples, axis=1), samples.shape[1]
    weights = (2.0 * np.arange(1, n + 1) - 1.0) / n
    return np.asarray(-n - (weights * (log_ndtr(ordered) + log_ndtr(-ordered[:, ::-1]))).sum(axis=1))


def root_mean_square(samples: Array) -> Array:
    """The size of each row."""
    return np.asarray(np.sqrt(np.mean(samples**2, axis=1)))


def autocorrelation(samples: Array) -> Array:
    """Autocorrelations at the lags from 1 on, per row."""
    n = samples.shape[1]
    power = np.abs(np.fft.rfft(samples, 2 * n, axis=1)) ** 2
    products = np.fft.irfft(power, axis=1)[:, : min(n // 4, MOST_LAGS) + 1]
    return np.asarray(products[:, 1:] / np.maximum(products[:, :1], 1e-300))


def spectrum(samples: Array) -> Array:
    """The periodogram relative to its mean, per row, without frequency zero (Fisher 1929)."""
    power = np.abs(np.fft.rfft(samples, axis=1))[:, 1:] ** 2
    return np.asarray(power / np.maximum(power.mean(axis=1, keepdims=True), 1e-300))


class Courses:
    """Squared maximum mean discrepancy between the points (time, value) of a sample and those that a model expects.

    Under the model the value at each time is normal with mean zero and a given standard deviation, so the second of
    the two samples can be as large as one likes: its expectations are in closed form (Gretton et al. 2012). Gaussian
    kernels on both; that on the values, as wide as they are large, is a mean of cosines over Gauss-Hermite nodes and
    that on the times a sum over its eigenvectors, which makes the cost of a sample linear in its length.

    Parameters
    ----------
    sd : array (n,)
        Standard deviations under the model at evenly spaced times.
    """

    def __init__(self, sd: Array) -> None:
        self.width = float(np.sqrt(np.mean(sd**2))) or 1.0
        times = np.linspace(0.0, 1.0, len(sd))
        near = np.exp(-0.5 * (np.subtract.outer(times, times) / TIME_WIDTH) ** 2)
        values, vectors = np.linalg.eigh(near)
        kept = values > LEAST_EIGENVALUE_SHARE * values[-1]
        self.vectors = vectors[:, kept] * np.sqrt(values[kept]) / len(sd)
        nodes, weights = np.polynomial.hermite_e.hermegauss(QUADRATURE_NODES)
        half = nodes > 0.0  # the others say the same
        self.nodes, self.weights = nodes[half], 2.0 * weights[half] / np.sqrt(2.0 * np.pi)
        self.expected = np.exp(-0.5 * np.outer(self.nodes, sd / self.width) ** 2) @ self.vectors

    def __call__(self, samples: Array) -> Array:
        """The discrepancy of each row of samples (m, n)."""
        found = np.zeros(len(samples))
        for node, weight, expected in zip(self.nodes, self.weights, self.expected, strict=True):
            turned = samples * (node / self.width)
            along, across = np.cos(turned) @ self.vectors - expected, np.sin(turned) @ self.vectors
            found += weight * np.sum(along**2 + across**2, axis=1)
        return found


class Tally:
    """The p-value of a statistic among simulated ones, counted until it is known well enough.

    The place of the last simulation that counts gives a p-value that is exact whenever one stops (Besag and Clifford
    1991): likely values cost few simulations, unlikely ones many.

    >>> tally = Tally(0.5)
    >>> tally.add(np.linspace(0.0, 1.0, 100))
    >>> tally.done, round(tally.p, 2)
    (True, 0.44)
    """

    def __init__(self, observed: float) -> None:
        self.observed, self.seen, self.above, self.p = observed, 0, 0, 1.0
        self.done = False

    def add(self, simulated: Iterable[float] | Array) -> None:
        """Count more simulations."""
        values = np.asarray(simulated, dtype=np.float64)
        counts = self.above + np.cumsum(values >= self.observed)
        if counts[-1] >= ENOUGH_EXCEEDING:
            self.seen += int(np.argmax(counts >= ENOUGH_EXCEEDING)) + 1
            self.above, self.done, self.p = ENOUGH_EXCEEDING, True, ENOUGH_EXCEEDING / self.seen
            return
        self.seen, self.above = self.seen + len(values), int(counts[-1])
        self.done, self.p = self.seen >= MOST_SIMULATIONS, (self.above + 1) / (self.seen + 1)

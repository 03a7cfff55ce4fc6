"""Statistics of many samples at once, one per row, and p-values by simulation that stops when enough is known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtri
from scipy.stats import skewtest

from autostatistician._io.rows import evenly_spaced

__all__ = [
    "ENOUGH_EXCEEDING",
    "FEWEST_ROWS",
    "MOST_SIMULATIONS",
    "SIMULATIONS_AT_A_TIME",
    "CourseDiscrepancy",
    "SequentialPValue",
    "anderson_darling",
    "autocorrelation",
    "in_stretches",
    "normal_scores",
    "periodogram",
    "root_mean_square",
    "side_of_spread",
    "typical",
]  # fmt: skip


FEWEST_ROWS = 20  # whose errors are checked: fewer show nothing

MOST_LOOKED_AT = 2000  # rows

Array = NDArray[np.float64]

SIMULATIONS_AT_A_TIME = 200

ENOUGH_EXCEEDING = 40  # once so many simulations show as much as the data, the p-value is known well enough

MOST_SIMULATIONS = 4000

MOST_LAGS = 60

TIME_WIDTH_SHARE = 0.15  # of the length of the data: width of the kernel on the times of a course

QUADRATURE_NODES = 16

FEWEST_OF_SKEWNESS, END_OF_SKEWNESS, CLEARLY_SKEWED = 20, 0.05, 0.01  # rows, share of them, p-value

CLEARLY_LARGER = 1.1  # standard deviation

LEAST_EIGENVALUE_SHARE = 1e-6  # of the largest: smaller ones are left out


def anderson_darling(samples: Array) -> Array:
    """The statistic of Anderson and Darling (1952) against the standard normal, per row."""
    ordered, n = np.sort(samples, axis=1), samples.shape[1]
    weights = (2.0 * np.arange(1, n + 1) - 1.0) / n
    return np.asarray(-n - (weights * (log_ndtr(ordered) + log_ndtr(-ordered[:, ::-1]))).sum(axis=1))


def side_of_spread(errors: Array) -> int:
    """How errors (n,) differ from standard normal ones: lopsided (0), some larger (1), or most smaller (-1).

    They are lopsided where their skewness is clear without the largest of either side, which may be outliers.

    >>> u = (np.arange(60) + 0.5) / 60
    >>> [side_of_spread(errors) for errors in (-np.log(u) - 1.0, ndtri(u) ** 3, 0.5 * ndtri(u))]
    [0, 1, -1]
    """
    if len(errors) >= FEWEST_OF_SKEWNESS:
        inner = np.clip(errors, *np.quantile(errors, [END_OF_SKEWNESS, 1.0 - END_OF_SKEWNESS]))
        if np.ptp(inner) > 0.0 and float(skewtest(inner).pvalue) < CLEARLY_SKEWED:
            return 0
    others = np.sort(errors**2)[:-1]  # one far value makes no tail
    heavy = float(np.mean(others**2)) > 3.0 * max(float(np.mean(others)), 1.0) ** 2
    return 1 if heavy or np.std(errors) >= CLEARLY_LARGER else -1


def root_mean_square(samples: Array) -> Array:
    """The root mean square of each row."""
    return np.asarray(np.sqrt(np.mean(samples**2, axis=1)))


def autocorrelation(samples: Array) -> Array:
    """Autocorrelations at the lags from 1 on, per row."""
    n = samples.shape[1]
    power = np.abs(np.fft.rfft(samples, 2 * n, axis=1)) ** 2
    products = np.fft.irfft(power, axis=1)[:, : min(n // 4, MOST_LAGS) + 1]
    return np.asarray(products[:, 1:] / np.maximum(products[:, :1], 1e-300))


def normal_scores(samples: Array) -> Array:
    """Values by their ranks alone, as those of the standard normal, per row; ties get ranks in no order of time.

    >>> normal_scores(np.array([[0.3, -9.0, 0.1, 80.0]])).round(2).tolist()
    [[0.32, -1.15, -0.32, 1.15]]
    """
    n = samples.shape[1]
    shuffled = np.random.default_rng(0).permutation(n)
    places = shuffled[np.argsort(samples[:, shuffled], axis=1, kind="stable")]
    scores = np.empty_like(samples)
    np.put_along_axis(scores, places, np.broadcast_to(ndtri((np.arange(n) + 0.5) / n), samples.shape), axis=1)
    return scores


def periodogram(samples: Array) -> Array:
    """The periodogram relative to its mean, per row, without frequency zero (Fisher 1929)."""
    power = np.abs(np.fft.rfft(samples, axis=1))[:, 1:] ** 2
    return np.asarray(power / np.maximum(power.mean(axis=1, keepdims=True), 1e-300))


class CourseDiscrepancy:
    """Squared maximum mean discrepancy between the points (time, value) of a sample and those that a model expects.

    Under the model the value at each of evenly spaced times is normal with mean zero and a standard deviation of ``sd``
    (n,), so expectations under the model are in closed form, where a test of two samples would draw them (Gretton et
    al. 2012). Times and values have Gaussian kernels. That of the values, as wide as they are large, is written as a
    mean of cosines over Gauss-Hermite nodes, that of the times as a sum over its eigenvectors: so the cost of a sample
    is linear in its length.
    """

    def __init__(self, sd: Array) -> None:
        self.width = float(np.sqrt(np.mean(sd**2))) or 1.0
        times = np.linspace(0.0, 1.0, len(sd))
        alike = np.exp(-0.5 * (np.subtract.outer(times, times) / TIME_WIDTH_SHARE) ** 2)
        values, vectors = np.linalg.eigh(alike)
        kept = values > LEAST_EIGENVALUE_SHARE * values[-1]
        self.vectors = vectors[:, kept] * np.sqrt(values[kept]) / len(sd)
        nodes, weights = np.polynomial.hermite_e.hermegauss(QUADRATURE_NODES)
        half = nodes > 0.0  # cosines are even, so the other half adds the same
        self.nodes, self.weights = nodes[half], 2.0 * weights[half] / np.sqrt(2.0 * np.pi)
        self.expected = np.exp(-0.5 * np.outer(self.nodes, sd / self.width) ** 2) @ self.vectors

    def __call__(self, samples: Array) -> Array:
        """The discrepancy of each row of samples (m, n)."""
        discrepancy = np.zeros(len(samples))
        for node, weight, expected in zip(self.nodes, self.weights, self.expected, strict=True):
            phases = samples * (node / self.width)
            real, imaginary = np.cos(phases) @ self.vectors - expected, np.sin(phases) @ self.vectors
            discrepancy += weight * np.sum(real**2 + imaginary**2, axis=1)
        return discrepancy


class SequentialPValue:
    """The p-value of a statistic among simulated ones, counted until it is known well enough.

    Counting stops with the simulation that is the last of `ENOUGH_EXCEEDING` to exceed the statistic; the p-value is
    the share of those among all until then, which is exact (Besag and Clifford 1991). So large p-values cost few
    simulations and small ones many, at most `MOST_SIMULATIONS`.

    >>> tally = SequentialPValue(0.5)
    >>> tally.add(np.linspace(0.0, 1.0, 100))
    >>> tally.done, round(tally.p, 2)
    (True, 0.44)
    """

    def __init__(self, observed: float) -> None:
        self.observed, self.simulated, self.exceeding, self.p, self.done = observed, 0, 0, 1.0, False

    def add(self, simulations: Array) -> None:
        """Count the statistics (m,) of more simulations."""
        counts = self.exceeding + np.cumsum(simulations >= self.observed)
        if counts[-1] >= ENOUGH_EXCEEDING:
            self.simulated += int(np.argmax(counts >= ENOUGH_EXCEEDING)) + 1
            self.exceeding, self.done, self.p = ENOUGH_EXCEEDING, True, ENOUGH_EXCEEDING / self.simulated
            return
        self.simulated, self.exceeding = self.simulated + len(simulations), int(counts[-1])
        self.done, self.p = self.simulated >= MOST_SIMULATIONS, (self.exceeding + 1) / (self.simulated + 1)


# --- The choice of a few rows that stand for all: evenly spaced ones, or stretches of neighbours --------------------


def in_stretches(n: int, most: int, length: int = 50) -> NDArray[np.intp]:
    """At most ``most`` of n rows, in evenly spaced stretches of neighbours: they show what is quick and what is slow.

    >>> in_stretches(10, 6, 2).tolist(), in_stretches(4, 6).tolist()
    ([0, 1, 4, 5, 8, 9], [0, 1, 2, 3])
    """
    if n <= most:
        return np.arange(n)
    starts = evenly_spaced(n - length + 1, max(most // length, 1))
    return np.unique(starts[:, None] + np.arange(length))


def typical(X: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """At most ``most`` rows of X (n, d) whose means and mean squares are near those of all, added one after the other.

    >>> typical(np.arange(8.0)[:, None], 4).tolist()
    [1, 2, 5, 6]
    """
    if len(X) <= most:
        return np.arange(len(X))
    rows = evenly_spaced(len(X), MOST_LOOKED_AT)
    centred = X[rows] - X[rows].mean(axis=0)
    values = np.concatenate([centred, centred**2 - (centred**2).mean(axis=0)], axis=1)
    values /= np.where((sizes := values.std(axis=0)) > 0.0, sizes, 1.0)
    total, sizes_squared = np.zeros(values.shape[1]), np.sum(values**2, axis=1)
    for _ in range(most):
        best = int(np.argmin(sizes_squared + 2.0 * values @ total))
        total += values[best]
        sizes_squared[best] = np.inf
    return np.asarray(rows[np.isinf(sizes_squared)])

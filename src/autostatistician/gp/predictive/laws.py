"""Laws of counts: how probable each is, given the log rate or the log odds ``eta`` of its mean.

One row per law: log probabilities, their derivatives by ``eta``, and probabilities of at most a count. Likelihoods and
predictive distributions read both ends from here. All arrays are of shapes that go together.

Densities averaged over a normal function, by quadrature about the value that an observation makes likely.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, expit, gammaln, log_expit, logsumexp, pdtr, pdtrc

from autostatistician.data.transform import Transform

__all__ = [
    "BinomialLaw", "CountLaw", "HurdleLaw", "NegativeBinomialLaw", "PoissonLaw", "averaged_density", "positive_mean",
]  # fmt: skip


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


LARGEST_LOG_RATE = 300.0  # larger ones are cut, so that products of rates stay finite
LEAST_LOG_RATE = -30.0  # below, a count above zero is one


class CountLaw(Protocol):
    """Of counts ``y``, given ``eta``."""

    dispersion: float = 0.0  # by which rates scatter for themselves

    def link(self, f: Array, transform: Transform, sizes: Array | float) -> Array:
        """Log rates at values of a function on the scale of the transform, by the sizes of their units."""
        return np.asarray(np.log(transform.scale) + f - transform.shift + np.log(sizes))

    def log_density(self, y: Array, eta: Array) -> Array:
        """Log probabilities of counts."""

    def derivatives(self, y: Array, eta: Array) -> tuple[Array, Array, Array]:
        """Of these by ``eta``: the first, the second and the third."""

    def cdf(self, y: Array, eta: Array) -> Array:
        """Probabilities of at most ``y``, whole numbers from zero."""

    def averaged(self, y: Array, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """Log probabilities where ``eta`` is normal, and their two derivatives by its mean."""
        return averaged_density(partial(self.log_density, y), partial(self.derivatives, y), mean, variance)


@dataclass(frozen=True)
class PoissonLaw(CountLaw):
    """Counts about a rate ``exp(eta)``.

    >>> law, two = PoissonLaw(), np.log([2.0])
    >>> np.exp(law.log_density(np.array([0.0]), two)).round(4).tolist(), law.cdf(np.array([1.0]), two).round(4).tolist()
    ([0.1353], [0.406])
    """

    def log_density(self, y: Array, eta: Array) -> Array:
        """Log probabilities of counts."""
        return np.asarray(y * eta - _rate(eta) - gammaln(y + 1.0))

    def derivatives(self, y: Array, eta: Array) -> tuple[Array, Array, Array]:
        """Of these by ``eta``: the first, the second and the third."""
        rate = _rate(eta)
        return y - rate, -rate, -rate

    def cdf(self, y: Array, eta: Array) -> Array:
        """Probabilities of at most ``y``."""
        return np.asarray(pdtr(y, _rate(eta)))


@dataclass(frozen=True)
class NegativeBinomialLaw(CountLaw):
    """Counts with the variance ``mu + dispersion mu^2`` about a rate ``mu = exp(eta)``.

    >>> law = NegativeBinomialLaw(0.5)
    >>> law.log_density(np.array([0.0]), np.log([2.0])).round(4).tolist()  # (1 + 1)^-2
    [-1.3863]
    """

    dispersion: float

    def log_density(self, y: Array, eta: Array) -> Array:
        """Log probabilities of counts."""
        size = 1.0 / self.dispersion
        odds = eta + np.log(self.dispersion)  # of the rate against the size, as a logarithm
        ways = gammaln(y + size) - gammaln(size) - gammaln(y + 1.0)
        return np.asarray(ways + size * log_expit(-odds) + y * log_expit(odds))

    def derivatives(self, y: Array, eta: Array) -> tuple[Array, Array, Array]:
        """Of these by ``eta``: the first, the second and the third."""
        size, share = 1.0 / self.dispersion, expit(eta + np.log(self.dispersion))
        second = -(y + size) * share * (1.0 - share)
        return y - (y + size) * share, second, second * (1.0 - 2.0 * share)

    def cdf(self, y: Array, eta: Array) -> Array:
        """Probabilities of at most ``y``."""
        return np.asarray(betainc(1.0 / self.dispersion, y + 1.0, expit(-eta - np.log(self.dispersion))))


@dataclass(frozen=True)
class BinomialLaw(CountLaw):
    """Parts of ``totals``, each with the chance whose log odds are ``eta``.

    >>> law = BinomialLaw(2.0)
    >>> law.log_density(np.array([1.0]), np.zeros(1)).round(4).tolist()  # one of two
    [-0.6931]
    >>> law.cdf(np.array([0.0, 2.0]), np.zeros(2)).tolist()
    [0.25, 1.0]
    """

    totals: Array | float

    def link(self, f: Array, transform: Transform, sizes: Array | float) -> Array:
        """Log odds at values of a function on the scale of the transform."""
        return np.asarray(transform.log_odds + f - transform.shift)

    def log_density(self, y: Array, eta: Array) -> Array:
        """Log probabilities of parts."""
        totals = self.totals
        ways = gammaln(totals + 1.0) - gammaln(y + 1.0) - gammaln(totals - y + 1.0)
        return np.asarray(ways + y * log_expit(eta) + (totals - y) * log_expit(-eta))

    def derivatives(self, y: Array, eta: Array) -> tuple[Array, Array, Array]:
        """Of these by ``eta``: the first, the second and the third."""
        chance = expit(eta)
        second = -self.totals * chance * (1.0 - chance)
        return y - self.totals * chance, second, second * (1.0 - 2.0 * chance)

    def cdf(self, y: Array, eta: Array) -> Array:
        """Probabilities of at most ``y``."""
        inside = np.minimum(y, self.totals - 1.0)
        return np.where(y >= self.totals, 1.0, betainc(self.totals - inside, inside + 1.0, expit(-eta)))


@dataclass(frozen=True)
class HurdleLaw(CountLaw):
    """Zero with the chance ``none``; else from one, Poisson but for zero about a rate ``exp(eta)`` (Mullahy 1986).

    >>> law = HurdleLaw(0.6)
    >>> np.exp(law.log_density(np.array([0.0, 1.0]), np.zeros(2))).round(4).tolist()  # 0.4 / (e - 1)
    [0.6, 0.2328]
    """

    none: float

    def log_density(self, y: Array, eta: Array) -> Array:
        """Log probabilities of counts."""
        eta, some = np.clip(eta, LEAST_LOG_RATE, LARGEST_LOG_RATE), np.maximum(y, 1.0)
        rate = np.exp(eta)
        logs = np.log1p(-self.none) + some * eta - rate - gammaln(some + 1.0) - np.log(-np.expm1(-rate))
        return np.asarray(np.where(y > 0.0, logs, np.log(self.none)))

    def derivatives(self, y: Array, eta: Array) -> tuple[Array, Array, Array]:
        """Of these by ``eta``: the first, the second and the third; zero of a zero.

        The sum over counts from one being one, these are what is missed and minus the cumulants of the law.
        """
        rate, mean = np.exp(np.clip(eta, LEAST_LOG_RATE, LARGEST_LOG_RATE)), positive_mean(eta)
        # for small rates 1 + rate - mean has lost its digits
        over = np.where(rate < 1e-4, rate * (0.5 - rate / 12.0), 1.0 + rate - mean)
        variance = mean * over
        first, second, third = y - mean, -variance, -(variance * over + mean * (rate - variance))
        return np.where(y > 0.0, first, 0.0), np.where(y > 0.0, second, 0.0), np.where(y > 0.0, third, 0.0)

    def cdf(self, y: Array, eta: Array) -> Array:
        """Probabilities of at most ``y``."""
        rate = np.exp(np.clip(eta, LEAST_LOG_RATE, LARGEST_LOG_RATE))
        return np.asarray(1.0 - (1.0 - self.none) * pdtrc(y, rate) / -np.expm1(-rate))


def positive_mean(log_rate: Array) -> Array:
    """The mean of counts from one, Poisson but for zero.

    >>> positive_mean(np.array([-100.0, 0.0])).round(4).tolist()  # 1 / (1 - 1 / e)
    [1.0, 1.582]
    """
    rate = np.exp(np.clip(log_rate, LEAST_LOG_RATE, LARGEST_LOG_RATE))
    return np.asarray(-rate / np.expm1(-rate))


def _rate(eta: Array) -> Array:
    return np.asarray(np.exp(np.minimum(eta, LARGEST_LOG_RATE)))

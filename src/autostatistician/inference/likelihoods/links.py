"""How a function becomes the probability of a class: by the normal or by the logistic distribution function.

All are functions of the margin ``t``, the function times the class (-1 or +1), so that the probability of what was seen
is ``Phi(t)`` or ``1 / (1 + exp(-t))``. They hold far out in both tails, where the probabilities themselves do not.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx, expit, log_expit, log_ndtr, logsumexp, ndtr

__all__ = ["LINKS", "Link", "LogisticLink", "Probit"]

Array = NDArray[np.float64]

ROOT_2 = float(np.sqrt(2.0))
FAR = -100.0  # margin below which the derivatives of a probit are a series
# Quadrature of the logistic function by the trapezoidal rule, which converges exponentially: with steps of a half, or
# half a standard deviation, its error is below 1e-12.
STEP = 0.5
REACH = 8.5  # standard deviations on either side of the mode
MOST_NODES = 600  # on either side: for deviations up to about 35 the steps are as above
LEAST_VARIANCE = 1e-12  # of the size of the squared mean: less cannot be told from none
HALVINGS = 16  # of the interval in which the mode lies


class Link(Protocol):
    """From margins to probabilities."""

    @property
    def name(self) -> str:
        """By which it is chosen."""

    @property
    def variance(self) -> float:
        """Of its density: a class is the sign of the function with so much noise added."""

    def probability(self, t: Array) -> Array:
        """Of what was seen, at margins (n,)."""

    def log_probability(self, t: Array) -> Array:
        """Its logarithm."""

    def derivatives(self, t: Array) -> tuple[Array, Array, Array]:
        """The first, second and third derivative (n,) of the logarithm."""

    def averaged(self, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """The logarithm of the probability averaged over a normal margin, and its two derivatives by the mean (n,)."""

    def by_probit(self, mean: Array, variance: Array) -> Array:
        """The same probability where the link is taken for a probit of the same slope (MacKay 1992)."""


class Probit:
    """The normal distribution function.

    >>> Probit().averaged(np.zeros(1), np.ones(1))[0].round(4).tolist()
    [-0.6931]
    """

    name = "probit"
    variance = 1.0

    def probability(self, t: Array) -> Array:
        """``Phi(t)``."""
        return np.asarray(ndtr(t))

    def log_probability(self, t: Array) -> Array:
        """``log Phi(t)``."""
        return np.asarray(log_ndtr(t))

    def derivatives(self, t: Array) -> tuple[Array, Array, Array]:
        """By the ratio of density and distribution function (Rasmussen and Williams 2006, equation 3.16)."""
        ratio = _ratio(t)
        second = -ratio * (ratio + t)
        third = -second * (2.0 * ratio + t) - ratio
        # Far in the tail these are differences of large numbers, and a series takes their place.
        far, u = t < FAR, np.minimum(t, FAR) ** -2.0
        in_tail = -1.0 + u - 6.0 * u**2 + 50.0 * u**3
        return ratio, np.where(far, in_tail, second), np.where(far, _third_in_tail(t, u), third)

    def averaged(self, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """In closed form (Rasmussen and Williams 2006, section 3.9)."""
        root = np.sqrt(1.0 + variance)
        z = mean / root
        first, second, _ = self.derivatives(z)
        return self.log_probability(z), first / root, second / root**2

    def by_probit(self, mean: Array, variance: Array) -> Array:
        """It is exact."""
        return np.asarray(ndtr(mean / np.sqrt(1.0 + variance)))


def _ratio(t: Array) -> Array:
    """``phi(t) / Phi(t)``, without a quotient of two numbers that are both zero."""
    below = np.minimum(t, 0.0)
    below_zero = np.sqrt(2.0 / np.pi) / erfcx(-below / ROOT_2)
    above = np.maximum(t, 0.0)
    right = np.exp(-0.5 * above**2) / (np.sqrt(2.0 * np.pi) * ndtr(above))
    return np.asarray(np.where(t < 0.0, below_zero, right))


def _third_in_tail(t: Array, u: Array) -> Array:
    return np.asarray((-2.0 + 24.0 * u - 300.0 * u**2) * u / np.minimum(t, FAR))


class LogisticLink:
    """The logistic function.

    >>> LogisticLink().averaged(np.zeros(1), np.ones(1))[0].round(4).tolist()
    [-0.6931]
    """

    name = "logistic"
    variance = float(np.pi**2 / 3.0)

    def probability(self, t: Array) -> Array:
        """``1 / (1 + exp(-t))``."""
        return np.asarray(expit(t))

    def log_probability(self, t: Array) -> Array:
        """Its logarithm."""
        return np.asarray(log_expit(t))

    def derivatives(self, t: Array) -> tuple[Array, Array, Array]:
        """From the two probabilities."""
        here, other = expit(t), expit(-t)
        second = -here * other
        return other, second, second * (other - here)

    def averaged(self, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """By the trapezoidal rule around the mode of what is averaged."""
        variance = np.maximum(variance, LEAST_VARIANCE * (1.0 + mean**2))
        sd = np.sqrt(variance)
        step = STEP * np.minimum(1.0, sd)
        count = int(min(np.ceil(REACH * float((sd / step).max(initial=1.0))), MOST_NODES))
        step = np.maximum(step, REACH * sd / count)
        mode = _mode(mean, variance)
        at = mode[:, None] + step[:, None] * np.arange(-count, count + 1.0)
        z = (at - mean[:, None]) / sd[:, None]
        log_terms = log_expit(at) - 0.5 * z**2
        total = logsumexp(log_terms, axis=1)
        weights = np.exp(log_terms - total[:, None])
        first, second, _ = self.derivatives(at)
        slope = np.einsum("ij,ij->i", weights, first)
        # The mean of second derivatives and the variance of first ones: no difference of large numbers.
        bend = np.einsum("ij,ij->i", weights, second + (first - slope[:, None]) ** 2)
        return total + np.log(step / sd) - 0.5 * np.log(2.0 * np.pi), slope, bend

    def by_probit(self, mean: Array, variance: Array) -> Array:
        """MacKay 1992: a normal function of the same slope at zero."""
        return np.asarray(expit(mean / np.sqrt(1.0 + np.pi * variance / 8.0)))


def _mode(mean: Array, variance: Array) -> Array:
    """About where ``log_expit(t) - (t - mean)^2 / (2 variance)`` is largest: at most one variance above the mean."""
    low, high = mean, mean + variance
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        rising = middle - mean < variance * expit(-middle)
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    return np.asarray(0.5 * (low + high))


LINKS: dict[str, Link] = {"probit": Probit(), "logistic": LogisticLink()}

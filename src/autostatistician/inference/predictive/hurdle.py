"""Counts that are none with one chance and, where they are not, follow a law of their own: hurdle distributions.

Mullahy 1986 (Journal of Econometrics 33, 341-365). What is above the hurdle is Poisson without its zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtr, pdtrc

from autostatistician.inference.predictive.counts import (
    LARGEST_EXPONENT,
    LARGEST_LOG_RATE,
    NARROW,
    POINTS,
    REACH,
    CountPredictive,
)
from autostatistician.inference.predictive.quadrature import averaged_density

__all__ = ["HurdlePredictive", "derivatives_of_some", "log_some", "mean_of_some"]

Array = NDArray[np.float64]

LEAST_LOG_RATE = -30.0  # below, a count above zero is one


def log_some(y: Array, log_rate: Array) -> Array:
    """Log probabilities of counts from one, Poisson but for zero.

    >>> log_some(np.array([1.0, 2.0]), np.zeros(2)).round(4).tolist()  # 1 / (e - 1), half of it
    [-0.5413, -1.2345]
    """
    log_rate = np.clip(log_rate, LEAST_LOG_RATE, LARGEST_LOG_RATE)
    rate = np.exp(log_rate)
    return np.asarray(y * log_rate - rate - gammaln(y + 1.0) - np.log(-np.expm1(-rate)))


def mean_of_some(log_rate: Array) -> Array:
    """Their mean.

    >>> mean_of_some(np.array([-100.0, 0.0])).round(4).tolist()  # 1 / (1 - 1 / e)
    [1.0, 1.582]
    """
    rate = np.exp(np.clip(log_rate, LEAST_LOG_RATE, LARGEST_LOG_RATE))
    return np.asarray(-rate / np.expm1(-rate))


def derivatives_of_some(y: Array, log_rate: Array) -> tuple[Array, Array, Array]:
    """Of the log probabilities by the log rate: the first, the second and the third.

    Their sum over ``y`` being one, these are what is missed and minus the cumulants of the law.
    """
    rate, mean = np.exp(np.clip(log_rate, LEAST_LOG_RATE, LARGEST_LOG_RATE)), mean_of_some(log_rate)
    # for small rates 1 + rate - mean has lost its digits
    over = np.where(rate < 1e-4, rate * (0.5 - rate / 12.0), 1.0 + rate - mean)
    variance = mean * over
    return y - mean, -variance, -(variance * over + mean * (rate - variance))


@dataclass(frozen=True, eq=False)
class HurdlePredictive(CountPredictive):
    """Distributions of m counts: zero with the chance ``none``, else from one, about rates as of `CountPredictive`.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> surely_two = np.log([[2.0]]), np.array([[1e-9]]), np.ones(1), Transform("log")
    >>> seldom = HurdlePredictive(*surely_two, none=0.75)
    >>> np.exp(seldom.log_density(np.zeros(1))).round(4).tolist(), seldom.quantiles([0.5, 0.95]).tolist()
    ([0.75], [[0.0, 3.0]])
    >>> seldom.mean.round(4).tolist()  # a quarter of 2 / (1 - e^-2)
    [0.5783]
    """

    none: float = 0.5

    def _log_probabilities(self, y: Array) -> Array:
        some = np.maximum(y, 1.0)
        logs = averaged_density(
            lambda f: log_some(some, f), lambda f: derivatives_of_some(some, f), self._log_rates, self.sds**2
        )[0]
        return np.asarray(np.where(y > 0.0, np.log1p(-self.none) + logs, np.log(self.none)))

    @cached_property
    def _moments(self) -> tuple[Array, Array]:
        if np.isfinite(self.high) or self.low > 0.0:
            return self._limited_moments()
        mean, square = np.zeros(self.means.shape), np.zeros(self.means.shape)
        for share, log_rates in self._places():
            middle = mean_of_some(log_rates)
            mean += share * middle
            square += share * middle * (1.0 + np.exp(np.minimum(log_rates, LARGEST_LOG_RATE)))
        first, second = ((1.0 - self.none) * (self.weights @ part) for part in (mean, square))
        return first, np.sqrt(np.maximum(second - first**2, 0.0))

    def _counted(self, y: Array) -> Array:
        rates = np.exp(np.minimum(self._log_rates, LARGEST_EXPONENT))
        spread = np.sqrt(self.sds**2 + 1.0 / np.maximum(rates, 1e-300))
        below, start = (ndtr((np.log(end + 0.5) - self._log_rates) / spread) for end in (y, 0.0))
        together = np.maximum(below - start, 0.0) / (1.0 - start)
        as_one = self.sds**2 * rates >= NARROW  # of which the rate is the most that is not known
        some = self.weights @ np.where(as_one, together, 0.0 if as_one.all() else self._counted_by_members(y))
        return np.asarray(self.none + (1.0 - self.none) * some)

    def _most(self, y: Array, log_rates: Array) -> Array:
        """Of counts from one, probabilities (k, m) of at most ``y`` (m,) about known rates."""
        rates = np.exp(np.clip(log_rates, LEAST_LOG_RATE, LARGEST_LOG_RATE))
        return np.asarray(1.0 - pdtrc(y, rates) / -np.expm1(-rates))

    def _places(self) -> list[tuple[float, Array]]:
        """Log rates (k, m) that may be, with their shares."""
        steps = np.linspace(-REACH, REACH, POINTS)
        shares = np.exp(-0.5 * steps**2)
        pairs = zip(steps, shares / shares.sum(), strict=True)
        return [(float(share), self._log_rates + step * self.sds) for step, share in pairs]

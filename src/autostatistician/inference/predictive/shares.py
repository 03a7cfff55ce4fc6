"""Predictive distributions of shares: binomial parts of totals, about a chance whose log odds are a normal mixture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, expit, gammaln, log_expit

from autostatistician.inference.predictive.counts import CountPredictive
from autostatistician.inference.predictive.quadrature import averaged_density

__all__ = ["SharePredictive", "derivatives_of_part", "log_part", "most_of_part"]

Array = NDArray[np.float64]


def log_part(y: Array, log_odds: Array, totals: Array | float) -> Array:
    """Log probabilities of parts ``y`` of totals.

    >>> log_part(np.array([1.0]), np.zeros(1), 2.0).round(4).tolist()  # one of two
    [-0.6931]
    """
    ways = gammaln(totals + 1.0) - gammaln(y + 1.0) - gammaln(totals - y + 1.0)
    return np.asarray(ways + y * log_expit(log_odds) + (totals - y) * log_expit(-log_odds))


def derivatives_of_part(y: Array, log_odds: Array, totals: Array | float) -> tuple[Array, Array, Array]:
    """Of these by the log odds: the first, the second and the third."""
    chance = expit(log_odds)
    second = -totals * chance * (1.0 - chance)
    return y - totals * chance, second, second * (1.0 - 2.0 * chance)


def most_of_part(y: Array, log_odds: Array, totals: Array | float) -> Array:
    """Probabilities of at most ``y`` (whole) of totals.

    >>> most_of_part(np.array([0.0, 2.0]), np.zeros(2), 2.0).tolist()
    [0.25, 1.0]
    """
    inside = np.minimum(y, totals - 1.0)
    return np.where(y >= totals, 1.0, betainc(totals - inside, inside + 1.0, expit(-log_odds)))


@dataclass(frozen=True, eq=False)
class SharePredictive(CountPredictive):
    """Distributions of m shares of totals (``sizes``), about a chance whose log odds are a mixture of k normal ones.

    >>> from autostatistician.data.transform import Transform
    >>> even = SharePredictive(np.zeros((1, 1)), np.full((1, 1), 1e-9), np.ones(1), Transform("logit", 0.5), sizes=4.0)
    >>> even.mean.round(6).tolist(), even.quantiles([0.025, 0.5]).tolist()
    ([0.5], [[0.0, 0.5]])
    """

    @cached_property
    def _log_rates(self) -> Array:
        """Means (k, m) of the log odds."""
        return np.asarray(self.transform.log_odds + self.means - self.transform.shift)

    @cached_property
    def _moments(self) -> tuple[Array, Array]:
        chances, sds = self.transform.moments(self.means, self.sds)
        middle = self.weights @ chances
        of_chance = self.weights @ (sds**2 + (chances - middle) ** 2)
        # the variance of a part given its chance is n p (1 - p)
        scatter = self.sizes * (middle - middle**2 - of_chance)
        return self.sizes * middle, np.sqrt(np.maximum(scatter, 0.0) + self.sizes**2 * of_chance)

    def _log_probabilities(self, y: Array) -> Array:
        law = partial(log_part, y, totals=self.sizes)
        slopes = partial(derivatives_of_part, y, totals=self.sizes)
        return averaged_density(law, slopes, self._log_rates, self.sds**2)[0]

    def _counted(self, y: Array) -> Array:
        return np.asarray(self.weights @ self._counted_by_members(y))

    def _most(self, y: Array, log_rates: Array) -> Array:
        return most_of_part(y, log_rates, self.sizes)

    def _whole_quantile(self, level: float) -> Array:
        """By halving between none and all."""
        size = self.means.shape[1]
        return self._halved(level, np.full(size, -1.0), np.broadcast_to(self.sizes, size).astype(np.float64))

"""The predictive distribution of single values: normal on the scale of the model, or a mixture of such.

Everything is mapped back to the data through the transform of the model: a quantile of a monotone map is the map of
the quantile, so the same code serves normal, lognormal and mixed predictions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtr, ndtri

from autostatistician.data.transform import Transform
from autostatistician.inference.predictive.limited import limited_moments

__all__ = ["ENDS_OF_95", "Predictive", "predictive"]

Array = NDArray[np.float64]

ENDS_OF_95 = (0.025, 0.975)  # levels, between which 95 % lie
TINY_SPREAD = 1e-200  # instead of the zero spread of values that are certain
LEVELS_OF_SCORE = 200  # of quantiles
QUANTILE_HALVINGS = 80  # of the interval in which a quantile of a mixture lies


@dataclass(frozen=True, eq=False)
class Predictive:
    """Distributions of m values, each a mixture of k normal distributions on the scale of the model.

    Parameters
    ----------
    means, sds : arrays (k, m)
        Moments of each member, on the scale of the model.
    weights : array (k,)
        Adding up to one.
    transform : Transform
        From the data to that scale.
    offset : float
        Added to what comes back.
    low, high : float
        Limits in the units of the data, at which values beyond lie instead: those of quantiles, probabilities, mean
        and standard deviation. A density has none inside of them; `crps` is that without limits.
    """

    means: Array
    sds: Array
    weights: Array
    transform: Transform
    offset: float = 0.0
    low: float = -np.inf
    high: float = np.inf

    @property
    def mean(self) -> Array:
        """Mean (m,) in the units of the data."""
        return self._members[0].T @ self.weights + self.offset

    @property
    def std(self) -> Array:
        """Standard deviation (m,) in the units of the data."""
        means, sds = self._members
        middle = means.T @ self.weights
        return np.asarray(np.sqrt((sds**2 + (means - middle) ** 2).T @ self.weights))

    def quantiles(self, levels: Sequence[float]) -> Array:
        """Quantiles (m, number of levels) in the units of the data."""
        columns = [self.transform.back(self._quantile(float(level))) for level in levels]
        return np.clip(np.stack(columns, axis=-1) + self.offset, self.low, self.high)

    def cdf(self, y: Array) -> Array:
        """Probability (m,) of a value of at most ``y`` (m,)."""
        possible, t = self._on_model_scale(y)
        below = np.where(possible, self._cdf(t), (y - self.offset > 0.0) & self.transform.is_odds)
        return np.where(y < self.low, 0.0, np.where(y >= self.high, 1.0, below))

    def beyond(self, y: Array) -> tuple[Array, Array]:
        """Probabilities (m,) of less and of more than ``y`` (m,), both with all digits; at a limit may lie some."""
        possible, t = self._on_model_scale(y)
        below = np.where(possible, self._cdf(t), (y - self.offset > 0.0) & self.transform.is_odds)
        above = np.where(possible, self.weights @ ndtr((self.means - t) / self.sds), 1.0 - below)
        return np.where(y <= self.low, 0.0, below), np.where(y >= self.high, 0.0, above)

    def midpoint(self, y: Array) -> Array:
        """Probability (m,) of less than ``y`` (m,), and half of exactly that: here the `cdf`."""
        return self.cdf(y)

    def log_density(self, y: Array) -> Array:
        """Log density (m,) at ``y`` (m,); minus infinity where a value is impossible."""
        possible, t = self._on_model_scale(y)
        possible &= (y >= self.low) & (y <= self.high)
        each = -0.5 * ((t - self.means) / self.sds) ** 2 - np.log(self.sds) - 0.5 * np.log(2.0 * np.pi)
        slope = self.transform.log_slope(np.where(possible, y - self.offset, 1.0))
        return np.asarray(np.where(possible, logsumexp(each, axis=0, b=self.weights[:, None]) + slope, -np.inf))

    def crps(self, y: Array) -> Array:
        """Continuous ranked probability score (m,) at ``y`` (m,): E|Y - y| - E|Y - Y'| / 2, in closed form.

        Gneiting and Raftery 2007, equation 21, with the mean distances of (log)normal variables; on other scales by
        quantiles.
        """
        if self.transform.name not in ("none", "log"):
            return self._crps_by_quantiles(y - self.offset)
        sure = np.zeros(len(y))
        apart = np.array([self._distance((m, s), (y - self.offset, sure), sure_second=True) for m, s in self._pairs()])
        among = np.array([[self._distance(first, two) for two in self._pairs()] for first in self._pairs()])
        return np.asarray(self.weights @ apart - 0.5 * np.einsum("i,ijm,j->m", self.weights, among, self.weights))

    def _crps_by_quantiles(self, y: Array) -> Array:
        """As twice the mean pinball loss over evenly spread quantiles."""
        levels = (np.arange(LEVELS_OF_SCORE) + 0.5) / LEVELS_OF_SCORE
        errors = y[:, None] - self.quantiles(levels.tolist()) + self.offset
        return np.asarray(2.0 * np.mean(np.maximum(levels * errors, (levels - 1.0) * errors), axis=1))

    @property
    def _members(self) -> tuple[Array, Array]:
        return limited_moments(self.means, self.sds, self.transform, self.low - self.offset, self.high - self.offset)

    def _pairs(self) -> list[tuple[Array, Array]]:
        return list(zip(self.means, self.sds, strict=True))

    def _on_model_scale(self, y: Array) -> tuple[NDArray[np.bool_], Array]:
        values = y - self.offset
        top = self.transform.top if self.transform.is_odds else np.inf
        possible = self.transform.possible(values)
        return possible, self.transform.forward(np.where(possible, values, min(1.0, 0.5 * top)))

    def _cdf(self, t: Array) -> Array:
        return np.asarray(self.weights @ ndtr((t - self.means) / self.sds))

    def _quantile(self, level: float) -> Array:
        """On the scale of the model; between the smallest and the largest of the members' quantiles."""
        each = self.means + self.sds * ndtri(level)
        low, high = each.min(axis=0), each.max(axis=0)
        if len(self.weights) > 1:
            for _ in range(QUANTILE_HALVINGS):
                middle = 0.5 * (low + high)
                below = self._cdf(middle) < level
                low, high = np.where(below, middle, low), np.where(below, high, middle)
        return np.asarray(0.5 * (low + high))

    def _distance(self, this: tuple[Array, Array], two: tuple[Array, Array], *, sure_second: bool = False) -> Array:
        """E|A - B| (m,) of independent values with these moments; a sure second one is given in data units."""
        if not self.transform.is_log:
            gap, spread = this[0] - two[0], np.hypot(this[1], two[1])
            z = gap / np.maximum(spread, TINY_SPREAD)
            return np.asarray(gap * (2.0 * ndtr(z) - 1.0) + 2.0 * spread * np.exp(-0.5 * z**2) / np.sqrt(2.0 * np.pi))
        first, _ = self.transform.moments(*this)
        if not sure_second:
            second, _ = self.transform.moments(*two)
            return _lognormal_distance((*this, first), (*two, second))
        possible, t = self._on_model_scale(two[0] + self.offset)
        distance = _lognormal_distance((*this, first), (t, two[1], two[0]))
        return np.where(possible, distance, first - two[0])


def _lognormal_distance(first: tuple[Array, Array, Array], two: tuple[Array, Array, Array]) -> Array:
    """E|A - B| of independent lognormal values; each as mean and sd of the logarithm, and mean.

    E[A; A > B] = E[A] P(log A + s_A^2 > log B), with the normal distribution of the difference of the logarithms.
    """
    spread = np.maximum(np.hypot(first[1], two[1]), TINY_SPREAD)
    gap = first[0] - two[0]
    upper, lower = ndtr((gap + first[1] ** 2) / spread), ndtr((two[1] ** 2 - gap) / spread)
    return np.asarray(first[2] * (2.0 * upper - 1.0) + two[2] * (2.0 * lower - 1.0))


def predictive(mean: Array, sd: Array, transform: Transform, offset: float = 0.0) -> Predictive:
    """The predictive distribution of one model, from its moments (m,) on its own scale.

    >>> one = predictive(np.array([0.0]), np.array([1.0]), Transform())
    >>> one.crps(np.array([0.0])).round(4).tolist(), one.quantiles([0.5]).tolist()
    ([0.2337], [[0.0]])
    """
    return Predictive(mean[None], sd[None], np.ones(1), transform, offset)

"""The predictive distribution of single values, with prediction intervals: normal on the scale of the model, or mixed.

Everything is mapped back to the data through the transform of the model: a quantile of a monotone map is the map of
the quantile, so the same code serves normal, lognormal and mixed predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtr, ndtri

from autostatistician.data.transform import Transform

__all__ = ["ENDS_OF_95", "Averaged", "Predictive", "certain", "predictive"]


Array = NDArray[np.float64]

LEAST_PROBABILITY = 1e-9  # probability beyond a limit from which it changes a moment

TINY_PROBABILITY = 1e-200

FARTHEST_SDS = 38.0  # standard deviations beyond which a density is zero in these numbers

NO_LIMITS = (-np.inf, np.inf)

ENDS_OF_95 = (0.025, 0.975)  # levels, between which 95 % lie

TINY_SPREAD = 1e-200  # instead of the zero spread of values that are certain

QUANTILE_HALVINGS = 52  # of the interval in which a quantile of a mixture lies

CRPS_LEVELS = 200  # by which the integral over all quantiles is a sum


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
        back = self.transform.back(self._quantiles(np.asarray(levels, dtype=np.float64)[:, None])).T
        return np.clip(back + self.offset, self.low, self.high)

    def cdf(self, y: Array) -> Array:
        """Probability (..., m) of a value of at most ``y`` (..., m)."""
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
        """Probability (m,) of less than ``y`` (m,), and half of exactly that, which the lower limit alone has."""
        return np.where(y <= self.low, 0.5, 1.0) * self.cdf(y)

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
            return crps_by_quantiles(self, y)
        sure = np.zeros(len(y))
        apart = np.array([self._distance((m, s), (y - self.offset, sure), sure_second=True) for m, s in self._pairs()])
        among = np.array([[self._distance(first, two) for two in self._pairs()] for first in self._pairs()])
        return np.asarray(self.weights @ apart - 0.5 * np.einsum("i,ijm,j->m", self.weights, among, self.weights))

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
        return np.asarray(self.weights @ ndtr((t[..., None, :] - self.means) / self.sds))

    def _quantiles(self, levels: Array) -> Array:
        """Those of levels (l, 1) on the scale of the model (l, m): between the smallest and the largest of members'."""
        each = self.means + self.sds * ndtri(levels[..., None])
        low, high = each.min(axis=1), each.max(axis=1)
        if len(self.weights) > 1:
            for _ in range(QUANTILE_HALVINGS):
                middle = 0.5 * (low + high)
                below = self._cdf(middle) < levels
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


def crps_by_quantiles(one: Predictive | Averaged, y: Array) -> Array:
    """The score (m,) at ``y`` (m,) as twice the mean pinball loss over evenly spread quantiles."""
    levels = (np.arange(CRPS_LEVELS) + 0.5) / CRPS_LEVELS
    error = y[:, None] - one.quantiles(levels.tolist())
    return np.asarray(2.0 * np.mean(np.maximum(levels * error, (levels - 1.0) * error), axis=1))


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


def certain(value: float, count: int) -> Predictive:
    """The distributions of so many values that are all known to be one.

    >>> known = certain(7.0, 1)
    >>> known.quantiles([0.025, 0.975]).tolist(), known.mean.tolist(), known.std.tolist()
    ([[7.0, 7.0]], [7.0], [0.0])
    """
    means, sds = np.full((1, count), value), np.full((1, count), TINY_SPREAD)
    return Predictive(means, sds, np.ones(1), Transform(), low=value, high=value)


# --- Moments of values that cannot go beyond limits: those that a model puts there lie at the limit -----------------


def limited_moments(means: Array, sds: Array, transform: Transform, low: float, high: float) -> tuple[Array, Array]:
    """Mean and standard deviation of min(max(Y, low), high), Y being (log)normal with moments on the model's scale.

    Johnson, Kotz and Balakrishnan 1994 (Continuous Univariate Distributions 1), sections 13.10.1 and 14.7: partial
    moments of the normal and the lognormal distribution. All arrays are of one shape, limits in units of the data.

    >>> mean, sd = limited_moments(np.array([0.0]), np.array([1.0]), Transform(), 0.0, np.inf)
    >>> mean.round(4).tolist(), sd.round(4).tolist()
    ([0.3989], [0.5838])
    """
    if transform.is_power:
        return transform.moments_within(means, sds, low, high)
    plain = transform.moments(means, sds)
    if transform.is_odds or (low == -np.inf and high == np.inf):  # shares have their own
        return plain
    from_low, to_high = (
        (_on_scale(limit, transform) - means) / np.maximum(sds, TINY_PROBABILITY) for limit in (low, high)
    )
    below, above = ndtr(from_low), ndtr(-to_high)
    partial = _of_log if transform.is_log else _of_normal
    # about the plain mean, so that no digits are lost
    first, second = partial(*plain, sds, from_low, to_high)
    ends = [(chance, limit - plain[0]) for chance, limit in ((below, low), (above, high)) if np.isfinite(limit)]
    first = first + sum(chance * gap for chance, gap in ends)
    second = second + sum(chance * gap**2 for chance, gap in ends)
    reached = below + above > LEAST_PROBABILITY
    mean = np.where(reached, plain[0] + first, plain[0])
    return mean, np.where(reached, np.sqrt(np.maximum(second - first**2, 0.0)), plain[1])


def _on_scale(limit: float, transform: Transform) -> float:
    if not np.isfinite(limit):
        return limit
    if transform.is_log and limit <= 0.0:
        return -np.inf
    return float(transform.forward(np.array([limit]))[0])


def _of_normal(mean: Array, sd: Array, _: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """First and second moment about the mean, of what lies between standardised limits."""
    at_a, at_b = _density(a), _density(b)
    inner = ndtr(b) - ndtr(a)
    return sd * (at_a - at_b), sd**2 * (inner + _times(a, at_a) - _times(b, at_b))


def _of_log(mean: Array, sd: Array, spread: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """The same for a lognormal variable; ``spread`` is the standard deviation of its logarithm."""
    none, one, two = (ndtr(b - k * spread) - ndtr(a - k * spread) for k in (0.0, 1.0, 2.0))
    return mean * (one - none), (sd**2 + mean**2) * two - 2.0 * mean**2 * one + mean**2 * none


def _density(z: Array) -> Array:
    return np.asarray(np.exp(-0.5 * np.clip(z, -FARTHEST_SDS, FARTHEST_SDS) ** 2) / np.sqrt(2.0 * np.pi))


def _times(z: Array, density: Array) -> Array:
    return np.where(np.isfinite(z), z, 0.0) * density


# --- The predictive distribution of single values where models on different scales are averaged ---------------------


@dataclass(frozen=True, eq=False)
class Averaged:
    """Distributions of m values, each a mixture of those of two models in the units of the data.

    Parameters
    ----------
    first, second : Predictive or Averaged
        Of the same m values.
    share : array (m,)
        The weight of the second for each value, between 0 and 1.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> from autostatistician.gp.predictive import predictive
    >>> ends = [predictive(np.array([mean]), np.array([1.0]), Transform()) for mean in (-3.0, 3.0)]
    >>> both = Averaged(*ends, np.array([0.5]))
    >>> both.mean.tolist(), both.std.round(4).tolist(), both.quantiles([0.975]).round(4).tolist()
    ([0.0], [3.1623], [[4.6449]])
    """

    first: Predictive | Averaged
    second: Predictive
    share: Array

    @property
    def mean(self) -> Array:
        """Mean (m,) in the units of the data."""
        return self._mixed(lambda part: part.mean)

    @property
    def std(self) -> Array:
        """Standard deviation (m,) in the units of the data."""
        apart = self.second.mean - self.first.mean
        within = self._mixed(lambda part: part.std**2)
        return np.asarray(np.sqrt(within + self.share * (1.0 - self.share) * apart**2))

    def quantiles(self, levels: Sequence[float]) -> Array:
        """Quantiles (m, number of levels) in the units of the data."""
        first, second, share = self.first.quantiles(levels), self.second.quantiles(levels), self.share[:, None]
        low = np.where(share < 1.0, np.where(share > 0.0, np.minimum(first, second), first), second)
        high = np.where(share < 1.0, np.where(share > 0.0, np.maximum(first, second), first), second)
        wanted = np.broadcast_to(np.asarray(levels, dtype=np.float64), low.shape)
        for _ in range(QUANTILE_HALVINGS if (low < high).any() else 0):
            middle = low + 0.5 * (high - low)
            below = wanted > self.cdf(middle.T).T
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return np.asarray(high)

    def cdf(self, y: Array) -> Array:
        """Probability (..., m) of a value of at most ``y`` (..., m)."""
        return self._mixed(lambda part: part.cdf(y))

    def beyond(self, y: Array) -> tuple[Array, Array]:
        """Probabilities (m,) of less and of more than ``y`` (m,)."""
        return self._mixed(lambda part: part.beyond(y)[0]), self._mixed(lambda part: part.beyond(y)[1])

    def midpoint(self, y: Array) -> Array:
        """Probability (m,) of less than ``y`` (m,), and half of exactly that."""
        return self._mixed(lambda part: part.midpoint(y))

    def log_density(self, y: Array) -> Array:
        """Log density (m,) at ``y`` (m,); minus infinity where a value is impossible."""
        densities = np.stack([part.log_density(y) for part in (self.first, self.second)])
        return np.asarray(logsumexp(densities, axis=0, b=np.stack([1.0 - self.share, self.share])))

    def crps(self, y: Array) -> Array:
        """Continuous ranked probability score (m,) at ``y`` (m,): twice the mean quantile loss over many levels."""
        return crps_by_quantiles(self, y)

    def _mixed(self, of_part: Callable[[Predictive | Averaged], Array]) -> Array:
        return np.asarray((1.0 - self.share) * of_part(self.first) + self.share * of_part(self.second))

"""Predictive distributions of counts: Poisson or negative binomial, about a rate whose logarithm is a mixture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, expit, gammaln, log_expit, logsumexp, ndtr, ndtri, pdtr, pdtrc

from autostatistician.gp.predictive.predictive import Predictive
from autostatistician.gp.predictive.quadrature import averaged_density

__all__ = [
    "CountPredictive", "HurdlePredictive", "SharePredictive", "derivatives_of_part", "derivatives_of_scattered",
    "derivatives_of_some", "log_mean_probability", "log_part", "log_scattered", "log_some", "mean_of_some",
    "posterior_of_rate",
]  # fmt: skip


Array = NDArray[np.float64]

# Of an average over a normal variable: points evenly spread so many standard deviations to either side. They are close
# enough as long as chance varies by more than a tenth of what the rate does; else both are one normal variable.
POINTS, REACH = 61, 6.0

NARROW = 100.0  # ratio of the variances from which on they are

NODES = 20  # of Gauss-Hermite quadrature about the rate that a count makes likely

MOST_STEPS = 50  # of Newton's method

SETTLED = 1e-10

LEAST_VARIANCE = 1e-12  # of a log rate: below it, it counts as known

LARGEST_EXPONENT = 700.0  # exponents beyond are cut, so that all numbers stay finite

LARGEST_LOG_RATE = 300.0  # the same where rates are multiplied

ROUNDING = 1e-9  # of a count

CERTAIN = 1e-9  # probability that is left of a sum without end

SELDOM = 1e-4  # beyond, cells of a sum grow

MOST_CELLS = 500  # of the sum for a score

LEAST_LOG_RATE = -30.0  # below, a count above zero is one


@dataclass(frozen=True, eq=False)
class CountPredictive(Predictive):
    """Distributions of m counts, each Poisson about a rate whose logarithm is a mixture of k normal distributions.

    Arguments are those of `Predictive`, with the map from a rate to the scale of the model. With a ``dispersion`` they
    are negative binomial: rates scatter by gamma distributions, too. Quantiles are whole numbers, densities
    probabilities; with ``sizes`` (m,) all values are counts by a unit of these.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> surely_two = CountPredictive(np.log([[2.0]]), np.array([[1e-9]]), np.ones(1), Transform("log"))
    >>> surely_two.mean.round(6).tolist(), surely_two.std.round(4).tolist()
    ([2.0], [1.4142])
    >>> surely_two.quantiles([0.025, 0.975]).tolist()
    [[0.0, 5.0]]
    >>> np.exp(surely_two.log_density(np.zeros(1))).round(4).tolist()  # exp(-2)
    [0.1353]
    """

    dispersion: float = 0.0
    sizes: Array | float = 1.0

    @property
    def mean(self) -> Array:
        """Mean (m,)."""
        return np.asarray(self._moments[0] / self.sizes)

    @property
    def std(self) -> Array:
        """Standard deviation (m,): of the rate, and of counts about it."""
        return np.asarray(self._moments[1] / self.sizes)

    def quantiles(self, levels: Sequence[float]) -> Array:
        """The smallest whole numbers (m, number of levels) that are not exceeded with at least these probabilities."""
        found = np.stack([self._whole_quantile(float(level)) / self.sizes for level in levels], axis=-1)
        return np.clip(found, self.low, self.high)

    def cdf(self, y: Array) -> Array:
        """Probability (..., m) of a count of at most ``y`` (..., m)."""
        if y.ndim > 1:
            return np.stack([self.cdf(row) for row in y])
        below = np.where(y < 0.0, 0.0, self._counted(np.floor(self._counts(np.maximum(y, 0.0)))))
        return np.where(y < self.low, 0.0, np.where(y >= self.high, 1.0, below))

    def log_density(self, y: Array) -> Array:
        """Log probability (m,) of the counts ``y`` (m,); minus infinity of what is none."""
        counts = self._counts(y)
        possible = (y >= np.maximum(self.low, 0.0)) & (y <= self.high) & (counts == np.floor(counts))
        logs = self._log_probabilities(np.where(possible, counts, 0.0))
        return np.asarray(np.where(possible, logsumexp(logs, axis=0, b=self.weights[:, None]), -np.inf))

    def beyond(self, y: Array) -> tuple[Array, Array]:
        """Probabilities (m,) of fewer and of more than ``y`` (m,)."""
        most = self.cdf(y)
        return np.maximum(most - np.exp(self.log_density(y)), 0.0), 1.0 - most

    def midpoint(self, y: Array) -> Array:
        """Probability (m,) of fewer than ``y`` (m,), and half of as many: as a `cdf` of what is not whole."""
        return np.asarray(self.cdf(y) - 0.5 * np.exp(self.log_density(y)))

    def crps(self, y: Array) -> Array:
        """Ranked probability score (m,) at ``y`` (m,): the sum of squared errors of the `cdf` over whole numbers."""
        y = self._counts(y)
        low = np.minimum(self._whole_quantile(CERTAIN), y)
        middle = np.maximum(self._whole_quantile(1.0 - SELDOM), y) + 1.0
        high = np.maximum(self._whole_quantile(1.0 - CERTAIN), middle) + 1.0
        near = np.linspace(low, middle, min(MOST_CELLS, int(np.max(middle - low)) + 1))
        far = np.geomspace(middle + 1.0, high + 1.0, min(MOST_CELLS, int(np.max(high - middle)) + 1))[1:] - 1.0
        edges = np.rint(np.concatenate([near, far]))
        widths = np.diff(edges, axis=0)
        errors = np.array([self.cdf(edge / self.sizes) - (edge >= y) for edge in edges[:-1]])
        return np.asarray(np.sum(widths * errors**2, axis=0) / self.sizes)

    def _counts(self, y: Array) -> Array:
        """Values as counts, whole where only rounding keeps them from that."""
        counts = np.asarray(y * self.sizes)
        whole = np.round(counts)
        return np.where(np.abs(counts - whole) <= ROUNDING * np.maximum(whole, 1.0), whole, counts)

    def _log_probabilities(self, y: Array) -> Array:
        """Log probabilities (k, m) by each member."""
        if not self.dispersion:
            return log_mean_probability(y, self._log_rates, self.sds**2)
        law = partial(log_scattered, y, dispersion=self.dispersion)
        slopes = partial(derivatives_of_scattered, y, dispersion=self.dispersion)
        return averaged_density(law, slopes, self._log_rates, self.sds**2)[0]

    @cached_property
    def _log_rates(self) -> Array:
        """Means (k, m) of the logarithm of the rate in its own units."""
        unit = np.log(self.transform.scale) + self.means - self.transform.shift
        return np.asarray(unit + np.log(self.sizes))

    @cached_property
    def _moments(self) -> tuple[Array, Array]:
        if np.ndim(self.sizes) == 0 and (max(self.low, 0.0) > 0.0 or np.isfinite(self.high)):
            return self._limited_moments()
        means, sds = (part * self.sizes for part in self.transform.moments(self.means, self.sds))
        middle = self.weights @ means
        scattered = self.dispersion * (sds**2 + means**2)
        return middle, np.sqrt(middle + self.weights @ (sds**2 + scattered + (means - middle) ** 2))

    def _limited_moments(self) -> tuple[Array, Array]:
        """E min(max(Y, low), high) and the root of the variance, from the sums of probabilities of more."""
        low = max(self.low, 0.0)
        high = self.high if np.isfinite(self.high) else float(self._whole_quantile(1.0 - CERTAIN).max())
        first, second = np.full(self.means.shape[1], low), np.full(self.means.shape[1], low**2)
        for count in np.arange(np.floor(low), np.floor(high)):
            more = 1.0 - self._counted(np.full_like(first, count))
            first, second = first + more, second + (2.0 * count + 1.0) * more
        return first, np.sqrt(np.maximum(second - first**2, 0.0))

    def _counted(self, y: Array) -> Array:
        """Probability (m,) of at most ``y`` (m,), whole numbers from zero."""
        rates = np.exp(np.minimum(self._log_rates, LARGEST_EXPONENT))
        chance = self.dispersion + 1.0 / np.maximum(rates, 1e-300)  # variance, of the size of the squared rate
        as_one = self.sds**2 >= NARROW * chance
        spread = np.sqrt(self.sds**2 + chance)
        together = ndtr((np.log(y + 0.5) - self._log_rates) / spread)
        if as_one.all():
            return np.asarray(self.weights @ together)
        return np.asarray(self.weights @ np.where(as_one, together, self._counted_by_members(y)))

    def _counted_by_members(self, y: Array) -> Array:
        """Probabilities (k, m) of at most ``y`` (m,) by each member: averages over what its rate may be."""
        below = np.zeros(self.means.shape)
        for share, log_rates in self._places():
            below += share * self._most(y, log_rates)
        return below

    def _places(self) -> list[tuple[float, Array]]:
        """Log rates (k, m) that fill what is known of them, with their shares."""
        steps = np.linspace(-REACH, REACH, POINTS)
        shares = np.exp(-0.5 * steps**2)
        pairs = zip(steps, shares / shares.sum(), strict=True)
        return [(float(share), self._log_rates + step * self.sds) for step, share in pairs]

    def _most(self, y: Array, log_rates: Array) -> Array:
        """Probabilities (k, m) of at most ``y`` (m,) about known rates."""
        log_rates = np.minimum(log_rates, LARGEST_EXPONENT)
        return most_scattered(y, log_rates, self.dispersion) if self.dispersion else pdtr(y, np.exp(log_rates))

    def _whole_quantile(self, level: float) -> Array:
        """The smallest whole numbers (m,) with at least this probability of no more."""
        spread = np.sqrt(self.sds**2 + self.dispersion + np.exp(-np.clip(self._log_rates, 0.0, LARGEST_EXPONENT)))
        guess = np.exp(np.minimum(self._log_rates + spread * ndtri(level), LARGEST_EXPONENT)).max(axis=0)
        low, high = np.full(guess.shape, -1.0), np.ceil(guess)
        while (short := self._counted(high) < level).any() and high.max() < np.exp(LARGEST_EXPONENT):
            low, high = np.where(short, high, low), np.where(short, 2.0 * high + 1.0, high)
        return self._halved(level, low, high)

    def _halved(self, level: float, low: Array, high: Array) -> Array:
        """The quantiles (m,) above ``low`` (m,), of which less is probable, up to ``high``, of which enough is."""
        while (open_ := high - low > np.maximum(1.0, 1e-12 * high)).any():
            middle = np.floor(0.5 * (low + high))
            reached = self._counted(np.maximum(middle, 0.0)) >= level
            high, low = np.where(open_ & reached, middle, high), np.where(open_ & ~reached, middle, low)
        return np.asarray(high)


def posterior_of_rate(y: Array, mean: Array, variance: Array) -> tuple[Array, Array]:
    """Mode and variance of the logarithm of a rate, normal before, given a count; arrays of one shape.

    >>> mode, variance = posterior_of_rate(np.array([1.0]), np.zeros(1), np.ones(1))
    >>> mode.tolist(), variance.tolist()
    ([0.0], [0.5])
    """
    eta = np.where(variance * np.exp(np.minimum(mean, LARGEST_LOG_RATE)) > 1.0, np.log(y + 0.5), mean)
    for _ in range(MOST_STEPS):
        rate = np.exp(np.minimum(eta, LARGEST_LOG_RATE))
        step = (variance * (y - rate) - (eta - mean)) / (1.0 + variance * rate)
        eta = eta + np.clip(step, -2.0, 2.0)
        if np.abs(step).max(initial=0.0) < SETTLED:
            break
    return eta, variance / (1.0 + variance * np.exp(np.minimum(eta, LARGEST_LOG_RATE)))


def log_mean_probability(y: Array, mean: Array, variance: Array) -> Array:
    """Log probabilities of counts whose log rate is normal, by quadrature about the rate that each makes likely.

    Liu and Pierce 1994 (Biometrika 81, 624-629). Arrays are of shapes that go together.

    >>> log_mean_probability(np.array([3.0]), np.log([2.0]), np.zeros(1)).round(4).tolist()  # Poisson
    [-1.7123]
    """
    y, mean, variance = np.broadcast_arrays(y, mean, np.maximum(variance, LEAST_VARIANCE))
    mode, narrowed = posterior_of_rate(y, mean, variance)
    nodes, weights = np.polynomial.hermite.hermgauss(NODES)
    terms = []
    for node, weight in zip(nodes, weights, strict=True):
        eta = mode + np.sqrt(2.0 * narrowed) * node
        poisson = y * eta - np.exp(np.minimum(eta, LARGEST_LOG_RATE)) - gammaln(y + 1.0)
        prior = -0.5 * (eta - mean) ** 2 / variance
        terms.append(poisson + prior + node**2 + np.log(weight))
    half_log_share = 0.5 * np.log(narrowed / variance) - 0.5 * np.log(np.pi)
    return np.asarray(logsumexp(np.array(terms), axis=0) + half_log_share)


# --- Counts that scatter about their rate by more than chance -------------------------------------------------------


def log_scattered(y: Array, log_rate: Array, dispersion: float) -> Array:
    """Log probabilities of counts.

    >>> log_scattered(np.array([0.0]), np.log([2.0]), 0.5).round(4).tolist()  # (1 + 1)^-2
    [-1.3863]
    """
    size = 1.0 / dispersion
    odds = log_rate + np.log(dispersion)  # of the rate against the size, as a logarithm
    ways = gammaln(y + size) - gammaln(size) - gammaln(y + 1.0)
    return np.asarray(ways + size * log_expit(-odds) + y * log_expit(odds))


def derivatives_of_scattered(y: Array, log_rate: Array, dispersion: float) -> tuple[Array, Array, Array]:
    """Of these by the log rate: the first, the second and the third."""
    size, share = 1.0 / dispersion, expit(log_rate + np.log(dispersion))
    second = -(y + size) * share * (1.0 - share)
    return y - (y + size) * share, second, second * (1.0 - 2.0 * share)


def most_scattered(y: Array, log_rate: Array, dispersion: float) -> Array:
    """Probabilities of at most ``y``, whole numbers from zero.

    >>> most_scattered(np.array([0.0]), np.log([2.0]), 0.5).round(4).tolist()
    [0.25]
    """
    return np.asarray(betainc(1.0 / dispersion, y + 1.0, expit(-log_rate - np.log(dispersion))))


# --- Predictive distributions of shares -----------------------------------------------------------------------------


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


# --- Counts that are none with one chance and, where they are not, follow a law of their own ------------------------


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

"""Counts: their laws, given the log rate or the log odds ``eta`` of their mean, and predictive distributions of them.

One row per law: log probabilities, their derivatives by ``eta``, and probabilities of at most a count. Likelihoods and
predictive distributions read both ends from here. All arrays are of shapes that go together. Rates and chances of
predictive distributions are mixtures.

Densities averaged over a normal function, by quadrature about the value that an observation makes likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, expit, gammaln, log_expit, logsumexp, ndtr, ndtri, pdtr, pdtrc

from autostatistician.data.transform import Transform
from autostatistician.gp.predictive import Predictive

__all__ = [
    "BinomialLaw", "CountLaw", "CountPredictive", "HurdleLaw", "HurdlePredictive", "NegativeBinomialLaw", "PoissonLaw",
    "SharePredictive", "averaged_density", "positive_mean",
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


# --- Predictive distributions -----------------------------------------------------------------------------------------

# Of an average over a normal variable: points evenly spread so many standard deviations to either side. They are close
# enough as long as chance varies by more than a tenth of what the rate does; else both are one normal variable.
POINTS, REACH = 61, 6.0
NARROW = 100.0  # ratio of the variances from which on they are
LARGEST_EXPONENT = 700.0  # exponents beyond are cut, so that all numbers stay finite
ROUNDING = 1e-9  # of a count
CERTAIN = 1e-9  # probability that is left of a sum without end
SELDOM = 1e-4  # beyond, cells of a sum grow
MOST_CELLS = 500  # of the sum for a score


@dataclass(frozen=True, eq=False)
class CountPredictive(Predictive):
    """Distributions of m counts, each Poisson about a rate whose logarithm is a mixture of k normal distributions.

    Arguments are those of `Predictive`, with the map from a rate to the scale of the model. With another ``law`` they
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

    law: CountLaw = PoissonLaw()
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
        logs = self.law.averaged(np.where(possible, counts, 0.0), self._log_rates, self.sds**2)[0]
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

    @cached_property
    def _log_rates(self) -> Array:
        """Means (k, m) of what the law is given: logarithms of rates in their own units, or log odds."""
        return self.law.link(self.means, self.transform, self.sizes)

    @cached_property
    def _moments(self) -> tuple[Array, Array]:
        if np.ndim(self.sizes) == 0 and (max(self.low, 0.0) > 0.0 or np.isfinite(self.high)):
            return self._limited_moments()
        means, sds = (part * self.sizes for part in self.transform.moments(self.means, self.sds))
        middle = self.weights @ means
        scattered = self.law.dispersion * (sds**2 + means**2)
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
        chance = self.law.dispersion + 1.0 / np.maximum(rates, 1e-300)  # variance, of the size of the squared rate
        as_one = self.sds**2 >= NARROW * chance
        together = self._as_one(y, np.sqrt(self.sds**2 + chance))
        if as_one.all():
            return np.asarray(self.weights @ together)
        return np.asarray(self.weights @ np.where(as_one, together, self._counted_by_members(y)))

    def _as_one(self, y: Array, spread: Array) -> Array:
        """The same (k, m) where chance and what is not known of the rate are one normal variable."""
        return ndtr((np.log(y + 0.5) - self._log_rates) / spread)

    def _counted_by_members(self, y: Array) -> Array:
        """Probabilities (k, m) of at most ``y`` (m,) by each member: averages over what its rate may be."""
        below = np.zeros(self.means.shape)
        for share, log_rates in self._places():
            below += share * self.law.cdf(y, log_rates)
        return below

    def _places(self) -> list[tuple[float, Array]]:
        """Log rates (k, m) that fill what is known of them, with their shares."""
        steps = np.linspace(-REACH, REACH, POINTS)
        shares = np.exp(-0.5 * steps**2)
        pairs = zip(steps, shares / shares.sum(), strict=True)
        return [(float(share), self._log_rates + step * self.sds) for step, share in pairs]

    def _whole_quantile(self, level: float) -> Array:
        """The smallest whole numbers (m,) with at least this probability of no more."""
        spread = np.sqrt(self.sds**2 + self.law.dispersion + np.exp(-np.clip(self._log_rates, 0.0, LARGEST_EXPONENT)))
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


# --- Shares of totals, and counts of which zeros have a chance of their own -----------------------------------------


@dataclass(frozen=True, eq=False)
class SharePredictive(CountPredictive):
    """Distributions of m shares of totals (``sizes``), about a chance whose log odds are a mixture of k normal ones.

    >>> from autostatistician.gp.counts import BinomialLaw
    >>> from autostatistician.data.transform import Transform
    >>> known = np.zeros((1, 1)), np.full((1, 1), 1e-9), np.ones(1), Transform("logit", 0.5)
    >>> even = SharePredictive(*known, law=BinomialLaw(4.0), sizes=4.0)
    >>> even.mean.round(6).tolist(), even.quantiles([0.025, 0.5]).tolist()
    ([0.5], [[0.0, 0.5]])
    """

    @cached_property
    def _moments(self) -> tuple[Array, Array]:
        chances, sds = self.transform.moments(self.means, self.sds)
        middle = self.weights @ chances
        of_chance = self.weights @ (sds**2 + (chances - middle) ** 2)
        # the variance of a part given its chance is n p (1 - p)
        scatter = self.sizes * (middle - middle**2 - of_chance)
        return self.sizes * middle, np.sqrt(np.maximum(scatter, 0.0) + self.sizes**2 * of_chance)

    def _counted(self, y: Array) -> Array:
        return np.asarray(self.weights @ self._counted_by_members(y))

    def _whole_quantile(self, level: float) -> Array:
        """By halving between none and all."""
        size = self.means.shape[1]
        return self._halved(level, np.full(size, -1.0), np.broadcast_to(self.sizes, size).astype(np.float64))


@dataclass(frozen=True, eq=False)
class HurdlePredictive(CountPredictive):
    """Distributions of m counts: zero with the chance of its law, else from one, about rates as of `CountPredictive`.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> surely_two = np.log([[2.0]]), np.array([[1e-9]]), np.ones(1), Transform("log")
    >>> seldom = HurdlePredictive(*surely_two, law=HurdleLaw(0.75))
    >>> np.exp(seldom.log_density(np.zeros(1))).round(4).tolist(), seldom.quantiles([0.5, 0.95]).tolist()
    ([0.75], [[0.0, 3.0]])
    >>> seldom.mean.round(4).tolist()  # a quarter of 2 / (1 - e^-2)
    [0.5783]
    """

    law: HurdleLaw = HurdleLaw(0.5)

    @cached_property
    def _moments(self) -> tuple[Array, Array]:
        if np.isfinite(self.high) or self.low > 0.0:
            return self._limited_moments()
        mean, square = np.zeros(self.means.shape), np.zeros(self.means.shape)
        for share, log_rates in self._places():
            middle = positive_mean(log_rates)
            mean += share * middle
            square += share * middle * (1.0 + np.exp(np.minimum(log_rates, LARGEST_LOG_RATE)))
        first, second = ((1.0 - self.law.none) * (self.weights @ part) for part in (mean, square))
        return first, np.sqrt(np.maximum(second - first**2, 0.0))

    def _as_one(self, y: Array, spread: Array) -> Array:
        below, start = (super(HurdlePredictive, self)._as_one(end, spread) for end in (y, np.zeros(1)))
        return self.law.none + (1.0 - self.law.none) * np.maximum(below - start, 0.0) / (1.0 - start)

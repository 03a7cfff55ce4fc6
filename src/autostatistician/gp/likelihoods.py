"""How observations come about from the function behind them: normal noise, or one of two classes.

Normal noise, whose leaves are parts of the kernel, about a function or about a map of the target.

Normal errors of which some have a far larger size: outliers, each row with its chance to be one (Tukey 1960).

What a likelihood must be able to say, so that searches, reports and forecasts need not know which one it is.

One of two classes, coded -1 and +1, whose probability is a function of the latent function.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, pi, sqrt
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx, expit, log_expit, log_ndtr, logsumexp, ndtr

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.transform import Transform
from autostatistician.errors import check_choice
from autostatistician.gp.covariance import signal_and_noise
from autostatistician.gp.predictive import NO_LIMITS, Predictive
from autostatistician.kernels.expr import Expr, Leaf, Sum
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import always_noisy, is_noise

__all__ = ["GAUSSIAN", "LINKS", "Bernoulli", "Contaminated", "Gaussian", "LatentLikelihood", "Likelihood", "fitted_to"]


Array = NDArray[np.float64]


@dataclass(frozen=True)
class Gaussian:
    """Observations with normal noise on the scale of the model: of the data, or of their logarithm.

    Examples
    --------
    >>> from autostatistician.kernels.text import parse
    >>> [GAUSSIAN.admits(parse(text)) for text in ("SE + WN", "SE", "CP(SE + WN, SE)")]
    [True, False, False]
    """

    transform: Transform = field(default_factory=Transform)  # from the data to the scale of the model
    is_latent: ClassVar[bool] = False
    distribution: ClassVar[type[Predictive]] = Predictive  # of observations

    def admits(self, expr: Expr) -> bool:
        """Whether an expression has noise everywhere: without it no observation may differ from the function."""
        return always_noisy(expr)

    def start(self, expr: Expr) -> Expr:
        """The start of the language as it is."""
        return expr

    def halves(self, kernel: Kernel) -> tuple[Kernel | None, Kernel | None]:
        """The parts without white noise and those with it."""
        return signal_and_noise(kernel)

    def variance(self, X: Array) -> Array:
        """None: all noise is in the kernel."""
        return np.zeros(len(X))

    def standardised(self, y: Array) -> tuple[float, Gaussian]:
        """The root mean square of the targets (n,), in units of which normal noise stays normal.

        >>> GAUSSIAN.standardised(np.array([3.0, -3.0]))[0]
        3.0
        """
        largest = float(np.abs(y).max())
        # The largest value is divided out first: squares of very large or small targets would not be finite.
        return largest * float(np.sqrt(np.mean((y / largest) ** 2))) if largest else 1.0, Gaussian()

    def mapped(self, transform: Transform) -> Gaussian:
        """Normal noise about a map of the target."""
        return Gaussian(transform)

    def predictive(
        self, means: Array, sds: Array, weights: Array, offset: float = 0.0, limits: tuple[float, float] = NO_LIMITS
    ) -> Predictive:
        """Normal distributions, or lognormal ones, or mixtures of such.

        >>> GAUSSIAN.predictive(np.zeros((1, 1)), np.ones((1, 1)), np.ones(1)).quantiles([0.5]).tolist()
        [[0.0]]
        """
        return self.distribution(means, sds, weights, self.transform, offset, *limits, **self._beside)

    @property
    def _beside(self) -> dict[str, Any]:
        """What a kind of distribution takes beside moments, map and limits."""
        return {}


GAUSSIAN = Gaussian()


ROWS_BEFORE, OUTLIERS_BEFORE = 20.0, 0.5  # what is known of the share before the data: so many outliers among so many
LEAST_TIMES = 3.0  # size of outliers over that of others: less is hardly to be told from one size
LEAST_SCALE = 1e-6
ROUNDS, SETTLED = 100, 1e-6  # of expectation and maximisation, and the largest change of a chance


@dataclass(frozen=True)
class Contaminated:
    """Errors with a standard deviation ``scale``, of which a ``share`` has one that is so many ``times`` as large.

    Of these large ones the share ``up`` is above zero.

    Examples
    --------
    >>> errors = Contaminated(0.05, 10.0)
    >>> errors.chances(np.array([1.0, 3.0, 4.0])).round(3).tolist()
    [0.009, 0.312, 0.935]
    """

    share: float
    times: float
    scale: float = 1.0
    up: float = 0.5

    def log_density(self, errors: Array) -> Array:
        """Log densities (n,)."""
        return np.logaddexp(*self._log_parts(errors))

    def chances(self, errors: Array, log_usual: Array | None = None) -> Array:
        """The probability of each error (n,) to be of the large size.

        ``log_usual`` are the log densities of errors of the usual size where these are not normal.
        """
        usual, large = self._log_parts(errors)
        return np.asarray(expit(large - (usual if log_usual is None else log(1.0 - self.share) + log_usual)))

    def _log_parts(self, errors: Array) -> tuple[Array, Array]:
        usual = log(1.0 - self.share) + _log_normal(errors, self.scale)
        side = np.log(2.0 * np.where(errors > 0.0, self.up, 1.0 - self.up))
        return usual, log(self.share) + side + _log_normal(errors, self.times * self.scale)


def _log_normal(errors: Array, scale: float) -> Array:
    """As `scipy.stats.norm.logpdf`, which takes a hundred times as long for few errors."""
    return np.asarray(-0.5 * (errors / scale) ** 2 - log(scale * sqrt(2.0 * pi)))


def fitted_to(errors: Array, out: NDArray[np.bool_]) -> Contaminated:
    """That of errors (n,), by expectation and maximisation from those that seem to be ``out`` (Dempster et al. 1977).

    The share is drawn to what is usual, so that one error far off makes no others suspect.

    >>> rng = np.random.default_rng(0)
    >>> errors = rng.normal(size=100) * np.where(np.arange(100) % 20 == 7, 10.0, 1.0)
    >>> found = fitted_to(errors, np.abs(errors) > 4.0)
    >>> round(found.share, 3), round(found.scale, 2), np.flatnonzero(found.chances(errors) > 0.5).tolist()
    (0.053, 0.94, [7, 27, 47, 67, 87])
    """
    chances = out.astype(float)
    for _ in range(ROUNDS):
        here = _most_probable(errors, chances)
        before, chances = chances, here.chances(errors)
        if np.max(np.abs(chances - before)) < SETTLED:
            break
    return here


def _most_probable(errors: Array, chances: Array) -> Contaminated:
    count, usual = float(chances.sum()), 1.0 - chances
    scale = max(float(np.sqrt(usual @ errors**2 / usual.sum())), LEAST_SCALE)
    large = float(np.sqrt(chances @ errors**2 / count)) if count > 0.0 else 0.0
    share = (count + OUTLIERS_BEFORE) / (len(errors) + ROWS_BEFORE)
    up = (float(chances[errors > 0.0].sum()) + 1.0) / (count + 2.0)
    return Contaminated(share, max(large / scale, LEAST_TIMES), scale, up)


class Likelihood(Protocol):
    """The distribution of observations, given a function on the scale of the model."""

    @property
    def is_latent(self) -> bool:
        """Whether observations are of another kind than the function, as classes are.

        Then they say nothing of its size by themselves: parameters are fitted with weak priors about a unit of its own.
        """

    def admits(self, expr: Expr) -> bool:
        """Whether data of this kind may come from a model: of Gaussian data one with noise everywhere."""

    def start(self, expr: Expr) -> Expr:
        """Where the search of a language begins whose own start, for Gaussian data, is ``expr``."""

    def halves(self, kernel: Kernel) -> tuple[Kernel | None, Kernel | None]:
        """The function and the noise in a kernel, either of which may be absent (None)."""

    def variance(self, X: Array) -> Array:
        """Variances (n,) of observations about the function that no leaf of the kernel stands for."""

    def standardised(self, y: Array) -> tuple[float, Likelihood]:
        """The unit by which a search divides targets (n,), and the likelihood of targets in that unit."""

    def mapped(self, transform: Transform) -> Likelihood:
        """The same about a map of the target."""

    def predictive(
        self, means: Array, sds: Array, weights: Array, offset: float = 0.0, limits: tuple[float, float] = NO_LIMITS
    ) -> Predictive:
        """Distributions of m observations in the units of the data, from k members' moments (k, m)."""


class LatentLikelihood(Likelihood, Protocol):
    """One that is not normal, whose function is known by an approximation alone; it must be log-concave."""

    def log_density(self, y: Array, f: Array) -> Array:
        """Log densities (n,) of observations at values (n,) of the function."""

    def derivatives(self, y: Array, f: Array) -> tuple[Array, Array, Array]:
        """Their first, second and third derivatives (n,) by the function."""

    def tilted(self, y: Array, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """Log densities (n,) averaged over a normal function, and their two derivatives by its mean."""


# --- Classes --------------------------------------------------------------------------------------------------------

ROOT_2 = float(np.sqrt(2.0))

FAR = -100.0  # margin below which the derivatives of a probit are a series

# Quadrature of the logistic function by the trapezoidal rule, which converges exponentially: with steps of a half, or
# half a standard deviation, its error is below 1e-12.
STEP = 0.5

REACH = 8.5  # standard deviations on either side of the mode

MOST_NODES = 600  # on either side: for deviations up to about 35 the steps are as above

LEAST_VARIANCE = 1e-12  # of the size of the squared mean: less cannot be told from none

HALVINGS = 16  # of the interval in which the mode lies


@dataclass(frozen=True)
class Bernoulli:
    """Classes that the sign of nothing but the function decides, with a probability.

    Parameters
    ----------
    link : str
        ``"probit"`` or ``"logistic"``.
    has_level : bool
        Whether every model has a constant of its own, as those over time must: far from the data the function goes
        back to its mean, and without a constant that is a chance of one half, whatever the share of the class.

    Examples
    --------
    >>> from autostatistician.kernels.text import parse
    >>> [Bernoulli().admits(parse(text)) for text in ("SE", "SE + WN")]
    [True, False]
    >>> [Bernoulli(has_level=True).admits(parse(text)) for text in ("SE", "SE + C", "C")]
    [False, True, True]
    """

    link: str = "probit"
    has_level: bool = False
    is_latent: ClassVar[bool] = True

    @classmethod
    def of(cls, dataset: Dataset, link: str = "probit") -> Self:
        """That of a data set of classes: over time every model has a level.

        >>> from autostatistician.data.dataset import from_arrays
        >>> Bernoulli.of(from_arrays([0.0, 1.0], [1.0, -1.0])).has_level
        True
        """
        return cls(link, has_level=dataset.kind is Kind.SERIES)

    def __post_init__(self) -> None:
        check_choice("link", self.link, tuple(LINKS))

    @property
    def math(self) -> Link:
        """The functions of the link."""
        return LINKS[self.link]

    # --- as any likelihood ------------------------------------------------------------------------------------

    def admits(self, expr: Expr) -> bool:
        """Whether an expression is some function without white noise: a class is uncertain as it is."""
        if is_noise(expr) or expr == Leaf("0"):
            return False
        terms = expr.terms if isinstance(expr, Sum) else (expr,)
        return not self.has_level or Leaf("C") in terms

    def start(self, expr: Expr) -> Expr:
        """The same chance everywhere."""
        return Leaf("C")

    def halves(self, kernel: Kernel) -> tuple[Kernel | None, Kernel | None]:
        """The whole kernel is function."""
        return kernel, None

    def variance(self, X: Array) -> Array:
        """None on the scale of the function."""
        return np.zeros(len(X))

    def standardised(self, y: Array) -> tuple[float, Bernoulli]:
        """Classes have no unit."""
        return 1.0, self

    def mapped(self, transform: Transform) -> Bernoulli:
        """A map leaves two classes two classes."""
        return self

    def predictive(
        self, means: Array, sds: Array, weights: Array, offset: float = 0.0, limits: tuple[float, float] = NO_LIMITS
    ) -> Predictive:
        """The latent function itself; what classes follow is `probability`."""
        return Predictive(means, sds, weights, Transform())

    # --- not normal -------------------------------------------------------------------------------------------

    def log_density(self, y: Array, f: Array) -> Array:
        """Log probabilities (n,) of classes at values of the function.

        >>> Bernoulli().log_density(np.array([1.0]), np.zeros(1)).round(4).tolist()
        [-0.6931]
        """
        return self.math.log_probability(y * f)

    def derivatives(self, y: Array, f: Array) -> tuple[Array, Array, Array]:
        """Of the log probabilities by the function: the first, the second and the third (n,)."""
        first, second, third = self.math.derivatives(y * f)
        return y * first, second, y * third

    def tilted(self, y: Array, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """Log probabilities (n,) of classes averaged over a normal function, and two derivatives by its mean.

        >>> [one.round(4).tolist() for one in Bernoulli().tilted(np.ones(1), np.zeros(1), np.zeros(1))]
        [[-0.6931], [0.7979], [-0.6366]]
        """
        value, first, second = self.math.averaged(y * mean, variance)
        return value, y * first, second

    def averaged(self, mean: Array, variance: Array) -> Array:
        """The probability (n,) of the class +1, averaged over a normal function with these moments (n,).

        >>> Bernoulli("logistic").averaged(np.array([1.0]), np.array([3.0])).round(2).tolist()
        [0.66]
        """
        return np.exp(self.math.averaged(mean, variance)[0])


# --- How a function becomes the probability of a class --------------------------------------------------------------


class Probit:
    """The normal distribution function, from margins to probabilities.

    The variance is that of its density: a class is the sign of the function with so much noise added.

    >>> Probit().averaged(np.zeros(1), np.ones(1))[0].round(4).tolist()
    [-0.6931]
    """

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
        far = t < FAR
        if far.any():  # in the tail these are differences of large numbers, and a series takes their place
            u = t[far] ** -2.0
            second[far] = -1.0 + u - 6.0 * u**2 + 50.0 * u**3
            third[far] = (-2.0 + 24.0 * u - 300.0 * u**2) * u / t[far]
        return ratio, second, third

    def averaged(self, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """In closed form (Rasmussen and Williams 2006, section 3.9)."""
        root = np.sqrt(1.0 + variance)
        z = mean / root
        first, second, _ = self.derivatives(z)
        return self.log_probability(z), first / root, second / root**2


def _ratio(t: Array) -> Array:
    """``phi(t) / Phi(t)``, without a quotient of two numbers that are both zero."""
    below = np.minimum(t, 0.0)
    below_zero = np.sqrt(2.0 / np.pi) / erfcx(-below / ROOT_2)
    above = np.maximum(t, 0.0)
    right = np.exp(-0.5 * above**2) / (np.sqrt(2.0 * np.pi) * ndtr(above))
    return np.asarray(np.where(t < 0.0, below_zero, right))


class LogisticLink:
    """The logistic function.

    >>> LogisticLink().averaged(np.zeros(1), np.ones(1))[0].round(4).tolist()
    [-0.6931]
    """

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


def _mode(mean: Array, variance: Array) -> Array:
    """About where ``log_expit(t) - (t - mean)^2 / (2 variance)`` is largest: at most one variance above the mean."""
    low, high = mean, mean + variance
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        rising = middle - mean < variance * expit(-middle)
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    return np.asarray(0.5 * (low + high))


Link = Probit | LogisticLink
LINKS: dict[str, Link] = {"probit": Probit(), "logistic": LogisticLink()}

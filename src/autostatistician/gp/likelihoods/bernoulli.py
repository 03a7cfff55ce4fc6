"""One of two classes, coded -1 and +1, whose probability is a function of the latent function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx, expit, log_expit, log_ndtr, logsumexp, ndtr

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.transform import Transform
from autostatistician.errors import check_choice
from autostatistician.gp.predictive import NO_LIMITS, Predictive
from autostatistician.kernels.expr import Expr, Leaf, Sum
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import is_noise

__all__ = ["Bernoulli"]


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

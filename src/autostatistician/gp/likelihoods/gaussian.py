"""Normal noise, whose leaves are parts of the kernel, about a function or about a map of the target.

Normal errors of which some have a far larger size: outliers, each row with its chance to be one (Tukey 1960).

What a likelihood must be able to say, so that searches, reports and forecasts need not know which one it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, pi, sqrt
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from autostatistician.data.transform import Transform
from autostatistician.gp.covariance import signal_and_noise
from autostatistician.gp.predictive import NO_LIMITS, Predictive
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import always_noisy

__all__ = ["GAUSSIAN", "Contaminated", "Gaussian", "LatentLikelihood", "Likelihood", "fitted_to"]


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

"""Counts: Poisson about a rate whose logarithm is the function.

White noise of a kernel is part of that logarithm: counts that scatter more than chance alone has them (the
Poisson-lognormal distribution, Aitchison and Ho 1989). Engines see pseudo-targets instead: about any function a Poisson
count is nearly a normal observation of it, with a variance of its own (`normal_sites`).

Observations that engines of normal data see by pseudo-targets: about any function each is nearly a normal one.

White noise of a kernel is part of the function: observations then scatter more than chance alone has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from autostatistician.data.dataset import Dataset
from autostatistician.data.exposures import SizesOfRows
from autostatistician.data.transform import Transform
from autostatistician.gp.counts import (
    BinomialLaw,
    CountLaw,
    CountPredictive,
    HurdleLaw,
    HurdlePredictive,
    NegativeBinomialLaw,
    PoissonLaw,
    SharePredictive,
)
from autostatistician.gp.likelihoods import Gaussian
from autostatistician.gp.predictive import NO_LIMITS, Predictive

__all__ = ["BINOMIAL", "POISSON", "Hurdle", "NegativeBinomial", "NormalSites", "Poisson", "Sited"]


Array = NDArray[np.float64]

HALF = 0.5  # of a count, for which zero stands on a logarithmic scale
LEAST_INFORMATION = 1e-10  # of a row, whose variance stays finite


@dataclass(frozen=True, eq=False)
class NormalSites:
    """Normal observations ``values`` (n,) of a function, with variances (n,), that stand for others near a place.

    Near that place, log densities of what was observed are those of the values and ``log_ratio`` together (summed).
    """

    values: Array
    variances: Array
    log_ratio: float

    def moved(self, by: float) -> NormalSites:
        """The same of a function that is so much higher everywhere."""
        return replace(self, values=self.values + by)


@dataclass(frozen=True)
class Sited(Gaussian):
    """One whose log density is concave in the function, which is on the scale of the map of the target.

    A kind of it states its `law`, how the function leads to what that is given, and what is predicted.
    """

    # exposures or totals (n,) of the rows of counts
    sizes: Array | None = field(default=None, compare=False, repr=False, kw_only=True)
    # what columns add (n,) to the function at the rows of counts
    added: Array | None = field(default=None, compare=False, repr=False, kw_only=True)
    name: ClassVar[str]
    law_of: ClassVar[Callable[..., CountLaw]]
    mapped_by_odds: ClassVar[bool] = False  # else by a logarithm
    scatters: ClassVar[bool] = False  # by a number of its own, beside what white noise stands for
    number: ClassVar[str | None] = None  # the name of that which a law has of its own, which a search fits to the data
    most: ClassVar[float] = np.inf  # below which it lies, and above zero

    @property
    def row_sizes(self) -> Array | float:
        """Exposures or totals (n,) of the rows; one where none are known."""
        return 1.0 if self.sizes is None else self.sizes

    @property
    def _beside(self) -> dict[str, Any]:
        return {"law": self.law, "sizes": self.row_sizes}

    @property
    def numbers(self) -> dict[str, float]:
        """Those of its own, by their names."""
        return {} if self.number is None else {self.number: getattr(self, self.number)}

    def with_numbers(self, record: Mapping[str, float]) -> Self:
        """The same with the numbers of a record; a `ValueError` says where one cannot be."""
        known: dict[str, Any] = {name: float(record[name]) for name in self.numbers}
        for name, value in known.items():
            if not 0.0 < value < self.most:
                raise ValueError(f"expected {name} between 0 and {self.most}; found {value}")
        return replace(self, **known)

    def about(self, dataset: Dataset) -> Self:
        """The same about the rows of a data set: their exposures or totals, and what columns add there."""
        added = None if dataset.added is None else dataset.added.at(dataset.X[:, 0])
        return replace(self.at(dataset.sizes, dataset.X[:, 0]), added=added)

    def at(self, sizes: SizesOfRows | None, x: Array) -> Self:
        """The same about the exposures or totals at positions (n,)."""
        return self if sizes is None else replace(self, sizes=sizes.at(x))

    def first(self, y: Array) -> Array:
        """Where the function (n,) of counts (n,) is looked for first."""
        least = np.maximum(y, HALF)
        return self._less_added(self.transform.forward(least if self.sizes is None else least / self.sizes))

    def alone(self) -> Self:
        """The same about one unit of exposure on the scale of the data, as files have it."""
        return replace(self, transform=Transform(), sizes=None, added=None)

    def predictive(
        self, means: Array, sds: Array, weights: Array, offset: float = 0.0, limits: tuple[float, float] = NO_LIMITS
    ) -> Predictive:
        """Distributions of m observations, of k members' moments (k, m) of the function without what columns add."""
        return super().predictive(self._with_added(means), sds, weights, offset, limits)

    def _with_added(self, f: Array) -> Array:
        """The function with what columns add to it."""
        return f if self.added is None else f + self.added

    def _less_added(self, f: Array) -> Array:
        return f if self.added is None else f - self.added

    def mapped(self, transform: Transform) -> Self:
        """The same about a function on another scale."""
        return replace(self, transform=transform)

    @property
    def law(self) -> CountLaw:
        """The law of observations given the numbers of its own."""
        return self.law_of(**self.numbers)

    def to_law(self, f: Array) -> Array:
        """What the law is given (n,) at values (n,) of the function: these with a constant of each row."""
        return self.law.link(self._with_added(f), self.transform, self.row_sizes)

    def log_density(self, y: Array, f: Array) -> Array:
        """Log probabilities (n,) of observations at values (n,) of the function."""
        return self.law.log_density(y, self.to_law(f))

    def derivatives(self, y: Array, f: Array) -> tuple[Array, Array, Array]:
        """Of these by the function: the first, the second and the third (n,)."""
        return self.law.derivatives(y, self.to_law(f))

    def tilted(self, y: Array, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """Log probabilities (n,) of observations averaged over a normal function, and two derivatives by its mean."""
        return self.law.averaged(y, self.to_law(mean), variance)

    def normal_sites(self, y: Array, f: Array) -> NormalSites:
        """What stands for observations (n,) near a function (n,): to the second order the same log density."""
        first, second, _ = self.derivatives(y, f)
        information = np.maximum(-second, LEAST_INFORMATION)
        error = first / information
        ratio = self.log_density(y, f) + 0.5 * information * error**2 + 0.5 * np.log(2.0 * np.pi / information)
        return NormalSites(f + error, 1.0 / information, float(ratio.sum()))

    def fitted(self, y: Array, mean: Array, variance: Array) -> Self:
        """The same with its own numbers the most probable for observations (n,), about a function so far known."""
        return self


LEAST, MOST = np.log(1e-4), np.log(30.0)  # of the logarithm of dispersions

SETTLED = 1e-3


@dataclass(frozen=True)
class Poisson(Sited):
    """Counts whose log rate, by the map of the target, is the function; with ``sizes`` that by a unit of exposure.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> counts = Poisson(Transform("log"))
    >>> counts.log_density(np.array([2.0]), np.log([2.0])).round(4).tolist()
    [-1.3069]
    >>> sites = counts.normal_sites(np.array([0.0, 3.0]), np.log([2.0, 3.0]))
    >>> sites.values.round(4).tolist(), sites.variances.round(4).tolist()
    ([-0.3069, 1.0986], [0.5, 0.3333])
    >>> counts.predictive(np.zeros((1, 1)), np.ones((1, 1)), np.ones(1)).mean.round(4)  # about a lognormal rate
    array([1.6487])
    """

    name: ClassVar[str] = "poisson"
    law_of: ClassVar[Callable[..., CountLaw]] = PoissonLaw
    distribution: ClassVar[type[Predictive]] = CountPredictive


POISSON = Poisson()

# --- Counts whose rate is itself drawn from a gamma distribution about the function ---------------------------------


@dataclass(frozen=True)
class NegativeBinomial(Poisson):
    """Counts with the variance ``mu + dispersion mu^2`` about a rate mu, whose logarithm is the function.

    Where rates scatter by a large factor, a gamma distribution has more of them near zero than the normal one of
    logarithms that white noise is; with less scatter both say the same.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> counts = NegativeBinomial(Transform("log"), dispersion=0.5)
    >>> counts.log_density(np.array([0.0]), np.log([2.0])).round(4).tolist()  # (1 + 1)^-2
    [-1.3863]
    >>> counts.normal_sites(np.array([2.0]), np.log([2.0])).variances.tolist()  # 1 / 2 + 0.5
    [1.0]
    >>> surely_one = np.zeros((1, 1)), np.full((1, 1), 1e-9), np.ones(1)
    >>> replace(counts, dispersion=1.0).predictive(*surely_one).std.round(4).tolist()
    [1.4142]
    """

    dispersion: float = 1.0
    name: ClassVar[str] = "negative-binomial"
    law_of: ClassVar[Callable[..., CountLaw]] = NegativeBinomialLaw
    number: ClassVar[str | None] = "dispersion"
    scatters: ClassVar[bool] = True

    def fitted(self, y: Array, mean: Array, variance: Array) -> Self:
        """The same with the dispersion that makes counts (n,) most probable about a function known so far."""

        def cost(log_dispersion: float) -> float:
            tried = replace(self, dispersion=float(np.exp(log_dispersion)))
            return -float(tried.tilted(y, mean, variance)[0].sum())

        found = minimize_scalar(cost, bounds=(LEAST, MOST), method="bounded", options={"xatol": SETTLED})
        return replace(self, dispersion=float(np.exp(found.x)))


# --- Parts of totals: binomial about a chance whose log odds are the function ---------------------------------------


@dataclass(frozen=True)
class Binomial(Sited):
    """Counts out of totals (``sizes``), whose chance has log odds that are, by the map of the target, the function.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> parts = Binomial(Transform("logit", 0.5), sizes=np.array([4.0]))
    >>> parts.log_density(np.array([2.0]), np.zeros(1)).round(4).tolist()  # 6 / 16
    [-0.9808]
    >>> parts.normal_sites(np.array([2.0]), np.zeros(1)).variances.tolist()  # 1 / (4 / 4)
    [1.0]
    >>> BINOMIAL.mapped(Transform("logit", 0.5)).predictive(np.zeros((1, 1)), np.ones((1, 1)), np.ones(1)).mean
    array([0.5])
    """

    name: ClassVar[str] = "binomial"
    mapped_by_odds: ClassVar[bool] = True
    distribution: ClassVar[type[Predictive]] = SharePredictive

    @property
    def law(self) -> CountLaw:
        """The law of counts out of the totals, given log odds."""
        return BinomialLaw(self.row_sizes)

    def first(self, y: Array) -> Array:
        """Where the function (n,) of counts (n,) is looked for first."""
        return self._less_added(self.transform.forward((y + HALF) / (self.row_sizes + 2.0 * HALF)))


BINOMIAL = Binomial()


# --- Counts of which many are zero ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hurdle(Poisson):
    """Counts that are zero with the chance ``none``; the function is the log rate of those that are not.

    A zero says nothing of the function, and the chance of one is the same everywhere (Mullahy 1986).

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> counts = Hurdle(Transform("log"), none=0.6)
    >>> np.exp(counts.log_density(np.array([0.0, 1.0]), np.zeros(2))).round(4).tolist()  # 0.4 / (e - 1)
    [0.6, 0.2328]
    >>> counts.fitted(np.array([0.0, 0.0, 5.0]), np.zeros(3), np.ones(3)).none
    0.625
    """

    none: float = 0.5
    name: ClassVar[str] = "hurdle"
    law_of: ClassVar[Callable[..., CountLaw]] = HurdleLaw
    number: ClassVar[str | None] = "none"
    most: ClassVar[float] = 1.0
    distribution: ClassVar[type[Predictive]] = HurdlePredictive

    def first(self, y: Array) -> Array:
        """Where the function (n,) of counts (n,) is looked for first: at a zero as usual where there is none."""
        some = y > 0.0
        usual = float(np.exp(np.mean(np.log(y[some])))) if some.any() else 1.0
        return super().first(np.where(some, y, usual))

    def fitted(self, y: Array, mean: Array, variance: Array) -> Self:
        """The same with the share of zeros of counts (n,), with Jeffreys' prior, which hangs on no function."""
        return replace(self, none=(float(np.count_nonzero(y == 0.0)) + 0.5) / (len(y) + 1.0))

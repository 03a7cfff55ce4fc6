"""Counts: Poisson about a rate whose logarithm is the function.

White noise of a kernel is part of that logarithm: counts that scatter more than chance alone has them (the
Poisson-lognormal distribution, Aitchison and Ho 1989). Engines see pseudo-targets instead: about any function a Poisson
count is nearly a normal observation of it, with a variance of its own (`normal_sites`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from autostatistician.gp.likelihoods.sited import HALF, Sited
from autostatistician.gp.predictive import CountPredictive, Predictive
from autostatistician.gp.predictive.counts import HurdlePredictive, SharePredictive
from autostatistician.gp.predictive.laws import BinomialLaw, CountLaw, HurdleLaw, NegativeBinomialLaw, PoissonLaw

__all__ = ["BINOMIAL", "POISSON", "Hurdle", "NegativeBinomial", "Poisson"]


Array = NDArray[np.float64]

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
    distribution: ClassVar[type[Predictive]] = CountPredictive

    @property
    def law(self) -> CountLaw:
        """The law of counts given a log rate."""
        return PoissonLaw()

    def to_law(self, f: Array) -> Array:
        """Log rates (n,) at values (n,) of the function."""
        unit = np.log(self.transform.scale) + self._with_added(f) - self.transform.shift
        return np.asarray(unit if self.sizes is None else unit + np.log(self.sizes))


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
    number: ClassVar[str | None] = "dispersion"
    scatters: ClassVar[bool] = True

    @property
    def law(self) -> CountLaw:
        """The law of counts given a log rate."""
        return NegativeBinomialLaw(self.dispersion)

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

    def to_law(self, f: Array) -> Array:
        """Log odds (n,) at values (n,) of the function."""
        return np.asarray(self.transform.log_odds + self._with_added(f) - self.transform.shift)


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
    number: ClassVar[str | None] = "none"
    most: ClassVar[float] = 1.0
    distribution: ClassVar[type[Predictive]] = HurdlePredictive

    def first(self, y: Array) -> Array:
        """Where the function (n,) of counts (n,) is looked for first: at a zero as usual where there is none."""
        some = y > 0.0
        usual = float(np.exp(np.mean(np.log(y[some])))) if some.any() else 1.0
        return super().first(np.where(some, y, usual))

    @property
    def law(self) -> CountLaw:
        """The law of counts given a log rate."""
        return HurdleLaw(self.none)

    def fitted(self, y: Array, mean: Array, variance: Array) -> Self:
        """The same with the share of zeros of counts (n,), with Jeffreys' prior, which hangs on no function."""
        return replace(self, none=(float(np.count_nonzero(y == 0.0)) + 0.5) / (len(y) + 1.0))

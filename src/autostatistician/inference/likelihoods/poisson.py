"""Counts: Poisson about a rate whose logarithm is the function.

White noise of a kernel is part of that logarithm: counts that scatter more than chance alone has them (the
Poisson-lognormal distribution, Aitchison and Ho 1989). Engines see pseudo-targets instead: about any function a Poisson
count is nearly a normal observation of it, with a variance of its own (`normal_sites`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from autostatistician.data.transform import LARGEST_EXPONENT
from autostatistician.inference.likelihoods.sited import Sited
from autostatistician.inference.predictive import CountPredictive, Predictive
from autostatistician.inference.predictive.counts import log_mean_probability

__all__ = ["POISSON", "Poisson"]

Array = NDArray[np.float64]


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

    def log_density(self, y: Array, f: Array) -> Array:
        """Log probabilities (n,) of counts at values (n,) of the function."""
        return np.asarray(y * self._log_rate(f) - self._rate(f) - gammaln(y + 1.0))

    def derivatives(self, y: Array, f: Array) -> tuple[Array, Array, Array]:
        """Of these by the function: the first, the second and the third (n,)."""
        rate = self._rate(f)
        return y - rate, -rate, -rate

    def tilted(self, y: Array, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """Log probabilities (n,) of counts averaged over a normal function, and two derivatives by its mean.

        The mean over ``N(m, v)`` changes with m as that of y - rate under the tilted distribution, and E rate is the
        mean probability of one more, times as many.
        """
        eta = self._log_rate(mean)
        value, more, most = (log_mean_probability(y + k, eta, variance) for k in (0.0, 1.0, 2.0))
        rate = (y + 1.0) * np.exp(more - value)
        square = (y + 2.0) * (y + 1.0) * np.exp(most - value)
        return value, y - rate, (square - rate**2) - rate

    def about_rate(self, rate: Array) -> tuple[Array, Array]:
        """Mean and variance of counts about known rates."""
        return rate, rate

    def _log_rate(self, f: Array) -> Array:
        unit = np.log(self.transform.scale) + self._with_added(f) - self.transform.shift
        return np.asarray(unit if self.sizes is None else unit + np.log(self.sizes))

    def _rate(self, f: Array) -> Array:
        return np.asarray(np.exp(np.minimum(self._log_rate(f), LARGEST_EXPONENT)))


POISSON = Poisson()

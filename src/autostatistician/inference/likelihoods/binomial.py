"""Parts of totals: binomial about a chance whose log odds are the function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.likelihoods.sited import HALF, Sited
from autostatistician.inference.predictive import Predictive
from autostatistician.inference.predictive.shares import SharePredictive, derivatives_of_part, log_part

__all__ = ["BINOMIAL", "Binomial"]

Array = NDArray[np.float64]


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

    def log_density(self, y: Array, f: Array) -> Array:
        """Log probabilities (n,) of counts at values (n,) of the function."""
        return log_part(y, self._log_odds(f), self.row_sizes)

    def derivatives(self, y: Array, f: Array) -> tuple[Array, Array, Array]:
        """Of these by the function: the first, the second and the third (n,)."""
        return derivatives_of_part(y, self._log_odds(f), self.row_sizes)

    def first(self, y: Array) -> Array:
        """Where the function (n,) of counts (n,) is looked for first."""
        return self._less_added(self.transform.forward((y + HALF) / (self.row_sizes + 2.0 * HALF)))

    def about_rate(self, rate: Array) -> tuple[Array, Array]:
        """Mean and variance of counts, of which so many are expected of their totals."""
        return rate, rate * (1.0 - rate / self.row_sizes)

    def _log_odds(self, f: Array) -> Array:
        return np.asarray(self.transform.log_odds + self._with_added(f) - self.transform.shift)


BINOMIAL = Binomial()

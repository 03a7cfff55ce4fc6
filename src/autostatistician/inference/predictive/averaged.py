"""The predictive distribution of single values where models on different scales are averaged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from autostatistician.inference.predictive.predictive import Predictive

__all__ = ["Averaged"]

Array = NDArray[np.float64]
QUANTILE_HALVINGS = 80  # of the interval in which a quantile lies
CRPS_LEVELS = 200  # by which the integral over all quantiles is a sum


@dataclass(frozen=True, eq=False)
class Averaged:
    """Distributions of m values, each a mixture of those of two models in the units of the data.

    Parameters
    ----------
    first, second : Predictive
        Of the same m values.
    share : array (m,)
        The weight of the second for each value, between 0 and 1.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> from autostatistician.inference.predictive.predictive import predictive
    >>> ends = [predictive(np.array([mean]), np.array([1.0]), Transform()) for mean in (-3.0, 3.0)]
    >>> both = Averaged(*ends, np.array([0.5]))
    >>> both.mean.tolist(), both.std.round(4).tolist(), both.quantiles([0.975]).round(4).tolist()
    ([0.0], [3.1623], [[4.6449]])
    """

    first: Predictive
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
        low, high = np.sort([part.quantiles(levels) for part in (self.first, self.second)], axis=0)
        low, high = np.where(self.share[:, None] > 0.0, (low, high), self.first.quantiles(levels))
        wanted = np.broadcast_to(np.asarray(levels, dtype=np.float64), low.shape)
        for _ in range(QUANTILE_HALVINGS):
            middle = low + 0.5 * (high - low)
            below = np.stack([self.cdf(column) for column in middle.T], axis=-1) < wanted
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return np.asarray(high)

    def cdf(self, y: Array) -> Array:
        """Probability (m,) of a value of at most ``y`` (m,)."""
        return self._mixed(lambda part: part.cdf(y))

    def log_density(self, y: Array) -> Array:
        """Log density (m,) at ``y`` (m,); minus infinity where a value is impossible."""
        densities = np.stack([part.log_density(y) for part in (self.first, self.second)])
        return np.asarray(logsumexp(densities, axis=0, b=np.stack([1.0 - self.share, self.share])))

    def crps(self, y: Array) -> Array:
        """Continuous ranked probability score (m,) at ``y`` (m,): twice the mean quantile loss over many levels."""
        levels = (np.arange(CRPS_LEVELS) + 0.5) / CRPS_LEVELS
        error = y[:, None] - self.quantiles(levels.tolist())
        return np.asarray(2.0 * np.mean(np.maximum(levels * error, (levels - 1.0) * error), axis=1))

    def _mixed(self, of_part: Callable[[Predictive], Array]) -> Array:
        return np.asarray((1.0 - self.share) * of_part(self.first) + self.share * of_part(self.second))

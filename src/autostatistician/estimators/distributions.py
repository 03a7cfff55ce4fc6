"""What follows from the distribution of new observations: quantiles and densities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.estimators.checks import check_levels

__all__ = [
    "ByDistribution",
]


Array = NDArray[np.float64]


class Distribution(Protocol):
    """One distribution for each of m rows, in the units of the target."""

    def quantiles(self, levels: Sequence[float]) -> Array:
        """Quantiles (m, number of levels)."""

    def log_density(self, y: Array) -> Array:
        """The log density (m,) of observations."""


class ByDistribution:
    """A regressor that predicts distributions."""

    def predictive(self, X: Any) -> Distribution:
        """The distributions of new observations at ``X``; subclasses say them."""
        raise NotImplementedError

    def predict_quantiles(self, X: Any, *, levels: Sequence[float] = (0.025, 0.5, 0.975)) -> Array:
        """Quantiles of new observations at ``X``: shape (m, number of levels), in the caller's units.

        Raises
        ------
        InputError
            When a level is not between 0 and 1.
        """
        return self.predictive(X).quantiles(check_levels(levels))

    def log_density(self, X: Any, y: Any) -> Array:
        """Log density (m,) of observations ``y`` (m,) at ``X``, each by itself, in the caller's units.

        Where the logarithm is modelled it is that of a lognormal distribution; data at or below zero have none
        (minus infinity).
        """
        return self.predictive(X).log_density(np.asarray(y, dtype=np.float64))

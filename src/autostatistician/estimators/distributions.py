"""What follows from the distribution of new observations: quantiles and densities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.estimators.checks import check_count, check_levels
from autostatistician.seeds import generator

__all__ = ["ByDistribution", "DrawsJointly"]


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


# --- Joint draws of new observations, as scikit-learn's Gaussian processes give them --------------------------------


class DrawsJointly:
    """A regressor that knows how new observations go together."""

    def predict(self, X: Any, *, return_std: bool = False, return_cov: bool = False) -> Any:
        """The mean of new observations, and how they scatter on request; subclasses say them."""
        raise NotImplementedError

    def sample_y(self, X: Any, n_samples: int = 1, *, random_state: Any = 0) -> Array:
        """Joint draws (m, n_samples) of new observations at rows (m, p), noise included.

        Raises
        ------
        InputError
            When ``n_samples`` is no whole number from 1.
        """
        count = check_count("n_samples", n_samples, 1)
        from autostatistician.inference.predictive.joint import normal_draws  # what only asks for settings fits nothing

        mean, cov = self.predict(X, return_cov=True)
        return normal_draws(mean, cov, generator(random_state), count)

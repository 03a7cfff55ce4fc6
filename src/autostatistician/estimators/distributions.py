"""What follows from the distribution of new observations: quantiles and densities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from autostatistician.estimators.checks import check_count, check_levels
from autostatistician.seeds import generator
from autostatistician.threads import one_thread

__all__ = ["ByDistribution", "DrawsJointly", "normal_draws", "with_marginals"]


Array = NDArray[np.float64]

SCORES = np.linspace(-6.0, 6.0, 401)  # normal ones of the quantiles that draws are read off


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
        mean, cov = self.predict(X, return_cov=True)
        return normal_draws(mean, cov, generator(random_state), count)


def normal_draws(mean: Array, cov: Array, rng: np.random.Generator, count: int) -> Array:
    """Normal draws (m, count)."""
    from autostatistician.inference.posterior import draw  # what only asks for settings fits nothing

    with one_thread():
        return draw(mean, cov, rng, count=count, independent=True).T


def with_marginals(each: Distribution, cov: Array, count: int, rng: np.random.Generator, *, whole: bool) -> Array:
    """Draws (m, count) whose values are each distributed as they should be, and go together as ``cov`` (m, m) says.

    A Gaussian copula: normal draws with these correlations become quantiles. ``whole`` takes quantiles as they are
    (counts), otherwise they are joined by lines.

    >>> from autostatistician.data.transform import Transform
    >>> from autostatistician.inference.predictive.predictive import predictive
    >>> of_logarithm = predictive(np.zeros(2), np.ones(2), Transform("log"))
    >>> drawn = with_marginals(of_logarithm, np.eye(2), 2000, np.random.default_rng(0), whole=False)
    >>> np.median(drawn, axis=1).round(1).tolist(), bool((drawn > 0.0).all())
    ([1.0, 1.0], True)
    """
    sds = np.sqrt(np.maximum(cov.diagonal(), 0.0))
    scales = np.where(sds > 0.0, sds, 1.0)
    normal = normal_draws(np.zeros(len(cov)), cov / np.outer(scales, scales), rng, count)
    quantiles = each.quantiles(ndtr(SCORES).tolist())
    if whole:
        places = np.clip(np.round((normal - SCORES[0]) / (SCORES[1] - SCORES[0])), 0, len(SCORES) - 1)
        return np.take_along_axis(quantiles, places.astype(np.intp), axis=1)
    return np.array([np.interp(row, SCORES, values) for row, values in zip(normal, quantiles, strict=True)])

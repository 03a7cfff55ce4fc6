"""What every regressor does with new observations: moments, quantiles, densities and draws, from one or two methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from autostatistician.estimators.options import check_count, check_levels, check_one_of
from autostatistician.estimators.typed import RegressorMixin

if TYPE_CHECKING:
    from autostatistician.gp.predictive import Averaged, Predictive

__all__ = ["JointRegressor"]

Array = NDArray[np.float64]


class JointRegressor(RegressorMixin):
    """A regressor that knows how new observations scatter, each by itself and together; subclasses say how."""

    @overload
    def predict(self, X: Any, *, return_std: Literal[False] = False, return_cov: Literal[False] = False) -> Array: ...

    @overload
    def predict(self, X: Any, *, return_std: Literal[True], return_cov: bool = False) -> tuple[Array, Array]: ...

    @overload
    def predict(self, X: Any, *, return_std: bool = False, return_cov: Literal[True]) -> tuple[Array, Array]: ...

    def predict(self, X: Any, *, return_std: bool = False, return_cov: bool = False) -> Array | tuple[Array, Array]:
        """The mean (m,) of new observations; also their standard deviation (m,), or covariance (m, m).

        Of several outputs (m, q) each, and (m, m, q).

        Raises
        ------
        InputError
            When both are asked for.
        """
        check_one_of(return_std, return_cov)
        mean, scatter = self._observations(X, joint=return_cov)
        return (mean, scatter) if return_std or return_cov else mean

    def predictive(self, X: Any) -> Predictive | Averaged:
        """The distributions of new observations at ``X``, each by itself: mean, std, quantiles, cdf, log_density."""
        from autostatistician.data.transform import Transform
        from autostatistician.gp.predictive import predictive

        return predictive(*self._observations(X, joint=False), Transform())

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

    def sample_y(self, X: Any, n_samples: int = 1, *, random_state: Any = 0) -> Array:
        """Joint draws (m, n_samples) of new observations at rows (m, p), noise included.

        Raises
        ------
        InputError
            When ``n_samples`` is no whole number from 1.
        """
        from autostatistician._io.seeds import generator
        from autostatistician.gp.posterior.projection import normal_draws

        count = check_count("n_samples", n_samples, 1)
        return normal_draws(*self._observations(X, joint=True), generator(random_state), count)

    def _observations(self, X: Any, *, joint: bool) -> tuple[Array, Array]:
        """The mean of new observations, and their standard deviation, or covariance."""
        raise NotImplementedError

"""Predictions of a fitted model: of one model or averaged over several, in the caller's units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.dataset import Dataset, time_labels
from autostatistician.data.limits import UNLIMITED, Asked, Limits, checked_limits, may_have_limits, natural_limits
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.inference.posterior import Conditioned
from autostatistician.inference.predictive import Predictive
from autostatistician.model.ensemble import Ensemble, ensemble
from autostatistician.model.fitted import Model, default_horizon
from autostatistician.model.settings import check_steps

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Predicting"]

Array = NDArray[np.float64]
BY_CHANCE = 0.05  # that no value lies below zero where it could: with less, it is a limit


class Predicting:
    """The part of an estimator that predicts."""

    average: bool
    limits: Asked
    weights: str
    calibrate: bool
    model_: Model
    dataset_: Dataset
    transform_: Transform
    _posterior: Conditioned
    _ensembles: dict[tuple[str, bool], Ensemble]  # made when asked for: that takes a moment
    _offset: float  # what the scale of the model leaves out
    _natural_once: list[Limits]  # the natural limits, when they were asked for: predicting adds no attribute

    if TYPE_CHECKING:

        def _positions(self, X: Any) -> Array: ...

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Mean of new observations at ``X`` (n,), and their standard deviation or covariance on request.

        Where the logarithm is modelled these are the moments of a lognormal distribution: the mean lies above the
        median, and limits come from `predict_quantiles` rather than from the standard deviation. With natural limits
        (see ``limits``) they are the moments of values that lie at a limit where the model would put them beyond.
        """
        return self._predicted(X, return_std, return_cov, signal=False)

    def predict_signal(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """The same for the function behind the observations: without the noise."""
        return self._predicted(X, return_std, return_cov, signal=True)

    def predict_quantiles(self, X: Any, levels: Sequence[float] = (0.025, 0.5, 0.975)) -> Array:
        """Quantiles of new observations at ``X``: shape (n, number of levels), in the caller's units.

        Raises
        ------
        InputError
            When a level is not between 0 and 1.
        """
        if not all(0.0 < level < 1.0 for level in levels):
            raise InputError.of("levels between 0 and 1", repr(tuple(levels)), "such as 0.025 and 0.975")
        return self.predictive(X).quantiles(levels)

    def log_density(self, X: Any, y: Any) -> Array:
        """Log density (n,) of observations ``y`` (n,) at ``X``, each by itself, in the caller's units.

        Where the logarithm is modelled it is that of a lognormal distribution; data at or below zero have none
        (minus infinity).
        """
        return self.predictive(X).log_density(np.asarray(y, dtype=np.float64))

    def predictive(self, X: Any) -> Predictive:
        """The distributions of new observations at ``X``: mean, std, quantiles, cdf, log_density and crps."""
        check_is_fitted(self)
        return self._predictive(self._positions(X))

    def forecast(self, steps: int | None = None) -> pd.DataFrame:
        """Observations beyond the data: a frame with time, mean, std, lower and upper (95 %), in the caller's units.

        Where the logarithm is modelled the limits are those of a lognormal distribution: further from the mean above
        than below.

        Raises
        ------
        InputError
            When the model has no time axis, or ``steps`` is not a positive whole number.
        """
        import pandas as pd

        check_is_fitted(self)
        axis = self.dataset_.axis
        if axis is None:
            raise InputError.of("a model of one series", "a model of several inputs", "use predict")
        steps = default_horizon(self.dataset_, self.model_.kernel) if steps is None else check_steps(steps)
        future = axis.future(float(self.dataset_.X[:, 0].max()), steps)
        ahead = self._predictive(future[:, None])
        lower, upper = ahead.quantiles((0.025, 0.975)).T
        columns = {"mean": ahead.mean, "std": ahead.std, "lower": lower, "upper": upper}
        return pd.DataFrame({"time": time_labels(self.dataset_, future), **columns})

    def _predicted(self, X: Any, return_std: bool, return_cov: bool, *, signal: bool) -> Any:
        if return_std and return_cov:
            raise InputError.of("return_std or return_cov", "both", "ask for one of them")
        check_is_fitted(self)
        positions = self._positions(X)
        if not return_cov:
            found = self._predictive(positions, signal=signal)
            return (found.mean, found.std) if return_std else found.mean
        if self.average:
            mean, cov = self._averaged().joint(positions, self.transform_, self._no_wider, signal=signal)
        else:
            joint = self._posterior.signal_joint if signal else self._posterior.observations_joint
            mean, cov = self.transform_.joint(*self._no_wider(*joint(positions)))
        if signal or self._limits == UNLIMITED:
            return mean + self._offset, cov
        single = self._predictive(positions)  # the moments of each value within the limits; correlations stay
        shrunk = single.std / np.sqrt(np.maximum(cov.diagonal(), 1e-300))
        return single.mean, cov * np.multiply.outer(shrunk, shrunk)

    def _predictive(self, positions: Array, *, signal: bool = False) -> Predictive:
        """Distributions at positions (m, d) on the model axis, of one model or of the average."""
        low, high = UNLIMITED if signal else self._limits
        if not self.average:
            mean, sd = (self._posterior.signal if signal else self._posterior.observations)(positions)
            means, sds, weights = mean[None], sd[None], np.ones(1)
        else:
            several = self._averaged()
            means, sds = (several.signal if signal else several.observations)(positions)
            weights = several.weights
        return Predictive(means, np.minimum(sds, self._widest), weights, self.transform_, self._offset, low, high)

    @property
    def _limits(self) -> Limits:
        """The limits of observations: those that were asked for, or those that the data respect by their kind."""
        asked = checked_limits(self.limits)
        if isinstance(asked, tuple):
            return asked
        if asked is None:
            return UNLIMITED
        if not self._natural_once:
            self._natural_once.append(self._natural())
        return self._natural_once[0]

    def _natural(self) -> Limits:
        """Natural limits of the values, those that were set aside among them; of a logarithm zero is one already.

        Where the kind of the values speaks for none, zero is one where the model would have some below it: all
        predictions of one value from the others together leave that none is there a chance below `BY_CHANCE`.
        """
        data = self.model_.dataset
        every = np.concatenate([data.y + data.offset, [one.y for one in self.model_.screening.aside]])
        found = natural_limits(every, data.target)
        if found != UNLIMITED or self.transform_.is_log or not may_have_limits(every, data.target):
            return found
        mean, variance, _ = self._posterior.leave_one_out()
        by_chance = float(np.sum(log_ndtr((mean + self._offset) / np.sqrt(variance))))
        return (0.0, np.inf) if by_chance < np.log(BY_CHANCE) else UNLIMITED

    @property
    def _widest(self) -> float:
        """The largest standard deviation of a prediction: on a logarithmic scale, half the range of all logarithms.

        Beyond, the mean of a lognormal distribution is that of events that nobody has seen, soon more than can be
        written as a number.
        """
        widest = 0.5 * float(np.ptp(self.model_.modelled.y)) if self.transform_.is_log else 0.0
        return widest or np.inf

    def _no_wider(self, mean: Array, cov: Array) -> tuple[Array, Array]:
        """Moments (m,), (m, m) of which no standard deviation is above the largest."""
        shrunk = np.minimum(1.0, self._widest / np.sqrt(np.maximum(cov.diagonal(), 1e-300)))
        return mean, cov * np.multiply.outer(shrunk, shrunk)

    def _averaged(self) -> Ensemble:
        how = (self.weights, bool(self.calibrate))
        if how not in self._ensembles:
            self._ensembles[how] = ensemble(self.model_, how[0], calibrate=how[1])
        return self._ensembles[how]

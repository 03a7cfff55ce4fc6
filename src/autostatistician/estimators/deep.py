"""Deep Gaussian processes for numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.inputs import new_inputs, read_inputs, read_target, spreads
from autostatistician.data.transform import Transform
from autostatistician.deep.variational.fit import Fit, Settings, fit, weights_of
from autostatistician.deep.variational.network import draws, predictions
from autostatistician.errors import InputError
from autostatistician.estimators.whole_numbers import check_count
from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.inference.predictive import Predictive
from autostatistician.seeds import generator
from autostatistician.threads import one_thread

__all__ = ["DeepGPRegressor"]

Array = NDArray[np.float64]

MOST_NUMBERS = 2e8  # rows times draws times inducing points of a step
AT_ONCE = 2e6  # the same of a prediction, which takes the rows in turns


class DeepGPRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A Gaussian process of a Gaussian process: functions whose smoothness changes from place to place, such as steps.

    Every layer but the last adds functions of its inputs to a linear map of them, and the last one, with normal noise,
    is the target. All have squared exponential covariances with a lengthscale for each input. The fit climbs a lower
    bound on the evidence by doubly stochastic variational inference (Salimbeni and Deisenroth 2017), from the shallow
    process that explains the data best; the posterior of the last layer is the best one for the others, in closed form.

    Parameters
    ----------
    layers : int
        One is a sparse Gaussian process (Titsias 2009).
    width : int or None
        Functions of a hidden layer. None is as many as there are columns.
    inducing : int or None
        Points that stand for the rows in the last layer at most; hidden ones have up to 50. None is 50 for one column
        and 100 for several.
    max_iter : int
        Steps of the fit from every start.
    restarts : int
        Starts: near the identity, further from it, with a first layer that follows the data, and so on by turns.
        Predictions mix what was found from them: a fit counts the more the higher its bound on the data is.
    learning_rate : float
        The size of the steps, in units of the logarithms of scales; it falls to nothing in the second half.
    paths : int
        Draws of the hidden layers that the prediction of a fit is made of.
    random_state : int, RandomState or None
        Of all draws.

    Attributes
    ----------
    bound_ : float
        The highest lower bound on the log density of the standardised target.
    trace_ : array (n_iter_,)
        That bound on the way, each time with few other draws.
    fits_ : list of Fit
        What was found from every start, the best first.
    n_iter_ : int
        Steps that were taken from each start.
    noise_ : float
        Standard deviation of the noise of the best fit, in units of y.

    Examples
    --------
    >>> X = np.linspace(0.0, 10.0, 60)[:, None]
    >>> y = np.where(X[:, 0] > 5.0, 30.0, 10.0) + np.random.default_rng(0).normal(size=60)
    >>> model = DeepGPRegressor(inducing=15, max_iter=200).fit(X, y)
    >>> model.predict([[4.0], [6.0]]).round().tolist()
    [10.0, 30.0]
    """

    def __init__(
        self,
        layers: int = 2,
        width: int | None = None,
        *,
        inducing: int | None = None,
        max_iter: int = 500,
        restarts: int = 3,
        learning_rate: float = 0.02,
        paths: int = 200,
        random_state: Any = 0,
    ) -> None:
        self.layers = layers
        self.width = width
        self.inducing = inducing
        self.max_iter = max_iter
        self.restarts = restarts
        self.learning_rate = learning_rate
        self.paths = paths
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit layers and noise to rows and target.

        Parameters
        ----------
        X : array or frame of shape (n, p)
            Numbers.
        y : array of shape (n,)

        Raises
        ------
        InputError
            When a setting is out of its range, a column is not of numbers, or there are too many rows.
        """
        rows, self.inputs_ = read_inputs(self, X)
        target = read_target(self, y, rows)
        settings = self._settings(*rows.shape)
        self.centre_, self.scale_ = rows.mean(axis=0), spreads(rows)
        self.y_mean_, self.y_scale_ = float(target.mean()), float(spreads(target[:, None])[0])
        standard = (target - self.y_mean_) / self.y_scale_
        rng = generator(self.random_state)
        self._seed = int(rng.integers(2**31))
        with one_thread():  # the same numbers on any machine
            try:
                self.fits_ = fit(self._standard(rows), standard, settings, rng)
            except NotPositiveDefinite as error:
                raise InputError.of("data that a model can be fitted to", str(error), "scale or clean them") from error
        best = self.fits_[0]
        self.bound_, self.trace_, self.n_iter_ = best.bound, best.trace, len(best.trace)
        self.noise_ = self._noise(best)
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The mean (m,) of new observations at rows (m, p), and on request their standard deviation (m,)."""
        known = self.predictive(X)
        return (known.mean, known.std) if return_std else known.mean

    def predict_quantiles(self, X: Any, levels: Sequence[float] = (0.025, 0.5, 0.975)) -> Array:
        """Quantiles of new observations at rows (m, p): shape (m, number of levels).

        Raises
        ------
        InputError
            When a level is not between 0 and 1.
        """
        if not all(0.0 < level < 1.0 for level in levels):
            raise InputError.of("levels between 0 and 1", repr(tuple(levels)), "such as 0.025 and 0.975")
        return self.predictive(X).quantiles(levels)

    def log_density(self, X: Any, y: Any) -> Array:
        """Log density (m,) of observations ``y`` (m,) at rows (m, p), each by itself."""
        return self.predictive(X).log_density(np.asarray(y, dtype=np.float64))

    def predictive(self, X: Any) -> Predictive:
        """The distributions of new observations at rows: a mixture of normal ones, one for each fit and path."""
        check_is_fitted(self)
        rows = self._standard(new_inputs(self, X, self.inputs_, "error"))
        rng = np.random.default_rng(self._seed)
        with one_thread():
            each = [self._moments(one, rows, rng) for one in self.fits_]
        means, sds = (np.concatenate(one) for one in zip(*each, strict=True))
        weights = np.repeat(weights_of([one.bound for one in self.fits_]), len(means) // len(self.fits_))
        return Predictive(means, sds, weights / weights.sum(), Transform())

    def _moments(self, found: Fit, rows: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        """Means and standard deviations (paths, m) in units of y; every row has the same draws."""
        network = found.network
        paths = self.paths if network.hidden else 1
        noise = draws(rng, paths, 1, [one.shape[1] for one in network.linear])
        turns = int(np.ceil(len(rows) * paths * len(network.last.Z) / AT_ONCE))
        parts = []
        for part in np.array_split(rows, turns):
            drawn = [np.repeat(one, len(part), axis=1) for one in noise]
            parts.append(predictions(network, found.known, part, drawn))
        means, variances = (np.concatenate(one, axis=1) for one in zip(*parts, strict=True))
        return self.y_mean_ + self.y_scale_ * means, np.hypot(self.y_scale_ * np.sqrt(variances), self._noise(found))

    def _noise(self, found: Fit) -> float:
        return self.y_scale_ * float(np.exp(0.5 * found.network.last.log_noise))

    def _standard(self, rows: Array) -> Array:
        return np.asarray((rows - self.centre_) / self.scale_)

    def _settings(self, n: int, columns: int) -> Settings:
        """The settings, checked."""
        if self.inputs_.levels:
            found = f"categories in column {next(iter(self.inputs_.levels))!r}"
            raise InputError.of("columns of numbers", found, "encode them as numbers, or use AdditiveGPRegressor")
        if not (np.isfinite(self.learning_rate) and self.learning_rate > 0.0):
            raise InputError.of("learning_rate above zero", repr(self.learning_rate), "change the setting")
        check_count("paths", self.paths, 1)
        settings = Settings(
            layers=check_count("layers", self.layers, 1),
            width=None if self.width is None else check_count("width", self.width, 1),
            inducing=_usual(columns) if self.inducing is None else check_count("inducing", self.inducing, 1),
            steps=check_count("max_iter", self.max_iter, 1),
            restarts=check_count("restarts", self.restarts, 1),
            rate=float(self.learning_rate),
        )
        if 2.0 * n * min(n, settings.inducing) > MOST_NUMBERS:
            raise InputError.of("rows that fit into the memory", f"{n}", "give a random sample of them")
        return settings


def _usual(columns: int) -> int:
    return 50 if columns == 1 else 100

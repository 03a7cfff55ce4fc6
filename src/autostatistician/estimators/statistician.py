"""The scikit-learn face: a regressor that searches for its kernel and explains what it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.categories import UNSEEN
from autostatistician.data.inputs import read_dataset, read_target
from autostatistician.data.news import NewRows, rows_of_table
from autostatistician.data.target_limits import Asked, check_within, checked_limits, stated_limits
from autostatistician.errors import InputError
from autostatistician.estimators.parts import Part, Search, backtest_frame, forecast_frame, outlier_frame
from autostatistician.estimators.searching import Searching, asked_settings
from autostatistician.estimators.updates import Update, added
from autostatistician.inference.predictive import Averaged, Predictive
from autostatistician.model import storage
from autostatistician.model.ensemble import check_averaging
from autostatistician.model.fitted import fit_model
from autostatistician.model.predictions import Options, Predictor
from autostatistician.search.run import Settings
from autostatistician.search.state import Watched

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure as MatplotlibFigure

__all__ = ["AutomaticStatistician", "Part", "Search", "Update"]

Array = NDArray[np.float64]


class AutomaticStatistician(RegressorMixin, Searching):  # type: ignore[misc]
    """A Gaussian-process regressor that searches an open-ended language of kernels and says what it found.

    Parameters
    ----------
    language : str, default="extended"
        The grammar that is searched: "extended" (each part of the model is one sentence; levels and slopes may
        wander, the logarithm may be modelled), "full" or "interpretable" (those of Lloyd et al. 2014), or a poorer one.
    max_depth : int, default=10
        Levels of the search at most; it ends earlier when a level brings no improvement.
    restarts : int, default=10
        Starting points looked at for every candidate.
    criterion : str, default="auto"
        What the search goes by: "evidence" (the probability of data and model, with priors learned from other series),
        "bic", "aic", "laplace" (evidence with weak priors) or "loo" (leave-one-out density). "auto" is "evidence" for
        a series in the language "extended", else "bic".
    time_budget : float, optional
        Seconds of the search after which the best model so far is taken. Predictions and reports take their own.
    n_jobs : int, optional
        Worker processes; one per core by default, and at most. The result does not depend on it.
    random_state : int, default=0
        Seed of all random draws.
    target_transform : str, default="auto"
        The scale on which the target is modelled: "none" (as it is), "log" (its logarithm; all of it above zero), or
        "auto": the logarithm where the language allows it and the data speak clearly for it.
    average : bool, default=True
        Whether predictions average over the models that the search visited, by their posterior weights, and over
        what the data leave open about their numbers; else they are those of the best model with its best numbers.
    weights : str, default="criterion"
        The weights of such an average: posterior weights by the criterion ("criterion"), or these moved towards the
        models that forecast the later part of the data best from the earlier ("backtest").
    calibrate : bool, default=False
        Whether bands of averaged predictions beyond the data are widened where they were too narrow in that test. The
        test knows numbers but not structures too sure of themselves: these were found on the rows that it forecasts.
    unseen : str, default="error"
        What to do at prediction with a category that the data did not have: refuse ("error"), or predict it as one of
        which nothing is known but what all categories share, with the uncertainty of that ("new").
    limits : "auto", None or (low, high), default="auto"
        What observations cannot go beyond: means, bands and quantiles of predictions stop there; fits do not change.
        "auto": zero where no value is below it and they are counts, have zeros, or some would be expected below; 0 and
        100 (1) of columns with such values whose names speak of per cent (shares). None: nothing. A pair with None on
        one side leaves that side open.
    outliers : str, default="auto"
        What to do with single values of a series that no structure explains: look for them before the search, compare
        a model with and without them and leave them out ("auto"), or use every value ("keep"). What was left out is
        in ``outliers_``, in the warnings and in the report, and is predicted like any other place.

    Attributes
    ----------
    kernel_ : Kernel
        The model with its numbers in data units (of the data's logarithm, where that is modelled);
        ``str(kernel_)`` is the expression.
    transform_ : Transform
        The map from the data to the scale of the model.
    search_ : Search
        Frontier and trace of the search as frames.
    dataset_ : Dataset
        The data as they were used, with all that was changed in ``dataset_.warnings``.
    interrupted_ : bool
        Whether KeyboardInterrupt ended the search before its time.

    Examples
    --------
    >>> x = np.arange(30.0)[:, None]
    >>> model = AutomaticStatistician(max_depth=2, restarts=4, n_jobs=1).fit(x, 3.0 * x[:, 0] + np.sin(40.0 * x[:, 0]))
    >>> "Lin" in str(model.kernel_)
    True
    """

    def __init__(
        self,
        language: str = "extended",
        max_depth: int = 10,
        restarts: int = 10,
        criterion: str = "auto",
        time_budget: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = 0,
        target_transform: str = "auto",
        average: bool = True,
        weights: str = "criterion",
        calibrate: bool = False,
        unseen: str = "error",
        outliers: str = "auto",
        limits: Asked = "auto",
    ) -> None:
        self.language = language
        self.max_depth = max_depth
        self.restarts = restarts
        self.criterion = criterion
        self.time_budget = time_budget
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.target_transform = target_transform
        self.average = average
        self.weights = weights
        self.calibrate = calibrate
        self.unseen = unseen
        self.outliers = outliers
        self.limits = limits

    def fit(
        self,
        X: Any,
        y: Any = None,
        callback: Callable[[Watched], None] | None = None,
        checkpoint: str | Path | None = None,
    ) -> Self:
        """Search for the model of ``y`` over ``X``.

        Parameters
        ----------
        X : array of shape (n, d), frame or series with dates, path, or Dataset
            With dates in it (or ``y`` missing) it is read like a file: columns are guessed and said.
        y : array of shape (n,), name of a column, or None
            The target.
        callback : callable, optional
            Called after every level with a `Watched`: numbers of the level, and the best model so far.
        checkpoint : path, optional
            A file that keeps every level of the search. Where it exists, the search goes on from it, to the result of
            a search in one go; the data and the settings must be the same, but for ``n_jobs`` and ``time_budget``.

        Raises
        ------
        InputError
            When the data, the settings or the checkpoint cannot be used.
        """
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        check_averaging(self.weights)
        if self.unseen not in UNSEEN:
            raise InputError.of("unseen='error' or unseen='new'", repr(self.unseen), "choose one of them")
        limits = checked_limits(self.limits)
        dataset = read_dataset(self, X, y)
        if dataset.classes:
            found = f"the classes of column {dataset.target!r}"
            raise InputError.of("numbers as target", found, "use AutomaticStatisticianClassifier, or task='number'")
        model = fit_model(dataset, self.language, self._given(), callback, checkpoint)
        if isinstance(limits, tuple):
            check_within(limits, model.dataset.y + model.dataset.offset)
        return self._set_model(model)

    def update(self, X: Any, y: Any = None) -> Update:
        """Take new rows in without a search: expression and numbers stay, predictions know of the rows.

        Parameters
        ----------
        X : array of shape (m, d), frame or series with dates, or path
            The new rows. A file or frame that holds the target, too, is read by the names of the columns; rows of a
            series that are there already are passed over, those without a value as well.
        y : array of shape (m,), optional
            Their values.

        Returns
        -------
        Update
            Whether the rows were surprising, and whether to search again; ``str`` of it says so in sentences.

        Raises
        ------
        InputError
            When no row is new, a cell cannot be read, or a date has another value than before; the model is then as
            it was.

        Examples
        --------
        >>> x = np.arange(30.0)[:, None]
        >>> model = AutomaticStatistician(language="linear", max_depth=1, restarts=4, n_jobs=1)
        >>> noise = np.random.default_rng(0).normal(size=40)
        >>> news = model.fit(x, 3.0 * x[:, 0] + noise[:30]).update(x[:10] + 30.0, 3.0 * (x[:10, 0] + 30.0) + noise[30:])
        >>> news.rows, news.surprising, model.dataset_.n
        (10, False, 40)
        """
        check_is_fitted(self)
        if y is None or isinstance(y, str):
            rows = rows_of_table(self.dataset_, X, self.unseen)
        else:
            positions = self._positions(X)
            rows = NewRows(positions, read_target(self, y, positions))
        model, found = added(self.model_, rows)
        self._set_model(model)
        return found

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

    def predictive(self, X: Any) -> Predictive | Averaged:
        """The distributions of new observations at ``X``: mean, std, quantiles, cdf, log_density and crps."""
        return self._predictor().predictive(self._positions(X))

    def forecast(self, steps: int | None = None) -> pd.DataFrame:
        """Observations beyond the data: a frame with time, mean, std, lower and upper (95 %), in the caller's units.

        Where the logarithm is modelled the limits are those of a lognormal distribution: further from the mean above
        than below.

        Raises
        ------
        InputError
            When the model has no time axis, or ``steps`` is not a positive whole number.
        """
        return forecast_frame(self._predictor(), steps)

    def backtest(self) -> pd.DataFrame:
        """How the best models would have forecast the later part of the data, refitted to the rows before it.

        One row per model and stretch: expression, until (where its data ended), n (rows forecast), rmse, log_density
        and crps (means), coverage95. The structures were found on all rows, so true forecasts err somewhat more.
        Without rows where there is too little data or several inputs.
        """
        check_is_fitted(self)
        return backtest_frame(self.model_)

    def plot_forecast(self, steps: int | None = None) -> MatplotlibFigure:
        """The end of the data and the forecast ``steps`` ahead (by default as in `forecast`) with its 95 % range."""
        return self._report(steps).figure("fig-forecast")

    def save(self, path: str | Path) -> None:
        """Save the model as JSON, whole or not at all."""
        predictor = self._predictor()
        storage.save(storage.Saved(predictor.model, predictor.options, self.unseen, self.criterion), path)

    @classmethod
    def load(cls, path: str | Path) -> AutomaticStatistician:
        """Load a model that `save` wrote. Nothing in the file is executed.

        Raises
        ------
        InputError
            When the file cannot be read or does not hold a whole model.
        """
        return cls.of(storage.load(path))

    @classmethod
    def of(cls, saved: storage.Saved) -> AutomaticStatistician:
        """The estimator whose model was saved, with its settings."""
        if saved.model.dataset.classes:
            raise InputError.of("a model of numbers", "one of classes", "load it by AutomaticStatisticianClassifier")
        kept = saved.model.settings
        settings = asked_settings(saved) | {"target_transform": kept.transform, "outliers": kept.outliers}
        settings |= asdict(saved.options) | {"limits": stated_limits(saved.options.limits)}
        return cls(**settings)._set_model(saved.model)

    @property
    def outliers_(self) -> pd.DataFrame:
        """Values that stand out: time, value, expected (from all others), aside (whether the model is without it)."""
        check_is_fitted(self)
        return outlier_frame(self.model_)

    def _predictor(self) -> Predictor:
        """The predictions under the settings of this moment; what takes long is kept by the model."""
        check_is_fitted(self)
        limits = checked_limits(self.limits)
        return Predictor(self.model_, Options(bool(self.average), self.weights, bool(self.calibrate), limits))

    def _predicted(self, X: Any, return_std: bool, return_cov: bool, *, signal: bool) -> Any:
        if return_std and return_cov:
            raise InputError.of("return_std or return_cov", "both", "ask for one of them")
        predictor = self._predictor()
        positions = self._positions(X)
        if return_cov:
            return predictor.joint(positions, signal=signal)
        predictive = predictor.predictive(positions, signal=signal)
        return (predictive.mean, predictive.std) if return_std else predictive.mean

    def _given(self) -> Settings:
        return self._settings(transform=self.target_transform, outliers=self.outliers)

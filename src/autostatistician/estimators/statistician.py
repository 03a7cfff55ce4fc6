"""The scikit-learn face: a regressor that searches for its kernel and explains what it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.categories import UNSEEN
from autostatistician.data.inputs import new_positions, read_dataset
from autostatistician.data.target_limits import Asked, check_within, checked_limits, stated_limits
from autostatistician.decompose.records.series import Decomposition
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.errors import InputError
from autostatistician.estimators.components import Components
from autostatistician.estimators.parts import Part, Search, backtest_frame, forecast_frame, outlier_frame, parts
from autostatistician.estimators.reports import Report
from autostatistician.inference.predictive import Predictive
from autostatistician.language.kernel import Kernel
from autostatistician.model import storage
from autostatistician.model.ensemble import check_averaging
from autostatistician.model.explanation import explain, parts_elsewhere
from autostatistician.model.fitted import Model, fit_model
from autostatistician.model.predictions import Options, Predictor
from autostatistician.search.run import Settings
from autostatistician.search.state import Watched
from autostatistician.seeds import seed_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure as MatplotlibFigure

__all__ = ["AutomaticStatistician", "Part", "Search"]

Array = NDArray[np.float64]


class AutomaticStatistician(TransformerMixin, RegressorMixin, BaseEstimator):  # type: ignore[misc]
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
        model = fit_model(dataset, self.language, self._settings(), callback, checkpoint)
        if isinstance(limits, tuple):
            check_within(limits, model.dataset.y + model.dataset.offset)
        return self._set_model(model)

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

    def decompose(self, X: Any = None) -> list[Part]:
        """The additive parts of the model with their posterior at ``X`` (the data by default).

        Where the logarithm is modelled, they are parts of the logarithm: 0.1 is a factor of 1.105.
        """
        record = self.decomposition()
        return parts(record, None if X is None else parts_elsewhere(self.model_, record, self._positions(X)))

    def decomposition(self, horizon: int | None = None) -> Decomposition | TableDecomposition:
        """Everything a report is made from, as one record of plain values.

        Raises
        ------
        InputError
            When a horizon is given for a table.
        """
        return explain(self._predictor(), horizon)

    def transform(self, X: Any) -> Array:
        """The posterior mean of every additive part at ``X``, as columns (n, k).

        With the constant ``dataset_.offset`` they add up to the prediction of the best model. It lets a model feed
        its trend, cycles and effects to another estimator of a pipeline; ``set_output`` chooses frames. Parts are those
        of the signal (noise is none); where the logarithm is modelled they are parts of the logarithm.
        """
        return self._components().means(self._positions(X))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The names of the columns of `transform`: the expressions of the parts, numbered where one comes again."""
        return np.array(self._components().names, dtype=object)

    def component_covariance(self, X: Any = None) -> Array:
        """Posterior covariances between the parts at ``X`` (the data by default): shape (k, k, n, n).

        Entry (i, j, a, b) is that of part i at row a with part j at row b. Where two parts could take each other's
        place, it is below zero (Duvenaud 2014, section 2.4.5).
        """
        return self._components().covariance(None if X is None else self._positions(X))

    def component_correlation(self, X: Any = None) -> Array:
        """The same as correlations, from -1 to 1; zero where a part has no posterior variance."""
        return self._components().correlation(None if X is None else self._positions(X))

    def plot_component_correlation(self, points: int = 400) -> MatplotlibFigure:
        """The correlations between all parts, each along its own column, as a matplotlib figure (not known to pyplot).

        Parts of several columns and parts without variance are left out (Duvenaud 2014, figure 2.8).

        Raises
        ------
        InputError
            When no part can be shown along a single column.
        """
        return self._components().correlation_figure(points)

    def describe(self) -> list[str]:
        """The sentences: one per part of the model."""
        return self._report().sentences()

    def result(self) -> dict[str, Any]:
        """The JSON object of the command line: expression, components, likelihood, cost, warnings."""
        return self._report().result()

    def statements(self) -> pd.DataFrame:
        """What the models that the search visited say, and how probable each statement is.

        One row per statement: its text, the summed posterior weight of the models that make it, and whether the best
        model is among them.
        """
        return self._report().statements()

    @overload
    def report(self, path: None = None, horizon: int | None = None) -> Report: ...

    @overload
    def report(self, path: str | Path, horizon: int | None = None) -> Path: ...

    def report(self, path: str | Path | None = None, horizon: int | None = None) -> Report | Path:
        """The report that explains the model, ``horizon`` steps ahead.

        With a path it is written there (the suffix chooses .html, .pdf, .md or .json) and the path is returned;
        without one a `Report` is returned, which shows itself in a notebook.
        """
        from autostatistician.report.render import check_path

        if path is not None:
            check_path(path)  # before the work
        made = self._report(horizon)
        return made if path is None else made.save(path)

    def plot(self) -> MatplotlibFigure:
        """The data, the model and its forecast with 95 % ranges, as a matplotlib figure (not known to pyplot).

        Of a table: how much hangs on each column, and every value against its prediction from all others.
        """
        return self._report().figure("fig-overview")

    def plot_components(self) -> MatplotlibFigure:
        """Each part of the model by itself with its 95 % band, one panel per part, the most useful first.

        Of a table: the effect of each column, and the surfaces of columns that act together.
        """
        return self._report().figure_of_parts()

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
        saved = storage.load(path)
        kept = asdict(saved.model.settings)
        names = ("max_depth", "restarts", "time_budget", "n_jobs", "outliers")
        settings = {name: kept[name] for name in names} | {"target_transform": kept["transform"]}
        settings |= {"criterion": saved.asked}
        settings |= asdict(saved.options) | {"limits": stated_limits(saved.options.limits), "unseen": saved.unseen}
        return cls(language=saved.model.language, random_state=kept["seed"], **settings)._set_model(saved.model)

    @property
    def kernel_(self) -> Kernel:
        """The model with its numbers, in data units."""
        check_is_fitted(self)
        return self.model_.kernel

    @property
    def outliers_(self) -> pd.DataFrame:
        """Values that stand out: time, value, expected (from all others), aside (whether the model is without it)."""
        check_is_fitted(self)
        return outlier_frame(self.model_)

    @property
    def search_(self) -> Search:
        """The way to the model."""
        check_is_fitted(self)
        return Search(self.model_.search, self.dataset_.n, self.model_.charge)

    @property
    def complete_(self) -> bool:
        """Whether the search ended by itself: neither by an interruption nor by the time budget."""
        check_is_fitted(self)
        return self.model_.search.complete

    def _repr_html_(self) -> str:
        """The first screen of the report; of a model that is not fitted, its settings."""
        try:
            return self._report().opening()
        except (InputError, ValueError):  # not fitted (NotFittedError), or nothing that a page could show
            return f"<pre>{escape(repr(self))}</pre>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _set_model(self, model: Model) -> Self:
        assert model.posterior  # now rather than at the first prediction: it may fail
        self.model_ = model
        self.dataset_ = model.dataset
        self.interrupted_ = model.search.interrupted
        self.transform_ = model.transform
        self.n_features_in_ = len(model.dataset.columns)
        return self

    def _predictor(self) -> Predictor:
        """The predictions under the settings of this moment; what takes long is kept by the model."""
        check_is_fitted(self)
        limits = checked_limits(self.limits)
        return Predictor(self.model_, Options(bool(self.average), self.weights, bool(self.calibrate), limits))

    def _report(self, horizon: int | None = None) -> Report:
        return Report(self.decomposition(horizon))

    def _components(self) -> Components:
        check_is_fitted(self)
        return Components(self.model_)

    def _predicted(self, X: Any, return_std: bool, return_cov: bool, *, signal: bool) -> Any:
        if return_std and return_cov:
            raise InputError.of("return_std or return_cov", "both", "ask for one of them")
        predictor = self._predictor()
        positions = self._positions(X)
        if return_cov:
            return predictor.joint(positions, signal=signal)
        predictive = predictor.predictive(positions, signal=signal)
        return (predictive.mean, predictive.std) if return_std else predictive.mean

    def _settings(self) -> Settings:
        seed = self.random_state
        if not isinstance(seed, int | np.integer):
            try:
                seed = seed_of(seed)
            except ValueError:
                raise InputError.of("random_state as a whole number from 0", repr(seed), "change the setting") from None
        given = (self.max_depth, self.restarts, self.criterion, self.time_budget, self.n_jobs)
        return Settings(*given, seed, transform=self.target_transform, outliers=self.outliers)

    def _positions(self, X: Any) -> Array:
        """Inputs in the terms of the caller, on the model axis: shape (n, d)."""
        return new_positions(self, self.dataset_, X, self.unseen)

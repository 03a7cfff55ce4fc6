"""The scikit-learn face: a regressor that searches for its kernel and explains what it found.

What fits, predicts and tells is imported by the methods that need it: making an estimator imports scikit-learn alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.threads import one_thread
from autostatistician.data.target_limits import check_within, stated_limits
from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.distributions import JointRegressor
from autostatistician.estimators.options import TargetOptions, check_count, check_one_of
from autostatistician.estimators.over_panels import MaybePath, OverPanels, of_target
from autostatistician.estimators.searching import settings_of
from autostatistician.forms import UNSEEN

if TYPE_CHECKING:
    import pandas as pd

    from autostatistician.data.dataset import Dataset
    from autostatistician.data.new_rows import NewRows
    from autostatistician.estimators.backtest import BacktestScores
    from autostatistician.estimators.changes import ChangeExplained, EventEffect, NewsOfModel, Update
    from autostatistician.estimators.formula import Formula
    from autostatistician.estimators.futures import OtherForecast
    from autostatistician.estimators.over_panels import OnLevel
    from autostatistician.estimators.parts import RepeatingParts
    from autostatistician.fitted import storage
    from autostatistician.fitted.predictions import Predictor
    from autostatistician.gp.predictive import Averaged, Predictive

__all__ = ["AutomaticStatistician"]

Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class AutomaticStatistician(JointRegressor, OverPanels):
    """A Gaussian-process regressor that searches an open-ended language of kernels and says what it found.

    Parameters
    ----------
    language : str or Language
        The grammar that is searched: "extended" (each part of the model is one sentence; levels and slopes may
        wander, the logarithm may be modelled), "full" or "interpretable" (those of Lloyd et al. 2014), a poorer one, or
        one of your own (`autostatistician.kernels.Language`).
    max_depth : int
        Levels of the search at most; it ends earlier when a level brings no improvement.
    n_restarts : int
        Starting points evaluated for every candidate.
    criterion : str
        What the search goes by: "evidence" (the probability of data and model, with priors learned from other series),
        "bic", "aic", "laplace" (evidence with weak priors) or "loo" (leave-one-out density). "auto" is "evidence" for
        a series of at most 400 rows in the language "extended", else "bic".
    time_budget : float or None
        Seconds of a processor that the search and its workers may take together before the best model so far is taken.
        They count from the first level on, which is always finished. Predictions and reports take their own.
    n_jobs : int or None
        Worker processes: -1 is one per core, which there are at most; None as scikit-learn has it, one unless joblib's
        ``parallel_config`` says more. The result does not depend on it.
    random_state : int, RandomState or None
        Of all random draws.
    average : bool
        Whether predictions average over the models that the search visited, by their posterior weights, and over
        what the data leave open about their parameters; else they are those of the best model at its best parameters.
    unseen : str
        What to do at prediction with a category that the data did not have: refuse ("error"), or predict it as one of
        which nothing is known but what all categories share, with the uncertainty of that ("new").
    target_options : TargetOptions or None
        The scale of the target, its outliers and its limits, and the holidays that may explain it; None is
        ``TargetOptions()``, which leaves all to the data.

    Attributes
    ----------
    kernel_ : Kernel
        The model with its parameters in data units (of the data's logarithm, where that is modelled);
        ``str(kernel_)`` is the expression.
    transform_ : Transform
        The map from the data to the scale of the model.
    search_ : SearchFrames
        Frontier and trace of the search as frames.
    dataset_ : Dataset
        The data as they were used, with all that was changed in ``dataset_.warnings``.
    interrupted_ : bool
        Whether KeyboardInterrupt ended the search before its time.

    Examples
    --------
    >>> x = np.arange(30.0)[:, None]
    >>> y = 3.0 * x[:, 0] + np.sin(40.0 * x[:, 0])
    >>> model = AutomaticStatistician(max_depth=2, n_restarts=4, n_jobs=1).fit(x, y)
    >>> "Lin" in str(model.kernel_)
    True
    """

    @one_thread()
    def _fit_series(self, X: Any, y: Any, callback: OnLevel, checkpoint: MaybePath, error: Any) -> Self:
        from autostatistician.fitted.fitting import fit_model

        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        check_choice("unseen", self.unseen, UNSEEN)
        options = self._options()
        target, dataset = self._target(), self._read(X, y, error)
        if dataset.classes:
            classes = f"the classes of column {dataset.target!r}"
            raise InputError.of("numbers as target", classes, "use AutomaticStatisticianClassifier, or task='number'")
        settings = self._settings(**of_target(target))
        model = fit_model(dataset, self._grammar(), settings, callback, checkpoint)
        if isinstance(options.limits, tuple):
            check_within(options.limits, model.dataset.y + model.dataset.offset)
        return self._set_model(model)

    def _read(self, X: Any, y: Any, error: Any = None) -> Dataset:
        from autostatistician.data.inputs import checked_numbers, read_dataset
        from autostatistician.data.load import load

        target = self._target()
        in_frame = isinstance(y, str) and y in getattr(X, "columns", ())
        checked_numbers(X[y] if in_frame else None if isinstance(y, str) else y, marks=True)
        if target.exposure is not None or target.totals is not None:
            return load(X, y, exposure=target.exposure, totals=target.totals, error=error)
        return read_dataset(self, X, y, error=error, holidays=target.holidays, allow_leaks=target.allow_leaks)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True  # of tables
        return tags

    def impact(self, X: Any, y: Any = None, *, since: Any, callback: OnLevel = None) -> EventEffect:
        """What an event did to a series: its rows since then beside what would have been without it.

        A model of the rows before is searched with the settings of this estimator, which is not fitted by it; the
        rows after are forecast with the columns as they were. The same is done for earlier dates, as a test.

        Parameters
        ----------
        X, y
            The whole series, as in `fit`.
        since : date, text or number
            The first time at which the event may act, as in the data; "2024-03" and "2024" are the first day of those.

        Returns
        -------
        EventEffect
            The effect of each row, in total, on average and as a share, with ranges of 95 %; ``str`` of it says it. It
            is that of the event only if nothing else changed then.

        Raises
        ------
        InputError
            When the data are no series of numbers in time, or there are too few rows before or after the date.
        """
        from autostatistician.estimators.changes import event_effect

        target, options = self._target(), self._options()
        settings = self._settings(**of_target(target))
        return event_effect(self._read(X, y), since, self._grammar(), settings, options, callback)

    def update(self, X: Any, y: Any = None) -> Update:
        """Take new rows in without a search: expression and parameters stay, predictions know of the rows.

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
        >>> model = AutomaticStatistician(language="linear", max_depth=1, n_restarts=4, n_jobs=1)
        >>> noise = np.random.default_rng(0).normal(size=40)
        >>> news = model.fit(x, 3.0 * x[:, 0] + noise[:30]).update(x[:10] + 30.0, 3.0 * (x[:10, 0] + 30.0) + noise[30:])
        >>> news.rows, news.surprising, model.dataset_.n
        (10, False, 40)
        """
        from autostatistician.estimators.changes import added

        check_is_fitted(self)
        model, update = added(self.model_, self._new_rows(X, y), self._options())
        self._set_model(model)
        return update

    def compare(self, X: Any, y: Any = None) -> NewsOfModel:
        """How new rows compare with what was forecast of them, and which parts of the model they move.

        The model stays as it is; rows are given as to `update`.

        Returns
        -------
        NewsOfModel
            The forecasts that were missed, whether the rows together are a surprise, the parts and columns that moved
            beyond their errors, and what to do; ``str`` of it says so in sentences.

        Raises
        ------
        InputError
            When the model is one of a table, no row is new, or a cell cannot be read.
        """
        from autostatistician.estimators.changes import news_of_model

        check_is_fitted(self)
        return news_of_model(self.model_, self._new_rows(X, y), self._options())

    def explain(self, *, at: Any, against: Any) -> ChangeExplained:
        """Why a series is higher or lower at one time than at another: the difference as a sum of what each part gives.

        Parameters
        ----------
        at, against : date, text or number
            Times as in the data, or to come; "2025-07" and "2025" stand for all rows in that month or year.

        Returns
        -------
        ChangeExplained
            The parts of the time structure, the columns, and what is left to chance, each with a range of 95 %;
            ``str`` of it says it in a sentence.

        Raises
        ------
        InputError
            When the model is one of a table, or the series has no such time.

        Examples
        --------
        >>> x = np.arange(30.0)[:, None]
        >>> y = 3.0 * x[:, 0] + np.random.default_rng(0).normal(size=30)
        >>> model = AutomaticStatistician(language="linear", max_depth=1, n_restarts=4, n_jobs=1).fit(x, y)
        >>> change = model.explain(at=20, against=10)
        >>> [part.name for part in change.parts], round(sum(part.mean for part in change.parts) - change.difference, 9)
        (['linearly increasing trend', 'chance'], 0.0)
        """
        from autostatistician.estimators.changes import change_explained

        check_is_fitted(self)
        return change_explained(self.model_, at, against)

    def seasonal_decompose(self, *, period: float | str, part: int | None = None) -> RepeatingParts:
        """What of a series, or of one part of its model, is the same in every cycle of a period, and what is not.

        The model may know of no such cycle: what repeats is the mean cycle of its function beside the course.

        Parameters
        ----------
        period : float or str
            In units of the axis (years of a monthly series); on a calendar also "year", "month", "week", "day", ...
        part : int, optional
            A part of the model, counted from 1 as in the report; all of them but noise by default.

        Returns
        -------
        RepeatingParts
            Both curves with their bands, and the share of the variation that repeats, with its range of 95 %.

        Raises
        ------
        InputError
            When the model is not one of a series of numbers, has no such part, or the rows do not show the period
            twice.

        Examples
        --------
        >>> x = np.arange(60.0)[:, None]
        >>> y = np.sin(2.0 * np.pi * x[:, 0] / 12.0) + 0.05 * x[:, 0]
        >>> model = AutomaticStatistician(language="se", max_depth=1, n_restarts=4, n_jobs=1).fit(x, y)
        >>> parts = model.seasonal_decompose(period=12.0)
        >>> round(parts.share, 2), bool(parts.share > 2.0 * parts.expected)
        (0.4, True)
        """
        from autostatistician.estimators.parts import repeating_parts

        check_is_fitted(self)
        return repeating_parts(self.model_, period, part)

    def what_if(self, columns: Any, horizon: int | None = None, *, future: Any = None) -> OtherForecast:
        """The forecast of a series with other values of its columns, beside the one that `forecast` gives.

        Parameters
        ----------
        columns : text, mapping of column to value, file or frame
            Columns that hold one other value in all steps (``{"promo": 0}`` or "promo=0,price=+10%"); or another plan.
        horizon, future
            As in `forecast`: the first of the two.

        Returns
        -------
        OtherForecast
            Both forecasts, and their difference with its range of 95 %, which is that of what the columns do. It is an
            association in the data with all else unchanged, and no proof of a cause.

        Raises
        ------
        InputError
            When the model is one of time alone, or has no such column or category.
        """
        from autostatistician.estimators.futures import other_forecast

        return other_forecast(self._predictor(), columns, horizon, future)

    @overload
    def predict_signal(
        self, X: Any, *, return_std: Literal[False] = False, return_cov: Literal[False] = False
    ) -> Array: ...

    @overload
    def predict_signal(self, X: Any, *, return_std: Literal[True], return_cov: bool = False) -> tuple[Array, Array]: ...

    @overload
    def predict_signal(self, X: Any, *, return_std: bool = False, return_cov: Literal[True]) -> tuple[Array, Array]: ...

    def predict_signal(
        self, X: Any, *, return_std: bool = False, return_cov: bool = False
    ) -> Array | tuple[Array, Array]:
        """The same as `predict` for the function behind the observations: without the noise."""
        check_one_of(return_std, return_cov)
        mean, scatter = self._observations(X, joint=return_cov, signal=True)
        return (mean, scatter) if return_std or return_cov else mean

    def predictive(self, X: Any) -> Predictive | Averaged:
        """The distributions of new observations at ``X``: mean, std, quantiles, cdf, log_density and crps.

        Where the logarithm is modelled they are lognormal: the mean lies above the median, and limits come from
        `predict_quantiles` rather than from the standard deviation. With natural limits (see `TargetOptions`) they are
        those of values that lie at a limit where the model would put them beyond. Columns that stand beside the times
        of a frame are as there; others are as they were, or go on as in `forecast`.
        """
        predictor, positions = self._predictor_at(X)
        return predictor.predictive(positions)

    @one_thread()
    def sample_y(self, X: Any, n_samples: int = 1, *, random_state: Any = 0) -> Array:
        """Joint draws (m, n_samples) of new observations at ``X``: each distributed as `predictive` says.

        How they go together is their covariance (a Gaussian copula), so sums and extremes of them may be taken.
        """
        from autostatistician._io.seeds import generator
        from autostatistician.gp.posterior.projection import with_marginals

        predictor, positions = self._predictor_at(X)
        whole = predictor.law_at(positions[:, 0]) is not None
        each, cov = predictor.predictive(positions), predictor.joint(positions)[1]
        return with_marginals(each, cov, check_count("n_samples", n_samples, 1), generator(random_state), whole=whole)

    def forecast(
        self,
        horizon: int | None = None,
        *,
        future: Any = None,
        sum_by: str | None = None,
        above: float | None = None,
        below: float | None = None,
    ) -> pd.DataFrame:
        """Observations beyond the data of a series, in the caller's units: a frame with a row for each step.

        time, mean, std, lower and upper (95 %); where the logarithm is modelled the limits are those of a lognormal
        distribution, further from the mean above than below.

        Parameters
        ----------
        horizon : int, optional
            How many steps; by default a usual number, or as far as a plan goes.
        future : file, frame, "auto" or "last-year", optional
            The columns beside a series in these steps: a plan of theirs; "auto" forecasts each without one as a series
            of its own; else they go on as their own past would have foreseen them best (as a year before,
            about as last seen, or as so far). Ranges widen by what is open about them.
            ``attrs["notes"]`` of the frame says what was assumed.
        sum_by : {"year", "quarter", "month", "week"}, optional
            Sums over whole periods of the calendar in the place of values, with ranges of their own: single ranges do
            not add up. Rows of the first period that are ``known`` are in its sum as they are. By default the steps
            go to the end of the next whole period.
        above, below : float, optional
            Numbers: the columns ``above`` and ``below`` are the chances that a value, or a sum, lies there.

        Raises
        ------
        InputError
            When the model has no time axis, ``horizon`` is not a positive whole number, or the plan does not fit.
        """
        from autostatistician.estimators.futures import forecast_with, summed_with
        from autostatistician.estimators.parts import checked_thresholds, sums_frame

        thresholds = checked_thresholds(above, below)
        if sum_by is None:
            return forecast_with(self._predictor(), horizon, future, thresholds)
        sums, notes = summed_with(self._predictor(), horizon, future, sum_by)
        frame = sums_frame(sums, thresholds)
        frame.attrs["notes"] = list(notes)
        return frame

    def backtest(
        self, horizon: int | None = None, *, step: int | None = None, n_splits: int | None = None
    ) -> BacktestScores:
        """How good the forecast would have been from earlier ends of the data, by the usual measures.

        It is the forecast of `forecast` and `predict`, with all that these average. Where at most 50 rows lie before an
        origin the model is searched anew; of more rows its best structures are refitted to those before. Columns
        beside the series are as they were.

        Parameters
        ----------
        horizon : int, optional
            Rows ahead, by default as many as `forecast` has steps.
        step : int, optional
            Rows from one origin to the next; by default the horizon.
        n_splits : int, optional
            How many origins, the last as late as can be; by default 5, or as many as leave 12 rows before the first.

        Returns
        -------
        BacktestScores
            MAE, RMSE, MASE, weighted quantile loss, coverage and width of the ranges, in total and by the steps ahead,
            beside a seasonal naive forecast and a random walk with drift; and all forecasts.

        Raises
        ------
        InputError
            When the model is none of a series in time, or has too few rows.

        Examples
        --------
        >>> x = np.arange(40.0)[:, None]
        >>> y = 2.0 * x[:, 0] + np.random.default_rng(0).normal(size=40)
        >>> model = AutomaticStatistician(language="linear", max_depth=1, n_restarts=2, n_jobs=1).fit(x, y)
        >>> found = model.backtest(horizon=4, n_splits=3)
        >>> found.scores["n"].tolist(), bool(found.scores["mae"]["model"] < found.scores["mae"]["seasonal naive"])
        ([12, 12, 12], True)
        """
        from autostatistician.estimators.backtest import backtest_scores

        return backtest_scores(self._predictor(), horizon, step, n_splits)

    def formula(self) -> Formula:
        """The model as a formula, where its parts are constants, lines, pure waves and products of them.

        Other parts are its ``remainder``. Coefficients have ranges of 95 %, given the periods. Of dates the column
        stands for positions on the axis of the model, ``dataset_.axis``: years, days or hours.

        Raises
        ------
        InputError
            When no part but a level has a formula, or the target is none of numbers.

        Examples
        --------
        >>> x = np.arange(20.0)
        >>> model = AutomaticStatistician("linear", max_depth=1).fit(x[:, None], 3.0 + 0.5 * x + 0.1 * np.cos(9.0 * x))
        >>> print(model.formula())
        y = 3.008 + 0.4996 * x
        """
        from autostatistician.estimators.formula import formula_of

        check_is_fitted(self)
        with one_thread():
            return formula_of(self.model_)

    @classmethod
    def from_saved(cls, saved: storage.Saved) -> Self:
        """The estimator whose model was saved, with its settings."""
        if saved.model.dataset.classes:
            raise InputError.of("a model of numbers", "one of classes", "load it by AutomaticStatisticianClassifier")
        limits, settings = stated_limits(saved.options.limits), saved.model.settings
        target = TargetOptions(settings.transform, settings.outliers, limits, likelihood=settings.likelihood)
        target_options = None if target == TargetOptions() else target
        return cls(**settings_of(saved), target_options=target_options)._set_model(saved.model)

    @property
    def outliers_(self) -> pd.DataFrame:
        """Values that stand out: time, value, expected (from all others), aside (whether the model is without it)."""
        from autostatistician.estimators.parts import outlier_frame

        check_is_fitted(self)
        return outlier_frame(self.model_)

    def _predictor(self) -> Predictor:
        """The predictions under the settings of this moment; what takes long is kept by the model."""
        from autostatistician.fitted.predictions import Predictor

        check_is_fitted(self)
        return Predictor(self.model_, self._options())

    def _predictor_at(self, X: Any) -> tuple[Predictor, Array]:
        """The predictions with the columns that stand beside the times of ``X``, and the positions of these."""
        from autostatistician.estimators.futures import with_columns_of, with_sizes_of

        predictor, (positions, unsure) = self._predictor(), self._filled(X)
        predictor = predictor.unsure_by(unsure)
        sizes = predictor.model.dataset.sizes
        if sizes is not None:
            predictor = with_sizes_of(predictor, sizes, X, positions[:, 0])
        if predictor.model.effects is None:
            return predictor, positions
        return with_columns_of(predictor, X, positions[:, 0]), positions

    def _new_rows(self, X: Any, y: Any) -> NewRows:
        from autostatistician.data.inputs import read_target
        from autostatistician.data.new_rows import NewRows, rows_of_table

        if y is None or isinstance(y, str):
            return rows_of_table(self.model_.as_observed, X, self.unseen)
        if self.model_.dataset.sizes is not None:
            name = self.model_.dataset.sizes.name
            raise InputError.of(f"a table of new rows with the column {name!r}", "values alone", "give a frame")
        positions, unsure = self._filled(X)
        return NewRows(positions, read_target(self, y, positions), unsure=unsure)

    def _observations(self, X: Any, *, joint: bool, signal: bool = False) -> tuple[Array, Array]:
        predictor, positions = self._predictor_at(X)
        if joint:
            return predictor.joint(positions, signal=signal)
        predictive = predictor.predictive(positions, signal=signal)
        return predictive.mean, predictive.std

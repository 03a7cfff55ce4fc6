"""The scikit-learn face: a regressor that searches for its kernel and explains what it found."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted, validate_data

from autostatistician.data.categories import UNSEEN, has_categories
from autostatistician.data.checks import checked_length
from autostatistician.data.dataset import Dataset, Kind, from_arrays, time_labels
from autostatistician.data.limits import Asked, check_within, checked_limits
from autostatistician.data.load import load
from autostatistician.data.lookup import has_dates, inputs_of, model_positions
from autostatistician.data.missing import checked_finite, checked_target, unmasked
from autostatistician.decompose.records.series import Curve, Decomposition
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.errors import InputError
from autostatistician.estimators.components import Componentwise
from autostatistician.estimators.parts import Part, Search, parts
from autostatistician.estimators.predictions import Predicting
from autostatistician.estimators.reports import Explained
from autostatistician.files import write_whole
from autostatistician.inference.posterior import condition
from autostatistician.language.kernel import Kernel
from autostatistician.model.ensemble import check_averaging, tried
from autostatistician.model.fitted import (
    Model,
    decomposition,
    fit_model,
    parts_elsewhere,
    table_decomposition,
)
from autostatistician.model.storage import from_json, to_json
from autostatistician.search.run import Settings
from autostatistician.search.state import Watched
from autostatistician.seeds import seed_of
from autostatistician.wording.lists import counted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AutomaticStatistician", "Part", "Search"]

Array = NDArray[np.float64]


class AutomaticStatistician(Predicting, Explained, Componentwise, RegressorMixin, BaseEstimator):  # type: ignore[misc]
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
    criterion : str, default="bic"
        What is minimised: "bic", "aic", "laplace" (evidence without fixed numbers) or "loo" (leave-one-out density).
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
        criterion: str = "bic",
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
        dataset = self._dataset(X, y)
        found = fit_model(dataset, self.language, self._settings(), callback, checkpoint)
        if isinstance(limits, tuple):
            check_within(limits, found.dataset.y + found.dataset.offset)
        return self._set_model(found)

    def decompose(self, X: Any = None) -> list[Part]:
        """The additive parts of the model with their posterior at ``X`` (the data by default).

        Where the logarithm is modelled, they are parts of the logarithm: 0.1 is a factor of 1.105.
        """
        found = self.decomposition()
        return parts(found, None if X is None else parts_elsewhere(self.model_, found, self._positions(X)))

    def decomposition(self, horizon: int | None = None) -> Decomposition | TableDecomposition:
        """Everything a report is made from, as one record of plain values.

        Raises
        ------
        InputError
            When a horizon is given for a table.
        """
        check_is_fitted(self)
        if horizon is not None and self.dataset_.kind is Kind.TABLE:
            found = f"a horizon of {horizon} for a table"
            raise InputError.of("a horizon for a series alone", found, "leave it out: a table has no order to go on in")
        # all that the record depends on
        asked = (horizon, self._limits, bool(self.average), self.weights, bool(self.calibrate))
        if asked not in self._taken_apart:  # a report, its record and its sentences ask for the same one
            series = self.dataset_.kind is Kind.SERIES
            self._taken_apart[asked] = (
                self._with_forecast(decomposition(self.model_, horizon)) if series else table_decomposition(self.model_)
            )
        return self._taken_apart[asked]

    def _with_forecast(self, found: Decomposition) -> Decomposition:
        """The forecast of a report is that of `forecast`, and no band goes beyond the limits."""
        low, high = self._limits
        lower, upper = (np.clip(limit, low, high) for limit in found.observation.limits)
        known = found.observation
        observation = Curve(known.x, known.mean, known.sd, lower, upper)
        if not found.forecast.x.size:
            return replace(found, observation=observation, limits=(low, high))
        ahead = self._predictive(found.forecast.x[:, None])
        lower, upper = ahead.quantiles((0.025, 0.975)).T
        averaged = len({str(kernel.expr) for kernel in self._averaged().kernels}) if self.average else 1
        forecast = Curve(found.forecast.x, ahead.mean, ahead.std, lower, upper)
        return replace(found, forecast=forecast, observation=observation, averaged=averaged, limits=(low, high))

    def backtest(self) -> pd.DataFrame:
        """How the best models would have forecast the later part of the data, refitted to the rows before it.

        One row per model and stretch: expression, until (where its data ended), n (rows forecast), rmse, log_density
        and crps (means), coverage95. The structures were found on all rows, so true forecasts err somewhat more.
        Without rows where there is too little data or several inputs.
        """
        import pandas as pd

        check_is_fitted(self)
        names = ["expression", "until", "n", "rmse", "log_density", "crps", "coverage95"]
        found = pd.DataFrame(tried(self.model_).table(self.model_.modelled), columns=names)
        return found.assign(until=time_labels(self.dataset_, found["until"].to_numpy()) if len(found) else [])

    def save(self, path: str | Path) -> None:
        """Save the model as JSON, whole or not at all."""
        check_is_fitted(self)
        how = {"average": bool(self.average), "weights": self.weights, "calibrate": bool(self.calibrate)}
        limits = checked_limits(self.limits)
        how["limits"] = [side if isfinite(side) else None for side in limits] if isinstance(limits, tuple) else limits
        how |= {"unseen": self.unseen} if self.dataset_.levels else {}
        record = to_json(self.model_) | how
        write_whole(path, json.dumps(record, allow_nan=False).encode())

    @classmethod
    def load(cls, path: str | Path) -> AutomaticStatistician:
        """Load a model that `save` wrote. Nothing in the file is executed.

        Raises
        ------
        InputError
            When the file cannot be read or does not hold a whole model.
        """
        expected = f"a saved model in '{path}'"
        if Path(path).exists() and not Path(path).is_file():  # to read a pipe would take for ever
            raise InputError.of(expected, "something that is no file", "give the path of a model file")
        try:
            record = json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=_no_number)
        except OSError as error:
            found = error.strerror or type(error).__name__
            raise InputError.of(expected, found, "give the path of a model file") from error
        except (ValueError, RecursionError) as error:
            raise InputError.of(expected, f"no JSON ({error})", "give the path of a model file") from error
        model = from_json(record)
        kept = asdict(model.settings)
        names = ("max_depth", "restarts", "criterion", "time_budget", "n_jobs", "outliers")
        settings = {name: kept[name] for name in names} | {"target_transform": kept["transform"]}
        settings |= {name: record.get(name) is True for name in ("average", "calibrate")}  # older models: neither
        settings["weights"] = record.get("weights", "criterion")
        settings["unseen"] = record.get("unseen", "error")
        asked = record.get("limits")  # older models: none
        settings["limits"] = tuple(asked) if isinstance(asked, list) else asked
        checked_limits(settings["limits"])
        check_averaging(settings["weights"])
        try:
            with np.errstate(all="ignore"):  # numbers that cannot be worked with end in the error below
                return cls(language=model.language, random_state=kept["seed"], **settings)._set_model(model)
        except (ArithmeticError, AssertionError) as error:
            raise InputError.of(expected, f"a model that does not fit its data ({error})", "save it again") from error

    @property
    def kernel_(self) -> Kernel:
        """The model with its numbers, in data units."""
        check_is_fitted(self)
        return self.model_.kernel

    @property
    def outliers_(self) -> pd.DataFrame:
        """Values that stand out: time, value, expected (from all others), aside (whether the model is without it)."""
        import pandas as pd

        check_is_fitted(self)
        rows = self.model_.screening.rows
        times = time_labels(self.dataset_, np.array([one.x for one in rows]))
        columns = {name: [getattr(one, key) for one in rows] for name, key in
                   (("value", "y"), ("expected", "expected"), ("aside", "aside"))}  # fmt: skip
        return pd.DataFrame({"time": times, **columns})

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

    def _set_model(self, model: Model) -> Self:
        self.model_ = model
        self.dataset_ = model.dataset
        self.interrupted_ = model.search.interrupted
        self.transform_ = model.transform
        self._offset = model.modelled.offset
        self._posterior = condition(model.kernel, model.modelled)
        self._ensembles = {}
        self._natural_once = []
        self._taken_apart: dict[tuple[object, ...], Decomposition | TableDecomposition] = {}
        self.n_features_in_ = len(model.dataset.columns)
        return self

    def _settings(self) -> Settings:
        seed = self.random_state
        if not isinstance(seed, int | np.integer):
            try:
                seed = seed_of(seed)
            except ValueError:
                raise InputError.of("random_state as a whole number from 0", repr(seed), "change the setting") from None
        given = (self.max_depth, self.restarts, self.criterion, self.time_budget, self.n_jobs)
        return Settings(*given, seed, transform=self.target_transform, outliers=self.outliers)

    def _dataset(self, X: Any, y: Any) -> Dataset:
        if isinstance(X, Dataset):
            return X
        checked_length(X)
        if y is None or isinstance(y, str) or isinstance(X, str | Path) or has_dates(X) or has_categories(X):
            if y is None and _is_numeric(X):
                raise ValueError("requires y to be passed, but the target y is None")
            found = load(X, y)
            if found.kind is Kind.TABLE and not isinstance(X, str | Path):
                validate_data(self, X, skip_check_array=True)  # keeps the names of the columns
                if y is None or isinstance(y, str):  # the target is one of them, and rows to predict have none
                    self.feature_names_in_ = np.array(found.columns, dtype=object)
            return found
        if isinstance(y, np.ma.MaskedArray) and np.ma.getmaskarray(y).any():
            rows = ~np.ma.getmaskarray(y).reshape(len(y), -1).any(axis=1)
            found = self._dataset(_safe_indexing(X, rows), y[rows].data)
            note = f"{counted(int(np.sum(~rows)), 'row')} with a masked target left out."
            return replace(found, warnings=(note, *found.warnings))
        X, y = unmasked(X), unmasked(y)
        checked_target(y)
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_all_finite=False)
        names = tuple(getattr(self, "feature_names_in_", ()))
        checked_finite(X, names)
        if X.shape[1] > 1:
            return from_arrays(X, y, names or None)
        return load(X, y, axis="raw")

    def _positions(self, X: Any) -> Array:
        """Inputs in the terms of the caller, on the model axis: shape (n, d)."""
        if isinstance(X, Dataset):
            return X.X
        X = unmasked(X)
        axis = self.dataset_.axis
        if axis is not None and has_dates(X):
            return model_positions(self.dataset_, X)[:, None]
        if self.dataset_.levels or (self.dataset_.kind is Kind.TABLE and has_categories(X)):
            if hasattr(self, "feature_names_in_"):
                validate_data(self, X, reset=False, skip_check_array=True)
            return np.asarray(inputs_of(self.dataset_, X, self.unseen))
        if not hasattr(self, "feature_names_in_"):  # scikit-learn does not know the columns of a file
            X = inputs_of(self.dataset_, X)
        X = validate_data(self, X, dtype=np.float64, reset=False, ensure_all_finite=False)
        X = checked_finite(X, self.dataset_.columns)
        return X if axis is None else axis.read(X[:, 0])[:, None]


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _is_numeric(X: Any) -> bool:
    return isinstance(X, np.ndarray | list) and np.asarray(X).dtype.kind in "biuf" and np.ndim(X) == 2

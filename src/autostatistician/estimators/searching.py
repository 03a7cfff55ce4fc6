"""What every estimator that searches has in common: its parts, its words and pages, the way to its model."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.seeds import seed_of
from autostatistician.errors import InputError
from autostatistician.estimators.typed import BaseEstimator, TransformerMixin
from autostatistician.i18n.messages import language, spoken_in

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from autostatistician.data.dataset import Dataset
    from autostatistician.decompose.records.series import Decomposition
    from autostatistician.decompose.records.table import TableDecomposition
    from autostatistician.describe.answers import Answer
    from autostatistician.estimators.answers import Query
    from autostatistician.estimators.parts import Components, FittedPart, SearchFrames
    from autostatistician.estimators.reports import Report
    from autostatistician.fitted import storage
    from autostatistician.fitted.model import Model
    from autostatistician.fitted.predictions import Predictor
    from autostatistician.kernels.grammar import Language
    from autostatistician.kernels.kernel import Kernel
    from autostatistician.search.run import Settings

__all__ = ["Searching", "settings_of"]

Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class Searching(TransformerMixin, BaseEstimator):
    """An estimator whose model comes from a search; subclasses say how it predicts."""

    language: str | Language = "extended"
    _: KW_ONLY
    max_depth: int = 10
    n_restarts: int = 10
    criterion: str = "auto"
    time_budget: float | None = None
    n_jobs: int | None = -1
    random_state: Any = 0
    average: bool = True
    unseen: str = "error"

    def decompose(self, X: Any = None) -> list[FittedPart]:
        """The additive parts of the model with their posterior at ``X`` (the data by default).

        Where the logarithm is modelled, they are parts of the logarithm: 0.1 is a factor of 1.105.
        """
        from autostatistician.estimators.parts import parts
        from autostatistician.fitted.explanation import parts_elsewhere

        record = self.explanation()
        return parts(record, None if X is None else parts_elsewhere(self.model_, record, self._positions(X)))

    def explanation(self, horizon: int | None = None) -> Decomposition | TableDecomposition:
        """Everything a report is made from, as one record of plain values.

        Raises
        ------
        InputError
            When a horizon is given for a table.
        """
        from autostatistician.fitted.explanation import explain

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

    def describe(self) -> list[str]:
        """The sentences: one per part of the model."""
        return self._report().sentences()

    def ask(
        self,
        question: str,
        *,
        at: Any = None,
        against: Any = None,
        start: Any = None,
        stop: Any = None,
        change: Any = None,
        future: Any = None,
        sum_by: str | None = None,
        above: float | None = None,
        below: float | None = None,
    ) -> Answer:
        """The answer to one of a few questions: sentences, numbers with all that is known of them, and facts.

        Parameters
        ----------
        question : {"what", "trend", "seasons", "events", "columns", "sure", "forecast", "why", "what-if"}
            What was found; where a series goes; what repeats; what happened; what columns beside it, or of a table, do;
            how sure all that is; what comes at a time; why it differs from another time; what if columns were others.
        at, against : date or number, optional
            The time of a forecast or of events, or the one whose difference from another is asked for (why): that of a
            row, or a month or year that stands for all rows in it.
        start, stop : date or number, optional
            From when to when: of a trend, of events, of a forecast, or of what-if.
        change : text, mapping, file or frame, optional
            Of what-if, as in `what_if`.
        future, sum_by, above, below : optional
            Of a forecast, as in `forecast`.

        Raises
        ------
        InputError
            When it is another question, one that the model cannot answer, or something is said that it does not take.
        """
        from autostatistician.estimators.answers import Query

        return self._answer(question, Query(at, against, start, stop, change, future, sum_by, above, below))

    def _answer(self, question: str, details: Query) -> Answer:
        """The answer to a question with what it names."""
        from autostatistician.estimators.answers import answer_of

        return answer_of(self._predictor(), self.explanation, question, details)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the command line: expression, components, likelihood, cost, warnings."""
        return self._report().to_dict()

    def statements(self) -> pd.DataFrame:
        """What the models that the search visited say, and how probable each statement is.

        One row per statement: its text, the summed posterior weight of the models that make it, and whether the best
        model is among them.
        """
        return self._report().statements()

    @overload
    def report(
        self, path: None = None, *, horizon: int | None = None, future: Any = None, lang: str | None = None
    ) -> Report: ...

    @overload
    def report(
        self, path: str | Path, *, horizon: int | None = None, future: Any = None, lang: str | None = None,
        interactive: bool = False,
    ) -> Path: ...  # fmt: skip

    def report(
        self, path: str | Path | None = None, *, horizon: int | None = None, future: Any = None,
        lang: str | None = None, interactive: bool = False,
    ) -> Report | Path:  # fmt: skip
        """The report that explains the model, ``horizon`` steps ahead, with columns as in `forecast` (``future``).

        It is in the language ``lang``: "en" or "de"; None is that of `autostatistician.spoken_in`, else
        English.

        With a path it is written there (the suffix chooses .html, .pdf, .md or .json) and the path is returned;
        without one a `Report` is returned, which shows itself in a notebook. The pictures of an ``interactive`` page
        can be zoomed, and their series switched.
        """
        from autostatistician.report.render import check_path

        if path is not None:
            check_path(path, interactive=interactive)  # before the work
        with spoken_in(lang or language()):
            report = self._report(horizon, future)
        return report if path is None else report.save(path, interactive=interactive)

    @property
    def plot(self) -> Plots:
        """The pictures of the model: ``plot()`` is all of it, ``plot.components()``, ``plot.forecast(24)`` and more.

        Each is a matplotlib figure (not known to pyplot).
        """
        return Plots(self)

    def save(self, path: str | Path) -> None:
        """Save the model as JSON, whole or not at all."""
        from autostatistician.fitted import storage

        predictor = self._predictor()
        storage.save(storage.Saved(predictor.model, predictor.options, self.unseen, self.criterion), path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Load a model that `save` wrote. Nothing in the file is executed.

        Raises
        ------
        InputError
            When the file cannot be read, or does not hold a whole model of this kind.
        """
        from autostatistician.fitted import storage

        return cls.from_saved(storage.load(path))

    @classmethod
    def from_saved(cls, saved: storage.Saved) -> Self:
        """The estimator whose model was saved, with its settings; subclasses say which those are."""
        raise NotImplementedError

    @property
    def kernel_(self) -> Kernel:
        """The model with its parameters, in data units."""
        check_is_fitted(self)
        return self.model_.kernel

    @property
    def search_(self) -> SearchFrames:
        """The way to the model."""
        from autostatistician.estimators.parts import SearchFrames

        check_is_fitted(self)
        return SearchFrames([self.model_])

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
        self.model_: Model = model
        self.dataset_: Dataset = model.dataset
        self.interrupted_ = model.search.interrupted
        self.transform_ = model.transform
        self.n_features_in_ = len(getattr(self, "feature_names_in_", model.dataset.given))  # also columns not used
        return self

    def _report(self, horizon: int | None = None, future: Any = None) -> Report:
        from autostatistician.estimators.futures import explained_with
        from autostatistician.estimators.reports import Report

        check_is_fitted(self)
        if future is None and self.model_.dataset.sizes is None:
            return Report(self.explanation(horizon))
        return Report(explained_with(self._predictor(), horizon, future))

    def _components(self) -> Components:
        from autostatistician.estimators.parts import Components

        check_is_fitted(self)
        return Components(self.model_)

    def _predictor(self) -> Predictor:
        """The predictions under the settings of this moment; what takes long is kept by the model."""
        raise NotImplementedError

    def _grammar(self) -> str:
        """The name of the language; one of the caller's own is known by it from then on."""
        from autostatistician.kernels.grammar import named

        return named(self.language)

    def _settings(self, **more: Any) -> Settings:
        """What a search may do, by the settings that all have and some more."""
        from autostatistician.search.run import Settings

        seed = self.random_state
        if not isinstance(seed, int | np.integer):
            try:
                seed = seed_of(seed)
            except ValueError:
                raise InputError.of("random_state as a whole number from 0", repr(seed), "change the setting") from None
        given = (self.max_depth, self.n_restarts, self.criterion, self.time_budget, self.n_jobs)
        return Settings(*given, seed, **more)

    def _positions(self, X: Any) -> Array:
        """InputColumns in the terms of the caller, on the model axis: shape (n, d)."""
        return self._filled(X)[0]

    def _filled(self, X: Any) -> tuple[Array, Array]:
        """The same, and variances (n,) of the targets for empty cells."""
        from autostatistician.data.inputs import new_positions

        return self.dataset_.filled(new_positions(self, self.dataset_, X, self.unseen))


class Plots:
    """The pictures of a fitted model, each a matplotlib figure that pyplot does not know.

    >>> from autostatistician import AutomaticStatistician
    >>> AutomaticStatistician().plot
    <plots of AutomaticStatistician: plot(), plot.components(), plot.forecast(horizon), plot.correlation()>
    """

    def __init__(self, model: Searching) -> None:
        self._model = model

    def __call__(self) -> Figure:
        """The data, the model and its forecast with 95 % ranges.

        Of a table: how much hangs on each column, and every value against its prediction from all others.
        """
        return self._model._report().figure("fig-overview")

    def components(self) -> Figure:
        """Each part of the model by itself with its 95 % band, one panel per part, the most useful first.

        Of a table: the effect of each column, and the surfaces of columns that act together.
        """
        return self._model._report().figure_of_parts()

    def forecast(self, horizon: int | None = None) -> Figure:
        """The end of the data and the forecast ``horizon`` steps ahead with its 95 % range; of a series of numbers."""
        return self._model._report(horizon).figure("fig-forecast")

    def correlation(self, *, points: int = 400) -> Figure:
        """The correlations between all parts, each along its own column.

        Parts of several columns and parts without variance are left out (Duvenaud 2014, figure 2.8).

        Raises
        ------
        InputError
            When no part can be shown along a single column.
        """
        return self._model._components().correlation_figure(points)

    def __repr__(self) -> str:
        name = type(self._model).__name__
        return f"<plots of {name}: plot(), plot.components(), plot.forecast(horizon), plot.correlation()>"


def settings_of(saved: storage.Saved) -> dict[str, Any]:
    """The settings of a saved model that all estimators have, by their names."""
    settings = saved.model.settings
    return {
        "language": saved.model.language,
        "max_depth": settings.max_depth,
        "n_restarts": settings.restarts,
        "criterion": saved.asked,
        "time_budget": settings.time_budget,
        "n_jobs": settings.n_jobs,
        "random_state": settings.seed,
        "average": saved.options.average,
        "unseen": saved.unseen,
    }

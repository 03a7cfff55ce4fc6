"""The scikit-learn face for classes: a classifier that searches for its kernel and explains what it found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.classes import against_rest
from autostatistician.data.dataset import Dataset, time_labels
from autostatistician.data.inputs import read_classes
from autostatistician.data.moments import positions_at
from autostatistician.describe.answers import Answer, AnswerNumber, number_of_record
from autostatistician.describe.axis.units import units_of
from autostatistician.describe.document.record import stored
from autostatistician.describe.words.answers.questions import at_time_text
from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.answers import Query
from autostatistician.estimators.classes import ByProbability
from autostatistician.estimators.options import ends_of
from autostatistician.estimators.parts import FittedPart, SearchFrames, forecast_frame
from autostatistician.estimators.reports import Report
from autostatistician.estimators.searching import Searching, settings_of
from autostatistician.fitted import storage
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor, axis_of_series
from autostatistician.fitted.several_classes import EachAgainstRest
from autostatistician.forms import UNSEEN
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.kernels.kernel import Kernel
from autostatistician.search.state import Watched

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AutomaticStatisticianClassifier", "checkpoint_of", "forget", "refuse_plan"]


Array = NDArray[np.float64]

Callback = Callable[[Watched], None]

LEAST_SECONDS = 1e-3  # of a search that comes when time is over: its first level


def forget(checkpoint: Path, classes: int | None = None) -> None:
    """Remove a checkpoint and those beside it of further ``classes``: of so many, or of as many as follow."""
    number = 1
    while number <= classes if classes is not None else checkpoint_of(checkpoint, number).exists():
        checkpoint_of(checkpoint, number).unlink(missing_ok=True)
        number += 1


def checkpoint_of(checkpoint: str | Path, number: int) -> Path:
    """The file that keeps the search of one of several classes (from 1): the first has the one that was named.

    >>> checkpoint_of("run/levels.json", 1).name, checkpoint_of("run/levels.json", 3).name
    ('levels.json', 'levels-3.json')
    """
    path = Path(checkpoint)
    return path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")


@dataclass(eq=False, repr=False)
class AutomaticStatisticianClassifier(ByProbability, Searching):
    """A classifier that searches a language of kernels for the function behind classes.

    The chance of the second class in ``classes_`` is a map (the link) of a Gaussian process. Its kernel is found by
    approximate evidence (Laplace's method) with weak priors of all hyperparameters; predictions are by expectation
    propagation, of more than about a thousand rows by Laplace's method, too. Of more than two classes each has a
    search and a model of its own, of its chance against all others; chances are divided by their sum.

    Parameters
    ----------
    language, max_depth, n_restarts, time_budget, n_jobs, random_state, unseen
        As those of `AutomaticStatistician`.
    criterion : str
        What the search goes by: "auto" is "evidence", the probability of data and model.
    average : bool
        Whether predictions average over the models that the search visited, by their posterior weights, and over
        what the data leave open about their parameters.
    link : str
        How the function becomes a chance: "probit" or "logistic".

    Attributes
    ----------
    classes_ : array (number of classes,)
        The labels in order.
    kernel_ : Kernel or list of Kernel
        Of the function, with its parameters in data units; ``str(kernel_)`` is the expression. Of more than two
        classes one for each.
    estimators_ : list
        Of more than two classes a fitted classifier of each against the rest.
    search_ : SearchFrames
        Frontier and trace of the search as frames; of more than two classes of all, with a column ``class``.
    dataset_ : Dataset
        The data as they were used, with all that was changed in ``dataset_.warnings``.

    Examples
    --------
    >>> x = np.linspace(0.0, 10.0, 40)[:, None]
    >>> y = np.where(x[:, 0] + 2.0 * np.sin(25.0 * x[:, 0]) > 5.0, "late", "early")
    >>> model = AutomaticStatisticianClassifier(language="linear", max_depth=2, n_restarts=2, n_jobs=1).fit(x, y)
    >>> model.predict([[1.0], [9.0]]).tolist(), bool(model.predict_proba([[9.0]])[0, 1] > 0.8)
    (['early', 'late'], True)
    """

    _: KW_ONLY
    link: str = "probit"

    def fit(
        self, X: Any, y: Any = None, *, callback: Callback | None = None, checkpoint: str | Path | None = None
    ) -> Self:
        """Search for the model of ``y`` over ``X``; of more than two classes one for each against the rest.

        Parameters
        ----------
        X : array of shape (n, d), frame or series with dates, path, or Dataset
            As those of `AutomaticStatistician.fit`.
        y : array of shape (n,), name of a column, or None
            The labels: text, numbers or truth values.
        callback : callable, optional
            Called after every level of every search with a `Watched`.
        checkpoint : path, optional
            A file that keeps every level of the search; searches of further classes have files beside it.

        Raises
        ------
        InputError
            When the data, the settings or the checkpoint cannot be used.
        KeyboardInterrupt
            At one before the end of the first level; later ones leave the best model so far.
        """
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        check_choice("unseen", self.unseen, UNSEEN)
        dataset, labels = read_classes(self, X, y)
        if len(labels) == 2:
            models = [self._model_of(dataset, callback, checkpoint, self.time_budget)]
        else:
            models = self._models(dataset, callback, checkpoint)
        return self._set_models(tuple(models), dataset, labels)

    def _models(self, dataset: Dataset, callback: Callback | None, checkpoint: str | Path | None) -> list[Model]:
        """A model of each class, among which the time that there is is dealt out; after an interruption it is over."""
        models: list[Model] = []
        count, seconds = len(dataset.classes), self.time_budget
        for number in range(1, count + 1):
            budget = None if seconds is None else max(seconds / (count - number + 1), LEAST_SECONDS)
            if any(model.search.interrupted for model in models):
                budget = LEAST_SECONDS
            binary = against_rest(dataset, number - 1)
            kept = None if checkpoint is None else checkpoint_of(checkpoint, number)
            models.append(self._model_of(binary, callback, kept, budget))
            seconds = None if seconds is None else seconds - models[-1].search.spent
        return models

    def _set_models(self, models: tuple[Model, ...], dataset: Dataset, labels: NDArray[Any]) -> Self:
        self.models_: tuple[Model, ...] = models
        self.classes_ = labels
        self.__dict__.pop("_steps_told", None)  # of an earlier fit
        self._set_model(models[0])
        if self._is_several:
            assert all(model.posterior for model in models)
            said = dict.fromkeys(text for model in models for text in model.dataset.warnings)
            self.dataset_ = replace(dataset, warnings=(*dataset.warnings, *said))
            self.interrupted_ = any(model.search.interrupted for model in models)
        return self

    @property
    def _is_several(self) -> bool:
        check_is_fitted(self)
        return len(self.models_) > 1

    @property
    def estimators_(self) -> list[Self]:
        """A fitted classifier of each class against the rest, as this one; of two classes itself alone."""
        if not self._is_several:
            return [self]
        estimators = []
        for model in self.models_:
            estimator = type(self)(**self.get_params())
            estimators.append(estimator._set_models((model,), model.dataset, np.array(model.dataset.classes)))
            if hasattr(self, "feature_names_in_"):
                estimators[-1].feature_names_in_ = self.feature_names_in_
        return estimators

    @property
    def _together(self) -> EachAgainstRest:
        """The predictions of all classes under the settings of this moment."""
        return EachAgainstRest(tuple(self._predictor_of(model) for model in self.models_), self.dataset_)

    def explanation(self, horizon: int | None = None) -> Any:
        """Everything a report is made from, as one record of plain values; of several classes a `SeveralClasses`."""
        if not self._is_several:
            return super().explanation(horizon)
        key = ("several classes", self._predictor_of(self.models_[0]).options, horizon)
        return self.models_[0].once(key, lambda: self._together.explained(horizon))

    def _report(self, horizon: int | None = None, future: Any = None) -> Report:
        refuse_plan(future)
        if horizon is not None:  # sentences that are asked for later tell the same steps
            self._steps_told = horizon
        return Report(self.explanation(getattr(self, "_steps_told", None)))

    def _answer(self, question: str, query: Query) -> Answer:
        """The answer to a question; a forecast is that of the chances at a time."""
        if question == "forecast" and query.given() in ([], ["at"]):
            return chances_at(self._together, query.at)
        return super()._answer(question, query)

    def decompose(self, X: Any = None) -> list[FittedPart]:
        """The additive parts of the model with their posterior at ``X`` (by default the data); class by class."""
        if not self._is_several:
            return super().decompose(X)
        return [part for estimator in self.estimators_ for part in estimator.decompose(X)]

    def transform(self, X: Any) -> Array:
        """The posterior mean of every additive part at ``X``, as columns (n, k); of each class in turn."""
        if not self._is_several:
            return super().transform(X)
        return np.hstack([estimator.transform(X) for estimator in self.estimators_])

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The names of the columns of `transform`: the expressions of the parts, of several after their class."""
        if not self._is_several:
            return super().get_feature_names_out(input_features)
        pairs = zip(self.dataset_.classes, self.estimators_, strict=True)
        names = [f"{label}: {name}" for label, estimator in pairs for name in estimator.get_feature_names_out()]
        return np.array(names, dtype=object)

    def _components(self) -> Any:
        if self._is_several:
            remedy = "ask one of estimators_"
            raise InputError.of("a model of two classes", f"{len(self.models_)} classes", remedy)
        return super()._components()

    def forecast(self, horizon: int | None = None, *, future: Any = None) -> pd.DataFrame:
        """The chances at the next steps of a series: a frame with a row for each step.

        Of two classes: time, probability (of the second), lower and upper (95 %), class. Of more: time, for every class
        probability_NAME, lower_NAME and upper_NAME, and class, the likeliest.

        Raises
        ------
        InputError
            When the model has no time axis, ``horizon`` is not a positive whole number, or a plan of columns is given.
        """
        axis_of_series(self._predictor().model)
        refuse_plan(future)
        if not self._is_several:
            return forecast_frame(self._predictor(), horizon)
        import pandas as pd

        x = self._together.ahead(horizon)
        columns: dict[str, Any] = {"time": time_labels(self.dataset_, x)}
        for name, at in zip(self.dataset_.classes, self._together.told(x[:, None]), strict=True):
            columns |= {f"probability_{name}": at.mean, f"lower_{name}": at.lower, f"upper_{name}": at.upper}
        names = np.array(self.dataset_.classes, dtype=object)
        return pd.DataFrame(columns).assign(**{"class": names[self._together.chances(x[:, None]).argmax(axis=1)]})

    def save(self, path: str | Path) -> None:
        """Save the model as JSON, whole or not at all."""
        options, labels = self._predictor_of(self.models_[0]).options, tuple(self.classes_.tolist())
        others = self.models_[1:]
        of_all = self.dataset_ if self._is_several else None
        saved = storage.Saved(self.models_[0], options, self.unseen, self.criterion, labels, others, of_all)
        storage.save(saved, path)

    @property
    def kernel_(self) -> Kernel | list[Kernel]:  # type: ignore[override]
        """The model with its parameters, in data units; of several classes one for each."""
        return [model.kernel for model in self.models_] if self._is_several else self.models_[0].kernel

    @property
    def search_(self) -> SearchFrames:
        """The way to the model; of several classes those to all models, with a column ``class``."""
        return SearchFrames(self.models_, self.dataset_.classes) if self._is_several else super().search_

    @property
    def complete_(self) -> bool:
        """Whether all searches ended by themselves: neither by an interruption nor by the time budget."""
        check_is_fitted(self)
        return all(model.search.complete for model in self.models_)

    def _model_of(
        self, dataset: Dataset, callback: Callback | None, checkpoint: str | Path | None, budget: float | None
    ) -> Model:
        likelihood = Bernoulli.of(dataset, self.link)
        settings = replace(self._settings(), time_budget=budget)
        return fit_model(dataset, self._grammar(), settings, callback, checkpoint, likelihood)

    def predict_proba(self, X: Any) -> Array:
        """The probability (m, number of classes) of each class, averaged over the function; rows sum to one."""
        check_is_fitted(self)
        if self._is_several:
            return self._together.chances(self._positions(X))
        chance = self._predictor().probability(self._positions(X))
        return np.column_stack([1.0 - chance, chance])

    def latent_mean_and_std(self, X: Any) -> tuple[Array, Array]:
        """Mean and standard deviation of the function: (m,), of more than two classes (m, number of classes).

        The higher it is, the surer is the second of two classes, or that class against the rest.
        """
        check_is_fitted(self)
        positions = self._positions(X)
        functions = [self._predictor_of(model).predictive(positions) for model in self.models_]
        if not self._is_several:
            return functions[0].mean, functions[0].std
        return np.column_stack([f.mean for f in functions]), np.column_stack([f.std for f in functions])

    def probability_interval(self, X: Any, *, level: float = 0.95) -> tuple[Array, Array]:
        """Bounds between which the chance of a class lies with a probability of ``level``, as far as the data say.

        Of the second of two classes: (m,) each. Of more, for each class: (m, number of classes).

        Raises
        ------
        InputError
            When the level is not between 0 and 1.
        """
        check_is_fitted(self)
        ends, positions = ends_of(level), self._positions(X)
        if not self._is_several:
            low, high = self._predictor().probability_quantiles(positions, ends).T
            return low, high
        (low, high), chances = self._together.ranges(positions, ends), self._together.chances(positions)
        return np.minimum(low, chances), np.maximum(high, chances)  # of a skew distribution the mean may lie beyond

    @classmethod
    def from_saved(cls, saved: storage.Saved) -> Self:
        """The estimator whose model was saved, with its settings."""
        likelihood = saved.model.likelihood
        if not isinstance(likelihood, Bernoulli):
            raise InputError.of("a model of classes", "one of numbers", "load it by AutomaticStatistician")
        estimator = cls(**settings_of(saved), link=likelihood.link)
        of_all = saved.model.dataset if saved.of_all is None else saved.of_all
        return estimator._set_models((saved.model, *saved.others), of_all, np.array(saved.labels))

    def _predictor(self) -> Predictor:
        check_is_fitted(self)
        return self._predictor_of(self.models_[0])

    def _predictor_of(self, model: Model) -> Predictor:
        return Predictor(model, Options(bool(self.average), limits=None))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        tags.input_tags.allow_nan = True  # of tables
        return tags


def refuse_plan(future: Any) -> None:
    """Raise an `InputError` where columns are planned: classes over time are modelled over time alone."""
    if future is not None:
        remedy = "leave it out: classes are modelled over time alone"
        raise InputError.of("no plan of columns for classes", "one", remedy)


# --- The chance of a class at a time that is to come, as an answer --------------------------------------------------


def chances_at(together: EachAgainstRest, at: Any) -> Answer:
    """The chances of the rows that a time stands for: of the second of two classes, or of each of more.

    Raises
    ------
    InputError
        When the model is of a table, or the time is none that comes.
    """
    model, dataset = together.predictors[0].model, together.dataset
    if at is None:
        raise InputError.of("a time (at) after the data of a series", "none", "name one, such as 2026-03")
    rows = positions_at(dataset, at, model.last)
    if rows.min() <= model.last:
        raise InputError.of("a time after the data", repr(str(at)), "ask for one to come")
    assert dataset.axis is not None
    units, labels = units_of(dataset.axis, dataset.x, dataset.y, dataset.target), time_labels(dataset, rows)
    names = dataset.classes if len(dataset.classes) > 2 else dataset.classes[1:]
    texts: list[str] = []
    facts: list[dict[str, object]] = []
    numbers: list[AnswerNumber] = []
    for name, chances in zip(names, together.told(rows[:, None]), strict=True):
        scale = replace(units, event=name, other=f"not {name}")
        for place, when in enumerate(labels):
            chance, low, high = (float(each[place]) for each in (chances.mean, chances.lower, chances.upper))
            texts.append(at_time_text(float(rows[place]), (chance, low, high), scale))
            facts.append(
                {
                    "fact": "Forecast", "at": str(when), "class": name, "number": stored(100.0 * chance), "unit": "%",
                    "interval": [stored(100.0 * low), stored(100.0 * high)],
                }
            )  # fmt: skip
            numbers.append(number_of_record(facts[-1], texts[-1]))
    return Answer("forecast", tuple(texts), tuple(facts), tuple(numbers), dataset.target)

"""The scikit-learn face for classes: a classifier that searches for its kernel and explains what it found."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.dataset import Dataset
from autostatistician.errors import InputError
from autostatistician.estimators.checks import ends_of
from autostatistician.estimators.classes import ByProbability
from autostatistician.estimators.searching import settings_of
from autostatistician.estimators.several_classes import Callback, SearchingOfClasses
from autostatistician.inference import Problem
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.model import storage
from autostatistician.model.fitted import Model
from autostatistician.model.fitting import fit_model
from autostatistician.model.predictions import Options, Predictor
from autostatistician.search.tables.screening import entering_columns
from autostatistician.wording.messages import note
from autostatistician.wording.names import quoted

__all__ = ["AutomaticStatisticianClassifier"]

Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class AutomaticStatisticianClassifier(ByProbability, SearchingOfClasses):
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
    search_ : SearchFrames or SearchesOfClasses
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

    def _model_of(
        self, dataset: Dataset, callback: Callback | None, checkpoint: str | Path | None, budget: float | None
    ) -> Model:
        likelihood = Bernoulli.of(dataset, self.link)
        dataset = _with_screening(dataset, likelihood)
        settings = replace(self._settings(), time_budget=budget)
        return fit_model(dataset, self.language, settings, callback, checkpoint, likelihood)

    def predict_proba(self, X: Any) -> Array:
        """The probability (m, number of classes) of each class, averaged over the function; rows sum to one."""
        check_is_fitted(self)
        if self._is_several:
            return self._together.chances(self._positions(X))
        chance = self._predictor().probability(self._positions(X))
        return np.column_stack([1.0 - chance, chance])

    def latent(self, X: Any) -> tuple[Array, Array]:
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
    def of(cls, saved: storage.Saved) -> Self:
        """The estimator whose model was saved, with its settings."""
        likelihood = saved.model.likelihood
        if not isinstance(likelihood, Bernoulli):
            raise InputError.of("a model of classes", "one of numbers", "load it by AutomaticStatistician")
        made = cls(**settings_of(saved), link=likelihood.link, average=saved.options.average)
        of_all = saved.model.dataset if saved.of_all is None else saved.of_all
        return made._set_models((saved.model, *saved.others), of_all, np.array(saved.labels))

    def _predictor(self) -> Predictor:
        check_is_fitted(self)
        return self._predictor_of(self.models_[0])

    def _predictor_of(self, model: Model) -> Predictor:
        return Predictor(model, Options(bool(self.average), limits=None))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags


def _with_screening(dataset: Dataset, likelihood: Bernoulli) -> Dataset:
    """The data set with a note on the columns that the search looks at, where these are not all."""
    problem = Problem(dataset.X, dataset.y, dataset.columns, likelihood=likelihood)
    entering = entering_columns(problem, frozenset(dataset.levels))
    if len(entering) == len(dataset.columns):
        return dataset
    names = ", ".join(quoted(name) for name in entering)
    said = note(
        "Of {all} columns those {n} were searched that tell most of the classes: {names}.",
        all=len(dataset.columns), n=len(entering), names=names,
    )  # fmt: skip
    return replace(dataset, warnings=(*dataset.warnings, said))

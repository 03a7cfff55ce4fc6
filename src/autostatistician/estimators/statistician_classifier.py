"""The scikit-learn face for classes: a classifier that searches for its kernel and explains what it found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.dataset import Dataset
from autostatistician.data.inputs import read_classes
from autostatistician.errors import InputError
from autostatistician.estimators.checks import ends_of
from autostatistician.estimators.classes import ByProbability
from autostatistician.estimators.searching import Searching, settings_of
from autostatistician.inference import Problem
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.model import storage
from autostatistician.model.fitted import Model
from autostatistician.model.fitting import fit_model
from autostatistician.model.predictions import Options, Predictor
from autostatistician.search.state import Watched
from autostatistician.search.tables.screening import entering_columns
from autostatistician.wording.names import quoted

__all__ = ["AutomaticStatisticianClassifier"]

Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class AutomaticStatisticianClassifier(ByProbability, Searching):
    """A classifier of two classes that searches a language of kernels for the function behind them.

    The chance of the second class in ``classes_`` is a map (the link) of a Gaussian process. Its kernel is found by
    approximate evidence (Laplace's method) with weak priors of all hyperparameters; predictions are by expectation
    propagation, of more than about a thousand rows by Laplace's method, too. For more than two classes there is
    `GPClassifier`.

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
    classes_ : array (2,)
        The labels in order.
    kernel_ : Kernel
        Of the function, with its parameters in data units; ``str(kernel_)`` is the expression.
    search_ : SearchFrames
        Frontier and trace of the search as frames.
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

    def _searched(
        self, X: Any, y: Any, callback: Callable[[Watched], None] | None, checkpoint: str | Path | None
    ) -> Model:
        likelihood = Bernoulli(self.link)
        dataset, labels = read_classes(self, X, y)
        dataset = _with_screening(dataset, likelihood)
        model = fit_model(dataset, self.language, self._settings(), callback, checkpoint, likelihood)
        self.classes_ = labels
        return model

    def predict_proba(self, X: Any) -> Array:
        """The probability (m, 2) of each class, averaged over the function."""
        chance = self._predictor().probability(self._positions(X))
        return np.column_stack([1.0 - chance, chance])

    def latent(self, X: Any) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) of the function: the higher, the surer is the second class."""
        function = self._predictor().predictive(self._positions(X))
        return function.mean, function.std

    def probability_interval(self, X: Any, *, level: float = 0.95) -> tuple[Array, Array]:
        """Bounds (m,) between which the chance of the second class lies with a probability, as far as the data say.

        Raises
        ------
        InputError
            When the level is not between 0 and 1.
        """
        low, high = self._predictor().probability_quantiles(self._positions(X), ends_of(level)).T
        return low, high

    @classmethod
    def of(cls, saved: storage.Saved) -> Self:
        """The estimator whose model was saved, with its settings."""
        likelihood = saved.model.likelihood
        if not isinstance(likelihood, Bernoulli):
            raise InputError.of("a model of classes", "one of numbers", "load it by AutomaticStatistician")
        made = cls(**settings_of(saved), link=likelihood.link, average=saved.options.average)._set_model(saved.model)
        made.classes_ = np.array(saved.labels)
        return made

    def _predictor(self) -> Predictor:
        check_is_fitted(self)
        return Predictor(self.model_, Options(bool(self.average), limits=None))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _with_screening(dataset: Dataset, likelihood: Bernoulli) -> Dataset:
    """The data set with a note on the columns that the search looks at, where these are not all."""
    problem = Problem(dataset.X, dataset.y, dataset.columns, likelihood=likelihood)
    entering = entering_columns(problem, frozenset(dataset.levels))
    if len(entering) == len(dataset.columns):
        return dataset
    names = ", ".join(quoted(name) for name in entering)
    note = (
        f"Of {len(dataset.columns)} columns those {len(entering)} were searched that tell most of the classes: {names}."
    )
    return replace(dataset, warnings=(*dataset.warnings, note))

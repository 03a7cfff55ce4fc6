"""The scikit-learn face for classes: a classifier that searches for its kernel and explains what it found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.categories import UNSEEN
from autostatistician.data.inputs import read_classes
from autostatistician.errors import InputError
from autostatistician.estimators.classes import ByProbability, ends_of
from autostatistician.estimators.parts import forecast_frame
from autostatistician.estimators.searching import Searching, asked_settings
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.model import storage
from autostatistician.model.fitted import fit_model
from autostatistician.model.predictions import Options, Predictor
from autostatistician.search.state import Watched

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AutomaticStatisticianClassifier"]

Array = NDArray[np.float64]


class AutomaticStatisticianClassifier(ByProbability, Searching):
    """A classifier of two classes that searches a language of kernels for the function behind them.

    The chance of the second class in ``classes_`` is a map (the link) of a Gaussian process. Its kernel is found by
    approximate evidence (Laplace's method) with weak priors of all numbers; predictions are by expectation propagation,
    of more than about a thousand rows by Laplace's method, too. For more than two classes there is `GPClassifier`.

    Parameters
    ----------
    language : str, default="extended"
        The grammar that is searched, as for `AutomaticStatistician`.
    max_depth : int, default=10
        Levels of the search at most; it ends earlier when a level brings no improvement.
    restarts : int, default=10
        Starting points looked at for every candidate.
    criterion : str, default="auto"
        What the search goes by: "auto" is "evidence", the probability of data and model.
    time_budget : float, optional
        Seconds of the search after which the best model so far is taken.
    n_jobs : int, optional
        Worker processes; one per core by default, and at most. The result does not depend on it.
    random_state : int, default=0
        Seed of all random draws.
    link : str, default="probit"
        How the function becomes a chance: "probit" or "logistic".
    average : bool, default=True
        Whether predictions average over the models that the search visited, by their posterior weights, and over
        what the data leave open about their numbers.
    unseen : str, default="error"
        What to do at prediction with a category that the data did not have: refuse ("error"), or predict it as one of
        which nothing is known ("new").

    Attributes
    ----------
    classes_ : array (2,)
        The labels in order.
    kernel_ : Kernel
        Of the function, with its numbers in data units; ``str(kernel_)`` is the expression.
    search_ : Search
        Frontier and trace of the search as frames.
    dataset_ : Dataset
        The data as they were used, with all that was changed in ``dataset_.warnings``.

    Examples
    --------
    >>> x = np.linspace(0.0, 10.0, 40)[:, None]
    >>> y = np.where(x[:, 0] + 2.0 * np.sin(25.0 * x[:, 0]) > 5.0, "late", "early")
    >>> model = AutomaticStatisticianClassifier(language="linear", max_depth=2, restarts=2, n_jobs=1).fit(x, y)
    >>> model.predict([[1.0], [9.0]]).tolist(), bool(model.predict_proba([[9.0]])[0, 1] > 0.8)
    (['early', 'late'], True)
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
        link: str = "probit",
        average: bool = True,
        unseen: str = "error",
    ) -> None:
        self.language = language
        self.max_depth = max_depth
        self.restarts = restarts
        self.criterion = criterion
        self.time_budget = time_budget
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.link = link
        self.average = average
        self.unseen = unseen

    def fit(
        self,
        X: Any,
        y: Any = None,
        callback: Callable[[Watched], None] | None = None,
        checkpoint: str | Path | None = None,
    ) -> Self:
        """Search for the model of the classes ``y`` over ``X``.

        Parameters
        ----------
        X : array of shape (n, d), frame or series with dates, path, or Dataset of classes
            With dates or categories in it (or ``y`` missing) it is read like a file: columns are guessed and said.
        y : array of shape (n,), name of a column, or None
            The labels, of two classes: text, numbers or truth values.
        callback, checkpoint : optional
            As for `AutomaticStatistician.fit`.

        Raises
        ------
        InputError
            When the data, the settings or the checkpoint cannot be used, or there are not two classes.
        """
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        if self.unseen not in UNSEEN:
            raise InputError.of("unseen='error' or unseen='new'", repr(self.unseen), "choose one of them")
        likelihood = Bernoulli(self.link)
        dataset, labels = read_classes(self, X, y)
        self._set_model(fit_model(dataset, self.language, self._settings(), callback, checkpoint, likelihood))
        self.classes_ = labels
        return self

    def predict_proba(self, X: Any) -> Array:
        """The probability (m, 2) of each class, averaged over the function."""
        chance = self._predictor().probability(self._positions(X))
        return np.column_stack([1.0 - chance, chance])

    def latent(self, X: Any) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) of the function: the higher, the surer is the second class."""
        known = self._predictor().predictive(self._positions(X))
        return known.mean, known.std

    def probability_interval(self, X: Any, level: float = 0.95) -> tuple[Array, Array]:
        """Bounds (m,) between which the chance of the second class lies with a probability, as far as the data say.

        Raises
        ------
        InputError
            When the level is not between 0 and 1.
        """
        low, high = self._predictor().probability_quantiles(self._positions(X), ends_of(level)).T
        return low, high

    def forecast(self, steps: int | None = None) -> pd.DataFrame:
        """Chances beyond the data of a series: a frame with time, probability, lower, upper (95 %) and class.

        Raises
        ------
        InputError
            When the model has no time axis, or ``steps`` is not a positive whole number.
        """
        return forecast_frame(self._predictor(), steps)

    def save(self, path: str | Path) -> None:
        """Save the model as JSON, whole or not at all."""
        predictor = self._predictor()
        labels = tuple(self.classes_.tolist())
        storage.save(storage.Saved(predictor.model, predictor.options, self.unseen, self.criterion, labels), path)

    @classmethod
    def load(cls, path: str | Path) -> AutomaticStatisticianClassifier:
        """Load a model that `save` wrote. Nothing in the file is executed.

        Raises
        ------
        InputError
            When the file cannot be read or does not hold a whole model of classes.
        """
        return cls.of(storage.load(path))

    @classmethod
    def of(cls, saved: storage.Saved) -> AutomaticStatisticianClassifier:
        """The estimator whose model was saved, with its settings."""
        likelihood = saved.model.likelihood
        if not isinstance(likelihood, Bernoulli):
            raise InputError.of("a model of classes", "one of numbers", "load it by AutomaticStatistician")
        found = cls(**asked_settings(saved), link=likelihood.link, average=saved.options.average)
        found._set_model(saved.model).classes_ = np.array(saved.labels)
        return found

    def _predictor(self) -> Predictor:
        check_is_fitted(self)
        return Predictor(self.model_, Options(bool(self.average), limits=None))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

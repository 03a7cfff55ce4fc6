"""What all classifiers share: labels, one class against the rest, probabilities and the function behind them."""

from __future__ import annotations

from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from autostatistician.data.inputs import Inputs, new_inputs, read_inputs, spreads
from autostatistician.data.missing import unmasked
from autostatistician.errors import InputError
from autostatistician.estimators.whole_numbers import check_count
from autostatistician.inference.classes import APPROXIMATIONS, SeparableWarning, warn_of_separable
from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.inference.engines.exact import check_rows
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.seeds import generator
from autostatistician.threads import one_thread

__all__ = ["ByProbability", "LatentClassifier", "LatentFunction", "SeparableWarning", "ends_of", "read_labels"]

Array = NDArray[np.float64]


class LatentFunction(Protocol):
    """A function given the classes of rows, in standard units of the inputs."""

    @property
    def log_evidence(self) -> float:
        """The logarithm of the approximate marginal likelihood."""

    @property
    def is_flat(self) -> bool:
        """Whether the data do not limit its size."""

    def moments(self, rows: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) at rows."""


class ByProbability(ClassifierMixin):  # type: ignore[misc]
    """A classifier whose predictions follow from its probabilities."""

    classes_: NDArray[Any]

    def predict_proba(self, X: Any) -> Array:
        """The probability (m, number of classes) of each class; subclasses say it."""
        raise NotImplementedError

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithms of these."""
        return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> Any:
        """The most probable class (m,) of each row."""
        best = np.argmax(self.predict_proba(X), axis=1)
        return self.classes_[best]


class LatentClassifier(ByProbability, BaseEstimator):  # type: ignore[misc]
    """Two classes by one latent function; more by one function for each class against the rest.

    Subclasses have the settings ``inference``, ``link``, ``unseen``, ``restarts`` and ``random_state``.
    """

    inference: str
    link: str
    unseen: str
    restarts: int
    random_state: Any
    inputs_: Inputs
    functions_: list[Any]

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the numbers of the kernel by the approximate evidence and weak priors.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            Columns of text, truth values and categories are categories; no cell may be missing.
        y : array of shape (n,)
            Labels: text, numbers or truth values, of two classes at least.

        Raises
        ------
        InputError
            When a setting is out of its range, there are more rows than one matrix can hold, or there is one class.
        """
        rows, self.inputs_ = read_inputs(self, X)
        check_rows(len(rows))
        self.classes_, codes = read_labels(y, rows)
        check_count("restarts", self.restarts, 0)
        if self.inference not in APPROXIMATIONS:
            known = " or ".join(map(repr, APPROXIMATIONS))
            raise InputError.of(f"inference={known}", repr(self.inference), "choose one of them")
        measured = np.array([name in self.inputs_.measured for name in self.inputs_.columns])
        self.centre_, self.scale_ = np.where(measured, rows.mean(axis=0), 0.0), np.where(measured, spreads(rows), 1.0)
        self._fit_functions(self._standard(rows), codes, Bernoulli(self.link))
        self.log_evidence_ = float(sum(one.log_evidence for one in self.functions_))
        if any(one.is_flat for one in self.functions_):
            warn_of_separable()
        return self

    def _fit_functions(self, rows: Array, codes: NDArray[np.intp], likelihood: Bernoulli) -> None:
        """Fit the latent functions, one for two classes, else one for each."""
        chosen = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        rng = generator(self.random_state)
        try:
            with one_thread():
                targets = [np.where(codes == one, 1.0, -1.0) for one in chosen]
                self.functions_ = [self._function(rows, y, likelihood, rng) for y in targets]
        except NotPositiveDefinite as error:
            raise InputError.of("data that a model can be fitted to", str(error), "scale or clean them") from error

    def _function(self, rows: Array, y: Array, likelihood: Bernoulli, rng: np.random.Generator) -> LatentFunction:
        """The function for classes -1 and +1 (n,), its numbers fitted."""
        raise NotImplementedError

    def latent(self, X: Any) -> tuple[Array, Array]:
        """Mean and standard deviation of the latent function: (m,), of more than two classes (m, number of classes).

        Of two classes it is that of the second: the higher, the surer. Its scale is that of the link.
        """
        found = self._moments(X)
        if len(found) == 1:
            return found[0]
        means, sds = zip(*found, strict=True)
        return np.column_stack(means), np.column_stack(sds)

    def predict_proba(self, X: Any) -> Array:
        """The probability (m, number of classes) of each class, averaged over the function; rows sum to one."""
        likelihood = Bernoulli(self.link)
        found = [likelihood.averaged(mean, sd**2) for mean, sd in self._moments(X)]
        if len(found) == 1:
            return np.column_stack([1.0 - found[0], found[0]])
        every = np.column_stack(found)
        return np.asarray(every / every.sum(axis=1, keepdims=True))

    def probability_interval(self, X: Any, level: float = 0.95) -> tuple[Array, Array]:
        """Bounds between which the chance of a class lies with a probability of ``level``, as far as the data say.

        Of the second of two classes: (m,) each. Of more, for each class against the rest: (m, number of classes).

        Raises
        ------
        InputError
            When the level is not between 0 and 1.
        """
        from scipy.special import ndtri

        upper = ends_of(level)[1]
        (mean, sd), reach, link = self.latent(X), float(ndtri(upper)), Bernoulli(self.link).math
        return link.probability(mean - reach * sd), link.probability(mean + reach * sd)

    def _moments(self, X: Any) -> list[tuple[Array, Array]]:
        check_is_fitted(self)
        rows = self._standard(new_inputs(self, X, self.inputs_, self.unseen))
        with one_thread():
            return [one.moments(rows) for one in self.functions_]

    def _standard(self, rows: Array) -> Array:
        return np.asarray((rows - self.centre_) / self.scale_)


def ends_of(level: float) -> tuple[float, float]:
    """The levels of the ends of an interval that holds a share ``level`` in its middle.

    Raises
    ------
    InputError
        When it is not between 0 and 1.

    Examples
    --------
    >>> ends_of(0.5)
    (0.25, 0.75)
    """
    if not 0.0 < level < 1.0:
        raise InputError.of("a level between 0 and 1", repr(level), "such as 0.95")
    return 0.5 - 0.5 * level, 0.5 + 0.5 * level


def read_labels(y: Any, rows: Array) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The classes in order, and the place (n,) of each row's among them; scikit-learn's checks are done.

    Raises
    ------
    InputError
        When a label is missing, or there is one class only.

    Examples
    --------
    >>> classes, codes = read_labels(["yes", "no", "yes"], np.zeros((3, 1)))
    >>> classes.tolist(), codes.tolist()
    (['no', 'yes'], [1, 0, 1])
    """
    import pandas as pd

    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    labels = np.asarray(column_or_1d(unmasked(y), warn=True))
    missing = np.asarray(pd.isna(labels))
    if missing.any():
        row = int(np.flatnonzero(missing)[0]) + 1
        raise InputError.of("a class for every row", f"none in row {row}", "leave such rows out")
    assert_all_finite(labels, input_name="y")
    check_consistent_length(rows, labels)
    check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        found = f"one class only, {str(classes[0])!r}"
        raise InputError.of("two classes at least", found, "there is nothing to tell apart")
    return classes, codes

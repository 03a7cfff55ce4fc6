"""What all classifiers share: labels, one class against the rest, probabilities and the function behind them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length

from autostatistician._io.seeds import generator
from autostatistician._io.threads import one_thread
from autostatistician.data.missing import unmasked
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.options import check_count, ends_of
from autostatistician.estimators.plain_tables import TableEstimator, fitting
from autostatistician.estimators.typed import ClassifierMixin
from autostatistician.fitted.temperature_scaling import tempered
from autostatistician.gp.classes import APPROXIMATIONS, SeparableWarning, warn_of_separable
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.predictive import Predictive

__all__ = ["AveragedFunction", "ByProbability", "LatentClassifier", "LatentFunction", "SeparableWarning", "read_labels"]

Array = NDArray[np.float64]

TINY = 1e-12  # standard deviation


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


@dataclass(frozen=True, eq=False)
class AveragedFunction:
    """Several functions given the same classes, each with a share of the belief; the likeliest comes first."""

    functions: tuple[LatentFunction, ...]
    weights: Array  # (k,), which sum to one
    log_evidence: float
    sharpness: float = 1.0  # of chances: the power of their odds, by rows that are left out

    @property
    def is_flat(self) -> bool:
        """Whether the data do not limit the size of the likeliest."""
        return self.functions[0].is_flat

    def moments(self, rows: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) over all functions."""
        means, sds = map(np.array, zip(*(function.moments(rows) for function in self.functions), strict=True))
        mean = self.weights @ means
        return mean, np.sqrt(self.weights @ (sds**2 + (means - mean) ** 2))


def _weighted(function: LatentFunction) -> list[tuple[float, LatentFunction]]:
    """A function as those that it is made of, with their weights."""
    if not isinstance(function, AveragedFunction):
        return [(1.0, function)]
    return list(zip(function.weights.tolist(), function.functions, strict=True))


class ByProbability(ClassifierMixin):
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


@dataclass(eq=False, repr=False)
class LatentClassifier(ByProbability, TableEstimator):
    """Two classes by one latent function; more by one function for each class against the rest."""

    _: KW_ONLY
    inference: str = "ep"
    link: str = "probit"
    unseen: str = "error"
    n_restarts: int = 1
    random_state: Any = 0

    _inferences = tuple(APPROXIMATIONS)
    _is_standardised = True

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the hyperparameters by the approximate marginal likelihood and weak priors; chains begin there.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            Columns of text, truth values and categories are categories; no cell may be missing.
        y : array of shape (n,)
            Labels: text, numbers or truth values, of two classes at least.

        Raises
        ------
        InputError
            When a setting is out of its range, there are more rows than the inference can bear, or there is one class.
        """
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any) -> Self:
        rows = self._read(X)
        self.classes_, codes = read_labels(y, rows)
        check_count("n_restarts", self.n_restarts, 0)
        check_choice("inference", self.inference, self._inferences)
        self._fit_functions(rows, codes, Bernoulli(self.link))
        self.log_evidence_ = float(sum(function.log_evidence for function in self.functions_))
        if any(function.is_flat for function in self.functions_):
            warn_of_separable(depth=3)  # of the caller of `fit`
        return self

    def _fit_functions(self, rows: Array, codes: NDArray[np.intp], likelihood: Bernoulli) -> None:
        """Fit the latent functions, one for two classes, else one for each."""
        chosen = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        rng = generator(self.random_state)
        with fitting():
            targets = [np.where(codes == code, 1.0, -1.0) for code in chosen]
            self.functions_: list[Any] = [self._function(rows, y, likelihood, rng) for y in targets]

    def _function(self, rows: Array, y: Array, likelihood: Bernoulli, rng: np.random.Generator) -> LatentFunction:
        """The function for classes -1 and +1 (n,), its hyperparameters fitted."""
        raise NotImplementedError

    def latent_mean_and_std(self, X: Any) -> tuple[Array, Array]:
        """Mean and standard deviation of the latent function: (m,), of more than two classes (m, number of classes).

        Of two classes it is that of the second: the higher, the surer. Its scale is that of the link.
        """
        moments = self._moments(X)
        if len(moments) == 1:
            return moments[0]
        means, sds = zip(*moments, strict=True)
        return np.column_stack(means), np.column_stack(sds)

    def predict_proba(self, X: Any) -> Array:
        """The probability (m, number of classes) of each class, averaged over the function; rows sum to one."""
        rows, likelihood = self._new(X), Bernoulli(self.link)
        with one_thread():
            chances = [_chance(function, _latent(function, rows), likelihood) for function in self.functions_]
        if len(chances) == 1:
            return np.column_stack([1.0 - chances[0], chances[0]])
        every = np.column_stack(chances)
        return np.asarray(every / every.sum(axis=1, keepdims=True))

    def probability_interval(self, X: Any, *, level: float = 0.95) -> tuple[Array, Array]:
        """Bounds between which the chance of a class lies with a probability of ``level``, as far as the data say.

        Of the second of two classes: (m,) each. Of more, for each class against the rest: (m, number of classes).

        Raises
        ------
        InputError
            When the level is not between 0 and 1.
        """
        ends, rows, likelihood = ends_of(level), self._new(X), Bernoulli(self.link)
        with one_thread():
            every = [_latent(function, rows) for function in self.functions_]
        each = [latent.quantiles(ends).T for latent in every]
        pairs = zip(self.functions_, every, strict=True)
        chance = np.column_stack([_chance(function, latent, likelihood) for function, latent in pairs])
        sharpness = np.array([_sharpness(function) for function in self.functions_])
        low, high = tempered(likelihood.math.probability(np.moveaxis(np.array(each), 0, -1)), sharpness)
        low, high = np.minimum(low, chance), np.maximum(high, chance)  # of a skew distribution it may lie beyond
        return (low[:, 0], high[:, 0]) if len(each) == 1 else (low, high)

    def _moments(self, X: Any) -> list[tuple[Array, Array]]:
        rows = self._new(X)
        with one_thread():
            return [function.moments(rows) for function in self.functions_]


def _latent(function: LatentFunction, rows: Array) -> Predictive:
    """The function at rows, a mixture of normal distributions where it is an average."""
    weights, moments = zip(*((weight, each.moments(rows)) for weight, each in _weighted(function)), strict=True)
    means, sds = map(np.array, zip(*moments, strict=True))
    return Predictive(means, np.maximum(sds, TINY), np.array(weights), Transform())


def _chance(function: LatentFunction, latent: Predictive, likelihood: Bernoulli) -> Array:
    """The chance (m,) of the class +1, averaged over the function."""
    every = zip(latent.weights, latent.means, latent.sds, strict=True)
    chance = np.asarray(sum(weight * likelihood.averaged(mean, sd**2) for weight, mean, sd in every))
    return tempered(chance, _sharpness(function))


def _sharpness(function: LatentFunction) -> float:
    return function.sharpness if isinstance(function, AveragedFunction) else 1.0


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
        label = f"one class only, {str(classes[0])!r}"
        raise InputError.of("two classes at least", label, "there is nothing to tell apart")
    return classes, codes

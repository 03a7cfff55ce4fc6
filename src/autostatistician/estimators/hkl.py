"""Hierarchical kernel learning for numbers and for two classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError
from scipy.special import expit
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.seeds import generator
from autostatistician._io.threads import one_thread
from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.classes import read_labels
from autostatistician.estimators.options import check_count, check_positive
from autostatistician.estimators.plain_tables import TableEstimator, TableRegressor, fitting
from autostatistician.estimators.typed import ClassifierMixin
from autostatistician.models.hkl.path import (
    LogisticLoss,
    PathSettings,
    Solution,
    SquaredLoss,
    folds_of,
    held_out_losses,
    path,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["HKLClassifier", "HKLRegressor"]

Array = NDArray[np.float64]

LAMBDAS = tuple(float(10.0**power) for power in np.arange(2.0, -8.25, -0.5))
MOST_BYTES = 4e9  # of the kernels of the columns
TUNINGS = ("cv", "training")
POSITIVE = ("gamma", "root_weight", "growth", "gap")  # settings above zero


@dataclass(eq=False, repr=False)
class _HKL(TableEstimator):
    """What both have in common: settings, the path of the penalty, and what is told of it."""

    tuning: str = "cv"
    _: KW_ONLY
    lambdas: Sequence[float] = LAMBDAS
    cv: int = 5
    gamma: float = 0.0625
    root_weight: float = 0.1
    growth: float = 8.0
    rank: int = 30
    max_subsets: int = 300
    gap: float = 1e-3
    random_state: Any = 0

    _most_rows = None
    _is_standardised = True
    _takes_categories = False

    @property
    def subsets_(self) -> pd.DataFrame:
        """The chosen subsets of the columns, the largest functions first: their columns, kernel weights, and norms.

        A subset is only chosen with all subsets of its columns. The empty one, a constant, is left out.
        """
        import pandas as pd

        check_is_fitted(self)
        solution, names = self.solution_, self.inputs_.columns
        shown = {
            "subset": [tuple(names[column] for column in subset) for subset in solution.subsets],
            "weight": solution.scales,
            "norm": solution.norms,
        }
        chosen = solution.active & np.array([bool(subset) for subset in solution.subsets])
        frame: pd.DataFrame = pd.DataFrame(shown)[chosen]
        return frame.sort_values("norm", ascending=False, kind="stable", ignore_index=True)

    def _settings(self) -> tuple[PathSettings, tuple[float, ...]]:
        """The settings, checked, and the penalties from the largest."""
        check_choice("tuning", self.tuning, TUNINGS)
        lambdas = tuple(sorted(map(float, self.lambdas), reverse=True))
        check_positive("lambdas", min(lambdas, default=0.0))
        for name in POSITIVE:
            check_positive(name, getattr(self, name))
        settings = PathSettings(
            sharpness=self.gamma,
            rank=check_count("rank", self.rank, 1),
            root_weight=self.root_weight,
            growth=self.growth,
            most=check_count("max_subsets", self.max_subsets, 1),
            gap=self.gap,
        )
        return settings, lambdas

    def _tune(self, rows: Array, loss: SquaredLoss | LogisticLoss, groups: Array) -> None:
        """Follow the path and keep the solution of the best penalty; ``groups`` (n,) are spread over the folds."""
        settings, lambdas = self._settings()
        if 4.0 * len(rows) ** 2 * rows.shape[1] > MOST_BYTES:
            raise InputError.of("kernels that fit", f"{len(rows)} rows", "give a random sample of the rows")
        with fitting(LinAlgError, "leave out small lambdas"):
            held_out = np.full(len(lambdas), np.nan)
            if self.tuning == "cv" and len(lambdas) > 1:
                count = min(check_count("cv", self.cv, 2), len(rows))
                folds = folds_of(groups, count, generator(self.random_state))
                held_out = held_out_losses(rows, loss, folds, lambdas, settings)
                lambdas = lambdas[: int(np.argmin(held_out)) + 1]
            solutions = list(path(rows, loss, lambdas, settings))
        best = len(lambdas) - 1 if self.tuning == "cv" else int(np.argmin([solution.loss for solution in solutions]))
        self.solution_: Solution = solutions[best]
        self.lambda_, self.gap_, self.proven_ = lambdas[best], self.solution_.gap, self.solution_.proven
        self._solutions, self._held_out = solutions, held_out

    @property
    def path_(self) -> pd.DataFrame:
        """The path: for each lambda the number of chosen subsets, the objective, the proven gap, whether it is as small
        as was asked for, and the mean loss on the rows of the data and on those held out.
        """
        import pandas as pd

        check_is_fitted(self)
        solutions = self._solutions
        return pd.DataFrame(
            {
                "lambda": [solution.penalty for solution in solutions],
                "subsets": [int(solution.active.sum()) - 1 for solution in solutions],
                "objective": [solution.primal for solution in solutions],
                "gap": [solution.gap for solution in solutions],
                "proven": [solution.proven for solution in solutions],
                "training_loss": [solution.loss for solution in solutions],
                "held_out_loss": self._held_out[: len(solutions)],
            }
        )

    def _values(self, X: Any) -> Array:
        rows = self._new(X)
        with one_thread():
            return self.solution_.values(rows)


class HKLRegressor(TableRegressor, _HKL):
    """A sparse sum over all subsets of the columns, by hierarchical kernel learning (Bach 2009).

    Every subset has the product of its columns' Gaussian kernels, so there are as many functions as subsets. The
    penalty takes a subset only with all of its own subsets, and an active set finds the best of all sums without
    looking at most of them: the duality gap, over all subsets, is proven.

    Parameters
    ----------
    tuning : str
        Which lambda is taken: "cv", of the least loss in a cross-validation; "training", of the least loss on the rows
        of the fit, as in published comparisons (Duvenaud, Nickisch and Rasmussen 2011).
    lambdas : sequence of float
        Penalties, in units of the standardised target.
    cv : int
        Folds of the cross-validation.
    gamma : float
        Of the kernels ``exp(-gamma (x - x')^2)`` of standardised columns.
    root_weight, growth : float
        Weights of the norms: of the constant, and ``growth ** k`` for a subset of k columns with all that contain it.
    rank : int
        Features of a column at most, by an incomplete Cholesky decomposition.
    max_subsets : int
        Subsets at a time at most; where they do not do, ``proven_`` is False.
    gap : float
        The duality gap to be proven, in units of half the variance of the target.
    random_state : int, RandomState or None
        Of the folds.

    Attributes
    ----------
    lambda_ : float
        The chosen penalty.
    gap_ : float
        The duality gap that was proven for it, over all subsets of the columns.
    proven_ : bool
        Whether it is as small as was asked for.
    subsets_ : frame
        The chosen subsets.
    path_ : frame
        What was found for each penalty.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(-1.0, 1.0, (60, 4))
    >>> model = HKLRegressor(growth=2.0).fit(X, X[:, 0] + np.sin(2.0 * X[:, 1]) + X[:, 0] * X[:, 1])
    >>> sorted(model.subsets_["subset"].head(3)), model.proven_
    ([('x1',), ('x1', 'x2'), ('x2',)], True)
    """

    def _fit(self, rows: Array, y: Array) -> None:
        self.y_mean_, spread = float(y.mean()), float(y.std())
        self.y_scale_ = spread if spread > 1e-12 * np.abs(y).max() else 1.0
        self._tune(rows, SquaredLoss((y - self.y_mean_) / self.y_scale_), np.zeros(len(rows)))

    def predict(self, X: Any) -> Array:
        """The values (m,) of the sum at rows (m, p)."""
        values = self._values(X)
        return np.asarray(self.y_mean_ + self.y_scale_ * values)


class HKLClassifier(ClassifierMixin, _HKL):
    """Two classes, whose log odds are a sparse sum over all subsets of the columns (Bach 2009).

    Parameters and attributes are those of `HKLRegressor`, with the logistic loss, the negative log probability; and
    ``classes_``, the classes in order.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(-1.0, 1.0, (80, 3))
    >>> model = HKLClassifier(growth=2.0).fit(X, np.where(X[:, 0] * X[:, 1] > 0.0, "same", "other"))
    >>> model.predict([[0.8, 0.8, 0.0], [0.8, -0.8, 0.0]]).tolist()
    ['same', 'other']
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Find the best log odds for each penalty, and choose one.

        Parameters
        ----------
        X : array or frame of shape (n, p)
            Numbers.
        y : array of shape (n,)
            Labels of two classes: numbers, text or truth values.

        Raises
        ------
        InputError
            When there are not two classes, or what `HKLRegressor` raises it for.
        """
        rows = self._read(X)
        self.classes_, codes = read_labels(y, rows)
        if len(self.classes_) > 2:
            # the words that scikit-learn asks for
            raise InputError("Only binary classification is supported. The type of the target is multiclass.")
        second = codes.astype(np.float64)
        self._tune(rows, LogisticLoss(second), second)
        return self

    def decision_function(self, X: Any) -> Array:
        """The log odds (m,) of the second class."""
        return self._values(X)

    def predict_proba(self, X: Any) -> Array:
        """The probabilities (m, 2) of the classes."""
        second = expit(self._values(X))
        return np.column_stack([1.0 - second, second])

    def predict(self, X: Any) -> Any:
        """The more probable class (m,)."""
        second = self._values(X) > 0.0
        return self.classes_[second.astype(int)]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

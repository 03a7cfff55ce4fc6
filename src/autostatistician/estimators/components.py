"""The additive parts of a fitted model as numbers: columns of a transform, and how the parts vary together."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.dataset import Dataset, time_labels
from autostatistician.decompose.between import (
    along,
    component_correlation,
    component_covariance,
    correlations,
    signal_parts,
)
from autostatistician.errors import InputError
from autostatistician.inference.posterior import Conditioned
from autostatistician.language.kernel import Kernel
from autostatistician.model.fitted import Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MatplotlibFigure

__all__ = ["Componentwise"]

Array = NDArray[np.float64]


class Componentwise(TransformerMixin):  # type: ignore[misc]
    """The part of an estimator that gives the additive parts of its best model as numbers.

    Parts are those of the signal (noise is none), in the order of `get_feature_names_out`. Where the logarithm is
    modelled they are parts of the logarithm.
    """

    model_: Model
    _posterior: Conditioned
    dataset_: Dataset

    if TYPE_CHECKING:

        def _positions(self, X: Any) -> Array: ...

    def transform(self, X: Any) -> Array:
        """The posterior mean of every additive part at ``X``, as columns (n, k).

        With the constant ``dataset_.offset`` they add up to the prediction of the best model. It lets a model feed
        its trend, cycles and effects to another estimator of a pipeline; ``set_output`` chooses frames.
        """
        check_is_fitted(self)
        positions = self._positions(X)
        means = [self._posterior.component_sd(part, positions)[0] for part in self._parts()]
        return np.array(means).reshape(len(means), len(positions)).T

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The names of the columns of `transform`: the expressions of the parts, numbered where one comes again."""
        check_is_fitted(self)
        seen: Counter[str] = Counter()
        names = []
        for part in self._parts():
            name = str(part)
            seen[name] += 1
            names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
        return np.array(names, dtype=object)

    def component_covariance(self, X: Any = None) -> Array:
        """Posterior covariances between the parts at ``X`` (the data by default): shape (k, k, n, n).

        Entry (i, j, a, b) is that of part i at row a with part j at row b. Where two parts could take each other's
        place, it is below zero (Duvenaud 2014, section 2.4.5).
        """
        check_is_fitted(self)
        return component_covariance(self.model_.kernel, self.model_.modelled, self._asked(X))

    def component_correlation(self, X: Any = None) -> Array:
        """The same as correlations, from -1 to 1; zero where a part has no posterior variance."""
        check_is_fitted(self)
        return component_correlation(self.model_.kernel, self.model_.modelled, self._asked(X))

    def plot_component_correlation(self, points: int = 400) -> MatplotlibFigure:
        """The correlations between all parts, each along its own column, as a matplotlib figure (not known to pyplot).

        Parts of several columns and parts without variance are left out (Duvenaud 2014, figure 2.8).

        Raises
        ------
        InputError
            When no part can be shown along a single column.
        """
        from autostatistician.report.correlations import figure_correlations

        check_is_fitted(self)
        shown = along(self._posterior, self._parts(), points, self.dataset_.levels)
        if not shown:
            raise InputError.of("parts along a single column", "none", "look at component_correlation")
        parts, columns, inputs = zip(*shown, strict=True)
        names = dict(zip(self._parts(), self.get_feature_names_out(), strict=True))
        axes = [self._axis(column, X[:, column]) for column, X in zip(columns, inputs, strict=True)]
        return figure_correlations([names[part] for part in parts], axes, correlations(self._posterior, parts, inputs))

    def _parts(self) -> tuple[Kernel, ...]:
        return signal_parts(self.model_.kernel)

    def _asked(self, X: Any) -> Array | None:
        return None if X is None else self._positions(X)

    def _axis(self, column: int, x: Array) -> tuple[str, NDArray[Any]]:
        """The name of a column, and places along it in the terms of the user: numbers, times or categories."""
        name = self.dataset_.columns[column]
        if name in self.dataset_.levels:
            return name, np.array(self.dataset_.levels[name])[x.astype(np.intp)]
        return name, time_labels(self.dataset_, x)

"""The additive parts of a fitted model as numbers: their means, and how they vary together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import time_labels
from autostatistician.decompose.component_correlation import (
    component_correlation,
    component_covariance,
    correlations,
    parts_along_columns,
    signal_parts,
)
from autostatistician.errors import InputError
from autostatistician.fitted.model import Model
from autostatistician.kernels.kernel import Kernel

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MatplotlibFigure

__all__ = ["Components"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Components:
    """The parts of the signal of a model; rows are those of the model, by default the ones of its data."""

    model: Model

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The kernels of the parts; noise is none of them."""
        return signal_parts(self.model.kernel)

    @property
    def names(self) -> list[str]:
        """The expressions of the parts, numbered where one comes again."""
        seen: Counter[str] = Counter()
        names = []
        for name in map(str, self.parts):
            seen[name] += 1
            names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
        return names

    def means(self, X: Array) -> Array:
        """The posterior mean of every part at rows (m, d), as columns (m, k)."""
        with one_thread():
            means = [self.model.posterior.project(part, X).mean for part in self.parts]
        return np.array(means).reshape(len(means), len(X)).T

    def covariance(self, X: Array | None = None) -> Array:
        """Posterior covariances (k, k, m, m) between the parts (see `decompose.between`)."""
        with one_thread():
            return component_covariance(self.model.posterior, self._rows(X))

    def correlation(self, X: Array | None = None) -> Array:
        """The same as correlations."""
        with one_thread():
            return component_correlation(self.model.posterior, self._rows(X))

    def correlation_figure(self, points: int) -> MatplotlibFigure:
        """A picture of the correlations between the parts, each along its own column.

        Raises
        ------
        InputError
            When no part can be shown along a single column.
        """
        from autostatistician.report.correlations import figure_correlations

        posterior, data = self.model.posterior, self.model.dataset
        with one_thread():
            shown = parts_along_columns(posterior, self.parts, points, data.levels)
            if not shown:
                raise InputError.of("parts along a single column", "none", "look at component_correlation")
            parts, columns, inputs = zip(*shown, strict=True)
            blocks = correlations(posterior, parts, inputs)
        names = dict(zip(self.parts, self.names, strict=True))
        axes = [self._axis(column, X[:, column]) for column, X in zip(columns, inputs, strict=True)]
        return figure_correlations([names[part] for part in parts], axes, blocks)

    def _rows(self, X: Array | None) -> Array:
        return self.model.modelled.X if X is None else X

    def _axis(self, column: int, x: Array) -> tuple[str, NDArray[Any]]:
        """The name of a column, and places along it in the terms of the user: numbers, times or categories."""
        data = self.model.dataset
        name = data.columns[column]
        if name in data.levels:
            return name, np.array(data.levels[name])[x.astype(np.intp)]
        return name, time_labels(data, x)

"""The picture of what each column does by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from autostatistician.additive.estimator import AdditiveGPRegressor

__all__ = ["effects_figure"]

POINTS = 100  # of a curve


def effects_figure(model: AdditiveGPRegressor, most: int) -> Figure:
    """One panel for each of the columns that matter most by themselves: the term of that column with its 95 % band."""
    from matplotlib.figure import Figure

    curves = sorted((_curve(model, column) for column in range(model.n_features_in_)), key=lambda one: -np.ptp(one[1]))
    shown = curves[: max(most, 1)]
    across = min(3, len(shown))
    down = -(-len(shown) // across)
    figure = Figure(figsize=(3.4 * across, 2.6 * down), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False, sharey=True)
    for unused in panels.ravel()[len(shown) :]:
        unused.remove()
    for axes in panels[:, 0]:
        axes.set_ylabel("effect")
    for axes, (x, mean, sd, name) in zip(panels.ravel(), shown, strict=False):
        axes.fill_between(x, mean - 1.96 * sd, mean + 1.96 * sd, color="#2a5d8f", alpha=0.25, linewidth=0)
        axes.plot(x, mean, color="#2a5d8f")
        axes.set_xlabel(name)
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def _curve(model: AdditiveGPRegressor, column: int) -> tuple[NDArray, NDArray, NDArray, str]:  # type: ignore[type-arg]
    own = model.X_train_[:, column] * model.scale_[column] + model.centre_[column]
    x = np.linspace(own.min(), own.max(), POINTS)
    X = np.tile(model.centre_, (POINTS, 1))
    X[:, column] = x
    names = getattr(model, "feature_names_in_", None)
    if names is not None:
        import pandas as pd

        mean, sd = model.effect(column, pd.DataFrame(X, columns=names))
    else:
        mean, sd = model.effect(column, X)
    return x, mean, sd, str(names[column]) if names is not None else f"column {column}"

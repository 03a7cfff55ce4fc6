"""The pictures of what each column, or each pair of columns, does by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.additive.shares import Parts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from autostatistician.additive.estimator import AdditiveGPRegressor

__all__ = ["effects_figure"]

Array = NDArray[np.float64]

POINTS = 100  # of a curve
SIDE = 40  # of a surface
BAND = 1.96  # standard deviations
COLOUR, SLICES = "#2a5d8f", ("#855aac", "#2a5d8f", "#bf5418")  # of the curve; of slices at a low, usual, high value
LEVELS = (0.1, 0.5, 0.9)  # of the second column in those slices


def effects_figure(model: AdditiveGPRegressor, most: int, order: int) -> Figure:
    """The effects of the columns or pairs that vary most, with their 95 % bands."""
    found = Parts(model.fitted_, model.X_train_).variances(order)
    chosen = sorted(found, key=lambda one: -found[one])[: max(most, 1)]
    return _curves(model, chosen) if order == 1 else _surfaces(model, chosen)


def _curves(model: AdditiveGPRegressor, chosen: Sequence[tuple[int, ...]]) -> Figure:
    """One panel for each column."""
    from matplotlib.figure import Figure

    across = 2 if len(chosen) == 4 else min(3, len(chosen))
    down = -(-len(chosen) // across)
    figure = Figure(figsize=(3.4 * across, 2.6 * down), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False, sharey=True)
    for unused in panels.ravel()[len(chosen) :]:
        unused.remove()
    for axes in panels[:, 0]:
        axes.set_ylabel("effect")
    for axes, (column,) in zip(panels.ravel(), chosen, strict=False):
        x = _range(model, column, POINTS)
        _band(axes, _units(model, column, x), *_effect(model, {column: x}), COLOUR)
        axes.plot(_units(model, column, model.X_train_[:, column]), np.zeros(len(model.X_train_)), "|", color="#5b6774",
                  transform=axes.get_xaxis_transform(), markersize=5, alpha=0.4, clip_on=False)  # fmt: skip
        axes.set_xlabel(_name(model, column))
        _plain(axes)
    return figure


def _surfaces(model: AdditiveGPRegressor, chosen: Sequence[tuple[int, ...]]) -> Figure:
    """One row for each pair: its mean as a map with the data, and along the first column, for three of the second."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.0 * len(chosen)), layout="constrained")
    for (left, right), pair in zip(figure.subplots(len(chosen), 2, squeeze=False), chosen, strict=True):
        _map(figure, left, model, *pair)
        _slices(right, model, *pair)
    return figure


def _map(figure: Figure, axes: Any, model: AdditiveGPRegressor, first: int, second: int) -> None:
    x, y = _range(model, first, SIDE), _range(model, second, SIDE)
    across, up = np.meshgrid(x, y)
    height = _effect(model, {first: across.ravel(), second: up.ravel()})[0].reshape(SIDE, SIDE)
    reach = float(np.abs(height).max()) or 1.0
    places = _units(model, first, x), _units(model, second, y)
    shown = axes.contourf(*places, height, np.linspace(-reach, reach, 22), cmap="RdBu_r")
    axes.plot(*(_units(model, one, model.X_train_[:, one]) for one in (first, second)), ".", color="#222b35",
              markersize=2, alpha=0.5)  # fmt: skip
    axes.set(xlabel=_name(model, first), ylabel=_name(model, second))
    axes.set_title("effect of the pair", loc="left", fontsize="medium")
    figure.colorbar(shown, ax=axes, ticks=[-reach, 0.0, reach], format="{x:.2g}")


def _slices(axes: Any, model: AdditiveGPRegressor, first: int, second: int) -> None:
    x = _range(model, first, POINTS)
    for value, colour in zip(np.quantile(model.X_train_[:, second], LEVELS), SLICES, strict=True):
        label = f"{_name(model, second)} = {_units(model, second, value):.3g}"
        found = _effect(model, {first: x, second: np.full(POINTS, value)})
        _band(axes, _units(model, first, x), *found, colour, label)
    axes.set(xlabel=_name(model, first), ylabel="effect")
    axes.set_title(f"for three values of {_name(model, second)}", loc="left", fontsize="medium")
    axes.legend(frameon=False, fontsize="small")
    _plain(axes)


def _band(axes: Any, x: Array, mean: Array, sd: Array, colour: str, label: str | None = None) -> None:
    axes.fill_between(x, mean - BAND * sd, mean + BAND * sd, color=colour, alpha=0.2, linewidth=0)
    axes.plot(x, mean, color=colour, label=label)


def _plain(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)


def _effect(model: AdditiveGPRegressor, places: dict[int, Array]) -> tuple[Array, Array]:
    """The effect of some columns at their places in standard units, in units of y."""
    X = np.zeros((len(next(iter(places.values()))), model.n_features_in_))
    for column, values in places.items():
        X[:, column] = values
    mean, sd = Parts(model.fitted_, model.X_train_).effect(tuple(places), X)
    return model.y_scale_ * mean, model.y_scale_ * sd


def _range(model: AdditiveGPRegressor, column: int, points: int) -> Array:
    own = model.X_train_[:, column]
    return np.linspace(own.min(), own.max(), points)


def _units(model: AdditiveGPRegressor, column: int, standard: Any) -> Any:
    return standard * model.scale_[column] + model.centre_[column]


def _name(model: AdditiveGPRegressor, column: int) -> str:
    names = getattr(model, "feature_names_in_", None)
    return f"column {column}" if names is None else str(names[column])

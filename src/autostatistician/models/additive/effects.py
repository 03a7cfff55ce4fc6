"""The pictures of what each column, or each pair of columns, does by itself.

Along numbers an effect is a line with its band; categories have a point each, with a bar from end to end of its band.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.inputs import InputColumns
from autostatistician.errors import check_installed
from autostatistician.models.additive.evidence import AdditiveFit
from autostatistician.models.additive.shares import Effects

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["effects_figure"]

Array = NDArray[np.float64]

CURVE_POINTS = 100  # of a curve
SURFACE_POINTS = 40  # of a surface
BAND_SDS = 1.96  # standard deviations
CURVE_COLOUR, SLICE_COLOURS = (
    "#2a5d8f",
    ("#855aac", "#2a5d8f", "#bf5418"),
)  # of the curve; of slices at a low, usual, high value
SLICE_QUANTILES = (0.1, 0.5, 0.9)  # of the second column in those slices
CATEGORY_COLOURS = (*SLICE_COLOURS, "#2f7d5b", "#8a6d1d", "#5b6774")  # of slices at categories; more are not drawn
LONGEST_LABEL = 14  # letters of a category on an axis
WIDEST_LABELS = 40  # letters of all categories on an axis that is not turned


class FittedModel(Protocol):
    """What the pictures need to know of a fitted estimator; names as there."""

    fitted_: AdditiveFit
    inputs_: InputColumns
    n_features_in_: int
    X_train_: Array
    centre_: Array
    scale_: Array
    y_scale_: float


def effects_figure(model: FittedModel, most: int, order: int) -> Figure:
    """The effects of the columns or pairs that vary most, with their 95 % bands."""
    check_installed("matplotlib", "figures")
    variances = Effects(model.fitted_).variances(order)
    chosen = sorted(variances, key=lambda columns: -variances[columns])[: max(most, 1)]
    return _curves(model, chosen) if order == 1 else _surfaces(model, chosen)


def _curves(model: FittedModel, chosen: Sequence[tuple[int, ...]]) -> Figure:
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
        x = _range(model, column, CURVE_POINTS)
        if _levels(model, column):
            _points(axes, x, *_effect(model, {column: x}), CURVE_COLOUR)
        else:
            _band(axes, _units(model, column, x), *_effect(model, {column: x}), CURVE_COLOUR)
            axes.plot(_units(model, column, model.X_train_[:, column]), np.zeros(len(model.X_train_)), "|",
                      color="#5b6774", transform=axes.get_xaxis_transform(), markersize=5, alpha=0.4,
                      clip_on=False)  # fmt: skip
        _label(axes, model, column)
        _plain(axes)
    return figure


def _surfaces(model: FittedModel, chosen: Sequence[tuple[int, ...]]) -> Figure:
    """One row for each pair: its mean as a map with the data, and along the first column, for three of the second."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.0 * len(chosen)), layout="constrained")
    for (left, right), pair in zip(figure.subplots(len(chosen), 2, squeeze=False), chosen, strict=True):
        first, second = sorted(pair, key=lambda column: bool(_levels(model, column)))  # numbers along the axis
        _map(figure, left, model, first, second)
        _slices(right, model, first, second)
    return figure


def _map(figure: Figure, axes: Any, model: FittedModel, first: int, second: int) -> None:
    x, y = _range(model, first, SURFACE_POINTS), _range(model, second, SURFACE_POINTS)
    across, up = np.meshgrid(x, y)
    height = _effect(model, {first: across.ravel(), second: up.ravel()})[0].reshape(across.shape)
    reach = float(np.abs(height).max()) or 1.0
    places = _units(model, first, x), _units(model, second, y)
    if _levels(model, second):
        shown = axes.pcolormesh(*places, height, vmin=-reach, vmax=reach, cmap="RdBu_r", shading="nearest")
    else:
        shown = axes.contourf(*places, height, np.linspace(-reach, reach, 22), cmap="RdBu_r")
    if not _levels(model, first):
        rows = (_units(model, column, model.X_train_[:, column]) for column in (first, second))
        axes.plot(*rows, ".", color="#222b35", markersize=2, alpha=0.5)
    _label(axes, model, first)
    _label(axes, model, second, upright=True)
    axes.set_title("effect of the pair", loc="left", fontsize="medium")
    figure.colorbar(shown, ax=axes, ticks=[-reach, 0.0, reach], format="{x:.2g}")


def _slices(axes: Any, model: FittedModel, first: int, second: int) -> None:
    x, cuts = _range(model, first, CURVE_POINTS), _cuts(model, second)
    for number, (value, label, colour) in enumerate(cuts):
        effect = _effect(model, {first: x, second: np.full(len(x), value)})
        if _levels(model, first):
            _points(axes, x + 0.5 * ((number + 0.5) / len(cuts) - 0.5), *effect, colour, label)
        else:
            _band(axes, _units(model, first, x), *effect, colour, label)
    _label(axes, model, first)
    axes.set_ylabel("effect")
    every = "every" if len(cuts) == len(_levels(model, second)) else f"the {len(cuts)} commonest"
    values = f"{every} {_name(model, second)}" if _levels(model, second) else f"three values of {_name(model, second)}"
    axes.set_title(f"for {values}", loc="left", fontsize="medium")
    axes.legend(frameon=False, fontsize="small")
    _plain(axes)


def _cuts(model: FittedModel, column: int) -> list[tuple[float, str, str]]:
    """The places of a column at which others are drawn, with a name and a colour: few values, or commonest levels."""
    cells, levels = model.X_train_[:, column], _levels(model, column)
    if not levels:
        name, values = _name(model, column), np.quantile(cells, SLICE_QUANTILES)
        labels = [f"{name} = {_units(model, column, value):.3g}" for value in values]
        return list(zip(values.tolist(), labels, SLICE_COLOURS, strict=True))
    counts = np.bincount(cells.astype(np.intp), minlength=len(levels))
    codes = sorted(np.argsort(-counts, kind="stable")[: len(CATEGORY_COLOURS)].tolist())
    return [(float(code), _short(levels[code]), colour) for code, colour in zip(codes, CATEGORY_COLOURS, strict=False)]


def _points(axes: Any, x: Array, mean: Array, sd: Array, colour: str, label: str | None = None) -> None:
    axes.errorbar(x, mean, BAND_SDS * sd, fmt="o", color=colour, markersize=5, elinewidth=1.5, capsize=3, label=label)
    axes.axhline(0.0, color="#5b6774", linewidth=0.6, zorder=0)


def _label(axes: Any, model: FittedModel, column: int, *, upright: bool = False) -> None:
    """The name of a column along an axis, and those of its categories."""
    axis, levels = axes.yaxis if upright else axes.xaxis, [_short(level) for level in _levels(model, column)]
    axis.set_label_text(_name(model, column))
    if levels:
        turned = not upright and sum(map(len, levels)) > WIDEST_LABELS
        axis.set_ticks(range(len(levels)), levels, rotation=90 if turned else 0)
        (axes.set_ylim if upright else axes.set_xlim)(-0.5, len(levels) - 0.5)


def _short(level: str) -> str:
    return level if len(level) <= LONGEST_LABEL else f"{level[: LONGEST_LABEL - 1]}\N{HORIZONTAL ELLIPSIS}"


def _band(axes: Any, x: Array, mean: Array, sd: Array, colour: str, label: str | None = None) -> None:
    axes.fill_between(x, mean - BAND_SDS * sd, mean + BAND_SDS * sd, color=colour, alpha=0.2, linewidth=0)
    axes.plot(x, mean, color=colour, label=label)


def _plain(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)


def _effect(model: FittedModel, places: dict[int, Array]) -> tuple[Array, Array]:
    """The effect of some columns at their places in standard units, in units of y."""
    X = np.zeros((len(next(iter(places.values()))), model.n_features_in_))
    for column, values in places.items():
        X[:, column] = values
    mean, sd = Effects(model.fitted_).of(tuple(places), X)
    return model.y_scale_ * mean, model.y_scale_ * sd


def _range(model: FittedModel, column: int, points: int) -> Array:
    """The places at which an effect is drawn: of categories one each."""
    cells, levels = model.X_train_[:, column], _levels(model, column)
    return np.arange(float(len(levels))) if levels else np.linspace(cells.min(), cells.max(), points)


def _units(model: FittedModel, column: int, standard: Any) -> Any:
    return standard * model.scale_[column] + model.centre_[column]


def _levels(model: FittedModel, column: int) -> tuple[str, ...]:
    """The categories of a column; none where it holds numbers."""
    return model.inputs_.levels.get(model.inputs_.columns[column], ())


def _name(model: FittedModel, column: int) -> str:
    names = getattr(model, "feature_names_in_", None)
    return f"column {column}" if names is None else str(names[column])

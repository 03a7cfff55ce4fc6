"""Surfaces as steps of colour, with a scale at the right, places of data, and a line where they are little known."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.panels import HeatPanel
from autostatistician.report.draw import add_axes, area, dots, set_ticks, write, write_below, write_title
from autostatistician.report.palette import LIGHT
from autostatistician.report.svg import Box
from autostatistician.report.text import cut, text_width
from autostatistician.report.ticks import TICK_SIZE, Tick, number_label, number_ticks

if TYPE_CHECKING:
    from autostatistician.report.draw import Axes, Drawn

__all__ = ["draw_heat", "steps_of"]

Array = NDArray[np.float64]

_LABEL = 12.0  # px
_BELOW, _LEGEND, _GAP = 42.0, 12.0, 10.0  # px: under the axes, the width of the scale of colours, and beside it
_STRONGEST = 0.85  # opacity of the last step; the step around zero is nearly paper
_STEPS = 8  # at most


def steps_of(low: float, high: float) -> Array:
    """Round limits of steps from below ``low`` to above ``high``.

    >>> steps_of(-3.2, 5.9).tolist()
    [-4.0, -2.0, 0.0, 2.0, 4.0, 6.0]
    """
    reach = (high - low) or 1.0
    power = 10.0 ** np.floor(np.log10(reach / _STEPS))
    step = next(f * power for f in (1.0, 2.0, 2.5, 5.0, 10.0, 20.0) if f * power * _STEPS >= reach)
    first, last = np.floor(low / step), np.ceil(high / step)
    return np.asarray(np.arange(first, max(last, first + 1) + 1) * step, dtype=np.float64)


def draw_heat(figure: Drawn, panel: HeatPanel, box: Box) -> None:
    """Draw the surface, its scale of colours, the places of data and the line of doubt."""
    top = write_title(figure, box, panel.title)
    values = np.array(panel.values)
    if values.size < 4 or not np.isfinite(values).all():
        return
    limits = steps_of(float(values.min()), float(values.max()))
    across, up = (_ends(panel.x), _ends(panel.y))
    upright = _ticks(panel.y, panel.y_names, up, box.height * 0.6, upright=True)
    scale = _scale(limits, panel.unit)
    left = max((text_width(tick.label, TICK_SIZE) for tick in upright), default=0.0) + 10.0
    right = _GAP + _LEGEND + 6.0 + max(text_width(tick.label, TICK_SIZE) for tick in scale) + 2.0
    inner = Box(left, top + 26.0, box.width - left - right, box.height - top - 26.0 - _BELOW)
    axes = add_axes(figure, box, inner, across, up)
    axes.grid(visible=False)
    _surface(axes, panel, values, limits)
    set_ticks(axes, _ticks(panel.x, panel.x_names, across, inner.width), upright)
    legend = Box(left + inner.width + _GAP, inner.top, _LEGEND, inner.height)
    _draw_scale(figure, box, legend, limits, scale)
    write(figure, box, 0.0, top + 14.0, cut(panel.y_label, box.width, _LABEL), size=_LABEL, color=LIGHT["muted"])
    write_below(figure, box, inner, panel.x_label)


def _ends(axis: Array) -> tuple[float, float]:
    low, high = float(axis.min()), float(axis.max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _ticks(
    axis: Array, names: tuple[str, ...], ends: tuple[float, float], length: float, *, upright: bool = False
) -> tuple[Tick, ...]:
    if names:
        return tuple(Tick(float(place), cut(name, 70.0, TICK_SIZE)) for place, name in zip(axis, names, strict=True))
    return number_ticks(*ends, length, upright=upright)


def _colour(low: float, high: float, limits: Array) -> tuple[str, float]:
    """The colour of a step and its opacity: by the distance of its middle from zero."""
    middle, reach = 0.5 * (low + high), float(np.abs(limits).max()) or 1.0
    return ("mean" if middle > 0.0 else "forecast"), round(max(_STRONGEST * abs(middle) / reach, 0.04), 2)


def _surface(axes: Axes, panel: HeatPanel, values: Array, limits: Array) -> None:
    for low, high in pairwise(limits):
        colour, opacity = _colour(low, high, limits)
        axes.contourf(panel.x, panel.y, values.T, [low, high], colors=[LIGHT[colour]], alpha=opacity, zorder=2)
    axes.contour(panel.x, panel.y, values.T, limits[1:-1], colors=[LIGHT["axis"]], linewidths=0.6, zorder=3)
    if panel.wide is not None:
        width = np.array(panel.width).T
        axes.contour(
            panel.x, panel.y, width, [panel.wide], colors=[LIGHT["ink"]], linewidths=1.2, zorder=5,
            linestyles=[(0.0, (4.0, 3.0))],
        )  # fmt: skip
    dots(axes, panel.dots_x, panel.dots_y, "data", 1.8, 4)


def _scale(limits: Array, unit: str) -> tuple[Tick, ...]:
    """The limits of the steps as ticks."""
    step, largest = float(limits[1] - limits[0]), float(np.abs(limits).max())
    return tuple(Tick(limit, number_label(limit, step, largest) + unit) for limit in limits.tolist())


def _draw_scale(figure: Drawn, box: Box, place: Box, limits: Array, ticks: tuple[Tick, ...]) -> None:
    first, span = float(limits[0]), float(limits[-1] - limits[0])
    axes = add_axes(figure, box, place, (0.0, 1.0), (0.0, span))
    axes.set_axis_off()
    for low, high in pairwise(limits):
        colour, opacity = _colour(low, high, limits)
        ends = low - first, high - first
        area(axes, [0.0, 1.0, 1.0, 0.0], np.repeat(ends, 2), colour, opacity, 1)
    for tick in ticks:
        y = place.top + place.height * (1.0 - (tick.position - first) / span) + 4.0
        x = place.left + place.width + 6.0
        write(figure, box, x, y, tick.label, size=TICK_SIZE, color=LIGHT["muted"])

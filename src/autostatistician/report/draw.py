"""One panel drawn into a box of a matplotlib figure: the layers, the axes, and the texts around them.

Surfaces are steps of colour, with a scale at the right, places of data, and a line where they are little known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autostatistician.describe.document.document import Band, Line, Marker, Panel, Points, Positions
from autostatistician.describe.document.panels import DensityPanel, GroupPoints, HeatPanel, Ranges
from autostatistician.i18n.messages import say
from autostatistician.i18n.numbers import fixed
from autostatistician.report.palette import BAND_OPACITY, LIGHT, group_colour
from autostatistician.report.svg import Axes as SheetAxes
from autostatistician.report.svg import Box, Limits, Sheet, along, heights, swept, thinned, turns
from autostatistician.report.text import cut, text_width, wrapped
from autostatistician.report.ticks import TICK_SIZE, Tick, fitting, number_label, number_ticks, ratio_ticks, time_ticks

__all__ = [
    "ASIDE", "add_axes", "area", "dots", "draw_heat", "draw_panel", "extent", "finest_unit", "is_time", "line_colour",
    "place", "positions", "set_ticks", "steps_of", "stroke", "write", "write_below", "write_title",
]  # fmt: skip


if TYPE_CHECKING:
    from matplotlib.axes import Axes as MatplotlibAxes
    from matplotlib.figure import Figure as MatplotlibFigure

    Axes: TypeAlias = MatplotlibAxes | SheetAxes
    Drawn: TypeAlias = MatplotlibFigure | Sheet


SHADE = 0.14  # opacity of each step of a density: steps lie over one another

DIAMETER = 3.6  # px, of a dot

MARK = 13.0  # px

# How observations are drawn that the model was made without.
ASIDE: dict[str, Any] = {"color": LIGHT["forecast"], "marker": "x", "markersize": 8.0, "markeredgewidth": 1.8}

_TITLE, _LABEL = 13.0, 12.0  # px, sizes of texts

_ROW = 17.0  # px, height of a row of text

_MOST_ROWS = 4  # of labels above the axes

_RIGHT = 14.0  # px, room at the right of the axes

_BESIDE = 6.0  # px, between a point and its name

_PER_TURN = 1.0  # px: a line that turns more often is drawn as the area that it fills, or it would hide everything

_STEP, _SWEPT = 6.0, 0.45  # px, and the opacity of that area


Corners = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class _Note:
    """A text above the axes: its left end and its row, counted from the axes upwards."""

    left: float
    row: int
    text: str
    colour: str


def line_colour(role: str, index: int) -> str:
    """Name of the colour of a line; samples take turns."""
    if role == "earlier":
        return "sample-2"
    return f"sample-{index % 3 + 1}" if role == "sample" else role if role in ("mean", "forecast") else "mean"


def _days(x: Positions | str) -> NDArray[np.float64]:
    """Days since 1970, which are also the date numbers of matplotlib."""
    return np.asarray(x, "M8[us]").astype(np.int64) / 86_400e6


def positions(x: Positions) -> NDArray[np.float64]:
    """Positions as the axis counts them: times in days since 1970, NaN where there is none."""
    if x.dtype.kind != "M":
        return np.asarray(x, dtype=np.float64)
    return np.where(np.isnat(x), np.nan, _days(x))


def place(marker: Marker) -> float:
    return float(_days(marker.x)) if isinstance(marker.x, str) else float(marker.x)


def is_time(panel: Panel) -> bool:
    return any(
        isinstance(layer.x, str) if isinstance(layer, Marker) else layer.x.dtype.kind == "M" for layer in panel.layers
    )


def finest_unit(panel: Panel) -> str:
    """The finest calendar unit that makes sense for the ticks: that of the observations."""
    times = [layer.x for layer in panel.layers if isinstance(layer, Points) and layer.x.dtype.kind == "M"]
    x = np.concatenate(times) if times else np.zeros(0, "M8[s]")
    return next((unit for unit in "YMD" if x.size and np.all(x == x.astype(f"M8[{unit}]"))), "s")


def extent(values: list[NDArray[np.float64]], margin: float, least: float) -> Limits | None:
    """Smallest and largest finite value with a margin; widened by ``least`` or 10 % where they are the same."""
    finite = np.concatenate([v[np.isfinite(v)] for v in values]) if values else np.zeros(0)
    if not finite.size:
        return None
    low, high = float(finite.min()), float(finite.max())
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        room = least or 0.1 * (abs(low) or 1.0)
        return low - room, high + room
    return low - margin * (high - low), high + margin * (high - low)


def _limits(panel: Panel) -> tuple[Limits, Limits] | None:
    """Limits of both axes that hold every layer, or None when there is nothing to draw."""
    xs = [np.array([place(layer)]) if isinstance(layer, Marker) else positions(layer.x) for layer in panel.layers]
    ys = [values for layer in panel.layers for values in heights(layer)]
    if isinstance(panel, DensityPanel):
        xs, ys = [*xs, panel.x_places], [*ys, panel.y_places]
    across = extent(xs, 0.012, 1.0 if is_time(panel) else 0.0)
    up = extent([np.log10(y) for y in ys], 0.05, 0.1) if panel.logarithmic else extent(ys, 0.05, 0.0)
    if up and panel.logarithmic:
        up = (10.0 ** up[0], 10.0 ** up[1])
    return (across, up) if across and up else None


def _band(axes: Axes, band: Band, zorder: float, steps: int) -> None:
    x, lower, upper = positions(band.x), band.lower, band.upper
    if steps:
        x, lower, upper = swept(x, lower, upper, steps)
    whole = np.isfinite(x) & np.isfinite(lower) & np.isfinite(upper)
    colour = "forecast" if band.role == "forecast" else "mean"
    opacity = BAND_OPACITY.get(band.role, BAND_OPACITY["signal"])
    for run in np.split(np.arange(len(x)), np.flatnonzero(np.diff(whole)) + 1):
        if run.size and whole[run[0]]:
            area(axes, *_there_and_back(x[run], lower[run], upper[run]), colour, opacity, zorder, label=band.label)


def _there_and_back(x: NDArray[np.float64], lower: NDArray[np.float64], upper: NDArray[np.float64]) -> Corners:
    """The corners of the area between two curves."""
    return np.concatenate([x, x[::-1]]), np.concatenate([lower, upper[::-1]])


def area(axes: Axes, x: ArrayLike, y: ArrayLike, colour: str, opacity: float, zorder: float, **how: Any) -> None:
    """Draw a polygon without an edge, in a colour by name."""
    look: Any = {"facecolor": LIGHT[colour], "edgecolor": "none", "alpha": opacity, "linewidth": 0.0, "clip_on": False}
    axes.fill(x, y, zorder=zorder, **look, **how)


def stroke(axes: Axes, x: ArrayLike, y: ArrayLike, colour: str, width: float, zorder: float, **how: Any) -> None:
    """Draw a line in a colour by name."""
    axes.plot(x, y, color=LIGHT[colour], linewidth=width, zorder=zorder, clip_on=False, **how)


def dots(axes: Axes, x: ArrayLike, y: ArrayLike, colour: str, diameter: float, zorder: float, **how: Any) -> None:
    """Draw a dot at every place, in a colour by name."""
    look: Any = {"linestyle": "none", "marker": "o", "markersize": diameter, "markeredgewidth": 0.0}
    axes.plot(x, y, color=LIGHT[colour], zorder=zorder, clip_on=False, **look, **how)


def _ranges(axes: Axes, ranges: Ranges, zorder: float) -> None:
    """One stroke for every range, in a single path."""
    x = np.repeat(positions(ranges.x), 3)
    ends = np.column_stack([ranges.lower, ranges.upper, np.full(len(ranges.lower), np.nan)]).ravel()
    colour = "forecast" if ranges.role == "forecast" else "mean"
    width, opacity = (3.0, 0.8) if len(ranges.lower) <= 12 else (1.4, 0.35)
    stroke(axes, x, ends, colour, width, zorder, alpha=opacity, solid_capstyle="butt", label=ranges.label)


def _points(axes: Axes, points: Points, zorder: float) -> None:
    x, n = positions(points.x), len(points.y)
    if points.role == "aside":
        axes.plot(x, points.y, linestyle="none", zorder=zorder, clip_on=False, label=points.label, **ASIDE)
        return
    diameter = 3.6 if n <= 60 else 3.0 if n <= 250 else 2.2 if n <= 800 else 1.6
    dots(axes, x, points.y, "data", diameter, zorder, label=points.label)


def _name(axes: Axes, points: Points, pixels: Iterable[NDArray[np.float64]], width: float, zorder: float) -> None:
    """The names of points beside them, towards the middle; one that would cover another, or a point, is left out."""
    places = list(zip(*pixels, strict=True))
    half = 0.5 * _BESIDE
    occupied = [(across - half, across + half, up) for across, up in places]  # ends across, middle up, in pixels
    for x, y, (across, up), name in zip(positions(points.x), points.y, places, points.names, strict=False):
        before = across > 0.5 * width
        size = text_width(name, TICK_SIZE)
        start = across - _BESIDE - size if before else across + _BESIDE
        if any(start < end and begin < start + size and abs(up - other) < TICK_SIZE for begin, end, other in occupied):
            continue
        occupied.append((start, start + size, up))
        axes.annotate(
            name, (x, y), (-_BESIDE if before else _BESIDE, 0.0), textcoords="offset points",
            ha="right" if before else "left", va="center", size=TICK_SIZE, color=LIGHT["ink"], zorder=zorder,
        )  # fmt: skip


def _line(axes: Axes, line: Line, index: int, zorder: float, steps: int) -> None:
    """A line, or the area that it fills where it swings too fast to be seen."""
    x, colour = positions(line.x), line_colour(line.role, index)
    if steps:
        corners = _there_and_back(*swept(x, line.y, line.y, steps))
        area(axes, *corners, colour, _SWEPT, zorder, label=line.label)
    else:
        stroke(axes, x, line.y, colour, 1.1 if line.role == "sample" else 1.6, zorder, label=line.label)


def _steps(x: Positions, y: NDArray[np.float64], across: Limits, width: float) -> int:
    """Into how many steps a curve is divided that turns too often to be drawn; 0 where it can be drawn."""
    if not turns(y):
        return 0
    pixels = float(np.ptp(positions(x))) / (across[1] - across[0]) * width
    return max(int(pixels / _STEP), 1) if turns(y) * _PER_TURN > pixels else 0


def _draw_layers(axes: Axes, panel: Panel, limits: tuple[Limits, Limits], inner: Box) -> None:
    samples, width, (across, up) = count(), inner.width, limits
    if isinstance(panel, DensityPanel):
        shade(axes, panel)
    for zorder, layer in enumerate(thinned(panel).layers, start=3):
        match layer:
            case Ranges():
                _ranges(axes, layer, zorder)
            case Band(x=x, upper=upper):
                _band(axes, layer, zorder, _steps(x, upper, across, width))
            case GroupPoints():
                draw_group(axes, layer, positions(layer.x), zorder)
            case Points(x=x, y=y):
                _points(axes, layer, zorder)
                places = along(positions(x), across, width), along(y, up, inner.height, logarithmic=panel.logarithmic)
                _name(axes, layer, places, width, zorder + 20)
            case Line(x=x, y=y, role=role):
                steps = _steps(x, y, across, width)
                if not steps or role != "sample":  # of samples that swing too fast nothing would be seen
                    _line(axes, layer, next(samples) if role == "sample" else 0, zorder, steps)
            case Marker():
                stroke(axes, [place(layer)] * 2, up, "muted", 1.0, 2.5, dashes=(4.0, 3.0))


def _notes(panel: Panel, across: Limits, left: float, width: float) -> list[_Note]:
    """The label of the vertical axis and those of the markers, in rows so that none covers another.

    A label that finds no place in any row is left out; its line is drawn all the same.
    """
    occupied: list[list[Limits]] = [[] for _ in range(_MOST_ROWS)]
    notes: list[_Note] = []

    def put(text: str, wish: float, colour: str) -> None:
        text = cut(text, left + width, _LABEL)
        size = text_width(text, _LABEL)
        start = max(0.0, min(wish - size * (0.5 if notes else 0.0), left + width + _RIGHT - size))
        for row, placed in enumerate(occupied):
            if all(start >= end + 12.0 or begin >= start + size + 12.0 for begin, end in placed):
                placed.append((start, start + size))
                notes.append(_Note(start, row, text, colour))
                break

    scale = f" {say('(logarithmic scale)')}" if panel.logarithmic else ""
    put(cut(panel.y_label, left + width - text_width(scale, _LABEL), _LABEL) + scale, 0.0, LIGHT["muted"])
    for layer in panel.layers:
        if isinstance(layer, Marker) and layer.label:
            put(layer.label, left + float(along(place(layer), across, width)), LIGHT["muted"])
    return notes


def write(figure: Drawn, box: Box, x: float, y: float, text: str, **how: Any) -> None:
    """Put a text at a point of the box in pixels."""
    width, height = figure.get_size_inches() * 72
    figure.text((box.left + x) / width, 1.0 - (box.top + y) / height, text, va="baseline", **how)


def _horizontal(panel: Panel, across: Limits, left: float, width: float) -> tuple[Tick, ...]:
    """The ticks of the horizontal axis whose labels do not run out of the box."""
    if panel.x_ticks:
        ticks = fitting(tuple(Tick(*tick) for tick in panel.x_ticks), width / (across[1] - across[0]))
    else:
        ticks = time_ticks(*across, width, finest_unit(panel)) if is_time(panel) else number_ticks(*across, width)
    rooms = [(t, along(t.position, across, width), text_width(t.label, TICK_SIZE) / 2) for t in ticks]
    return tuple(tick for tick, x, half in rooms if -left <= x - half and x + half <= width + _RIGHT + 2.0)


def _vertical(panel: Panel, up: Limits, length: float) -> tuple[Tick, ...]:
    """The ticks of the vertical axis."""
    ticks = ratio_ticks(*up, length) if panel.logarithmic else number_ticks(*up, length, upright=True)
    if not panel.counts:
        return ticks
    return tuple(
        Tick(tick.position, fixed(tick.position, 0))
        for tick in ticks
        if abs(tick.position - round(tick.position)) < 1e-9
    )


def write_title(figure: Drawn, box: Box, title: str) -> float:
    """Write the title into the top of a box; how much room it took, in pixels."""
    lines = wrapped(title, box.width, _TITLE)
    for row, line in enumerate(lines):
        write(figure, box, 0.0, 12.0 + row * _ROW, line, size=_TITLE, weight="bold", color=LIGHT["ink"])
    return len(lines) * _ROW + 5.0 if lines else 0.0


def add_axes(figure: Drawn, box: Box, inner: Box, across: Limits, up: Limits) -> Axes:
    """Axes in a part of a box, with their limits, and the line of zero."""
    width, height = figure.get_size_inches() * 72
    axes = figure.add_axes((
        (box.left + inner.left) / width, 1.0 - (box.top + inner.top + inner.height) / height,
        inner.width / width, inner.height / height,
    ))  # fmt: skip
    axes.set(xlim=across, ylim=up)
    if up[0] < 0.0 < up[1]:
        stroke(axes, across, (0.0, 0.0), "axis", 1.0, 2.1)
    return axes


def set_ticks(axes: Axes, across: tuple[Tick, ...], up: tuple[Tick, ...]) -> None:
    """Set the ticks of both axes."""
    axes.set(xticks=[t.position for t in across], xticklabels=[t.label for t in across])
    axes.set(yticks=[t.position for t in up], yticklabels=[t.label for t in up])


def _below(figure: Drawn, box: Box, inner: Box, ticks: tuple[Tick, ...], panel: Panel, lim: Limits) -> None:
    """The second line of dates and the label of the horizontal axis."""
    for tick in ticks:
        if tick.context:
            x = inner.left + float(along(tick.position, lim, inner.width))
            half = text_width(tick.context, TICK_SIZE) / 2
            x = min(max(x, half), box.width - half)
            y = inner.top + inner.height + 33.0
            write(figure, box, x, y, tick.context, ha="center", size=TICK_SIZE, color=LIGHT["muted"])
    write_below(figure, box, inner, panel.x_label)


def write_below(figure: Drawn, box: Box, inner: Box, label: str) -> None:
    """Write the label of the horizontal axis."""
    label = cut(label, inner.width, _LABEL)
    middle = inner.left + inner.width / 2
    write(figure, box, middle, box.height - 5.0, label, ha="center", size=_LABEL, color=LIGHT["muted"])


def draw_panel(figure: Drawn, panel: Panel, box: Box) -> None:
    """Draw a panel into a box: title, labels of the axes and of markers, layers, ticks."""
    top = write_title(figure, box, panel.title)
    limits = _limits(panel)
    if limits is None:
        how: Any = {"ha": "center", "size": _LABEL, "color": LIGHT["muted"]}
        return write(figure, box, box.width / 2, box.height / 2, "There is nothing to draw here.", **how)
    across, up = limits
    vertical = _vertical(panel, up, box.height * 0.6)
    left = max((text_width(tick.label, TICK_SIZE) for tick in vertical), default=0.0) + 10.0
    width = box.width - left - _RIGHT
    horizontal = _horizontal(panel, across, left, width)
    notes = _notes(panel, across, left, width)
    top += (1 + max(note.row for note in notes)) * _ROW + 9.0
    bottom = 22.0 + _ROW * any(tick.context for tick in horizontal) + _ROW * bool(panel.x_label.strip())
    inner = Box(left, top, width, box.height - top - bottom)
    axes = add_axes(figure, box, inner, across, up)
    if panel.logarithmic:
        axes.set_yscale("log", subs=[])
    _draw_layers(axes, panel, limits, inner)
    set_ticks(axes, horizontal, vertical)
    for note in notes:
        write(figure, box, note.left, top - 12.0 - note.row * _ROW, note.text, size=_LABEL, color=note.colour)
    _below(figure, box, inner, horizontal, panel, across)
    return None


# --- Groups of observations in colours of their own, over a shaded density ------------------------------------------


def draw_group(axes: Axes, points: GroupPoints, x: NDArray[np.float64], zorder: float) -> None:
    """Draw the observations of a group, and its mark in their midst."""
    dots(axes, x, points.y, group_colour(points.group), DIAMETER, zorder, label=points.label)
    if points.mark and len(points.y):
        middle = int(np.argmin(_away(x) + _away(points.y)))  # a row of the group: it may be bent around its mean
        axes.annotate(
            points.mark, (x[middle], points.y[middle]), (7.0, 7.0), textcoords="offset points", size=MARK,
            weight="bold", color=LIGHT["ink"], zorder=zorder + 40,
        )  # fmt: skip


def _away(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared distances from the median, in units of their spread."""
    return np.asarray((values - np.median(values)) ** 2 / (float(values.var()) or 1.0))


def shade(axes: Axes, panel: DensityPanel) -> None:
    """Shade the places at which a density is above each of its levels."""
    density = np.array(panel.density)
    if density.size < 4 or not np.isfinite(density).all():
        return
    top = float(density.max()) * 1.01
    for level in panel.levels:
        if level < top:
            axes.contourf(
                panel.x_places, panel.y_places, density.T, [level, top], colors=[LIGHT["mean"]], alpha=SHADE, zorder=1
            )


Array = NDArray[np.float64]

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
    upright = _ticks(panel.y, panel.y_names, box.height * 0.6, upright=True)
    scale = _scale(limits, panel.unit)
    left = max((text_width(tick.label, TICK_SIZE) for tick in upright), default=0.0) + 10.0
    right = _GAP + _LEGEND + 6.0 + max(text_width(tick.label, TICK_SIZE) for tick in scale) + 2.0
    inner = Box(left, top + 26.0, box.width - left - right, box.height - top - 26.0 - _BELOW)
    axes = add_axes(figure, box, inner, _ends(panel.x), _ends(panel.y))
    axes.grid(visible=False)
    _surface(axes, panel, values, limits)
    set_ticks(axes, _ticks(panel.x, panel.x_names, inner.width), upright)
    legend = Box(left + inner.width + _GAP, inner.top, _LEGEND, inner.height)
    _draw_scale(figure, box, legend, limits, scale)
    write(figure, box, 0.0, top + 14.0, cut(panel.y_label, box.width, _LABEL), size=_LABEL, color=LIGHT["muted"])
    write_below(figure, box, inner, panel.x_label)


def _ends(axis: Array) -> tuple[float, float]:
    low, high = float(axis.min()), float(axis.max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _ticks(axis: Array, names: tuple[str, ...], length: float, *, upright: bool = False) -> tuple[Tick, ...]:
    low, high = _ends(axis)
    if names:  # all, or as many as have room
        ticks = tuple(Tick(float(place), cut(name, 70.0, TICK_SIZE)) for place, name in zip(axis, names, strict=True))
        every = 1 + int(1.5 * TICK_SIZE * len(ticks) / length)
        return ticks[::every] if upright else fitting(ticks, length / (high - low))
    return number_ticks(low, high, length, upright=upright)


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

"""Figures written as SVG: a sheet and its axes, with those methods of matplotlib's that the figures of reports need.

What draws a figure does not know on which of both it draws; a sheet takes a tenth of the time. Nothing in the result
has an id or refers to one, there is no style sheet, coordinates have one decimal, and the colours are CSS variables.

Fewer points for the same picture: thinning of long layers, and paths without the vertices that nobody can see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autostatistician.describe.document.document import Band, Figure, Line, Marker, Panel, Points
from autostatistician.i18n.messages import say
from autostatistician.i18n.numbers import fixed
from autostatistician.report.palette import LIGHT, with_variables
from autostatistician.report.ticks import TICK_SIZE

__all__ = [
    "MOST_POINTS", "Axes", "Box", "Limits", "Sheet", "along", "drawing_note", "envelope", "simplified", "swept",
    "thinned", "turns",
]  # fmt: skip


MOST_POINTS = 2000

Layer = Points | Line | Band | Marker


def envelope(y: NDArray[np.float64], most: int = MOST_POINTS) -> NDArray[np.intp]:
    """Indices of the first, lowest, highest and last value of each of ``most / 4`` runs of consecutive values.

    Neither the outline nor an outlier is lost (Jugel et al. 2014, "M4").

    >>> envelope(np.array([0.0, 5.0, -1.0, 2.0, 3.0, 0.0]), most=4).tolist()
    [0, 1, 2, 5]
    """
    if len(y) <= most:
        return np.arange(len(y))
    edges = np.linspace(0, len(y), most // 4 + 1).astype(np.intp)
    low, high = np.where(np.isfinite(y), y, np.inf), np.where(np.isfinite(y), y, -np.inf)
    picked = [
        (start, start + int(np.argmin(low[start:stop])), start + int(np.argmax(high[start:stop])), stop - 1)
        for start, stop in pairwise(edges.tolist())
    ]
    return np.unique(np.array(picked, dtype=np.intp))


def swept(
    x: NDArray[np.float64], lower: NDArray[np.float64], upper: NDArray[np.float64], steps: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Position, lowest and highest value of a curve, or of a band, in each of ``steps`` stretches of equal width.

    >>> x = np.arange(6.0)
    >>> [part.tolist() for part in swept(x, x % 2, x % 2 + 1.0, 2)]
    [[0.0, 1.0, 4.0, 5.0], [0.0, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0, 2.0]]
    """
    finite = np.isfinite(x) & np.isfinite(lower) & np.isfinite(upper)
    x, lower, upper = x[finite], lower[finite], upper[finite]
    edges = np.searchsorted(x, np.linspace(x[0], x[-1], steps + 1)[1:-1], side="right")
    starts = np.unique([0, *edges[edges < len(x)]])
    stops = np.minimum([*starts[1:], len(x)], len(x))
    middles = [float(0.5 * (x[a] + x[b - 1])) for a, b in zip(starts, stops, strict=True)]
    low, high = np.minimum.reduceat(lower, starts), np.maximum.reduceat(upper, starts)
    return np.array([x[0], *middles, x[-1]]), np.pad(low, 1, mode="edge"), np.pad(high, 1, mode="edge")


def heights(layer: Layer) -> list[NDArray[np.float64]]:
    """What a layer shows along the vertical axis: one curve, the two ends of a band, of a marker nothing."""
    if isinstance(layer, Marker):
        return []
    return [layer.lower, layer.upper] if isinstance(layer, Band) else [layer.y]


def turns(y: NDArray[np.float64]) -> int:
    """How often a curve goes from rising to falling or back.

    >>> turns(np.array([0.0, 1.0, 0.0, 2.0, 3.0]))
    2
    """
    moves = np.sign(np.diff(y))
    return int(np.sum(moves[1:] * moves[:-1] < 0))


def _scatter(y: NDArray[np.float64]) -> NDArray[np.intp]:
    """Indices of evenly spaced values, which keep the density, with the extremes of every stretch."""
    if len(y) <= MOST_POINTS:
        return np.arange(len(y))
    evenly = np.linspace(0, len(y) - 1, MOST_POINTS * 3 // 4).astype(np.intp)
    return np.union1d(evenly, envelope(y, MOST_POINTS // 4))


def _thinned_layer(layer: Layer) -> Layer:
    match layer:
        case Points(x, y):
            order = np.argsort(x, kind="stable")
            keep = order[_scatter(y[order])]
            return replace(layer, x=x[keep], y=y[keep])
        case Line(x, y):
            keep = envelope(y)
            return replace(layer, x=x[keep], y=y[keep])
        case Band(x, lower, upper):
            keep = np.union1d(envelope(lower, MOST_POINTS // 2), envelope(upper, MOST_POINTS // 2))
            return replace(layer, x=x[keep], lower=lower[keep], upper=upper[keep])
        case Marker():
            return layer


def thinned(panel: Panel) -> Panel:
    """The panel with no layer of more than ``MOST_POINTS`` points."""
    return replace(panel, layers=tuple(_thinned_layer(layer) for layer in panel.layers))


def drawing_note(figure: Figure) -> str:
    """What the caption has to say about how observations and lines are drawn ("" where all are, as they are)."""
    layers = [layer for panel in figure.panels for layer in panel.layers]
    most = max((len(layer.y) for layer in layers if isinstance(layer, Points)), default=0)
    notes = []
    if most > MOST_POINTS:
        notes.append(
            say(
                "Of {all} observations at most {drawn} are drawn: evenly spaced ones, and the lowest and the highest "
                "of every stretch.",
                all=fixed(most, 0),
                drawn=fixed(MOST_POINTS, 0),
            )
        )
    pixels = 720 if len(figure.panels) == 1 else 330  # about as wide are axes on a wide page
    if any(turns(layer.y) > pixels for layer in layers if isinstance(layer, Line)):
        notes.append(say("Where the line swings too fast to be drawn, it is the area that it fills."))
    return " ".join(notes)


def simplified(points: NDArray[np.float64], tolerance: float) -> NDArray[np.float64]:
    """Leave out vertices of a path (n, 2) that lie within ``tolerance`` of the rest (Douglas and Peucker 1973).

    >>> simplified(np.array([[0.0, 0.0], [1.0, 0.01], [2.0, 0.0], [3.0, 4.0]]), 0.1).tolist()
    [[0.0, 0.0], [2.0, 0.0], [3.0, 4.0]]
    """
    keep = np.zeros(len(points), dtype=bool)
    keep[[0, -1]] = True
    stack = [(0, len(points) - 1)]
    while stack:
        first, last = stack.pop()
        if last - first < 2:
            continue
        distance = _distances(points[first : last + 1])
        worst = first + int(np.argmax(distance))
        if distance[worst - first] > tolerance:
            keep[worst] = True
            stack += [(first, worst), (worst, last)]
    return points[keep]


def _distances(run: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance of each vertex from the segment between the first and the last."""
    along, away = run[-1] - run[0], run - run[0]
    square = float(along @ along)
    share = np.clip(away @ along / square, 0.0, 1.0) if square else np.zeros(len(run))
    return np.asarray(np.hypot(*(away - share[:, None] * along).T))


Array = NDArray[np.float64]
Limits = tuple[float, float]

_TOLERANCE = 0.2  # px, how far a simplified path may stray
_NEGATIVE = (3.7, 1.6)  # dashes of contours below zero, in widths of the line
_CROSS = np.array([[-0.5, -0.5], [0.5, 0.5], [np.nan, np.nan], [-0.5, 0.5], [0.5, -0.5], [np.nan, np.nan]])
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}


@dataclass(frozen=True)
class Box:
    """A part of a figure in pixels, y downwards."""

    left: float
    top: float
    width: float
    height: float


def along(values: ArrayLike, limits: Limits, length: float, *, logarithmic: bool = False) -> Array:
    """How far values lie along an axis of some length, in pixels; NaN where they have no logarithm and need one."""
    values, ends = np.asarray(values, dtype=np.float64), np.array(limits)
    if logarithmic:
        values, ends = np.log10(np.where(values > 0.0, values, np.nan)), np.log10(ends)
    return np.asarray((values - ends[0]) / (ends[1] - ends[0]) * length)


class Sheet:
    """A figure of some size in pixels."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.axes: list[Axes] = []
        self._texts: list[str] = []

    def get_size_inches(self) -> Array:
        """Width and height, 72 pixels an inch."""
        return np.array([self.width, self.height]) / 72.0

    def add_axes(self, bounds: tuple[float, float, float, float]) -> Axes:
        """Axes at left, bottom, width and height, as shares of the sheet."""
        left, bottom, width, height = np.array(bounds) * [self.width, self.height, self.width, self.height]
        self.axes.append(Axes(Box(left, self.height - bottom - height, width, height)))
        return self.axes[-1]

    def text(self, x: float, y: float, text: str, **how: Any) -> None:
        """A text over all axes at a place, as shares of the sheet."""
        self._texts.append(_text(x * self.width, (1.0 - y) * self.height, text, **how))

    def svg(self, label: str | None = None, over: str = "") -> str:
        """All of it as one ``<svg>`` element.

        With a ``label`` it stands alone (a namespace, a title for those who cannot see it); without, it is
        decoration of an element that already says it. What lies ``over`` it comes last.
        """
        start = 'aria-hidden="true" focusable="false">'
        if label is not None:
            size = f'width="{self.width:g}" height="{self.height:g}"'
            start = f'xmlns="http://www.w3.org/2000/svg" role="img" {size}><title>{escape(label, quote=False)}</title>'
        drawn = "".join([*(axes.svg() for axes in self.axes), *self._texts])
        view = f'viewBox="0 0 {self.width:g} {self.height:g}" style="font-family: var(--font, system-ui, sans-serif)"'
        return f"<svg {view} {start}{drawn}{over}</svg>"


class Axes:
    """Axes in a part of a sheet."""

    def __init__(self, box: Box) -> None:
        self.box, self.xlim, self.ylim, self._is_log = box, (0.0, 1.0), (0.0, 1.0), False
        self._ticks: dict[str, Sequence[Any]] = {}
        self._grid = "y"
        self._drawn: list[tuple[float, str]] = []  # with their heights above the paper

    def set(self, *, xlim: Limits | None = None, ylim: Limits | None = None, **ticks: Sequence[Any]) -> None:
        """Set limits, places of ticks (``xticks``), and what they say (``xticklabels``)."""
        self.xlim, self.ylim = xlim or self.xlim, ylim or self.ylim
        self._ticks |= ticks

    def set_yscale(self, _: str, **__: Any) -> None:
        """Make the vertical axis logarithmic."""
        self._is_log = True

    def set_axis_off(self) -> None:
        """Draw neither axis."""
        self._grid = ""

    def grid(self, *, visible: bool = True, axis: str = "none", color: str = "") -> None:
        """Lines across at the ticks of one axis, or none."""
        self._grid = axis if visible else "none"

    def plot(self, x: ArrayLike, y: ArrayLike, *, color: str, zorder: float = 2.0, **how: Any) -> None:
        """A line, or a mark at every place."""
        places = self._pixels(x, y)
        if how.get("marker") == "o":  # strokes without length and with round ends: a few bytes for each
            dots = np.rint(places[np.isfinite(places).all(axis=1)] * 10).astype(np.int64).tolist()
            d = "".join(f"M{_tenths(x)} {_tenths(y)}h0" for x, y in dots)
            self._stroke(d, color, how["markersize"], zorder)
        elif how.get("marker"):
            crosses = (places[:, None] + how["markersize"] * _CROSS).reshape(-1, 2)
            self._stroke(_path(crosses), color, how["markeredgewidth"], zorder, cap="")
        else:
            cap = "" if "dashes" in how or how.get("solid_capstyle") == "butt" else "round"
            style = {"dashes": how.get("dashes", ()), "alpha": how.get("alpha", 1.0), "cap": cap}
            self._stroke(_path(places), color, how.get("linewidth", 1.6), zorder, **style)

    def fill(self, x: ArrayLike, y: ArrayLike, *, facecolor: str, **how: Any) -> None:
        """A polygon."""
        self._fill(_path(self._pixels(x, y), closed=True), facecolor, how.get("alpha", 1.0), how.get("zorder", 1.0))

    def annotate(
        self, text: str, at: tuple[float, float], offset: tuple[float, float], *, zorder: float = 3.0, **how: Any
    ) -> None:
        """A text some pixels right of and above a place."""
        (x, y), lowered = self._pixels(*at)[0], 0.26 * how["size"] if how.get("va") == "center" else 0.0
        self._drawn.append((zorder, _text(x + offset[0], y - offset[1] + lowered, text, **how)))

    def contourf(self, x: Array, y: Array, z: Array, levels: Sequence[float], *, colors: list[str], **how: Any) -> None:
        """The area where values z (of y, of x) lie between two levels, the least of all among them."""
        from contourpy import FillType, contour_generator

        low, high = levels
        areas = contour_generator(x, y, z, fill_type=FillType.OuterOffset).filled(low - (z.min() == low), high)
        rings = [ring for points, ends in zip(*areas, strict=True) for ring in np.split(points, ends[1:-1])]
        d = "".join(_path(self._pixels(*ring.T), closed=True) for ring in rings)
        self._fill(d, colors[0], how["alpha"], how["zorder"])

    def contour(self, x: Array, y: Array, z: Array, levels: Iterable[float], *, colors: list[str], **how: Any) -> None:
        """Lines along which values z (of y, of x) are at each level; those below zero are dashed."""
        from contourpy import LineType, contour_generator

        lines, width = contour_generator(x, y, z, line_type=LineType.Separate), how["linewidths"]
        for level in levels:
            d = "".join(_path(self._pixels(*np.asarray(line).T)) for line in lines.lines(level))
            dashes = how["linestyles"][0][1] if "linestyles" in how else _NEGATIVE if level < 0.0 else ()
            self._stroke(d, colors[0], width, how["zorder"], dashes=[width * dash for dash in dashes], cap="")

    def svg(self) -> str:
        """What is drawn, and the axes below."""
        if self._grid:
            self._axes()
        return "".join(element for _, element in sorted(self._drawn, key=lambda pair: pair[0]))

    def _axes(self) -> None:
        """Ticks with their labels, the grid, and the line at the bottom."""
        how: Any = {"size": TICK_SIZE, "color": LIGHT["muted"]}
        for x, label in zip(self._ticks.get("xticks", ()), self._ticks.get("xticklabels", ()), strict=True):
            if self._grid == "x":
                self.plot((x, x), self.ylim, color=LIGHT["grid"], linewidth=1.0, zorder=0.0)
            ((across, up),) = self._pixels(x, self.ylim[0])
            self._stroke(_path(np.array([[across, up], [across, up + 4.0]])), LIGHT["axis"], 1.0, 0.5, cap="")
            self._drawn.append((0.5, _text(across, up + 18.1, label, ha="center", **how)))
        for y, label in zip(self._ticks.get("yticks", ()), self._ticks.get("yticklabels", ()), strict=True):
            if self._grid == "y":
                self.plot(self.xlim, (y, y), color=LIGHT["grid"], linewidth=1.0, zorder=0.0)
            ((across, up),) = self._pixels(self.xlim[0], y)
            self._drawn.append((0.5, _text(across - 8.0, up + 4.5, label, ha="right", **how)))
        bottom = _path(self._pixels(self.xlim, self.ylim[:1] * 2))
        self._stroke(bottom, LIGHT["axis"], 1.0, 2.5, cap="square")

    def _pixels(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Places (n, 2) on the sheet; not finite where there is none."""
        across = along(x, self.xlim, self.box.width)
        up = along(y, self.ylim, self.box.height, logarithmic=self._is_log)
        return np.column_stack(np.broadcast_arrays(self.box.left + across, self.box.top + self.box.height - up))

    def _stroke(
        self, d: str, colour: str, width: float, zorder: float, *, dashes: Iterable[float] = (), alpha: float = 1.0,
        cap: str = "round",
    ) -> None:  # fmt: skip
        dashed = ",".join(f"{dash:g}" for dash in dashes)
        style = {"stroke-dasharray": dashed, "stroke": colour, "stroke-opacity": f"{alpha:g}" * (alpha < 1.0),
                 "stroke-width": f"{width:g}" * (width != 1.0), "stroke-linecap": cap}  # fmt: skip
        self._add(zorder, d, "fill: none" + "".join(f"; {name}: {value}" for name, value in style.items() if value))

    def _fill(self, d: str, colour: str, alpha: float, zorder: float) -> None:
        self._add(zorder, d, f"fill: {colour}" + (f"; opacity: {alpha:g}" if alpha < 1.0 else ""))

    def _add(self, zorder: float, d: str, style: str) -> None:
        if d:
            self._drawn.append((zorder, f'<path d="{d}" style="{with_variables(style)}" />'))


def _text(
    x: float, y: float, text: str, *, size: float, color: str, ha: str = "left", weight: str = "", **_: Any
) -> str:
    bold = "font-weight: 700; " if weight == "bold" else ""
    style = with_variables(f"{bold}font-size: {size:g}px; text-anchor: {_ANCHORS[ha]}; fill: {color}")
    place = f'x="{_tenths(round(x * 10))}" y="{_tenths(round(y * 10))}"'
    return f'<text {place} style="{style}">{escape(text, quote=False)}</text>' if text else ""


def _tenths(number: int) -> str:
    """A number of tenths as a decimal.

    >>> [_tenths(number) for number in (120, -5, 7)]
    ['12', '-.5', '.7']
    """
    text = f"{number / 10:g}" if number % 10 == 0 else f"{number / 10:.1f}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _path(points: Array, *, closed: bool = False) -> str:
    """A path with few digits, without vertices that make no difference, and with a gap where a place is not finite.

    >>> _path(np.array([[1.04, 2.0], [2.0, 2.0], [3.0, 2.0], [3.0, 9.0]]), closed=True)
    'M1 2l2 0l0 7z'
    """
    known = np.isfinite(points).all(axis=1)
    runs = np.split(points, np.flatnonzero(np.diff(known)) + 1)
    whole = (run for run in runs if len(run) and np.isfinite(run[0]).all())
    return "".join(_relative(simplified(run, _TOLERANCE)) + "z" * closed for run in whole)


def _relative(points: Array) -> str:
    places = np.rint(points * 10).astype(np.int64)
    steps = np.diff(places, axis=0)
    steps = steps[np.any(steps != 0, axis=1)] if len(steps) > 1 else steps
    x, y = places[0].tolist()
    return f"M{_tenths(x)} {_tenths(y)}" + "".join(
        f"l{_tenths(dx)}{'' if dy < 0 else ' '}{_tenths(dy)}" for dx, dy in steps.tolist()
    )

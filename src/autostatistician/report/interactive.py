"""Pictures that can be zoomed, and whose series can be switched: each panel as a specification of Vega-Lite.

The script that draws them stands within the page: that of the package vl-convert, which ends with our `interactive.js`.
It puts each picture in the place of the one that is drawn; where no script runs, that one stays.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Band, Figure, Line, Marker, Panel, Points
from autostatistician.describe.document.panels import BarPanel, Ranges
from autostatistician.errors import InputError
from autostatistician.report.draw import extent, is_time, line_colour, place, positions
from autostatistician.report.figures import figure_size
from autostatistician.report.hover import pointed_texts
from autostatistician.report.jsonform import plain, rounding
from autostatistician.report.palette import BAND_OPACITY
from autostatistician.report.svg import MOST_POINTS, heights, thinned

__all__ = ["check_interactive", "figure_specs", "script", "vega_lite"]

Spec = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
ZOOMED_DIGITS = 2  # of curves, beyond those that can be seen in the whole picture
DAY = 86_400_000.0  # milliseconds
TIGHT: Spec = {"nice": False, "padding": 5}  # of scales: they end some pixels beyond the data


def figure_specs(figure: Figure) -> list[Spec]:
    """The specifications of the panels; none where one of them can only be drawn."""
    height = figure_size(figure)[1]
    specs = [vega_lite(panel, height) for panel in figure.panels]
    return [spec for spec in specs if spec is not None] if all(specs) else []


def vega_lite(panel: Panel, height: float) -> Spec | None:
    """A panel of curves, points and markers, or of bars, so many pixels high and as wide as its place.

    None of panels of other kinds. The labels in the parameter ``hidden`` are switched off.
    """
    curves = type(panel) is Panel and not all(isinstance(layer, Marker) for layer in panel.layers)
    if not (curves or isinstance(panel, BarPanel)):
        return None
    drawn = _bars(panel) if isinstance(panel, BarPanel) else _Curves(panel).spec()
    return {
        "$schema": SCHEMA, "width": "container", "height": round(height),
        "autosize": {"type": "fit", "contains": "padding"}, "params": [{"name": "hidden", "value": []}], **drawn,
    }  # fmt: skip


def _zoomed(layers: list[Spec], axes: list[str]) -> list[Spec]:
    """Layers that are moved by dragging, and zoomed by the wheel with Ctrl: without, it scrolls the page."""
    select = {"type": "interval", "encodings": axes, "zoom": "wheel![event.ctrlKey]"}
    return [layers[0] | {"params": [{"name": "zoom", "bind": "scales", "select": select}]}, *layers[1:]]


def _layer(mark: str, look: Spec, encoding: Spec, columns: Spec, label: str = "") -> Spec:
    """One layer with the rows of its columns, which is not there while its label is switched off."""
    values = zip(*columns.values(), strict=True)
    rows = [dict(zip(columns, map(plain, row), strict=True)) for row in values]
    hidden = [{"filter": f"indexof(hidden, {json.dumps(label)}) < 0"}] if label else []
    mark_of = {"type": mark, "clip": True, **look}
    return {"data": {"values": rows}, "transform": hidden, "mark": mark_of, "encoding": encoding}


def _named(ticks: tuple[tuple[float, str], ...]) -> Spec:
    """The axis that is named at some places alone, where there are any."""
    names = json.dumps({f"{position:g}": name for position, name in ticks})
    values = [position for position, _ in ticks]
    return {"values": values, "labelExpr": f"{names}[datum.value]"} if ticks else {}


class _Curves:
    """The layers of a panel of curves, points and markers over axes that they share."""

    def __init__(self, panel: Panel) -> None:
        self.panel, self.times = panel, is_time(panel)
        ends = extent([self._x_of(layer) for layer in panel.layers], 0.0, 0.0)
        self.middle = 0.5 * sum(ends or (0.0, 0.0))
        scale = {"type": "utc", **TIGHT} if self.times else {"zero": False, **TIGHT}
        self.x: Spec = {"field": "x", "scale": scale, "title": panel.x_label or None, "axis": _named(panel.x_ticks)}
        self.x["type"] = "temporal" if self.times else "quantitative"
        scale = {"type": "log", **TIGHT} if panel.logarithmic else {"zero": False, **TIGHT}
        axis = {"tickMinStep": 1} if panel.counts else {}
        self.y = {"type": "quantitative", "scale": scale, "title": None, "axis": axis}
        self.samples, self.markers, self.rounded = count(), count(), rounding(panel, ZOOMED_DIGITS)

    def spec(self) -> Spec:
        """The title and the layers; one moves along the axis that has an order, else along both."""
        ordered = sorted(thinned(self.panel).layers, key=lambda layer: isinstance(layer, Marker))  # the first is zoomed
        layers = [drawn for layer in ordered for drawn in self._drawn(layer)]
        up = extent([y for layer in self.panel.layers for y in heights(layer)], 0.05, 0.0)
        pointed = pointed_texts(self.panel, MOST_POINTS, up or (0.0, 1.0))
        if pointed:
            layers.append(self._strips(*zip(*pointed, strict=True)))
        title, label = self.panel.title, self.panel.y_label
        named = {"text": title, "subtitle": label} if title else {"text": label, "style": "label"}
        return {"title": named, "layer": _zoomed(layers, ["x"] if pointed else ["x", "y"])}

    def _drawn(self, layer: Points | Line | Band | Marker) -> list[Spec]:
        match layer:
            case Marker(label=label):
                at = self._x_of(layer)
                text = {"align": "left", "dx": 4} if at[0] < self.middle else {"align": "right", "dx": -4}
                y = {"value": 8 + 14 * (next(self.markers) % 4)}
                name = {"x": self.x, "y": y, "text": {"field": "text"}}
                rule = _layer("rule", {"style": "marker"}, {"x": self.x}, {"x": at})
                return [rule, _layer("text", text, name, {"x": at, "text": [label]})]
            case Line(label=label, role=role):
                colour = line_colour(role, next(self.samples) if role == "sample" else 0)
                look = {"stroke": f"var(--{colour})", "strokeWidth": 1.1 if role == "sample" else 1.6}
                return [_layer("line", look, self._encoding("y"), self._rows(layer, y=layer.y), label)]
            case Band():
                return [self._band(layer)]
            case Points():
                return [self._points(layer)]

    def _band(self, band: Band) -> Spec:
        role = band.role if band.role in BAND_OPACITY else "signal"
        colour = f"var(--{'forecast' if role == 'forecast' else 'mean'})"
        mark, look = "area", {"fill": colour, "fillOpacity": BAND_OPACITY[role]}
        if isinstance(band, Ranges):
            mark, look = "rule", {"stroke": colour, "style": "range"}
        encoding = self._encoding("lower") | {"y2": {"field": "upper"}}
        return _layer(mark, look, encoding, self._rows(band, lower=band.lower, upper=band.upper), band.label)

    def _points(self, points: Points) -> Spec:
        look: Spec = {"size": 10 if len(points.y) <= 800 else 5}
        if points.role == "aside":
            look = {"style": "aside"}
        names = {"name": points.names} if points.names else {}
        tooltip = [{"field": "name", "type": "nominal", "title": points.label} for _ in names]
        told = {"x": (self.x["type"], self.panel.x_label), "y": ("quantitative", self.panel.y_label)}
        tooltip += [{"field": name, "type": kind, "title": title} for name, (kind, title) in told.items()]
        encoding = self._encoding("y") | {"tooltip": tooltip}
        return _layer("point", look, encoding, {"x": self._x_of(points), "y": points.y, **names}, points.label)

    def _strips(self, at: tuple[float, ...], texts: tuple[str, ...]) -> Spec:
        """What is said where a reader points at it: the strip under the pointer is shaded."""
        over = {"name": "over", "select": {"type": "point", "on": "pointerover", "clear": "pointerout"}}
        shade = {"condition": {"param": "over", "empty": False, "value": 0.12}, "value": 0}
        encoding = {"x": self.x, "opacity": shade, "tooltip": {"field": "text"}}
        drawn = _layer("rule", {"style": "strip"}, encoding, {"x": self._places(np.array(at)), "text": texts})
        return drawn | {"params": [over]}

    def _rows(self, layer: Line | Band, **curves: NDArray[np.float64]) -> Spec:
        return {"x": self._x_of(layer)} | {name: self.rounded(curve) for name, curve in curves.items()}

    def _encoding(self, y: str) -> Spec:
        return {"x": self.x, "y": {"field": y, **self.y}}

    def _x_of(self, layer: Points | Line | Band | Marker) -> NDArray[np.float64]:
        return self._places(np.array([place(layer)]) if isinstance(layer, Marker) else positions(layer.x))

    def _places(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Positions as the script counts them: times in milliseconds."""
        return np.rint(x * DAY) if self.times else x


def _bars(panel: BarPanel) -> Spec:
    """Bars from zero to each number, with a line over each range."""
    y = {"field": "name", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 240}}
    x = {"field": "value", "type": "quantitative", "title": panel.x_label or None}
    told = [{"field": name, "type": "quantitative"} for name in ("value", "lower", "upper")]
    columns: Spec = {"name": panel.names, "value": panel.values, "lower": panel.lower, "upper": panel.upper}
    bar = _layer("bar", {}, {"x": x, "y": y, "tooltip": told}, columns)
    ends = {"x": x | {"field": "lower"}, "x2": {"field": "upper"}, "y": y, "tooltip": told}
    ranges = _layer("rule", {"style": "end"}, ends, columns)
    return {"title": {"text": panel.title}, "layer": _zoomed([bar, ranges], ["x"])}


# --- The script ------------------------------------------------------------------------------------------------------


def check_interactive(suffix: str) -> None:
    """Raise an `InputError` where a format has no script, or what brings it is not installed."""
    if suffix not in (".html", ".htm"):
        raise InputError.of("a .html file for interactive pictures", repr(suffix), "change the name of the file")
    if find_spec("vl_convert") is None:
        remedy = "pip install vl-convert-python, or leave it out"
        raise InputError.of(
            "the package vl-convert-python for interactive pictures", "that it is not installed", remedy
        )


@cache
def script() -> str:
    """The packages that draw, ended by what puts the pictures into the page; making it takes seconds."""
    import vl_convert

    own = files("autostatistician.report").joinpath("templates", "interactive.js").read_text(encoding="utf-8")
    return str(vl_convert.javascript_bundle(own))

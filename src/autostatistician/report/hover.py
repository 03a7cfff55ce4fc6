"""What a panel says where a reader points at it: position and values, shown by style alone, without a script.

Over the panel lie transparent strips, one for each position; the one under the pointer is shaded, and its text stands
above the axes. On paper, and where nothing points, nothing is seen.
"""

from __future__ import annotations

from itertools import takewhile
from math import inf
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.rows import evenly_spaced
from autostatistician.describe.document.document import Band, Line, Panel, Points, Positions
from autostatistician.i18n.messages import message, say
from autostatistician.i18n.numbers import decimals_between, fixed
from autostatistician.report.draw import finest_unit, positions
from autostatistician.report.svg import Axes, Limits, along
from autostatistician.report.text import text_width
from autostatistician.report.ticks import date_of, day_name

__all__ = ["pointed_texts", "strips"]

Array = NDArray[np.float64]
Layer = Points | Line | Band

STRIP = 7.0  # px, the width of a strip at least
LEAST_WIDTH = 370.0  # px, of a panel: in a smaller one there is no room for the text
SIZE = 12.0  # px, of the text
ABOVE = 12.0  # px, of the text over the axes: where the labels stand
NAMES = {  # of roles
    "": message("data {value}"), "mean": message("curve {value}"), "aside": message("set aside {value}"),
    "earlier": message("earlier {value}"), "forecast": message("forecast {value}"),
}  # fmt: skip


def strips(panel: Panel, axes: Axes, width: float) -> str:
    """The strips over a drawn panel of some width in pixels; none over one without curves over an ordered axis."""
    box = axes.box
    pointed = pointed_texts(panel, int(box.width / STRIP), axes.ylim, 0.6 * width) if width >= LEAST_WIDTH else []
    if len(pointed) < 3:
        return ""
    pixels, right = box.left + along([at for at, _ in pointed], axes.xlim, box.width), box.left + box.width
    group = ElementTree.Element(
        "g", {"class": "hover", "transform": f"translate({right:.0f} {box.top - ABOVE:.0f})",
              "stroke-width": f"{max(box.width / len(pointed), STRIP):.0f}"},
    )  # fmt: skip
    for (_, told), pixel in zip(pointed, pixels, strict=True):
        strip = ElementTree.SubElement(group, "g")
        ElementTree.SubElement(strip, "path", {"d": f"M{pixel - right:.0f} {ABOVE:.0f}v{box.height:.0f}"})
        # Towards the middle, so that it is seen where only a part of a larger picture is.
        anchor = {"text-anchor": "end"} if pixel > right - 0.5 * box.width else {}
        text = ElementTree.SubElement(strip, "text", {"x": f"{pixel - right:.0f}", **anchor})
        text.text = told
    return ElementTree.tostring(group, encoding="unicode")


def pointed_texts(panel: Panel, most: int, up: Limits, room: float = inf) -> list[tuple[float, str]]:
    """At most so many positions of a panel with curves over an ordered axis, and what it says at each of them.

    ``up`` are the limits of the vertical axis, ``room`` is that of a text in pixels.
    """
    layers = [layer for layer in panel.layers if isinstance(layer, Layer) and layer.label and _is_ordered(layer.x)]
    layers = [
        layer for kind in (Points, Line, Band) for layer in layers if isinstance(layer, kind) and layer.role != "sample"
    ]
    if type(panel) is not Panel or not layers:
        return []
    places, layers_at = _places(layers, most), [(layer, positions(layer.x)) for layer in layers]
    decimals, unit = 1 if panel.logarithmic else decimals_between(*up), _unit(panel, layers)
    pointed = []
    for place, position in zip(places, positions(places).tolist(), strict=True):
        values = (_value(layer, x, position, decimals) for layer, x in layers_at)
        pointed.append((position, _text([_name(place, unit), *filter(None, values)], room)))
    return pointed


def _is_ordered(x: Positions) -> bool:
    numbers = positions(x)
    return len(x) > 0 and bool(np.isfinite(numbers).all() and np.all(np.diff(numbers) > 0.0))


def _places(layers: list[Layer], most: int) -> Positions:
    """Positions to point at: of the observations, beyond them of the curves; evenly fewer where they are many."""
    points = [layer.x for layer in layers if isinstance(layer, Points)]
    curves = [layer.x for layer in layers if isinstance(layer, Line)]
    if points and curves:
        last = max(x[-1] for x in points)
        curves = [x[x > last] for x in curves]
    every = np.unique(np.concatenate([*points, *curves] or [layers[0].x]))
    return every[evenly_spaced(len(every), most)]


def _text(parts: list[str], room: float) -> str:
    """Position and values, as many as there is room for."""
    ends = np.cumsum([text_width(part, SIZE) + 10.0 for part in parts])
    shown = [part for part, _ in takewhile(lambda pair: pair[1] <= room, zip(parts, ends, strict=True))]
    return " · ".join(shown)


def _value(layer: Layer, x: Array, at: float, decimals: int) -> str:
    """What a layer says at a position, a curve on the line between its points x; "" where it says nothing there."""
    if isinstance(layer, Points) and at not in x:
        return ""
    rows = [layer.y] if not isinstance(layer, Band) else [layer.lower, layer.upper]
    values = [float(np.interp(at, x, row, left=np.nan, right=np.nan)) for row in rows]
    if not np.isfinite(values).all():
        return ""
    texts = [fixed(value, decimals, trim=True) for value in values]
    if isinstance(layer, Band):
        return say("range {low} to {high}", low=texts[0], high=texts[1])
    return say(NAMES.get(layer.role, NAMES[""]), value=texts[0])


def _unit(panel: Panel, layers: list[Layer]) -> str:
    """The finest calendar unit that a position is named by: that of the observations, or what a strip can tell."""
    if any(isinstance(layer, Points) for layer in layers):
        return finest_unit(panel)
    days = max(float(np.ptp(positions(layer.x))) for layer in layers)
    return "Y" if days > 40_000.0 else "M" if days > 800.0 else "D" if days > 20.0 else "s"


def _name(place: np.generic, unit: str) -> str:
    """A position as the axis would name it."""
    if not isinstance(place, np.datetime64):
        return f"{place:.6g}"
    year, month, day, clock = date_of(float(positions(np.array([place]))[0]))
    if unit in "Ds":
        named = day_name(day, month, year)
        return f"{named} {clock[:5]}" if unit == "s" else named
    return year if unit == "Y" else f"{month} {year}"

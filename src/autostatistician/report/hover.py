"""What a panel says where a reader points at it: position and values, shown by style alone, without a script.

Over the panel lie transparent strips, one for each position; the one under the pointer is shaded, and its text stands
above the axes. On paper, and where nothing points, nothing is seen.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Band, Line, Panel, Points, Positions
from autostatistician.report.text import text_width
from autostatistician.wording.numbers import decimals_between, fixed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["strips"]

Array = NDArray[np.float64]
Layer = Points | Line | Band

STRIP = 7.0  # px, the width of a strip at least
LEAST_WIDTH = 370.0  # px, of a panel: in a smaller one there is no room for the text
SIZE = 12.0  # px, of the text
ABOVE = 12.0  # px, of the text over the axes: where the labels stand
NAMES = {"mean": "curve", "signal": "range", "observation": "range", "aside": "set aside"}  # of roles, if not alike
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def strips(panel: Panel, axes: Axes, width: float, height: float) -> ElementTree.Element | None:
    """The strips over a drawn panel of some size in pixels; None of one without curves over an ordered axis."""
    layers = [layer for layer in panel.layers if isinstance(layer, Layer) and layer.label and _is_ordered(layer.x)]
    layers = [
        layer for kind in (Points, Line, Band) for layer in layers if isinstance(layer, kind) and layer.role != "sample"
    ]
    if type(panel) is not Panel or not layers or width < LEAST_WIDTH:
        return None
    left, bottom, across, up = axes.get_position().bounds
    places = _places(layers, int(width * across / STRIP))
    if len(places) < 3:
        return None
    pixels = width * (left + across * _shares(places, axes.get_xlim()))
    decimals = decimals_between(*axes.get_ylim()) if not panel.logarithmic else 1
    right, top = width * (left + across), height * (1.0 - bottom - up)
    group = ElementTree.Element(
        "g", {"class": "hover", "transform": f"translate({right:.0f} {top - ABOVE:.0f})",
              "stroke-width": f"{max(width * across / len(places), STRIP):.0f}"},
    )  # fmt: skip
    for place, pixel in zip(places, pixels, strict=True):
        strip = ElementTree.SubElement(group, "g")
        ElementTree.SubElement(strip, "path", {"d": f"M{pixel - right:.0f} {ABOVE:.0f}v{height * up:.0f}"})
        # Towards the middle, so that it is seen where only a part of a larger picture is.
        anchor = {"text-anchor": "end"} if pixel > right - 0.5 * width * across else {}
        text = ElementTree.SubElement(strip, "text", {"x": f"{pixel - right:.0f}", **anchor})
        text.text = _text(place, layers, decimals, 0.6 * width)
    return group


def _is_ordered(x: Positions) -> bool:
    numbers = _numbers(x)
    return len(x) > 0 and bool(np.isfinite(numbers).all() and np.all(np.diff(numbers) > 0.0))


def _places(layers: list[Layer], most: int) -> Positions:
    """Positions to point at: of the observations, beyond them of the curves; evenly fewer where they are many."""
    points = [layer.x for layer in layers if isinstance(layer, Points)]
    curves = [layer.x for layer in layers if isinstance(layer, Line)]
    if points and curves:
        last = max(x[-1] for x in points)
        curves = [x[x > last] for x in curves]
    every = np.unique(np.concatenate([*points, *curves] or [layers[0].x]))
    return every if len(every) <= most else every[np.linspace(0, len(every) - 1, most).round().astype(int)]


def _shares(x: Positions, limits: tuple[float, float]) -> Array:
    """Where positions lie between the limits of the axis; times are days there."""
    return np.asarray((_numbers(x) - limits[0]) / (limits[1] - limits[0]))


def _numbers(x: Positions) -> Array:
    """Positions as the axis counts them: times in days."""
    if x.dtype.kind != "M":
        return np.asarray(x, dtype=np.float64)
    return np.where(np.isnat(x), np.nan, np.asarray(x, "M8[us]").astype(np.int64) / 86_400e6)


def _text(place: np.generic, layers: list[Layer], decimals: int, room: float) -> str:
    """Position and values, as many as there is room for."""
    parts = [_name(place, layers), *filter(None, (_value(layer, place, decimals) for layer in layers))]
    ends = np.cumsum([text_width(part, SIZE) + 10.0 for part in parts])
    shown = [part for part, _ in takewhile(lambda pair: pair[1] <= room, zip(parts, ends, strict=True))]
    return " · ".join(shown)


def _value(layer: Layer, place: np.generic, decimals: int) -> str:
    """What a layer says at a position; "" where it says nothing there."""
    index = int(np.searchsorted(layer.x, place))
    here = index < len(layer.x) and layer.x[index] == place
    if isinstance(layer, Points) and not here:
        return ""
    rows = [layer.y] if not isinstance(layer, Band) else [layer.lower, layer.upper]
    values = [_between(layer.x, row, place, index) for row in rows]
    if not np.isfinite(values).all():
        return ""
    name = NAMES.get(layer.role, layer.role) or "data"
    if name == "forecast" and isinstance(layer, Band):
        name = "range"
    return f"{name} {' to '.join(fixed(value, decimals, trim=True) for value in values)}"


def _between(x: Positions, y: Array, place: np.generic, index: int) -> float:
    """The value of a curve at a position, on the line between its points; NaN outside."""
    if index < len(x) and x[index] == place:
        return float(y[index])
    if not 0 < index < len(x):
        return float("nan")
    share = float((place - x[index - 1]) / (x[index] - x[index - 1]))
    return float((1.0 - share) * y[index - 1] + share * y[index])


def _name(place: np.generic, layers: list[Layer]) -> str:
    """A position as the axis would name it: a time in the finest unit that the observations need."""
    if not isinstance(place, np.datetime64):
        return f"{place:.6g}"
    times = [layer.x for layer in layers if isinstance(layer, Points)]
    days = max(float(np.ptp(_numbers(layer.x))) for layer in layers)
    unit = next((unit for unit in "YMD" if all(np.all(x == x.astype(f"M8[{unit}]")) for x in times)), "s")
    if not times:  # of curves alone as finely as a strip can tell
        unit = "Y" if days > 40_000.0 else "M" if days > 800.0 else "D" if days > 20.0 else "s"
    date = place.astype("M8[s]").item()
    year = f"{MONTHS[date.month - 1]} {date.year}" if unit != "Y" else f"{date.year}"
    day = f"{date.day} {year}" if unit in "Ds" else year
    return f"{day} {date:%H:%M}" if unit == "s" else day

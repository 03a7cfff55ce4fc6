"""Figures of a document as SVG for pages and files, and as matplotlib figures for those who want to go on drawing."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from itertools import count
from typing import TYPE_CHECKING, Any

from autostatistician.describe.document.document import Band, Figure, Line, Marker, Panel, Points
from autostatistician.describe.document.panels import DensityPanel, GroupPoints, StackedFigure, TreePanel
from autostatistician.report.draw import ASIDE, Box, line_colour
from autostatistician.report.hover import strips
from autostatistician.report.palette import BAND_OPACITY, LIGHT, group_colour
from autostatistician.report.panels import draw_any
from autostatistician.report.svg import page_svg
from autostatistician.report.text import cleaned, text_width
from autostatistician.report.ticks import TICK_SIZE
from autostatistician.report.tree import tree_height

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure as MatplotlibFigure

__all__ = [
    "Key",
    "columns",
    "figure_matplotlib",
    "figure_panels",
    "figure_print",
    "figure_svg",
    "legend",
    "page_style",
    "panel_svg",
]

# Sizes in pixels of the reader's page: text of 12 pixels stays 12 pixels on a page of 780.
WIDE, HALF, THIRD = (780.0, 310.0), (380.0, 280.0), (247.0, 225.0)
LOW, LOW_HALF = (780.0, 190.0), (380.0, 190.0)  # of panels one under the other
SHAPES = (780.0, 480.0)
_GAP = 20.0
_ROW = 20.0  # height of a row of the legend


@dataclass(frozen=True)
class Key:
    """One entry of a legend: ``kind`` is "points", "line" or "band"."""

    kind: str
    role: str
    label: str


def columns(figure: Figure) -> int:
    """How many panels stand side by side on a wide page."""
    n = 1 if isinstance(figure, StackedFigure) else len(figure.panels)
    return {1: 1, 2: 2, 4: 2}.get(n, 3)


def _size(figure: Figure) -> tuple[float, float]:
    return LOW if isinstance(figure, StackedFigure) else _fitted(figure, {1: WIDE, 2: HALF, 3: THIRD}[columns(figure)])


def _fitted(figure: Figure, size: tuple[float, float]) -> tuple[float, float]:
    """The size of the panels: trees are as high as they must be, shapes alone on a page high enough to be seen."""
    if size == WIDE and any(isinstance(panel, DensityPanel) for panel in figure.panels):
        return SHAPES
    trees = [tree_height(panel, size[0]) for panel in figure.panels if isinstance(panel, TreePanel)]
    return size[0], max(trees, default=size[1])


def legend(figure: Figure) -> tuple[Key, ...]:
    """The legend that all panels share: one entry for each kind of layer; none where there is only one kind."""
    keys: dict[Key, None] = {}
    for panel in figure.panels:
        for layer in panel.layers:
            match layer:
                case GroupPoints(label=label, group=group) if label:
                    keys[Key("points", group_colour(group), label)] = None
                case Points(label=label, role=role) if label:
                    keys[Key("points", role, label)] = None
                case Line(label=label, role=role) if label:
                    keys[Key("line", role, label)] = None
                case Band(label=label, role=role) if label:
                    keys[Key("band", role, label)] = None
                case Points() | Line() | Band() | Marker():
                    pass
    return tuple(keys) if len(keys) > 1 else ()


@cache
def _sheet() -> dict[str, Any]:
    """Our style with the colours of the light page, read once."""
    import matplotlib

    with as_file(files("autostatistician.report") / "autostatistician.mplstyle") as path:
        style = matplotlib.rc_params_from_file(path, use_default_template=False)
    sheet = {str(name): value for name, value in style.items()}
    axis, muted = LIGHT["axis"], LIGHT["muted"]
    ticks = {"color": axis, "labelcolor": muted, "labelsize": TICK_SIZE}
    of_ticks = {f"{side}tick.{name}": value for side in "xy" for name, value in ticks.items()}
    return {**sheet, "axes.edgecolor": axis, "grid.color": LIGHT["grid"], **of_ticks}


@contextmanager
def page_style() -> Iterator[None]:
    """Our style alone, whatever the user has set, and no complaints about letters that a font lacks."""
    import matplotlib.style

    with matplotlib.style.context(["default", _sheet()]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="(?s).*Glyph .* missing from")
        yield


def _blank(width: float, height: float, dpi: float = 72) -> MatplotlibFigure:
    """An empty figure; its size is in points, which are the pixels of the SVG."""
    from matplotlib.figure import Figure as MatplotlibFigure

    return MatplotlibFigure(figsize=(width / 72, height / 72), dpi=dpi)


def _written(figure: MatplotlibFigure) -> str:
    figure.patch.set_visible(False)
    for axes in figure.axes:
        axes.patch.set_visible(False)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def panel_svg(panel: Panel, size: tuple[float, float], *, hover: bool = False) -> str:
    """One panel as an ``<svg>`` element for a page; sizes in pixels. With ``hover`` it says what is pointed at."""
    with page_style():
        figure, panel = _blank(*size), cleaned(panel)
        draw_any(figure, panel, Box(0.0, 0.0, *size))
        over = strips(panel, figure.axes[0], *size) if hover and len(figure.axes) == 1 else None
        return page_svg(_written(figure), over=over)


def figure_panels(figure: Figure) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The panels as SVG for a wide page, and for a narrow one where those would be too small to read there."""
    wide = tuple(panel_svg(panel, _size(figure), hover=True) for panel in figure.panels)
    narrow = LOW_HALF if isinstance(figure, StackedFigure) else _fitted(figure, HALF)
    return wide, () if columns(figure) == 2 else tuple(panel_svg(panel, narrow) for panel in figure.panels)


def figure_svg(figure: Figure) -> str:
    """The whole figure as one SVG that can stand alone: all panels, their legend, and the alternative text.

    The same figure gives the same bytes. No text of the figure is read as mathematics or as markup.
    """
    with page_style():
        return page_svg(_written(_whole(cleaned(figure))), label=cleaned(figure.alt))


def figure_print(figure: Figure) -> bytes:
    """The whole figure as an SVG for paper: letters are drawn as outlines, so that it looks alike everywhere."""
    import matplotlib

    with page_style(), matplotlib.rc_context({"svg.fonttype": "path"}):
        return _written(_whole(cleaned(figure))).encode()


def figure_matplotlib(figure: Figure) -> MatplotlibFigure:
    """The whole figure as a matplotlib figure (not known to pyplot), in the colours of the light page.

    Positions of dates are matplotlib's date numbers (days since 1970-01-01).
    """
    with page_style():
        return _whole(cleaned(figure), dpi=144)  # notebooks show pixels, not points


def _whole(figure: Figure, dpi: float = 72) -> MatplotlibFigure:
    across, (width, height) = columns(figure), _size(figure)
    total = across * (width + _GAP) + _GAP
    down = -(-len(figure.panels) // across)
    rows = _rows(legend(figure), total - 2 * _GAP)
    whole = _blank(total, down * (height + _GAP) + len(rows) * _ROW + _GAP, dpi)
    for index, panel in enumerate(figure.panels):
        row, column = divmod(index, across)
        left, top = _GAP + column * (width + _GAP), _GAP / 2 + row * (height + _GAP)
        draw_any(whole, panel, Box(left, top, width, height))
    for index, keys in enumerate(rows):
        _draw_legend(whole, keys, _GAP / 2 + (len(rows) - index) * _ROW)
    return whole


def _rows(keys: tuple[Key, ...], width: float) -> list[list[Key]]:
    """Legend entries in rows of at most a width in pixels."""
    rows: list[list[Key]] = []
    used = width
    for key in keys:
        need = text_width(key.label, 12.0) + 52.0
        if used + need > width:
            rows.append([])
            used = 0.0
        rows[-1].append(key)
        used += need
    return rows


def _draw_legend(whole: MatplotlibFigure, keys: list[Key], top: float) -> None:
    samples, (width, height) = count(), whole.get_size_inches() * 72
    handles = [_handle(key, next(samples) if key.role == "sample" else 0) for key in keys]
    whole.legend(
        handles=handles, labels=[key.label for key in keys], loc="upper left", ncols=len(keys), fontsize=12,
        bbox_to_anchor=(_GAP / width, top / height), borderaxespad=0.0, borderpad=0.1, labelcolor=LIGHT["muted"],
    )  # fmt: skip


def _handle(key: Key, index: int) -> Artist:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    match key.kind:
        case "points" if key.role == "aside":
            return Line2D([], [], linestyle="none", **ASIDE)
        case "points":
            colour = LIGHT[key.role or "data"]
            return Line2D([], [], linestyle="none", marker="o", markersize=4, color=colour, markeredgewidth=0)
        case "band":
            colour = LIGHT["forecast" if key.role == "forecast" else "mean"]
            return Patch(facecolor=colour, alpha=BAND_OPACITY.get(key.role, BAND_OPACITY["signal"]), linewidth=0)
    return Line2D([], [], color=LIGHT[line_colour(key.role, index)], linewidth=1.6)

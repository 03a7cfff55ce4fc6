"""Figures of a document as SVG for pages and files, and as matplotlib figures for those who want to go on drawing."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import as_file, files
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from autostatistician.describe.document.document import Band, Figure, Line, Panel, Points
from autostatistician.describe.document.panels import (
    BarPanel,
    DensityPanel,
    GroupPoints,
    HeatPanel,
    StackedFigure,
    TreeNode,
    TreePanel,
)
from autostatistician.errors import check_installed
from autostatistician.report.draw import (
    ASIDE,
    add_axes,
    area,
    dots,
    draw_heat,
    draw_panel,
    extent,
    line_colour,
    set_ticks,
    stroke,
    write,
    write_title,
)
from autostatistician.report.hover import strips
from autostatistician.report.palette import BAND_OPACITY, LIGHT, group_colour
from autostatistician.report.svg import Box, Sheet
from autostatistician.report.text import cleaned, cut, text_width, wrapped
from autostatistician.report.ticks import TICK_SIZE, Tick, number_ticks

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MatplotlibFigure

    from autostatistician.report.draw import Axes, Drawn

__all__ = [
    "LegendEntry", "columns", "figure_matplotlib", "figure_panels", "figure_print", "figure_size", "figure_svg",
    "legend", "page_style", "panel_svg",
]  # fmt: skip


Surface = TypeVar("Surface", "MatplotlibFigure", Sheet)

# Pixels.
_TEXT, _NOTE, _LINE = 11.5, 10.5, 14.0

_GUTTER, _BETWEEN, _PAD = 70.0, 12.0, 7.0

_APART = 26.0  # between rows

_BOX = 145.0  # least width

_LINES, _MOST, _ALL = 5, 9, 42  # of an expression at most, in a tree of many rows and of few; in all rows together

_SURE = 1.08  # fonts on paper are wider than those of pages

_LABEL = 12.0  # px

_WIDEST = 0.42  # of the box, for names

_THICK = 0.56  # of the room of a bar

_THICKEST = 20.0  # px

_RIGHT, _BELOW = 14.0, 42.0  # px

# Sizes in pixels of the reader's page: text of 12 pixels stays 12 pixels on a page of 780.
WIDE, HALF, THIRD = (780.0, 310.0), (380.0, 280.0), (247.0, 225.0)

LOW, LOW_HALF = (780.0, 190.0), (380.0, 190.0)  # of panels one under the other

SHAPES = (780.0, 480.0)

_GAP = 20.0

_ROW, _KEY = 20.0, 24.0  # px, of the legend: the height of a row, and what stands before a label


@dataclass(frozen=True)
class LegendEntry:
    """One entry of a legend: ``kind`` is "points", "line" or "band"."""

    kind: str
    role: str
    label: str


def columns(figure: Figure) -> int:
    """How many panels stand side by side on a wide page."""
    n = 1 if isinstance(figure, StackedFigure) else len(figure.panels)
    return {1: 1, 2: 2, 4: 2}.get(n, 3)


def figure_size(figure: Figure) -> tuple[float, float]:
    """Width and height of each panel on a wide page, in pixels."""
    return LOW if isinstance(figure, StackedFigure) else _fitted(figure, {1: WIDE, 2: HALF, 3: THIRD}[columns(figure)])


def _fitted(figure: Figure, size: tuple[float, float]) -> tuple[float, float]:
    """The size of the panels: trees are as high as they must be, shapes alone on a page high enough to be seen."""
    if size == WIDE and any(isinstance(panel, DensityPanel) for panel in figure.panels):
        return SHAPES
    trees = [tree_height(panel, size[0]) for panel in figure.panels if isinstance(panel, TreePanel)]
    return size[0], max(trees, default=size[1])


def legend(figure: Figure) -> tuple[LegendEntry, ...]:
    """The legend that all panels share: one entry for each kind of layer; none where there is only one kind."""
    keys: dict[LegendEntry, None] = {}
    for panel in figure.panels:
        for layer in panel.layers:
            match layer:
                case GroupPoints(label=label, group=group) if label:
                    keys[LegendEntry("points", group_colour(group), label)] = None
                case Points(label=label, role=role) if label:
                    keys[LegendEntry("points", role, label)] = None
                case Line(label=label, role=role) if label:
                    keys[LegendEntry("line", role, label)] = None
                case Band(label=label, role=role) if label:
                    keys[LegendEntry("band", role, label)] = None
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
    check_installed("matplotlib", "figures")
    import matplotlib.style

    with matplotlib.style.context(["default", _sheet()]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="(?s).*Glyph .* missing from")
        yield


def _blank(width: float, height: float, dpi: float = 72) -> MatplotlibFigure:
    """An empty figure; its size is in points, which are the pixels of the SVG."""
    from matplotlib.figure import Figure as MatplotlibFigure

    return MatplotlibFigure(figsize=(width / 72, height / 72), dpi=dpi)


def panel_svg(panel: Panel, size: tuple[float, float], *, hover: bool = False) -> str:
    """One panel as an ``<svg>`` element for a page; sizes in pixels. With ``hover`` it says what is pointed at."""
    sheet, panel = Sheet(*size), cleaned(panel)
    draw_any(sheet, panel, Box(0.0, 0.0, *size))
    return sheet.svg(over=strips(panel, sheet.axes[0], size[0]) if hover and len(sheet.axes) == 1 else "")


def figure_panels(figure: Figure) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The panels as SVG for a wide page, and for a narrow one where those would be too small to read there."""
    wide = tuple(panel_svg(panel, figure_size(figure), hover=True) for panel in figure.panels)
    narrow = LOW_HALF if isinstance(figure, StackedFigure) else _fitted(figure, HALF)
    return wide, () if columns(figure) == 2 else tuple(panel_svg(panel, narrow) for panel in figure.panels)


def figure_svg(figure: Figure) -> str:
    """The whole figure as one SVG that can stand alone: all panels, their legend, and the alternative text.

    The same figure gives the same bytes. No text of the figure is read as mathematics or as markup.
    """
    return _whole(cleaned(figure), Sheet).svg(label=cleaned(figure.alt))


def figure_print(figure: Figure) -> bytes:
    """The whole figure as an SVG for paper: letters are drawn as outlines, so that it looks alike everywhere."""
    import matplotlib

    written = io.BytesIO()
    with page_style(), matplotlib.rc_context({"svg.fonttype": "path"}):
        _whole(cleaned(figure), _blank).savefig(written, format="svg", metadata={"Date": None}, transparent=True)
    return written.getvalue()


def figure_matplotlib(figure: Figure) -> MatplotlibFigure:
    """The whole figure as a matplotlib figure (not known to pyplot), in the colours of the light page.

    Positions of dates are matplotlib's date numbers (days since 1970-01-01).
    """
    with page_style():
        return _whole(cleaned(figure), partial(_blank, dpi=144))  # notebooks show pixels, not points


def _whole(figure: Figure, blank: Callable[[float, float], Surface]) -> Surface:
    across, (width, height) = columns(figure), figure_size(figure)
    total = across * (width + _GAP) + _GAP
    down = -(-len(figure.panels) // across)
    rows = _rows(legend(figure), total - 2 * _GAP)
    canvas = blank(total, down * (height + _GAP) + len(rows) * _ROW + _GAP)
    for index, panel in enumerate(figure.panels):
        row, column = divmod(index, across)
        left, top = _GAP + column * (width + _GAP), _GAP / 2 + row * (height + _GAP)
        draw_any(canvas, panel, Box(left, top, width, height))
    for index, keys in enumerate(rows):
        _draw_legend(canvas, keys, _GAP / 2 + (len(rows) - index) * _ROW)
    return canvas


def _rows(keys: tuple[LegendEntry, ...], width: float) -> list[list[LegendEntry]]:
    """Legend entries in rows of at most a width in pixels."""
    rows: list[list[LegendEntry]] = []
    used = width
    for key in keys:
        need = text_width(key.label, _LABEL) + 52.0
        if used + need > width:
            rows.append([])
            used = 0.0
        rows[-1].append(key)
        used += need
    return rows


def _draw_legend(canvas: Drawn, keys: list[LegendEntry], top: float) -> None:
    samples, (width, height) = count(), canvas.get_size_inches() * 72
    axes, x, y = canvas.add_axes((0.0, 0.0, 1.0, 1.0)), _GAP, top - 6.0
    axes.set(xlim=(0.0, width), ylim=(0.0, height))
    axes.set_axis_off()
    for key in keys:
        match key.kind:
            case "points" if key.role == "aside":
                axes.plot([x + 0.5 * _KEY], [y], linestyle="none", **ASIDE)
            case "points":
                dots(axes, [x + 0.5 * _KEY], [y], key.role or "data", 4.0, 3)
            case "band":
                colour, opacity = "forecast" if key.role == "forecast" else "mean", BAND_OPACITY.get(key.role)
                edges = [x, x + _KEY, x + _KEY, x], [y - 4.0, y - 4.0, y + 4.0, y + 4.0]
                area(axes, *edges, colour, opacity or BAND_OPACITY["signal"], 3)
            case _:
                colour = line_colour(key.role, next(samples) if key.role == "sample" else 0)
                stroke(axes, [x, x + _KEY], [y, y], colour, 1.6, 3)
        canvas.text((x + 1.4 * _KEY) / width, (y - 4.0) / height, key.label, size=_LABEL, color=LIGHT["muted"])
        x += text_width(key.label, _LABEL) + 52.0


# --- Panels of every kind drawn into a box of a matplotlib figure ---------------------------------------------------


def draw_any(figure: Drawn, panel: Panel, box: Box) -> None:
    """Draw a panel into a box by its kind."""
    match panel:
        case BarPanel():
            draw_bars(figure, panel, box)
        case HeatPanel():
            draw_heat(figure, panel, box)
        case TreePanel():
            draw_tree(figure, panel, box)
        case _:
            draw_panel(figure, panel, box)


# --- Named numbers as bars with ranges ------------------------------------------------------------------------------


def draw_bars(figure: Drawn, panel: BarPanel, box: Box) -> None:
    """Draw bars from zero to each number, a line over each range, and the names at the left."""
    top = write_title(figure, box, panel.title)
    count = len(panel.names)
    if not count:
        return
    names = [cut(name, _WIDEST * box.width, TICK_SIZE) for name in panel.names]
    left = max(text_width(name, TICK_SIZE) for name in names) + 10.0
    inner = Box(left, top, box.width - left - _RIGHT, box.height - top - _BELOW)
    values = [np.zeros(1), panel.values, panel.lower, panel.upper]
    low, high = extent(values, 0.03, 0.0) or (0.0, 1.0)
    across = (0.0 if min(map(np.min, values)) >= 0.0 else low, high)
    axes = add_axes(figure, box, inner, across, (count - 0.5, -0.5))
    axes.grid(visible=False)
    axes.grid(axis="x", color=LIGHT["grid"])
    thick = min(_THICK, _THICKEST * count / inner.height)
    for row in range(count):
        _bar(axes, panel, row, thick)
    set_ticks(axes, number_ticks(*across, inner.width), tuple(Tick(row, name) for row, name in enumerate(names)))
    middle = inner.left + inner.width / 2
    label = cut(panel.x_label, box.width, _LABEL)
    x = min(max(middle, text_width(label, _LABEL) / 2), box.width - text_width(label, _LABEL) / 2)
    write(figure, box, x, box.height - 5.0, label, ha="center", size=_LABEL, color=LIGHT["muted"])


def _bar(axes: Axes, panel: BarPanel, row: int, thick: float) -> None:
    value, low, high = float(panel.values[row]), float(panel.lower[row]), float(panel.upper[row])
    if not np.isfinite([value, low, high]).all():
        return
    half = 0.5 * thick
    edges = [row - half, row - half, row + half, row + half]
    area(axes, [0.0, value, value, 0.0], edges, "mean", 2.0 * BAND_OPACITY["signal"], 3)
    stroke(axes, [low, high], [row, row], "data", 1.4, 4)
    for end in (low, high):
        stroke(axes, [end, end], [row - half / 2, row + half / 2], "data", 1.4, 4)


# --- The tree of a search: boxes in rows, with lines from each model to those made of it ----------------------------


@dataclass(frozen=True)
class _Placed:
    """A node with its place."""

    node: TreeNode
    place: int  # in its row
    lines: tuple[str, ...]
    left: float
    top: float
    width: float
    height: float


def tree_height(panel: TreePanel, width: float) -> float:
    """Height in pixels that a tree needs."""
    return max((node.top + node.height for node in _placed(panel, width).values()), default=0.0) + 8.0


def draw_tree(figure: Drawn, panel: TreePanel, box: Box) -> None:
    """Draw the rows of a tree into a box, as many models of each as there is room for."""
    width, height = figure.get_size_inches() * 72
    placed = _placed(panel, box.width)
    across, up = box.width / width, box.height / height
    axes = figure.add_axes((box.left / width, 1.0 - (box.top + box.height) / height, across, up))
    axes.set(xlim=(0.0, box.width), ylim=(box.height, 0.0))
    axes.set_axis_off()
    for child in placed.values():
        if child.node.parent in placed:
            _connect(axes, placed[child.node.parent], child)
    for node in placed.values():
        _draw(axes, figure, box, node)
    for row, (name, note) in enumerate(panel.rows):
        top = min((node.top for node in placed.values() if node.node.row == row), default=0.0)
        write(figure, box, 0.0, top + 15.0, name, size=_TEXT, color=LIGHT["ink"])
        for line, text in enumerate(wrapped(note, _GUTTER, _NOTE)):
            write(figure, box, 0.0, top + 30.0 + 13.0 * line, text, size=_NOTE, color=LIGHT["muted"])


def _placed(panel: TreePanel, width: float) -> dict[int, _Placed]:
    """The nodes for which there is room, those on the way first, by their index."""
    room = width - _GUTTER
    most = max(int((room + _BETWEEN) / (_BOX + _BETWEEN)), 1)
    many = min(most, max((sum(node.row == row for node in panel.nodes) for row in range(len(panel.rows))), default=1))
    each = min((room - (many - 1) * _BETWEEN) / many, 1.6 * _BOX)
    allowed = min(max(_LINES, _ALL // max(len(panel.rows), 1)), _MOST)
    placed, top = {}, 4.0
    for row in range(len(panel.rows)):
        members = [index for index, node in enumerate(panel.nodes) if node.row == row]
        kept = sorted(sorted(members, key=lambda index: not panel.nodes[index].chosen)[:many])
        texts = [wrapped(panel.nodes[index].text, each - 2 * _PAD, _SURE * _TEXT, allowed) for index in kept]
        height = max(max(map(len, texts), default=0) + 1, 2) * _LINE + 2 * _PAD
        for place, (index, lines) in enumerate(zip(kept, texts, strict=True)):
            left = _GUTTER + place * (each + _BETWEEN)
            placed[index] = _Placed(panel.nodes[index], place, lines, left, top, each, height)
        top += height + _APART
    return placed


def _connect(axes: Axes, parent: _Placed, child: _Placed) -> None:
    on_way = parent.node.chosen and child.node.chosen
    x, y = parent.left + 0.5 * parent.width, parent.top + parent.height
    end, low = child.left + 0.5 * child.width, child.top
    turn = low - (0.3 + 0.13 * min(parent.place, 3)) * _APART  # lines of different parents do not run into each other
    look = ("mean", 2.0, 3) if on_way else ("axis", 1.0, 2)
    stroke(axes, [x, x, end, end], [y, turn, turn, low], *look)


def _draw(axes: Axes, figure: Drawn, box: Box, drawn: _Placed) -> None:
    right, bottom, chosen = drawn.left + drawn.width, drawn.top + drawn.height, drawn.node.chosen
    corners = [drawn.left, right, right, drawn.left], [drawn.top, drawn.top, bottom, bottom]
    area(axes, *corners, "paper", 1.0, 4)
    if chosen:
        area(axes, *corners, "mean", BAND_OPACITY["observation"], 5)
    look = ("mean", 1.4, 6) if chosen else ("axis", 0.8, 6)
    stroke(axes, [*corners[0], drawn.left], [*corners[1], drawn.top], *look)
    for row, line in enumerate(drawn.lines):
        y = drawn.top + _PAD + 10.0 + row * _LINE
        write(figure, box, drawn.left + _PAD, y, line, size=_TEXT, color=LIGHT["ink"])
    note = cut(drawn.node.note, drawn.width - 2 * _PAD, _NOTE)
    write(figure, box, drawn.left + _PAD, bottom - _PAD - 1.0, note, size=_NOTE, color=LIGHT["muted"])

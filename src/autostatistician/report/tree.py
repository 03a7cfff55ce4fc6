"""The tree of a search: boxes in rows, with lines from each model to those made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autostatistician.describe.document.panels import TreeNode, TreePanel
from autostatistician.report.draw import Box, write
from autostatistician.report.palette import BAND_OPACITY, LIGHT
from autostatistician.report.text import cut, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as MatplotlibFigure

__all__ = ["draw_tree", "tree_height"]

# Pixels.
_TEXT, _NOTE, _LINE = 11.5, 10.5, 14.0
_GUTTER, _BETWEEN, _PAD = 70.0, 12.0, 7.0
_APART = 26.0  # between rows
_BOX = 145.0  # least width
_LINES, _MOST, _ALL = 5, 9, 42  # of an expression at most, in a tree of many rows and of few; in all rows together
_SURE = 1.08  # fonts on paper are wider than those of pages


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


def draw_tree(figure: MatplotlibFigure, panel: TreePanel, box: Box) -> None:
    """Draw the rows of a tree into a box, as many models of each as there is room for."""
    width, height = figure.get_size_inches() * 72
    placed = _placed(panel, box.width)
    across, up = box.width / width, box.height / height
    axes = figure.add_axes((box.left / width, 1.0 - (box.top + box.height) / height, across, up))
    axes.set_xlim(0.0, box.width)
    axes.set_ylim(box.height, 0.0)
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
    axes.plot(
        [x, x, end, end], [y, turn, turn, low], color=LIGHT["mean" if on_way else "axis"],
        linewidth=2.0 if on_way else 1.0, zorder=3 if on_way else 2, clip_on=False, solid_joinstyle="round",
    )  # fmt: skip


def _draw(axes: Axes, figure: MatplotlibFigure, box: Box, drawn: _Placed) -> None:
    right, bottom, chosen = drawn.left + drawn.width, drawn.top + drawn.height, drawn.node.chosen
    corners = [drawn.left, right, right, drawn.left], [drawn.top, drawn.top, bottom, bottom]
    axes.fill(*corners, facecolor=LIGHT["paper"], edgecolor="none", linewidth=0.0, zorder=4, clip_on=False)
    if chosen:
        axes.fill(
            *corners, facecolor=LIGHT["mean"], alpha=BAND_OPACITY["observation"], edgecolor="none", linewidth=0.0,
            zorder=5, clip_on=False,
        )  # fmt: skip
    outline = [*corners[0], drawn.left], [*corners[1], drawn.top]
    colour = LIGHT["mean" if chosen else "axis"]
    axes.plot(*outline, color=colour, linewidth=1.4 if chosen else 0.8, zorder=6, clip_on=False)
    for row, line in enumerate(drawn.lines):
        y = drawn.top + _PAD + 10.0 + row * _LINE
        write(figure, box, drawn.left + _PAD, y, line, size=_TEXT, color=LIGHT["ink"])
    note = cut(drawn.node.note, drawn.width - 2 * _PAD, _NOTE)
    write(figure, box, drawn.left + _PAD, bottom - _PAD - 1.0, note, size=_NOTE, color=LIGHT["muted"])

"""Named numbers as bars with ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autostatistician.describe.document.panels import BarPanel
from autostatistician.report.draw import Box, add_axes, extent, set_ticks, write, write_title
from autostatistician.report.palette import BAND_OPACITY, LIGHT
from autostatistician.report.text import cut, text_width
from autostatistician.report.ticks import TICK_SIZE, Tick, number_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as MatplotlibFigure

__all__ = ["draw_bars"]

_LABEL = 12.0  # px
_WIDEST = 0.42  # of the box, for names
_THICK = 0.56  # of the room of a bar
_THICKEST = 20.0  # px
_RIGHT, _BELOW = 14.0, 42.0  # px


def draw_bars(figure: MatplotlibFigure, panel: BarPanel, box: Box) -> None:
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
    axes.fill(
        [0.0, value, value, 0.0], [row - half, row - half, row + half, row + half], facecolor=LIGHT["mean"],
        edgecolor="none", alpha=2.0 * BAND_OPACITY["signal"], linewidth=0.0, zorder=3, clip_on=False,
    )  # fmt: skip
    axes.plot([low, high], [row, row], color=LIGHT["data"], linewidth=1.4, zorder=4, clip_on=False)
    for end in (low, high):
        axes.plot(
            [end, end], [row - half / 2, row + half / 2], color=LIGHT["data"], linewidth=1.4, zorder=4, clip_on=False
        )

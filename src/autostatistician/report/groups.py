"""Groups of observations in colours of their own, over a shaded density."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.panels import DensityPanel, GroupPoints
from autostatistician.report.palette import LIGHT, group_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_group", "shade"]

SHADE = 0.14  # opacity of each step of a density: steps lie over one another
DIAMETER = 3.6  # px, of a dot
MARK = 13.0  # px


def draw_group(axes: Axes, points: GroupPoints, x: NDArray[np.float64], dots: str, zorder: float) -> None:
    """Draw the observations of a group, whose id begins with ``dots``, and its mark in their midst."""
    axes.plot(
        x, points.y, linestyle="none", marker="o", markersize=DIAMETER, color=LIGHT[group_colour(points.group)],
        markeredgewidth=0.0, zorder=zorder, clip_on=False, label=points.label, gid=f"{dots}{DIAMETER * 10:.0f}",
    )  # fmt: skip
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

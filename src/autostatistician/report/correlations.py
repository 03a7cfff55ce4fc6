"""The correlations between the parts of a model as a picture: one square for every pair (Duvenaud 2014, figure 2.8)."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Positions
from autostatistician.report.figures import page_style
from autostatistician.report.palette import LIGHT
from autostatistician.report.text import cleaned

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

__all__ = ["figure_correlations"]

Places = Positions | NDArray[np.str_]

SQUARE, ROOM = 1.75, 1.1  # inches: a panel, and what stands around all of them
LIMITS = (-0.5, 1.0)  # of the colours
BELOW, ABOVE = LIGHT["mean"], LIGHT["forecast"]


def figure_correlations(
    labels: Sequence[str], axes: Sequence[tuple[str, Places]], blocks: Sequence[Sequence[NDArray[np.float64]]]
) -> Figure:
    """One square for every pair of parts, in the colours of the light page (not known to pyplot).

    Parameters
    ----------
    labels : sequence of str
        What each part is called.
    axes : sequence of (str, array)
        For each part the name of its input, and evenly spaced places along it: numbers, times or texts (categories).
    blocks : sequence of sequences of arrays
        The correlations of part i at its places (rows) with part j at its own (columns).
    """
    count = len(labels)
    with page_style():
        from matplotlib.figure import Figure

        side = max(SQUARE * count + ROOM, 4.2)
        figure = Figure(figsize=(side + 0.9, side), dpi=144, layout="constrained")
        grid = figure.subplots(count, count, squeeze=False)
        for (row, column), panel in np.ndenumerate(grid):
            image = _square(panel, axes[column][1], axes[row][1], blocks[row][column])
            _edges(panel, labels, axes, (row, column))
        bar = figure.colorbar(
            image, ax=grid, extend="min", shrink=min(1.0, 3.0 / side), aspect=14, pad=0.02, ticks=(-0.5, 0.0, 0.5, 1.0)
        )
        bar.set_label("correlation", color=LIGHT["muted"])
        bar.ax.tick_params(length=0, labelcolor=LIGHT["muted"])
        bar.outline.set_visible(False)
        return figure


def _square(panel: Axes, across: Places, down: Places, block: NDArray[np.float64]) -> AxesImage:
    x, y = _ends(across), _ends(down)
    return panel.imshow(
        block, cmap=_colours(), vmin=LIMITS[0], vmax=LIMITS[1], origin="lower", aspect="auto", interpolation="nearest",
        extent=(*x, *y),
    )  # fmt: skip


def _edges(panel: Axes, labels: Sequence[str], axes: Sequence[tuple[str, Places]], place: tuple[int, int]) -> None:
    """Names of parts above and at the left, ticks below and at the left."""
    from matplotlib.ticker import MaxNLocator

    row, column = place
    for axis, (_, positions) in ((panel.xaxis, axes[column]), (panel.yaxis, axes[row])):
        if positions.dtype.kind == "M":
            _dated(axis)
        elif positions.dtype.kind == "U":
            axis.set_ticks(range(len(positions)), [_wrapped(name, 12) for name in positions.tolist()])
        else:
            axis.set_major_locator(MaxNLocator(3))
    panel.tick_params(length=0, labelbottom=row == len(labels) - 1, labelleft=column == 0, labelcolor=LIGHT["muted"])
    panel.grid(visible=False)
    for spine in panel.spines.values():
        spine.set(visible=True, color=LIGHT["rule"], linewidth=0.8)
    if row == 0:
        panel.set_title(_wrapped(labels[column]), fontsize=10, color=LIGHT["ink"])
    if column == 0:
        panel.set_ylabel(_wrapped(labels[row]), fontsize=10, color=LIGHT["ink"])
    if row == len(labels) - 1:
        panel.set_xlabel(cleaned(axes[column][0]), color=LIGHT["muted"])


def _wrapped(label: str, width: int = 20) -> str:
    return "\n".join(wrap(cleaned(label), width, max_lines=3, placeholder=" ..."))


def _dated(axis: object) -> None:
    from matplotlib.axis import Axis
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    assert isinstance(axis, Axis)
    locator = AutoDateLocator(minticks=2, maxticks=4)  # type: ignore[no-untyped-call]
    axis.set_major_locator(locator)
    axis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]


def _ends(positions: Places) -> tuple[float, float]:
    """Where an axis begins and ends; of times in matplotlib's days since 1970, each category is one wide."""
    if positions.dtype.kind == "U":
        return -0.5, len(positions) - 0.5
    ends = positions[[0, -1]]
    days = ends.astype("M8[ms]").astype(np.int64) / 86_400_000 if positions.dtype.kind == "M" else ends
    return float(days[0]), float(days[1])


def _colours() -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    nothing = -LIMITS[0] / (LIMITS[1] - LIMITS[0])
    return LinearSegmentedColormap.from_list("correlation", [(0.0, BELOW), (nothing, "#ffffff"), (1.0, ABOVE)])

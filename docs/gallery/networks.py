"""Sketches of networks: columns of units, and the connections between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from autostatistician import sample
from look import COLOURS, INK, MUTED

__all__ = ["Units", "arrow", "connect", "curve_in", "finish", "key", "units"]

KNOWN, UNKNOWN = "#b9c2cc", COLOURS[0]
RADIUS = 0.17


@dataclass(frozen=True)
class Units:
    """A column of units of a network: where it stands, and its units from the top."""

    x: float
    heights: tuple[float, ...]

    @property
    def lowest(self) -> float:
        """The height of the last unit."""
        return min(self.heights)


def units(axes: Axes, x: float, count: int, label: str, *, endless: bool = False, colour: str = "#eef2f6") -> Units:
    """Draw a column of units with its name below; of endlessly many the last but one are three dots."""
    gap = 0.62 if count > 3 else 0.8
    heights = gap * (0.5 * (count - 1) - np.arange(count))
    shown = [height for index, height in enumerate(heights) if not (endless and index == count - 2)]
    for height in shown:
        axes.add_patch(Circle((x, height), RADIUS, facecolor=colour, edgecolor=INK, linewidth=1.0, zorder=3))
    if endless:
        for offset in (-0.11, 0.0, 0.11):
            axes.add_patch(Circle((x, heights[count - 2] + offset), 0.025, facecolor=INK, linewidth=0, zorder=3))
    axes.text(x, heights[-1] - 0.42, label, ha="center", va="top", size=10, color=INK)
    return Units(x, tuple(float(height) for height in shown))


def connect(axes: Axes, left: Units, right: Units, *, known: bool) -> None:
    """Draw all connections between two columns; those with known weights are grey, those with unknown ones blue."""
    for start in left.heights:
        for stop in right.heights:
            colour, width = (KNOWN, 0.7) if known else (UNKNOWN, 1.0)
            axes.plot([left.x, right.x], [start, stop], color=colour, linewidth=width, zorder=1)


def arrow(axes: Axes, start: tuple[float, float], stop: tuple[float, float], *, bend: float, colour: str) -> None:
    """Draw a bent arrow."""
    how = {"arrowstyle": "-|>", "connectionstyle": f"arc3,rad={bend}", "color": colour, "linewidth": 1.3}
    axes.annotate("", xy=stop, xytext=start, arrowprops={**how, "shrinkA": 2, "shrinkB": 2}, zorder=2)


def curve_in(axes: Axes, x: float, height: float, seed: int) -> None:
    """Draw a random function into a unit."""
    places = np.linspace(-2.0, 2.0, 60)
    (values,) = sample("SE(lengthscale=0.8, sd=1)", places, random_state=seed)
    values = (values - values.mean()) / np.ptp(values)
    axes.plot(x + 0.062 * places, height + 0.2 * values, color=UNKNOWN, linewidth=1.2, zorder=4)


def finish(axes: Axes, width: float, low: float, high: float) -> None:
    """A bare panel of equal units, as wide as its network."""
    axes.set(xlim=(-0.7, width + 0.7), ylim=(low, high), aspect="equal")
    axes.set_axis_off()


def key(axes: Axes, x: float, y: float) -> None:
    """What the colours of connections mean."""
    for offset, colour, words in ((0.0, KNOWN, "fixed weights"), (-0.3, UNKNOWN, "unknown weights")):
        axes.plot([x, x + 0.5], [y + offset, y + offset], color=colour, linewidth=1.6)
        axes.text(x + 0.6, y + offset, words, va="center", size=9, color=MUTED)

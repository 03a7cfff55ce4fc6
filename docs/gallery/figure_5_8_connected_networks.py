"""Figure 5.8: Layers that are connected to the input.

Left, each layer sees only the one below. Right, each also sees the input.
"""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from look import COLOURS, INK, MUTED, save, styled
from networks import arrow

NAMES = ["x", "f¹", "f²", "f³", "output"]
WIDE, HIGH, STEP = 0.9, 0.62, 1.6


def _chain(axes: Axes, *, connected: bool) -> None:
    for at, name in enumerate(NAMES):
        place = (STEP * at - WIDE / 2, -HIGH / 2)
        colour = "#ffffff" if at == 0 else "#eef2f6"
        how = {"boxstyle": "round,pad=0,rounding_size=0.12", "facecolor": colour, "edgecolor": INK, "zorder": 3}
        axes.add_patch(FancyBboxPatch(place, WIDE, HIGH, **how))
        axes.text(STEP * at, 0.0, name, ha="center", va="center", size=11, zorder=4)
        if at:
            arrow(axes, (STEP * (at - 1) + WIDE / 2, 0.0), (STEP * at - WIDE / 2, 0.0), bend=0.0, colour=MUTED)
        if connected and at > 1:
            arrow(axes, (0.0, HIGH / 2), (STEP * at, HIGH / 2), bend=-0.32, colour=COLOURS[0])
    axes.set(xlim=(-0.7, STEP * (len(NAMES) - 1) + 0.7), ylim=(-0.6, 2.1), aspect="equal")
    axes.set_axis_off()


@styled
def draw() -> Figure:
    """Both architectures."""
    figure = Figure(figsize=(10.4, 2.5))
    left, right = figure.subplots(1, 2)
    _chain(left, connected=False)
    _chain(right, connected=True)
    left.set_title("standard")
    right.set_title("connected to the input")
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

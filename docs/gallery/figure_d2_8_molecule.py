"""Figure D 2.8: The energy of a molecule, a function on a Möbius strip.

Two like atoms around a third; exchanging them changes nothing.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician import sample
from autostatistician.models.symmetry import OrbitSum, swap
from look import COLOURS, HEIGHT, INK, frameless, grid, save, styled
from molecules import TURN, molecule, strip

PERIOD = 36  # points of a turn
CYCLES = " * ".join(f"(C(sd=0.5) + Per[{name}](lengthscale=1, period={TURN}, sd=0.8))" for name in ("x1", "x2"))
MOLECULES = [(0.8, 2.2), (1.6, 5.4), (3.6, 4.3)]


@styled
def draw() -> Figure:
    """The energy by both angles, molecules, and the strip."""
    energy = sample(CYCLES, grid(0.0, TURN * (1 - 1 / PERIOD), PERIOD), random_state=9, view=OrbitSum(swap(2)))[0]
    energy = energy.reshape(PERIOD, PERIOD)
    shades = (energy - energy.min()) / np.ptp(energy)
    figure = Figure(figsize=(11.0, 3.6))
    left, middle = (figure.add_subplot(1, 3, place) for place in (1, 2))
    right = figure.add_subplot(1, 3, 3, projection="3d")
    left.imshow(shades.T, origin="lower", extent=(0, TURN, 0, TURN), cmap=HEIGHT, interpolation="bicubic")
    left.plot([0, TURN], [0, TURN], color=INK, linewidth=0.8)
    for row, ((one, other), colour) in enumerate(zip(MOLECULES, COLOURS[2:], strict=False)):
        left.plot([one, other], [other, one], "o", color=colour, markeredgecolor="white", markersize=9)
        molecule(middle, (0.0, -3.0 * row), one, other, colour)
        molecule(middle, (3.0, -3.0 * row), other, one, colour)
    frameless(left, "angle of atom 1", "angle of atom 2")
    points, value = strip(shades)
    right.plot_surface(
        *np.moveaxis(points, -1, 0),
        facecolors=HEIGHT(value),
        rcount=120,
        ccount=60,
        shade=False,
        lw=0,
        antialiased=False,
    )
    right.plot(*points[:, 0].T, color=INK, linewidth=1.0)
    right.plot(*points[:, -1].T, color=INK, linewidth=1.0)
    right.set_axis_off()
    right.set_box_aspect((1.0, 1.0, 0.45), zoom=1.25)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 2.12: Möbius strips.

Left, a function that is periodic in both inputs and unchanged by exchanging them. Middle, a strip of such functions.
Right, the Sudanese Möbius strip of Lerner and Asimov (1984).
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician import sample
from autostatistician.models.symmetry import OrbitSum, swap
from look import INK, Array, grid, save, sheet, spaces, styled, surface
from manifolds import manifold

CYCLES = " * ".join(f"(C(sd=0.7) + Per[{name}](lengthscale=1, period=1, sd=0.7))" for name in ("x1", "x2"))
PERIOD = 32  # points
POINTS = 45  # a side of a strip


def sudanese(points: int) -> Array:
    """The strip in the sphere of four dimensions, seen from a point off it; rows along it, columns across."""
    along, across = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, points), np.linspace(0.0, np.pi, points), indexing="ij")
    one, other = np.sin(across) * np.exp(1j * along), np.cos(across) * np.exp(0.5j * along)
    depth = (one.real + other.imag) / np.sqrt(2.0)
    seen = np.stack([one.imag, other.real, (one.real - other.imag) / np.sqrt(2.0)], axis=-1)
    return np.asarray(seen / (1.0 - depth[..., None]))


def folded() -> Array:
    """A draw over two periods of both inputs."""
    X = grid(0.0, 1.0 - 1.0 / PERIOD, PERIOD)
    one = sample(CYCLES, X, random_state=2, view=OrbitSum(swap(2)))[0].reshape(PERIOD, PERIOD)
    return np.pad(one, (0, PERIOD + 1), mode="wrap")


@styled
def draw() -> Figure:
    """A function, a strip drawn from the prior, and a strip from its formula."""
    figure = Figure(figsize=(11.0, 3.6))
    titles = ["a function with the symmetry", "a strip drawn from the prior", "the Sudanese strip"]
    left, middle, right = spaces(figure, 1, 3, titles)
    surface(left, grid(0.0, 2.0, 2 * PERIOD + 1), folded().ravel())
    left.view_init(50, -60)
    drawn, known = manifold("mobius", POINTS, random_state=6), sudanese(POINTS)
    sheet(middle, drawn)
    middle.plot(*drawn[:, 0].T, color=INK, linewidth=1.5)
    sheet(right, known)
    for edge in (known[:, 0], known[:, -1]):
        right.plot(*edge.T, color=INK, linewidth=1.5)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

"""Molecules of two like atoms about a third: pictures of them, and the Möbius strip of all of them."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from scipy.ndimage import map_coordinates

from look import INK, Array

__all__ = ["TURN", "molecule", "strip"]

TURN = 2.0 * np.pi


def molecule(axes: Axes, centre: tuple[float, float], one: float, other: float, colour: str) -> None:
    """A molecule at a place, its atoms 1 and 2 at these angles."""
    for name, angle in (("1", one), ("2", other)):
        end = np.array(centre) + 1.1 * np.array([np.cos(angle), np.sin(angle)])
        axes.plot(*np.transpose([centre, end]), color=INK, linewidth=1.2, zorder=1)
        axes.text(*end, name, ha="center", va="center", bbox={"boxstyle": "circle", "fc": colour, "lw": 0})
    axes.plot(*centre, "o", color=INK, markersize=9)
    axes.set(aspect="equal", xlim=(-1.7, 4.7), ylim=(-7.7, 1.7))
    axes.set_axis_off()


def strip(energy: Array, places: int = 120) -> tuple[Array, Array]:
    """Points (places, m, 3) of the strip, and the energy of the pair of angles at each."""
    middle, apart = np.meshgrid(np.linspace(0.0, np.pi, places), np.linspace(0.0, TURN, places // 2), indexing="ij")
    angles = np.stack([middle - apart / 2.0, middle + apart / 2.0]) / TURN * len(energy)
    shade = map_coordinates(energy, angles % len(energy), order=1, mode="grid-wrap")
    out = 1.0 + 0.45 * (apart / np.pi - 1.0) * np.cos(middle)
    up = 0.45 * (apart / np.pi - 1.0) * np.sin(middle)
    return np.stack([out * np.cos(2.0 * middle), out * np.sin(2.0 * middle), up], axis=-1), shade

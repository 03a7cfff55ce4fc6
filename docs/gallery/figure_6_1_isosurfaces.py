"""Figure 6.1: Where additive kernels of three columns are large.

Covariance with the centre of a cube: slabs (one column), rods (two), a ball (three), and their sum.
"""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from autostatistician.models.additive.base import base_of
from autostatistician.models.additive.kernel import weighted_sum
from look import COLOURS, MUTED, Array, save, styled

HALF, LEVEL = 17.0, 0.9  # half of the side of the cube, and the covariance at the surface
SDS = (1.07, 25.0, 1000009.0)  # of the orders
PIXELS, STEP = 360, 0.15
LIGHT = np.array([0.35, -0.45, 0.82])  # where it comes from
TURN, TILT = np.radians(-58.0), np.radians(26.0)
ORDERS = {"one column": (1,), "two together": (2,), "all three together": (3,), "all orders": (1, 2, 3)}


def covariance(places: Array, orders: tuple[int, ...]) -> Array:
    """The covariance (m,) of places (3, m) with the centre."""
    weights = np.array([0.0, *(sd**2 if order in orders else 0.0 for order, sd in enumerate(SDS, start=1))])
    z = base_of("SE").value(places, np.zeros((3, 1)), np.zeros(1))
    return weighted_sum(z, weights)


def camera() -> tuple[Array, Array, Array]:
    """Directions to the right, up, and away from the eye."""
    right = np.array([-np.sin(TURN), np.cos(TURN), 0.0])
    away = -np.array([np.cos(TURN) * np.cos(TILT), np.sin(TURN) * np.cos(TILT), np.sin(TILT)])
    return right, np.cross(right, away), away


def rendered(orders: tuple[int, ...], colour: str) -> Array:
    """A picture (PIXELS, PIXELS, 4): along each ray the first place inside, lit by the slope of the kernel there."""
    right, up, away = camera()
    side = np.linspace(-1.0, 1.0, PIXELS) * HALF * 1.75
    across, high = np.meshgrid(side, side[::-1])
    start = right[:, None] * across.ravel() + up[:, None] * high.ravel()
    hit, normal = np.zeros(PIXELS**2, dtype=bool), np.zeros((3, PIXELS**2))
    for depth in np.arange(-HALF * 1.75, HALF * 1.75, STEP):
        seen = np.flatnonzero(~hit)
        places = start[:, seen] + away[:, None] * depth
        inside = np.abs(places).max(axis=0) <= HALF
        seen, places = seen[inside], places[:, inside]
        solid = covariance(places, orders) >= LEVEL
        hit[seen[solid]] = True
        normal[:, seen[solid]] = _normal(places[:, solid], orders)
    lit = 0.45 + 0.55 * np.maximum(LIGHT @ normal / np.linalg.norm(LIGHT), 0.0)
    pixels = np.append(np.outer(lit, to_rgb(colour)) ** 0.8, hit[:, None], axis=1)
    return pixels.reshape(PIXELS, PIXELS, 4)


def _normal(places: Array, orders: tuple[int, ...]) -> Array:
    """Down the slope of the kernel, or out of the cube where a face cuts the body off."""
    ahead = np.eye(3) * 1e-4
    slope = np.array(
        [covariance(places + one[:, None], orders) - covariance(places - one[:, None], orders) for one in ahead]
    )
    down = -slope / np.maximum(np.linalg.norm(slope, axis=0), 1e-300)
    face = np.where(np.abs(places) > HALF - 1.5 * STEP, np.sign(places), 0.0)
    cut = np.abs(places).max(axis=0) > HALF - 1.5 * STEP
    face /= np.maximum(np.linalg.norm(face, axis=0), 1.0)
    return np.where(cut, face, down)


@styled
def draw() -> Figure:
    """Four panels: the orders, and their sum."""
    figure = Figure(figsize=(10.0, 3.0))
    right, up, _ = camera()
    corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * HALF
    edges = [(a, b) for a in corners for b in corners if np.isclose(np.abs(a - b).sum(), 2.0 * HALF)]
    panels = figure.subplots(1, 4)
    for axes, (title, orders), colour in zip(panels, ORDERS.items(), COLOURS, strict=False):
        for edge in edges:
            axes.plot(np.array(edge) @ right, np.array(edge) @ up, color=MUTED, linewidth=0.4, alpha=0.5)
        reach = HALF * 1.75
        axes.imshow(rendered(orders, colour), extent=(-reach, reach, -reach, reach), zorder=2)
        axes.set_title(title, loc="center")
        axes.set_axis_off()
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

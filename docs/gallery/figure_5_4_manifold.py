"""Figure 5.4: What a representation of a curve should be.

The white line is where the data are. The colour changes along the line and hardly across it.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician.gp.covariance import covariance, factorise
from autostatistician.kernels import parse_kernel
from look import INK, ROUND, Array, frameless, grid, save, styled

CYCLE = 1.5  # radians of the spiral to one round of colours
KERNEL = parse_kernel("SE[a](lengthscale=0.5, sd=1) * SE[b](lengthscale=0.5, sd=1)")
COLUMNS = ("a", "b")


def spiral(turn: Array) -> Array:
    """Places (n, 2) along the line."""
    return np.stack([turn * np.cos(turn), turn * np.sin(turn)], axis=-1) / 3.0


@styled
def draw() -> Figure:
    """The line over the map that was learned from it."""
    rng, turn = np.random.default_rng(0), np.linspace(2.0, 11.0, 200)
    seen = spiral(turn) + 0.12 * rng.normal(size=(200, 2))
    plane = grid(-4.4, 4.4, 200)[:, ::-1]  # row by row
    factor = factorise(covariance(KERNEL, seen, columns=COLUMNS) + 0.05 * np.eye(200))
    cross = covariance(KERNEL, seen, plane, COLUMNS)
    around = 2.0 * np.pi * turn / CYCLE
    sine, cosine = (cross.T @ factor.solve(wave(around)) for wave in (np.sin, np.cos))
    known = np.clip((factor.half_solve(cross) ** 2).sum(axis=0), 0.0, 1.0)[:, None] ** 2
    image = known * ROUND(np.arctan2(sine, cosine) / (2.0 * np.pi) % 1.0)[:, :3] + (1.0 - known)
    figure = Figure(figsize=(4.8, 4.8))
    axes = figure.subplots()
    axes.imshow(image.reshape(200, 200, 3), origin="lower", extent=(-4.4, 4.4, -4.4, 4.4), interpolation="bilinear")
    axes.plot(*spiral(np.linspace(2.0, 11.0, 500)).T, color="#ffffff", linewidth=2.0)
    axes.scatter(*seen.T, s=4.0, color=INK, linewidths=0)
    frameless(axes)
    axes.spines[:].set_visible(False)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

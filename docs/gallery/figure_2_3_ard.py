"""Figure 2.3: A product of kernels over two inputs.

High only where both inputs are near. With one lengthscale per input: SE-ARD.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician import sample
from autostatistician.gp.covariance import covariance
from autostatistician.kernels import parse_kernel
from look import grid, save, spaces, styled, surface

X = grid(-4.0, 4.0, 55)
FIRST, SECOND = "SE[x1](lengthscale=1, sd=1)", "SE[x2](lengthscale=1, sd=1)"
PANELS = [("SE(x₁, x₁′)", FIRST), ("SE(x₂, x₂′)", SECOND), ("SE(x₁, x₁′) × SE(x₂, x₂′)", f"{FIRST} * {SECOND}")]


@styled
def draw() -> Figure:
    """Two kernels, their product, and a draw."""
    figure = Figure(figsize=(11.0, 2.8))
    *panels, last = spaces(figure, 1, 4, [*(title for title, _ in PANELS), "a draw f(x₁, x₂)"])
    for axes, (_, text) in zip(panels, PANELS, strict=True):
        surface(axes, X, covariance(parse_kernel(text), X, np.zeros((1, 2)), ("x1", "x2"))[:, 0])
    surface(last, X, sample(PANELS[2][1], X, random_state=3)[0])
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

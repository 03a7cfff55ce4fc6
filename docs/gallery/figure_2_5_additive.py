"""Figure 2.5: A sum of kernels of one input each.

Above, the kernels: high where one of the inputs is near. Below, draws.
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


@styled
def draw() -> Figure:
    """Two kernels and their sum; a draw from each and their sum."""
    one, two = (covariance(parse_kernel(text), X, np.zeros((1, 2)), ("x1", "x2"))[:, 0] for text in (FIRST, SECOND))
    f, g = sample(FIRST, X, random_state=2)[0], sample(SECOND, X, random_state=5)[0]
    above = [("k₁(x₁, x₁′)", one), ("k₂(x₂, x₂′)", two), ("k₁(x₁, x₁′) + k₂(x₂, x₂′)", one + two)]
    below = [("f₁(x₁)", f), ("f₂(x₂)", g), ("f₁(x₁) + f₂(x₂)", f + g)]
    figure = Figure(figsize=(9.5, 5.6))
    titles, heights = zip(*above, *below, strict=True)
    for axes, height in zip(spaces(figure, 2, 3, titles), heights, strict=True):
        surface(axes, X, height)
    for sign, across in (("+", 0.333), ("=", 0.667)):
        for down in (0.7, 0.22):
            figure.text(across, down, sign, size=22, ha="center", va="center")
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 2.10: Three ways to make a function symmetric.

By the sum over the orbit, by projection to one side, by the product over the orbit.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from autostatistician import sample
from autostatistician.models.symmetry import OrbitProduct, OrbitSum, Projection, swap
from look import grid, save, spaces, styled, surface

X = grid(-4.0, 4.0, 40)
KERNEL = "SE[x1](lengthscale=1, sd=1) * SE[x2](lengthscale=1, sd=1)"
VIEWS = [("sum over the orbit", OrbitSum), ("projection", Projection), ("product over the orbit", OrbitProduct)]


@styled
def draw() -> Figure:
    """A draw from each."""
    figure = Figure(figsize=(11.0, 3.4))
    for axes, (_, view) in zip(spaces(figure, 1, 3, [title for title, _ in VIEWS]), VIEWS, strict=True):
        surface(axes, X, sample(KERNEL, X, random_state=4, view=view(swap(2)))[0])
        axes.view_init(45, -45)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

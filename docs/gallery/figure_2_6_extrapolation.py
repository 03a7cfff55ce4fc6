"""Figure 2.6: Sums extrapolate farther than products.

Two sines, known only at the dots. The sum of kernels predicts the corner without data.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician import SymmetricGPRegressor
from look import INK, Array, grid, save, spaces, styled, surface

PLACES = grid(-2.3, 3.5, 55)
MODELS = [
    ("mean with a sum of kernels", "SE[x1] + SE[x2] + WN"),
    ("mean with a product of kernels", "SE[x1] * SE[x2] + WN"),
]


def truth(X: Array) -> Array:
    """A sum of a function of the first input and one of the second."""
    return np.asarray(np.sin(2.0 * X[:, 0] - 1.1) + np.sin(2.0 * X[:, 1] - 1.1))


def known() -> tuple[Array, Array]:
    """Data with a little noise along two sides of the square."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-2.0, 2.0, (100, 2))
    X = X[(X < -1.5).any(axis=1)]
    return X, truth(X) + 0.02 * rng.normal(size=len(X))


@styled
def draw() -> Figure:
    """The function, and what two models make of the data."""
    X, y = known()
    heights = [("the function, a sum of two sines", truth(PLACES))]
    for title, kernel in MODELS:
        model = SymmetricGPRegressor(kernel, n_restarts=2).fit(X, y)
        heights.append((title, model.predict(PLACES)))
    figure = Figure(figsize=(11.0, 3.4))
    for axes, (_, height) in zip(spaces(figure, 1, 3, [title for title, _ in heights]), heights, strict=True):
        surface(axes, PLACES, height, vmin=-2.2, vmax=2.2)
        axes.plot(*X.T, y, "o", color=INK, markersize=2.5)
        axes.set_zlim(-2.2, 2.2)
        axes.view_init(45, -120)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure P 5: Two sines, learned from an L.

As figure 2.6, with an additive process of both orders. The estimates (blue, 95 % bands) match the true sines (green).
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician import AdditiveGPRegressor
from figure_2_6_extrapolation import known, truth
from look import COLOURS, HEIGHT, INK, MUTED, grid, save, styled

SIDE = 45
PLACES = grid(-2.0, 2.0, SIDE)


@styled
def draw() -> Figure:
    """The function, what the model makes of it, and its two parts."""
    X, y = known()
    model = AdditiveGPRegressor(n_restarts=2).fit(X, y)
    figure = Figure(figsize=(11.0, 3.0))
    panels = figure.subplots(1, 4)
    share = model.orders_["share"][0]
    titles = ("the function", f"the model ({share:.0f} % of first order)")
    for axes, heights, title in zip(panels, (truth(PLACES), model.predict(PLACES)), titles, strict=False):
        square = heights.reshape(SIDE, SIDE).T
        axes.imshow(square, origin="lower", extent=(-2, 2, -2, 2), cmap=HEIGHT, interpolation="bicubic")
        axes.plot(*X.T, "o", color=INK, markersize=2)
        axes.set(xlabel="x1", ylabel="x2", xticks=[], yticks=[])
        axes.set_title(title, fontsize=10)
        axes.grid(visible=False)
    x = np.linspace(-2.0, 2.0, 200)
    for column, axes in enumerate(panels[2:]):
        rows = np.zeros((len(x), 2))
        rows[:, column] = x
        mean, sd = model.effect(column, rows)
        sine = np.sin(2.0 * x - 1.1)
        held = np.sin(2.0 * X[:, column] - 1.1).mean()
        axes.fill_between(x, mean - 1.96 * sd, mean + 1.96 * sd, color=COLOURS[0], alpha=0.2, linewidth=0)
        axes.plot(x, sine - held, color=COLOURS[2], linewidth=3, alpha=0.6)
        axes.plot(x, mean, color=COLOURS[0])
        axes.plot(X[:, column], np.full(len(X), -2.0), "|", color=MUTED)
        axes.set_title(f"what x{column + 1} does alone", fontsize=10)
        axes.set(xlabel=f"x{column + 1}", ylim=(-2.2, 2.2))
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

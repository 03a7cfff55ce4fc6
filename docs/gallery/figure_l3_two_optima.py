"""Figure L 3: The evidence has two optima.

Left, the evidence of seven values (crosses: optima). Right, smooth with much noise, or quick with little.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from look import COLOURS, HEIGHT, save, styled
from marginal_likelihood import curve, drawn_from, most_probable, nll

SEED, SIDE = 9, 60
STARTS = ((1.0, 0.1), (10.0, 0.8))  # lengthscale and noise


@styled
def draw() -> Figure:
    """The surface, and the curves of its optima."""
    X = np.sort(np.random.default_rng(SEED).uniform(-7.0, 7.0, 7))
    y = drawn_from(1.0, 1.0, 0.1, X, SEED)
    optima = [most_probable(X, y, start, sd=1.0) for start in STARTS]
    figure = Figure(figsize=(11.0, 3.2))
    surface, *panels = figure.subplots(1, 3)
    lengthscales, noises = np.geomspace(0.2, 60.0, SIDE), np.geomspace(0.02, 3.0, SIDE)
    heights = [[-nll(lengthscale, 1.0, noise, X, y) for lengthscale in lengthscales] for noise in noises]
    levels = np.max(heights) - np.array([6.0, 4.0, 3.0, 2.0, 1.5, 1.0, 0.5, 0.2, 0.05])
    surface.contourf(lengthscales, noises, heights, levels=[*levels, np.max(heights)], cmap=HEIGHT.reversed())
    surface.set(xscale="log", yscale="log", xlabel="lengthscale", ylabel="noise", xticks=[1, 10], yticks=[0.1, 1])
    for axis in (surface.xaxis, surface.yaxis):
        axis.set_major_formatter("{x:g}")
        axis.set_minor_locator(NullLocator())
    for axes, numbers, colour in zip(panels, optima, COLOURS[2:], strict=False):
        surface.plot(numbers[0], numbers[2], "x", color=colour, markersize=9, markeredgewidth=2.5)
        curve(axes, numbers, X, y, np.linspace(-7.5, 7.5, 300))
        axes.set_title(f"lengthscale {numbers[0]:.2g}, noise {numbers[2]:.2g}", color=colour)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

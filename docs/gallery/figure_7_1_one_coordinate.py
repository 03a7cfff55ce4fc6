"""Figure 7.1: A latent variable model of one coordinate.

A random function (middle) maps normally distributed points (below) to observed ones (left).
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from scipy.stats import norm

from autostatistician import sample
from look import COLOURS, frameless, save, styled

N, SEED, PLACES = 60, 8, np.linspace(-3.0, 3.0, 1201)


@styled
def draw() -> Figure:
    """The function, with the latent density below it and the density that is seen at its left."""
    rng = np.random.default_rng(SEED)
    line = sample("SE(lengthscale=0.8, sd=1)", PLACES, random_state=SEED)[0]
    points = rng.standard_normal(N)
    seen = np.interp(points, PLACES, line)
    figure = Figure(figsize=(6.5, 5.0))
    (left, middle), (empty, below) = figure.subplots(2, 2, width_ratios=[1, 3], height_ratios=[3, 1])
    empty.set_axis_off()
    middle.plot(PLACES, line, color=COLOURS[0], zorder=3)
    for x, y in zip(points[:12], seen[:12], strict=True):
        middle.plot([x, x, PLACES[0]], [line.min() - 0.3, y, y], color=COLOURS[2], linewidth=0.6)
    middle.plot(points, seen, "o", color=COLOURS[1], markersize=3, zorder=4)
    middle.set_xlim(PLACES[0], PLACES[-1])
    middle.set_ylim(line.min() - 0.3, line.max() + 0.3)
    frameless(middle)
    middle.set_title("the function", loc="center")
    below.fill_between(PLACES, norm.pdf(PLACES), color=COLOURS[0], alpha=0.3)
    below.plot(points, np.full(N, -0.03), "|", color=COLOURS[1], markersize=6)
    below.set_xlim(PLACES[0], PLACES[-1])
    frameless(below, "latent coordinate")
    heights = np.linspace(*middle.get_ylim(), 300)
    edges = np.interp(norm.ppf(np.linspace(1e-4, 1.0 - 1e-4, 40_000)), PLACES, line)
    density = norm.pdf((heights[:, None] - edges[::20]) / 0.06).mean(axis=1)
    left.fill_betweenx(heights, -density, color=COLOURS[0], alpha=0.3)
    left.plot(np.full(N, 0.04 * density.max()), seen, "_", color=COLOURS[1], markersize=6)
    left.set_ylim(middle.get_ylim())
    frameless(left, "", "what is seen")
    left.spines["bottom"].set_visible(False)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

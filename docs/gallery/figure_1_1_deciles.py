"""Figure 1.1: A Gaussian process before and after one, two and three data.

Bands are deciles, lines are draws.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.posterior.projection import draw as drawn
from autostatistician.gp.problem import Problem
from autostatistician.kernels import parse_kernel
from look import COLOURS, INK, Array, deciles, frameless, save, styled

SIGNAL, NOISE = parse_kernel("SE(lengthscale=20, sd=0.374)"), parse_kernel("WN(sd=0.02)")
X, Y = np.array([20.0, 80.0, 35.0]), np.array([-0.10, 0.55, 0.40])
PLACES = np.linspace(-10.0, 110.0, 300)


def known(count: int) -> tuple[Array, Array]:
    """Mean and covariance of the function at the places, given so many data."""
    if not count:
        return np.zeros(len(PLACES)), covariance(SIGNAL, PLACES)
    return condition(SIGNAL + NOISE, Problem(X[:count], Y[:count])).signal_joint(PLACES[:, None])


@styled
def draw() -> Figure:
    """Four panels: none, one, two and three data."""
    figure = Figure(figsize=(9.0, 5.0))
    for count, axes in enumerate(figure.subplots(2, 2, sharex=True, sharey=True).ravel()):
        mean, cov = known(count)
        deciles(axes, PLACES, mean, np.sqrt(np.maximum(cov.diagonal(), 0.0)))
        for colour, line in zip(COLOURS[1:], drawn(mean, cov, np.random.default_rng(count), scale=0.14), strict=False):
            axes.plot(PLACES, line, color=colour)
        axes.plot(X[:count], Y[:count], "o", color=INK, markersize=7)
        axes.set_title(("no data", "one datum", "two data", "three data")[count], loc="left")
        frameless(axes)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

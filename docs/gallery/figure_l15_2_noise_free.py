"""Figure L 15.2: Before and after five values without noise.

Left, three draws from the prior with the 95 % band. Right, the same after five exact values.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.posterior.projection import draw as drawn
from autostatistician.gp.problem import Problem
from autostatistician.kernels import parse_kernel
from look import COLOURS, INK, frameless, save, styled

SIGNAL, NOISE = parse_kernel("SE(lengthscale=1, sd=1)"), parse_kernel("WN(sd=0.0001)")
PLACES = np.linspace(-5.0, 5.0, 400)
X = np.array([-4.0, -3.0, -2.0, -1.0, 1.0])
Y = np.sin(0.9 * X)


@styled
def draw() -> Figure:
    """The prior and the posterior."""
    posterior = condition(SIGNAL + NOISE, Problem(X, Y)).signal_joint(PLACES[:, None])
    states = {"before": (np.zeros(len(PLACES)), covariance(SIGNAL, PLACES)), "after": posterior}
    figure = Figure(figsize=(9.0, 3.0))
    for axes, (title, (mean, cov)) in zip(figure.subplots(1, 2, sharey=True), states.items(), strict=True):
        reach = 1.96 * np.sqrt(np.maximum(cov.diagonal(), 0.0))
        axes.fill_between(PLACES, mean - reach, mean + reach, color=COLOURS[0], alpha=0.15, linewidth=0)
        for colour, line in zip(COLOURS[1:], drawn(mean, cov, np.random.default_rng(1), scale=1.0), strict=False):
            axes.plot(PLACES, line, color=colour)
        axes.set_title(title)
        frameless(axes, "x")
    axes.plot(X, Y, "o", color=INK, markersize=6, zorder=4)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

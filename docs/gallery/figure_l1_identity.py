"""Figure L 1: What correlation makes of a prior.

Left, identity covariance: independent values. Right, squared exponential: near values are alike.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician import sample
from look import COLOURS, frameless, save, styled

PLACES = np.linspace(0.0, 10.0, 60)
KERNELS = {"identity": "WN(sd=1)", "squared exponential": "SE(lengthscale=1.5, sd=1)"}


@styled
def draw() -> Figure:
    """Draws from both."""
    figure = Figure(figsize=(9.0, 3.0))
    for axes, (title, kernel) in zip(figure.subplots(1, 2, sharey=True), KERNELS.items(), strict=True):
        for colour, line in zip(COLOURS, sample(kernel, PLACES, n_samples=4, random_state=3), strict=False):
            axes.plot(PLACES, line, "o-", color=colour, linewidth=1.0, markersize=2.5)
        axes.set_title(title)
        frameless(axes, "x")
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

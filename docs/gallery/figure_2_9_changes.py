"""Figure 2.9: Draws from priors with a changepoint.

Different kernels, or different parameters, before and after the dashed line.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician import sample
from look import COLOURS, MUTED, frameless, save, styled

X = np.linspace(-10.0, 10.0, 401)
SLOW, FAST = "SE(lengthscale=3, sd=1)", "SE(lengthscale=0.5, sd=1)"
CYCLE, OTHER = "Per(lengthscale=1, period=4, sd=1)", "Per(lengthscale=2, period=2, sd=0.7)"
PANELS = [("SE | Per", SLOW, CYCLE), ("Per | SE", CYCLE, SLOW), ("SE | SE", SLOW, FAST), ("Per | Per", CYCLE, OTHER)]


@styled
def draw() -> Figure:
    """A panel for each pair of kernels."""
    figure = Figure(figsize=(10.4, 2.4))
    for index, (axes, (name, before, after)) in enumerate(zip(figure.subplots(1, 4), PANELS, strict=True)):
        kernel = f"CP({before}, {after}; location=0, steepness=2)"
        axes.axvline(0.0, color=MUTED, linewidth=1.0, dashes=(4.0, 3.0))
        for colour, line in zip(COLOURS[1:3], sample(kernel, X, n_samples=2, random_state=index), strict=True):
            axes.plot(X, line, color=colour)
        axes.set_title(name)
        axes.margins(y=0.08)
        frameless(axes)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

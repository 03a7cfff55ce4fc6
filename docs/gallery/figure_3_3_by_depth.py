"""Figure 3.3: A model at three depths of the search.

The best models of the first levels of figure 3.2, extrapolated by ten years.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician.forms import Curve
from autostatistician.gp import condition
from look import save, styled
from searched import best_of_level, searched
from taken_apart import band, symbols

DEPTHS, YEARS = (1, 2, 3), 10


@styled
def draw() -> Figure:
    """A panel for each depth."""
    model = searched("mauna-loa-cks2013")
    x, y = model.problem.X[:, 0], model.problem.y
    places = np.linspace(x[0], x[-1] + YEARS, 700)
    figure = Figure(figsize=(11.0, 3.0))
    panels = figure.subplots(1, len(DEPTHS), sharey=True)
    for axes, best in zip(panels, best_of_level("mauna-loa-cks2013")[1 : len(DEPTHS) + 1], strict=True):
        curve = Curve.normal(places, *condition(best.kernel, model.problem).observations(places[:, None]))
        band(axes, curve, x, y)
        axes.set_title(f"level {best.level}: {symbols(str(best.kernel))}", fontsize=9)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

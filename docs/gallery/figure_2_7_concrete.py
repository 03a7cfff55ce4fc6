"""Figure 2.7: The strength of concrete as a sum of functions of one ingredient each.

100 mixtures (dots); bands are deciles, lines are draws. Coarse and fine aggregate got no variance.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician.gp.engines.choice import condition
from autostatistician.gp.posterior.projection import draw as drawn
from autostatistician.gp.problem import Problem
from autostatistician.kernels import components
from figure_2_8_correlations import COLUMNS, fitted, mixtures
from look import COLOURS, INK, data, deciles, frameless, save, styled

UNITS = ["kg/m³"] * 7 + ["days"]


@styled
def draw() -> Figure:
    """A panel for each ingredient and the age."""
    data("regression/concrete.csv")
    dataset = mixtures()
    posterior = condition(fitted(dataset), Problem.of(dataset))
    parts = {str(part): part for part in components(posterior.kernel)}
    figure = Figure(figsize=(11.0, 5.4))
    panels = figure.subplots(2, 4, sharey=True).ravel()
    for index, (axes, name, unit) in enumerate(zip(panels, COLUMNS, UNITS, strict=True)):
        own = dataset.X[:, index]
        x = own.min() + np.ptp(own) * np.linspace(-0.1, 1.1, 200)
        X = np.tile(dataset.X.mean(axis=0), (len(x), 1))
        X[:, index] = x
        known = posterior.project(parts[f"SE[{name}]"], X)
        mean, cov = known.mean, known.covariance()
        deciles(axes, x, mean, np.sqrt(np.maximum(cov.diagonal(), 0.0)))
        lines = drawn(mean, cov, np.random.default_rng(index), scale=float(np.var(dataset.y)), count=3)
        for colour, line in zip(COLOURS[1:], lines, strict=False):
            axes.plot(x, line, color=colour, linewidth=1.1)
        axes.plot(own, dataset.y, "o", color=INK, markersize=2, alpha=0.6)
        frameless(axes, f"{name.replace('_', ' ')} ({unit})")
        ends = (own.min(), own.max())
        axes.set_xticks(ends, [f"{end:.0f}" for end in ends])
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 5.1: Gaussian processes as networks.

Left, infinitely many fixed features with unknown weights. Right, features of features: a deep kernel.
"""

from __future__ import annotations

from itertools import pairwise

from matplotlib.figure import Figure

from look import save, styled
from networks import connect, finish, key, units


@styled
def draw() -> Figure:
    """One layer of features, and two."""
    figure = Figure(figsize=(10.4, 3.6))
    panels = figure.subplots(1, 2, gridspec_kw={"width_ratios": (3.4, 4.9)})
    for axes, names in zip(panels, (["features"], ["features", "features\nof features"]), strict=True):
        columns = [units(axes, 0.0, 3, "inputs x")]
        columns += [units(axes, 1.6 * (at + 1), 6, name, endless=True) for at, name in enumerate(names)]
        columns.append(units(axes, 1.6 * len(columns), 2, "outputs f(x)"))
        for index, (left, right) in enumerate(pairwise(columns)):
            connect(axes, left, right, known=index < len(names))
        finish(axes, columns[-1].x, -2.9, 2.0)
    panels[0].set_title("a Gaussian process")
    panels[1].set_title("a Gaussian process with a deep kernel")
    key(panels[1], 3.9, 1.7)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

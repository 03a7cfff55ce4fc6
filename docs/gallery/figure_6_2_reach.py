"""Figure 6.2: Sets of columns that a model of four columns can use, and their weights.

Darker circles have larger variance. Hierarchical kernel learning chooses a hull of sets; an additive process weights
each order, and can turn off a column.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from autostatistician.models.additive.base import base_of
from autostatistician.models.additive.kernel import Layout
from look import COLOURS, INK, MUTED, Array, save, styled

COLUMNS = 4
SETS = [one for order in range(1, COLUMNS + 1) for one in combinations(range(1, COLUMNS + 1), order)]
BASES = (base_of("SE"),) * COLUMNS
RATIO = np.log([1.0, 0.55])
HULL = {(1,), (2,), (3,), (4,), (1, 2), (1, 3), (2, 3), (3, 4), (1, 2, 3)}


def variances(layout: Layout, scales: Array) -> dict[tuple[int, ...], float]:
    """The variance of every term; those of orders that the model does not have are missing."""
    each = dict(zip(layout.orders, layout.term_variances(scales), strict=True))
    return {one: float(each[len(one)]) for one in SETS if len(one) in each}


def models() -> dict[str, dict[tuple[int, ...], float]]:
    """Title of every panel, with the variance of its terms."""
    tied = variances(Layout(BASES, tuple(range(COLUMNS + 1)), tied=True), RATIO)
    shares = np.log([0.45 * 4, 0.12 * 6, 0.85 * 4, 0.02])  # of all terms of an order
    free = variances(Layout(BASES, (1, 2, 3, 4)), shares)
    return {
        "single columns (GAM)": variances(Layout(BASES, (1,)), np.log([4.0])),
        "product of all (ARD)": variances(Layout(BASES, (4,)), np.log([1.0])),
        "hierarchical\nkernel learning": {one: size for one, size in tied.items() if one in HULL},
        "additive process": free,
        "additive process,\nfourth column off": {one: size for one, size in free.items() if 4 not in one},
    }


def place(one: tuple[int, ...]) -> tuple[float, float]:
    """Where a set stands: its order upwards, sets of an order side by side."""
    row = [other for other in SETS if len(other) == len(one)]
    return row.index(one) - (len(row) - 1) / 2, 1.15 * len(one)


def panel(axes: Axes, title: str, used: dict[tuple[int, ...], float]) -> None:
    """One lattice."""
    for small in SETS:
        for large in SETS:
            if len(large) == len(small) + 1 and set(small) < set(large):
                both = small in used and large in used
                axes.plot(*zip(place(small), place(large), strict=True), color=MUTED, zorder=1,
                          linewidth=0.9 if both else 0.5, alpha=0.8 if both else 0.25)  # fmt: skip
    for one in SETS:
        size = min(used.get(one, 0.0), 1.0)
        axes.plot(*place(one), "o", markersize=19, color="white", zorder=2)
        axes.plot(*place(one), "o", markersize=19, color=COLOURS[0], alpha=size, markeredgewidth=0, zorder=3)
        edge = {"markeredgecolor": INK if one in used else MUTED, "alpha": 1.0 if one in used else 0.35}
        axes.plot(*place(one), "o", markersize=19, markerfacecolor="none", markeredgewidth=0.8, zorder=4, **edge)
        colour = "white" if size > 0.5 else INK if one in used else MUTED
        axes.annotate("".join(map(str, one)), place(one), ha="center", va="center_baseline", fontsize=7.5, color=colour,
                      alpha=1.0 if one in used else 0.5, zorder=5)  # fmt: skip
    axes.set(xlim=(-3.1, 3.1), ylim=(0.6, 5.1))
    axes.set_title(title, loc="center", fontsize=10)
    axes.set_axis_off()


@styled
def draw() -> Figure:
    """Five lattices."""
    figure = Figure(figsize=(13.0, 3.1))
    for axes, (title, used) in zip(figure.subplots(1, 5), models().items(), strict=True):
        panel(axes, title, used)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

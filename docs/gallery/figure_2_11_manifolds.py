"""Figure 2.11: Surfaces of different topology.

A kernel that is periodic in one input gives a tube, in both a torus.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, sheet, spaces, styled
from manifolds import manifold

POINTS = 45  # a side
PANELS = [("SE × SE: a sheet", "plane", 5), ("SE × Per: a tube", "cylinder", 18), ("Per × Per: a torus", "torus", 11)]


@styled
def draw() -> Figure:
    """Three surfaces."""
    figure = Figure(figsize=(11.0, 3.6))
    for axes, (_, kind, seed) in zip(spaces(figure, 1, 3, [title for title, *_ in PANELS]), PANELS, strict=True):
        sheet(axes, manifold(kind, POINTS, random_state=seed))
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

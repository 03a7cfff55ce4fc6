"""Figure 5.12: What a deep function connected to its two inputs shows of them.

As figure 5.7: after twenty layers places still differ in both directions.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from compositions import maps
from look import save, styled

POINTS = 80  # a side


@styled
def draw() -> Figure:
    """The square and three images of it."""
    return maps((0, 2, 10, 20), 1, connected=True, points=POINTS)


if __name__ == "__main__":
    save(draw(), __file__)

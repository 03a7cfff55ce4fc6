"""Figure 5.6: A cloud of points becomes threads.

Normally distributed points after repeated random maps of the plane to itself.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from compositions import clouds
from look import save, styled

POINTS = 10_000  # of the cloud


@styled
def draw() -> Figure:
    """The points and three images of them."""
    return clouds((0, 2, 4, 6), 0, connected=False, points=POINTS)


if __name__ == "__main__":
    save(draw(), __file__)

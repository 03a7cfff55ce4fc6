"""Figure 5.7: What a deep function tells of its two inputs.

A square of the plane, each place in the colour of the pair of values that the layers make of it. After ten layers one
direction alone changes the values; after forty there are regions that cannot be told apart.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from compositions import maps
from look import save, styled

POINTS = 160  # a side


@styled
def draw() -> Figure:
    """The square and three images of it."""
    return maps((0, 1, 10, 40), 1, connected=False, points=POINTS)


if __name__ == "__main__":
    save(draw(), __file__)

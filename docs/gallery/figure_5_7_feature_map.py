"""Figure 5.7: What a deep function shows of its two inputs.

Colours are the values of the layers. After ten layers one direction alone changes them.
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

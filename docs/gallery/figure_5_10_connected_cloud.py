"""Figure 5.10: A cloud of points stays whole when every layer sees the input.

As figure 5.6: the density keeps its two dimensions.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from compositions import clouds
from look import save, styled

POINTS = 10_000  # of the cloud


@styled
def draw() -> Figure:
    """The points and two images of them."""
    return clouds((0, 3, 6), 0, connected=True, points=POINTS)


if __name__ == "__main__":
    save(draw(), __file__)

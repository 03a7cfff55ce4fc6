"""Figure D A.1: Errors of interpolation on thirteen series.

As figure 3.6, for a random half of each series from the other half.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from printed import boxes


@styled
def draw() -> Figure:
    """Ten boxes."""
    return boxes("interpolation")


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 3.6: Errors of extrapolation on thirteen series.

The last tenth of each series from the nine tenths before it: the RMSE of every method over the smallest of the nine
that the thesis prints, which are shown as printed, beside this library as it is (its default language). What lies
beyond the frame is written above it. The page of results has more methods, and the numbers.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from printed import boxes


@styled
def draw() -> Figure:
    """Ten boxes."""
    return boxes("extrapolation")


if __name__ == "__main__":
    save(draw(), __file__)

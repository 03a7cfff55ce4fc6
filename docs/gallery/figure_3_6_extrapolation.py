"""Figure 3.6: Errors of extrapolation on thirteen series.

The last tenth of each series: RMSE over the smallest of the nine methods of the thesis, beside this library.
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

"""Figure 4.1: The irradiance of the sun.

One value for each year, reconstructed, in W/m². From 1645 to 1715 it hardly varies (the Maunder minimum, when there
were few spots); before and after there is a cycle of about eleven years.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import series


@styled
def draw() -> Figure:
    """The data."""
    return series("solar")


if __name__ == "__main__":
    save(draw(), __file__)

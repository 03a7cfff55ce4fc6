"""Figure 4.1: The irradiance of the sun.

Yearly reconstruction in W/m²: from 1645 to 1715 it hardly varies, otherwise there is a cycle of about eleven years.
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

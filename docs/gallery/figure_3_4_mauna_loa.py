"""Figure 3.4: Carbon dioxide at Mauna Loa, decomposed.

Above, data, model and forecast; below, its parts. The search was not told that there is a year.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import decomposition


@styled
def draw() -> Figure:
    """A row for the whole and one for each part."""
    return decomposition("mauna-loa")


if __name__ == "__main__":
    save(draw(), __file__)

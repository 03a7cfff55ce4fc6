"""Figure 3.4: Carbon dioxide at Mauna Loa, decomposed.

Above, the model of a search with default settings, with data (less their mean, as in the thesis) and forecast; below,
its parts, each on its own scale: the rise, the yearly cycle, medium-term deviations, and noise. Nobody said that there
is a year.
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

"""Figure 3.4: Carbon dioxide at Mauna Loa, decomposed.

A search with default settings: model with data (less their mean, as in the thesis) and forecast, and its parts.
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

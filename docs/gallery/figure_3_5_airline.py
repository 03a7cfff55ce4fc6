"""Figure 3.5: The passengers of an airline, decomposed.

A search with default settings. It preferred the logarithm, so cycle and noise grow with the level; in the thesis each
has a factor Lin.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import decomposition


@styled
def draw() -> Figure:
    """A row for the whole and one for each part."""
    return decomposition("airline")


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure D 3.5: The irradiance of the sun, decomposed.

A search with default settings. The draft has a model without a window; with one, the minimum is a level of its own.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import decomposition


@styled
def draw() -> Figure:
    """A row for the whole and one for each part."""
    return decomposition("solar")


if __name__ == "__main__":
    save(draw(), __file__)

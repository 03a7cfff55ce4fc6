"""Figure 4.4: The slow variation of the sun.

The part alone, and the sum of the parts so far. It is absent within the minimum.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import extract, part_with


@styled
def draw() -> Figure:
    """The slow part."""
    return extract("solar", part_with("solar", "Matern32"))


if __name__ == "__main__":
    save(draw(), __file__)

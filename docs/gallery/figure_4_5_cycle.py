"""Figure 4.5: The cycle of the sun.

The part alone, and the sum of the parts so far. The cycle is absent within the minimum.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import extract, part_with


@styled
def draw() -> Figure:
    """The part with a period."""
    return extract("solar", part_with("solar", "Per"))


if __name__ == "__main__":
    save(draw(), __file__)

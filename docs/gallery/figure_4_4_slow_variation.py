"""Figure 4.4: The slow variation of the sun.

What is left to the slow part once others have the cycle, the minimum and the noise: the part by itself, and the sum of
the parts so far with the data. Within the minimum it does not act.
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

"""Figure 4.3: The Maunder minimum.

What the report says of the level, the part by itself, and with the data. The structure is that of the searches of
2014. Its edges lie within three years of those of the thesis (1643 and 1716).
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import extract, part_with


@styled
def draw() -> Figure:
    """The part of the window."""
    return extract("solar", part_with("solar", "CW", "C + "))


if __name__ == "__main__":
    save(draw(), __file__)

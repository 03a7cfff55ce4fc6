"""Figure 4.3: The Maunder minimum.

The sentence of the report, the part alone, and the part with the data.
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

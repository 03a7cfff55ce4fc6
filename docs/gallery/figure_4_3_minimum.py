"""Figure 4.3: The Maunder minimum.

What the report says of the level. The search put the middles of both changes at 1641.8 and 1717.6, the thesis at 1643
and 1716.
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

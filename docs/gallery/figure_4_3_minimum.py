"""Figure 4.3: The Maunder minimum.

What the report says of this part.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import extract


@styled
def draw() -> Figure:
    """The part of the window."""
    return extract("solar", 1)


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 4.4: The slow variation of the sun.

What the report says of this part.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import extract


@styled
def draw() -> Figure:
    """The slow part."""
    return extract("solar", 2)


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 4.2: The first parts of the sun in a sentence each.

The four parts that matter most, after a search with default settings. The two constants of the thesis are one part
here.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import told


@styled
def draw() -> Figure:
    """The sentences of the report."""
    return told("solar", 4)


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 4.2: The first parts of the sun in a sentence each.

Structure of the searches of 2014; numbers and sentences of this library.
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

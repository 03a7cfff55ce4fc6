"""Figure 4.6: The parts of the airline in a sentence each.

What the report says of the model of figure 3.5. The third part of the thesis is "a smooth function".
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import told


@styled
def draw() -> Figure:
    """The sentences of the report."""
    return told("airline")


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 3.5: The passengers of an airline, decomposed.

Above, the model of a search with default settings, with data and forecast; below, its parts: growth, a yearly cycle, a
level that wanders, and noise. The search preferred the logarithm, of which parts multiply, so the cycle and the noise
grow with the level; in the thesis each of them has a factor Lin.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import decomposition


@styled
def draw() -> Figure:
    """A row for the whole and one for each part."""
    return decomposition("airline")


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 3.5: The passengers of an airline, taken apart.

Above, the model of a search in the language of sums of products, with data and forecast; below, its parts: a trend, a
yearly cycle that grows in proportion to time, a smooth deviation, and noise that grows as well.
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

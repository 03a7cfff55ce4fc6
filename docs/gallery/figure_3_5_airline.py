"""Figure 3.5: The passengers of an airline, taken apart.

Above, the model of a search in the language of sums of products, with the data and the forecast; below, its parts: a
trend that steepens, a yearly cycle whose swings grow in proportion to time, a smooth deviation from both, and noise
that grows as well. Factors of Lin are what makes swings and noise grow.
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

"""Figure 4.7: A yearly cycle that grows.

The part by itself, in per cent of what the others give, and the first parts together. Swings of the same per cent would
grow with the level; these grow more.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import extract, part_with


@styled
def draw() -> Figure:
    """The part with a period."""
    return extract("airline", part_with("airline", "Per"))


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 4.7: A yearly cycle that grows.

The words come from the factors: SE, the shape changes; Per, it repeats; Lin, its size grows.
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

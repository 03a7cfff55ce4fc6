"""Figure 4.8: Noise that grows.

Left, what the other parts leave over, in the band that holds 95 % of the noise; right, all parts with the data.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from look import save, styled
from taken_apart import extract, part_with


@styled
def draw() -> Figure:
    """The noise."""
    return extract("airline", part_with("airline", "WN"))


if __name__ == "__main__":
    save(draw(), __file__)

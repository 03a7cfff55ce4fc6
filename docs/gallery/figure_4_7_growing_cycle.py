"""Figure 4.7: A yearly cycle that grows.

What the report says of this part, the part by itself, and the sum of the parts so far with the data. The words come
from the factors of the expression: SE, that the shape changes; Per, that it repeats; Lin, that its swings grow.
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

"""Figure 5.3: Functions of functions of one input.

After one, two, five and ten layers: nearly flat, with jumps.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from compositions import lines
from look import save, styled


@styled
def draw() -> Figure:
    """One draw at four depths."""
    return lines((1, 2, 5, 10), 45, connected=False)


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 5.9: Functions of functions of one input, connected to it.

As in figure 5.3, but every layer sees the input, too, beside what the layer below makes of it. Depth then adds ever
finer detail, and nothing that was told apart is lost.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from compositions import lines
from look import save, styled


@styled
def draw() -> Figure:
    """One draw at four depths."""
    return lines((1, 2, 5, 10), 45, connected=True)


if __name__ == "__main__":
    save(draw(), __file__)

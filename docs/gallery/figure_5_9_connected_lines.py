"""Figure 5.9: Functions of functions of one input, connected to it.

As figure 5.3: depth adds detail, and no information is lost.
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

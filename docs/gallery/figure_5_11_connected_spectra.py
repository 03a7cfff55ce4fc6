"""Figure 5.11: Directions of a deep function that is connected to its five inputs.

As figure 5.5, after 25 and 50 layers: all directions stay.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from compositions import spectra_by_depth
from look import save, styled


@styled
def draw() -> Figure:
    """Two depths."""
    return spectra_by_depth((25, 50), connected=True, draws=20_000)


if __name__ == "__main__":
    save(draw(), __file__)

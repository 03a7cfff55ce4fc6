"""Figure 5.5: Directions of a deep function of five inputs.

Singular values of the Jacobian relative to the largest, after two and six layers.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from compositions import spectra_by_depth
from look import save, styled


@styled
def draw() -> Figure:
    """Two depths."""
    return spectra_by_depth((2, 6), connected=False)


if __name__ == "__main__":
    save(draw(), __file__)

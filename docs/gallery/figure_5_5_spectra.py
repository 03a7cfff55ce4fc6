"""Figure 5.5: How many directions a deep function of five inputs follows.

Singular values of the matrix of slopes, relative to the largest of their matrix: the distribution of each and its
median, after two and six layers. With depth one direction is left.
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

"""Figure 3.1: The kernels that chapter 3 adds.

Above, covariance; below, draws.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from kernels import kernel_columns
from look import save, styled

COLUMNS = [
    ("RQ", "RQ(lengthscale=2.5, sd=1.41, alpha=1.1)", "variation on many scales"),
    ("Cos", "Cos(period=4, sd=1)", "sine waves"),
    ("WN", "WN(sd=1.05)", "uncorrelated noise"),
]


@styled
def draw() -> Figure:
    """A column for each kernel."""
    return kernel_columns(COLUMNS)


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 2.1: What the base kernels express.

Above, covariance; below, draws. Per has no constant part here, so it falls below zero.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from kernels import kernel_columns
from look import save, styled

COLUMNS = [
    ("SE", "SE(lengthscale=2.5, sd=1.41)", "local variation"),
    ("Per", "Per(lengthscale=1, period=4, sd=1.05)", "repeating structure"),
    ("Lin", "Lin(sd=0.71, location=-1)", "linear functions"),
]


@styled
def draw() -> Figure:
    """A column for each kernel."""
    return kernel_columns(COLUMNS)


if __name__ == "__main__":
    save(draw(), __file__)

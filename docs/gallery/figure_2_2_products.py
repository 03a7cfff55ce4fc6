"""Figure 2.2: What products of kernels express.

Above, covariance; below, draws. Lin × Lin gives a parabola; Lin makes its partner grow.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from kernels import kernel_columns
from look import save, styled

LINE = "Lin(sd=0.71, location=-1)"
COLUMNS = [
    ("Lin × Lin", f"{LINE} * {LINE}", "quadratic functions"),
    ("SE × Per", "SE(lengthscale=8, sd=1) * Per(lengthscale=1, period=4, sd=1)", "locally periodic"),
    ("Lin × SE", f"{LINE} * SE(lengthscale=1.5, sd=1)", "increasing variation"),
    ("Lin × Per", f"{LINE} * Per(lengthscale=1, period=4, sd=1)", "growing amplitude"),
]


@styled
def draw() -> Figure:
    """A column for each product."""
    return kernel_columns(COLUMNS)


if __name__ == "__main__":
    save(draw(), __file__)

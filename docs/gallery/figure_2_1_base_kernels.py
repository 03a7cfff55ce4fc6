"""Figure 2.1: What the base kernels express.

Above, the covariance of the function at x with that at x′; below, draws from the prior. A squared exponential (SE)
means local variation, a periodic kernel (Per) a structure that repeats, a linear kernel (Lin) straight lines. Our
periodic kernel has no constant part, so that its covariance also falls below zero.
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

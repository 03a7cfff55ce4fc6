"""Figure 2.4: What sums of kernels express.

Above, covariance; below, draws.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from kernels import kernel_columns
from look import save, styled

CYCLE = "Per(lengthscale=1, period=4, sd=1.05)"
COLUMNS = [
    ("Lin + Per", f"Lin(sd=0.4, location=-1) + {CYCLE}", "periodic plus trend"),
    ("SE + Per", f"SE(lengthscale=0.12, sd=0.3) + {CYCLE}", "periodic plus noise"),
    ("SE + Lin", "SE(lengthscale=1.2, sd=1.4) + Lin(sd=0.6, location=-1)", "linear plus variation"),
    ("SE (long) + SE (short)", "SE(lengthscale=10, sd=2.24) + SE(lengthscale=0.5, sd=0.6)", "slow and fast variation"),
]


@styled
def draw() -> Figure:
    """A column for each sum."""
    return kernel_columns(COLUMNS)


if __name__ == "__main__":
    save(draw(), __file__)

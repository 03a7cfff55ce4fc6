"""Figure 5.13: Deep kernels.

Left, covariance after one, two, three and infinitely many layers; dotted, an Ornstein-Uhlenbeck process. Right, draws.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician.gp.covariance import covariance
from autostatistician.kernels import parse_kernel
from look import COLOURS, MUTED, frameless, save, styled

LEAVES = {"1 layer": "SE", "2 layers": "Deep2", "3 layers": "Deep3", "infinitely many": "Deep"}
X = np.linspace(-3.0, 5.0, 400)
LAGS = np.linspace(-4.0, 4.0, 801)


@styled
def draw() -> Figure:
    """Kernels, and draws of them."""
    figure = Figure(figsize=(10.4, 3.2))
    left, right = figure.subplots(1, 2)
    normal = np.random.default_rng(5).standard_normal(len(X))
    for (name, symbol), colour in zip(LEAVES.items(), COLOURS[2:] + COLOURS[:2], strict=False):
        kernel = parse_kernel(f"{symbol}(lengthscale=1, sd=1)")
        left.plot(LAGS, covariance(kernel, LAGS, np.zeros(1))[:, 0], color=colour, label=name)
        values, vectors = np.linalg.eigh(covariance(kernel, X))
        # The symmetric square root takes the same random numbers to functions that resemble one another.
        right.plot(X, vectors @ (np.sqrt(np.maximum(values, 0.0)) * (vectors.T @ normal)), color=colour, linewidth=1.2)
    left.plot(LAGS, np.exp(-np.abs(LAGS)), color=MUTED, linewidth=1.0, linestyle=":", label="exp(−|x − x′|)")
    left.legend(frameon=False, fontsize=9, handlelength=1.2, loc="upper right", borderaxespad=0.0)
    frameless(left, "x − x′")
    frameless(right, "x")
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

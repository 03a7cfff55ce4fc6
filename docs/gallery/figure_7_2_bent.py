"""Figure 7.2: A Gaussian that is bent.

Left, latent points; right, three random smooth maps of them: one cluster.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from look import save, styled
from warped import cloud, warped

N, NUMBERS = 250, (1.0, 1.2, 1e-3)


@styled
def draw() -> Figure:
    """Four panels: the latent points, and three warps of them."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((N, 2)) * [1.3, 0.35]
    figure = Figure(figsize=(10.0, 2.9))
    first, *rest = figure.subplots(1, 4)
    one = np.zeros(N, dtype=np.intp)
    cloud(first, X, one, "latent")
    for axes in rest:
        cloud(axes, warped(X, NUMBERS, rng), one, "seen")
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

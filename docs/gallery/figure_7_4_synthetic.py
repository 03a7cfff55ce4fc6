"""Figure 7.4: Clusters of four shapes, observed and latent.

Above, points coloured by cluster; below, the latent coordinates of one draw.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician import InfiniteWarpedMixture
from look import save, styled
from warped import circles, cloud, curves, pinwheel, semicircles

ROWS = 30  # of a cluster
SWEEPS = 1000


@styled
def draw() -> Figure:
    """Four sets: points above, latent coordinates below."""
    sets = {
        "2-curve": curves(ROWS),
        "3-semi": semicircles(ROWS),
        "2-circle": circles(ROWS),
        "pinwheel": pinwheel(np.random.default_rng(0), 20),
    }
    figure = Figure(figsize=(10.0, 5.2))
    for (name, (Y, _)), (above, below) in zip(sets.items(), figure.subplots(2, 4).T, strict=True):
        model = InfiniteWarpedMixture(n_chains=1, n_sweeps=SWEEPS).fit(Y)
        cloud(above, Y, model.labels_, name)
        cloud(below, model.latent_, model.labels_, "latent")
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

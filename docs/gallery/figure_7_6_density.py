"""Figure 7.6: The density with several clusters and with one.

Two arms of a spiral: the infinite warped mixture, one warped cluster, an infinite mixture of Gaussians.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician import ClusterPrior, InfiniteGaussianMixture, InfiniteWarpedMixture
from look import HEIGHT, INK, save, styled
from warped import curves

SWEEPS, SIDE = 250, 32
ONE = 1e-12  # a concentration that leaves one cluster


@styled
def draw() -> Figure:
    """Three densities on one scale."""
    Y, _ = curves(40)
    settings = {"n_chains": 1, "n_sweeps": SWEEPS}
    models = {
        "infinite warped mixture": InfiniteWarpedMixture(random_state=1, n_latent_samples=20, **settings),
        "one warped cluster": InfiniteWarpedMixture(
            prior=ClusterPrior(concentration=ONE), n_latent_samples=20, **settings
        ),
        "infinite Gaussian mixture": InfiniteGaussianMixture(**settings),
    }
    sides = [np.linspace(low - 1.0, high + 1.0, SIDE) for low, high in zip(Y.min(axis=0), Y.max(axis=0), strict=True)]
    at = np.stack(np.meshgrid(*sides), axis=-1)
    figure = Figure(figsize=(10.0, 3.6))
    for axes, (name, model) in zip(figure.subplots(1, 3), models.items(), strict=True):
        logs = model.fit(Y).score_samples(at.reshape(-1, 2)).reshape(SIDE, SIDE)
        axes.pcolormesh(*sides, logs, cmap=HEIGHT, vmin=-8.0, vmax=0.0, rasterized=True)
        axes.plot(*Y.T, ".", color=INK, markersize=2.5)
        axes.set_title(name, fontsize=9)
        axes.set_xticks([])
        axes.set_yticks([])
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

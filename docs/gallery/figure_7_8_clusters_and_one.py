"""Figure 7.8: Latent coordinates with clusters and with one.

Left, two spiral arms. Middle, one draw of the infinite warped mixture. Right, with one cluster.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from autostatistician import ClusterPrior, InfiniteWarpedMixture
from look import save, styled
from warped import cloud, curves

SWEEPS = 400
ONE = 1e-12  # a concentration that leaves one cluster


@styled
def draw() -> Figure:
    """The arms as they are, and two latent spaces; the colours are those of the arms."""
    Y, arms = curves(40)
    figure = Figure(figsize=(9.0, 3.2))
    first, *others = figure.subplots(1, 3)
    cloud(first, Y, arms, "seen")
    models = {"latent, with clusters": None, "latent, with one": ClusterPrior(concentration=ONE)}
    for axes, (title, prior) in zip(others, models.items(), strict=True):
        model = InfiniteWarpedMixture(n_chains=1, n_sweeps=SWEEPS, prior=prior).fit(Y)
        cloud(axes, model.latent_, arms, title)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

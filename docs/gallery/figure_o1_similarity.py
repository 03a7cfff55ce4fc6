"""Figure O 1: Which points are together, and how many clusters there are.

Left, how often two points share a cluster, for three half circles; right, the posterior of the number of clusters.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician import InfiniteWarpedMixture
from look import COLOURS, HEIGHT, save, styled
from warped import semicircles

SWEEPS = 200


@styled
def draw() -> Figure:
    """The matrix and the bars."""
    Y, _ = semicircles(20)
    model = InfiniteWarpedMixture(n_chains=2, n_sweeps=SWEEPS).fit(Y)
    order = np.argsort(model.labels_, kind="stable")
    figure = Figure(figsize=(9.0, 3.8))
    left, right = figure.subplots(1, 2)
    image = left.imshow(model.similarity_[np.ix_(order, order)], cmap=HEIGHT, vmin=0.0, vmax=1.0)
    figure.colorbar(image, ax=left, label="share of draws in one cluster")
    left.set_xticks([])
    left.set_yticks([])
    counts = model.cluster_counts_
    right.bar(list(counts), list(counts.values()), color=COLOURS[0], width=0.7)
    right.set_xticks(list(counts))
    right.set_xlabel("clusters")
    right.set_ylabel("probability")
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

"""Figure 7.5: Images of handwritten digits, clustered in two latent coordinates.

Digits 0, 1 and 7 of scikit-learn (the faces of the thesis are not free), framed by cluster.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox, OffsetImage
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from autostatistician import InfiniteWarpedMixture
from look import MUTED, save, styled
from warped import CLUSTERS

DIGITS, EACH, SWEEPS = (0, 1, 7), 20, 150


@styled
def draw() -> Figure:
    """The latent space with the images in it."""
    digits = load_digits()
    rows = np.concatenate([np.flatnonzero(digits.target == digit)[:EACH] for digit in DIGITS])
    model = InfiniteWarpedMixture(n_chains=1, n_sweeps=SWEEPS, scaling="common").fit(digits.data[rows])
    figure = Figure(figsize=(7.5, 6.0))
    axes = figure.subplots()
    axes.scatter(*model.latent_.T, s=0)
    for row, place, label in zip(rows, model.latent_, model.labels_, strict=True):
        frame = {"edgecolor": CLUSTERS[label % len(CLUSTERS)], "lw": 1.5, "boxstyle": "square,pad=0.05"}
        image = OffsetImage(digits.images[row], zoom=2.2, cmap="gray_r")
        axes.add_artist(AnnotationBbox(image, place, bboxprops=frame))
    axes.set_xticks([])
    axes.set_yticks([])
    axes.margins(0.08)
    agreement = adjusted_rand_score(digits.target[rows], model.labels_)
    told = f"{model.n_clusters_} clusters; adjusted Rand index with the digits {agreement:.2f}"
    axes.set_title(told, fontsize=9, color=MUTED)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

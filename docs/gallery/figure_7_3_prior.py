"""Figure 7.3: Draws from the prior of the infinite warped mixture.

Above, clusters in the latent space. Below, the same points under smooth random functions.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician.models.latent.partition import NormalWishart
from look import save, styled
from warped import cloud, prior_draw

N, PRIOR, NUMBERS = 200, NormalWishart.standard(2, strength=0.05, freedom=7.0), (1.0, 2.0, 1e-3)


@styled
def draw() -> Figure:
    """Four draws, latent above and seen below."""
    figure = Figure(figsize=(10.0, 5.2))
    for k, (above, below) in enumerate(figure.subplots(2, 4).T):
        X, Y, labels = prior_draw(np.random.default_rng(k), N, PRIOR, NUMBERS)
        cloud(above, X, labels, "latent")
        cloud(below, Y, labels, "seen")
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

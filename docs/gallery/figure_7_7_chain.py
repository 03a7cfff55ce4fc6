"""Figure 7.7: A chain in progress.

Two spiral arms after few sweeps and after many. In the end each arm is one straight cluster.
"""

from __future__ import annotations

from matplotlib.figure import Figure

from autostatistician import InfiniteWarpedMixture
from look import save, styled
from warped import cloud, curves

SWEEPS = 400
SNAPSHOTS = (0, 2, 3, 5)  # of those that a chain keeps on its way


@styled
def draw() -> Figure:
    """What is kept of the chain on its way."""
    Y, _ = curves(40)
    model = InfiniteWarpedMixture(n_chains=1, n_sweeps=SWEEPS).fit(Y)
    (shown,) = model.shown_
    figure = Figure(figsize=(10.0, 3.2))
    for axes, place in zip(figure.subplots(1, len(SNAPSHOTS)), SNAPSHOTS, strict=True):
        cloud(axes, shown.X[place], shown.labels[place], f"sweep {shown.sweeps[place]}", size=7.0)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

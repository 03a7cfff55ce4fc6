"""Figure L 15.3: The same data by three lengthscales.

Drawn with lengthscale 1 (left). With one too short the function explains everything, with one too long the noise does.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from look import save, styled
from marginal_likelihood import curve, drawn_from, most_probable

TRUE = (1.0, 1.0, 0.1)
OTHERS = (0.3, 3.0)  # lengthscales
SEED = 8


@styled
def draw() -> Figure:
    """Three panels."""
    X = np.sort(np.random.default_rng(SEED).uniform(-7.0, 6.0, 20))
    y = drawn_from(*TRUE, X, SEED)
    places = np.linspace(-8.0, 8.0, 400)
    figure = Figure(figsize=(11.0, 3.0))
    others = (most_probable(X, y, (1.0, 0.1), lengthscale=lengthscale) for lengthscale in OTHERS)
    for axes, numbers in zip(figure.subplots(1, 3, sharey=True), (TRUE, *others), strict=True):
        curve(axes, numbers, X, y, places)
        lengthscale, sd, noise = (f"{number:.2g}" if number > 1e-3 else "0" for number in numbers)
        axes.set_title(f"lengthscale {lengthscale}, sd {sd}, noise {noise}")
    axes.set_ylim(-3.2, 3.2)
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

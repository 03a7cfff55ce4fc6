"""Figure P 2: Effects of single columns and a pair on the strength of concrete.

An additive process of two orders, 200 mixtures. Left and middle, water and age with 95 % bands and partial residuals;
right, their interaction.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from autostatistician import AdditiveGPRegressor
from look import COLOURS, HEIGHT, MUTED, Array, data, save, styled

ROWS, SIDE = 200, 30
PAIR = {"water": "kg/m³", "age": "days"}


def at(X: pd.DataFrame, **columns: Array) -> pd.DataFrame:
    """Mixtures with the mean of every column, but for these."""
    length = len(next(iter(columns.values())))
    return pd.DataFrame({name: np.full(length, X[name].mean()) for name in X} | columns)


@styled
def draw() -> Figure:
    """Two curves and a map."""
    table = pd.read_csv(data("regression/concrete.csv"), nrows=ROWS).drop(columns="fold")
    X, y = table.drop(columns="y").astype(float), table["y"].to_numpy()
    model = AdditiveGPRegressor(max_order=2, n_restarts=1).fit(X, y)
    left_over = y - model.predict(X)
    figure = Figure(figsize=(11.0, 3.2))
    *panels, right = figure.subplots(1, 3, width_ratios=[1, 1, 1.15])
    for axes, (name, unit) in zip(panels, PAIR.items(), strict=True):
        x = np.linspace(X[name].min(), X[name].max(), 150)
        mean, sd = model.effect(name, at(X, **{name: x}))
        axes.plot(X[name], left_over + model.effect(name, X)[0], "o", color=MUTED, markersize=2.5, alpha=0.7)
        axes.fill_between(x, mean - 1.96 * sd, mean + 1.96 * sd, color=COLOURS[0], alpha=0.25, linewidth=0)
        axes.plot(x, mean, color=COLOURS[0])
        axes.set_xlabel(f"{name} ({unit})")
    panels[0].set_ylabel("strength (MPa)")
    sides = [np.linspace(X[name].min(), X[name].max(), SIDE) for name in PAIR]
    one, other = (values.ravel() for values in np.meshgrid(*sides))
    mean, _ = model.effect(tuple(PAIR), at(X, **dict(zip(PAIR, (one, other), strict=True))))
    most = np.abs(mean).max()
    image = right.pcolormesh(*sides, mean.reshape(SIDE, SIDE), cmap=HEIGHT, vmin=-most, vmax=most, shading="gouraud")
    right.plot(X["water"], X["age"], ".", color=MUTED, markersize=3)
    right.set(xlabel="water", ylabel="age")
    figure.colorbar(image, ax=right, label="together")
    return figure


if __name__ == "__main__":
    save(draw(), __file__)

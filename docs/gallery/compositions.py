"""Pictures of compositions: lines by depth, clouds of points, maps of the plane, spectra."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from autostatistician import sample_deep
from look import COLOURS, Array, frameless, grid
from slopes import jacobians, spectra

__all__ = ["clouds", "lines", "maps", "spectra_by_depth"]

# The corners of a square of colours: each place of it has one of its own.
CORNERS = np.array([[[22, 50, 77], [23, 138, 122]], [[191, 84, 24], [244, 214, 130]]]) / 255.0


def colours(x: Array, y: Array) -> Array:
    """The colours (..., 3) of places of the unit square, between those of its corners."""
    sides = [np.stack([1.0 - one, one], axis=-1) for one in (x, y)]
    return np.asarray(np.clip(np.einsum("...i,...j,ijc->...c", *sides, CORNERS), 0.0, 1.0))


def named(layers: int) -> str:
    """So many layers, in words."""
    return "no layer" if not layers else "1 layer" if layers == 1 else f"{layers} layers"


def lines(depths: Sequence[int], seed: int, *, connected: bool) -> Figure:
    """One draw of a function of one input after each of these numbers of layers."""
    figure = Figure(figsize=(10.4, 2.4))
    x = np.linspace(-4.0, 4.0, 15000)
    kernel = f"SE(lengthscale={sqrt(2.0 / pi)}, sd=1)"
    drawn = sample_deep(kernel, x, layers=max(depths), connected=connected, random_state=seed)
    for axes, depth in zip(figure.subplots(1, len(depths), sharey=True), depths, strict=True):
        axes.plot(x, drawn[depth], color=COLOURS[0], linewidth=1.2)
        axes.set_title(named(depth))
        axes.margins(y=0.08)
        frameless(axes, "x")
    return figure


def clouds(depths: Sequence[int], seed: int, *, connected: bool, points: int) -> Figure:
    """Points of the plane, normally distributed, where they are after each of these numbers of layers."""
    figure = Figure(figsize=(3.0 * len(depths), 3.2))
    X = np.random.default_rng(seed).normal(size=(points, 2))
    drawn = sample_deep("SE(lengthscale=1, sd=1)", X, layers=max(depths), connected=connected, random_state=seed)
    from_place = colours(*(0.5 + np.clip(X, -2.0, 2.0) / 4.0).T)
    for axes, depth in zip(figure.subplots(1, len(depths)), depths, strict=True):
        axes.scatter(*drawn[depth].T, c=from_place, s=1.2, linewidths=0)
        axes.set_title(named(depth))
        _bare(axes)
        axes.set_aspect("equal", "datalim")
    return figure


def maps(depths: Sequence[int], seed: int, *, connected: bool, points: int) -> Figure:
    """A square of the plane, each place in the colour of where these numbers of layers bring it."""
    figure = Figure(figsize=(2.3 * len(depths), 2.6))
    kernel, X = f"SE(lengthscale=1, sd={sqrt(0.9)})", grid(-1.0, 1.0, points)
    drawn = sample_deep(kernel, X, layers=max(depths), connected=connected, random_state=seed)
    for axes, depth in zip(figure.subplots(1, len(depths)), depths, strict=True):
        waves = 0.5 + 0.5 * np.sin(2.0 * pi * drawn[depth].reshape(points, points, 2))
        axes.imshow(colours(waves[..., 0], waves[..., 1]).swapaxes(0, 1), origin="lower", interpolation="nearest")
        axes.set_title(named(depth))
        _bare(axes)
    return figure


def _bare(axes: Any) -> None:
    frameless(axes)
    axes.spines[:].set_visible(False)


def spectra_by_depth(depths: Sequence[int], *, connected: bool, draws: int = 50_000) -> Figure:
    """How singular values, relative to the largest, are distributed after each of these numbers of layers."""
    figure = Figure(figsize=(9.0, 2.8))
    rng = np.random.default_rng(0)
    panels: Sequence[Axes] = figure.subplots(1, len(depths), sharey=True)
    for axes, depth in zip(panels, depths, strict=True):
        found = spectra(jacobians(depth, 5, draws, rng, slope=1.0 / 3.0, connected=connected))
        boxes = axes.violinplot(found[:, 1:], positions=range(2, 6), widths=0.85, showextrema=False, bw_method=0.08)
        for body in boxes["bodies"]:
            body.set(facecolor=COLOURS[0], alpha=0.75, linewidth=0)
        axes.plot([0.7, 1.3], [1.0, 1.0], color=COLOURS[0], linewidth=2.5)
        for index in range(2, 6):
            middle = float(np.median(found[:, index - 1]))
            axes.plot([index - 0.3, index + 0.3], [middle, middle], color=COLOURS[1], linewidth=1.5)
        axes.set(title=named(depth), xlabel="singular value", xticks=range(1, 6), xlim=(0.4, 5.6), ylim=(0.0, 1.05))
    panels[0].set_ylabel("relative to the largest")
    return figure

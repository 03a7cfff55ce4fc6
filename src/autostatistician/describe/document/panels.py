"""Panels of other kinds than curves over an axis: bars with ranges, heat maps of surfaces; and stacks of panels.

The former are panels without layers, so what is done with layers (legends, thinning) leaves them alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Band, Figure, Line, Panel, Points
from autostatistician.forms import BAND_SDS
from autostatistician.i18n.messages import message, say, say_as

__all__ = [
    "CHANCE",
    "EXPECTED",
    "BarPanel",
    "DensityPanel",
    "GroupPoints",
    "HeatPanel",
    "Ranges",
    "StackedFigure",
    "TreeNode",
    "TreePanel",
    "held_panel",
    "quantile_panel",
]  # fmt: skip


Vector = NDArray[np.float64]

NOTHING = np.array([])

CHANCE = message("95% range of chance")

EXPECTED = message("as expected")


@dataclass(frozen=True, eq=False)
class StackedFigure(Figure):
    """Panels one under the other, which share their horizontal axis."""


@dataclass(frozen=True, eq=False)
class Ranges(Band):
    """A range at each of several places, drawn one by one instead of as a band."""


@dataclass(frozen=True, eq=False)
class GroupPoints(Points):
    """Observations of one group, in its colour; ``mark``, where there is one, is written in their midst."""

    group: int = field(default=1, kw_only=True)  # counted from 1
    mark: str = field(default="", kw_only=True)


@dataclass(frozen=True, eq=False)
class DensityPanel(Panel):
    """A panel whose layers lie over a density, shaded in steps from each of its ``levels`` (highest last) upwards."""

    x_places: Vector = field(default_factory=lambda: NOTHING, kw_only=True)
    y_places: Vector = field(default_factory=lambda: NOTHING, kw_only=True)
    density: tuple[Vector, ...] = field(default=(), kw_only=True)  # one row per x
    levels: tuple[float, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, eq=False)
class BarPanel(Panel):
    """Named numbers from zero on, each with a range; the first on top. ``y_label`` is not shown."""

    names: tuple[str, ...] = ()
    values: Vector = field(default_factory=lambda: NOTHING)
    lower: Vector = field(default_factory=lambda: NOTHING)
    upper: Vector = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, eq=False)
class HeatPanel(Panel):
    """A surface over two axes as steps of colour: one colour above zero, another below, stronger the further away.

    ``dots`` are places of data. A dashed line is drawn where ``width``, of the range that holds the surface with 95 %,
    reaches ``wide``.
    """

    x: Vector = field(default_factory=lambda: NOTHING)
    y: Vector = field(default_factory=lambda: NOTHING)
    values: tuple[Vector, ...] = ()  # one row per x
    width: tuple[Vector, ...] = ()
    wide: float | None = None
    unit: str = ""
    dots_x: Vector = field(default_factory=lambda: NOTHING)
    dots_y: Vector = field(default_factory=lambda: NOTHING)
    # Names of the places, of columns that hold categories.
    x_names: tuple[str, ...] = ()
    y_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class TreeNode:
    """A model that a search has tried, in a row of its level."""

    row: int
    text: str
    note: str  # its score, as it is told
    parent: int | None  # index of the node it was made from
    chosen: bool  # on the way to the best


@dataclass(frozen=True, eq=False)
class TreePanel(Panel):
    """The way of a search: a row of models for each level, the best first, with lines from each to those made of it.

    ``rows`` names each row and says what else is to be said of it.
    """

    rows: tuple[tuple[str, str], ...] = ()
    nodes: tuple[TreeNode, ...] = ()


# --- Pictures of errors: how they are spread, and how many values lie in ranges of each width -----------------------


def quantile_panel(errors: NDArray[np.float64]) -> Panel:
    """Standardised errors (n,) in order, against those expected of normal ones."""
    n = len(errors)
    share = (np.arange(n) + 0.5) / n
    expected = np.array([NormalDist().inv_cdf(quantile) for quantile in share.tolist()])
    # the places of ordered normal values vary by about this (the delta method)
    density = np.exp(-0.5 * expected**2) / np.sqrt(2.0 * np.pi)
    half = BAND_SDS * np.sqrt(share * (1.0 - share) / n) / density
    layers = (
        Band(expected, expected - half, expected + half, say(CHANCE), "signal"),
        Line(expected, expected, say(EXPECTED), "mean"),
        Points(expected, np.sort(errors), say_as("in a picture", "found")),
    )
    x_label, y_label = say_as("in a picture", "expected"), say_as("in a picture", "found")
    return Panel(say("Spread of the errors"), x_label, y_label, layers)


def held_panel(title: str, levels: Sequence[float], held: Sequence[float], rows: int | None = None) -> Panel:
    """The shares of values inside ranges of each level; of independent ``rows`` with the range of chance."""
    x = 100.0 * np.array([0.0, *levels, 1.0])
    inside = 100.0 * np.array([0.0, *held, 1.0])
    seen = Points(x[1:-1], inside[1:-1], say_as("in a picture", "found"))
    layers: list[Line | Points | Band] = [Line(x, x, say(EXPECTED), "mean"), seen]
    if rows is not None:
        half = BAND_SDS * np.sqrt(x * (100.0 - x) / rows)
        layers.insert(0, Ranges(x, x - half, np.minimum(x + half, 100.0), say(CHANCE), "signal"))
    return Panel(title, say("level of the range, %"), say("values inside, %"), tuple(layers))

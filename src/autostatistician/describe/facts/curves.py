"""What pictures are drawn from: plain arrays, with 95 % ranges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.forms import Curve

__all__ = [
    "ColumnCurve", "EffectCurves", "LeaveOneOutErrors", "PartCurves", "Roc", "SeriesCurves", "Slices",
    "Surface",
]  # fmt: skip

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PartCurves:
    """A part of a series by itself and in sums of parts on a grid, draws of it, and what is left after it."""

    alone: Curve
    cumulative: Curve  # of the parts up to this one
    samples: Array  # (k, m) draws of this part on the grid
    left: Array  # (n,) of the data, when the parts up to this one are taken away


@dataclass(frozen=True, eq=False)
class SeriesCurves:
    """The data of a series, the model with its noise, draws without it, and the forecast."""

    x: Array  # (n,)
    y: Array  # (n,) in the units of the data
    offset: float  # taken off them before the fit
    observation: Curve
    samples: Array  # (k, m) at the positions of `observation`
    forecast: Curve
    aside: tuple[tuple[float, float], ...]  # positions and values that the model was made without


@dataclass(frozen=True, eq=False)
class ColumnCurve:
    """An effect along one of its columns with partial residuals ``residuals`` (n,) at the values ``at`` (n,)."""

    column: str
    levels: tuple[str, ...]  # names of its categories
    few: bool  # it has few values
    x: Array  # (m,)
    mean: Array
    lower: Array
    upper: Array
    at: Array
    residuals: Array


@dataclass(frozen=True, eq=False)
class Surface:
    """An effect over two columns on a grid (k, m), the first along the rows, and where the data lie."""

    columns: tuple[str, str]
    levels: tuple[tuple[str, ...], tuple[str, ...]]
    axes: tuple[Array, Array]
    mean: Array
    lower: Array
    upper: Array
    at: tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class Slices:
    """The effect along a column ``x`` (m,) where another is low and where it is high: place, mean and limits there."""

    along: str
    by: str
    by_levels: tuple[str, ...]
    few: bool  # the first column has few values
    x: Array
    cuts: tuple[tuple[float, Array, Array, Array], ...]


@dataclass(frozen=True, eq=False)
class EffectCurves:
    """An effect along each of its columns and, where two of them act together, over both."""

    along: tuple[ColumnCurve, ...]
    surface: Surface | None
    slices: Slices | None


@dataclass(frozen=True, eq=False)
class LeaveOneOutErrors:
    """Every value of a table predicted from all others, with standardised errors (n,) and the shares in ranges."""

    y: Array
    predicted: Array
    lower: Array
    upper: Array
    errors: Array
    levels: tuple[float, ...]
    held: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Roc:
    """The share of the other class that is called the class, and of the class that is, for every threshold."""

    false_alarms: Array
    hits: Array

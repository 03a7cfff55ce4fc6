"""What a deep process has learned from a table, as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["DeepCurve", "DeepFound", "DeepHeldOut", "LayersTried"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LayersTried:
    """A number of layers, and the highest bound on the log density of the standardised target."""

    layers: int
    bound: float


@dataclass(frozen=True, eq=False)
class DeepCurve:
    """New observations (m,) along one column, the others at their medians: mean and the ends of their 95 % range."""

    column: str
    x: Array
    mean: Array
    low: Array
    high: Array


@dataclass(frozen=True)
class DeepHeldOut:
    """Rows that a fit to all others foresaw: mean log density a row, that of one layer, share within 95 % ranges."""

    rows: int
    fitted: int
    log_density: float
    of_one_layer: float | None  # None where one layer was kept
    within: float
    error: float  # root mean square
    spread: float  # standard deviation of the target


@dataclass(frozen=True, eq=False)
class DeepFound:
    """A deep process fitted to n rows.

    ``bends`` say for every hidden layer how far the mean at the rows changes with a linear map in its place, as shares
    of its variance.
    """

    name: str
    columns: tuple[str, ...]
    n: int
    chosen: int
    tried: tuple[LayersTried, ...]
    enough: float  # how much higher the bound of more layers must be
    forms: tuple[str, ...]  # the kernel of every layer
    bends: tuple[float, ...]
    noise: float
    curves: tuple[DeepCurve, ...]
    rows: Array  # (n, d)
    y: Array
    held_out: DeepHeldOut | None
    notes: tuple[str, ...] = ()

"""Facts on deep processes: layers and their bends, how the target moves with a column, what was foreseen."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.facts.fact import OF_WHOLE, Fact

__all__ = ["ColumnCourse", "ColumnMove", "DeepFindings", "Foreseen", "LayerBend", "LayerCount"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class LayerCount(Fact):
    """How many layers were kept (``number``); every number tried with its bound; ``enough`` is what more must gain."""

    tried: tuple[tuple[int, float], ...]
    enough: float

    @property
    def gain(self) -> float:
        """How much higher the bound is than that of the fewest layers tried."""
        return dict(self.tried)[int(self.number)] - self.tried[0][1]


@dataclass(frozen=True, kw_only=True)
class LayerBend(Fact):
    """How far the prediction changes with a linear map in the place of a hidden layer, as a share of its variance."""

    layer: int


@dataclass(frozen=True, kw_only=True)
class ColumnMove(Fact):
    """How far the mean moves along a column (``number``), between its lowest and its highest place."""

    column: str
    lowest: tuple[float, float]  # place, value
    highest: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Foreseen(Fact):
    """Rows left out (``rows``): their mean log density (``number``), that of one layer, the share in 95 % ranges."""

    rows: int
    fitted: int
    of_one_layer: float | None
    within: float = field(metadata=OF_WHOLE)
    error_share: float = field(metadata=OF_WHOLE)  # of the standard deviation


@dataclass(frozen=True, eq=False)
class ColumnCourse:
    """A curve for a picture, with its range; rows of the data where there is one column alone."""

    column: str
    x: Array
    mean: Array
    low: Array
    high: Array
    rows: tuple[Array, Array] | None


@dataclass(frozen=True, eq=False)
class DeepFindings:
    """All that is told of a deep process."""

    name: str
    n: int
    columns: tuple[str, ...]
    count: LayerCount
    forms: tuple[str, ...]
    bends: tuple[LayerBend, ...]
    moves: tuple[ColumnMove, ...]  # the farthest first
    courses: tuple[ColumnCourse, ...]  # in the same order
    foreseen: Foreseen | None
    noise: float
    warnings: tuple[str, ...]

"""What pictures are drawn from: plain arrays, with 95 % ranges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.forms import Curve

__all__ = ["PartCurves", "SeriesCurves"]

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

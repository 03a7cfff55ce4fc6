"""The data of one modelling task: float64 arrays on the model axis, with where they came from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.axes import Axis

__all__ = ["Dataset"]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Inputs ``X`` (n, d) and target ``y`` (n,), sorted by the time axis where there is one; read-only arrays."""

    X: NDArray[np.float64]
    y: NDArray[np.float64]
    columns: tuple[str, ...]
    target: str
    axis: Axis | None
    name: str = "data"
    offset: float = 0.0  # subtracted from y, only where the data are too far from zero for float64 arithmetic
    warnings: tuple[str, ...] = ()

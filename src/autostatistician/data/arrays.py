"""The kinds of arrays that are read from tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Days", "Flags", "Floats", "Rows", "Times"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]  # their numbers
Times = NDArray[np.datetime64]
Days = NDArray[np.datetime64]  # M8[D]

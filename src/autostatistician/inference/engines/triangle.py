"""A square work matrix that LAPACK and NumPy see each in its own order."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

__all__ = ["UpperTriangle"]

Array = NDArray[np.float64]


class UpperTriangle:
    """An n x n work matrix of which LAPACK sees the lower triangle (Fortran order) and NumPy the upper.

    The other triangle stays zero, and a tail of zeros follows the matrix, so that its diagonals can be read
    as the columns of a strided view without any copy.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self._buffer = np.zeros(n * n + n)
        self.matrix = self._buffer[: n * n].reshape(n, n)
        step = self._buffer.itemsize
        self.diagonals: Array = as_strided(self._buffer, (n, n), ((n + 1) * step, step))
        self.main = self.matrix.reshape(-1)[:: n + 1]

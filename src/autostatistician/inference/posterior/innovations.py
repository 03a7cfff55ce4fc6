"""What each of several jointly normal values is expected to be, given those before it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import factorise

__all__ = ["given_before"]

Array = NDArray[np.float64]


def given_before(values: Array, mean: Array, covariance: Array) -> tuple[Array, Array]:
    """Mean and standard deviation (m,) of each value given those before it, from the moments (m,), (m, m) of all.

    >>> means, sds = given_before(np.array([2.0, 3.0]), np.zeros(2), np.array([[4.0, 4.0], [4.0, 5.0]]))
    >>> means.tolist(), sds.tolist()
    ([0.0, 2.0], [2.0, 1.0])
    """
    factor = factorise(covariance)
    sds = np.array(factor.lower.diagonal())
    return values - sds * factor.half_solve(values - mean), sds

"""What the passes there and back say about each observation: given all before it, and given all others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.semiseparable.recursion import Adjoints, Pass

__all__ = ["innovations", "leave_one_out"]

Array = NDArray[np.float64]


def innovations(found: Pass) -> tuple[Array, Array]:
    """Standardised errors (B, m) of predicting each observation from all before it, and their sizes before that."""
    return np.einsum("bji,bj->bi", found.L, found.a), np.einsum("bii->bi", found.L)


def leave_one_out(y: Array, by: Adjoints) -> tuple[Array, Array]:
    """Mean and variance (B, m) of each observation ``y`` (B, m) given all others.

    They need K^-1 y and the diagonal of K^-1 (Rasmussen and Williams 2006, equations 5.10 to 5.12): the derivatives of
    the evidence by y and, ``(K^-1 - alpha alpha') / 2``, by K.
    """
    variance = 1.0 / (2.0 * np.einsum("bii->bi", by.K) + by.y**2)
    return y - by.y * variance, variance

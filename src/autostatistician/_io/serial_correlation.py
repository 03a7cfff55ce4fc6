"""How much neighbouring values are alike, and how many independent ones they are worth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["effective_sample_size", "lag_one_autocorrelation"]

Array = NDArray[np.float64]


def lag_one_autocorrelation(values: Array) -> float:
    """That of values (n,) about zero, in their order; none where all are zero."""
    return float(values[1:] @ values[:-1]) / (float(values @ values) or 1.0)


def effective_sample_size(errors: Array) -> float:
    """How many independent errors some (n,) are worth: one miss of a level is many errors, but one event.

    With the lag-one autocorrelation r about zero, ``n (1 - r) / (1 + r)``, from 1 to n (Bartlett 1935).

    >>> effective_sample_size(np.array([2.0, 2.0, 2.0])), effective_sample_size(np.array([1.0, -1.0, 1.0, -1.0]))
    (1.0, 4.0)
    """
    n, alike = len(errors), max(lag_one_autocorrelation(errors), 0.0)
    return max(1.0, n * (1.0 - alike) / (1.0 + alike))

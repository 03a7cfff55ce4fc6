"""Draws in numbers: medians, ranges of 95 %, signs; and plain statistics beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.function import Estimate, Witness

__all__ = ["SDS_OF_RANGE", "UNBIASED", "Back", "estimate", "robust_sd", "witness"]

Array = NDArray[np.float64]
Back = Callable[[Array], Array]  # from the scale of the models to the units of the data

ENDS = (0.5, 0.025, 0.975)
# between ends so placed lie 95 % of further draws on average, also of few draws
UNBIASED: Final = "weibull"
MAD_TO_SD = 1.4826  # of normal values
SDS_OF_RANGE = 1.96


def estimate(draws: Array) -> Estimate:
    """The median of draws (k,) with the range of 95 % of them and the share that has its sign.

    >>> estimate(np.arange(-1.0, 40.0))
    Estimate(number=19.0, low=-0.95, high=38.95, probability=0.9512)
    """
    middle, low, high = np.quantile(draws, ENDS, method=UNBIASED).tolist()
    same = float(np.mean(draws > 0.0)) if middle > 0.0 else float(np.mean(draws < 0.0)) if middle < 0.0 else 0.0
    return Estimate(middle, low, high, round(same, 4))


def robust_sd(values: Array) -> float:
    """The standard deviation of normal values by their median distance from the median.

    >>> round(robust_sd(np.array([1.0, 2.0, 3.0, 4.0, 1000.0])), 4)
    1.4826
    """
    return MAD_TO_SD * float(np.median(np.abs(values - np.median(values)))) if len(values) else 0.0


def witness(statistic: str, number: float, error: float, claimed: Estimate) -> Witness:
    """A statistic with its standard error beside what the models say: it agrees where the ranges have a common part.

    >>> witness("difference of means", 5.0, 1.0, Estimate(8.0, 6.5, 9.5, 1.0)).agrees
    True
    """
    low, high = number - SDS_OF_RANGE * error, number + SDS_OF_RANGE * error
    return Witness(statistic, number, low, high, bool(low <= claimed.high and claimed.low <= high))

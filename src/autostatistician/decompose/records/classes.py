"""What a model of classes says on the scale of chances, as plain values: those of the second class, between 0 and 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ClassForecast", "Bin", "Chances", "Foreseen", "LeaveOneOutClasses"]

Array = NDArray[np.float64]
Span = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Chances:
    """Chances at some m places, averaged over what the data leave open, with the range that holds each with 95 %."""

    mean: Array
    lower: Array
    upper: Array


@dataclass(frozen=True, eq=False)
class ClassForecast:
    """The chances of a class at the next positions ``x`` (m,) of a series."""

    x: Array
    chances: Chances


@dataclass(frozen=True)
class Bin:
    """Rows whose chances are alike: how many they are, their mean chance, and the share that was of the class."""

    rows: int
    chance: float
    share: float
    span: Span  # 95 % range of the share in the long run


@dataclass(frozen=True, eq=False, kw_only=True)
class LeaveOneOutClasses:
    """Every class foreseen from all other rows, with the numbers of the whole fit; beside the share in all rows.

    Log scores are means of the logarithm of the chance that was given to what came (natural, at most 0).
    """

    chance: Array  # (n,), of several (n, classes), which sum to one
    log_score: float
    log_score_of_share: float
    log_score_gain_sd: float  # standard error of their difference
    wrong: float  # share of rows whose class was given less than a half, of several less than another
    wrong_of_share: float
    surprising: tuple[int, ...]  # rows whose class was given the least chance
    surprises_expected: float  # how many such rows there would be by chance


@dataclass(frozen=True, eq=False, kw_only=True)
class Foreseen(LeaveOneOutClasses):
    """Two classes foreseen."""

    came: NDArray[np.bool_]  # (n,) rows of the second class
    area: float  # under the ROC curve: how often of two rows of both classes the right one has the higher chance
    area_span: Span
    roc: tuple[Array, Array]  # share of the first class that is called the second, and of the second that is
    bins: tuple[Bin, ...]  # by rising chance
    bins_p: float  # how often shares would be as far from the chances of these, if they were what they say
    calibration: float  # z-score: above 0 where chances are too near to 0 and 1, below where they are too cautious

    @property
    def share(self) -> float:
        """Of rows of the second class."""
        return float(self.came.mean())

    @property
    def given(self) -> Array:
        """The chance (n,) that was given to what came."""
        return np.where(self.came, self.chance, 1.0 - self.chance)

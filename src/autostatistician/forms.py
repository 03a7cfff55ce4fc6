"""What decompositions find and facts tell in the same form: kinds, and the courses of curves as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BAND_SDS",
    "COMMON_SEASON",
    "COMPUTED",
    "FORMATS",
    "INDICATOR",
    "QUESTIONS",
    "CheckKind",
    "ColumnKind",
    "CourseKind",
    "Curve",
    "EffectShape",
    "FarOff",
    "Filling",
    "Format",
    "TurnAt",
    "UNSEEN",
    "Varying",
    "json_format",
]  # fmt: skip

UNSEEN = ("error", "new")  # what becomes of categories that no row had
Array = NDArray[np.float64]
Span = tuple[float, float]
Format = StrEnum(  # objects of JSON: see report/schemas
    "Format",
    "ANSWER FORECAST PREDICT SEARCH REPORT MEMO BACKTEST CLUSTERS "
    "ERROR EXAMPLES EXPLAIN IMPACT PANEL PLAN SCHEMAS UPDATE",
)
FORMATS = {form: 3 if form is Format.REPORT else 1 for form in Format}  # with their versions
QUESTIONS = ("what", "trend", "seasons", "events", "columns", "sure")  # that the page of a model answers
COMMON_SEASON = "season of a panel"  # the calendar of a column that holds what other series have in common
COMPUTED = ("forecast", "why", "what-if")  # questions whose answers are computed when they are asked
INDICATOR = ("given", "missing")  # the levels of a column that says where another has no value
BAND_SDS = 1.96  # standard deviations either side of the mean: 95 %


def json_format(form: Format) -> str:
    """What an object of JSON says of itself.

    >>> json_format(Format.REPORT)
    'autostatistician report 3'
    """
    return f"autostatistician {form} {FORMATS[form]}"


class CheckKind(StrEnum):
    """What a check of a model looks at; the last two are of tables alone."""

    DISTRIBUTION = "distribution"
    AUTOCORRELATION = "autocorrelation"
    PERIODOGRAM = "periodogram"
    COURSE = "course"  # whether errors are of one kind throughout
    QUANTILES = "quantiles"  # of a part alone
    SPREAD = "spread"  # whether errors are larger where predictions are high
    PATTERN = "pattern"  # along a column


class CourseKind(StrEnum):
    """The course of a curve as far as its posterior is sure of it."""

    UNCLEAR = "unclear"  # no two places differ for sure
    STRAIGHT = "straight"
    RISING = "rising"
    FALLING = "falling"
    TURNING = "turning"


class ColumnKind(StrEnum):
    """What a column beside a series holds."""

    FLAG = "flag"  # two numbers, the usual one and another
    NUMBER = "number"
    CATEGORY = "category"


class EffectShape(StrEnum):
    """How a series follows a column of numbers."""

    STRAIGHT = "straight"
    CURVED = "curved"  # one way, but not evenly
    TURNING = "turning"


class Varying(StrEnum):
    """What the effect of a column changes with."""

    NOTHING = ""
    SEASON = "season"
    TIME = "time"


class Filling(StrEnum):
    """What stands in for the values of a column where there is no plan."""

    SEASON_BEFORE = "season before"
    LAST = "last"
    USUAL = "usual"


@dataclass(frozen=True)
class TurnAt:
    """A place where a curve turns, with the range that holds it with 95 %; ``top``: it rises before and falls after."""

    at: float
    span: Span
    top: bool


@dataclass(frozen=True, eq=False)
class Curve:
    """A course along the axis: mean, standard deviation and 95 % limits at positions ``x`` (each of shape (m,)).

    ``median`` is that of single values to come, whose distributions may be skew; see `middle`.
    """

    x: Array
    mean: Array
    sd: Array
    lower: Array
    upper: Array
    median: Array | None = None

    @classmethod
    def normal(cls, x: Array, mean: Array, sd: Array) -> Curve:
        """The curve of a normal distribution.

        >>> Curve.normal(np.zeros(1), np.zeros(1), np.ones(1)).upper
        array([1.96])
        """
        return cls(x, mean, sd, mean - BAND_SDS * sd, mean + BAND_SDS * sd)

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """Which values (m,) have no range: those that are certain, as of a closed day."""
        return np.asarray((self.lower == self.middle) & (self.upper == self.middle))

    @property
    def middle(self) -> Array:
        """What is told as the likely value: the median where it is known, else the mean."""
        return self.mean if self.median is None else self.median

    def cut(self, piece: slice) -> Curve:
        """The curve at some of its positions."""
        median = None if self.median is None else self.median[piece]
        return Curve(self.x[piece], self.mean[piece], self.sd[piece], self.lower[piece], self.upper[piece], median)

    def until(self, last: float) -> Curve:
        """The curve up to a position, which it includes."""
        return self.cut(slice(0, int(np.searchsorted(self.x, last, side="right"))))


@dataclass(frozen=True)
class FarOff:
    """Of a stretch far off all the rest: its ``last`` row, the ``value`` furthest off and where, and its ``chance``.

    The chance is that of one so far off in data as all the others are. The ``value``, the ``mean`` of all, and what
    would be ``usual`` for them are in the units of the data, seasons and all.
    """

    last: float
    at: float
    mean: float
    usual: float
    value: float
    chance: float

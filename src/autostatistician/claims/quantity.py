"""A number with its range and what it measures, in units of the data: never a logarithm or odds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["FROM_NOTHING", "MOST_EXPONENT", "NEARLY_ONE", "Measure", "Quantity"]

FROM_NOTHING = 50.0  # times: of so large a ratio the smaller is next to nothing
NEARLY_ONE = 1.05  # times as large: below, as large
MOST_EXPONENT = 300.0  # those beyond are told and drawn as this one


class Measure(StrEnum):
    """What a number measures: by this it is written."""

    LEVEL = "level"  # a value of the target
    DIFFERENCE = "difference"  # of two of them
    RATIO = "ratio"  # of two of them, or of two sizes: 1 is no difference
    SLOPE = "slope"  # a difference per unit of the axis
    GROWTH = "growth"  # the share by which a level grows in a unit of the axis: 0.1 is by 10 % of itself
    SHARE = "share"  # of a whole
    COUNT = "count"
    SPAN = "span"  # along the axis
    PLACE = "place"  # on the axis
    RATE = "rate"  # per span along the axis
    DIFFUSION = "diffusion"  # of a walk, per root of a span
    NUMBER = "number"  # without a unit
    SCALED = "scaled"  # a difference on the scale of the model of a table, of which its words tell


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its 95 % range; the same three times where none is known.

    >>> fall = Quantity(-3.0, -5.0, 1.0, Measure.DIFFERENCE)
    >>> fall.is_up, fall.is_clear, fall.map(abs).value
    (False, False, 3.0)
    """

    value: float
    low: float
    high: float
    measure: Measure = Measure.DIFFERENCE

    @classmethod
    def plain(cls, value: float, measure: Measure) -> Quantity:
        """One without a range."""
        return cls(value, value, value, measure)

    @property
    def nothing(self) -> float:
        """The number that says that there is no difference."""
        return 1.0 if self.measure is Measure.RATIO else 0.0

    @property
    def is_up(self) -> bool:
        """Whether it says more, not less."""
        return self.value > self.nothing

    @property
    def direction(self) -> str:
        """Where it goes, as sentences ask for it: "up" or "down"."""
        return "up" if self.is_up else "down"

    @property
    def is_clear(self) -> bool:
        """Whether its range leaves out that there is no difference."""
        return (self.low - self.nothing) * (self.high - self.nothing) > 0.0

    @property
    def is_from_nothing(self) -> bool:
        """Whether it is a ratio to next to nothing."""
        return self.measure is Measure.RATIO and self.value > FROM_NOTHING

    @property
    def interval(self) -> tuple[float, float]:
        """Its range."""
        return self.low, self.high

    def map(self, function: Callable[[float], float], measure: Measure | None = None) -> Quantity:
        """The same after a function that grows, as a number of another kind."""
        return Quantity(function(self.value), function(self.low), function(self.high), measure or self.measure)

"""Facts: what a report may state, each with its number, unit, interval and the evidence for it.

The words of a report are made from these records and from nothing else. A fact has a stable ``id``
("part-2/periodicity"), so that every sentence can name the facts it states.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, nan

from autostatistician.describe.facts.fact import OF_WHOLE, UNRECORDED, Fact, Span
from autostatistician.describe.facts.kinds import Growth, Pace

__all__ = [
    "ActiveInterval",
    "Amplitude",
    "AmplitudeChange",
    "ChangeSteepness",
    "CombinedCycles",
    "ConstantLevel",
    "CrossValidatedError",
    "DampedTrend",
    "Extrapolation",
    "Head",
    "LinearTrend",
    "NoiseLevel",
    "Periodicity",
    "PolynomialTrend",
    "SmoothVariation",
    "Trend",
    "VarianceExplained",
    "Wandering",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class NoiseLevel(Fact):
    """Independent scatter; ``number`` is its root mean square sd.

    ``first`` and ``last`` are those of the first and the last third of the rows that it applies to, by what the model
    leaves of them: where few rows lie, the shape of the noise says more than the data. ``visible`` is false where it
    is no larger than what could be seen at all.
    ``rates``: between which logarithms 95 of 100 rates of counts lie about the rest of the model, with the scatter that
    the law of the counts has; None of all else.
    """

    first: float
    last: float
    visible: bool = True
    rates: Span | None = field(default=None, metadata=UNRECORDED)


@dataclass(frozen=True, kw_only=True)
class ConstantLevel(Fact):
    """A constant; ``number`` is its value where it applies, of one that is ``stepped`` at the end.

    ``beside``: it begins or ends with something sudden that is told, with the levels before and after.
    """

    stepped: bool = False
    beside: bool = field(default=False, metadata=UNRECORDED)


@dataclass(frozen=True, kw_only=True)
class SmoothVariation(Fact):
    """A smooth function; ``number`` is the (typical) length over which it changes; it may vary on several scales."""

    pace: Pace
    several_scales: bool = False


@dataclass(frozen=True, kw_only=True)
class Wandering(Fact):
    """A function that wanders; ``number`` is the length of its memory.

    ``rough``: its level moves from one value to the next, else its slope does; ``free``: nothing in the data pulls it
    back, because its memory is longer than they last (it is infinite where nothing ever does).
    """

    rough: bool
    free: bool


@dataclass(frozen=True, kw_only=True)
class DampedTrend(Fact):
    """A trend whose slope is forgotten, so that it levels off; ``number`` is the time constant of the slope.

    ``lasting``: for more than a third of the data, so that they hardly show it level off.
    """

    lasting: bool


@dataclass(frozen=True, kw_only=True)
class LinearTrend(Fact):
    """A straight line; ``number`` is its slope, ``direction`` +1, -1, or 0 when its sign is left open."""

    direction: int


@dataclass(frozen=True, kw_only=True)
class PolynomialTrend(Fact):
    """A polynomial; ``number`` is its degree."""


@dataclass(frozen=True, kw_only=True)
class Periodicity(Fact):
    """A repeating pattern; ``number`` is the period.

    ``drift`` is the length over which the shape changes (None:
    never), ``steady`` whether that is more than half of the data; ``detail`` the length over which a cycle
    changes within itself (None: a pure wave). ``seen`` counts the
    cycles that lie within the data; ``waves`` how often a fitted wave fits into one, where only the cycle of the
    calendar is told.
    """

    drift: float | None
    steady: bool
    detail: float | None
    seen: float = inf
    waves: int = 1


@dataclass(frozen=True, kw_only=True)
class CombinedCycles(Fact):
    """Several repeating patterns multiplied with each other; ``number`` says how many."""

    cycles: tuple[Periodicity, ...]


@dataclass(frozen=True, kw_only=True)
class Trend(Fact):
    """Where a part heads: ``number`` is its slope from the first to the last datum where it applies.

    ``direction`` is +1 or -1 where the slope has that sign with a `probability` worth telling and the curve goes that
    way with most of its size, else 0; ``steady`` when it goes that way all the time, which then is what the probability
    is of. ``highest_at`` and ``lowest_at`` are the extremes of the curve.
    """

    direction: int
    steady: bool
    highest_at: float = nan
    lowest_at: float = nan


@dataclass(frozen=True, kw_only=True)
class Amplitude(Fact):
    """Size of a part over the data: ``number`` = ``high - low``; also its values where it begins and ends.

    With ``is_level`` these are values of the level that the part is, not what it adds to one.
    ``interval`` is the 95 % range of the difference between the places where its mean is highest and lowest.
    """

    low: float
    high: float
    first: float
    last: float
    is_level: bool = False


@dataclass(frozen=True, kw_only=True)
class AmplitudeChange(Fact):
    """How the size changes along the axis.

    ``number`` is the ratio of the sizes at the end and at the start (of noise: of its last and its first third),
    ``degree`` the number of linear factors, ``places`` where within the data the size would be zero.
    ``probability`` is that of the kind.
    """

    kind: Growth
    degree: int
    places: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ActiveInterval(Fact):
    """Where a part applies, as ``shown``: cut to the data; ``number`` counts these spans."""

    shown: tuple[Span, ...]


@dataclass(frozen=True, kw_only=True)
class ChangeSteepness(Fact):
    """How long a change takes, from 10 % to 90 %; ``abrupt`` when that is within one step of the data.

    ``location_interval`` is the 95 % range of its place. ``told``: something sudden is told to have happened there.
    """

    location: float
    abrupt: bool
    location_interval: Span | None = None
    told: bool = field(default=False, metadata=UNRECORDED)
    rises: bool | None = field(default=None, metadata=UNRECORDED)  # of a level that steps


@dataclass(frozen=True, kw_only=True)
class VarianceExplained(Fact):
    """Share of the variation left by earlier parts that this one explains, and what all so far do (``after``)."""

    after: float = field(metadata=OF_WHOLE)


@dataclass(frozen=True, kw_only=True)
class CrossValidatedError(Fact):
    """Mean absolute error on held-out tenths with the parts so far."""


@dataclass(frozen=True, kw_only=True)
class Extrapolation(Fact):
    """What the part does beyond the data; ``number`` is where it ends (infinity: it goes on)."""

    ended: bool
    begins: float


Head = (
    NoiseLevel | ConstantLevel | SmoothVariation | Wandering | DampedTrend | LinearTrend | PolynomialTrend
    | Periodicity | CombinedCycles
)  # fmt: skip

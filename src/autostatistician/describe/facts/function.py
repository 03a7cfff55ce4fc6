"""Facts on what the function behind a series does, whatever models it was found by.

Each has the probability that it is so over draws from all weighted models, and a plain statistic of the data as a
second witness; it is ``told`` where both speak for it. Levels are in the units of the data.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from autostatistician.describe.facts.fact import OF_WHOLE, UNRECORDED, ProbableFact, Span
from autostatistician.forms import FarOff

__all__ = [
    "FunctionFact", "NoiseThroughout", "PhaseValue", "Rise", "RunOfCourse", "ScatterStep", "SeasonSwing",
    "SecondWitness", "SlopeOfLate", "Still", "SuddenChange",
]  # fmt: skip


@dataclass(frozen=True)
class SecondWitness:
    """A plain statistic of the data about the same, with its own range, and whether it agrees."""

    statistic: str
    number: float
    interval: Span
    agrees: bool


@dataclass(frozen=True, kw_only=True)
class FunctionFact(ProbableFact):
    """What the function does; ``told`` where the models are sure of it and the data show it, too."""

    told: bool
    witness: SecondWitness | None = None


@dataclass(frozen=True)
class Still:
    """A long stretch in which hardly any of a rise or fall happens, with the levels at its ends."""

    start: float
    stop: float
    first: float
    last: float


@dataclass(frozen=True, kw_only=True)
class Rise(FunctionFact):
    """How much higher the function lies at the end than at the start (``number``), seasons left out.

    ``first`` and ``last`` are its levels at the first and the last row, ``start`` to ``ends[0]`` and ``ends[1]`` to
    ``stop`` the stretches that the data are compared over. It ``is_open`` where it may well be large, up or down.
    ``wander`` is the share of its variation that a straight line leaves, ``pace`` the slope of that line per unit of
    the axis, ``paces`` those of its thirds and ``rates`` the same on the scale of the models, all beside sudden changes
    that last; between ``bounds`` it runs. Where the logarithm is modelled, ``growth`` is the slope of that. Beside
    lasting changes it stands ``still`` for a while, as far as it goes one way. The data say that it ``bends``, or that
    its rates do, where one pace does not describe it.
    """

    start: float
    stop: float
    ends: Span
    first: float
    first_interval: Span
    last: float
    last_interval: Span
    wander: float = field(metadata=OF_WHOLE)
    pace: float
    pace_interval: Span
    paces: tuple[float, ...]
    rates: tuple[float, ...]
    bounds: Span
    is_open: bool
    growth: float | None = None
    still: Still | None = None
    bends: bool = False
    rate_bends: bool = False


@dataclass(frozen=True, kw_only=True)
class RunOfCourse(FunctionFact):
    """A rise or fall (``number``) between two turning points, seasons and sudden changes left out.

    ``start_interval`` holds the turning point where it begins; ``place`` counts from 1 to ``of``. For a while it may
    stand ``still``.
    """

    start: float
    stop: float
    first: float
    last: float
    start_interval: Span
    place: int
    of: int
    still: Still | None = None


@dataclass(frozen=True, kw_only=True)
class SlopeOfLate(FunctionFact):
    """The slope per unit of the axis over the last rows, and where these begin."""

    start: float


@dataclass(frozen=True)
class PhaseValue:
    """What a season adds at a position, with its 95 % range."""

    at: float
    value: float
    interval: Span


@dataclass(frozen=True, kw_only=True)
class SeasonSwing(FunctionFact):
    """A pattern that repeats after ``period``; ``number`` is its share of the variation of the data.

    ``swing`` is from its lowest to its highest, at the positions ``bottom`` and ``top``; ``tops`` and ``bottoms`` are
    the neighbouring positions that are it nearly for sure, none where these are many. ``p_value`` is that of the data
    alone for no such season. Where it certainly grows or shrinks, ``swing_ends`` are its swings over the first and over
    the last third of the data. It ``changes`` where the model told lets its shape or its size change along the data.
    """

    period: float
    period_interval: Span
    p_value: float
    swing: float
    swing_interval: Span
    top: float
    bottom: float
    tops: tuple[float, ...]
    bottoms: tuple[float, ...]
    phases: tuple[PhaseValue, ...]
    swing_ends: tuple[float, float] | None
    changes: bool
    modelled: float = field(metadata=OF_WHOLE)


@dataclass(frozen=True, kw_only=True)
class SuddenChange(FunctionFact):
    """A change of ``number`` between two neighbouring rows, ``before`` and ``at``.

    It was gone again from ``until`` on (None: it lasts). ``level`` is that before it and ``after`` that with it,
    seasons left out; ``share`` is the change in relation to the level (None where that means nothing). It lasted
    ``rows``, and there are ``later`` rows after it; ``stays``: most of them are still where it took them. An event that
    came or went gradually is ``far_off``, and no change between two rows.
    """

    before: float
    at: float
    until: float | None
    level: float
    after: float
    share: float | None
    rows: int
    later: int
    stays: bool = True
    far_off: FarOff | None = field(default=None, metadata=UNRECORDED)


@dataclass(frozen=True, kw_only=True)
class ScatterStep(FunctionFact):
    """Single values scatter ``number`` times as far from ``at`` on as before, with these standard deviations.

    Where its place is known to no few rows, the change lies ``between`` two of them.
    """

    at: float
    before: float
    after: float
    between: Span | None = None


@dataclass(frozen=True, kw_only=True)
class NoiseThroughout(FunctionFact):
    """The typical standard deviation of single values about the function; ``steady``: p-value of equal thirds."""

    steady: float

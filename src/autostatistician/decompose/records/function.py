"""What the function behind a series does, whatever models say it: numbers over all of them, each beside a plain one.

Every number has its 95 % range over draws of the function from all weighted models. The second witness is a statistic
of the data that no model has a part in; where both agree, a claim may be made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.forms import FarOff

__all__ = [
    "BLOCKS",
    "SAME_PERIOD",
    "T_OF_BLOCKS",
    "EndLevel",
    "Estimate",
    "FirstCycle",
    "FunctionCourse",
    "FunctionDraws",
    "LevelChange",
    "Movement",
    "Plateau",
    "ScatterChange",
    "Season",
    "Witness",
    "believed",
]

Array = NDArray[np.float64]


SAME_PERIOD = 0.05  # relative difference of periods that count as one

# Of a season, or of a third of the rows; 97.5 % of the t distribution with two times three degrees of freedom
BLOCKS, T_OF_BLOCKS = 4, 2.447

NOTHING = 2.0  # times as probable, before the data are seen, as that something goes up or down


def believed(share: float) -> float:
    """How probable a sign is that a share of draws has, where there may be nothing as well.

    What the draws say against nothing is at most what a p-value of that size says (Sellke, Bayarri and Berger 2001).

    >>> [round(believed(share), 2) for share in (0.6, 0.9, 0.975, 0.99, 1.0)]
    [0.2, 0.33, 0.54, 0.69, 1.0]
    """
    p = 2.0 * (1.0 - share)
    bound = -np.e * p * np.log(p) if 0.0 < p < 1.0 / np.e else float(p > 0.0)
    return float(share / (1.0 + NOTHING * bound))


@dataclass(frozen=True, eq=False)
class FunctionDraws:
    """The function at ascending places ``x`` (m,) by draws from weighted models, all on the scale of the models.

    ``curves`` and ``noise`` are (k, m): the function, and the standard deviation of single values about it. ``values``
    (m,) are the data there, ``errors`` (m,) what the best model misses each by when it is left out. ``whole`` are the
    places and values of all rows where ``x`` are some of them, ``aside`` those of rows that the models were made
    without. Of a curve, whose rows came in no order, nothing is sudden: how far neighbours lie apart is chance.
    """

    x: Array
    curves: Array
    noise: Array
    values: Array
    errors: Array
    whole: tuple[Array, Array] | None = None
    is_curve: bool = False
    aside: tuple[Array, Array] = (np.zeros(0), np.zeros(0))

    def __post_init__(self) -> None:
        shapes = (self.curves.shape[1:], self.noise.shape[1:], self.values.shape, self.errors.shape)
        assert all(shape == self.x.shape for shape in shapes), "all at the same places"

    @property
    def every(self) -> tuple[Array, Array, NDArray[np.bool_]]:
        """Places and values (n,) of all rows there are, and which of them the models were made without."""
        known = self.whole or (self.x, self.values)
        x, values = (np.concatenate(both) for both in zip(known, self.aside, strict=True))
        order = np.argsort(x, kind="stable")
        return x[order], values[order], order >= len(known[0])


@dataclass(frozen=True)
class Estimate:
    """A number (the median of draws), its 95 % range, and the share of draws that have its sign."""

    number: float
    low: float
    high: float
    probability: float


@dataclass(frozen=True)
class Witness:
    """A plain ``statistic`` of the data with a 95 % range of its own, and whether it ``agrees`` with the models.

    Of differences of rows, these lie so many ``rows`` apart.
    """

    statistic: str
    number: float
    low: float
    high: float
    agrees: bool
    rows: int = 1


@dataclass(frozen=True)
class EndLevel:
    """How high the function lies at the outer end of a stretch of rows, beside a season on average over it."""

    start: float
    stop: float
    height: Estimate


@dataclass(frozen=True)
class Plateau:
    """A long stretch in which hardly any of a rise or fall happens, with the levels at its ends."""

    start: float
    stop: float
    first: float
    last: float


@dataclass(frozen=True)
class Movement:
    """A rise or fall from one turning point (or end) to the next, and where it stands ``still``.

    ``start_range`` holds the turning point at its start with 95 %; it is a point for the first stretch.
    """

    start: float
    stop: float
    first: float
    last: float
    change: Estimate
    start_range: tuple[float, float]
    witness: Witness
    still: Plateau | None = None


@dataclass(frozen=True)
class FirstCycle:
    """A season as it is in the first third of the rows, where it is highest at other phases in the last.

    ``course``, ``tops`` and ``bottoms`` are as of `Season`.
    """

    course: tuple[float, ...]
    tops: tuple[float, ...]
    bottoms: tuple[float, ...]


@dataclass(frozen=True)
class Season:
    """A pattern that repeats after ``period``: which share of the variation of the data it has, and how far it swings.

    ``phases`` (from 0 to 1 of the period after the first row) have the mean ``course`` there with its range ``low`` to
    ``high``; ``top`` and ``bottom`` are the phases where it is highest and lowest in most draws, with their shares;
    ``tops`` and ``bottoms`` the neighbouring ones that hold nearly all draws, none where these are many.
    ``modelled`` is the weight of the models that hold such a cycle. ``period_range`` holds its length with 95 %; a
    cycle of the calendar has one. ``p_value`` is that of the data alone for no such season. Where its swings certainly
    grow or shrink, ``ends`` are those of the first and of the last third of the rows. ``changing`` is the share of
    draws in which the last cycle has another shape than the first, zero where the data do not show it themselves.
    Where even its highest phases have certainly become others, the course is that of the last third, ``first`` that of
    the first, and the swing the mean of both: the mean over all cycles may be next to nothing.
    """

    period: float
    share: Estimate
    swing: Estimate
    phases: tuple[float, ...]
    course: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    top: tuple[float, float]
    bottom: tuple[float, float]
    tops: tuple[float, ...]
    bottoms: tuple[float, ...]
    modelled: float
    witness: Witness
    period_range: tuple[float, float]
    p_value: float
    ends: tuple[float, float] | None = None
    changing: float = 0.0
    first: FirstCycle | None = None


@dataclass(frozen=True)
class LevelChange:
    """A sudden change between the rows ``before`` and ``at``; back after ``until``, or not (None).

    Its ``size``, the ``level`` before it and what its witness says are in the units of the data.

    ``begins`` holds its first row with 95 %, as the data place it.
    ``probability`` is the share of draws in which it is sudden and larger than what else happens from row to row.
    ``lasting`` rows are there after it (and, where it went back, after that); ``stays`` says whether most of these are
    still where it took them. An event that comes or goes gradually, a ``segment``, is no change between two rows.
    """

    before: float
    at: float
    until: float | None
    size: Estimate
    level: float
    probability: float
    rows: int  # that it lasted
    lasting: int
    stays: bool
    witness: Witness
    segment: FarOff | None = None
    begins: tuple[float, float] | None = None  # known where it is sudden


@dataclass(frozen=True)
class ScatterChange:
    """How many times as far single values scatter from ``at`` on as before; ``before`` and ``after`` are their sds.

    The change lies in a ``span`` with 95 %: from, to, and how many rows that is; None where it is not known.
    """

    at: float
    ratio: Estimate
    before: float
    after: float
    witness: Witness
    span: tuple[float, float, int] | None = None


@dataclass(frozen=True, eq=False)
class FunctionCourse:
    """All of it: ``first`` and ``last`` level, the ``rise`` between them, the slope of late, turns, seasons, changes.

    ``homoscedasticity`` compares the size of the scatter in three thirds of the rows (its p-value).
    """

    first: EndLevel
    last: EndLevel
    rise: Estimate
    rise_witness: Witness
    slope: Estimate  # per unit of the axis, over the stretch of `last` and that before it
    pace: Estimate  # per unit of the axis, by a straight line through all of it but lasting sudden changes
    stretches: tuple[Movement, ...]
    paces: tuple[float, float, float]  # the same of its three thirds
    rates: tuple[float, float, float]  # and on the scale of the models
    bounds: tuple[float, float]  # the lowest and the highest of the course, in the middle of the draws
    wander: float  # share of the variation of the function, seasons left out, that a straight line leaves
    seasons: tuple[Season, ...]
    sudden: tuple[LevelChange, ...]
    scatter: ScatterChange | None
    homoscedasticity: float
    noise: Estimate  # the typical standard deviation of single values, on the scale of the models
    noise_in_data: float  # and in the units of the data
    growth: Estimate | None  # the pace on the scale of the models: of a logarithm that of growth
    slope_witness: Witness
    still: Plateau | None = None  # where all of it stands still, lasting sudden changes left out
    bends: bool = False  # whether the data, beside such changes, clearly do not run at one pace
    rate_bends: bool = False  # and on the scale of the models
    step: float | None = None  # from row to row, of data that a random walk describes best
    averaged: float = 0.0  # the season over a whole one of which levels are means; 0 where they are those of rows
    end: float = 0.0  # the level at the last row, seasons left out
    move: Movement | None = None  # the rise or fall that is far beyond what is usual over as many rows

"""What the columns beside a series explain of it: the effect of each, and the series with all of them.

Effects are on the scale of the model (differences of logarithms, where these are modelled), compared with the column at
its usual value. Their 95 % ranges are those of draws in which the column acts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.function import Estimate, Witness
from autostatistician.forms import ColumnKind, Curve, EffectShape, Filling, Varying

__all__ = ["ColumnEffect", "ColumnsBeside", "EffectAt", "EventEffect"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EffectAt:
    """The effect at a ``place``: a value of the column, the code of a category, or a position of the axis."""

    place: float
    effect: Estimate


@dataclass(frozen=True, eq=False, kw_only=True)
class ColumnEffect:
    """One column.

    ``size`` is the effect of one ``step`` more of a number, on average over its range; of a flag that of its ``other``
    value; of categories that of the ``other`` that is furthest from the usual one. Of what fades it is that at once.
    """

    name: str
    event: str  # the holiday or event of the calendar that it belongs to; "" for none
    days: int  # how many days after that (before: negative)
    calendar: str  # as the user named it; "" for a column of the table
    probability: float  # that it acts
    kind: ColumnKind
    levels: tuple[str, ...]
    usual: float
    low: float  # the range that was seen
    high: float
    other: float
    step: float
    size: Estimate
    places: tuple[EffectAt, ...]  # each category but the usual one; of a curve its ends, and where it turns
    curve: Curve  # over the values of the column
    shape: EffectShape
    lag: int  # steps until the effect comes, the likeliest of ``lags``
    lags: tuple[int, int]
    kept: float  # share of the effect that is left one step later; 0: it does not fade
    varying: Varying
    moments: tuple[EffectAt, ...]  # of one that varies: where it is highest and lowest in a season; at both ends
    share: float  # of the variance of the series
    apart: float  # share of the movement of the column that the time structure does not follow
    along: float  # correlation of the column with the time structure
    witness: Witness | None
    added: Curve  # at the positions of the data and of the forecast


@dataclass(frozen=True, kw_only=True)
class EventEffect:
    """What the days of a holiday or event add in all (``total``), which came at some ``places`` of the rows."""

    name: str
    total: Estimate
    places: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class ColumnsBeside:
    """All columns, the likeliest first; the series ``y`` (n,) as it was observed with its ``fit``, and its forecast.

    ``season`` is the cycle by which effects vary, ``before`` that by which gaps of a plan are filled, 0 for none;
    ``fillings`` names what stands in for columns whose plan does not reach the end of the forecast; all are planned
    until ``planned_until`` (None: at no step). ``beyond`` are columns whose plan leaves the range that was seen.
    ``aside`` are positions and values that were set aside, less what the columns add. ``events`` are those of the
    calendar, by their columns.
    """

    effects: tuple[ColumnEffect, ...]
    y: Array
    fit: Curve
    forecast: Curve
    season: float
    before: float
    fillings: tuple[tuple[str, Filling], ...]
    planned_until: float | None
    beyond: tuple[str, ...]
    aside: tuple[tuple[float, float], ...] = ()
    events: tuple[EventEffect, ...] = ()

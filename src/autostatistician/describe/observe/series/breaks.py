"""Forecasts that break with the recent course: changes such as the data never showed over equal spans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.facts.whole import CourseBreak

__all__ = ["break_facts"]

Vector = NDArray[np.float64]

SHARES_OF_HORIZON = (1.0, 0.5)  # its end, and its middle where the end is not odd
STRETCHES = 6  # of a span: a level is the mean over one of them
LEAST_SPANS = 4.0  # that the data must last
FEWEST_CHANGES = 8  # over such a span
RECENT_SPANS = 3.0  # whose changes are the recent course
FURTHER, BEYOND = 1.0, 0.25  # of the range of the recent changes: from these, and from those of all data
LEAST_FURTHER = 0.25  # of the largest recent change
VISIBLE_CHANGE, ROUNDING = 0.1, 1e-6  # of the spread of the data, and of their size


@dataclass(frozen=True)
class _LevelChange:
    """The change of level over a span, in the forecast and wherever the data last as long."""

    span: float
    start: float  # levels
    end: float
    number: float
    seen: Vector  # all changes of the data, on the scale of the model
    recent: Vector
    least: float  # less is no change at all


def break_facts(d: Decomposition) -> tuple[CourseBreak, ...]:
    """The change of the forecast that lies furthest beyond those of the data; none where it is like them."""
    if d.forecast.x.size < 2:
        return ()
    for share in SHARES_OF_HORIZON:
        change = _change(d, share * float(d.forecast.x[-1] - d.x[-1]))
        if change is not None and _odd(change):
            low, high = float(change.seen.min()), float(change.seen.max())
            return (
                CourseBreak(
                    id="forecast/break", number=change.end - change.start, unit="target",
                    evidence="levels of the forecast and of the data over equal spans", span=change.span,
                    change=change.number, start=change.start, end=change.end, least=low, most=high,
                    apart=d.two_ways is not None,
                ),
            )  # fmt: skip
    return ()


def _odd(change: _LevelChange) -> bool:
    """Whether a change lies clearly beyond the recent ones, and beyond all of the data."""
    low, high = float(change.recent.min()), float(change.recent.max())
    width = high - low
    further = max(low - change.number, change.number - high)
    beyond = max(float(change.seen.min()) - change.number, change.number - float(change.seen.max()))
    least = max(FURTHER * width, LEAST_FURTHER * max(abs(low), abs(high)), change.least)
    return further > least and beyond > BEYOND * width


def _change(d: Decomposition, span: float) -> _LevelChange | None:
    """Changes over a span; on a logarithmic scale those of the logarithm, where shares and not amounts compare."""
    past, ahead = d.y, d.as_before  # a new level that values set aside may have begun is none of its own
    log = d.level is not None
    if log:
        past, ahead = (np.log(np.maximum(values, d.transform.least)) for values in (past, ahead))
    x, width = np.concatenate([d.x, d.forecast.x]), span / STRETCHES
    values, last = np.concatenate([past, ahead]), float(d.x[-1])
    places = d.x[d.x - d.x[0] >= span + 0.999 * width]
    if np.ptp(d.x) < LEAST_SPANS * span or len(places) < FEWEST_CHANGES:
        return None
    changes = _levels(x, values, places, width) - _levels(x, values, places - span, width)
    seen, recent = changes[np.isfinite(changes)], changes[np.isfinite(changes) & (places >= last - RECENT_SPANS * span)]
    start = float(_levels(d.x, past, np.array([last]), width)[0])
    end = float(_levels(x, values, np.array([last + span]), width)[0])
    if len(recent) < FEWEST_CHANGES or not np.isfinite(end):
        return None
    least = VISIBLE_CHANGE * float(np.std(past)) + ROUNDING * float(np.abs(past).max())
    ends = (float(np.exp(start)), float(np.exp(end))) if log else (start, end)
    return _LevelChange(span, *ends, end - start, seen, recent, least)


def _levels(x: Vector, values: Vector, places: Vector, width: float) -> Vector:
    """The means of the values in stretches of a width that end at some places (with a margin for rounding)."""
    firsts = np.searchsorted(x, places - width * (1.0 - 1e-9), side="right").tolist()
    lasts = np.searchsorted(x, places + 1e-9 * width, side="right").tolist()
    pairs = zip(firsts, lasts, strict=True)
    return np.array([values[first:last].mean() if last > first else np.nan for first, last in pairs])

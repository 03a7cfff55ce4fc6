"""Forecasts that break with the recent course: changes such as the data never showed over equal spans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records import Decomposition
from autostatistician.describe.facts import Fact
from autostatistician.describe.numbers import amount, pair
from autostatistician.describe.overall import CourseBreak
from autostatistician.describe.sizes import per_cent
from autostatistician.describe.units import Units, length

__all__ = ["break_facts", "break_text"]

Vector = NDArray[np.float64]

SPANS = (1.0, 0.5)  # of the horizon: its end, and its middle where the end is not odd
SMOOTHED = 6  # a level is the mean over this part of a span
SEEN = 4.0  # spans that the data must last at least
FEWEST = 8  # changes over such a span
RECENT = 3.0  # spans: the changes that are the recent course
FURTHER, BEYOND = 1.0, 0.25  # of the range of the recent changes: from these, and from those of all data
LEAST = 0.25  # of the largest recent change
VISIBLE, ROUNDING = 0.1, 1e-6  # of the spread of the data, and of their size


@dataclass(frozen=True)
class _Change:
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
    for share in SPANS:
        found = _change(d, share * float(d.forecast.x[-1] - d.x[-1]))
        if found is not None and _odd(found):
            low, high = float(found.seen.min()), float(found.seen.max())
            return (
                CourseBreak(
                    id="forecast/break", number=found.end - found.start, unit="target",
                    evidence="levels of the forecast and of the data over equal spans", span=found.span,
                    change=found.number, start=found.start, end=found.end, least=low, most=high,
                ),
            )  # fmt: skip
    return ()


def _odd(change: _Change) -> bool:
    """Whether a change lies clearly beyond the recent ones, and beyond all of the data."""
    low, high = float(change.recent.min()), float(change.recent.max())
    width = high - low
    further = max(low - change.number, change.number - high)
    beyond = max(float(change.seen.min()) - change.number, change.number - float(change.seen.max()))
    least = max(FURTHER * width, LEAST * max(abs(low), abs(high)), change.least)
    return further > least and beyond > BEYOND * width


def break_text(facts: tuple[Fact, ...], units: Units) -> str:
    """That a forecast does what the data never did, in a sentence; "" where it does not."""
    fact = next((one for one in facts if isinstance(one, CourseBreak)), None)
    if fact is None:
        return ""
    span, down = length(fact.span, units), fact.end < fact.start
    first, last = pair(fact.start, fact.end, 2)
    verb, noun = ("falls", "fall") if down else ("rises", "rise")
    own = f"The forecast {verb} from {first} to {last} within {span}"
    least = min(abs(fact.least), abs(fact.most))
    same = fact.least * fact.most > 0.0 and fact.change * fact.most >= 0.0  # always the same way
    if same and abs(fact.change) < least:
        did = "fell" if fact.most < 0.0 else "rose"
        return f"{own}, while over any stretch of {span} the data {did} by at least {_by(least, units)}."
    largest = -fact.least if down else fact.most
    seen = f"the largest was {_by(largest, units)}" if largest > 0.0 else f"they never {'fell' if down else 'rose'}"
    return f"{own}, but the data saw no such {noun} in any stretch of {span} ({seen})."


def _by(change: float, units: Units) -> str:
    return amount(change, 2) if units.level is None else f"{amount(per_cent(change), 2)}%"


def _change(d: Decomposition, span: float) -> _Change | None:
    """Changes over a span; on a logarithmic scale those of the logarithm, where shares and not amounts compare."""
    past, ahead = d.y, d.forecast.mean
    log = d.level is not None
    if log:
        past, ahead = np.log(past), np.log(ahead)
    x, width = np.concatenate([d.x, d.forecast.x]), span / SMOOTHED
    values, last = np.concatenate([past, ahead]), float(d.x[-1])
    places = d.x[d.x - d.x[0] >= span + 0.999 * width]
    if np.ptp(d.x) < SEEN * span or len(places) < FEWEST:
        return None
    known = np.array([_level(x, values, to, width) - _level(x, values, to - span, width) for to in places])
    seen, recent = known[np.isfinite(known)], known[np.isfinite(known) & (places >= last - RECENT * span)]
    start, end = _level(d.x, past, last, width), _level(x, values, last + span, width)
    if len(recent) < FEWEST or not np.isfinite(end):
        return None
    least = VISIBLE * float(np.std(past)) + ROUNDING * float(np.abs(past).max())
    ends = (float(np.exp(start)), float(np.exp(end))) if log else (start, end)
    return _Change(span, *ends, end - start, seen, recent, least)


def _level(x: Vector, values: Vector, place: float, width: float) -> float:
    """The mean of the values in the stretch of a width that ends at a place (with a margin for rounding)."""
    first, last = np.searchsorted(x, [place - width * (1.0 - 1e-9), place + 1e-9 * width], side="right")
    return float(values[first:last].mean()) if last > first else float("nan")

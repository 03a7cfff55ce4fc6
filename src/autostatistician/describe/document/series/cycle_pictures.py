"""One turn of a cycle as a picture: January to December, Monday to Sunday, or from its start to its end.

A cycle that repeats exactly is drawn once, not as a comb of many teeth; of one whose shape or size changes the first
and the last whole turn are drawn over each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from babel.dates import format_datetime
from numpy.typing import NDArray

from autostatistician.describe.axis.cycles import cycle, phase_kind
from autostatistician.describe.axis.places import place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Band, Line, Panel, Points
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.facts.part import Periodicity
from autostatistician.forms import Curve
from autostatistician.i18n.messages import language, message, say

__all__ = ["ALIKE", "DataBesidePart", "turn_panel"]

Vector = NDArray[np.float64]

FEWEST_TURNS = 3.0  # whole turns from which on a single one says more than all of them
FEWEST_POINTS = 5  # of the grid in a turn that is drawn
_LABELS = {
    Phase.MONTH: message("month"), Phase.QUARTER: message("quarter"), Phase.WEEKDAY: message("day of the week"),
    Phase.HOUR: message("hour of the day"),
}  # fmt: skip
ALIKE = 0.02  # of a size, as the height of a turn: no eye sees a difference


@dataclass(frozen=True, eq=False)
class DataBesidePart:
    """What the data show of a part: at positions ``x`` (n,) their values ``y`` (n,) less all other parts."""

    x: Vector
    y: Vector


def turn_panel(curve: Curve, facts: tuple[Fact, ...], units: Units, y_label: str, seen: DataBesidePart) -> Panel | None:
    """One turn of a part that is a single cycle seen often enough; None for every other part.

    ``curve`` is that of the part as it is to be shown (in per cent where the logarithm is modelled), ``seen`` what the
    data show of it on the same scale, all turns over each other.
    """
    heads = [fact for fact in facts if isinstance(fact, Periodicity)]
    if len(heads) != 1:
        return None
    kind, period = _named_period(heads[0].number, units)
    starts = _starts(curve, kind, period, units)
    if units.span + _step(units) < FEWEST_TURNS * period or not starts:
        return None
    scale = 1.0 if kind else cycle(period, units).scale
    last = _turn(curve, starts[-1], period)
    layers: list[Line | Band | Points] = [
        Band((last.x - starts[-1]) * scale, last.lower, last.upper, say("95% band"), "signal")
    ]
    first = _turn(curve, starts[0], period)
    if len(starts) > 1 and _differs(first, last, starts, period):
        x = (first.x - starts[0]) * scale
        text = say("first whole cycle, from {place}", place=place(starts[0], units))
        layers.append(Line(x, first.mean, text, "earlier"))
        label = say("last whole cycle, from {place}", place=place(starts[-1], units))
    else:
        label = say("most plausible course")
    layers.append(Line((last.x - starts[-1]) * scale, last.mean, label, "mean"))
    layers.append(Points((seen.x - starts[-1]) % period * scale, seen.y, say("the data less all other parts")))
    x_label = (
        say(_LABELS[kind])
        if kind in _LABELS
        else say("place within a cycle of {length}", length=cycle(period, units).every)
    )
    return Panel(say("One cycle"), x_label, y_label, tuple(layers), x_ticks=_named_ticks(kind, units))


def _turn(curve: Curve, start: float, period: float) -> Curve:
    """The piece of a curve within one period, both ends included, interpolated at its ends."""
    inner = curve.x[(curve.x > start) & (curve.x < start + period)]
    x = np.concatenate([[start], inner, [start + period]])
    values = (np.interp(x, curve.x, line) for line in (curve.mean, curve.sd, curve.lower, curve.upper))
    return Curve(x, *values)


def _named_period(period: float, units: Units) -> tuple[Phase, float]:
    """What its places are called by (see `phase_kind`), and then the exact length of the calendar's cycle."""
    kind = phase_kind(period, units)
    return kind, min(units.axis.natural_periods, key=lambda natural: abs(natural - period)) if kind else period


def _starts(curve: Curve, kind: Phase, period: float, units: Units) -> list[float]:
    """Where the first and the last whole turn within the data begin that the grid can draw; on the calendar's dates."""
    anchor = _anchor(kind, units.first, units)
    low = anchor if anchor >= units.first - 1e-9 * period else _anchor(kind, anchor + 1.5 * period, units)
    end = units.last + _step(units) + 1e-6 * period
    high = _anchor(kind, end - period, units) if kind else low + np.floor((end - low) / period - 1.0) * period
    inside = [float(start) for start in dict.fromkeys([low, high]) if low <= start and start + period <= end]
    seen = [int(np.sum((curve.x >= start) & (curve.x <= start + period))) for start in inside]
    return [start for start, points in zip(inside, seen, strict=True) if points >= FEWEST_POINTS]


def _step(units: Units) -> float:
    """What the last observation of a regular series stands for."""
    return units.axis.step or 0.0


def _anchor(kind: Phase, position: float, units: Units) -> float:
    """Where the turn that a position lies in begins: 1 January, a Monday, midnight; without such a name there."""
    if not kind:
        return position
    moment = np.asarray(units.axis.times(np.array([position])), dtype="datetime64[s]")[0]
    start = moment.astype("M8[Y]" if kind in (Phase.MONTH, Phase.QUARTER) else "M8[D]")
    if kind is Phase.WEEKDAY:
        start -= (int(start.astype(np.int64)) + 3) % 7
    return float(units.axis.positions(np.array([start.astype("M8[s]")]))[0])


def _differs(first: Curve, last: Curve, starts: list[float], period: float) -> bool:
    """Whether the first turn looks another than the last."""
    phases = np.linspace(0.0, period, 50)
    early = np.interp(phases, first.x - starts[0], first.mean)
    other = np.interp(phases, last.x - starts[-1], last.mean)
    height = max(float(np.ptp(early)), float(np.ptp(other)))
    return bool(np.max(np.abs(early - other)) > ALIKE * height)


def _named_ticks(kind: Phase, units: Units) -> tuple[tuple[float, str], ...]:
    """Names of months and weekdays at the places of a turn where they stand; hours as they are told."""
    match kind:
        case Phase.MONTH:
            within = units.axis.within if units.axis.unit == "year" else 0.0
            share = 12.0 if units.axis.unit == "year" else 12.0 / 365.2425
            names = [format_datetime(datetime(2001, month, 1), "MMM", locale=language()) for month in range(1, 13)]
            places = [(month + within) / share for month in range(12)]
        case Phase.QUARTER:
            names = [say("Q{number}", number=quarter) for quarter in range(1, 5)]
            places = [(3.0 * quarter + units.axis.within) / 12.0 for quarter in range(4)]
        case Phase.WEEKDAY:
            days = 5 if units.axis.unit == "business day" else 7
            names = [format_datetime(datetime(2001, 1, 1 + day), "EEE", locale=language()) for day in range(days)]
            places = _in_days(np.arange(float(days)), units)
        case Phase.HOUR:
            names = [f"{hour:02d}:00" for hour in range(0, 24, 3)]
            places = _in_days(np.arange(0.0, 24.0, 3.0) / 24.0, units)
        case _:
            return ()
    return tuple(zip(places, names, strict=True))


def _in_days(days: Vector, units: Units) -> list[float]:
    per_day = {"hour": 24.0, "minute": 1440.0, "second": 86400.0}.get(units.axis.unit, 1.0)
    return [float(day) for day in days * per_day]

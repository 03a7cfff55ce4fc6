"""Where in a cycle of the calendar something lies: months, quarters, weekdays, hours."""

from __future__ import annotations

from datetime import datetime

import numpy as np
from babel.dates import format_datetime
from numpy.typing import NDArray

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.units import DAY, Units, axis_seconds
from autostatistician.describe.facts.kinds import Phase
from autostatistician.wording.messages import language, message, say

__all__ = ["first_phase", "phase_kind", "phase_name", "phase_text", "phases"]

# By the cycle: what its places are called by, and up to which distance of the data.
_WIDEST_GAPS = {
    "yearly": (Phase.MONTH, 31.5 * DAY), "weekly": (Phase.WEEKDAY, 1.5 * DAY), "daily": (Phase.HOUR, 3 * 3600.0),
}  # fmt: skip
_WEEKDAYS = (
    message("Mondays"), message("Tuesdays"), message("Wednesdays"), message("Thursdays"), message("Fridays"),
    message("Saturdays"), message("Sundays"),
)  # fmt: skip


def phase_kind(period: float, units: Units) -> Phase:
    """What the place within a period is called by."""
    seconds = axis_seconds(units)
    if seconds is None or not units.axis.is_calendar:
        return Phase.UNNAMED
    name, gap = cycle(period, units).id, units.gap * seconds
    if name == "yearly" and units.axis.frequency == "quarter":
        return Phase.QUARTER
    kind, widest = _WIDEST_GAPS.get(name, (Phase.UNNAMED, 0.0))
    return kind if gap <= widest else Phase.UNNAMED


def first_phase(kind: Phase) -> int:
    """The number of the first place of a cycle: months and quarters count from 1, weekdays and hours from 0."""
    return 1 if kind in (Phase.MONTH, Phase.QUARTER) else 0


def phases(x: NDArray[np.float64], kind: Phase, units: Units) -> tuple[NDArray[np.int64], int]:
    """For each position its month (1 to 12), quarter (1 to 4), weekday (0: Monday) or hour; and how many there are."""
    times = np.asarray(units.axis.times(x), dtype="datetime64[s]")
    match kind:
        case Phase.MONTH:
            return times.astype("datetime64[M]").astype(np.int64) % 12 + 1, 12
        case Phase.QUARTER:
            return times.astype("datetime64[M]").astype(np.int64) % 12 // 3 + 1, 4
        case Phase.WEEKDAY:
            return (times.astype("datetime64[D]").astype(np.int64) + 3) % 7, 7
        case _:
            return times.astype("datetime64[h]").astype(np.int64) % 24, 24


def phase_text(kind: Phase, values: tuple[int, ...]) -> str:
    """Neighbouring places within a period in words.

    >>> phase_text(Phase.MONTH, (7,)), phase_text(Phase.WEEKDAY, (5, 6)), phase_text(Phase.HOUR, (15,))
    ('in July', 'on Saturdays and Sundays', 'around 15:00')
    >>> phase_text(Phase.MONTH, (12, 1, 2)), phase_text(Phase.HOUR, (22, 23, 0))
    ('from December to February', 'between 22:00 and 00:00')
    """
    names = [phase_name(kind, value) for value in values]
    if len(names) > 2:
        return _from_to(kind, values[0], values[-1])
    places = say("{first} and {second}", first=names[0], second=names[1]) if len(names) == 2 else names[0]
    match kind:
        case Phase.HOUR:
            return say("around {hours}", hours=places)
        case Phase.WEEKDAY:
            return say("on {weekdays}", weekdays=places)
        case Phase.QUARTER:
            return say("in {quarters}", quarters=places)
        case _:
            return say("in {months}", months=places)


def _from_to(kind: Phase, first: int, last: int) -> str:
    start, end = phase_name(kind, first), phase_name(kind, last)
    match kind:
        case Phase.HOUR:
            return say("between {hour} and {later}", hour=start, later=end)
        case Phase.WEEKDAY:
            return say("from {weekday}s to {later}s", weekday=_weekday(first), later=_weekday(last))
        case Phase.QUARTER:
            return say("from {quarter} to {later}", quarter=start, later=end)
        case _:
            return say("from {month} to {later}", month=start, later=end)


def _weekday(value: int) -> str:
    return str(format_datetime(datetime(2001, 1, 1 + value), "EEEE", locale=language()))


def phase_name(kind: Phase, value: int) -> str:
    """A place within a period by its name.

    >>> phase_name(Phase.MONTH, 7), phase_name(Phase.QUARTER, 3), phase_name(Phase.WEEKDAY, 0)
    ('July', 'quarter 3', 'Mondays')
    """
    match kind:
        case Phase.QUARTER:
            return say("quarter {number}", number=value)
        case Phase.MONTH:
            return str(format_datetime(datetime(2001, value, 1), "MMMM", locale=language()))
        case Phase.WEEKDAY:
            return say(_WEEKDAYS[value])
        case _:
            return f"{value:02d}:00"

"""Whether the last value of a series is of a period that was not over when its file was written."""

from __future__ import annotations

import numpy as np

from autostatistician.data.times.axes import Axis
from autostatistician.wording.messages import note

__all__ = ["unfinished_text"]

DAY = np.timedelta64(1, "D")
LATE_IN_MONTH = 15.0  # from this day of the month on dates stand for the months that end with them
FINE = ("hour", "minute", "second")  # units whose steps are over before anybody looks


def unfinished_text(axis: Axis | None, last: float, written: float | None) -> str:
    """A sentence on a ``last`` position with a value whose period holds the time that its file was ``written``.

    That time is in seconds since 1970 (UTC), None where it is not known. The sentence is "" where the period does not
    hold it, and without a grid of days or longer steps.

    >>> month = Axis("month", "year", "month", 1 / 12)
    >>> written = np.datetime64("2026-11-24T10:00", "s").astype(float)
    >>> unfinished_text(month, 2026 + 10 / 12, written)[:72]
    'The file was last written on 2026-11-24, within the period of its last v'
    >>> unfinished_text(month, 2026 + 9 / 12, written)
    ''
    """
    if axis is None or written is None or axis.step is None or not axis.is_calendar or axis.unit in FINE:
        return ""
    day = np.datetime64(int(written), "s").astype("M8[D]")
    before, date, after = axis.times(np.array([last - axis.step, last, axis.future(last, 1)[0]])).astype("M8[D]")
    if axis.unit == "year" and axis.day >= LATE_IN_MONTH:
        first, end = before + DAY, date
    elif axis.unit == "business day":
        first = end = date
    else:
        first, end = date, after - DAY
    if not first <= day <= end:
        return ""
    return note(
        "The file was last written on {day}, within the period of its last value ({date}): where that period was not "
        "over, the value is not complete; then leave it out, and take the forecast of it instead.",
        day=str(day), date=str(date),
    )  # fmt: skip

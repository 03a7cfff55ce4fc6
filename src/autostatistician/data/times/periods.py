"""The days that the steps of an axis stand for: a date, or all days of a week, a month, a quarter."""

from __future__ import annotations

import numpy as np

from autostatistician.data.arrays import Days, Flags, Floats
from autostatistician.data.times.axes import CLOCK_UNITS, Axis
from autostatistician.data.times.calendar_days import ONE_DAY, ONE_MONTH, CalendarDay, weekdays_of
from autostatistician.i18n.messages import note

__all__ = [
    "dates_of",
    "days_from",
    "days_within",
    "has_months",
    "has_weeks",
    "hold",
    "period_days",
    "periods_of",
    "unfinished_text",
]


WEEKEND_LABELS = 4  # weeks dated on a Friday or later end on that day, others begin on theirs


def has_months(axis: Axis) -> bool:
    """Whether the steps of an axis are whole months, quarters or half-years: shorter than the year.

    >>> has_months(Axis("t", "year", "quarter", 0.25)), has_months(Axis("t", "year", "year", 1.0))
    (True, False)
    """
    months = (axis.step or 0.0) * 12
    return axis.unit == "year" and 0.5 < months < 11.5 and abs(months - round(months)) < 1e-6


def has_weeks(axis: Axis) -> bool:
    """Whether the steps of an axis are weeks."""
    return axis.unit == "day" and axis.step == 7.0


def dates_of(axis: Axis, x: Floats) -> Days:
    """The date of each position of a calendar axis."""
    return np.asarray(axis.times(x)).astype("M8[D]")


def period_days(axis: Axis) -> float:
    """How long a step is, in days; 0 where there is none, or where steps are business days.

    >>> period_days(Axis("t", "day", "week", 7.0, "2024-01-01")), period_days(Axis("t", "hour", "hour", 1.0)) < 1.0
    (7.0, True)
    """
    return (axis.step or 0.0) * {"year": 365.0, "day": 1.0, "hour": 1 / 24}.get(axis.unit, 0.0)


def periods_of(axis: Axis, x: Floats) -> tuple[Days, Days]:
    """First and last day of the step that each position stands for.

    A month dated on its 28th day or later ends a quarter, and a Friday, Saturday or Sunday ends a week; other dates
    begin theirs.

    >>> first, last = periods_of(Axis("t", "year", "quarter", 0.25, "", 1.0, 31.0), np.array([2024.25]))
    >>> first.astype(str).tolist(), last.astype(str).tolist()
    (['2024-01-01'], ['2024-03-31'])
    """
    dates = dates_of(axis, x)
    step = axis.step or 1.0
    if axis.days_of_month > 1:
        return dates, dates_of(axis, x + step) - ONE_DAY
    if axis.unit == "year":
        months = round(step * 12)
        month = dates.astype("M8[M]") - (months - 1 if axis.day >= 28 else 0) * ONE_MONTH
        following: Days = (month + months * ONE_MONTH).astype("M8[D]")
        return month.astype("M8[D]"), following - ONE_DAY
    days = max(round(step if axis.unit == "day" else step / 24), 1)
    weekday = weekdays_of(dates)
    ends = bool(days % 7 == 0 and weekday.size and np.median(weekday) >= WEEKEND_LABELS)
    rest = (days - 1) * ONE_DAY
    first = dates - rest if ends else dates
    return first, first + rest


def hold(axis: Axis, day: CalendarDay, x: Floats) -> Flags:
    """Which steps (m,) of an axis are, or hold, a day of the calendar.

    >>> weeks = Axis("t", "day", "week", 7.0, "2023-12-18")
    >>> hold(weeks, CalendarDay("week", 12, 25), np.arange(0.0, 28.0, 7.0)).tolist()
    [False, True, False, False]
    """
    if axis.has_days:
        return axis.are(day, x)
    first, last = periods_of(axis, x)
    dates = first + np.arange(int((last - first).astype(np.int64).max(initial=0)) + 1)[:, None]
    return np.asarray((day.are(dates) & (dates <= last)).any(axis=0))


def days_within(days: Days, first: Days, last: Days) -> Floats:
    """How many of the days, in order, lie in each step."""
    counts = np.searchsorted(days, last, side="right") - np.searchsorted(days, first, side="left")
    return np.asarray(counts, dtype=np.float64)


def days_from(starts: Days, ends: Days, dates: Days, axis: Axis) -> Floats:
    """Days of each date after the nearest occurrence: 0 within it, negative before it; infinite without any.

    Occurrences run from ``starts`` to ``ends`` (k,), in order and apart. On an axis of business days these alone count.

    >>> dates = np.array(["2024-01-02", "2024-01-08"], dtype="M8[D]")
    >>> days_from(dates[:1], dates[:1] + 1, np.arange(dates[0] - 1, dates[1]), Axis("t", "day", "day", 1.0)).tolist()
    [-1.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0]
    """
    distance = np.full(len(dates), np.inf)
    if not starts.size:
        return distance
    following = np.searchsorted(starts, dates, side="right")
    within = np.maximum(following - 1, 0)
    after = np.where(following > 0, _between(ends[within], dates, axis), np.inf)
    ahead = np.minimum(following, len(starts) - 1)
    before = np.where(following < len(starts), _between(dates, starts[ahead], axis), np.inf)
    after = np.maximum(after, 0.0)
    return np.asarray(np.where(after < before, after, -before))


def _between(first: Days, last: Days, axis: Axis) -> Floats:
    """Days from one date to another; of business days those to an event at a week-end."""
    if axis.unit != "business day":
        return np.asarray((last - first).astype(np.float64))
    first, last = np.busday_offset(first, 0, roll="backward"), np.busday_offset(last, 0, roll="forward")
    return np.asarray(np.busday_count(first, last), dtype=np.float64)


# --- Whether the last value of a series is of a period that was not over when its file was written ------------------


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
    if axis is None or written is None or axis.step is None or not axis.is_calendar or axis.unit in CLOCK_UNITS:
        return ""
    day, x = np.datetime64(int(written), "s").astype("M8[D]"), np.array([last])
    (first,), (end,) = periods_of(axis, x)
    if not first <= day <= end:
        return ""
    return note(
        "The file was last written on {day}, within the period of its last value ({date}): where that period was not "
        "over, the value is not complete; then leave it out, and take the forecast of it instead.",
        day=str(day), date=str(dates_of(axis, x)[0]),
    )  # fmt: skip

"""Rows in the order of time: which repeat a time, which times have none, and what the clocks of people have to do with it."""

from __future__ import annotations

import numpy as np

from autostatistician.data.arrays import Flags, Floats, Rows
from autostatistician.data.dataset import label_text
from autostatistician.data.times.axes import Axis
from autostatistician.i18n.messages import note, note_some

__all__ = ["absent", "ordered"]

# Where clocks change at hours of their own: those of all others change with one of these.
ZONES = ("Europe/Berlin", "Europe/London", "Europe/Helsinki", "America/New_York", "Australia/Sydney")
UNITS = ("hour", "minute", "second")  # of axes that show the hour at which clocks change


def _at_changes(axis: Axis, x: Floats) -> Flags:
    """Which positions (m,) are times that the clocks of one zone, that of most, skip or show twice in a year.

    >>> hours = Axis("t", "hour", "hour", 1.0, "2024-03-31T00:00")
    >>> _at_changes(hours, np.array([1.0, 2.0, 3.0])).tolist()
    [False, True, False]
    """
    from pandas import DatetimeIndex

    if axis.unit not in UNITS or not x.size:
        return np.zeros(len(x), dtype=bool)
    times = DatetimeIndex(np.asarray(axis.times(x)))
    found = [times.tz_localize(zone, ambiguous="NaT", nonexistent="NaT").isna() for zone in ZONES]
    most = max(found, key=np.count_nonzero)
    return most if 2 * np.count_nonzero(most) > len(x) else np.zeros(len(x), dtype=bool)


def _first(axis: Axis, x: Floats) -> str:
    return label_text(np.asarray(axis.times(x[:1]))[0]) if x.size else ""


def absent(axis: Axis, x: Floats, dropped: int) -> tuple[str, ...]:
    """That dates of a regular calendar have no value, where that is more than the rows that were dropped for it."""
    lacking = axis.lacking(x, float(x[0])) if axis.is_calendar else x[:0]
    skipped = _at_changes(axis, lacking)
    said = note_some(
        int(skipped.sum()), "{n} time is skipped where the clock is put forward (the first is {first}).",
        "{n} times are skipped where the clock is put forward (the first is {first}).",
        first=_first(axis, lacking[skipped]),
    )  # fmt: skip
    lacking = lacking[~skipped]
    if lacking.size <= dropped:
        return said
    return said + note_some(
        int(lacking.size),
        "{n} date between the first and the last has no value (the first is {first}); nothing was filled in.",
        "{n} dates between the first and the last have no value (the first is {first}); nothing was filled in.",
        first=_first(axis, lacking),
    )  # fmt: skip


def ordered(x: Floats, y: Floats, axis: Axis) -> tuple[Rows, tuple[str, ...]]:
    """The rows (n,) in the order of time, and sentences on what was changed.

    Of those equal in date and value one alone is kept, but where clocks are put back; other repeated times are counted.
    """
    notes: list[str] = []
    steps, order = np.diff(x), np.argsort(x, kind="stable")
    twice = np.append(False, np.diff(x[order]) == 0)
    back = np.zeros(len(x), dtype=bool)
    back[twice] = _at_changes(axis, x[order][twice])
    if not np.isin(x[1:][steps < 0], x[order][back]).all():
        notes.append(note("The rows ran backwards in time and were turned round.") if np.all(steps <= 0) else
                     note("The rows were not in the order of time and were sorted."))  # fmt: skip
    if axis.is_calendar and twice.any():
        copies = np.ones(len(x), dtype=bool)
        copies[np.unique(np.column_stack([x, y])[order], axis=0, return_index=True)[1]] = False
        copies &= ~back
        notes += note_some(
            int(copies.sum()), "{n} row with the date and value of another row left out.",
            "{n} rows with the date and value of another row left out.",
        )  # fmt: skip
        order, twice, back = order[~copies], twice[~copies], back[~copies]
    notes += note_some(
        int(back.sum()), "{n} time stands twice where the clock is put back (the first is {first}); all rows are kept.",
        "{n} times stand twice where the clock is put back (the first is {first}); all rows are kept.",
        first=_first(axis, x[order][back]),
    )  # fmt: skip
    what = note("a date with another value") if axis.is_calendar else note("an earlier position")
    repeated = np.append(False, np.diff(x[order]) == 0) & ~back
    notes += note_some(
        int(repeated.sum()), "{n} row repeats {what}; all are kept.", "{n} rows repeat {what}; all are kept.", what=what
    )
    return order, tuple(notes)

"""Days of the calendar are those that a calendar names, on axes of days and of business days."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import CalendarDay, DaysOfAxis, has_days

DAILY = Axis("day", "day", "day", 1.0, "2020-01-01")
BUSINESS = Axis("day", "business day", "business day", 1.0, "2021-01-01")
X = np.arange(1100.0)


def dates(axis: Axis, day: CalendarDay) -> list[datetime.date]:
    return [one.astype("M8[D]").item() for one in np.asarray(axis.times(X[DaysOfAxis(axis, X).are(day)]))]


@pytest.mark.parametrize("axis", [DAILY, BUSINESS])
def test_every_day_of_an_axis_is_what_it_is_called(axis: Axis) -> None:
    days = DaysOfAxis(axis, X[:120])
    for row in range(0, 120, 7):
        assert all(days.are(day)[row] for day in days.of(row))


def test_holidays_that_move_are_weekdays_of_a_month() -> None:
    thanksgiving = dates(DAILY, CalendarDay("weekday", 11, 3, 4))
    assert thanksgiving == [datetime.date(2020, 11, 26), datetime.date(2021, 11, 25), datetime.date(2022, 11, 24)]
    memorial = dates(DAILY, CalendarDay("weekday", 5, 0, -1))
    assert memorial == [datetime.date(2020, 5, 25), datetime.date(2021, 5, 31), datetime.date(2022, 5, 30)]


def test_the_end_of_a_month_is_its_last_day_on_the_axis() -> None:
    assert dates(DAILY, CalendarDay("end", 2))[:2] == [datetime.date(2020, 2, 29), datetime.date(2021, 2, 28)]
    assert dates(BUSINESS, CalendarDay("end"))[:3] == [
        datetime.date(2021, 1, 29), datetime.date(2021, 2, 26), datetime.date(2021, 3, 31)
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "date", "date 13 1 0", "date 1 0 0", "weekday 0 1 1", "end 1 2 0", "dusk 1 1 1"])
def test_a_day_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"the day|unpack|invalid literal"):
        CalendarDay.from_text(text)


@pytest.mark.parametrize(
    "day", [CalendarDay("date", 2, 29), CalendarDay("weekday", 9, 0, 1), CalendarDay("end", 12), CalendarDay("end")]
)
def test_a_day_comes_back_from_its_text(day: CalendarDay) -> None:
    assert CalendarDay.from_text(day.to_text()) == day


def test_only_axes_of_days_have_days() -> None:
    assert has_days(DAILY)
    assert has_days(BUSINESS)
    assert not has_days(None)
    assert not has_days(Axis("m", "year", "month", 1 / 12))

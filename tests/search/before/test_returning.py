"""What the calendar brings again is found on its day; what is off by chance or for good is not."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import CalendarDay, DaysOfAxis
from autostatistician.search.before.returning import returning

DAILY = Axis("day", "day", "day", 1.0, "2021-01-01")
X = np.arange(1095.0)
NONE = np.zeros(len(X))


def found(errors: np.ndarray, axis: Axis | None = DAILY) -> dict[str, int]:
    days = returning(axis, X[: len(errors)], errors, np.abs(errors) > 5.0)
    return {day.text: int(rows.sum()) for day, rows in days}


@pytest.mark.parametrize(
    "day",
    [
        CalendarDay("date", 12, 25),
        CalendarDay("weekday", 11, 3, 4),
        CalendarDay("weekday", 5, 0, -1),
        CalendarDay("end"),
        CalendarDay("date", 0, 15),
    ],
)
def test_each_kind_of_day_is_found_with_all_its_rows(day: CalendarDay) -> None:
    rows = DaysOfAxis(DAILY, X).are(day)
    assert found(np.where(rows, 9.0, 0.5)) == {day.text: int(rows.sum())}


def test_several_days_in_two_years_are_found() -> None:
    days = [CalendarDay("date", 12, 24), CalendarDay("date", 12, 25), CalendarDay("date", 1, 1)]
    rows = np.logical_or.reduce([DaysOfAxis(DAILY, X[:730]).are(day) for day in days])
    assert found(np.where(rows, -9.0, 0.0)) == {day.text: 2 for day in days}


def test_values_off_to_different_sides_or_only_in_some_years_do_not_return() -> None:
    christmas = np.flatnonzero(DaysOfAxis(DAILY, X).are(CalendarDay("date", 12, 25)))
    errors = NONE.copy()
    errors[christmas] = [9.0, -9.0, 9.0]
    assert found(errors) == {}
    errors[christmas] = [9.0, 9.0, 0.0]
    assert found(errors) == {}


def test_many_values_off_at_random_meet_on_no_day() -> None:
    for seed in range(20):
        off = np.random.default_rng(seed).choice(len(X), 40, replace=False)
        assert found(np.where(np.isin(np.arange(len(X)), off), 9.0, 0.0)) == {}


def test_every_sunday_is_a_cycle_and_other_axes_have_no_days() -> None:
    assert found(np.where(X % 7 == 2, 9.0, 0.0)) == {}
    assert found(np.where(X % 365 == 358, 9.0, 0.0), None) == {}

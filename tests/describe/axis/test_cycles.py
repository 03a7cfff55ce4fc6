"""Periods take the name of a calendar cycle where the data cannot tell them from it."""

from __future__ import annotations

from tests.describe.factory import (
    BUSINESS,
    DAILY,
    DAYS,
    MONTHLY,
    MONTHS,
    units_on,
)

from autostatistician.describe.axis.cycles import calendar_cycle, of_weekdays


def test_a_wave_that_fits_no_grid_stands_for_the_cycle_of_the_calendar() -> None:
    units = units_on(BUSINESS, DAYS)
    assert calendar_cycle(2.5, units) == (5.0, 2)
    assert calendar_cycle(5.0, units) == (5.0, 1)
    assert calendar_cycle(4.3, units) == (4.3, 1)


def test_weekdays_make_waves_in_sums_over_months() -> None:
    units = units_on(MONTHLY, MONTHS)
    weeks = 365.25 / 12 / 7
    assert of_weekdays(1 / 12 / (weeks - 4), units)
    assert not of_weekdays(1.0, units)
    assert not of_weekdays(1 / 12 / (weeks - 4), units_on(DAILY, DAYS))

"""Lengths, periods and dates in words."""

from __future__ import annotations

import numpy as np
import pytest
from tests.describe.factory import BUSINESS, DAILY, DAYS, DEPTHS, HOURLY, MONTHLY, MONTHS, PLAIN, YEARLY, YEARS, Vector

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import along, axis_title, length, rate
from autostatistician.describe.axis.places import place, stamp
from autostatistician.describe.axis.units import units_of


def _units(axis: Axis, x: Vector) -> object:
    return units_of(axis, x, np.arange(float(x.size)), "sales")


@pytest.mark.parametrize(
    ("years", "text"),
    [
        (23.0, "23 years"),
        (1.0, "1 year"),
        (0.9, "11 months"),
        (0.5583, "6.7 months"),
        (0.1, "5.2 weeks"),
        (7 / 365.25, "7 days"),
        (1 / 365.25, "24 hours"),
        (1 / 8766, "60 minutes"),
        (1e-7, "3.2 seconds"),
    ],
)
def test_lengths_take_the_unit_that_reads_best(years: float, text: str) -> None:
    assert length(years, _units(MONTHLY, MONTHS)) == text


def test_lengths_on_other_axes() -> None:
    assert length(1.0, _units(BUSINESS, DAYS)) == "1 business day"
    assert length(3.0, _units(BUSINESS, DAYS)) == "3 business days"
    assert length(20.0, _units(BUSINESS, DAYS)) == "4 weeks"
    assert length(12.5, _units(PLAIN, DEPTHS), 3) == "12.5 units of 'depth'"
    assert length(1.0, _units(PLAIN, DEPTHS)) == "1 unit of 'depth'"
    assert length(90.0, _units(HOURLY, DAYS)) == "3.8 days"


@pytest.mark.parametrize(
    ("axis", "x", "period", "adjective", "every"),
    [
        (MONTHLY, MONTHS, 1.0023, "yearly", "year"),
        (MONTHLY, MONTHS, 0.25, "quarterly", "quarter of a year"),
        (MONTHLY, MONTHS, 0.5, "half-yearly", "half year"),
        (YEARLY, YEARS, 10.8, "10.8-year", "10.8 years"),
        (YEARLY, YEARS, 8.0, "8-year", "8 years"),
        (DAILY, DAYS, 7.01, "weekly", "week"),
        (DAILY, DAYS, 365.3, "yearly", "year"),
        (DAILY, DAYS, 30.4, "monthly", "month"),
        (DAILY, DAYS, 14.0, "2-week", "2 weeks"),
        (DAILY, DAYS, 18.0, "18-day", "18 days"),
        (DAILY, DAYS, 7.4, "7.4-day", "7.4 days"),
        (HOURLY, DAYS, 24.0, "daily", "day"),
        (BUSINESS, DAYS, 5.0, "weekly", "week of five business days"),
        (PLAIN, DEPTHS, 2.0, "", "2 units of 'depth'"),
    ],
)
def test_periods_take_the_name_of_a_calendar_cycle(
    axis: Axis, x: Vector, period: float, adjective: str, every: str
) -> None:
    words = cycle(period, _units(axis, x))
    assert (words.adjective, words.every) == (adjective, every)


def test_long_data_tell_a_period_from_the_calendar_cycle() -> None:
    short, long = np.arange(40.0), np.arange(4000.0)
    assert cycle(7.15, _units(DAILY, short)).adjective == "weekly"
    assert cycle(7.15, _units(DAILY, long)).adjective == "7.15-day"


def test_dates_as_fine_as_the_span_and_the_steps_ask() -> None:
    assert place(1643.2, _units(YEARLY, YEARS)) == "1643"
    assert place(1955.4, _units(MONTHLY, MONTHS)) == "May 1955"
    assert place(59.0, _units(DAILY, np.arange(300.0))) == "1 March 2001"
    assert place(30.25, _units(HOURLY, np.arange(48.0))) == "2 January 2001, 06:15"
    assert place(1955.4, _units(MONTHLY, 1940 + np.arange(480) / 12)) == "1955"
    assert place(4.1234, _units(PLAIN, DEPTHS)) == "'depth' = 4.1"


def test_leap_years_count() -> None:
    assert place(1600.99, _units(YEARLY, YEARS)) == "1600"
    assert stamp(59.0, _units(DAILY, DAYS)) == "1 March 2001"
    assert stamp(1155.0, _units(DAILY, DAYS)) == "1 March 2004"
    assert stamp(1154.0, _units(DAILY, DAYS)) == "29 February 2004"


def test_stamps_follow_the_steps_of_the_data() -> None:
    assert stamp(1961.0, _units(MONTHLY, MONTHS)) == "January 1961"
    quarterly = Axis("quarter", "year", "quarter", 0.25)
    assert stamp(1961.5, _units(quarterly, 1950 + np.arange(40) / 4)) == "quarter 3 of 1961"
    assert stamp(3.0, _units(PLAIN, DEPTHS)) == "3"


def test_positions_far_outside_the_calendar_are_told_as_numbers() -> None:
    assert place(-5e6, _units(MONTHLY, MONTHS)) == "year −5000000"
    assert "day" in place(1e12, _units(DAILY, DAYS))


def test_slopes_take_the_unit_of_the_span() -> None:
    assert rate(30.0, _units(MONTHLY, MONTHS)) == (30.0, "per year")
    assert rate(1.0, _units(DAILY, DAYS)) == (pytest.approx(365.25), "per year")
    assert rate(1.0, _units(DAILY, np.arange(100.0))) == (pytest.approx(30.4375), "per month")
    assert rate(2.0, _units(PLAIN, DEPTHS)) == (2.0, "per unit of 'depth'")


def test_a_unit_behind_the_name_of_a_column_is_used() -> None:
    units = _units(Axis("depth (m)", "", "", None), DEPTHS)
    assert length(2.5, units) == "2.5 m"
    assert place(4.0, units) == "'depth' = 4 m"
    assert stamp(4.0, units) == "4"
    assert rate(0.5, units) == (0.5, "per m")
    assert along(units) == "as 'depth' increases"
    assert cycle(2.0, units).every == "2 m"
    unknown = _units(Axis("rank (best)", "", "", None), DEPTHS)
    assert (length(1.0, unknown), rate(1.0, unknown)[1]) == ("1 unit of 'rank (best)'", "per unit of 'rank (best)'")


def test_a_letter_is_no_name_for_time() -> None:
    assert axis_title(_units(Axis("x", "year", "year", 1.0), YEARS)) == "time"
    assert axis_title(_units(YEARLY, YEARS)) == "year"
    assert axis_title(_units(Axis("x", "", "", None), DEPTHS)) == "x"

"""Periods take the name of a calendar cycle where the data cannot tell them from it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.describe.factory import (
    BUSINESS,
    DAILY,
    DAYS,
    DEPTHS,
    HOURLY,
    MONTHLY,
    MONTHS,
    PLAIN,
    YEARLY,
    YEARS,
    Vector,
    units_on,
)

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.cycles import calendar_cycle, cycle, of_weekdays
from autostatistician.wording.messages import spoken_in


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
    words = cycle(period, units_on(axis, x))
    assert (words.adjective, words.every) == (adjective, every)


def test_long_data_tell_a_period_from_the_calendar_cycle() -> None:
    short, long = np.arange(40.0), np.arange(4000.0)
    assert cycle(7.15, units_on(DAILY, short)).adjective == "weekly"
    assert cycle(7.15, units_on(DAILY, long)).adjective == "7.15-day"


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


@pytest.mark.parametrize(
    ("language", "adjective", "repeats", "week"),
    [
        ("en", "10.8-year", "every 10.8 years", "every week"),
        ("de", "10,8-jähriger", "alle 10,8 Jahre", "jede Woche"),
    ],
)
def test_words_follow_the_language_and_ids_do_not(language: str, adjective: str, repeats: str, week: str) -> None:
    with spoken_in(language):
        long, weekly = cycle(10.8, units_on(YEARLY, YEARS)), cycle(7.0, units_on(DAILY, DAYS))
        assert (long.adjective, long.repeats.replace("\N{NO-BREAK SPACE}", " "), weekly.repeats) == (
            adjective,
            repeats,
            week,
        )
        assert (long.id, weekly.id) == ("10.8-year", "weekly")


def test_how_often_plain_lengths_come() -> None:
    units = units_on(PLAIN, DEPTHS)
    assert [cycle(period, units).repeats for period in (1.0, 2.5)] == [
        "every unit of 'depth'", "every 2.5 units of 'depth'",
    ]  # fmt: skip

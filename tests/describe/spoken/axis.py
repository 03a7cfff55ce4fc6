"""Golden sentences: lengths, places and cycles on axes of all kinds."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
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
    units_on,
)

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import about, axis_title, length, rough_length, step_name
from autostatistician.describe.axis.places import around_place, between_places, place, position_text, stamp, until_place


def tell_dates_as_fine_as_the_span_and_the_steps_ask() -> Iterator[str]:
    yield place(1643.2, units_on(YEARLY, YEARS))
    yield place(1955.4, units_on(MONTHLY, MONTHS))
    yield place(59.0, units_on(DAILY, np.arange(300.0)))
    yield place(30.25, units_on(HOURLY, np.arange(48.0)))
    yield place(1955.4, units_on(MONTHLY, 1940 + np.arange(480) / 12))
    yield place(4.1234, units_on(PLAIN, DEPTHS))


def tell_leap_years_count() -> Iterator[str]:
    yield place(1600.99, units_on(YEARLY, YEARS))
    yield stamp(59.0, units_on(DAILY, DAYS))
    yield stamp(1155.0, units_on(DAILY, DAYS))
    yield stamp(1154.0, units_on(DAILY, DAYS))


def tell_stamps_follow_the_steps_of_the_data() -> Iterator[str]:
    yield stamp(1961.0, units_on(MONTHLY, MONTHS))
    quarterly = Axis("quarter", "year", "quarter", 0.25)
    yield stamp(1961.5, units_on(quarterly, 1950 + np.arange(40) / 4))
    yield stamp(3.0, units_on(PLAIN, DEPTHS))


def tell_positions_far_outside_the_calendar_are_told_as_numbers() -> Iterator[str]:
    yield place(-5000000.0, units_on(MONTHLY, MONTHS))
    yield place(1000000000000.0, units_on(DAILY, DAYS))


def tell_cells_hold_dates_where_there_are_some() -> Iterator[str]:
    yield position_text(1955.4, units_on(MONTHLY, MONTHS))
    yield position_text(1234.5678, units_on(PLAIN, DEPTHS))


def tell_days_have_an_article_in_other_languages() -> Iterator[str]:
    days = units_on(DAILY, np.arange(300.0))
    first, last = (place(59.0, days), place(60.0, days))
    yield until_place(place(1955.4, units_on(MONTHLY, MONTHS)))
    yield around_place(first)
    yield between_places(first, last)


def tell_numbers_of_positions_have_no_groups() -> Iterator[str]:
    yield position_text(1949.5, units_on(PLAIN, DEPTHS))


def tell_periods_take_the_name_of_a_calendar_cycle() -> Iterator[str]:
    for axis, x, period in (
        (MONTHLY, MONTHS, 1.0023),
        (MONTHLY, MONTHS, 0.25),
        (MONTHLY, MONTHS, 0.5),
        (YEARLY, YEARS, 10.8),
        (YEARLY, YEARS, 8.0),
        (DAILY, DAYS, 7.01),
        (DAILY, DAYS, 365.3),
        (DAILY, DAYS, 30.4),
        (DAILY, DAYS, 14.0),
        (DAILY, DAYS, 18.0),
        (DAILY, DAYS, 7.4),
        (HOURLY, DAYS, 24.0),
        (BUSINESS, DAYS, 5.0),
        (PLAIN, DEPTHS, 2.0),
    ):
        words = cycle(period, units_on(axis, x))
        yield words.adjective
        yield words.every


def tell_long_data_tell_a_period_from_the_calendar_cycle() -> Iterator[str]:
    short, long = (np.arange(40.0), np.arange(4000.0))
    yield cycle(7.15, units_on(DAILY, short)).adjective
    yield cycle(7.15, units_on(DAILY, long)).adjective


def tell_words_follow_the_language_and_ids_do_not() -> Iterator[str]:
    long, weekly = (cycle(10.8, units_on(YEARLY, YEARS)), cycle(7.0, units_on(DAILY, DAYS)))
    yield long.adjective
    yield long.repeats.replace("\xa0", " ")
    yield weekly.repeats
    yield long.id
    yield weekly.id


def tell_how_often_plain_lengths_come() -> Iterator[str]:
    units = units_on(PLAIN, DEPTHS)
    yield from [cycle(period, units).repeats for period in (1.0, 2.5)]


def tell_lengths_take_the_unit_that_reads_best() -> Iterator[str]:
    for years in (23.0, 1.0, 0.9, 0.5583, 0.1, 7 / 365.25, 1 / 365.25, 1 / 8766, 1e-07):
        yield length(years, units_on(MONTHLY, MONTHS))


def tell_lengths_on_other_axes() -> Iterator[str]:
    yield length(1.0, units_on(BUSINESS, DAYS))
    yield length(3.0, units_on(BUSINESS, DAYS))
    yield length(20.0, units_on(BUSINESS, DAYS))
    yield length(12.5, units_on(PLAIN, DEPTHS), 3)
    yield length(1.0, units_on(PLAIN, DEPTHS))
    yield length(90.0, units_on(HOURLY, DAYS))


def tell_nothing_is_told_below_a_step() -> Iterator[str]:
    monthly = units_on(MONTHLY, MONTHS)
    yield about(0.5583, monthly)
    yield about(0.05, monthly)


def tell_a_letter_is_no_name_for_time() -> Iterator[str]:
    yield axis_title(units_on(Axis("x", "year", "year", 1.0), YEARS))
    yield axis_title(units_on(YEARLY, YEARS))
    yield axis_title(units_on(Axis("x", "", "", None), DEPTHS))


def tell_how_often_there_is_an_observation() -> Iterator[str]:
    yield step_name(units_on(MONTHLY, MONTHS))
    yield step_name(units_on(PLAIN, DEPTHS))
    half_hours = replace(HOURLY, unit="minute", frequency="30 minutes", step=30.0)
    yield step_name(units_on(half_hours, np.arange(10.0) * 30.0))
    for name, step in (("half-month", 1 / 24), ("third of a month", 1 / 36)):
        yield step_name(units_on(replace(MONTHLY, frequency=name, step=step), MONTHS))


def tell_rough_lengths_are_whole_units_where_these_are_few() -> Iterator[str]:
    for years in (6.3, 12.6, 1.3, 0.5583, 126.0):
        yield rough_length(years, units_on(MONTHLY, MONTHS))

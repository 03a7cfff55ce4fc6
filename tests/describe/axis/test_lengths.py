"""Lengths and slopes in the unit that reads best."""

from __future__ import annotations

from dataclasses import replace

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
    units_on,
)

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import (
    about,
    along,
    axis_title,
    length,
    rate,
    rough_length,
    step_name,
    uncounted,
)
from autostatistician.describe.axis.places import place, stamp


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
    assert length(years, units_on(MONTHLY, MONTHS)) == text


def test_lengths_on_other_axes() -> None:
    assert length(1.0, units_on(BUSINESS, DAYS)) == "1 business day"
    assert length(3.0, units_on(BUSINESS, DAYS)) == "3 business days"
    assert length(20.0, units_on(BUSINESS, DAYS)) == "4 weeks"
    assert length(12.5, units_on(PLAIN, DEPTHS), 3) == "12.5 units of 'depth'"
    assert length(1.0, units_on(PLAIN, DEPTHS)) == "1 unit of 'depth'"
    assert length(90.0, units_on(HOURLY, DAYS)) == "3.8 days"


def test_nothing_is_told_below_a_step() -> None:
    monthly = units_on(MONTHLY, MONTHS)
    assert (about(0.5583, monthly), about(0.05, monthly)) == ("about 6.7 months", "less than one step of the data")


def test_a_column_of_minutes_is_measured_in_minutes() -> None:
    minutes = units_on(replace(PLAIN, column="Minutes"), DEPTHS)
    assert (length(2.5, minutes), length(1.0, minutes)) == ("2.5 minutes", "1 minute")
    assert rate(2.0, minutes) == (2.0, "per minute")
    assert uncounted(cycle(1.0, units_on(PLAIN, DEPTHS)).every) == "unit of 'depth'"


def test_slopes_take_the_unit_of_the_span() -> None:
    assert rate(30.0, units_on(MONTHLY, MONTHS)) == (30.0, "per year")
    assert rate(1.0, units_on(DAILY, DAYS)) == (pytest.approx(365.25), "per year")
    assert rate(1.0, units_on(DAILY, np.arange(100.0))) == (pytest.approx(30.4375), "per month")
    assert rate(2.0, units_on(PLAIN, DEPTHS)) == (2.0, "per unit of 'depth'")


def test_a_unit_behind_the_name_of_a_column_is_used() -> None:
    units = units_on(Axis("depth (m)", "", "", None), DEPTHS)
    assert length(2.5, units) == "2.5 m"
    assert place(4.0, units) == "'depth' = 4 m"
    assert stamp(4.0, units) == "4"
    assert rate(0.5, units) == (0.5, "per m")
    assert along(units) == "as 'depth' increases"
    assert cycle(2.0, units).every == "2 m"
    unknown = units_on(Axis("rank (best)", "", "", None), DEPTHS)
    assert (length(1.0, unknown), rate(1.0, unknown)[1]) == ("1 unit of 'rank (best)'", "per unit of 'rank (best)'")


def test_a_letter_is_no_name_for_time() -> None:
    assert axis_title(units_on(Axis("x", "year", "year", 1.0), YEARS)) == "time"
    assert axis_title(units_on(YEARLY, YEARS)) == "year"
    assert axis_title(units_on(Axis("x", "", "", None), DEPTHS)) == "x"


def test_how_often_there_is_an_observation() -> None:
    assert step_name(units_on(MONTHLY, MONTHS)) == "monthly"
    assert step_name(units_on(PLAIN, DEPTHS)) == ""
    half_hours = replace(HOURLY, unit="minute", frequency="30 minutes", step=30.0)
    assert step_name(units_on(half_hours, np.arange(10.0) * 30.0)) == "30-minute"


@pytest.mark.parametrize(
    ("years", "text"),
    [(6.3, "6 years"), (12.6, "13 years"), (1.3, "1.3 years"), (0.5583, "7 months"), (126.0, "130 years")],
)
def test_rough_lengths_are_whole_units_where_these_are_few(years: float, text: str) -> None:
    assert rough_length(years, units_on(MONTHLY, MONTHS)) == text

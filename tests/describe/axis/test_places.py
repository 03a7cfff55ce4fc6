"""Dates as fine as the data ask, and rows around what lies between them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from tests.describe.factory import (
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
from autostatistician.describe.axis.places import (
    around_place,
    between_places,
    is_day,
    place,
    position_text,
    rows_around,
    stamp,
    until_place,
)
from autostatistician.wording.messages import spoken_in


def test_neighbouring_rows_on_numbers_have_names_of_their_own() -> None:
    days = 2459000.5 + 0.25 * np.arange(20000.0)
    units = units_on(Axis("JD", "", "", 0.25), days)
    assert stamp(days[4], units) == "2,459,001.5"
    assert len({stamp(day, units) for day in days[:50]}) == 50
    assert position_text(days[100], units_on(Axis("JD", "", "", 0.25), days[:180])) == "2,459,025.5"


def test_dates_as_fine_as_the_span_and_the_steps_ask() -> None:
    assert place(1643.2, units_on(YEARLY, YEARS)) == "1643"
    assert place(1955.4, units_on(MONTHLY, MONTHS)) == "May 1955"
    assert place(59.0, units_on(DAILY, np.arange(300.0))) == "1 March 2001"
    assert place(30.25, units_on(HOURLY, np.arange(48.0))) == "2 January 2001, 06:15"
    assert place(1955.4, units_on(MONTHLY, 1940 + np.arange(480) / 12)) == "1955"
    assert place(4.1234, units_on(PLAIN, DEPTHS)) == "'depth' = 4.1"


def test_leap_years_count() -> None:
    assert place(1600.99, units_on(YEARLY, YEARS)) == "1600"
    assert stamp(59.0, units_on(DAILY, DAYS)) == "1 March 2001"
    assert stamp(1155.0, units_on(DAILY, DAYS)) == "1 March 2004"
    assert stamp(1154.0, units_on(DAILY, DAYS)) == "29 February 2004"


def test_stamps_follow_the_steps_of_the_data() -> None:
    assert stamp(1961.0, units_on(MONTHLY, MONTHS)) == "January 1961"
    quarterly = Axis("quarter", "year", "quarter", 0.25)
    assert stamp(1961.5, units_on(quarterly, 1950 + np.arange(40) / 4)) == "quarter 3 of 1961"
    assert stamp(3.0, units_on(PLAIN, DEPTHS)) == "3"


def test_positions_far_outside_the_calendar_are_told_as_numbers() -> None:
    assert place(-5e6, units_on(MONTHLY, MONTHS)) == "year −5000000"
    assert "day" in place(1e12, units_on(DAILY, DAYS))


@pytest.mark.parametrize("position", np.linspace(1700.0, 1705.0, 11))
def test_rows_enclose_a_place_and_are_a_step_apart_at_most(position: float) -> None:
    low, high = rows_around(position, units_on(YEARLY, YEARS))
    assert low - 1e-3 <= position <= high + 1e-3
    assert (low % 1.0, high % 1.0) == (0.0, 0.0)
    assert high - low == float(position % 1.0 > 0.0)


def test_cells_hold_dates_where_there_are_some() -> None:
    assert position_text(1955.4, units_on(MONTHLY, MONTHS)) == "May 1955"
    assert position_text(1234.5678, units_on(PLAIN, DEPTHS)) == "1234.57"


@pytest.mark.parametrize(
    ("language", "month", "day", "stretch"),
    [
        ("en", "until May 1955", "around 1 March 2001", "between 1 March 2001 and 2 March 2001"),
        ("de", "bis Mai 1955", "um den 1. März 2001", "zwischen dem 1. März 2001 und dem 2. März 2001"),
    ],
)
def test_days_have_an_article_in_other_languages(language: str, month: str, day: str, stretch: str) -> None:
    days = units_on(DAILY, np.arange(300.0))
    with spoken_in(language):
        first, last = place(59.0, days), place(60.0, days)
        assert until_place(place(1955.4, units_on(MONTHLY, MONTHS))) == month
        assert (around_place(first), between_places(first, last)) == (day, stretch)


def test_a_place_that_is_kept_stays_a_day() -> None:
    kept = pickle.loads(pickle.dumps(place(59.0, units_on(DAILY, np.arange(300.0)))))
    assert is_day(kept)
    assert not is_day("May 1955")


def test_numbers_of_positions_have_no_groups() -> None:
    with spoken_in("de"):
        assert position_text(1949.5, units_on(PLAIN, DEPTHS)) == "1949,5"

"""What is taken of columns ahead, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.covariate_cases import (
    PRICE,
    PROMO,
    UNITS,
    findings,
)
from tests.describe.factory import BUSINESS, DAILY, DAYS, HOURLY, units_on

from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.columns_ahead import ahead_clause, ahead_text, assumed_ranges_text, beyond_text
from autostatistician.forms import Filling

MINUTES, SECONDS = (replace(HOURLY, unit=unit, frequency=unit) for unit in ("minute", "second"))
DAILY_UNITS = units_on(DAILY, DAYS)


def test_what_is_taken_of_columns_ahead_is_said() -> None:
    ahead = findings(PROMO, PRICE).ahead
    assert ahead is not None
    assert ahead_clause(ahead, UNITS) == "'promo' and 'price' are as a year before"
    assert ahead_text(ahead, UNITS) == (
        "There is no plan for 'promo' and 'price': add rows to come with their values, and leave 'sales' empty there."
    )
    assert assumed_ranges_text(ahead, UNITS) == (
        "The ranges of the forecast: they hold if 'promo' and 'price' are as a year before; that it may be otherwise "
        "is not in them."
    )
    assert assumed_ranges_text(replace(ahead, planned=("promo", "price"), unplanned=()), UNITS) == ""
    half = replace(ahead, planned=("promo",), unplanned=(("price", Filling.LAST),), until=None)
    assert ahead_clause(half, UNITS) == "'promo' is as planned and 'price' is as it was last"
    some = replace(ahead, unplanned=(("promo", Filling.USUAL),), until=1961.25)
    assert ahead_clause(some, UNITS) == "'promo' is as planned until April 1961 and then as usual"
    assert ahead_text(some, UNITS).startswith("There is no plan for 'promo' beyond April 1961: add rows")
    many = replace(ahead, planned=tuple("abcdefg"), unplanned=())
    assert ahead_clause(many, UNITS) == "seven columns are as planned"
    assert ahead_text(many, UNITS) == ""
    lost = replace(ahead, unplanned=tuple((name, Filling.LAST) for name in "abcdefg"))
    assert ahead_text(lost, UNITS).startswith("There is no plan for some columns: add rows")
    beyond = ahead_text(replace(some, beyond=("price",)), UNITS)
    assert beyond == (
        "There is no plan for 'promo' beyond April 1961: add rows to come with their values, and leave 'sales' empty "
        "there."
    )
    odd = replace(ahead, season=0.37)
    assert ahead_clause(odd, UNITS) == "'promo' and 'price' are as 4.4 months before"


@pytest.mark.parametrize(
    ("units", "season", "before"),
    [
        (UNITS, 0.5, "as a half year before"), (UNITS, 0.25, "as a quarter of a year before"),
        (DAILY_UNITS, 365.25 / 12.0, "as a month before"), (DAILY_UNITS, 7.0, "as a week before"),
        (units_on(BUSINESS, DAYS), 5.0, "as a week of five business days before"),
        (units_on(HOURLY, DAYS), 24.0, "as a day before"), (units_on(HOURLY, DAYS), 12.0, "as a half day before"),
        (units_on(MINUTES, DAYS), 60.0, "as an hour before"), (units_on(SECONDS, DAYS), 60.0, "as a minute before"),
    ],
)  # fmt: skip
def test_a_cycle_of_the_calendar_before_has_its_name(units: Units, season: float, before: str) -> None:
    ahead = findings(PRICE).ahead
    assert ahead is not None
    ahead = replace(ahead, planned=(), unplanned=(("price", Filling.SEASON_BEFORE),), season=season, until=None)
    assert ahead_clause(ahead, units) == f"'price' is {before}"


def test_plans_beyond_what_was_seen_are_named() -> None:
    ahead = findings(PRICE).ahead
    assert ahead is not None
    assert beyond_text(ahead) == ""
    assert beyond_text(replace(ahead, beyond=("price",))) == (
        "The plan of 'price' goes beyond the values that were seen: what it adds there is carried on from the nearest "
        "ones."
    )
    assert "what they add there" in beyond_text(replace(ahead, beyond=("price", "size")))

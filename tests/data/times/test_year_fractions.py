"""Decimal years by the rules of people, and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.times.decimal_years import DAY_RULES
from autostatistician.data.times.year_fractions import decimal_from_times, times_from_decimal, year_days, year_start

EXACT = [rule for rule in DAY_RULES if rule.startswith(("true", "366"))]  # no day falls beyond the end of its year


@given(st.sampled_from(EXACT), st.lists(st.integers(-200_000, 60_000), min_size=1, max_size=9))
def test_dates_come_back(rule: str, days: list[int]) -> None:
    times = np.array(days, dtype="M8[D]").astype("M8[us]")
    again = times_from_decimal(decimal_from_times(times, rule), rule)
    assert np.abs((again - times).astype(np.int64)).max() <= 2_000_000  # two seconds: digits of a year near 2000


@pytest.mark.parametrize("rule", DAY_RULES)
def test_dates_of_common_years_come_back_by_every_rule(rule: str) -> None:
    times = np.arange("2001-01-01", "2001-12-31", dtype="M8[D]")
    again = times_from_decimal(decimal_from_times(times, rule), rule)
    np.testing.assert_array_equal(again.astype("M8[D]"), times)


def test_a_leap_year_of_365_days_ends_on_the_next_new_year() -> None:
    last = np.array(["2000-12-31"], dtype="M8[D]")
    assert times_from_decimal(decimal_from_times(last, "365:1"), "365:1").astype("M8[D]").tolist() == [
        np.datetime64("2001-01-01").item()
    ]


def test_years_have_their_days_and_starts() -> None:
    years = np.array([1900, 2000, 2001])
    assert year_days(years, "true:0").tolist() == [365.0, 366.0, 365.0]
    assert year_days(years, "365.25:1").tolist() == [365.25] * 3
    assert year_start(years).astype("M8[us]").astype("M8[D]").astype(str).tolist() == [
        "1900-01-01", "2000-01-01", "2001-01-01",
    ]  # fmt: skip

"""Decimal years: the rules people use, the thirteen benchmark series, and numbers that are no years."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from autostatistician.data.load import load
from autostatistician.data.times.decimal_years import place_years
from autostatistician.data.times.year_fractions import decimal_from_times


def days(start: str, stop: str, step: str = "D") -> np.ndarray:
    return np.arange(np.datetime64(start, step), np.datetime64(stop, step)).astype("M8[us]")


@pytest.mark.parametrize("within", [0.0, 0.5, 0.25])
@pytest.mark.parametrize("places", [2, 3, 6, 15])
def test_equal_months(within: float, places: int) -> None:
    exact = 1949 + (np.arange(60) + within) / 12
    placed = place_years(np.round(exact, places), "x")
    assert placed is not None
    assert (placed.axis.unit, placed.axis.frequency) == ("year", "month")
    np.testing.assert_allclose(placed.x, exact, atol=0.0042 if places == 2 else 2e-5 if places < 15 else 1e-12)


@pytest.mark.parametrize("rule", ["365:1", "365:0", "true:0", "true:1", "365.25:0"])
@pytest.mark.parametrize("places", [4, 6])
def test_month_starts_by_the_day_of_the_year(rule: str, places: int) -> None:
    months = days("1956-01", "1964-06", "M")
    placed = place_years(np.round(decimal_from_times(months, rule), places), "x")
    assert placed is not None
    assert placed.axis.frequency == "month"
    assert np.array_equal(placed.axis.times(placed.x).astype("M8[M]"), months.astype("M8[M]"))


@pytest.mark.parametrize("rule", ["365:1", "true:0", "true:1", "366:0"])
def test_random_subsets_of_days(rule: str) -> None:
    every = days("1981-01-01", "1988-12-31")
    chosen = every[np.sort(np.random.default_rng(1).permutation(every.size)[:600])]
    chosen = chosen[~np.isin(chosen.astype("M8[D]").astype(str), ["1984-12-30", "1984-12-31"])]
    placed = place_years(np.round(decimal_from_times(chosen, rule), 6), "x")
    assert placed is not None
    assert placed.axis.frequency == "day"
    shift = np.unique((placed.axis.times(placed.x).astype("M8[D]") - chosen.astype("M8[D]")).astype(int))
    # Whether days count from 0 or 1 cannot be seen in a random subset; the calendar is true up to one day.
    assert shift.size == 1
    assert abs(shift[0]) <= 1


def test_daily_series_from_new_year_count_from_zero() -> None:
    every = days("2001-01-01", "2003-01-01")
    placed = place_years(decimal_from_times(every, "true:0"), "x")
    assert placed is not None
    assert np.array_equal(placed.axis.times(placed.x).astype("M8[us]"), every)


def test_business_days_are_said_as_such() -> None:
    every = days("2019-01-01", "2020-12-31")
    placed = place_years(decimal_from_times(every[np.is_busday(every.astype("M8[D]"))], "true:0"), "x")
    assert placed is not None
    assert placed.notes[0].startswith("Column 'x' holds decimal years; read as business days 1 Jan 2019 to 30 Dec 2020")


def test_quarters_and_decades() -> None:
    quarters = place_years(1990 + np.arange(20) / 4, "t")
    decades = place_years(1790.0 + 10 * np.arange(20), "year")
    assert quarters is not None
    assert decades is not None
    assert quarters.axis.frequency == "quarter"
    assert (decades.axis.frequency, decades.axis.step) == ("10 years", 10.0)


@pytest.mark.parametrize(
    "x",
    [
        np.arange(20.0),
        np.linspace(0.0, 1.0, 50),
        np.random.default_rng(0).uniform(1500, 2000, 40),
        np.arange(20.0) + 3000,
        np.array([1990.0, 2010.0]),
        np.array([1500.0, 1723.0, 1800.0, 1802.0]),
    ],
)
def test_other_numbers_are_no_years(x: np.ndarray) -> None:
    assert place_years(x, "dose") is None


def test_irregular_years_count_as_years_only_by_name() -> None:
    x = np.random.default_rng(0).uniform(1500, 2000, 40)
    placed = place_years(x, "Year")
    assert placed is not None
    assert (placed.axis.unit, placed.axis.step) == ("year", None)
    assert placed.x.tolist() == x.tolist()


EXPECTED = {
    "01-airline": ("month", 144, "months Jan 1949 to Dec 1960."),
    "02-solar": ("year", 402, "years 1610 to 2011"),
    "03-mauna": ("month", 545, "months Mar 1958 to Dec 2003."),
    "04-wheat": ("year", 370, "years 1500 to 1869"),
    "05-temperature": ("day", 1000, "days 4 Jan 1981 to 26 Dec 1990"),
    "06-internet": ("hour", 1000, "hours 19 Nov 2004 10:30 to 27 Jan 2005 09:30"),
    "07-call-centre": ("month", 180, "day of the year / 365; the positions moved by at most 1.8 days."),
    "08-radio": ("month", 240, "months May 1934 to Apr 1954"),
    "09-gas-production": ("month", 476, "months Jan 1956 to Aug 1995"),
    "10-sulphuric": ("month", 462, "months Jan 1956 to Jun 1994"),
    "11-unemployment": ("month", 408, "months Jan 1948 to Dec 1981"),
    "12-births": ("day", 1000, "days 6 Jan 1977 to 29 Dec 1990"),
    "13-wages": ("year", 735, "years 1260 to 1994"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_benchmark_series_lie_on_their_calendars(shared_data: Path, name: str) -> None:
    frequency, n, words = EXPECTED[name]
    data = load(shared_data / "timeseries" / f"{name}.csv")
    assert data.axis is not None
    assert data.axis.frequency == frequency
    assert np.unique(data.x).size == data.n == n
    assert any(words in warning for warning in data.warnings)
    steps = data.x / data.axis.step
    assert np.allclose(steps - steps[0], np.round(steps - steps[0]), rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", EXPECTED)
def test_raw_axes_keep_every_bit(shared_data: Path, name: str) -> None:
    path = shared_data / "timeseries" / f"{name}.csv"
    stored = np.sort(np.loadtxt(path, delimiter=",", skiprows=1)[:, 0])
    data = load(path, axis="raw")
    assert data.axis is not None
    assert data.axis.unit == ""
    assert np.array_equal(data.x, stored)


def test_the_last_hours_of_a_leap_year_are_put_before_new_year(shared_data: Path) -> None:
    data = load(shared_data / "timeseries" / "06-internet.csv")
    assert data.axis is not None
    times = data.axis.times(data.x)
    last = times[(times >= np.datetime64("2004-12-31")) & (times < np.datetime64("2005-01-01"))]
    assert last.size == 13
    assert any("13 rows before a step back at new year" in warning for warning in data.warnings)


def test_the_weekday_shows_in_births_only_on_the_true_calendar(shared_data: Path) -> None:
    data = load(shared_data / "timeseries" / "12-births.csv")
    assert data.axis is not None
    weekday = data.axis.times(data.x).astype("M8[D]").astype(int) % 7
    within = sum(data.y[weekday == k].var() * (weekday == k).sum() for k in range(7)) / data.n
    assert 1 - within / data.y.var() > 0.55

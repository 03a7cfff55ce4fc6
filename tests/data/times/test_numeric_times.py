"""Decimal years: the rules people use, the thirteen benchmark series, and numbers that are no years."""

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.there import there

from autostatistician.data.columns import DataColumn
from autostatistician.data.load import load
from autostatistician.data.roles.time_column import combined, with_clock
from autostatistician.data.times.forms import DECIMAL_YEARS, NAMES, DecimalYears
from autostatistician.data.times.languages import folded
from autostatistician.data.times.numeric_times import counted_times, place_years

EXACT = [rule for rule in DECIMAL_YEARS if rule.days in ("true", "366")]  # no day falls beyond the end of its year


@given(st.sampled_from(EXACT), st.lists(st.integers(-200_000, 60_000), min_size=1, max_size=9))
def test_dates_come_back(rule: DecimalYears, days: list[int]) -> None:
    times = np.array(days, dtype="M8[D]").astype("M8[us]")
    again = rule.times(rule.written(times))
    assert np.abs((again - times).astype(np.int64)).max() <= 2_000_000  # two seconds: digits of a year near 2000


def test_a_leap_year_of_365_days_ends_on_the_next_new_year() -> None:
    rule, last = DecimalYears("365", 1), np.array(["2000-12-31"], dtype="M8[D]")
    assert rule.times(rule.written(last)).astype("M8[D]").tolist() == [np.datetime64("2001-01-01").item()]


@pytest.mark.parametrize("part", NAMES)
def test_names_are_as_they_are_looked_up(part: str) -> None:
    assert NAMES[part]
    assert all(name == name.strip().lower() for name in NAMES[part])


def test_no_name_means_two_things() -> None:
    parts = [NAMES[part] for part in "ymdqw"]
    assert len(frozenset().union(*parts)) == sum(map(len, parts))


@pytest.mark.parametrize("part", "ymd")
def test_every_language_that_has_a_year_has_a_month_and_a_day(part: str) -> None:
    """One word of each for some languages that are far from each other."""
    words = {"y": "jahr год 年 año yıl", "m": "monat месяц 月 mes ay", "d": "tag день 日 día gün"}
    assert set(words[part].split()) <= NAMES[part]
    assert folded("AÑO") == "ano"
    assert "ano" in NAMES["y"]


def test_unix_times_and_compact_dates_need_a_reason() -> None:
    seconds = 1_600_000_000.0 + 3600 * np.arange(5)
    assert DataColumn("sales", seconds).times is None
    parsed = there(DataColumn("timestamp", seconds).times)
    assert str(parsed.times[0])[:19] == "2020-09-13T12:26:40"
    assert DataColumn("t", np.array([20200101.0, 20200102.0, 20200103.0])).times is not None
    assert DataColumn("t", np.array([2020010100.0, 2020010101.0, 2020010102.0])).times is not None
    assert DataColumn("t", np.array([20200101.0, 20201399.0, 20200103.0])).times is None


@pytest.mark.parametrize(
    ("name", "first", "step", "unit"),
    [
        ("timestamp", 1_600_000_000, 3600, "seconds since 1970"),
        ("created_at", 1_600_000_000_000, 3_600_000, "milliseconds since 1970"),
        ("unix", 1_600_000_000_000_000, 3_600_000_000, "microseconds since 1970"),
        ("epoch", 1_600_000_000_000_000_000, 3_600_000_000_000, "nanoseconds since 1970"),
        ("Date", 44_087 + 44_800 / 86_400, 1 / 24, "days since the end of 1899, as spreadsheets count them"),
    ],
)
def test_counted_times_are_read_in_their_unit(name: str, first: float, step: float, unit: str) -> None:
    values = first + step * np.arange(4.0)
    for column in (DataColumn(name, values), DataColumn(name, tuple(map(repr, values.tolist())))):
        parsed = there(column.times)
        hours = [str(time.astype("M8[s]")) for time in parsed.times[:2]]
        assert hours == ["2020-09-13T12:26:40", "2020-09-13T13:26:40"]
        assert unit in parsed.notes[0]


def test_numbers_in_the_range_of_counted_days_stay_numbers_under_another_name() -> None:
    for name in ("time", "sales"):
        assert DataColumn(name, 44_087.0 + np.arange(4.0)).times is None
    assert DataColumn("date", 1990.0 + np.arange(4.0)).times is None


def test_numbers_that_rise_by_whole_minutes_tick_whatever_they_are_called() -> None:
    hours = 1_600_000_000.0 - 1_600_000_000 % 60 + 3600 * np.arange(10.0)
    assert counted_times(hours, "sales") is not None
    assert counted_times(hours[::-1], "sales") is None
    assert counted_times(hours + 0.5, "sales") is None
    assert counted_times(hours[:7], "sales") is None


def _columns(**cells: tuple[str, ...]) -> list[DataColumn]:
    return [DataColumn(name, values) for name, values in cells.items()]


@pytest.mark.parametrize(
    ("cells", "name", "made"),
    [
        ({"Year": ("2020", "2021"), "Month": ("1", "12")}, "Year-Month", ("2020-01", "2021-12")),
        ({"mon": ("Jan", "Dec"), "yr": ("2020", "2021")}, "yr-mon", ("2020-Jan", "2021-Dec")),
        ({"jahr": ("2020",), "monat": ("März",), "tag": ("5",)}, "jahr-monat-tag", ("2020-März-05",)),
        ({"year": ("2020", ""), "quarter": ("Q1", "Q4")}, "year-quarter", ("2020Q1", None)),
        ({"Jahr": ("2020", "2020"), "Quartal": ("1", "4")}, "Jahr-Quartal", ("2020Q1", "2020Q4")),
        ({"year": ("2020", "2020"), "week": ("1", "53")}, "year-week", ("2020-W01", "2020-W53")),
        ({"year": ("2020", "2021"), "month": ("5", "6"), "day": ("x", "y")}, "year-month", ("2020-05", "2021-06")),
    ],
)  # fmt: skip
def test_parts_of_a_date_are_one_column(cells: dict[str, tuple[str, ...]], name: str, made: tuple[str, ...]) -> None:
    found = there(combined([DataColumn("other", ("1", "2")), *_columns(**cells)]))
    assert (found[0].name, found[0].values) == (name, made)
    assert "-".join(column.name for column in found[1]) == name


@pytest.mark.parametrize(
    "cells",
    [
        {"year": ("2020", "2021")},
        {"month": ("1", "2")},
        {"year": ("2020.5", "2021"), "month": ("1", "2")},
        {"year": ("2020", "2021"), "month": ("0", "13")},
        {"year": ("2020", "2021"), "quarter": ("1", "5")},
    ],
)
def test_numbers_out_of_bounds_are_no_parts(cells: dict[str, tuple[str, ...]]) -> None:
    assert combined(_columns(**cells)) is None


def test_hours_and_clock_times_are_added_to_days() -> None:
    day = DataColumn("day", ("2020-01-01", "2020-01-02"))
    made, used = with_clock([day, hour := DataColumn("hour", ("7", ""))], [day]) or (day, ())
    assert (made.name, used) == ("day hour", (day, hour))
    assert np.asarray(made.values).astype("M8[h]").astype(str).tolist() == ["2020-01-01T07", "NaT"]
    clock = DataColumn("at", ("14:30", "9:05 pm"))
    made, used = with_clock([day, clock], [day]) or (day, ())
    assert there(made.times).times.astype("M8[m]").astype(str).tolist() == ["2020-01-01T14:30", "2020-01-02T21:05"]
    assert used == (day, clock)


def test_days_that_have_a_clock_time_already_are_left_alone() -> None:
    day = DataColumn("day", ("2020-01-01 12:00", "2020-01-02 13:00"))
    assert with_clock([day, DataColumn("hour", ("7", "8"))], [day]) is None
    assert with_clock([day, DataColumn("at", ("14:30", "15:30"))], [day]) is None
    assert with_clock([DataColumn("hour", ("7", "8"))], []) is None


def days(start: str, stop: str, step: str = "D") -> np.ndarray:
    return np.arange(np.datetime64(start, step), np.datetime64(stop, step)).astype("M8[us]")


@pytest.mark.parametrize("within", [0.0, 0.5, 0.25])
@pytest.mark.parametrize("places", [2, 3, 6, 15])
def test_equal_months(within: float, places: int) -> None:
    exact = 1949 + (np.arange(60) + within) / 12
    placed = there(place_years(np.round(exact, places), "x"))
    assert (placed.axis.unit, placed.axis.frequency) == ("year", "month")
    np.testing.assert_allclose(placed.x, exact, atol=0.0042 if places == 2 else 2e-5 if places < 15 else 1e-12)


@pytest.mark.parametrize("rule", ["365:1", "365:0", "true:0", "true:1", "365.25:0"])
@pytest.mark.parametrize("places", [4, 6])
def test_month_starts_by_the_day_of_the_year(rule: str, places: int) -> None:
    months = days("1956-01", "1964-06", "M")
    placed = there(place_years(np.round(DecimalYears.of(rule).written(months), places), "x"))
    assert placed.axis.frequency == "month"
    assert np.array_equal(placed.axis.times(placed.x).astype("M8[M]"), months.astype("M8[M]"))


@pytest.mark.parametrize("rule", ["365:1", "true:0", "true:1", "366:0"])
def test_random_subsets_of_days(rule: str) -> None:
    every = days("1981-01-01", "1988-12-31")
    chosen = every[np.sort(np.random.default_rng(1).permutation(every.size)[:600])]
    chosen = chosen[~np.isin(chosen.astype("M8[D]").astype(str), ["1984-12-30", "1984-12-31"])]
    placed = there(place_years(np.round(DecimalYears.of(rule).written(chosen), 6), "x"))
    assert placed.axis.frequency == "day"
    shift = np.unique((placed.axis.times(placed.x).astype("M8[D]") - chosen.astype("M8[D]")).astype(int))
    # Whether days count from 0 or 1 cannot be seen in a random subset; the calendar is true up to one day.
    assert shift.size == 1
    assert abs(shift[0]) <= 1


def test_daily_series_from_new_year_count_from_zero() -> None:
    every = days("2001-01-01", "2003-01-01")
    placed = there(place_years(DecimalYears.of("true:0").written(every), "x"))
    assert np.array_equal(placed.axis.times(placed.x).astype("M8[us]"), every)


def test_business_days_are_known() -> None:
    every = days("2019-01-01", "2020-12-31")
    placed = there(place_years(DecimalYears.of("true:0").written(every[np.is_busday(every.astype("M8[D]"))]), "x"))
    assert placed.axis.frequency == "business day"
    assert placed.notes[0].startswith("Column 'x' holds decimal years; read as 2019-01-01 to 2020-12-30 by the rule")


def test_quarters_and_decades() -> None:
    quarters = there(place_years(1990 + np.arange(20) / 4, "t"))
    decades = there(place_years(1790.0 + 10 * np.arange(20), "year"))
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
    placed = there(place_years(x, "Year"))
    assert (placed.axis.unit, placed.axis.step) == ("year", None)
    assert placed.x.tolist() == x.tolist()


def test_minutes_beside_hours_that_stand_once_each_are_values() -> None:
    rows = "".join(f"2024-03-{1 + k // 24:02d},{k % 24},{k * 7 % 60}\n" for k in range(72))
    assert load(StringIO("date,hour,minutes\n" + rows)).target == "minutes"


EXPECTED = {
    "01-airline": ("month", 144, "read as 1949-01 to 1960-12."),
    "02-solar": ("year", 402, "read as 1610 to 2011."),
    "03-mauna": ("month", 545, "read as 1958-03 to 2003-12."),
    "04-wheat": ("year", 370, "years 1500 to 1869"),
    "05-temperature": ("day", 1000, "1981-01-04 to 1990-12-26 by"),
    "06-internet": ("hour", 1000, "2004-11-19T10:30 to 2005-01-27T09:30 by"),
    "07-call-centre": ("month", 180, "day of the year / 365; the positions moved by at most 1.8 days."),
    "08-radio": ("month", 240, "1934-05 to 1954-04 by"),
    "09-gas-production": ("month", 476, "1956-01 to 1995-08 by"),
    "10-sulphuric": ("month", 462, "1956-01 to 1994-06 by"),
    "11-unemployment": ("month", 408, "1948-01 to 1981-12 by"),
    "12-births": ("day", 1000, "1977-01-06 to 1990-12-29 by"),
    "13-wages": ("year", 735, "years 1260 to 1994"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_benchmark_series_lie_on_their_calendars(shared_data: Path, name: str) -> None:
    frequency, n, words = EXPECTED[name]
    data = load(shared_data / "timeseries" / f"{name}.csv")
    assert there(data.axis).frequency == frequency
    assert np.unique(data.x).size == data.n == n
    assert any(words in warning for warning in data.warnings)
    steps = data.x / there(data.axis).step
    assert np.allclose(steps - steps[0], np.round(steps - steps[0]), rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", EXPECTED)
def test_raw_axes_keep_every_bit(shared_data: Path, name: str) -> None:
    path = shared_data / "timeseries" / f"{name}.csv"
    stored = np.sort(np.loadtxt(path, delimiter=",", skiprows=1)[:, 0])
    data = load(path, axis="raw")
    assert there(data.axis).unit == ""
    assert np.array_equal(data.x, stored)


def test_the_last_hours_of_a_leap_year_are_put_before_new_year(shared_data: Path) -> None:
    data = load(shared_data / "timeseries" / "06-internet.csv")
    times = there(data.axis).times(data.x)
    last = times[(times >= np.datetime64("2004-12-31")) & (times < np.datetime64("2005-01-01"))]
    assert last.size == 13
    assert any("as after 13 rows here" in warning for warning in data.warnings)


def test_the_weekday_shows_in_births_only_on_the_true_calendar(shared_data: Path) -> None:
    data = load(shared_data / "timeseries" / "12-births.csv")
    weekday = there(data.axis).times(data.x).astype("M8[D]").astype(int) % 7
    within = sum(data.y[weekday == k].var() * (weekday == k).sum() for k in range(7)) / data.n
    assert 1 - within / data.y.var() > 0.55

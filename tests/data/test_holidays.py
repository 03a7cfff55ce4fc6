"""Calendars as columns: which columns there are, their values, what is not known, and their records."""

import calendar
import json
import time
from datetime import date, timedelta

import numpy as np
import pytest

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.holidays import CalendarDays, Event, Holidays, calendar_from_json
from autostatistician.data.load import load
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError

DAY = Axis("day", "day", "day", 1.0, "2020-01-01")
MONTH = Axis("month", "year", "month", 1 / 12)
FOUR_YEARS = np.arange(4 * 365.0 + 1)


def easter(year: int) -> date:
    """Easter Sunday by the tables of Gauss and Butcher."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    month, day = divmod(h + m - 7 * ((a + 11 * h + 22 * m) // 451) + 114, 31)
    return date(year, month, day + 1)


def event(name: str, *days: str, **window: int) -> Event:
    return Event.of(name, np.array(days, dtype="M8[D]"), **window)


def yearly(name: str, day: str, years: range = range(2009, 2040)) -> Event:
    return event(name, *(f"{year}-{day}" for year in years))


EASTER = event("Easter", *(str(easter(year)) for year in range(2010, 2040)))
CHRISTMAS = yearly("Christmas", "12-25")


def by_name(columns: tuple[Covariate, ...]) -> dict[str, list[float]]:
    return {column.name: column.values.tolist() for column in columns}


def test_days_around_a_holiday_are_columns_with_words_for_them() -> None:
    holidays = Holidays(DAY, (CHRISTMAS,)).fitted(FOUR_YEARS)
    columns = holidays.columns(FOUR_YEARS)
    assert [(column.event, column.days, column.group) for column in columns] == [
        ("Christmas", days, "holidays") for days in (0, -1, -2, -3, 1)
    ]
    assert [column.name for column in columns][1::3] == ["Christmas, 1 day before", "Christmas, 1 day after"]
    for column in columns:
        wanted = [
            float(date(2020, 1, 1) + timedelta(days=row - column.days) in {date(y, 12, 25) for y in range(2019, 2026)})
            for row in range(FOUR_YEARS.size)
        ]
        assert column.values.tolist() == wanted


def test_a_day_belongs_to_the_nearest_holiday() -> None:
    holidays = Holidays(DAY, (CHRISTMAS, yearly("Boxing Day", "12-26"))).fitted(FOUR_YEARS)
    names = [column.name for column in holidays.columns(FOUR_YEARS)]
    assert names == [
        "Christmas", "Christmas, 1 day before", "Christmas, 2 days before", "Christmas, 3 days before",
        "Boxing Day", "Boxing Day, 1 day after",
    ]  # fmt: skip


def test_windows_of_own_events_stay_as_they_were_given() -> None:
    events = (yearly("sale", "12-20"), event("launch", "2020-12-22", "2021-06-01", before=2))
    holidays = Holidays(DAY, events, nearest=False).fitted(FOUR_YEARS)
    columns = by_name(holidays.columns(FOUR_YEARS))
    assert "launch, 2 days before" in columns
    assert columns["launch, 2 days before"][354] == columns["sale"][354] == 1.0


def test_a_holiday_that_comes_once_has_no_column() -> None:
    short = np.arange(300.0)
    assert [column.name for column in Holidays(DAY, (EASTER,)).fitted(short).columns(short)] == []
    assert len(Holidays(DAY, (EASTER,)).fitted(short, fewest=1).columns(short)) == 5
    note = Holidays(DAY, (EASTER,), "DE").fitted(short).note
    assert note == "No day of 'DE' varies enough in these data to have an effect of its own."
    assert Holidays(DAY, (EASTER,), "DE").fitted(FOUR_YEARS).note == ""


def test_days_of_one_occurrence_count_once() -> None:
    feast = event("feast", "2020-05-24", "2020-05-25", "2020-05-26", "2021-05-13", "2021-05-14", "2021-05-15")
    assert (feast.starts.size, feast.days.size) == (2, 6)
    year = np.arange(366.0)
    assert Holidays(DAY, (feast,)).fitted(year).columns(year) == ()
    columns = by_name(Holidays(DAY, (feast,)).fitted(FOUR_YEARS).columns(FOUR_YEARS))
    assert np.flatnonzero(columns["feast"]).tolist() == [144, 145, 146, 498, 499, 500]
    assert np.flatnonzero(columns["feast, 1 day after"]).tolist() == [147, 501]


def test_two_names_of_one_day_are_one_column() -> None:
    holidays = Holidays(DAY, (CHRISTMAS, yearly("Nativity", "12-25"))).fitted(FOUR_YEARS)
    assert {column.event for column in holidays.columns(FOUR_YEARS)} == {"Christmas"}


def test_easter_moves_between_months_and_christmas_does_not() -> None:
    x = 2010 + np.arange(180) / 12
    holidays = Holidays(MONTH, (EASTER, CHRISTMAS)).fitted(x)
    (column,) = holidays.columns(x)
    wanted = [float(easter(2010 + row // 12).month == row % 12 + 1) for row in range(180)]
    assert (column.name, column.values.tolist()) == ("Easter", wanted)


def test_quarters_and_weeks_count_days_of_the_event() -> None:
    days = [str(easter(year) + timedelta(days=shift)) for year in range(2010, 2040) for shift in (-2, 0, 1)]
    quarter = Axis("quarter", "year", "quarter", 0.25)
    x = 2010 + np.arange(60) / 4
    (column,) = Holidays(quarter, (event("Easter", *days),)).fitted(x).columns(x)
    march = [
        sum(date.fromisoformat(day) <= date(year, 3, 31) for day in days if day[:4] == str(year))
        for year in range(2010, 2025)
    ]
    assert column.values[::4].tolist() == march
    assert (column.values[::4] + column.values[1::4]).tolist() == [3.0] * 15
    week = Axis("week", "day", "week", 7.0, "2020-01-06")
    x = np.arange(200) * 7.0
    (column,) = Holidays(week, (event("Easter", *days),)).fitted(x).columns(x)
    assert column.values.sum() == 12.0
    assert set(column.values.tolist()) == {0.0, 1.0, 2.0}  # Friday and Sunday, and the Monday after


def test_hours_have_the_flag_of_their_date() -> None:
    axis = Axis("hour", "hour", "hour", 1.0, "2020-12-24")
    x = np.arange(24 * 400.0)
    (column,) = Holidays(axis, (CHRISTMAS,)).fitted(x).columns(x)
    assert np.flatnonzero(column.values).tolist() == [*range(24, 48), *range(24 * 366, 24 * 367)]


def test_business_days_before_and_after_a_holiday_on_a_weekend() -> None:
    dates = np.arange("2020-01-01", "2024-01-01", dtype="M8[D]")
    dates = dates[np.is_busday(dates)]
    data = load({"day": dates, "y": np.arange(float(dates.size))})
    assert data.axis is not None
    assert data.axis.unit == "business day"
    holidays = Holidays(data.axis, (CHRISTMAS,)).fitted(data.x)
    dates = dates.astype(str)
    columns = by_name(holidays.columns(data.x))
    before = dates[np.flatnonzero(columns["Christmas, 1 day before"])]
    assert before.tolist() == ["2020-12-24", "2021-12-24", "2022-12-23", "2023-12-22"]
    after = dates[np.flatnonzero(columns["Christmas, 1 day after"])]
    assert after.tolist() == ["2020-12-28", "2021-12-27", "2022-12-26", "2023-12-26"]
    assert dates[np.flatnonzero(columns["Christmas"])].tolist() == ["2020-12-25", "2023-12-25"]


def test_the_future_has_the_columns_of_the_past() -> None:
    holidays = Holidays(DAY, (CHRISTMAS, EASTER)).fitted(FOUR_YEARS)
    covariates = Covariates(FOUR_YEARS, (), (holidays,))
    ahead = FOUR_YEARS[-1] + np.arange(1.0, 366.0)
    assert [c.name for c in covariates.at(ahead)] == list(covariates.names)
    assert by_name(covariates.at(ahead))["Easter"].index(1.0) == (easter(2024) - date(2024, 1, 1)).days


def test_years_that_are_not_known_are_refused() -> None:
    holidays = Holidays(DAY, (CHRISTMAS,), "DE", (2019, 2039)).fitted(FOUR_YEARS)
    with pytest.raises(InputError, match=r"years from 2019 to 2039, .* 'DE' are known; found 2050; forecast fewer"):
        holidays.columns(np.array([30.5 * 365.25]))
    with pytest.raises(InputError, match="found 2018; give later rows, or a file of your own events"):
        holidays.columns(np.array([-400.0]))
    days = CalendarDays(MONTH, source="DE", span=(2019, 2039))
    with pytest.raises(InputError, match="found 2041"):
        days.columns(np.array([2041.0]))
    assert holidays.columns(np.zeros(0))[0].values.size == 0


def test_axes_without_dates_have_no_holidays() -> None:
    with pytest.raises(InputError, match="dates, for which holidays are known; found numbers in column 'depth'"):
        Holidays(Axis("depth", "", "", 1.0), (CHRISTMAS,))
    with pytest.raises(InputError, match="decimal years without a step"):
        Holidays(Axis("t", "year", "", None), (CHRISTMAS,))
    with pytest.raises(InputError, match=r"steps of a month or quarter .*; found steps of day; leave working days out"):
        CalendarDays(DAY)


def test_working_days_and_leap_days_against_a_loop() -> None:
    x = 2015 + np.arange(120) / 12
    free = np.array(["2015-12-25", "2016-12-26", "2015-12-26"], dtype="M8[D]")  # the last is a Saturday
    working, leap = CalendarDays(MONTH, free=np.sort(free)).columns(x)
    for row, (count, leaps) in enumerate(zip(working.values, leap.values, strict=True)):
        year, month = 2015 + row // 12, row % 12 + 1
        days = [date(year, month, day + 1) for day in range(calendar.monthrange(year, month)[1])]
        assert count == sum(day.weekday() < 5 and np.datetime64(day) not in free for day in days)
        assert leaps == (date(year, 2, 28) + timedelta(days=1)).day * (month == 2) // 29


def test_other_countries_have_other_weekends() -> None:
    (working, _) = CalendarDays(MONTH, weekend=(4, 5)).columns(np.array([2024 + 1 / 12]))
    assert working.values.tolist() == [21.0]  # February 2024: 29 days with four Fridays and four Saturdays


def test_a_leap_day_that_comes_once_is_no_column() -> None:
    assert CalendarDays(MONTH).fitted(2021 + np.arange(40) / 12).leap is False
    assert CalendarDays(MONTH).fitted(2015 + np.arange(72) / 12).leap is True


def test_records_give_the_same_calendar() -> None:
    for made, x in (
        (Holidays(DAY, (CHRISTMAS, event("launch", "2020-02-03", before=2, after=0)), "DE", (2019, 2039)), FOUR_YEARS),
        (Holidays(DAY, (CHRISTMAS,)).fitted(FOUR_YEARS), FOUR_YEARS),
        (
            CalendarDays(MONTH, (4, 5), np.array(["2024-01-01"], dtype="M8[D]"), "EG", (2000, 2050)),
            2024 + np.arange(24) / 12,
        ),
    ):
        back = calendar_from_json(json.loads(json.dumps(made.to_json())))
        assert by_name(back.columns(x)) == by_name(made.columns(x))
        assert back.to_json() == made.to_json()


@pytest.mark.parametrize("record", [{}, {"kind": "moon"}, {"kind": "holidays", "axis": 3}, {"kind": "calendar days"}])
def test_other_records_are_refused(record: dict[str, object]) -> None:
    with pytest.raises(InputError, match="the record of a calendar"):
        calendar_from_json(record)


def test_a_hundred_thousand_hours_take_no_time() -> None:
    axis = Axis("hour", "hour", "hour", 1.0, "2020-01-01")
    x = np.arange(100_000.0)
    begin = time.perf_counter()
    events = tuple(yearly(f"day {day}", f"05-{day:02d}") for day in range(1, 16))
    assert len(Holidays(axis, events).fitted(x).columns(x)) == 15
    assert time.perf_counter() - begin < 5.0


def test_columns_name_the_calendar_that_they_come_from() -> None:
    days = Holidays(DAY, (event("feast", "2020-03-01", "2021-03-01"),), "DE").columns(FOUR_YEARS)
    assert {(column.calendar, column.event) for column in days} == {("DE", "feast")}
    months = 2020.0 + np.arange(24) / 12
    assert {column.calendar for column in CalendarDays(MONTH, source="DE").columns(months)} == {"DE"}
    assert {column.calendar for column in CalendarDays(MONTH).columns(months)} == {"workdays"}

"""Dates in the ways people write them."""

from __future__ import annotations

import pytest

from autostatistician.data.times.dates import parse_times

ONE_DATE = [
    ("2020-02-03", "2020-02-03"), ("2020/2/3", "2020-02-03"), ("2020.02.03", "2020-02-03"), ("2020-02", "2020-02-01"),
    ("03.02.2020", "2020-02-03"), ("13/02/2020", "2020-02-13"), ("02/13/2020", "2020-02-13"), ("2/2020", "2020-02-01"),
    ("3 Feb 2020", "2020-02-03"), ("3-Feb-20", "2020-02-03"), ("February 3, 2020", "2020-02-03"),
    ("Mon, 3 Feb 2020", "2020-02-03"), ("3rd February 2020", "2020-02-03"), ("Feb 2020", "2020-02-01"),
    ("Feb-49", "1949-02-01"), ("Feb-39", "2039-02-01"), ("2020 Feb", "2020-02-01"), ("Sept 2020", "2020-09-01"),
    ("2020M02", "2020-02-01"), ("2020Q2", "2020-04-01"), ("Q2 2020", "2020-04-01"), ("2020-W06", "2020-02-03"),
    ("20200203", "2020-02-03"), ("202002", "2020-02-01"), ("0001-01-01", "0001-01-01"), ("9999-12-31", "9999-12-31"),
    ("2020-02-03 24:00", "2020-02-04"),
]  # fmt: skip
ONE_TIME = [
    ("2020-02-03T04:05:06", "2020-02-03T04:05:06"), ("2020-02-03 04:05", "2020-02-03T04:05:00"),
    ("2/3/2020 4:05 PM", "2020-02-03T16:05:00"), ("20200203T040506", "2020-02-03T04:05:06"),
    ("2020-02-03T04:05:06.250", "2020-02-03T04:05:06.250000"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "date"), ONE_DATE)
def test_dates(text: str, date: str) -> None:
    parsed = parse_times([text])
    assert parsed is not None
    assert str(parsed.times.astype("M8[D]")[0]) == date


@pytest.mark.parametrize(("text", "time"), ONE_TIME)
def test_times_of_day(text: str, time: str) -> None:
    parsed = parse_times([text])
    assert parsed is not None
    assert str(parsed.times[0]).removesuffix(".000000") == time


NO_DATES = ["1949", "1949.5", "12", "abc", "", "2020-13-01", "2020-02-30", "1,5", "Foo 2020", "5 %"]


@pytest.mark.parametrize("text", NO_DATES)
def test_other_text_is_no_date(text: str) -> None:
    assert parse_times([text]) is None


def test_the_order_of_day_and_month_is_settled_by_the_column() -> None:
    settled = parse_times(["01/02/2020", "13/02/2020"])
    assert settled is not None
    assert str(settled.times[0])[:10] == "2020-02-01"
    assert settled.notes == ()
    monthly = parse_times(["01/01/2020", "01/02/2020", "01/03/2020"])
    assert monthly is not None
    assert str(monthly.times[2])[:10] == "2020-03-01"
    open_order = parse_times(["01/02/2020", "02/02/2020", "03/04/2020"])
    assert open_order is not None
    assert "month/day/year" in open_order.notes[0]


def test_zones_become_utc_for_times_and_stay_local_for_dates() -> None:
    hourly = parse_times(["2020-01-01T00:00+01:00", "2020-01-01T01:00+01:00"])
    daily = parse_times(["2020-03-29T00:00+01:00", "2020-03-30T00:00+02:00"])
    assert hourly is not None
    assert daily is not None
    assert str(hourly.times[0])[:16] == "2019-12-31T23:00"
    assert hourly.notes == ("The times carry a time zone; they were converted to UTC.",)
    assert daily.times.astype("M8[D]").astype(str).tolist() == ["2020-03-29", "2020-03-30"]


def test_few_unreadable_cells_are_named_many_make_it_text() -> None:
    cells = [f"2020-01-{day:02d}" for day in range(1, 31)]
    parsed = parse_times([*cells, "soon"])
    assert parsed is not None
    assert parsed.bad == (30,)
    assert parse_times([*cells[:5], "soon"]) is None

"""Grids of dates: whole, with gaps, random subsets, and those without a grid."""

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.columns import DataColumn
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar import place, place_numbers
from autostatistician.data.times.calendar_days import CalendarDay, days_of_month, days_of_year
from autostatistician.data.times.placing import LARGEST_POSITION, place_times, positions_of
from autostatistician.errors import InputError

MONTHS = tuple(f"2020-{k + 1:02d}" for k in range(12))
ALL = np.ones(12, dtype=np.bool_)


def test_without_a_column_the_rows_are_counted_also_those_without_a_value() -> None:
    placed, kept = place_times(None, ALL & (np.arange(12) != 3), "calendar")
    assert placed.axis == Axis("row", "", "", 1.0)
    assert placed.x.tolist() == [0.0, 1.0, 2.0, *np.arange(4.0, 12.0)]
    assert kept.sum() == 11


def test_the_grid_is_that_of_all_dates_and_the_positions_those_of_the_usable_rows() -> None:
    usable = ALL & (np.arange(12) % 2 == 0)
    placed, kept = place_times(DataColumn("month", MONTHS), usable, "calendar")
    assert placed.axis.frequency == "month"
    assert placed.axis.gap == pytest.approx(2 / 12)
    np.testing.assert_array_equal(kept, usable)


def test_rows_without_a_time_are_counted_with_an_example() -> None:
    cells = tuple(f"{2000 + k // 12}-{k % 12 + 1:02d}" for k in range(40))
    placed, kept = place_times(DataColumn("t", (*cells[:-2], "soon", "")), np.ones(40, dtype=np.bool_), "calendar")
    assert placed.notes == ("2 rows without a readable time in column 't' left out (such as 'soon' in row 39).",)
    assert kept.sum() == 38


def test_dates_without_a_grid_are_said() -> None:
    days = np.array(["2020-01-01", "2020-01-04", "2021-03-05", "2024-07-30"], dtype="M8[D]")
    placed, _ = place_times(DataColumn("t", days.astype("M8[us]")), np.ones(4, dtype=np.bool_), "calendar")
    assert placed.notes == ("The dates in column 't' follow no regular grid.",)


def test_positions_that_squares_cannot_hold_are_left_out() -> None:
    numbers = np.array([*np.arange(11.0), 10 * LARGEST_POSITION])
    placed, kept = place_times(DataColumn("t", numbers), ALL, "calendar")
    assert (placed.x.size, kept.sum()) == (11, 11)


def test_cells_of_another_kind_are_refused_by_row() -> None:
    with pytest.raises(InputError, match="dates or numbers in column 't'; found 'x' in row 2; write dates as"):
        place_times(DataColumn("t", ("1", "x", "y", *map(str, range(9)))), ALL, "calendar")


@pytest.mark.parametrize(
    ("axis", "cells", "positions"),
    [
        (Axis("t", "year", "month", 1 / 12), ("Jul 2020", "Jan 2021"), [2020.5, 2021.0]),
        (Axis("t", "day", "day", 1.0, "2020-01-01"), ("2020-01-03", "2020-01-01"), [2.0, 0.0]),
        (Axis("t", "", "", 1.0), ("1,234.5", "7"), [1234.5, 7.0]),
        (Axis("t", "year", "year", 1.0, labels="year"), ("1990", "1991.5"), [1990.0, 1991.5]),
    ],
)
def test_new_times_are_read_in_any_way_that_the_axis_understands(
    axis: Axis, cells: tuple[str, ...], positions: list[float]
) -> None:
    assert positions_of(axis, DataColumn("new", cells)).tolist() == positions
    with pytest.raises(InputError, match="times for the axis 't' in every row; found 'soon' in row 3"):
        positions_of(axis, DataColumn("new", (*cells, "soon")))


DAILY = Axis("day", "day", "day", 1.0, "2020-01-01")
BUSINESS = Axis("day", "business day", "business day", 1.0, "2021-01-01")
X = np.arange(1100.0)


def dates(axis: Axis, day: CalendarDay) -> list[datetime.date]:
    return [one.astype("M8[D]").item() for one in np.asarray(axis.times(X[axis.are(day, X)]))]


@pytest.mark.parametrize("date", np.arange("2020-01-01", "2020-12-31", 11, dtype="M8[D]"))
def test_every_date_is_what_it_is_called(date: np.datetime64) -> None:
    assert all(day.are(np.array([date])).all() for day in days_of_year(date))


def test_holidays_that_move_are_weekdays_of_a_month() -> None:
    thanksgiving = dates(DAILY, CalendarDay("weekday", 11, 3, 4))
    assert thanksgiving == [datetime.date(2020, 11, 26), datetime.date(2021, 11, 25), datetime.date(2022, 11, 24)]
    memorial = dates(DAILY, CalendarDay("weekday", 5, 0, -1))
    assert memorial == [datetime.date(2020, 5, 25), datetime.date(2021, 5, 31), datetime.date(2022, 5, 30)]


def test_the_end_of_a_month_is_its_last_day_on_the_axis() -> None:
    assert dates(DAILY, CalendarDay("end", 2))[:2] == [datetime.date(2020, 2, 29), datetime.date(2021, 2, 28)]
    assert dates(BUSINESS, CalendarDay("end"))[:3] == [
        datetime.date(2021, 1, 29), datetime.date(2021, 2, 26), datetime.date(2021, 3, 31)
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "date", "date 13 1 0", "date 1 0 0", "weekday 0 1 7", "end 1 2 0", "dusk 1 1 1"])
def test_a_day_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"the day|unpack|invalid literal"):
        CalendarDay.from_text(text)


@pytest.mark.parametrize(
    "day", [CalendarDay("date", 2, 29), CalendarDay("weekday", 9, 0, 1), CalendarDay("end", 12), *days_of_month()]
)
def test_a_day_comes_back_from_its_text(day: CalendarDay) -> None:
    assert CalendarDay.from_text(day.to_text()) == day


GRIDS = {
    "MS": ("month", "year", 1 / 12),
    "ME": ("month", "year", 1 / 12),
    "BME": ("month", "year", 1 / 12),
    "BMS": ("month", "year", 1 / 12),
    "QS": ("quarter", "year", 0.25),
    "QE": ("quarter", "year", 0.25),
    "6MS": ("half-year", "year", 0.5),
    "YS": ("year", "year", 1.0),
    "YE": ("year", "year", 1.0),
    "10YS": ("10 years", "year", 10.0),
    "W": ("week", "day", 7.0),
    "2W": ("2 weeks", "day", 14.0),
    "D": ("day", "day", 1.0),
    "3D": ("3 days", "day", 3.0),
    "B": ("business day", "business day", 1.0),
    "h": ("hour", "hour", 1.0),
    "6h": ("6 hours", "hour", 6.0),
    "15min": ("15 minutes", "minute", 15.0),
    "min": ("minute", "minute", 1.0),
    "10s": ("10 seconds", "second", 10.0),
    "100ms": ("0.1 seconds", "second", 0.1),
}


def dates_of(frequency: str, periods: int = 60, start: str = "1999-03-17") -> np.ndarray:
    # In microseconds from the first date on: the nanoseconds of older pandas end in 2262.
    first = pd.Timestamp(start).as_unit("us")
    return pd.date_range(first, periods=periods, freq=frequency, unit="us").to_numpy().astype("M8[us]")


@pytest.mark.parametrize(("code", "expected"), GRIDS.items())
def test_grids_are_recognised_and_give_their_dates_back(code: str, expected: tuple[str, str, float]) -> None:
    times = dates_of(code)
    placed = place(times, "t")
    assert (placed.axis.frequency, placed.axis.unit) == expected[:2]
    assert placed.axis.step == pytest.approx(expected[2], abs=1e-12)
    assert np.allclose(np.diff(placed.x), expected[2], rtol=0, atol=1e-9)
    assert np.array_equal(placed.axis.times(placed.x).astype("M8[us]"), times)


@pytest.mark.parametrize("code", ["MS", "ME", "QE", "YE", "W", "D", "B", "h", "15min"])
def test_gaps_and_order_do_not_hide_a_grid(code: str) -> None:
    whole = dates_of(code, 400)
    chosen = np.random.default_rng(0).permutation(400)[:100]
    placed = place(whole[chosen], "t")
    assert placed.axis.frequency == GRIDS[code][0]
    steps = placed.x / placed.axis.step
    assert np.allclose(steps - steps[0], np.round(steps - steps[0]), atol=1e-6)
    assert np.array_equal(placed.axis.times(placed.x).astype("M8[us]"), whole[chosen])


def test_the_same_day_of_every_month_is_a_month_grid() -> None:
    times = np.array([f"2020-{m:02d}-15" for m in range(1, 13)], dtype="M8[us]")
    placed = place(times, "t")
    assert placed.axis.frequency == "month"
    assert placed.axis.day == 15.0
    thirty = np.array(["2021-01-30", "2021-02-28", "2021-03-30"], dtype="M8[us]")
    assert np.array_equal(place(thirty, "t").axis.times(place(thirty, "t").x).astype("M8[us]"), thirty)


def test_daily_data_without_weekends_by_chance_are_still_daily() -> None:
    assert place(np.array(["2024-01-01", "2024-01-03", "2024-01-09"], dtype="M8[us]"), "t").axis.unit == "day"


def test_hours_across_a_change_of_clocks_stay_hours() -> None:
    local = pd.date_range("2020-03-29", periods=48, freq="h").delete(2)  # 02:00 does not exist that night
    placed = place(local.to_numpy(), "t")
    assert placed.axis.frequency == "hour"
    assert placed.x[2] == 3.0


def test_sparse_dates_have_no_grid() -> None:
    times = np.array(["1990-01-04", "2001-05-17", "2002-12-24", "2020-02-02"], dtype="M8[us]")
    placed = place(times, "t")
    assert (placed.axis.frequency, placed.axis.step, placed.axis.unit) == ("", None, "day")


@given(st.lists(st.datetimes(), min_size=1, max_size=12))
def test_any_dates_get_a_place(times: list) -> None:
    values = np.array(times, dtype="M8[s]")
    placed = place(values, "t")
    order = np.argsort(values, kind="stable")
    assert np.all(np.diff(placed.x[order]) >= 0)
    found = placed.axis.times(placed.x).astype("M8[s]")
    assert np.all(np.abs((found - values).astype(int)) <= 1)


def test_numbers_keep_their_values_and_show_their_step() -> None:
    x = np.array([0.1, 0.2, 0.30000000000000004, 0.5, 1.0])
    placed = place_numbers(x, "x")
    assert placed.x.tolist() == x.tolist()
    assert placed.axis.step == 0.1
    assert place_numbers(np.array([0.0, 1.0, 2.7182818]), "x").axis.step is None
    assert place_numbers(np.array([5.0, 5.0]), "x").axis.step is None

"""Grids of dates: whole, with gaps, random subsets, and those without a grid."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.times.calendar import place, place_numbers

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
    if code not in ("BME", "BMS"):
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


def test_working_month_ends_are_said() -> None:
    assert place(dates_of("BME"), "t").notes == ("Dates on the last working day of a month are read as its last day.",)
    assert place(dates_of("ME"), "t").notes == ()


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

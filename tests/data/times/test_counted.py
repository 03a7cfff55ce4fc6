"""Times that came as numbers."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.columns import DataColumn
from autostatistician.data.times.counted import counted_times, may_count_times


def test_unix_times_and_compact_dates_need_a_reason() -> None:
    seconds = 1_600_000_000.0 + 3600 * np.arange(5)
    assert DataColumn("sales", seconds).times is None
    parsed = DataColumn("timestamp", seconds).times
    assert parsed is not None
    assert str(parsed.times[0])[:19] == "2020-09-13T12:26:40"
    compact = DataColumn("t", np.array([20200101.0, 20200102.0, 20200103.0])).times
    assert compact is not None
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
        parsed = column.times
        assert parsed is not None
        hours = [str(time.astype("M8[s]")) for time in parsed.times[:2]]
        assert hours == ["2020-09-13T12:26:40", "2020-09-13T13:26:40"]
        assert unit in parsed.notes[0]


def test_numbers_in_the_range_of_counted_days_stay_numbers_under_another_name() -> None:
    for name in ("time", "sales"):
        assert DataColumn(name, 44_087.0 + np.arange(4.0)).times is None
    assert DataColumn("date", 1990.0 + np.arange(4.0)).times is None


def test_numbers_that_rise_by_whole_minutes_tick_whatever_they_are_called() -> None:
    hours = 1_600_000_000.0 - 1_600_000_000 % 60 + 3600 * np.arange(10.0)
    assert counted_times("sales", hours) is not None
    assert counted_times("sales", hours[::-1]) is None
    assert counted_times("sales", hours + 0.5) is None
    assert counted_times("sales", hours[:7]) is None


def test_a_look_at_the_numbers_is_worth_it_by_name_or_by_length() -> None:
    assert all(may_count_times(name, "x") for name in ("Date", "created_at", "Datum", "ts"))
    assert may_count_times("sales", "1600000000.0")
    assert not any(may_count_times("sales", first) for first in ("", "12345678", "x1600000000", "1.5"))

"""The days behind the steps of an axis, against loops over the calendar."""

import calendar
import os
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.load import load
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.periods import (
    dates_of,
    days_from,
    days_within,
    has_months,
    period_days,
    periods_of,
    unfinished_text,
)


def _written(tmp_path: Path, when: str, freq: str, until: str) -> tuple[str, ...]:
    """What is said of a file of 20 rows up to a date that was written at a time."""
    dates = pd.date_range(end=until, periods=20, freq=freq)
    file = tmp_path / "table.csv"
    pd.DataFrame({"date": dates, "y": np.arange(20.0) ** 1.5}).to_csv(file, index=False)
    seconds = pd.Timestamp(when).timestamp()
    os.utime(file, (seconds, seconds))
    return tuple(text for text in load(file).warnings if "last written" in text)


@pytest.mark.parametrize(
    ("when", "freq", "until", "running"),
    [
        ("2026-11-24 10:00", "MS", "2026-11-01", True),
        ("2026-12-01 00:30", "MS", "2026-11-01", False),
        ("2026-11-24 10:00", "ME", "2026-11-30", True),
        ("2026-12-03 10:00", "ME", "2026-11-30", False),
        ("2026-11-24 10:00", "QS", "2026-10-01", True),
        ("2026-11-24 10:00", "YS", "2026-01-01", True),
        ("2027-02-01 10:00", "YS", "2026-01-01", False),
        ("2026-11-24 10:00", "D", "2026-11-24", True),
        ("2026-11-25 10:00", "D", "2026-11-24", False),
        ("2026-11-21 10:00", "B", "2026-11-20", False),
        ("2026-11-20 10:00", "B", "2026-11-20", True),
        ("2026-11-24 10:30", "h", "2026-11-24 10:00", False),
    ],
)
def test_a_period_that_was_not_over_is_noticed(
    tmp_path: Path, when: str, freq: str, until: str, *, running: bool
) -> None:
    assert bool(_written(tmp_path, when, freq, until)) == running


def test_without_a_file_or_a_calendar_nothing_is_said() -> None:
    data = load({"month": ["2026-09", "2026-10", "2026-11"], "y": [1.0, 2.0, 4.0]})
    assert not [text for text in data.warnings if "last written" in text]
    assert unfinished_text(None, 3.0, 1.0) == ""


def _axis_of(dates: list[str]) -> tuple[Axis, np.ndarray]:
    data = load({"when": dates, "y": np.arange(float(len(dates)))})
    assert data.axis is not None
    return data.axis, data.x


def _days(texts: list[str]) -> np.ndarray:
    return np.array(texts, dtype="M8[D]")


def test_a_month_is_all_its_days_wherever_it_is_dated() -> None:
    for day in (1, 15, 28):
        axis, x = _axis_of([f"2024-{month:02d}-{day:02d}" for month in range(1, 13)])
        first, last = periods_of(axis, x)
        assert first.tolist() == [date(2024, month, 1) for month in range(1, 13)]
        assert last.tolist() == [date(2024, month, calendar.monthrange(2024, month)[1]) for month in range(1, 13)]


@pytest.mark.parametrize(
    ("dates", "first", "last"),
    [
        (["2024-01-01", "2024-04-01", "2024-07-01"], "2024-04-01", "2024-06-30"),
        (["2024-03-31", "2024-06-30", "2024-09-30"], "2024-04-01", "2024-06-30"),
        (["2024-01-01", "2024-01-08", "2024-01-15"], "2024-01-08", "2024-01-14"),  # Mondays begin a week
        (["2024-01-07", "2024-01-14", "2024-01-21"], "2024-01-08", "2024-01-14"),  # Sundays end it
        (["2024-01-05", "2024-01-12", "2024-01-19"], "2024-01-06", "2024-01-12"),  # and so do Fridays
        (["2024-01-03", "2024-01-10", "2024-01-17"], "2024-01-10", "2024-01-16"),
    ],
)
def test_steps_begin_or_end_on_their_date(dates: list[str], first: str, last: str) -> None:
    axis, x = _axis_of(dates)
    starts, ends = periods_of(axis, x)
    assert (str(starts[1]), str(ends[1])) == (first, last)


def test_lengths_of_steps() -> None:
    assert period_days(Axis("t", "hour", "6 hours", 6.0, "2024-01-01")) == 0.25
    assert period_days(Axis("t", "business day", "business day", 1.0, "2024-01-01")) == 0.0
    assert period_days(Axis("t", "day", "", None, "2024-01-01")) == 0.0
    assert period_days(Axis("t", "year", "month", 1 / 12)) > 28
    assert [has_months(Axis("t", "year", "", step / 12)) for step in (1, 2, 3, 6, 12, 24)] == [True] * 4 + [False] * 2
    assert not has_months(Axis("t", "day", "day", 1.0, "2024-01-01"))


def test_hours_have_the_date_of_their_day() -> None:
    axis = Axis("t", "hour", "hour", 1.0, "2024-02-28T22:00")
    assert dates_of(axis, np.arange(5.0)).astype(str).tolist() == ["2024-02-28"] * 2 + ["2024-02-29"] * 3


def test_days_within_steps_are_counted_as_by_hand() -> None:
    days = _days(["2024-01-01", "2024-01-31", "2024-02-01", "2024-03-31"])
    first, last = _days(["2024-01-01", "2024-02-01", "2024-04-01"]), _days(["2024-01-31", "2024-02-29", "2024-04-30"])
    assert days_within(days, first, last).tolist() == [2.0, 1.0, 0.0]


def test_days_from_events_against_a_search_of_all_days() -> None:
    rng = np.random.default_rng(4)
    marks = np.unique(np.sort(rng.choice(300, 18, replace=False)))
    marks = marks[np.concatenate([[True], np.diff(marks) > 4])]
    starts = np.datetime64("2024-01-01") + marks
    ends = starts + rng.integers(0, 3, marks.size)
    dates = np.datetime64("2023-12-20") + np.arange(330)
    measured = days_from(starts, ends, dates, Axis("t", "day", "day", 1.0, "2023-12-20"))
    for day, distance in zip(dates, measured, strict=True):
        spans = list(zip(starts, ends, strict=True))
        ahead = min([int((start - day).astype(int)) for start, _ in spans if start > day], default=10**6)
        behind = min([max(int((day - end).astype(int)), 0) for start, end in spans if start <= day], default=10**6)
        assert distance == (behind if behind < ahead else -ahead)


def test_business_days_count_alone() -> None:
    axis = Axis("t", "business day", "business day", 1.0, "2024-05-01")
    saturday = _days(["2024-05-11"])
    around = _days(["2024-05-09", "2024-05-10", "2024-05-13", "2024-05-14"])
    assert days_from(saturday, saturday, around, axis).tolist() == [-2.0, -1.0, 1.0, 2.0]
    monday = _days(["2024-05-13"])
    assert days_from(monday, monday, around, axis).tolist() == [-2.0, -1.0, 0.0, 1.0]


def test_without_events_all_days_are_far() -> None:
    none, day = _days([]), _days([str(date(2024, 1, 1) + timedelta(days=2))])
    assert days_from(none, none, day, Axis("t", "day", "day", 1.0, "2024-01-01")).tolist() == [np.inf]

"""The axis: dates to positions and back, leap years, the next positions, JSON."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar import place
from autostatistician.data.times.forms import DECIMAL_YEARS, DecimalYears
from autostatistician.errors import InputError

MONTH = Axis("month", "year", "month", 1 / 12, day=1.0)
MIDDLE = Axis("x", "year", "month", 1 / 12, within=0.5, labels="year")
MONTH_END = Axis("month", "year", "month", 1 / 12, within=0.967, day=31.0)
DAILY = Axis("day", "day", "day", 1.0, "2000-02-28")
BUSINESS = Axis("day", "business day", "business day", 1.0, "2024-01-02")
HOURLY = Axis("t", "hour", "hour", 1.0, "2004-11-19T10:30:00")
AXES = (MONTH, MIDDLE, MONTH_END, DAILY, BUSINESS, HOURLY, Axis("t", "minute", "15 minutes", 15.0, "1999-12-31"))


def dates(*texts: str) -> np.ndarray:
    return np.array(texts, dtype="M8[s]")


def grid_positions(axis: Axis, steps: list[int]) -> np.ndarray:
    if axis.unit == "year":
        return (np.array(steps, dtype=float) + 12 * 1950 + axis.within) / 12
    return np.array(steps, dtype=float) * axis.step


@pytest.mark.parametrize("axis", AXES, ids=lambda axis: axis.unit + axis.frequency + str(axis.day))
@given(steps=st.lists(st.integers(-3000, 3000), min_size=1, max_size=20))
def test_positions_undo_times_on_the_grid(axis: Axis, steps: list[int]) -> None:
    x = grid_positions(axis, steps)
    np.testing.assert_allclose(axis.positions(axis.times(x)), x, rtol=0, atol=1e-9)


@pytest.mark.parametrize("axis", AXES, ids=lambda axis: axis.unit + axis.frequency + str(axis.day))
@given(offset=st.floats(-5000, 5000))
def test_positions_undo_times_between_grid_positions(axis: Axis, offset: float) -> None:
    x = np.array([offset * (axis.step or 1.0) + (1950.0 if axis.unit == "year" else 0.0)])
    seconds = {"year": 3.2e7, "day": 86400, "business day": 86400, "hour": 3600, "minute": 60}[axis.unit]
    np.testing.assert_allclose(axis.positions(axis.times(x)), x, rtol=0, atol=2 / seconds)


@given(st.integers(1, 9999), st.integers(1, 12))
def test_months_of_any_year_round_trip(year: int, month: int) -> None:
    text = f"{year:04d}-{month:02d}-01"
    x = MONTH.positions(dates(text))
    assert x[0] == (12 * year + month - 1) / 12
    assert str(MONTH.times(x)[0]) == f"{text}T00:00:00"


def test_leap_days_exist_where_they_should() -> None:
    assert str(DAILY.times(np.array([1.0]))[0])[:10] == "2000-02-29"
    assert str(Axis("d", "day", "day", 1.0, "1900-02-28").times(np.array([1.0]))[0])[:10] == "1900-03-01"
    assert [str(t)[:10] for t in MONTH_END.times((np.arange(1, 4) + 12 * 2024 - 1 + 0.967) / 12)] == [
        "2024-01-31", "2024-02-29", "2024-03-31",
    ]  # fmt: skip


def test_the_middle_of_a_month_is_its_middle() -> None:
    assert str(MIDDLE.times(np.array([1949 + 1.5 / 12]))[0]) == "1949-02-15T00:00:00"


def test_business_days_skip_weekends() -> None:
    friday = BUSINESS.positions(dates("2024-01-05"))[0]
    following = BUSINESS.times(BUSINESS.future(friday, 2))
    assert [str(t)[:10] for t in following] == ["2024-01-08", "2024-01-09"]


def test_future_months_are_exact_years_after_twelve_steps() -> None:
    assert MIDDLE.future(1960 + 11.5 / 12, 12)[-1] == 1961 + 11.5 / 12
    assert str(MONTH_END.times(MONTH_END.future((12 * 2023 + 11 + 0.967) / 12, 2))[1])[:10] == "2024-02-29"


def test_irregular_axes_go_on_in_median_gaps() -> None:
    placed = place(dates("2020-01-01", "2022-05-03", "2022-07-09", "2025-01-01"), "when")
    assert placed.axis.step is None
    assert placed.axis.future(0.0, 2).tolist() == [placed.axis.gap, 2 * placed.axis.gap]


def test_plain_numbers_are_left_alone() -> None:
    axis = Axis("dose", "", "", 0.5)
    x = np.array([0.1, 7.0])
    assert axis.times(x).tolist() == axis.positions(x).tolist() == axis.written(x).tolist() == x.tolist()
    with pytest.raises(InputError, match="numbers for the axis 'dose'"):
        axis.positions(dates("2020-01-01"))
    with pytest.raises(InputError, match="dates for the axis 'month'"):
        MONTH.positions(x)


@pytest.mark.parametrize("axis", AXES, ids=lambda axis: axis.unit + axis.frequency + str(axis.day))
def test_json_round_trip(axis: Axis) -> None:
    assert Axis.from_json(axis.to_json()) == axis


@pytest.mark.parametrize("record", [{}, {"column": "x", "colour": "red"}])
def test_damaged_records_are_refused(record: dict[str, str]) -> None:
    with pytest.raises(InputError, match="the record of an axis"):
        Axis.from_json(record)


@pytest.mark.parametrize("rule", DECIMAL_YEARS)
def test_decimal_years_and_dates_round_trip(rule: DecimalYears) -> None:
    days = np.arange(np.datetime64("1999-01-01"), np.datetime64("2001-12-31")).astype("M8[us]")
    if rule.days == "365":  # the last two days of leap years overlap with the next year
        days = days[~np.isin(days.astype("M8[D]").astype(str), ["2000-12-30", "2000-12-31"])]
    assert np.array_equal(rule.times(rule.written(days)), days)


def test_written_and_read_speak_the_language_of_the_user() -> None:
    axis = Axis("x", "year", "month", 1 / 12, labels="365:1")
    x = np.array([1962.0, 1962 + 1 / 12])
    assert axis.written(x).round(6).tolist() == [1962.00274, 1962.087671]
    assert axis.read(np.array([1962.00274, 1962.087671])).tolist() == x.tolist()
    yearly = Axis("year", "year", "year", 1.0, labels="year")
    assert yearly.written(np.array([1871.0, 1872.0])).tolist() == [1871, 1872]
    assert yearly.written(np.array([1871.0])).dtype.kind == "i"

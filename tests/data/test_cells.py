"""Numbers as people write them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.cells import Column, as_numbers, as_times, is_missing

CASES = [
    (("1", "2.5", "-3e2"), [1.0, 2.5, -300.0]),
    (("1,234.5", "2"), [1234.5, 2.0]),
    (("1.234,5", "2,25"), [1234.5, 2.25]),
    (("1,234", "5,678"), [1234.0, 5678.0]),
    (("1 234,5", "7"), [1234.5, 7.0]),
    (("$1,200", "€5", "7 EUR"), [1200.0, 5.0, 7.0]),
    (("12 %", "7.5%"), [12.0, 7.5]),
    (("\N{MINUS SIGN}5", "(3)"), [-5.0, -3.0]),
    (("yes", "No", "TRUE"), [1.0, 0.0, 1.0]),
    (("1.5D+03",), [1500.0]),
    (("inf", "-Infinity"), [np.inf, -np.inf]),
]


@pytest.mark.parametrize(("cells", "numbers"), CASES)
def test_numbers(cells: tuple[str, ...], numbers: list[float]) -> None:
    read = as_numbers(Column("y", cells))
    assert read.bad == ()
    assert read.values.tolist() == numbers


def test_what_was_taken_off_is_said() -> None:
    notes = as_numbers(Column("y", ("$1,200", "5 %"))).notes
    assert notes == (
        "In column 'y' per cent signs were taken off 1 cell (12 % is read as 12).",
        "In column 'y' currency signs were taken off 1 cell.",
        "In column 'y' separators of thousands were taken off 1 cell.",
    )


PLACEHOLDERS = ["", "  ", "NA", "n/a", "-", "?", "NULL", "missing", "#N/A", "NaN", "\N{EM DASH}", None]


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_placeholders_are_missing(text: str | None) -> None:
    assert is_missing(text)
    assert as_numbers(Column("y", (text, "1"))).missing == 1


def test_text_is_named_by_its_row() -> None:
    assert as_numbers(Column("y", ("1", "oops", "0x1F", "1_000"))).bad == (1, 2, 3)


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_every_float_is_read_back(values: list[float]) -> None:
    assert as_numbers(Column("y", tuple(map(repr, values)))).values.tolist() == values


@given(st.lists(st.text(max_size=12)))
def test_any_text_is_a_number_missing_or_bad(cells: list[str]) -> None:
    read = as_numbers(Column("y", tuple(cells)))
    known = int((~np.isnan(read.values)).sum())
    assert known + read.missing + len(read.bad) == len(cells)


def test_unix_times_and_compact_dates_need_a_reason() -> None:
    seconds = 1_600_000_000.0 + 3600 * np.arange(5)
    assert as_times(Column("sales", seconds)) is None
    parsed = as_times(Column("timestamp", seconds))
    assert parsed is not None
    assert str(parsed.times[0])[:19] == "2020-09-13T12:26:40"
    compact = as_times(Column("t", np.array([20200101.0, 20200102.0, 20200103.0])))
    assert compact is not None
    assert as_times(Column("t", np.array([20200101.0, 20201399.0, 20200103.0]))) is None


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
    for column in (Column(name, values), Column(name, tuple(map(repr, values.tolist())))):
        parsed = as_times(column)
        assert parsed is not None
        hours = [str(time.astype("M8[s]")) for time in parsed.times[:2]]
        assert hours == ["2020-09-13T12:26:40", "2020-09-13T13:26:40"]
        assert unit in parsed.notes[0]


def test_numbers_in_the_range_of_counted_days_stay_numbers_under_another_name() -> None:
    for name in ("time", "sales"):
        assert as_times(Column(name, 44_087.0 + np.arange(4.0))) is None
    assert as_times(Column("date", 1990.0 + np.arange(4.0))) is None


def test_dates_of_a_column_are_read_once() -> None:
    column = Column("Datum", tuple(f"{day}. März 2021" for day in range(1, 29)))
    first = as_times(column)
    assert first is not None
    assert as_times(Column("Datum", column.values)) is first
    with pytest.raises(ValueError, match="read-only"):
        first.times[0] = first.times[1]

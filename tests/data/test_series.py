"""Series from the columns of a table: sorted, copies and unusable rows left out, and all of it said."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.columns import DataColumn, DataTable
from autostatistician.data.dataset import Dataset
from autostatistician.data.roles.assignment import Roles
from autostatistician.data.series import LARGEST_VALUE, series_of
from autostatistician.errors import InputError


def _series(times: list[str] | None, values: list[str], mode: str = "calendar") -> Dataset:
    target = DataColumn("y", tuple(values))
    time = None if times is None else DataColumn("t", tuple(times))
    return series_of(DataTable((target,), "mine", ("Read.",)), Roles(time, target, ("Chosen.",)), mode)  # type: ignore[arg-type]


@given(st.permutations(range(12)))
def test_rows_in_any_order_are_the_same_series(order: list[int]) -> None:
    times, values = [f"2020-{k + 1:02d}" for k in range(12)], [f"{k * k % 7}" for k in range(12)]
    data = _series([times[k] for k in order], [values[k] for k in order])
    assert data.y.tolist() == [float(value) for value in values]
    assert np.allclose(np.diff(data.x), 1 / 12)
    moved = [note for note in data.warnings if "order of time" in note or "turned round" in note]
    assert bool(moved) is (list(order) != sorted(order))


def test_notes_stand_in_the_order_of_the_work() -> None:
    times = [f"20{k // 12 + 10}-{k % 12 + 1:02d}" for k in range(36)]
    data = _series([times[0], "soon", *times[2:]], ["1", "$5", "", *(str(k * k % 7) for k in range(33))])
    assert (data.name, data.n) == ("mine", 34)
    assert [" ".join(note.split()[:6]) for note in data.warnings] == [
        "Read.", "Chosen.", "1 row without a readable time",
        "In column 'y' currency signs were", "1 row without a value in",
    ]  # fmt: skip


def test_dates_without_a_row_are_noted_once() -> None:
    months = [f"2020-{k:02d}" for k in range(1, 13)]
    values = [str(k * k % 7) for k in range(12)]
    gone = [months[k] for k in range(12) if k not in (4, 7)]
    noted = [note for note in _series(gone, values[:10]).warnings if "no value" in note]
    told = "2 dates between the first and the last have no value (the first is 2020-05-01); nothing was filled in."
    assert noted == [told]
    empty = ["" if k in (4, 7) else value for k, value in enumerate(values)]
    assert not [note for note in _series(months, empty).warnings if "no value" in note]  # said already of the rows
    assert not [note for note in _series(months, values).warnings if "no value" in note]


def test_copies_are_left_out_on_a_calendar_and_kept_among_numbers() -> None:
    dates, numbers = ["2020-01", "2020-02", "2020-02", "2020-03"], ["1", "2", "2", "3"]
    assert _series(dates, ["5", "6", "6", "7"]).y.tolist() == [5.0, 6.0, 7.0]
    assert _series(dates, ["5", "6", "8", "7"]).y.tolist() == [5.0, 6.0, 8.0, 7.0]
    assert _series(numbers, ["5", "6", "6", "7"]).y.tolist() == [5.0, 6.0, 6.0, 7.0]


def test_values_beyond_what_squares_can_hold_are_left_out() -> None:
    data = _series(None, ["1", "2", "5", f"{10 * LARGEST_VALUE:g}", "inf", "3"])
    assert data.x.tolist() == [0.0, 1.0, 2.0, 5.0]
    assert "2 rows with an infinite value in column 'y' left out." in data.warnings


def test_far_values_are_moved_and_come_back_by_the_offset() -> None:
    values = [f"{1e9 + k * 1e-4:.4f}" for k in (0, 3, 1, 2)]
    data = _series(None, values)
    assert data.offset == pytest.approx(1e9)
    np.testing.assert_array_equal(data.y + data.offset, [float(value) for value in values])


@pytest.mark.parametrize(
    ("times", "values", "words"),
    [
        (None, ["1", "2"], "at least 3 rows with a time and a value; found 2 of 2"),
        (["5", "5", "5"], ["1", "2", "3"], "at least two different times; found only one; check column 't'"),
        (None, ["1", "2", "x", "y", "z"], r"numbers in column 'y'; found 'x' in row 3 \(3 such cells\)"),
    ],
)
def test_what_makes_no_series_is_said(times: list[str] | None, values: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        _series(times, values)

"""The cells of a time column on the axis of a model."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.columns import DataColumn
from autostatistician.data.times.axes import Axis
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


def test_raw_numbers_stay_and_raw_dates_cannot() -> None:
    years = DataColumn("year", 1990.0 + np.arange(12.0))
    assert place_times(years, ALL, "raw")[0].axis.unit == ""
    assert place_times(years, ALL, "calendar")[0].axis.unit == "year"
    dated = place_times(DataColumn("t", MONTHS), ALL, "raw")[0]
    assert dated.axis.unit == "year"
    assert dated.notes == ("Dates have no raw numbers; they were put on a calendar axis.",)


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

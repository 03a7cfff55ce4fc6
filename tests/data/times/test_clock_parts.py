"""Times that stand in several columns."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.columns import DataColumn
from autostatistician.data.times.clock_parts import combined, with_clock


def _columns(**cells: tuple[str, ...]) -> list[DataColumn]:
    return [DataColumn(name, values) for name, values in cells.items()]


@pytest.mark.parametrize(
    ("cells", "name", "made"),
    [
        ({"Year": ("2020", "2021"), "Month": ("1", "12")}, "Year-Month", ("2020-01", "2021-12")),
        ({"mon": ("Jan", "Dec"), "yr": ("2020", "2021")}, "yr-mon", ("2020-01", "2021-12")),
        ({"jahr": ("2020",), "monat": ("März",), "tag": ("5",)}, "jahr-monat-tag", ("2020-03-05",)),
        ({"year": ("2020", ""), "quarter": ("Q1", "Q4")}, "year-quarter", ("2020Q1", None)),
        ({"year": ("2020", "2020"), "week": ("1", "53")}, "year-week", ("2020-W01", "2020-W53")),
        ({"year": ("2020", "2021"), "month": ("5", "6"), "day": ("x", "y")}, "year-month", ("2020-05", "2021-06")),
    ],
)  # fmt: skip
def test_parts_of_a_date_are_one_column(cells: dict[str, tuple[str, ...]], name: str, made: tuple[str, ...]) -> None:
    found = combined([DataColumn("other", ("1", "2")), *_columns(**cells)])
    assert found is not None
    assert (found[0].name, found[0].values) == (name, made)
    assert "-".join(column.name for column in found[1]) == name


@pytest.mark.parametrize(
    "cells",
    [
        {"year": ("2020", "2021")},
        {"month": ("1", "2")},
        {"year": ("2020.5", "2021"), "month": ("1", "2")},
        {"year": ("2020", "2021"), "month": ("0", "13")},
        {"year": ("2020", "2021"), "quarter": ("1", "5")},
    ],
)
def test_numbers_out_of_bounds_are_no_parts(cells: dict[str, tuple[str, ...]]) -> None:
    assert combined(_columns(**cells)) is None


def test_hours_and_clock_times_are_added_to_days() -> None:
    day = DataColumn("day", ("2020-01-01", "2020-01-02"))
    made, used = with_clock([day, hour := DataColumn("hour", ("7", ""))], [day]) or (day, ())
    assert (made.name, used) == ("day hour", (day, hour))
    assert np.asarray(made.values).astype("M8[h]").astype(str).tolist() == ["2020-01-01T07", "NaT"]
    clock = DataColumn("at", ("14:30", "9:05 pm"))
    made, used = with_clock([day, clock], [day]) or (day, ())
    assert made.times is not None
    assert made.times.times.astype("M8[m]").astype(str).tolist() == ["2020-01-01T14:30", "2020-01-02T21:05"]
    assert used == (day, clock)


def test_days_that_have_a_clock_time_already_are_left_alone() -> None:
    day = DataColumn("day", ("2020-01-01 12:00", "2020-01-02 13:00"))
    assert with_clock([day, DataColumn("hour", ("7", "8"))], [day]) is None
    assert with_clock([day, DataColumn("at", ("14:30", "15:30"))], [day]) is None
    assert with_clock([DataColumn("hour", ("7", "8"))], []) is None

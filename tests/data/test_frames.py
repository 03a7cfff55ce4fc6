"""Columns of frames, series and arrays of any library."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from autostatistician.data.columns import DataColumn
from autostatistician.data.frames import column_from_array, columns_of, frame_of
from autostatistician.data.load import load
from autostatistician.data.roles.keys import LongTableError
from autostatistician.errors import InputError

DAYS = [date(2020, 1, 1), None, date(2020, 1, 3)]


def _shown(column: DataColumn) -> list[str]:
    return [str(value) for value in (column.values if isinstance(column.values, tuple) else column.values.tolist())]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize(
    ("cells", "kind", "shown"),
    [
        ([1, 2, 3], "f", ["1.0", "2.0", "3.0"]),
        ([1.5, None, 3.0], "f", ["1.5", "nan", "3.0"]),
        (["a", None, "7"], "", ["a", "None", "7"]),
        ([Decimal("1.5"), Decimal(2), None], "f", ["1.5", "2.0", "nan"]),
        (DAYS, "M", ["2020-01-01 00:00:00", "None", "2020-01-03 00:00:00"]),
        ([datetime(2020, 1, 1, 12), None], "M", ["2020-01-01 12:00:00", "None"]),
    ],
    ids=["integers", "floats", "text", "decimals", "dates", "times"],
)
def test_columns_have_one_of_three_kinds(library: Any, cells: list[Any], kind: str, shown: list[str]) -> None:
    (column,) = columns_of(library({"c": cells}))
    assert column.name == "c"
    assert ("" if isinstance(column.values, tuple) else column.values.dtype.kind) == kind
    assert _shown(column) == shown


def test_truth_values_and_stated_categories_have_levels() -> None:
    stated = pd.Categorical(["s", "l"], categories=["s", "m", "l"])
    frame = pd.DataFrame({"sure": [True, False], "size": stated})
    assert [column.levels for column in columns_of(frame)] == [("False", "True"), ("s", "m", "l")]
    order = pl.Series(["s", "l"], dtype=pl.Enum(["s", "m", "l"])).to_frame("size")
    assert columns_of(order)[0].levels == ("s", "m", "l")
    met = pl.Series(["s", "l"], dtype=pl.Categorical).to_frame("size")
    assert list(columns_of(met)[0].levels) == sorted(columns_of(met)[0].levels)


@pytest.mark.parametrize(
    ("index", "name"),
    [
        (pd.date_range("2020-01-01", periods=3), "time"),
        (pd.period_range("2020-01", periods=3, freq="M"), "time"),
        (pd.Index([1.0, 2.0, 5.0], name="depth"), "depth"),
        (pd.Index([1990, 1991, 1992]), "time"),
        (pd.Index(["2020-01", "2020-02", "2020-03"]), "time"),
        (pd.RangeIndex(3), None),
        (pd.Index([5, 9, 2]), None),
    ],
)
def test_an_index_is_a_column_where_it_says_something(index: pd.Index, name: str | None) -> None:
    frame = pd.DataFrame({"y": [1.0, 2.0, 4.0]}, index=index)
    expected = ["y"] if name is None else [name, "y"]
    assert [column.name for column in columns_of(frame)] == expected
    assert [column.name for column in columns_of(frame, index=False)] == ["y"]


@pytest.mark.parametrize("names", [("shop", "month"), (None, None)])
def test_each_level_of_an_index_is_a_column_so_several_series_are_seen(names: tuple[str | None, ...]) -> None:
    months = pd.date_range("2020-01-01", periods=12, freq="MS")
    shops = pd.MultiIndex.from_product([["A", "B"], months], names=names)
    sales = pd.Series(np.arange(24.0) % 7, index=shops, name="sales")
    shop, month = (name or f"level_{level}" for level, name in enumerate(names))
    assert [column.name for column in columns_of(sales)] == [shop, month, "sales"]
    with pytest.raises(
        LongTableError, match=rf"times in '{month}' that repeat, where '{shop}' looks like a key .*fit_panel"
    ):
        load(sales)
    assert load(sales, where={shop: "B"}).n == 12


def test_durations_are_seconds_and_that_is_said() -> None:
    (column,) = columns_of(pd.DataFrame({"t": pd.to_timedelta([1, 90], unit="s")}))
    assert _shown(column) == ["1.0", "90.0"]
    assert column.notes == ("Column 't' holds durations; they were read as seconds.",)


def test_days_of_a_zone_stay_days_and_hours_become_utc() -> None:
    days = pd.DataFrame({"t": pd.date_range("2020-03-28", periods=3, tz="Europe/Berlin")})
    hours = pd.DataFrame({"t": pd.date_range("2020-03-28 12:00", periods=3, freq="h", tz="Europe/Berlin")})
    assert _shown(columns_of(days)[0])[0] == "2020-03-28 00:00:00"
    assert _shown(columns_of(hours)[0])[0] == "2020-03-28 11:00:00"


def test_what_is_no_frame_is_none_and_has_no_columns() -> None:
    assert frame_of([1, 2]) is None
    assert frame_of(pl.DataFrame({"a": [1]}).lazy()) is not None
    with pytest.raises(InputError, match="a table; found a list"):
        columns_of([1, 2])


@pytest.mark.parametrize("values", [np.array([1j]), np.array([1], dtype="m8[s]"), np.zeros(2, dtype="V3")])
def test_arrays_of_other_things_are_refused(values: Any) -> None:
    with pytest.raises(InputError, match=r"numbers or dates in column 'c'; found values of type"):
        column_from_array("c", values)


def test_integers_without_end_are_infinite() -> None:
    assert _shown(column_from_array("c", np.array([10**400, -(10**400), 3], dtype=object))) == ["inf", "-inf", "3.0"]


def test_the_frame_of_the_caller_is_not_shared() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0]})
    values = columns_of(frame)[0].values
    assert not np.shares_memory(np.asarray(values), frame["a"].to_numpy())

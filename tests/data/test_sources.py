"""Whatever users hand over becomes one table with names, and perhaps a target that is known."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.sources import Source, read_source
from autostatistician.errors import InputError

CELLS = {"a": [1.0, 2.0, 4.0], "b": [3.0, 1.0, 2.0]}
NUMBERS = np.array([CELLS["a"], CELLS["b"]]).T


def _source(data: Any, y: Any = None, target: str | None = None) -> tuple[list[str], str | None]:
    source = read_source(data, y, target)
    assert isinstance(source, Source)
    return [column.name for column in source.table.columns], source.target


@pytest.mark.parametrize(
    ("data", "names", "target"),
    [
        (CELLS, ["a", "b"], None),
        ([{"a": 1, "b": 2}, {"a": 2, "b": 5}], ["a", "b"], None),
        (pd.DataFrame(CELLS), ["a", "b"], None),
        (pl.DataFrame(CELLS).lazy(), ["a", "b"], None),
        (io.StringIO("a,b\n1,3\n2,1\n"), ["a", "b"], None),
        (pd.Series([1.0, 2.0, 4.0]), ["y"], "y"),
        (pd.Series([1.0, 2.0], index=pd.date_range("2020", periods=2), name="v"), ["time", "v"], "v"),
        (NUMBERS, ["x", "y"], None),
        (NUMBERS[:, 0], ["y"], None),
        (np.column_stack([NUMBERS, NUMBERS]), ["column1", "column2", "column3", "column4"], None),
    ],
)
def test_names_and_targets_that_are_known(data: Any, names: list[str], target: str | None) -> None:
    assert _source(data) == (names, target)


def test_values_that_come_apart_are_the_target() -> None:
    assert _source(NUMBERS[:, 0], NUMBERS[:, 1]) == (["x", "y"], "y")
    assert _source({"a": [1.0, 2.0]}, pd.Series([3.0, 4.0], name="a")) == (["a", "a (values)"], "a (values)")
    assert _source({"a": [1.0, 2.0]}, [3.0, 4.0], "sales") == (["a", "sales"], "sales")
    assert _source(pd.DataFrame(CELLS), "b") == (["a", "b"], None)


def test_several_columns_of_numbers_or_categories_beside_values_are_a_table_at_once() -> None:
    for data in (NUMBERS, pd.DataFrame(CELLS), pd.DataFrame(CELLS).assign(c=list("xyx"))):
        table = read_source(data, [5.0, 6.0, 8.0], None)
        assert isinstance(table, Dataset)
        assert table.kind is Kind.TABLE
        assert table.y.tolist() == [5.0, 6.0, 8.0]
    dated = pd.DataFrame(CELLS).assign(t=pd.date_range("2020", periods=3))
    assert isinstance(read_source(dated, [5.0, 6.0, 8.0], None), Source)


@pytest.mark.parametrize(
    ("data", "y", "words"),
    [
        ({"a": [1], "b": [1, 2]}, None, "columns of equal length"),
        ([[1.0], [1.0, 2.0]], None, "found rows of different length"),
        (5, None, r"an array of shape \(\)"),
        (NUMBERS, np.ones((3, 2)), r"y of shape \(n,\); found the shape \(3, 2\); .* MultiOutputGPRegressor"),
        (NUMBERS[:, 0], [1.0], "inputs and values of the same length; found 3 and 1 rows"),
        ("airlinex", None, "found the name 'airlinex'; did you mean 'airline'"),
    ],
)
def test_what_is_no_table_is_said_in_one_line(data: Any, y: Any, words: str) -> None:
    with pytest.raises(InputError, match=words) as refused:
        read_source(data, y, None)
    assert "\n" not in str(refused.value)

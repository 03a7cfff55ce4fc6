"""Tables without a target: which columns and rows are taken, and what is said of the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.measurements import read_table
from autostatistician.errors import InputError

FRAME = pd.DataFrame(
    {
        "id": range(1, 9),
        "kind": list("aabbccdd"),
        "when": pd.date_range("2020-01-01", periods=8),
        "mass": [1.0, 2.0, np.nan, 4.0, 2.5, 3.0, 1.5, 2.0],
        "same": 7.0,
        "size": [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0],
    }
)


def test_columns_of_numbers_and_whole_rows_are_taken_and_the_rest_is_said(tmp_path: Path) -> None:
    path = tmp_path / "stars.csv"
    FRAME.assign(nothing="").to_csv(path, index=False)
    found = read_table(str(path))
    assert found.columns == ("mass", "size")
    assert found.numbers.tolist() == [1, 2, 4, 5, 6, 7, 8]
    assert found.name == "stars"
    assert found.rows[2].tolist() == [4.0, 1.0]
    assert found.notes == (
        "Column 'id' is left out: it counts the rows.",
        "Column 'kind' is left out: it holds text.",
        "Column 'when' is left out: it holds dates.",
        "Column 'same' is left out: it never varies.",
        "Column 'nothing' is left out: it is empty.",
        "1 row with empty cells left out.",
    )


def test_rows_with_cells_that_are_no_numbers_are_not_said_to_have_empty_ones() -> None:
    cells = ["1.5", *[str(0.5 * one**2) for one in range(25)]]
    for odd in ("many", "inf"):
        found = read_table({"size": [*cells, odd]})
        assert found.numbers.tolist() == list(range(1, 27))
        assert found.notes[-1] == "1 row with empty, unreadable or infinite cells left out."


def test_named_columns_are_taken_as_they_are() -> None:
    found = read_table(FRAME, ["size", "id"])
    assert found.columns == ("size", "id")
    assert found.notes == ()
    assert read_table(FRAME[["size"]].to_numpy()).rows.shape == (8, 1)


@pytest.mark.parametrize(
    ("table", "columns", "message"),
    [
        (FRAME, ["kind"], "numbers in column 'kind'; found that it holds text"),
        (FRAME, ["masss"], "a column 'masss' for the clusters; found .*; did you mean 'mass'"),
        (FRAME, ["same", "size"], "columns that vary; found one value alone in 'same'"),
        (FRAME[["kind"]], None, "a column of numbers that vary; found none among 'kind'"),
        (FRAME.iloc[:3], None, "at least 5 whole rows; found 2"),
        (pd.DataFrame({"x": np.arange(2500.0) ** 2}), None, "at most 2000 rows; found 2500"),
    ],
)
def test_what_cannot_be_used_is_refused(table: Any, columns: list[str] | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_table(table, columns)

"""What a data set is: its kind, its axis, and its record."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset, Kind, from_arrays
from autostatistician.data.load import load
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError

ROWS = np.arange(6.0)


def _of_kind(kind: Kind) -> Dataset:
    return from_arrays(ROWS, ROWS % 2) if kind is Kind.SERIES else from_arrays(np.column_stack([ROWS, ROWS**2]), ROWS)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (from_arrays(ROWS, ROWS % 2), Kind.SERIES),
        (from_arrays(ROWS[:, None], ROWS % 2, ("depth",)), Kind.SERIES),
        (load("nile"), Kind.SERIES),
        (load({"x": [3.0, 1.0, 2.0, 5.0], "y": [1.0, 2.0, 0.5, 4.0]}, inputs=["x"]), Kind.SERIES),
        (from_arrays(np.column_stack([ROWS, ROWS**2]), ROWS), Kind.TABLE),
        (from_arrays(ROWS % 2, ROWS, ("shop",), levels={"shop": ("A", "B")}), Kind.TABLE),
        (load({"shop": list("ABAB"), "y": [1.0, 2.0, 1.5, 2.5]}, inputs=["shop"]), Kind.TABLE),
    ],
    ids=["array", "column", "dates", "curve", "columns", "categories", "one input of categories"],
)
def test_one_column_without_categories_is_a_series_and_has_an_axis_all_else_is_a_table_without(
    data: Dataset, kind: Kind
) -> None:
    assert data.kind is kind
    assert (data.axis is not None) is (kind is Kind.SERIES)


@pytest.mark.parametrize("kind", Kind)
def test_the_kind_is_that_of_the_columns_whatever_is_replaced(kind: Kind) -> None:
    data, other = _of_kind(kind), _of_kind(next(one for one in Kind if one is not kind))
    assert Dataset.from_json(data.to_json()).kind is kind
    assert replace(data, y=data.y + 1.0).kind is kind
    assert replace(data, X=other.X, columns=other.columns, axis=None).kind is other.kind


def test_a_table_is_given_no_axis() -> None:
    table = _of_kind(Kind.TABLE)
    axis = Axis("x1", "", "", 1.0)
    with pytest.raises(AssertionError, match="no axis"):
        replace(table, axis=axis)
    with pytest.raises(InputError, match="an axis beside several inputs"):
        Dataset.from_json(table.to_json() | {"axis": axis.to_json()})


def test_a_record_keeps_every_bit_and_all_that_is_rarely_there() -> None:
    codes = np.array([0.0, 1.0, 1.0, 0.0, 1.0, 0.0])
    table = from_arrays(codes, np.array([0.1, 1 / 3, np.pi, 1e-300, -7.0, 2.0]), ("shop",), levels={"shop": ("A", "B")})
    kept = replace(table, choice="This was read as a table.", warnings=("One.", "Two."))
    again = Dataset.from_json(kept.to_json())
    assert (again.X.tobytes(), again.y.tobytes()) == (kept.X.tobytes(), kept.y.tobytes())
    assert again.to_json() == kept.to_json()


def test_arrays_of_the_caller_are_not_shared_and_cannot_be_written() -> None:
    mine = ROWS[:, None].copy()
    data = Dataset(mine, ROWS, ("x",), "y", None)
    mine[0] = 99.0
    assert data.x[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        data.X[0] = 1.0


def test_only_rows_in_order_have_a_next_one() -> None:
    curve = load({"x": [3.0, 1.0, 2.0, 5.0], "y": [1.0, 2.0, 0.5, 4.0]}, inputs=["x"])
    assert (curve.kind, curve.shuffled, curve.is_ordered) == (Kind.SERIES, True, False)
    assert _of_kind(Kind.SERIES).is_ordered
    assert not _of_kind(Kind.TABLE).is_ordered

"""What a data set is: its kind, its axis, and its record."""

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.columns import DataColumn, DataTable
from autostatistician.data.dataset import Dataset, Kind, from_arrays, of_rows, table_of
from autostatistician.data.load import LARGEST_VALUE, load, series_of
from autostatistician.data.roles.assignment import Roles
from autostatistician.data.sources import read_source
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError

CELLS = {"a": [1.0, 2.0, 4.0], "b": [3.0, 1.0, 2.0]}
NUMBERS = np.array([CELLS["a"], CELLS["b"]]).T


def _source(data: Any, y: Any = None, target: str | None = None) -> tuple[list[str], str | None]:
    source = read_source(data, y, target)
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
        table = load(data, [5.0, 6.0, 8.0])
        assert table.kind is Kind.TABLE
        assert table.y.tolist() == [5.0, 6.0, 8.0]
    dated = pd.DataFrame(CELLS).assign(t=pd.date_range("2020", periods=3))
    assert not read_source(dated, [5.0, 6.0, 8.0]).inputs


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


def test_values_beyond_what_squares_can_hold_are_left_out() -> None:
    data = _series(None, ["1", "2", "5", f"{10 * LARGEST_VALUE:g}", "inf", "3"])
    assert data.x.tolist() == [0.0, 1.0, 2.0, 5.0]
    assert "2 rows with an infinite value in column 'y' left out." in data.warnings


def test_far_values_are_moved_and_come_back_by_the_offset() -> None:
    values = [f"{1e9 + k * 1e-4:.4f}" for k in (0, 3, 1, 2)]
    data = _series(None, values)
    assert data.offset == pytest.approx(1e9)
    assert "was subtracted" in data.warnings[-1]
    np.testing.assert_array_equal(data.y + data.offset, [float(value) for value in values])


PRICE = DataColumn("price", ("5", "6", "8", "9", "4"))
SIZE = DataColumn("size", ("1", "2", "3", "5", "4"))
COLOUR = DataColumn("colour", ("red", "blue", "n/a", "red", " blue"))


def test_rows_with_an_empty_cell_are_kept_and_codes_are_places_in_the_levels() -> None:
    data = table_of([SIZE, COLOUR], PRICE, name="mine", notes=("Read.",))
    assert (data.kind, data.name, data.target, data.axis) == (Kind.TABLE, "mine", "price", None)
    assert data.levels == {"colour": ("blue", "red", "missing")}
    assert data.X.tolist() == [[1.0, 1.0], [2.0, 0.0], [3.0, 2.0], [5.0, 1.0], [4.0, 0.0]]
    assert data.y.tolist() == [5.0, 6.0, 8.0, 9.0, 4.0]
    assert data.warnings[0] == "Read."
    assert data.warnings[1].startswith("1 row with empty cells is kept: 1 in 'colour'.")


def test_a_few_cells_that_are_no_numbers_count_as_empty() -> None:
    cells = [str(k * k % 17) for k in range(40)]
    data = table_of(
        [DataColumn("x", ("oops", *cells[1:])), DataColumn("z", tuple(reversed(cells)))], DataColumn("y", tuple(cells))
    )
    assert (data.n, data.incomplete) == (40, ("x",))
    assert data.X[1:, 0].min() <= data.X[0, 0] <= data.X[1:, 0].max()
    assert not data.levels


def test_dates_explain_nothing_and_are_refused() -> None:
    days, numbers = np.array(["2020-01-01"] * 4, dtype="M8[us]"), np.arange(4.0)
    with pytest.raises(InputError, match=r"numbers in column 'w'; found '2020-01-01\S* in row 1 \(4 such cells\)"):
        table_of([DataColumn("w", days), DataColumn("v", numbers)], DataColumn("y", numbers))


def test_remarks_on_the_target_come_with_it() -> None:
    data = table_of([SIZE, COLOUR], DataColumn("y", ("1", "-999", "2", "3", "2")))
    assert any("-999 stands in 1 row of column 'y'" in one for one in data.warnings)


def test_without_inputs_there_is_nothing_to_explain_with() -> None:
    with pytest.raises(InputError, match="columns to explain the target with; found none"):
        table_of([], PRICE)


def test_none_is_a_category_among_words_and_nothing_among_numbers() -> None:
    promo = DataColumn("promo", ("none", "tv", "none", "flyer", "tv"))
    data = table_of([promo, DataColumn("size", ("1", "2", "none", "3", "5"))], PRICE)
    assert data.levels == {"promo": ("flyer", "none", "tv")}
    assert data.X[2, 1] == 2.75


def test_rows_keep_their_numbers_where_others_are_left_out() -> None:
    data = table_of([SIZE, COLOUR], DataColumn("price", ("5", "6", "", "9", "4")))
    assert data.rows == (1, 2, 4, 5)
    assert of_rows(data, np.array([2, 0])).rows == (4, 1)
    assert Dataset.from_json(data.to_json()).rows == data.rows
    assert table_of([SIZE], PRICE).rows == ()


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
    with pytest.raises(ValueError, match="an axis beside several inputs"):
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
    assert "levels" not in _of_kind(Kind.TABLE).to_json()


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


def test_copies_of_rows_are_no_further_evidence() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)).round(2), rng.normal(size=40).round(2)
    again = rng.integers(0, 40, 120)
    data = from_arrays(np.vstack([X, X[again]]), np.concatenate([y, y[again]]))
    assert data.n == 40
    assert any("120 rows left out: they repeat other rows" in warning for warning in data.warnings)
    grades = rng.integers(0, 3, (300, 3)).astype(float)  # rows of few values agree by accident
    assert from_arrays(grades[:, :2], grades[:, 2]).n == 300

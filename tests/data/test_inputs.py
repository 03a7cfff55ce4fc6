"""The one reader: every estimator reads a table alike, and what was fitted can be predicted from."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator

from autostatistician.data.columns import DataColumn
from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.frames import column_from_array, columns_of, frame_of
from autostatistician.data.inputs import InputColumns, new_inputs, new_positions, read_dataset, read_inputs, read_target
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
    assert columns_of([1, 2]) == ()


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


N = 12
Y = np.arange(N) % 5 + 0.5
NUMBERS = pd.DataFrame({"size": np.arange(N) * 1.5, "age": np.arange(N) % 4 + 1.0})
MIXED = NUMBERS.assign(colour=["red", "blue", "green"] * 4)

WRITTEN = pd.DataFrame(
    {"size": [f"{1000 + 7 * k * k % 50:,}" for k in range(N)], "share": [f"{3 * k % 7}.5 %" for k in range(N)]}
)

FRAMES: dict[str, Any] = {
    "numbers": NUMBERS,
    "mixed": MIXED,
    "numbers as people write them": WRITTEN,
    "stated categories": MIXED.assign(colour=pd.Categorical(MIXED["colour"], categories=["red", "green", "blue"])),
    "truth values": NUMBERS.assign(sold=[True, False, True] * 4),
    "polars": pl.DataFrame(MIXED.to_dict("list")),
    "array": NUMBERS.to_numpy(),
    "list": NUMBERS.to_numpy().tolist(),
    "integers": np.arange(2 * N).reshape(N, 2) ** 2,
}


@pytest.mark.parametrize("name", FRAMES)
def test_all_estimators_read_a_table_alike(name: str) -> None:
    data = read_dataset(BaseEstimator(), FRAMES[name], Y)
    rows, inputs = read_inputs(BaseEstimator(), FRAMES[name])
    assert data.kind is Kind.TABLE
    np.testing.assert_array_equal(data.X, rows)
    np.testing.assert_array_equal(data.y, read_target(BaseEstimator(), Y, rows))
    assert (data.columns, dict(data.levels)) == (inputs.columns, inputs.levels)
    assert inputs.measured == tuple(column for column in data.columns if column not in data.levels)


@pytest.mark.parametrize("name", FRAMES)
def test_the_rows_of_a_fit_are_the_same_rows_when_they_come_again(name: str) -> None:
    searching, plain = BaseEstimator(), BaseEstimator()
    data = read_dataset(searching, FRAMES[name], Y)
    rows, inputs = read_inputs(plain, FRAMES[name])
    np.testing.assert_array_equal(new_positions(searching, data, FRAMES[name], "error"), data.X)
    np.testing.assert_array_equal(new_inputs(plain, FRAMES[name], inputs, "error"), rows)


@pytest.mark.parametrize("unseen", ["error", "new"])
def test_categories_without_names_are_taken_by_their_order(unseen: str) -> None:
    searching, plain = BaseEstimator(), BaseEstimator()
    data = read_dataset(searching, MIXED, Y)
    _, inputs = read_inputs(plain, MIXED)
    cells = np.array([[3.0, 1.0, "green"]], dtype=object)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert new_positions(searching, data, cells, unseen).tolist() == [[3.0, 1.0, 1.0]]
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert new_inputs(plain, cells, inputs, unseen).tolist() == [[3.0, 1.0, 1.0]]


def test_of_a_file_the_columns_are_known_by_name() -> None:
    estimator = BaseEstimator()
    data = load(MIXED.assign(price=Y).sort_values("colour"), target="price")
    estimator.n_features_in_ = len(data.columns)
    assert data.columns == ("size", "age", "colour")
    turned = MIXED[["colour", "age", "size"]]
    assert new_positions(estimator, data, turned[:1], "error").tolist() == [[0.0, 1.0, 2.0]]
    with pytest.raises(InputError, match="'purple' in row 1"):
        new_positions(estimator, data, turned[:1].assign(colour="purple"), "error")
    assert new_positions(estimator, data, turned[:1].assign(colour="purple"), "new")[0, 2] == 3.0


def test_positions_are_those_of_the_axis() -> None:
    estimator = BaseEstimator()
    data = read_dataset(
        estimator, pd.Series(np.arange(24.0), index=pd.date_range("2020-01-01", periods=24, freq="MS")), None
    )
    estimator.n_features_in_ = 1
    assert data.kind is Kind.SERIES
    for new in (["2020-07"], pd.DatetimeIndex(["2020-07-01"]), pd.DataFrame({"time": ["July 2020"]})):
        assert new_positions(estimator, data, new, "error").tolist() == [[2020.5]]
    assert new_positions(estimator, data, data, "error") is data.X
    years = load({"year": [1990.0, 1991.0, 1992.0, 1993.0], "y": [1.0, 5.0, 2.0, 4.0]})
    assert new_positions(estimator, years, [[1994.0]], "error").tolist() == [[1994.0]]


@pytest.mark.parametrize(
    "times",
    [np.arange(12.0), list(range(12)), pd.Series(np.arange(12), name="hour"), pl.Series("hour", list(range(12)))],
    ids=["array", "list", "pandas", "polars"],
)
def test_one_dimension_in_order_is_a_column_of_times(times: Any) -> None:
    searching = BaseEstimator()
    data = read_dataset(searching, times, Y)
    assert data.x.tolist() == list(range(N))
    assert new_positions(searching, data, times[:3], "error").tolist() == [[0.0], [1.0], [2.0]]
    with pytest.raises(ValueError, match="Expected 2D array"):  # as scikit-learn has it
        read_dataset(searching, np.arange(N) % 5 * 1.0, Y)


def test_masked_targets_are_left_out_and_counted() -> None:
    y = np.ma.masked_array(Y, mask=np.arange(N) == 3)
    data = read_dataset(BaseEstimator(), NUMBERS, y)
    assert data.n == N - 1
    assert data.warnings == ("1 row with a masked target left out.",)


def test_a_data_set_is_taken_as_it_is() -> None:
    data = Dataset(NUMBERS.to_numpy(), Y, ("size", "age"), "price", None)
    assert read_dataset(BaseEstimator(), data, None) is data


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        (NUMBERS.to_numpy(), None, "requires y to be passed"),
        (
            NUMBERS.assign(age=np.where(np.arange(N) == 1, np.inf, 1.0)),
            Y,
            "numbers in column 'age' of every row; found infinity",
        ),
        (NUMBERS, np.where(np.arange(N) == 1, np.nan, 1.0), "a number as target of every row; found NaN in row 2"),
        (np.broadcast_to(0.0, (1_000_001, 2)), np.broadcast_to(0.0, 1_000_001), "at most 1000000 rows; found 1000001"),
    ],
    ids=["no target", "infinity", "a hole in the target", "very many rows"],
)
def test_what_cannot_be_fitted_is_said(X: Any, y: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_dataset(BaseEstimator(), X, y)


def test_wishes_for_new_categories_are_two() -> None:
    with pytest.raises(InputError, match="unseen='error' or unseen='new'; found 'maybe'"):
        new_inputs(BaseEstimator(), NUMBERS, InputColumns(("size", "age"), {}), "maybe")

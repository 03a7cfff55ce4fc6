"""The one reader: every estimator reads a table alike, and what was fitted can be predicted from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.inputs import InputColumns, new_inputs, new_positions, read_dataset, read_inputs, read_target
from autostatistician.data.load import load
from autostatistician.errors import InputError

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
            NUMBERS.assign(age=np.where(np.arange(N) == 1, np.nan, 1.0)),
            Y,
            "numbers in column 'age' of every row; found NaN",
        ),
        (NUMBERS, np.where(np.arange(N) == 1, np.nan, 1.0), "a number as target of every row; found NaN in row 2"),
        (np.broadcast_to(0.0, (1_000_001, 2)), np.broadcast_to(0.0, 1_000_001), "at most 1000000 rows; found 1000001"),
    ],
    ids=["no target", "a hole", "a hole in the target", "very many rows"],
)
def test_what_cannot_be_fitted_is_said(X: Any, y: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_dataset(BaseEstimator(), X, y)


def test_wishes_for_new_categories_are_two() -> None:
    with pytest.raises(InputError, match="unseen='error' or unseen='new'; found 'maybe'"):
        new_inputs(BaseEstimator(), NUMBERS, InputColumns(("size", "age"), {}), "maybe")

"""New inputs as the caller has them, on the axis or among the columns of the data."""

from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.data.new_rows import has_dates, inputs_of, model_positions
from autostatistician.errors import InputError

DAYS = pd.date_range("2020-01-01", periods=24, freq="MS")
MONTHS = load(pd.DataFrame({"month": DAYS, "sales": np.arange(24.0)}))
NUMBERS = load(pd.DataFrame({"depth": np.arange(9.0) ** 2, "heat": np.arange(9.0)}), time="depth", target="heat")
ASKED = DAYS[[3, 1]]

DATED: dict[str, Any] = {
    "index": ASKED,
    "periods": ASKED.to_period("M"),
    "series": pd.Series(ASKED),
    "series over dates": pd.Series([1.0, 2.0], index=ASKED),
    "frame": pd.DataFrame({"month": ASKED}),
    "frame with more": pd.DataFrame({"other": DAYS[:2], "month": ASKED, "z": [1, 2]}),
    "frame of another name": pd.DataFrame({"z": [1.0, 2.0], "when": ASKED}),
    "array": ASKED.to_numpy(),
    "array of months": np.array(["2020-04", "2020-02"], dtype="M8[M]"),
    "column": ASKED.to_numpy()[:, None],
    "texts": ["2020-04-01", "2020-02-01"],
    "text frame": pd.DataFrame({"month": ["2020-04", "2020-02"]}),
    "dates": [date(2020, 4, 1), date(2020, 2, 1)],
    "polars series": pl.Series("month", ASKED.to_numpy()),
    "polars frame": pl.DataFrame({"month": ASKED.to_numpy(), "z": [1, 2]}),
}


@pytest.mark.parametrize("case", sorted(DATED))
def test_dates_in_any_form_have_their_positions(case: str) -> None:
    assert has_dates(DATED[case])
    np.testing.assert_allclose(model_positions(MONTHS, DATED[case]), [2020.25, 2020.0 + 1.0 / 12.0])


@pytest.mark.parametrize("one", ["2020-04-01", pd.Timestamp("2020-04-01"), np.datetime64("2020-04"), date(2020, 4, 1)])
def test_a_single_date(one: Any) -> None:
    assert has_dates(one)
    np.testing.assert_allclose(model_positions(MONTHS, one), [2020.25])


@pytest.mark.parametrize(
    "X", [np.zeros((3, 1)), [[1.0], [2.0]], [1.0, 2.0], pd.DataFrame({"a": [1.0]}), pd.DataFrame(np.zeros((2, 2))), 3.0]
)
def test_numbers_are_no_dates(X: Any) -> None:
    assert not has_dates(X)


def test_numbers_keep_their_positions() -> None:
    assert model_positions(NUMBERS, [4.5, 100.0]).tolist() == [4.5, 100.0]
    assert model_positions(NUMBERS, pd.DataFrame({"heat": [1.0], "depth": [4.5]})).tolist() == [4.5]


@pytest.mark.parametrize(
    ("dataset", "times", "found"),
    [
        (MONTHS, ["2020-04-01", "soon"], "'soon' in row 2"),
        (MONTHS, ["2020-04-01", None], "in row 2"),
        (MONTHS, [1.0, 2.0], "numbers"),
        (MONTHS, pd.DataFrame({"a": [1.0], "b": [2.0]}), r"the columns \['a', 'b'\]"),
        (MONTHS, np.zeros((2, 3)), "the columns"),
        (NUMBERS, ASKED, "'depth'"),
    ],
)
def test_what_is_no_time_is_said(dataset: Dataset, times: Any, found: str) -> None:
    with pytest.raises(InputError, match=found):
        model_positions(dataset, times)


def test_inputs_are_taken_by_name() -> None:
    data = from_arrays(np.arange(6.0).reshape(3, 2), np.arange(3.0), ("a", "b"))
    frame = pd.DataFrame({"b": [1, 2], "c": [0, 0], "a": [3, 4]})
    for given in (frame, pl.DataFrame(frame.to_dict("list"))):
        assert inputs_of(data, given).tolist() == [[3.0, 1.0], [4.0, 2.0]]
    with pytest.raises(InputError, match="found only 'b', 'c', 'z'; add 'a'"):
        inputs_of(data, frame.rename(columns={"a": "z"}))
    assert inputs_of(data, frame.rename(columns={"a": "y", "b": "z"})).shape == (2, 3)  # the order is all there is
    array = np.zeros((2, 2))
    assert inputs_of(data, array) is array


def test_columns_named_by_numbers() -> None:
    data = load(pd.DataFrame(np.arange(12.0).reshape(6, 2) ** 2))
    assert (data.columns, data.target) == (("0",), "1")


def test_columns_of_the_same_name_are_refused() -> None:
    frame = pd.DataFrame(np.zeros((4, 2)), columns=["a", "a"])
    with pytest.raises(InputError, match="two columns of the same name"):
        load(frame)


BERLIN = pd.date_range("2020-01-01", periods=40, freq="D", tz="Europe/Berlin")


def test_times_of_another_zone_than_those_of_the_data_are_said() -> None:
    data = load(pd.DataFrame({"day": BERLIN, "y": np.arange(40.0)}))
    assert "they were read as local dates of Europe/Berlin." in " ".join(data.warnings)
    new = pd.DataFrame({"day": BERLIN[:3]})
    assert model_positions(data, new).tolist() == data.X[:3, 0].tolist()
    elsewhere = pd.DataFrame({"day": BERLIN[:3].tz_convert("UTC")})
    with pytest.warns(UserWarning, match="local dates of UTC.*Of the data.*Europe/Berlin.*one time zone"):
        model_positions(data, elsewhere)
    plain = load(pd.DataFrame({"day": BERLIN.tz_localize(None), "y": np.arange(40.0)}))
    with pytest.warns(UserWarning, match="Those of the data carried none"):
        model_positions(plain, new)


def test_hours_of_any_zone_are_those_of_utc() -> None:
    hours = pd.date_range("2020-01-01", periods=40, freq="h", tz="Europe/Berlin")
    data = load(pd.DataFrame({"t": hours, "y": np.arange(40.0)}))
    new = pd.DataFrame({"t": hours[5:8].tz_convert("Asia/Tokyo")})
    assert model_positions(data, new).tolist() == data.X[5:8, 0].tolist()


def test_times_that_stand_in_several_columns_do_so_later_too() -> None:
    hours = pd.date_range("2024-01-01", periods=48, freq="h")
    frame = pd.DataFrame({"day": hours.strftime("%Y-%m-%d"), "hour": hours.hour, "load": np.arange(48.0)})
    data = load(frame)
    assert model_positions(data, frame[["day", "hour"]][20:23]).tolist() == data.x[20:23].tolist()

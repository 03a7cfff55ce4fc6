"""Records of outliers as JSON and as warnings."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.measurements import read_table
from autostatistician.data.outliers import Outlier, Screening, are_counts, noted
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError
from autostatistician.i18n.messages import again

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


FOUND = Screening((Outlier(2015.0, 146.0, 50.0, chance=0.97), Outlier(2016.0, 5.0, 51.0, aside=False)), 12.5)
ENDING = Screening((Outlier(2017.0, 5.0, 51.0, ending=True),), lasting=0.5)


def test_a_record_survives_json() -> None:
    assert Screening.from_json(json.loads(json.dumps(FOUND.to_json()))) == FOUND
    assert FOUND.aside == FOUND.rows[:1]
    assert Screening.from_json(json.loads(json.dumps(ENDING.to_json()))) == ENDING
    heavy = Screening(heavy=1, tails=12.0, far=FOUND.rows[1:])
    assert Screening.from_json(json.loads(json.dumps(heavy.to_json()))) == heavy
    assert (ENDING.ending, FOUND.ending) == (ENDING.rows, ())


def test_a_record_of_before_has_no_values_that_end_the_data() -> None:
    record = FOUND.to_json()
    del record["lasting"], record["far"]
    for row in record["rows"]:
        del row["ending"]
    assert Screening.from_json(record) == FOUND
    record["rows"][0].pop("chance")
    assert Screening.from_json(record).rows[0].chance is None
    with pytest.raises(ValueError, match="outside of 0 to 1"):
        Screening.from_json(record | {"rows": [record["rows"][0] | {"chance": -0.1}]})
    with pytest.raises(ValueError, match="outside of 0 to 1"):
        Screening.from_json(record | {"lasting": 1.5})


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_numbers_that_are_none_are_refused(value: str) -> None:
    record = FOUND.to_json()
    record["rows"][0]["expected"] = value
    with pytest.raises(TypeError, match="is no float"):
        Screening.from_json(record)


def test_warnings_name_the_place_in_the_words_of_the_data() -> None:
    axis = Axis("month", "year", "month", 1 / 12)
    data = Dataset(np.array([[2015.0]]), np.ones(1), ("month",), "visits", axis, warnings=("first",))
    first, second, third = noted(data, FOUND).warnings
    assert first == "first"
    assert second.startswith("2015-01-01: 'visits' is 146 where about 50 was expected; set aside")
    assert third.startswith("2016-01-01: 'visits' is 5 where about 51 was expected; kept")
    assert "only later values can tell whether it lasts" in noted(data, ENDING).warnings[1]
    assert "large deviations are common" in noted(data, Screening(heavy=4)).warnings[1]


def test_warnings_have_all_digits_of_the_place_and_those_of_the_difference_of_the_values() -> None:
    data = from_arrays(2459000.5 + 0.25 * np.arange(4.0), [12.3, 12.4, 12.3, 12.5])
    (told,) = map(again, noted(data, Screening((Outlier(2459000.75, 1360.217, 1361.083),))).warnings)
    assert told.startswith("2459000.75: 'y' is 1,360.22 where about 1,361.08 was expected")


def test_values_that_come_back_are_kept_by_their_day() -> None:
    rows = tuple(Outlier(float(x), 20.0, 100.0, returns="date 12 25 0") for x in (358, 723))
    found = Screening((*FOUND.rows, *rows))
    again = Screening.from_json(json.loads(json.dumps(found.to_json())))
    assert {day.text: one for day, one in again.returning.items()} == {"25 December each year": rows}
    data = Dataset(np.array([[1.0]]), np.ones(1), ("day",), "visits", None)
    assert noted(data, Screening(rows)).warnings == (
        "'visits' lies far from what other days suggest on 25 December each year (2 times); these values were set "
        "aside, and forecasts have them again on that day.",
    )
    weeks = tuple(replace(row, returns="easter 0 0 0") for row in rows)
    assert noted(data, Screening(weeks)).warnings == (
        "'visits' lies far from what the rest of the year suggests in the week of Easter Sunday each year (2 times); "
        "these values were set aside, and forecasts have them again.",
    )
    record = found.to_json()
    record["rows"][-1]["returns"] = "date 13 40 0"
    with pytest.raises(ValueError, match="the day"):
        Screening.from_json(record)


def test_one_value_far_off_is_told_as_one() -> None:
    data = from_arrays([1.0, 2.0], [0.5, 0.7])
    (told,) = noted(data, Screening(heavy=1)).warnings
    assert told.startswith("1 value of 'y' lies far from what was expected")
    assert noted(data, Screening(heavy=3)).warnings[0].startswith("3 values of 'y' lie far")


def test_counts_have_zeros_and_no_fractions() -> None:
    assert are_counts(np.array([0.0, 2.0, 5.0]))
    assert not are_counts(np.array([1.0, 2.0]))
    assert not are_counts(np.array([-1.0, 0.0]))
    assert not are_counts(np.array([0.0, 0.5]))

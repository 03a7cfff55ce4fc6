"""Columns of categories: recognised in frames and files, coded by level, and known again at prediction."""

import io
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from autostatistician.data.categories import coded, has_categories
from autostatistician.data.columns import DataColumn
from autostatistician.data.load import load
from autostatistician.data.new_rows import inputs_of
from autostatistician.errors import InputError

SIZES, COLOURS = [1.0, 2.0, 3.0, 4.0], ["red", "blue", "red", "green"]
PRICES = [5.0, 6.0, 8.0, 9.0]
CSV = "size;colour;new;price\n1,5;red;yes;5\n2;blue;no;6\n3;red;no;8\n4;;yes;9\n5;blue;yes;10\n"


def _frames() -> dict[str, Any]:
    text = pd.DataFrame({"size": SIZES, "colour": COLOURS})
    return {
        "pandas text": text,
        "pandas categories": text.astype({"colour": pd.CategoricalDtype(["blue", "green", "red", "unused"])}),
        "polars text": pl.DataFrame({"size": SIZES, "colour": COLOURS}),
        "polars categories": pl.DataFrame({"size": SIZES, "colour": pl.Series(COLOURS, dtype=pl.Categorical)}),
        "polars enum": pl.DataFrame(
            {"size": SIZES, "colour": pl.Series(COLOURS, dtype=pl.Enum(["blue", "green", "red"]))}
        ),
        "mapping": {"size": SIZES, "colour": COLOURS},
    }


@pytest.mark.parametrize("kind", _frames())
def test_all_kinds_of_frames_give_the_same_codes_and_levels(kind: str) -> None:
    found = load(_frames()[kind], PRICES)
    assert found.levels == {"colour": ("blue", "green", "red")}
    assert [found.levels["colour"][int(code)] for code in found.X[:, 1]] == COLOURS
    assert found.X[:, 0].tolist() == SIZES
    assert found.axis is None


def test_stated_categories_of_numbers_are_categories() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "site": pd.Categorical([30, 4, 30])})
    found = load(frame, [1.0, 2.0, 3.0])
    assert found.levels["site"] == ("4", "30")
    assert found.X[:, 1].tolist() == [1.0, 0.0, 1.0]


@pytest.mark.parametrize("library", [pd, pl])
def test_truth_values_are_two_categories(library: Any) -> None:
    frame = library.DataFrame({"x": [1.0, 2.0, 3.0], "new": [True, False, True]})
    found = load(frame, [1.0, 2.0, 3.0])
    assert found.levels == {"new": ("False", "True")}
    assert found.X[:, 1].tolist() == [1.0, 0.0, 1.0]
    assert inputs_of(found, frame).tolist() == found.X.tolist()


def test_a_file_with_named_inputs() -> None:
    found = load(io.StringIO(CSV), target="price", inputs=["size", "colour", "new"])
    assert found.levels == {"colour": ("blue", "red", "missing"), "new": ("no", "yes")}
    assert found.columns == ("size", "colour", "new")
    assert found.target == "price"
    assert found.n == 5
    assert any("1 row with empty cells is kept" in note for note in found.warnings)
    assert found.X[0, :2].tolist() == [1.5, 1.0]  # decimal commas are read


def test_a_star_takes_all_other_columns_and_the_target_may_be_guessed() -> None:
    whole = load(io.StringIO(CSV), target="price", inputs=["*"])
    assert whole.columns == ("size", "colour", "new")
    assert load(io.StringIO(CSV), inputs=["size", "colour"]).target == "price"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"inputs": ["size", "price"], "target": "price"}, "different columns"),
        ({"inputs": ["size"], "time": "size"}, "other columns than time and target as inputs"),
        ({"inputs": ["siez"], "target": "price"}, "did you mean 'size'"),
        ({"inputs": "size", "target": "price"}, "list of names"),
        ({"inputs": ["size"], "target": "colour"}, "numbers in column 'colour'"),
    ],
)
def test_mistaken_inputs_are_said(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        load(io.StringIO(CSV), **options)


def test_arrays_have_no_categories() -> None:
    assert has_categories(pd.DataFrame({"c": ["a", "b"]}))
    assert not has_categories(np.zeros((3, 2)))


def test_a_frame_with_dates_stays_a_series() -> None:
    frame = pd.DataFrame({"when": pd.date_range("2020-01-01", periods=4), "colour": COLOURS})
    found = load(frame, PRICES)
    assert found.axis is not None
    assert not found.levels


def test_new_inputs_are_coded_by_name_whatever_their_order() -> None:
    found = load(_frames()["pandas text"], PRICES)
    again = pd.DataFrame({"colour": ["green", "red"], "size": [7, 8], "more": [0, 0]})
    assert inputs_of(found, again).tolist() == [[7.0, 1.0], [8.0, 2.0]]
    assert inputs_of(found, np.array([[7, "green"]], dtype=object)).tolist() == [[7.0, 1.0]]


def test_an_unseen_category_is_an_error_or_new() -> None:
    found = load(_frames()["pandas text"], PRICES)
    again = pd.DataFrame({"size": [1.0, 2.0, 3.0], "colour": ["pink", "grey", "pink"]})
    with pytest.raises(InputError, match=r"'blue', 'green', 'red'.*'pink' in row 1.*unseen='new'"):
        inputs_of(found, again)
    assert inputs_of(found, again, unseen="new")[:, 1].tolist() == [3.0, 4.0, 3.0]


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ({"size": [1.0]}, "add 'colour'"),
        ({"size": [float("nan")], "colour": ["red"]}, "finite numbers in column 'size'"),
        ({"size": [1.0], "colour": [None]}, "nothing in row 1"),
    ],
)
def test_faults_of_new_inputs_are_said(frame: dict[str, Any], words: str) -> None:
    found = load(_frames()["pandas text"], PRICES)
    with pytest.raises(InputError, match=words):
        inputs_of(found, pd.DataFrame(frame))


def test_blanks_around_cells_are_no_categories_of_their_own() -> None:
    column = DataColumn("c", (" red", "red ", "blue"))
    assert coded(column, ("blue", "red")).tolist() == [1.0, 1.0, 0.0]

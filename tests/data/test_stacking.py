"""Several outputs under each other."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from autostatistician.data.stacking import stacked
from autostatistician.errors import InputError

CELLS = {"x": [1.0, 2.0, 3.0], "north": [5.0, None, 6.0], "kind": ["a", "b", "a"], "south": [7.0, 8.0, float("inf")]}


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_every_observation_is_a_row_with_its_inputs_and_the_name_of_its_output(library: type) -> None:
    inputs, y = stacked(library(CELLS), ["north", "south"])
    assert type(inputs) is library
    frame = pd.DataFrame({name: list(inputs[name]) for name in inputs.columns})
    assert frame.columns.tolist() == ["x", "kind", "output"]
    rows = sorted(zip(frame["x"], frame["kind"], frame["output"], y.tolist(), strict=True))
    assert rows == [
        (1.0, "a", "north", 5.0),
        (1.0, "a", "south", 7.0),
        (2.0, "b", "south", 8.0),
        (3.0, "a", "north", 6.0),
    ]


def test_columns_may_have_the_names_that_are_used_inside() -> None:
    frame = pd.DataFrame({"value": [1.0, 2.0], "row": [3.0, 4.0], "a": [5.0, 6.0]})
    inputs, y = stacked(frame, ["a"])
    assert inputs.columns.tolist() == ["value", "row", "output"]
    np.testing.assert_array_equal(y, [5.0, 6.0])


@pytest.mark.parametrize(
    ("frame", "outputs", "words"),
    [
        (np.zeros((2, 2)), ["a"], "a data frame; found a ndarray"),
        (pd.DataFrame(CELLS), ["west"], "found 'west'; name outputs that are there"),
        (pd.DataFrame(CELLS), [], "outputs, and inputs not called 'output'"),
        (pd.DataFrame({"output": [1.0], "a": [2.0]}), ["a"], "choose another name"),
    ],
)
def test_what_cannot_be_stacked_is_said(frame: object, outputs: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        stacked(frame, outputs)

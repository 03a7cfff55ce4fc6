"""Rows of frames as plain values."""

from pathlib import Path

import pandas as pd

from autostatistician._io.rows import forecast_json, plain_rows


def test_times_are_iso_or_the_numbers_that_they_are() -> None:
    dates = pd.DataFrame({"time": pd.to_datetime(["2020-01-01T06:00"]), "mean": [float("nan")]})
    assert plain_rows(dates) == [{"time": "2020-01-01 06:00:00", "mean": None}]
    assert plain_rows(pd.DataFrame({"time": [3], "class": ["yes"]})) == [{"time": 3, "class": "yes"}]


def test_a_forecast_has_notes_where_there_are_some() -> None:
    frame = pd.DataFrame({"time": [1], "mean": [2.0]})
    rows = [{"time": 1, "mean": 2.0}]
    assert forecast_json(frame) == {"format": "autostatistician forecast 1", "forecast": rows, "output": None}
    frame.attrs["notes"] = ["assumed"]
    assert (forecast_json(frame, Path("a.csv"))["notes"], forecast_json(frame, Path("a.csv"))["output"]) == (
        ["assumed"], "a.csv"
    )  # fmt: skip

"""Documents as JSON: sorted, strict, with as many digits as a picture shows."""

from __future__ import annotations

import json

import numpy as np
import pytest

from autostatistician.describe.document.document import Document, Figure, Line, Marker, Panel, Points, Section
from autostatistician.report.jsonform import plain, to_json

LINE = Line(np.array([1 / 3, np.inf]), np.array([1e-9 / 3, 2.0]), "l")


def test_records_name_their_kind_and_round_their_arrays() -> None:
    assert plain(LINE) == {"kind": "line", "x": [0.333333, None], "y": [3.33333e-10, 2.0], "label": "l", "role": "mean"}


def test_times_are_iso_and_no_time_is_null() -> None:
    assert plain(np.array(["2020-02-29", "NaT"], "M8[D]")) == ["2020-02-29", None]
    assert plain(Marker("2020-01-01", "end")) == {"kind": "marker", "x": "2020-01-01", "label": "end"}


def test_what_is_no_plain_data_is_refused() -> None:
    with pytest.raises(AssertionError, match="not plain data"):
        plain(object())


def test_keys_are_sorted_at_every_depth() -> None:
    def keys_in_order(pairs: list[tuple[str, object]]) -> dict[str, object]:
        names = [name for name, _ in pairs]
        assert names == sorted(names)
        return dict(pairs)

    text = to_json(Document("t", "", "", (), record={"b": {"z": 1, "a": [1, 2]}, "a": None}))
    value = json.loads(text, object_pairs_hook=keys_in_order)
    assert value["record"] == {"a": None, "b": {"a": [1, 2], "z": 1}}
    assert text.endswith("}\n")


def test_positions_stand_once_and_layers_name_theirs() -> None:
    months = np.arange("1949-01", "1951-01", dtype="M8[M]").astype("M8[s]")
    line = Line(months, np.linspace(0.0, 100.0, 24) + 1 / 3, "l")
    points = Points(months, np.arange(24.0) + 0.12345, "p")
    computed = Points(months, np.linspace(0.0, 100.0, 24) + 1 / 3, "c")
    figure = Figure("f", "", "", (Panel("", "", "", (line, points, computed, Marker("1950-01-01", "end"))),))
    value = json.loads(to_json(Document("t", "", "", (Section("s", "", (figure, figure)),))))
    assert list(value["axes"]) == ["axis-1"]
    assert value["axes"]["axis-1"][:2] == ["1949-01-01", "1949-02-01"]
    first, second = value["sections"][0]["blocks"]
    assert first == second
    drawn, seen, less, end = first["panels"][0]["layers"]
    assert (drawn["x"], seen["x"], end["x"]) == ("axis-1", "axis-1", "1950-01-01")
    assert (drawn["y"][0], seen["y"][0], less["y"][0]) == (0.33, 0.12345, 0.333)


def test_a_small_curve_on_a_high_level_is_not_lost() -> None:
    line = Line(np.array([0.0, 1.0]), np.array([1e6 + 0.01, 1e6 + 0.02]), "l")
    value = json.loads(
        to_json(Document("", "", "", (Section("s", "", (Figure("f", "", "", (Panel("", "", "", (line,)),)),)),)))
    )
    low, high = value["sections"][0]["blocks"][0]["panels"][0]["layers"][0]["y"]
    assert high - low == pytest.approx(0.01, rel=1e-3)


def test_a_clock_is_told_where_there_is_one() -> None:
    assert plain(np.array(["2020-02-29T00:00", "2020-02-29T12:00"], "M8[s]")) == [
        "2020-02-29T00:00:00", "2020-02-29T12:00:00",
    ]  # fmt: skip

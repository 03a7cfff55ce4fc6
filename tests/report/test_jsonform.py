"""Documents as JSON: sorted, strict, with as many digits as a picture shows."""

from __future__ import annotations

import json

import numpy as np
import pytest

from autostatistician.describe.document.document import Document, Line, Marker
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

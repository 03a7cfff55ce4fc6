"""Small pictures of any series are small, whole and within their box."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from tests.describe.panels.made import made_records

from autostatistician.panel.records import DONE, SeriesRecord
from autostatistician.report.panel_page.sparkline import HEIGHT, WIDTH, sparkline

RECORD = next(made_records(1))


def points(d: str) -> np.ndarray:
    """The corners of a path."""
    numbers = np.array(re.findall(r"-?\d+", d), dtype=float).reshape(-1, 2)
    return np.cumsum(numbers, axis=0)


def drawn(record: SeriesRecord) -> dict[str, np.ndarray]:
    return {path.attrib["class"]: points(path.attrib["d"]) for path in fromstring(sparkline(record))}


def test_values_forecast_and_range_follow_one_another() -> None:
    paths = drawn(RECORD)
    assert set(paths) == {"v", "f", "b"}
    assert len(paths["v"]) == 60
    assert np.array_equal(paths["v"][-1], paths["f"][0])
    assert (np.diff(paths["v"][:, 0]) >= 0.0).all()
    assert np.argmin(paths["v"][:, 1]) == np.argmax(RECORD.values)  # up is up
    for path in paths.values():
        assert (path >= 0.0).all()
        assert (path <= [WIDTH, HEIGHT]).all()


def test_thinned_values_and_an_unthinned_forecast_keep_their_times() -> None:
    assert RECORD.forecast is not None
    times = tuple(f"{place}" for place in range(0, 600, 10))
    ahead = replace(RECORD.forecast, times=tuple(f"{place}" for place in range(591, 603)))
    paths = drawn(replace(RECORD, times=times, forecast=ahead))
    assert paths["v"][-1, 0] > 0.96 * WIDTH


@pytest.mark.parametrize("values", [(1.0,), (0.0, 0.0), (1e308, -1e308, 5.0), (1e-320, 3e-320), (-5.0, -7.0)])
def test_any_values_are_borne(values: tuple[float, ...]) -> None:
    record = SeriesRecord("a", ("a",), DONE, values=values, times=tuple(map(str, range(len(values)))))
    path = drawn(record)["v"]
    assert len(path) in (len(values), 1, 2)
    assert (path <= [WIDTH, HEIGHT]).all()


def test_no_values_no_picture_and_odd_times_no_trouble() -> None:
    assert sparkline(SeriesRecord("a", ("a",), DONE)) == ""
    assert sparkline(SeriesRecord("a", ("a",), DONE, values=(1.0, float("inf")), times=("1", "2"))) == ""
    assert len(drawn(replace(RECORD, times=("?",) * 60))["v"]) == 60
    assert "b" not in drawn(replace(RECORD, forecast=None))


def test_pictures_are_below_three_kilobytes() -> None:
    sizes = [len(sparkline(record)) for record in made_records(100)]
    assert max(sizes) < 1500

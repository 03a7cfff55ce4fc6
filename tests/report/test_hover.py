"""What is pointed at says its position and values, by style alone."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from autostatistician.describe.document.document import Band, Line, Marker, Panel, Points
from autostatistician.describe.document.panels import BarPanel
from autostatistician.report.figures import panel_svg

MONTHS = np.datetime64("2020-01", "M") + np.arange(24)
X = MONTHS.astype("M8[s]")
FINE = np.linspace(0.0, 23.0, 70) * 30.0 * 86_400.0
Y = np.arange(24.0)
WIDE = (780.0, 310.0)


def _panel(*layers: Points | Line | Band | Marker, **how: bool) -> Panel:
    return Panel("", "", "sold", layers, **how)  # type: ignore[arg-type]


def _texts(panel: Panel, size: tuple[float, float] = WIDE) -> list[str]:
    svg = ElementTree.fromstring(panel_svg(panel, size, hover=True))
    return [text.text or "" for text in svg.findall(".//g[@class='hover']/g/text")]


def test_observations_come_first_then_curve_and_range() -> None:
    curve = X[:1] + np.arange(0, 700).astype("m8[D]")
    high = np.linspace(0.0, 23.0, 700)
    texts = _texts(_panel(Band(curve, high - 1.5, high + 1.5, "95%"), Line(curve, high, "model"), Points(X, Y, "data")))
    assert texts[0] == "Jan 2020 · data 0 · curve 0 · range −1.5 to 1.5"
    assert re.fullmatch(r"May 2021 · data 16 · curve 1\d(\.\d+)? · range 1\d(\.\d+)? to 1\d(\.\d+)?", texts[16])
    assert len(texts) == 24


def test_beyond_the_observations_the_curves_are_pointed_at() -> None:
    ahead = (MONTHS[-1] + np.arange(1, 4)).astype("M8[s]")
    texts = _texts(_panel(Points(X, Y, "data"), Line(ahead, np.array([30.0, 31.0, 32.0]), "forecast", "forecast")))
    assert texts[-1] == "Mar 2022 · forecast 32"
    assert len(texts) == 27


@pytest.mark.slow
def test_many_positions_are_fewer_strips_that_can_be_hit() -> None:
    texts = _texts(_panel(Points(np.arange(5000.0), np.zeros(5000), "data")))
    assert 60 < len(texts) < 120
    assert texts[0].startswith("0 · data 0")


def test_positions_are_as_fine_as_observations_need() -> None:
    days = np.datetime64("2020-03-01", "s") + np.arange(10) * np.timedelta64(1, "D")
    years = (np.datetime64("2000", "Y") + np.arange(10)).astype("M8[s]")
    hours = np.datetime64("2020-03-01", "s") + np.arange(10) * np.timedelta64(1, "h")
    late = np.datetime64("9999-12-31", "s") + np.arange(10) * np.timedelta64(1, "D")  # datetime ends with this year
    firsts = [_texts(_panel(Points(x, np.arange(10.0), "data")))[1] for x in (days, years, hours, late)]
    assert [text.partition(" ·")[0] for text in firsts] == ["2 Mar 2020", "2001", "1 Mar 2020 01:00", "1 Jan 10000"]


def test_what_has_no_order_or_no_room_says_nothing() -> None:
    scattered = _panel(Points(np.array([3.0, 1.0, 2.0]), np.zeros(3), "data"))
    bars = BarPanel("", "", "", (), names=("a",), values=np.ones(1), lower=np.zeros(1), upper=np.ones(1))
    assert _texts(scattered) == _texts(bars) == []
    assert _texts(_panel(Points(X, Y, "data")), (247.0, 225.0)) == []
    assert "hover" not in panel_svg(_panel(Points(X, Y, "data")), WIDE)

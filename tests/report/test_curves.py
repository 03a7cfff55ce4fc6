"""Curves, ticks, trees and what appears under the pointer."""

import itertools
import json
import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from autostatistician.describe.document.document import Band, Document, Figure, Line, Marker, Panel, Points, Section
from autostatistician.describe.document.panels import BarPanel, TreeNode, TreePanel
from autostatistician.report import to_html, to_json, to_markdown
from autostatistician.report.figures import figure_panels, figure_svg, panel_svg, tree_height
from autostatistician.report.svg import MOST_POINTS, Sheet, envelope, simplified, swept, thinned, turns
from autostatistician.report.text import text_width
from autostatistician.report.ticks import TICK_SIZE, Tick, fitting, number_label, number_ticks, ratio_ticks, time_ticks

VALUES = np.random.default_rng(0).standard_normal(20_000)


def test_an_envelope_keeps_the_extremes_of_every_run() -> None:
    kept = envelope(VALUES, 400)
    assert len(kept) <= 400
    for run in np.split(np.arange(len(VALUES)), 100):
        inside = VALUES[np.intersect1d(kept, run)]
        assert (inside.min(), inside.max()) == (VALUES[run].min(), VALUES[run].max())


@pytest.mark.parametrize("kind", [Points, Line])
def test_long_layers_are_cut_to_the_most_points_and_short_ones_left(kind: type[Points] | type[Line]) -> None:
    x = np.arange(float(len(VALUES)))
    (layer,) = thinned(Panel("", "", "", (kind(x, VALUES, "l"),))).layers
    assert len(layer.y) <= MOST_POINTS  # type: ignore[union-attr]
    assert (layer.y.min(), layer.y.max()) == (VALUES.min(), VALUES.max())  # type: ignore[union-attr]
    (short,) = thinned(Panel("", "", "", (kind(x[:9], VALUES[:9], "l"),))).layers
    np.testing.assert_array_equal(short.y, VALUES[:9])  # type: ignore[union-attr]


@pytest.mark.slow
@given(arrays(np.float64, (15, 2), elements=st.floats(-9.0, 9.0)), st.floats(0.01, 2.0))
def test_left_out_vertices_lie_near_the_rest(points: np.ndarray, tolerance: float) -> None:
    kept = simplified(points, tolerance)
    assert (kept[0] == points[0]).all()
    assert (kept[-1] == points[-1]).all()
    for point in points:
        starts, ways = kept[:-1], np.diff(kept, axis=0)
        squares = np.maximum((ways**2).sum(axis=1), 1e-300)
        share = np.clip(((point - starts) * ways).sum(axis=1) / squares, 0.0, 1.0)
        near = np.hypot(*(point - starts - share[:, None] * ways).T).min()
        assert near <= tolerance + 1e-9


def test_a_swept_area_holds_its_curve() -> None:
    x = np.linspace(0.0, 1.0, 500)
    at, low, high = swept(x, np.sin(99.0 * x), np.sin(99.0 * x), 10)
    assert (low.min(), high.max()) == (np.sin(99.0 * x).min(), np.sin(99.0 * x).max())
    assert (at[0], at[-1]) == (0.0, 1.0)
    assert (low <= high).all()


def test_turns_of_a_wave_are_two_a_cycle() -> None:
    assert turns(np.sin(np.linspace(0.0, 10 * 2 * np.pi, 1000))) == 20
    assert turns(np.arange(9.0)) == 0


def _assert_apart(ticks: tuple[Tick, ...], low: float, high: float, length: float) -> None:
    labels = [(t.position, text_width(t.label, TICK_SIZE)) for t in ticks]
    contexts = [(t.position, text_width(t.context, TICK_SIZE)) for t in ticks if t.context]
    for row in (labels, contexts):
        for (a, wide_a), (b, wide_b) in itertools.pairwise(row):
            assert (b - a) / (high - low) * length >= (wide_a + wide_b) / 2 + 4.0
    assert all(low - 1e-6 * (high - low) <= t.position <= high + 1e-6 * (high - low) for t in ticks)


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9), st.floats(100.0, 800.0))
def test_number_ticks_never_overlap(low: float, span: float, length: float) -> None:
    ticks = number_ticks(low, low + span, length)
    _assert_apart(ticks, low, low + span, length)
    assert len({tick.label for tick in ticks}) == len(ticks)


@given(st.floats(-800_000.0, 100_000.0), st.floats(-4.0, 6.0), st.floats(150.0, 800.0))
def test_time_ticks_never_overlap(low: float, power: float, length: float) -> None:
    high = low + 10.0**power
    ticks = time_ticks(low, high, length)
    _assert_apart(ticks, low, high, length)
    assert 40.0 * (len(ticks) - 1) <= length  # spaces between ticks, not ticks


def _days(start: str, end: str) -> tuple[float, float]:
    low, high = np.array([start, end], "M8[s]").astype(np.int64) / 86_400.0
    return float(low), float(high)


@pytest.mark.parametrize(
    ("start", "end", "labels"),
    [
        ("1949-01-01", "1960-12-01", ["1950", "1955", "1960"]),
        ("1600-01-01", "2020-01-01", ["1600", "1700", "1800", "1900", "2000"]),
        ("2023-11-20", "2024-03-10", ["Dec/2023", "Jan/2024", "Feb", "Mar"]),
        ("2024-02-27", "2024-03-02", ["27/Feb 2024", "28", "29", "1/Mar 2024", "2"]),
        ("2024-02-28T06:00", "2024-02-28T20:00", ["06:00/28 Feb 2024", "12:00", "18:00"]),
    ],
)
def test_calendar_labels(start: str, end: str, labels: list[str]) -> None:
    ticks = time_ticks(*_days(start, end), 230.0)
    assert [f"{t.label}/{t.context}".removesuffix("/") for t in ticks] == labels


def test_years_are_written_without_a_comma_and_large_numbers_with_one() -> None:
    assert [t.label for t in number_ticks(1949.0, 1961.0, 300.0)] == ["1950", "1955", "1960"]
    assert number_label(20_000.0, 10_000.0, 30_000.0) == "20,000"
    assert [number_label(v, 5e8, 2e9) for v in (-5e8, 0.0, 1e9)] == ["−0.5 bn", "0", "1.0 bn"]


@pytest.mark.parametrize("upright", [False, True])
def test_small_panels_have_more_than_one_tick(*, upright: bool) -> None:
    for half in (0.31, 1.9, 2.4, 3.1, 4.4):
        ticks = number_ticks(-half, half, 130.0, upright=upright)
        assert len(ticks) > 1
        places = [tick.position for tick in ticks]
        room = 130.0 * (places[1] - places[0]) / (2.0 * half)
        assert room > (TICK_SIZE if upright else max(text_width(tick.label, TICK_SIZE) for tick in ticks))


@given(st.floats(1e-6, 1e9), st.floats(1.02, 1e9), st.floats(100.0, 400.0))
@example(101.0, 1334.0, 100.0)
def test_ticks_of_ratios_stand_apart_and_are_told_apart(low: float, ratio: float, length: float) -> None:
    high = low * ratio
    ticks = ratio_ticks(low, high, length)
    places = [math.log(tick.position / low) / math.log(ratio) * length for tick in ticks]
    assert all(b - a >= TICK_SIZE for a, b in itertools.pairwise(places))
    assert all(-1e-3 * length <= place <= length * 1.001 for place in places)
    assert len({tick.label for tick in ticks}) == len(ticks)


@pytest.mark.parametrize("low", [0.031, 1.0, 1.7, 4.1, 90.0])
@pytest.mark.parametrize("ratio", [1.05, 1.3, 2.0, 2.8, 5.0, 9.5, 12.0, 90.0, 1e5])
def test_ticks_of_ratios_are_at_least_three(low: float, ratio: float) -> None:
    assert all(len(ratio_ticks(low, low * ratio, length)) >= 3 for length in (135.0, 168.0, 186.0))


def test_names_that_would_touch_are_left_out_evenly() -> None:
    months = tuple(Tick(float(i), "MMM") for i in range(12))
    assert len(fitting(months, 60.0)) == 12
    assert [tick.position for tick in fitting(months, 15.0)] == [0.0, 3.0, 6.0, 9.0]


LONG = "C + CW(Matern12 + Matern12 * Per + Lin * WN + SE, Matern32 + Lin * WN)"
NODES = (
    TreeNode(0, "first", "BIC 9.0", None, chosen=True),
    *(TreeNode(1, f"second {index}", "BIC 5.0", 0, chosen=index == 3) for index in range(4)),
    TreeNode(2, LONG, "BIC 1.0", 4, chosen=True),
)
PANEL = TreePanel("", "", "", (), (("Level 0", "1 tried"), ("Level 1", "99 tried"), ("Level 2", "3 tried")), NODES)
FIGURE = Figure("fig-tree", "The way.", "A tree.", (PANEL,))


def _texts(svg: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("text")]


def _view(svg: str) -> tuple[float, float]:
    width, height = ElementTree.fromstring(svg).attrib["viewBox"].split()[2:]
    return float(width), float(height)


def test_a_wide_page_shows_every_model_and_a_narrow_one_the_way() -> None:
    (wide,), (narrow,) = figure_panels(FIGURE)
    assert {f"second {index}" for index in range(4)} <= set(_texts(wide))
    assert {"first", "second 3", "second 0"} <= set(_texts(narrow))
    assert "second 1" not in _texts(narrow)
    for svg in (wide, narrow):
        assert {"Level 2", "99 tried", "BIC 1.0"} <= set(_texts(svg))
        assert LONG in " ".join(_texts(svg))  # in lines, none missing


def test_it_is_as_high_as_it_must_be_and_nothing_is_outside() -> None:
    (wide,), (narrow,) = figure_panels(FIGURE)
    for svg in (wide, narrow):
        width, height = _view(svg)
        assert height == tree_height(PANEL, width)
        places = re.findall(r'<text [^>]*x="([\d.]+)" y="([\d.]+)"', svg)
        assert len(places) > 10
        assert all(0.0 <= float(x) < width and 0.0 < float(y) < height for x, y in places)


def test_the_way_has_a_colour_of_its_own() -> None:
    svg = figure_panels(FIGURE)[0][0]
    marked = re.findall(r"stroke: var\(--mean", svg)
    assert len(marked) == 3 + 2  # three boxes, two lines
    assert len(re.findall(r"stroke: var\(--axis", svg)) == 3 + 3


def test_every_format_has_it() -> None:
    made = Document("t", "", "", (Section("search", "How", (FIGURE,)),))
    assert "second 2" in to_html(made)
    assert "A tree" in to_markdown(made)
    (block,) = json.loads(to_json(made))["sections"][0]["blocks"]
    assert block["panels"][0]["nodes"][5]["text"] == LONG
    assert "second 2" in figure_svg(FIGURE)


MONTHS = np.datetime64("2020-01", "M") + np.arange(24)
X = MONTHS.astype("M8[s]")
FINE = np.linspace(0.0, 23.0, 70) * 30.0 * 86_400.0
Y = np.arange(24.0)
WIDE = (780.0, 310.0)


def _panel(*layers: Points | Line | Band | Marker, **how: bool) -> Panel:
    return Panel("", "", "sold", layers, **how)  # type: ignore[arg-type]


def _texts_of_hover(panel: Panel, size: tuple[float, float] = WIDE) -> list[str]:
    svg = ElementTree.fromstring(panel_svg(panel, size, hover=True))
    return [text.text or "" for text in svg.findall(".//g[@class='hover']/g/text")]


def test_observations_come_first_then_curve_and_range() -> None:
    curve = X[:1] + np.arange(0, 700).astype("m8[D]")
    high = np.linspace(0.0, 23.0, 700)
    texts = _texts_of_hover(
        _panel(Band(curve, high - 1.5, high + 1.5, "95%"), Line(curve, high, "model"), Points(X, Y, "data"))
    )
    assert texts[0] == "Jan 2020 · data 0 · curve 0 · range −1.5 to 1.5"
    assert re.fullmatch(r"May 2021 · data 16 · curve 1\d(\.\d+)? · range 1\d(\.\d+)? to 1\d(\.\d+)?", texts[16])
    assert len(texts) == 24


def test_beyond_the_observations_the_curves_are_pointed_at() -> None:
    ahead = (MONTHS[-1] + np.arange(1, 4)).astype("M8[s]")
    texts = _texts_of_hover(
        _panel(Points(X, Y, "data"), Line(ahead, np.array([30.0, 31.0, 32.0]), "forecast", "forecast"))
    )
    assert texts[-1] == "Mar 2022 · forecast 32"
    assert len(texts) == 27


@pytest.mark.slow
def test_many_positions_are_fewer_strips_that_can_be_hit() -> None:
    texts = _texts_of_hover(_panel(Points(np.arange(5000.0), np.zeros(5000), "data")))
    assert 60 < len(texts) < 120
    assert texts[0].startswith("0 · data 0")


def test_positions_are_as_fine_as_observations_need() -> None:
    days = np.datetime64("2020-03-01", "s") + np.arange(10) * np.timedelta64(1, "D")
    years = (np.datetime64("2000", "Y") + np.arange(10)).astype("M8[s]")
    hours = np.datetime64("2020-03-01", "s") + np.arange(10) * np.timedelta64(1, "h")
    late = np.datetime64("9999-12-31", "s") + np.arange(10) * np.timedelta64(1, "D")  # datetime ends with this year
    firsts = [_texts_of_hover(_panel(Points(x, np.arange(10.0), "data")))[1] for x in (days, years, hours, late)]
    assert [text.partition(" ·")[0] for text in firsts] == ["2 Mar 2020", "2001", "1 Mar 2020 01:00", "1 Jan 10000"]


def test_what_has_no_order_or_no_room_says_nothing() -> None:
    scattered = _panel(Points(np.array([3.0, 1.0, 2.0]), np.zeros(3), "data"))
    bars = BarPanel("", "", "", (), names=("a",), values=np.ones(1), lower=np.zeros(1), upper=np.ones(1))
    assert _texts_of_hover(scattered) == _texts_of_hover(bars) == []
    assert _texts_of_hover(_panel(Points(X, Y, "data")), (247.0, 225.0)) == []
    assert "hover" not in panel_svg(_panel(Points(X, Y, "data")), WIDE)


def _path(points: np.ndarray) -> np.ndarray:
    """The vertices that are left of a path."""
    sheet = Sheet(100.0, 100.0)
    axes = sheet.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0.0, 100.0), ylim=(100.0, 0.0))
    axes.set_axis_off()
    axes.plot(*points.T, color="#123456")
    (path,) = ElementTree.fromstring(sheet.svg()).iter("path")
    numbers = [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", path.attrib["d"])]
    return np.cumsum(np.array(numbers).reshape(-1, 2), axis=0)


@given(arrays(np.float64, (12,), elements=st.floats(0.0, 40.0)))
def test_a_shortened_path_stays_near_its_vertices(y: np.ndarray) -> None:
    x = np.linspace(0.0, 90.0, 12)
    kept = _path(np.column_stack([x, y]))
    assert np.abs(np.interp(x, kept[:, 0], kept[:, 1]) - y).max() < 0.2 * 45.0 / 8.0  # 0.2 px across a steep line
    assert kept[0] == pytest.approx([x[0], y[0]], abs=0.051)
    assert kept[-1] == pytest.approx([x[-1], y[-1]], abs=0.051 * len(kept))


def test_a_straight_line_needs_two_vertices() -> None:
    x = np.linspace(0.0, 90.0, 30)
    assert len(_path(np.column_stack([x, 0.5 * x]))) == 2


def test_alone_it_has_a_title_and_inside_of_a_page_none() -> None:
    sheet = Sheet(99.0, 50.0)
    assert "<title>what it shows</title>" in sheet.svg("what it shows")
    assert 'role="img"' in sheet.svg("what it shows")
    assert 'aria-hidden="true"' in sheet.svg()
    assert "<title" not in sheet.svg()

"""Figures: real text, no ids, same bytes, readable axes for every kind of data."""

import re
import subprocess
import sys
import warnings
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from tests.report import factory

from autostatistician.describe.document.document import Band, Figure, Line, Marker, Panel, Points
from autostatistician.describe.document.panels import StackedFigure
from autostatistician.report.figures import columns, figure_matplotlib, figure_panels, figure_svg, legend, page_style
from autostatistician.report.palette import DARK, LIGHT
from autostatistician.report.svg import MOST_POINTS, drawing_note, thinned

ROOT = Path(__file__).parents[2]
X = np.linspace(0.0, 1.0, 7)
DAYS = np.arange("2024-02-25", "2024-03-03", dtype="M8[D]")


def _figure(*layers: Points | Line | Band | Marker, panels: int = 1, title: str = "Title") -> Figure:
    return Figure("f", "caption", "alt", (Panel(title, "across", "up", layers),) * panels)


def _texts(svg: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("text")]


def _numbers(svg: str) -> list[float]:
    return [float(n) for d in re.findall(r' d="([^"]*)"', svg) for n in re.findall(r"-?[\d.]+", d)]


AXES = {
    "numbers": (Points(X, X, "p"), Line(X, X, "l"), Band(X, X - 1, X + 1, "b"), Marker(0.5, "here")),
    "dates": (Points(DAYS, X, "p"), Line(DAYS, X, "l"), Band(DAYS, X - 1, X + 1, "b"), Marker("2024-02-29", "here")),
}


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("panels", [1, 2, 3])
def test_every_layer_is_drawn_with_real_text(axis: str, panels: int) -> None:
    wide, narrow = figure_panels(_figure(*AXES[axis], panels=panels))
    assert len(wide) == panels
    assert len(narrow) == (0 if panels == 2 else panels)
    for svg in wide + narrow:
        assert {"Title", "across", "up", "here"} <= set(_texts(svg))
        assert len(re.findall("stroke-linecap: round", svg)) >= 2
        assert svg.count("opacity: var(--band-signal") == 1
        assert "stroke-dasharray" in svg


def test_dates_are_labelled_by_the_calendar() -> None:
    labels = _texts(figure_panels(_figure(*AXES["dates"]))[0][0])
    assert {"25", "26", "27", "28", "29", "Feb 2024", "Mar 2024"} <= set(labels)
    assert not [label for label in labels if ":" in label]


@pytest.mark.parametrize("layers", [(), (Points(X[:0], X[:0], "p"),), (Marker(1.0, "m"),), (Line(X, X * np.nan, "l"),)])
def test_nothing_to_draw_is_said(layers: tuple[Points | Line | Marker, ...]) -> None:
    assert "There is nothing to draw here." in _texts(figure_svg(_figure(*layers)))


@pytest.mark.parametrize(
    "layer",
    [
        Points(X[:1], X[:1], "one point"),
        Points(DAYS[:1], X[:1], "one date"),
        Line(X, X * 0 + 5.0, "constant"),
        Line(X, X * 0, "zero"),
        Points(X + 1e9, X + 1e9, "far away"),
        Line(X * 1e-300, X * 1e300, "extreme"),
        Line(X, np.where(X > 0.5, np.nan, X), "gap"),
        Line(np.array(["NaT", *DAYS[1:].astype(str)], "M8[D]"), X, "no time"),
    ],
    ids=lambda layer: layer.label,
)
def test_odd_numbers_give_finite_coordinates_and_some_ticks(layer: Points | Line) -> None:
    svg = figure_panels(_figure(layer))[0][0]
    assert "nan" not in svg.lower()
    assert "inf" not in svg.lower()
    assert all(-1 <= number <= 800 for number in _numbers(svg) if number > 0)
    assert len(_texts(svg)) > 5


def test_a_gap_in_a_line_stays_a_gap() -> None:
    y = np.array([0.0, 1.0, np.nan, 1.0, 0.0, 1.0, 0.0])
    curve = re.findall(r'd="([^"]*)"[^>]*--mean', figure_panels(_figure(Line(X, y, "l")))[0][0])
    assert [d.count("M") for d in curve] == [2]


def test_svg_has_no_ids_no_style_sheet_and_no_reference() -> None:
    svg = figure_svg(factory.key_figure())
    assert not re.search(r"\bid=|href|url\(|<style|<defs|<metadata|<!", svg)
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"


def test_all_colours_are_variables_with_the_light_colour_as_fallback() -> None:
    svg = figure_svg(factory.key_figure())
    colours = set(re.findall(r"(?:fill|stroke): ([^;\"]+)", svg)) - {"none"}
    assert colours
    assert all(re.fullmatch(r"var\(--[a-z0-9-]+, #[0-9a-f]{6}\)", colour) for colour in colours)
    assert LIGHT.keys() == DARK.keys()
    assert len(set(LIGHT.values())) == len(LIGHT)


def test_texts_of_a_figure_are_neither_mathematics_nor_markup() -> None:
    for text in ("$x$", "<b>&amp;", r"\alpha_{1}", "#2a5d8f", 'style="fill: #2a5d8f"', "温度 😀"):
        figure = Figure("f", "c", text, (Panel(text, text, text, (Line(X, X, text), Points(X, X, text))),))
        svg = figure_svg(figure)
        assert _texts(svg).count(text) == 5
        assert ElementTree.fromstring(svg)[0].text == text


def test_long_texts_are_cut_to_the_panel() -> None:
    long = "word " * 80
    (svg, _), _ = figure_panels(
        Figure("f", "c", "a", (Panel(long, long, long, (Marker(0.5, long), Line(X, X, "l"))),) * 2)
    )
    assert max(map(len, _texts(svg))) < 80
    assert sum(t.endswith("…") for t in _texts(svg)) == 4


def test_labels_of_many_markers_do_not_cover_each_other() -> None:
    markers = tuple(Marker(float(x), f"change at {x:.2f}") for x in np.linspace(0, 1, 40))
    svg = figure_panels(_figure(Line(X, X, "l"), *markers))[0][0]
    assert svg.count("stroke-dasharray") == 40
    places = re.findall(r'x="([\d.]+)" y="([\d.]+)"[^>]*>change', svg)
    for i, (x, y) in enumerate(places):
        assert all(abs(float(x) - float(a)) > 80 for a, b in places[i + 1 :] if b == y)
    assert 10 < len(places) < 40


@pytest.mark.slow
def test_bytes_do_not_depend_on_run_settings_or_order() -> None:
    first = figure_svg(factory.key_figure())
    with matplotlib.rc_context({"font.size": 30, "axes.grid": False, "svg.fonttype": "path", "lines.linewidth": 9}):
        assert figure_svg(factory.key_figure()) == first
    code = "from tests.report import factory; from autostatistician.report import figure_svg as f"
    code += "; print(f(factory.key_figure()), end='')"
    again = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT)
    assert again.stdout.decode() == first


def test_long_layers_are_thinned_and_the_caption_says_so() -> None:
    n = 30_000
    x, y = np.arange(float(n)), np.random.default_rng(0).normal(size=n)
    y[12_345] = 50.0
    figure = _figure(Points(x, y, "p"), Line(x, y, "l"), Band(x, y - 1, y + 1, "b"))
    points, line, band = thinned(figure.panels[0]).layers
    assert isinstance(points, Points)
    assert isinstance(line, Line)
    assert isinstance(band, Band)
    assert max(len(points.y), len(line.y), len(band.lower)) <= MOST_POINTS
    assert points.y.max() == line.y.max() == 50.0
    assert points.y.min() == y.min()
    assert band.upper.max() == 51.0
    assert "30,000" in drawing_note(figure)
    assert drawing_note(factory.key_figure()) == ""
    assert len(figure_svg(figure)) < 120_000


def test_lines_that_swing_too_fast_are_areas_and_the_caption_says_so() -> None:
    x = np.arange(3000.0)
    quick, slow = (Line(x, np.sin(2 * np.pi * x / period), "l") for period in (2.3, 300.0))
    assert "the area that it fills" in drawing_note(_figure(quick))
    assert drawing_note(_figure(slow)) == ""
    (area,), (line,) = (figure_panels(_figure(layer))[0] for layer in (quick, slow))
    assert "opacity: 0.45" in area
    assert "opacity" not in line
    assert len(area) < 20_000


def test_legend_names_each_kind_once_and_is_left_out_for_one_kind() -> None:
    assert [key.label for key in legend(_figure(*AXES["numbers"], panels=2))] == ["p", "l", "b"]
    assert legend(_figure(Line(X, X, "only"), Marker(0.5, "m"))) == ()


def test_the_legend_shows_the_mark_of_values_that_were_set_aside() -> None:
    keys = legend(_figure(Points(X, X, "data"), Points(X, X, "set aside", role="aside")))
    assert [(key.kind, key.role) for key in keys] == [("points", ""), ("points", "aside")]
    *_, whole = figure_matplotlib(_figure(Points(X, X, "data"), Points(X, X, "set aside", role="aside"))).axes
    assert [handle.get_marker() for handle in whole.get_lines()] == ["o", "x"]


def test_columns() -> None:
    assert [columns(_figure(panels=n)) for n in range(1, 7)] == [1, 2, 3, 2, 3, 3]


def test_stacked_panels_stand_one_under_the_other() -> None:
    stacked = StackedFigure("f", "caption", "alt", _figure(*AXES["dates"], panels=3).panels)
    assert columns(stacked) == 1
    wide, narrow = figure_panels(stacked)
    assert len(wide) == len(narrow) == 3
    assert 'viewBox="0 0 780 190"' in wide[0]
    assert 'viewBox="0 0 380 190"' in narrow[0]
    bottoms = [axes.get_position().y0 for axes in figure_matplotlib(stacked).axes]
    assert bottoms == sorted(bottoms, reverse=True)


def test_matplotlib_figure_has_the_panels_and_does_not_touch_pyplot() -> None:
    figure = figure_matplotlib(_figure(*AXES["dates"], panels=2))
    assert len(figure.axes) == 3  # the last one has the legend
    low, high = figure.axes[0].get_xlim()
    assert low < 19_778.0 < high  # 2024-02-25 in days since 1970
    code = "import autostatistician.report as r, sys; assert not {'matplotlib', 'jinja2'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_our_style_holds_no_setting_that_is_not_one_of_style(recwarn: pytest.WarningsRecorder) -> None:
    warnings.simplefilter("always")
    with page_style():
        assert matplotlib.rcParams["axes.edgecolor"] == LIGHT["axis"]
    assert [str(one.message) for one in recwarn] == []

"""Figures drawn: bars, ticks, groups, panels, palette and text that fits."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from autostatistician.describe.document.document import Band, Line, Marker, Panel, Paragraph, Points
from autostatistician.describe.document.document import Figure as FigureOfGroups
from autostatistician.describe.document.document import Figure as FigureOfPanels
from autostatistician.describe.document.panels import BarPanel, DensityPanel, GroupPoints, HeatPanel, Ranges
from autostatistician.report.correlations import figure_correlations
from autostatistician.report.draw import draw_panel, extent, line_colour, steps_of
from autostatistician.report.figures import draw_bars, figure_matplotlib, figure_panels, figure_svg, legend, page_style
from autostatistician.report.jsonform import plain
from autostatistician.report.palette import BAND_OPACITY, DARK, DARK_OPACITY, LIGHT, with_variables
from autostatistician.report.svg import Box
from autostatistician.report.text import cleaned, cut, slug, text_width, wrapped


def _drawn(values: list[float]) -> Figure:
    numbers = np.array(values)
    panel = BarPanel(
        "t", "share", "", (), tuple(f"c{i}" for i in range(len(values))), numbers, numbers - 1.0, numbers + 1.0
    )
    figure = Figure(figsize=(5.0, 3.0), dpi=72)
    with page_style():
        draw_bars(figure, panel, Box(0.0, 0.0, 360.0, 216.0))
    return figure


def test_bars_reach_from_zero_to_their_number() -> None:
    (axes,) = _drawn([5.0, 2.0, -3.0]).axes
    ends = [sorted({round(float(x), 9) for x in patch.get_path().vertices[:, 0]}) for patch in axes.patches]
    assert ends == [[0.0, 5.0], [0.0, 2.0], [-3.0, 0.0]]
    rows = [float(np.mean(patch.get_path().vertices[:4, 1])) for patch in axes.patches]
    assert rows == pytest.approx([0.0, 1.0, 2.0])
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first on top


def test_bars_without_negative_numbers_begin_at_the_edge() -> None:
    (axes,) = _drawn([5.0, 2.0]).axes
    assert axes.get_xlim()[0] == 0.0


def test_what_is_no_number_has_no_bar() -> None:
    (axes,) = _drawn([5.0, np.nan]).axes
    assert len(axes.patches) == 1
    assert [label.get_text() for label in axes.get_yticklabels()] == ["c0", "c1"]


def test_no_bars_need_no_axes() -> None:
    assert _drawn([]).axes == []


X, DATES = np.linspace(0.0, 4.0, 5), np.arange("2001-01", "2001-04", dtype="M8[M]").astype("M8[D]")
BLOCKS = [[np.eye(5), np.full((5, 3), 0.2)], [np.full((3, 5), -0.4), np.eye(3)]]
FIGURE = figure_correlations(["trend", "cycle"], [("depth", X), ("date", DATES)], BLOCKS)
SQUARES = FIGURE.axes[:4]


def test_every_pair_has_its_square() -> None:
    for axes, block in zip(SQUARES, [block for row in BLOCKS for block in row], strict=True):
        (image,) = axes.get_images()
        np.testing.assert_array_equal(np.asarray(image.get_array()), block)
        assert image.get_clim() == (-0.5, 1.0)


def test_only_the_edges_are_labelled() -> None:
    assert [axes.get_xlabel() != "" for axes in SQUARES] == [False, False, True, True]
    assert [axes.get_ylabel() != "" for axes in SQUARES] == [True, False, True, False]


def test_one_part_alone_is_one_square() -> None:
    figure = figure_correlations(["trend"], [("depth", X)], [[np.eye(5)]])
    assert len(figure.axes) == 2  # the square and the scale of colours


X_OF_DRAW = np.arange(5.0)
Y = np.array([1.0, 3.0, 2.0, 5.0, 4.0])


def _axes(*layers: Points | Line | Band | Marker, **options: bool) -> Axes:
    figure = Figure(figsize=(5.0, 3.0), dpi=72)
    with page_style():
        draw_panel(figure, Panel("t", "x", "y", layers, **options), Box(0.0, 0.0, 360.0, 216.0))  # type: ignore[arg-type]
    (axes,) = figure.axes
    return axes


@pytest.mark.parametrize("logarithmic", [False, True])
def test_limits_hold_every_layer(logarithmic: bool) -> None:
    axes = _axes(
        Points(X_OF_DRAW, Y, "p"), Band(X_OF_DRAW, Y - 0.9, Y + 8.0, "b"), Marker(7.0, "end"), logarithmic=logarithmic
    )
    low, high = axes.get_ylim()
    assert low < 0.1 < 13.0 < high
    assert axes.get_xlim()[0] < 0.0 < 7.0 < axes.get_xlim()[1]
    assert axes.get_yscale() == ("log" if logarithmic else "linear")


def test_a_band_is_there_and_back_with_a_hole_where_it_is_not_known() -> None:
    lower = np.array([0.0, 1.0, np.nan, 3.0, 4.0])
    first, second = _axes(Band(X_OF_DRAW, lower, lower + 2.0, "b", "forecast")).patches
    assert first.get_path().vertices[:4].tolist() == [[0.0, 0.0], [1.0, 1.0], [1.0, 3.0], [0.0, 2.0]]
    assert sorted(set(second.get_path().vertices[:, 0].tolist())) == [3.0, 4.0]
    assert to_hex(first.get_facecolor()) == LIGHT["forecast"]
    assert first.get_alpha() == BAND_OPACITY["forecast"]


def test_samples_take_turns_in_colour() -> None:
    axes = _axes(*(Line(X_OF_DRAW, Y + i, "s", "sample") for i in range(4)))
    colours = [to_hex(line.get_color()) for line in axes.get_lines()[:4]]
    assert colours == [LIGHT[f"sample-{i % 3 + 1}"] for i in range(4)]
    assert line_colour("mean", 7) == "mean"


def test_counts_are_named_at_whole_numbers() -> None:
    values = np.array([2.0, 3.0, 2.0, 2.0, 3.0])
    texts = [tick.get_text() for tick in _axes(Line(X_OF_DRAW, values, "l"), counts=True).get_yticklabels()]
    assert texts == ["2", "3"]
    assert "2.5" in [tick.get_text() for tick in _axes(Line(X_OF_DRAW, values, "l")).get_yticklabels()]


def test_zero_has_a_line_only_where_it_is_in_sight() -> None:
    def has_zero(values: np.ndarray) -> bool:
        return any(list(line.get_ydata()) == [0.0, 0.0] for line in _axes(Line(X_OF_DRAW, values, "l")).get_lines())

    assert has_zero(Y - 3.0)
    assert not has_zero(Y + 1.0)


@pytest.mark.parametrize(
    ("values", "limits"), [([0.0, 10.0], (-1.0, 11.0)), ([4.0, 4.0], (3.5, 4.5)), ([np.nan, np.inf], None), ([], None)]
)
def test_extent_has_a_margin_and_never_no_width(values: list[float], limits: tuple[float, float] | None) -> None:
    assert extent([np.array(values)], 0.1, 0.5) == limits


def test_texts_are_muted_and_the_grid_is_faint() -> None:
    axes = _axes(Line(X_OF_DRAW, Y, "l"))
    assert {to_hex(label.get_color()) for label in axes.get_yticklabels()} == {LIGHT["muted"]}
    assert {to_hex(line.get_color()) for line in axes.get_ygridlines()} == {LIGHT["grid"]}
    assert to_hex(axes.spines["bottom"].get_edgecolor()) == LIGHT["axis"]


def test_values_that_were_set_aside_have_a_mark_of_their_own() -> None:
    kept, aside = _axes(Points(X_OF_DRAW, Y, "data"), Points(X_OF_DRAW[:2], Y[:2], "set aside", role="aside")).lines
    assert (kept.get_marker(), aside.get_marker()) == ("o", "x")
    assert to_hex(aside.get_color()) == LIGHT["forecast"]


def test_names_of_neighbouring_points_do_not_cover_each_other() -> None:
    named = Points(np.array([1.0, 1.01, 4.0]), np.array([3.0, 3.01, 3.0]), "", ("one", "next to it", "far"))
    shown = [text.get_text() for text in _axes(Points(X_OF_DRAW, Y, "data"), named).texts if text.get_text()]
    assert shown == ["one", "far"]


@pytest.mark.parametrize("logarithmic", [False, True])
def test_a_logarithmic_axis_is_called_one(logarithmic: bool) -> None:
    (axes,) = (_axes(Points(X_OF_DRAW, Y, "p"), logarithmic=logarithmic),)
    texts = [text.get_text() for text in axes.figure.texts]
    assert ("y (logarithmic scale)" in texts, "y" in texts) == (logarithmic, not logarithmic)


X_OF_GROUPS = np.linspace(-2.0, 2.0, 9)
BUMP = tuple(np.exp(-(x**2) - X_OF_GROUPS**2) for x in X_OF_GROUPS)


def _figure(density: tuple[np.ndarray, ...] = BUMP, levels: tuple[float, ...] = (0.1, 0.5)) -> FigureOfGroups:
    groups = tuple(
        GroupPoints(X_OF_GROUPS[:4] + k, X_OF_GROUPS[:4], f"cluster {k}", group=k, mark=f"<{k}>") for k in (1, 2, 9)
    )
    panel = DensityPanel(
        "", "a", "b", groups, x_places=X_OF_GROUPS, y_places=X_OF_GROUPS, density=density, levels=levels
    )
    return FigureOfGroups("f", "", "", (panel,))


def test_groups_have_colours_of_their_own_and_a_legend() -> None:
    assert [(key.kind, key.role, key.label) for key in legend(_figure())] == [
        ("points", "group-1", "cluster 1"), ("points", "group-2", "cluster 2"), ("points", "group-1", "cluster 9")
    ]  # fmt: skip
    svg = figure_svg(_figure())
    assert "var(--group-1" in svg
    assert "var(--group-2" in svg
    assert "&lt;9&gt;" in svg


def test_marks_stand_beside_a_row_of_their_group() -> None:
    axes = figure_matplotlib(_figure()).axes[0]
    marks = {text.get_text(): text.xy for text in axes.texts}
    assert marks["<1>"] in {(x + 1, x) for x in X_OF_GROUPS[:4].tolist()}


def test_each_level_is_shaded_and_what_is_beyond_the_density_is_not() -> None:
    axes = figure_matplotlib(_figure()).axes[0]
    assert len(axes.collections) == 2
    assert len(figure_matplotlib(_figure(levels=(0.1, 5.0))).axes[0].collections) == 1
    assert len(figure_matplotlib(_figure(density=())).axes[0].collections) == 0


def test_the_axes_hold_the_density_and_the_rows() -> None:
    low, high = figure_matplotlib(_figure()).axes[0].get_xlim()
    assert low < -2.0
    assert high > 8.5


def test_alone_on_a_page_shapes_are_seen_as_such() -> None:
    width, height = figure_matplotlib(_figure()).get_size_inches()
    assert height > 0.6 * width


NUMBERS = st.floats(-1e6, 1e6).filter(lambda value: value == 0.0 or abs(value) > 1e-6)


@given(NUMBERS, st.floats(1e-3, 1e6))
def test_steps_hold_all_values_and_are_even(low: float, reach: float) -> None:
    limits = steps_of(low, low + reach)
    assert limits[0] <= low + 1e-9 * abs(low)
    assert limits[-1] >= (low + reach) * (1.0 - 1e-9 * np.sign(low + reach))
    np.testing.assert_allclose(np.diff(limits), limits[1] - limits[0], rtol=1e-6)
    assert 2 <= len(limits) <= 10


@pytest.mark.parametrize(("low", "high", "step"), [(0.0, 1.0, 0.2), (0.0, 17.0, 2.5), (-50.0, 50.0, 20.0)])
def test_steps_are_round(low: float, high: float, step: float) -> None:
    limits = steps_of(low, high)
    assert limits[1] - limits[0] == pytest.approx(step)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("table", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_lines_stand_out_from_the_paper(table: dict[str, str]) -> None:
    for name, least in (("ink", 7.0), ("muted", 4.5), ("accent", 4.5), ("mean", 3.0), ("forecast", 3.0), ("data", 3.0)):
        assert _contrast(table[name], table["paper"]) >= least, name


def test_every_colour_can_be_replaced_by_its_own_variable() -> None:
    assert LIGHT.keys() == DARK.keys()
    assert BAND_OPACITY.keys() == DARK_OPACITY.keys()
    assert len(set(LIGHT.values())) == len(LIGHT)
    assert len(set(BAND_OPACITY.values())) == len(BAND_OPACITY)


def test_only_our_colours_are_replaced() -> None:
    assert with_variables("fill: #123456; stroke: #ffffff") == "fill: #123456; stroke: var(--paper, #ffffff)"
    assert with_variables("opacity: 0.3") == "opacity: 0.3"


def _texts(svg: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("text")]


def _figure_of_panels(panel: Panel) -> FigureOfPanels:
    return FigureOfPanels("f", "caption", "alt", (panel,))


def bars(count: int = 4) -> BarPanel:
    values = np.linspace(40.0, 0.0, count)
    return BarPanel("What matters", "share, %", "", (), tuple(f"column {k}" for k in range(count)), values,
                    0.8 * values, 1.3 * values)  # fmt: skip


def heat(side: int = 12) -> HeatPanel:
    x, y = np.linspace(0.0, 4.0, side), np.linspace(-1.0, 1.0, side)
    values = np.outer(x - 2.0, y)
    width = np.abs(np.subtract.outer(x, 2.0 * y)) + 0.1
    return HeatPanel("Effect", "age", "water", (), x, y, tuple(values), tuple(width), 2.0, "", x, y)


@pytest.mark.parametrize("panel", [bars(), heat()], ids=["bars", "heat"])
def test_panels_have_their_labels_and_no_references(panel: Panel) -> None:
    svg = figure_svg(_figure_of_panels(panel))
    assert {panel.title, panel.x_label} <= set(_texts(svg))
    assert not re.search(r"\bid=|href|url\(|<style|<defs|<metadata|<!|nan", svg)
    colours = set(re.findall(r"(?:fill|stroke): ([^;\"]+)", svg)) - {"none"}
    assert all(re.fullmatch(r"var\(--[a-z0-9-]+, #[0-9a-f]{6}\)", colour) for colour in colours)
    assert len(svg) < 40_000
    assert figure_svg(_figure_of_panels(panel)) == svg
    assert figure_matplotlib(_figure_of_panels(panel)).axes


def test_bars_have_names_from_the_top() -> None:
    svg = figure_panels(_figure_of_panels(bars()))[0][0]
    places = {
        e.text: float(e.attrib["y"]) for e in ElementTree.fromstring(svg).iter() if (e.text or "").startswith("column")
    }
    assert sorted(places, key=lambda name: places[str(name)]) == [f"column {k}" for k in range(4)]


def test_negative_bars_and_odd_numbers_are_drawn() -> None:
    panel = BarPanel(
        "", "x", "", (), ("a", "b"), np.array([-2.0, np.nan]), np.array([-3.0, np.nan]), np.array([-1.0, 1.0])
    )
    assert "nan" not in figure_svg(_figure_of_panels(panel))
    assert figure_svg(_figure_of_panels(BarPanel("none", "x", "", ())))


def test_a_surface_has_steps_of_both_colours_a_scale_and_a_dashed_line() -> None:
    svg = figure_panels(_figure_of_panels(heat()))[0][0]
    assert "--mean" in svg
    assert "--forecast" in svg
    assert {"−2.0", "2.0", "0"} <= set(_texts(svg)) or {"−2", "2", "0"} <= set(_texts(svg))
    assert svg.count("stroke-dasharray") >= 1
    assert {"age", "water"} <= set(_texts(svg))


def test_a_surface_over_categories_has_their_names() -> None:
    x, y = np.arange(2.0), np.arange(3.0)
    panel = HeatPanel("t", "kind", "size", (), x, y, tuple(np.outer(x, y)), (), None, "%", x, x, ("ash", "oak"))
    texts = _texts(figure_panels(_figure_of_panels(panel))[0][0])
    assert {"ash", "oak"} <= set(texts)
    assert any(text.endswith("%") for text in texts)


def test_of_many_categories_as_many_are_named_as_have_room() -> None:
    x = np.arange(40.0)
    names = tuple(f"category {number}" for number in range(40))
    panel = HeatPanel("t", "kind", "place", (), x, x, tuple(np.outer(x, x)), (), None, "%", x, x, names, names)
    texts = _texts(figure_panels(_figure_of_panels(panel))[0][0])
    named = [text for text in texts if text.startswith("cat")]
    assert 4 <= len(named) <= 50


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.0), (-1e-9, 1e9), (5.0, 5.1), (-3.2, -3.1)])
def test_steps_hold_all_values(low: float, high: float) -> None:
    steps = steps_of(low, high)
    assert steps[0] <= low
    assert steps[-1] >= high
    assert 2 <= len(steps) <= 12


def test_ranges_are_strokes_in_one_path() -> None:
    x = np.arange(30.0)
    panel = Panel("t", "x", "y", (Ranges(x, x - 1.0, x + 1.0, "range"), Line(x, x, "line")))
    svg = figure_panels(_figure_of_panels(panel))[0][0]
    strokes = [d for d in re.findall(r' d="([^"]*)"', svg) if d.count("M") == 30]
    assert len(strokes) == 1


def test_panels_are_plain_data() -> None:
    record = plain(heat(3))
    assert isinstance(record, dict)
    assert record["kind"] == "heatpanel"
    assert len(record["values"]) == 3


@given(st.text(st.characters()))
def test_cleaned_text_is_valid_everywhere(text: str) -> None:
    result = cleaned(text + "\x1b\ud800\u202e")
    assert result.encode().decode() == result
    assert not set(result) & {"\x00", "\x1b", "\u202e", "\ufeff"}
    assert cleaned(result) == result


def test_cleaning_reaches_into_records() -> None:
    assert cleaned(Paragraph("a\x00b", ("f\x07",))) == Paragraph("ab", ("f",))


@given(st.text(max_size=60), st.floats(20.0, 300.0))
def test_lines_fit(text: str, width: float) -> None:
    assert text_width(cut(text, width, 12.0), 12.0) <= width
    lines = wrapped(text, width, 12.0)
    assert len(lines) <= 2
    assert all(text_width(line, 12.0) <= width for line in lines)


@given(st.text())
def test_slugs_need_no_escaping(text: str) -> None:
    assert slug(text).replace("-", "").replace("_", "").isalnum() or set(slug(text)) <= {"-", "_"}
    assert slug(text).isascii()

"""How layers become marks: limits that hold them, bands as closed outlines, colours by role."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from autostatistician.describe.document.document import Band, Line, Marker, Panel, Points
from autostatistician.report.draw import Box, draw_panel, extent, line_colour
from autostatistician.report.figures import page_style
from autostatistician.report.palette import BAND_OPACITY, LIGHT

X = np.arange(5.0)
Y = np.array([1.0, 3.0, 2.0, 5.0, 4.0])


def _axes(*layers: Points | Line | Band | Marker, **options: bool) -> Axes:
    figure = Figure(figsize=(5.0, 3.0), dpi=72)
    with page_style():
        draw_panel(figure, Panel("t", "x", "y", layers, **options), Box(0.0, 0.0, 360.0, 216.0))  # type: ignore[arg-type]
    (axes,) = figure.axes
    return axes


@pytest.mark.parametrize("logarithmic", [False, True])
def test_limits_hold_every_layer(logarithmic: bool) -> None:
    axes = _axes(Points(X, Y, "p"), Band(X, Y - 0.9, Y + 8.0, "b"), Marker(7.0, "end"), logarithmic=logarithmic)
    low, high = axes.get_ylim()
    assert low < 0.1 < 13.0 < high
    assert axes.get_xlim()[0] < 0.0 < 7.0 < axes.get_xlim()[1]
    assert axes.get_yscale() == ("log" if logarithmic else "linear")


def test_a_band_is_there_and_back_with_a_hole_where_it_is_not_known() -> None:
    lower = np.array([0.0, 1.0, np.nan, 3.0, 4.0])
    first, second = _axes(Band(X, lower, lower + 2.0, "b", "forecast")).patches
    assert first.get_path().vertices[:4].tolist() == [[0.0, 0.0], [1.0, 1.0], [1.0, 3.0], [0.0, 2.0]]
    assert sorted(set(second.get_path().vertices[:, 0].tolist())) == [3.0, 4.0]
    assert to_hex(first.get_facecolor()) == LIGHT["forecast"]
    assert first.get_alpha() == BAND_OPACITY["forecast"]


def test_samples_take_turns_in_colour() -> None:
    axes = _axes(*(Line(X, Y + i, "s", "sample") for i in range(4)))
    colours = [to_hex(line.get_color()) for line in axes.get_lines()[:4]]
    assert colours == [LIGHT[f"sample-{i % 3 + 1}"] for i in range(4)]
    assert line_colour("mean", 7) == "mean"


def test_counts_are_named_at_whole_numbers() -> None:
    values = np.array([2.0, 3.0, 2.0, 2.0, 3.0])
    texts = [tick.get_text() for tick in _axes(Line(X, values, "l"), counts=True).get_yticklabels()]
    assert texts == ["2", "3"]
    assert "2.5" in [tick.get_text() for tick in _axes(Line(X, values, "l")).get_yticklabels()]


def test_zero_has_a_line_only_where_it_is_in_sight() -> None:
    def has_zero(values: np.ndarray) -> bool:
        return any(list(line.get_ydata()) == [0.0, 0.0] for line in _axes(Line(X, values, "l")).get_lines())

    assert has_zero(Y - 3.0)
    assert not has_zero(Y + 1.0)


@pytest.mark.parametrize(
    ("values", "limits"),
    [([0.0, 10.0], (-1.0, 11.0)), ([4.0, 4.0], (3.5, 4.5)), ([np.nan, np.inf], None), ([], None)],
)
def test_extent_has_a_margin_and_never_no_width(values: list[float], limits: tuple[float, float] | None) -> None:
    assert extent([np.array(values)], 0.1, 0.5) == limits


def test_texts_are_muted_and_the_grid_is_faint() -> None:
    axes = _axes(Line(X, Y, "l"))
    assert {to_hex(label.get_color()) for label in axes.get_yticklabels()} == {LIGHT["muted"]}
    assert {to_hex(line.get_color()) for line in axes.get_ygridlines()} == {LIGHT["grid"]}
    assert to_hex(axes.spines["bottom"].get_edgecolor()) == LIGHT["axis"]


def test_values_that_were_set_aside_have_a_mark_of_their_own() -> None:
    kept, aside = _axes(Points(X, Y, "data"), Points(X[:2], Y[:2], "set aside", role="aside")).lines
    assert (kept.get_marker(), aside.get_marker()) == ("o", "x")
    assert to_hex(aside.get_color()) == LIGHT["forecast"]


def test_names_of_neighbouring_points_do_not_cover_each_other() -> None:
    named = Points(np.array([1.0, 1.01, 4.0]), np.array([3.0, 3.01, 3.0]), "", ("one", "next to it", "far"))
    shown = [text.get_text() for text in _axes(Points(X, Y, "data"), named).texts if text.get_text()]
    assert shown == ["one", "far"]


@pytest.mark.parametrize("logarithmic", [False, True])
def test_a_logarithmic_axis_is_called_one(logarithmic: bool) -> None:
    (axes,) = (_axes(Points(X, Y, "p"), logarithmic=logarithmic),)
    texts = [text.get_text() for text in axes.figure.texts]
    assert ("y (logarithmic scale)" in texts, "y" in texts) == (logarithmic, not logarithmic)

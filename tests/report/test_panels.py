"""Bars, heat maps and single ranges as pictures: real text, colours that change with the page, small files."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from autostatistician.describe.document.document import Figure, Line, Panel
from autostatistician.describe.document.panels import BarPanel, HeatPanel, Ranges
from autostatistician.report.figures import figure_matplotlib, figure_panels, figure_svg
from autostatistician.report.heat import steps_of
from autostatistician.report.jsonform import plain


def _texts(svg: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("text")]


def _figure(panel: Panel) -> Figure:
    return Figure("f", "caption", "alt", (panel,))


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
    svg = figure_svg(_figure(panel))
    assert {panel.title, panel.x_label} <= set(_texts(svg))
    assert not re.search(r"\bid=|href|url\(|<style|<defs|<metadata|<!|nan", svg)
    colours = set(re.findall(r"(?:fill|stroke): ([^;\"]+)", svg)) - {"none"}
    assert all(re.fullmatch(r"var\(--[a-z0-9-]+, #[0-9a-f]{6}\)", colour) for colour in colours)
    assert len(svg) < 40_000
    assert figure_svg(_figure(panel)) == svg
    assert figure_matplotlib(_figure(panel)).axes


def test_bars_have_names_from_the_top() -> None:
    svg = figure_panels(_figure(bars()))[0][0]
    places = {
        e.text: float(e.attrib["y"]) for e in ElementTree.fromstring(svg).iter() if (e.text or "").startswith("column")
    }
    assert sorted(places, key=lambda name: places[str(name)]) == [f"column {k}" for k in range(4)]


def test_negative_bars_and_odd_numbers_are_drawn() -> None:
    panel = BarPanel(
        "", "x", "", (), ("a", "b"), np.array([-2.0, np.nan]), np.array([-3.0, np.nan]), np.array([-1.0, 1.0])
    )
    assert "nan" not in figure_svg(_figure(panel))
    assert figure_svg(_figure(BarPanel("none", "x", "", ())))


def test_a_surface_has_steps_of_both_colours_a_scale_and_a_dashed_line() -> None:
    svg = figure_panels(_figure(heat()))[0][0]
    assert "--mean" in svg
    assert "--forecast" in svg
    assert {"−2.0", "2.0", "0"} <= set(_texts(svg)) or {"−2", "2", "0"} <= set(_texts(svg))
    assert svg.count("stroke-dasharray") >= 1
    assert {"age", "water"} <= set(_texts(svg))


def test_a_surface_over_categories_has_their_names() -> None:
    x, y = np.arange(2.0), np.arange(3.0)
    panel = HeatPanel("t", "kind", "size", (), x, y, tuple(np.outer(x, y)), (), None, "%", x, x, ("ash", "oak"))
    texts = _texts(figure_panels(_figure(panel))[0][0])
    assert {"ash", "oak"} <= set(texts)
    assert any(text.endswith("%") for text in texts)


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.0), (-1e-9, 1e9), (5.0, 5.1), (-3.2, -3.1)])
def test_steps_hold_all_values(low: float, high: float) -> None:
    steps = steps_of(low, high)
    assert steps[0] <= low
    assert steps[-1] >= high
    assert 2 <= len(steps) <= 12


def test_ranges_are_strokes_in_one_path() -> None:
    x = np.arange(30.0)
    panel = Panel("t", "x", "y", (Ranges(x, x - 1.0, x + 1.0, "range"), Line(x, x, "line")))
    svg = figure_panels(_figure(panel))[0][0]
    strokes = [d for d in re.findall(r' d="([^"]*)"', svg) if d.count("M") == 30]
    assert len(strokes) == 1


def test_panels_are_plain_data() -> None:
    record = plain(heat(3))
    assert isinstance(record, dict)
    assert record["kind"] == "heatpanel"
    assert len(record["values"]) == 3

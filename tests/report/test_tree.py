"""Trees of searches: every model that fits in a row is drawn, none is cut off, the way is marked."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

from autostatistician.describe.document.document import Document, Figure, Section
from autostatistician.describe.document.panels import TreeNode, TreePanel
from autostatistician.report import to_html, to_json, to_markdown
from autostatistician.report.figures import figure_panels, figure_svg
from autostatistician.report.tree import tree_height

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

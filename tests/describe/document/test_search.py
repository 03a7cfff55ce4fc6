"""The tree of a search as data: which models are shown, and which way is marked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.document.series.test_verdict import plain  # noqa: F401

from autostatistician.decompose.records.series import Decomposition, Tried
from autostatistician.describe.document.document import Figure
from autostatistician.describe.document.panels import TreePanel
from autostatistician.describe.document.search import SHOWN_MODELS, tree_figure, way
from autostatistician.describe.facts.search import TriedModel
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.tell import document

TRIED = (
    Tried(2, "SE * Per + WN", 20.0, 2),
    *(Tried(1, f"other {index}", 50.0 + index, 7) for index in range(5)),
    Tried(2, "SE + SE + WN", 60.0, 1),
    Tried(0, "WN", 90.0, None),
)


WAY = tuple(TriedModel(one.level, one.expression, one.score, one.parent) for one in TRIED)


def test_the_way_leads_from_the_first_to_the_best() -> None:
    assert way(WAY) == (7, 2, 0)


def test_the_way_begins_where_no_parent_is_known() -> None:
    assert way((replace(WAY[0], parent=None), *WAY[1:])) == (0,)


def test_the_figure_shows_the_best_few_of_every_level_with_the_way(plain: Decomposition) -> None:  # noqa: F811
    figure = tree_figure(search_of(replace(plain, tried=TRIED, proposed=(1, 1234, 40)), ()))
    assert figure is not None
    panel = figure.panels[0]
    assert isinstance(panel, TreePanel)
    assert panel.rows == (("Level 0", "1 tried"), ("Level 1", "1,234 tried"), ("Level 2", "40 tried"))
    assert [node.text for node in panel.nodes if node.row == 1] == ["other 0", "other 1", "other 2", "other 3"]
    assert len([node for node in panel.nodes if node.row == 1]) == SHOWN_MODELS
    assert [node.text for node in panel.nodes if node.chosen] == ["WN", "other 1", "SE * Per + WN"]
    best = next(node for node in panel.nodes if node.text == "SE * Per + WN")
    assert best.note == "BIC 20.0"
    assert panel.nodes[best.parent or 0].text == "other 1"
    assert "WN (BIC 90.0); then other 1 (BIC 51.0); then SE * Per + WN (BIC 20.0)" in figure.alt


@pytest.mark.parametrize("tried", [(), (Tried(0, "WN", 1.0, None),)])
def test_a_search_of_one_level_has_no_tree(plain: Decomposition, tried: tuple[Tried, ...]) -> None:  # noqa: F811
    assert tree_figure(search_of(replace(plain, tried=tried), ())) is None


def test_the_report_shows_it(plain: Decomposition) -> None:  # noqa: F811
    found = document(replace(plain, tried=TRIED, proposed=(1, 1234, 40)))
    (section,) = [one for one in found.sections if one.id == "search"]
    assert "fig-tree" in [block.id for block in section.blocks if isinstance(block, Figure)]


def test_without_a_tree_the_path_is_drawn(plain: Decomposition) -> None:  # noqa: F811
    path = (("WN", 90.0, 0.1), ("SE + WN", 50.0, 0.2), ("SE * Per + WN", 20.0, 0.3))
    (section,) = [one for one in document(replace(plain, path=path)).sections if one.id == "search"]
    (figure,) = [block for block in section.blocks if isinstance(block, Figure)]
    assert figure.id == "fig-path"
    assert figure.alt == "A line that falls from 90 to 20 in 2 levels."
    assert figure.panels[0].layers[0].y.tolist() == [90.0, 50.0, 20.0]  # type: ignore[union-attr]

"""The report on a table: its sections, sentences, figures and record, made from a model that is known to be right."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.table.tables import bump, dataset, decomposition
from tests.describe.spoken.tables import _figures, _sections
from tests.describe.spoken.tables import made_found_of_table_page as made_found

from autostatistician.data.dataset import Dataset
from autostatistician.decompose.records.series import Tried
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.document.document import Bullets, Document, Paragraph, Table
from autostatistician.describe.document.panels import BarPanel, HeatPanel, Ranges, TreePanel
from autostatistician.describe.tell import document, result, sentences, statements
from autostatistician.language.kernel import leaf
from autostatistician.report import to_html, to_json, to_markdown


@pytest.fixture(scope="module")
def found() -> TableDecomposition:
    return made_found()


@pytest.fixture(scope="module")
def told(found: TableDecomposition) -> Document:
    return document(found)


@pytest.mark.slow
def test_sentences_name_effects_scatter_and_idle_columns(found: TableDecomposition) -> None:
    together, alone, scatter, idle = sentences(found)
    assert together.startswith("'b' and 'c' act together: ")
    assert alone.startswith("'y' rises with 'a' up to about 0.79, by 2.05 (95% range: ")
    assert scatter == (
        "Random scatter: 95% of the values lie within ±0.15 of what the columns give; the model expects 95% of new "
        "ones within ±0.2 of it."
    )
    assert idle == "'d' adds nothing beyond the rest: the model does without it."


def test_sections_in_the_order_of_reading(told: Document) -> None:
    names = [section.id for section in told.sections]
    assert names == ["brief", "verdict", "effects", "columns", "sureness", "checks", "search", "method"]
    assert told.title == "Automatic report on 'y'"
    assert told.subtitle == "120 rows of 'y' with 4 columns: 'a', 'b', 'c', and 'd'"
    assert told.abstract.startswith("Most of 'y' depends on ")
    assert "'d' adds nothing beyond the rest." in told.abstract


def test_figures_suit_tables(told: Document) -> None:
    figures = _figures(told)
    assert {"fig-overview", "fig-effect-1-joint", "fig-effect-1", "fig-effect-2", "fig-errors"} <= set(figures)
    bars, predicted = figures["fig-overview"].panels
    assert isinstance(bars, BarPanel)
    assert set(bars.names) == {"a", "b", "c"}
    assert any(isinstance(layer, Ranges) for layer in predicted.layers)
    heat, slices = figures["fig-effect-1-joint"].panels
    assert isinstance(heat, HeatPanel)
    assert len(slices.layers) == 4
    assert [panel.x_label for panel in figures["fig-effect-2"].panels] == ["a"]


def test_every_claim_of_the_brief_leads_to_its_section(told: Document) -> None:
    brief = told.sections[0]
    bullets = next(block for block in brief.blocks if isinstance(block, Bullets))
    known = {section.id for section in _sections(told.sections)}
    assert set(bullets.links) - {""} <= known
    stated = {fact["id"] for fact in result_facts(told)}
    used = {fact for s in _sections(told.sections) for b in s.blocks if isinstance(b, Paragraph) for fact in b.facts}
    assert used
    assert used <= stated


def result_facts(told: Document) -> list[dict[str, str]]:
    facts = told.record["facts"]
    assert isinstance(facts, list)
    return facts


def test_the_record_is_plain_json(found: TableDecomposition) -> None:
    record = json.loads(json.dumps(result(found), allow_nan=False))
    assert record["inputs"] == ["a", "b", "c", "d"]
    assert [one["columns"] for one in record["components"]] == [["b", "c"], ["a"]]
    sentence = "'d' adds nothing beyond the rest: the model does without it."
    last = {"name": "d", "told": "nothing", "sentence": sentence, "relevance": 0.0, "probability": 0.0}
    assert record["columns"][-1] == last
    assert [(one["manner"], one["together"]) for one in record["components"]] == [("pair", ["b", "c"]), ("alone", [])]
    assert record["r2_left_out"] > 0.9


def test_statements_have_the_weight_of_their_models(found: TableDecomposition) -> None:
    weights = {one.text: (one.probability, one.in_best) for one in statements(found)}
    assert weights == {
        "'a' matters": (1.0, True),
        "'b' matters": (0.96, True),
        "'c' matters": (0.96, True),
        "'b' and 'c' act together": (0.96, True),
    }


def test_every_format_is_written_the_same_every_time(told: Document, found: TableDecomposition) -> None:
    assert to_json(told) == to_json(document(found))
    assert to_markdown(told).count("**Figure ") == len(_figures(told))
    page = to_html(told)
    assert len(page) < 200_000
    assert "NaN" not in page


def test_seconds_are_in_the_result_alone(found: TableDecomposition, told: Document) -> None:
    assert result(found)["seconds"] == 1.0
    assert "seconds" not in told.record


def test_a_share_is_never_told_as_more_than_the_whole(found: TableDecomposition) -> None:
    first = replace(found.effects[0], share=1.02, share_span=(0.64, 1.05))
    over = replace(found, effects=(first, *found.effects[1:]))
    assert "105%" not in to_markdown(document(over))
    (told,) = [block for one in _sections(document(over).sections) if one.id == "effects" for block in one.blocks
               if isinstance(block, Table)]  # fmt: skip
    assert told.rows[0][1:3] == ("100%", "64% to 100%")
    record = result(over)
    assert record["components"][0]["share"] == 1.0  # type: ignore[index]


def test_a_forgotten_column_is_named_in_the_verdict() -> None:
    forgot = document(decomposition(bump("b") * bump("c") + leaf("WN", sd=0.7), dataset()))
    lists = [block for section in _sections(forgot.sections[1:2]) for block in section.blocks]
    verdict = [item for block in lists if isinstance(block, Bullets) for item in block.items]
    assert any(item.startswith("What is said of 'a'") for item in verdict), verdict
    assert any(item.startswith("Search with more levels") for item in verdict)


def test_the_tree_of_the_search_is_shown_where_there_is_one(found: TableDecomposition, told: Document) -> None:
    assert "fig-tree" not in _figures(told)
    tried = (Tried(1, "SE[a] * SE[b] + WN", 20.0, None), Tried(1, "SE[a] + WN", 30.0, 2), Tried(0, "WN", 90.0, None))
    figure = _figures(document(replace(found, tried=tried, proposed=(1, 7))))["fig-tree"]
    assert isinstance(figure.panels[0], TreePanel)
    assert [(node.text, node.parent) for node in figure.panels[0].nodes] == [
        ("WN", None), ("SE[a] * SE[b] + WN", None), ("SE[a] + WN", 0),
    ]  # fmt: skip
    assert "level 1 without a line began as sums and products over all columns" in figure.caption


def test_a_table_tells_a_cut_search_and_what_is_open(found: TableDecomposition) -> None:
    cut = document(replace(found, cut="budget"))
    text = to_markdown(cut)
    assert "cut short by its time budget" in text
    assert "nearly every model that fits" not in text
    assert "nearly every model that fits" in to_markdown(document(found))
    column = replace(found.columns[0], probability=0.3)
    (item,) = [one for one in sentences(replace(found, columns=(column,))) if "open" in one] or ("",)
    assert item == ""  # the bullets of the brief tell effects; the column's own sentence is in its section
    assert "It is open whether 'a' matters" in to_markdown(document(replace(found, columns=(column,))))


def test_categories_are_called_by_their_names() -> None:
    rng = np.random.default_rng(0)
    codes, x = rng.integers(0, 3, 60).astype(float), rng.uniform(0.0, 1.0, 60)
    y = np.array([1.0, 5.0, 2.0])[codes.astype(int)] + x + 0.05 * rng.normal(size=60)
    levels = {"kind": ("ash", "beech", "oak")}
    data = Dataset(np.column_stack([codes, x]), y, ("kind", "x"), "y", None, levels=levels)
    kernel = leaf("Cat", "kind", contrast=1.0, sd=3.0) + bump("x") + leaf("WN", sd=0.05)
    told = document(decomposition(kernel, data))
    assert "'y' is highest where 'kind' is 'beech' and lowest where it is 'ash'" in to_markdown(told)
    (panel,) = _figures(told)["fig-effect-1"].panels
    assert isinstance(panel, BarPanel)
    assert panel.names == ("ash", "beech", "oak")

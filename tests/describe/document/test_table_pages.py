"""Pages on tables: sections, sentences, pictures and records."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.table.classes import decomposition as of_classes
from tests.decompose.table.tables import bump, dataset, decomposition, model
from tests.describe.spoken.tables import FOUND, figures_of, sections_of
from tests.describe.spoken.tables import SCALE_OF_TABLE_STORY as SCALE_OF_STORY
from tests.describe.spoken.tables import made_found_of_table_page as made_found

from autostatistician.data.dataset import Dataset
from autostatistician.decompose.records.series import Tried
from autostatistician.decompose.records.table import ByPoints, TableDecomposition
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.document import Bullets, Document, Line, Paragraph, Points, Section, Table
from autostatistician.describe.document.panels import BarPanel, HeatPanel, Ranges, TreePanel
from autostatistician.describe.document.table.page import table_page
from autostatistician.describe.document.table.pictures import (
    MOST_POINTS,
    curve_figure,
    errors_figure,
    joint_figures,
    overview_figure,
)
from autostatistician.describe.document.table.sections import (
    TableStory,
    columns_section,
    effects_section,
    found_section,
    main_columns_text,
    story_of,
    sureness_sections,
)
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.observe.table.findings import class_findings, scale_for, table_findings
from autostatistician.describe.tell import document, result, sentences, statements
from autostatistician.language.kernel import leaf
from autostatistician.report import to_html, to_json, to_markdown


@pytest.fixture(scope="module")
def found() -> TableDecomposition:
    return made_found()


@pytest.fixture(scope="module")
def told(found: TableDecomposition) -> Document:
    return document(found)


def test_sections_in_the_order_of_reading(told: Document) -> None:
    assert [section.id for section in told.sections] == ["brief", "effects", "columns", "sureness"]
    assert [section.id for section in told.found] == ["checks", "search", "method"]
    assert told.title == "Automatic report on 'y'"
    assert told.subtitle == "120 rows of 'y' with 4 columns: 'a', 'b', 'c', and 'd'"
    assert told.abstract.startswith("Most of 'y' depends on ")
    assert "'d' adds nothing beyond the rest." in told.abstract


def test_figures_suit_tables(told: Document) -> None:
    figures = figures_of(told)
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
    known = {section.id for section in sections_of(told.sections)}
    assert set(bullets.links) - {""} <= known
    stated = {fact["id"] for fact in result_facts(told)}
    used = {fact for s in sections_of(told.sections) for b in s.blocks if isinstance(b, Paragraph) for fact in b.facts}
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
    assert to_markdown(told).count("**Figure ") == len(figures_of(told))
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
    (told,) = [block for one in sections_of(document(over).sections) if one.id == "effects" for block in one.blocks
               if isinstance(block, Table)]  # fmt: skip
    assert told.rows[0][1:3] == ("100%", "64% to 100%")
    record = result(over)
    assert record["components"][0]["share"] == 1.0  # type: ignore[index]


def test_a_forgotten_column_is_named_in_the_verdict() -> None:
    forgot = document(decomposition(bump("b") * bump("c") + leaf("WN", sd=0.7), dataset()))
    assert any(item.startswith("What is said of 'a'") for item in forgot.careful)
    assert any(item.startswith("Search with more levels") for item in forgot.careful)


def test_the_tree_of_the_search_is_shown_where_there_is_one(found: TableDecomposition, told: Document) -> None:
    assert "fig-tree" not in figures_of(told)
    tried = (Tried(1, "SE[a] * SE[b] + WN", 20.0, None), Tried(1, "SE[a] + WN", 30.0, 2), Tried(0, "WN", 90.0, None))
    figure = figures_of(document(replace(found, tried=tried, proposed=(1, 7))))["fig-tree"]
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
    (panel,) = figures_of(told)["fig-effect-1"].panels
    assert isinstance(panel, BarPanel)
    assert panel.names == ("ash", "beech", "oak")


SCALE = Scale(target="y")


@pytest.fixture(scope="module")
def found_of_pictures() -> TableFindings:
    return table_findings(decomposition(model(), dataset(60)))


def test_bars_are_shares_in_per_cent_of_the_columns_that_are_used(found_of_pictures: TableFindings) -> None:
    bars, _ = overview_figure(found_of_pictures, SCALE).panels
    assert isinstance(bars, BarPanel)
    used = [fact for fact in found_of_pictures.columns if fact.used]
    assert bars.names == tuple(fact.column for fact in used)
    np.testing.assert_allclose(bars.values, [100.0 * fact.number for fact in used])


def test_without_effects_only_predictions_are_drawn(found_of_pictures: TableFindings) -> None:
    idle = replace(found_of_pictures, columns=tuple(replace(fact, used=False) for fact in found_of_pictures.columns))
    (panel,) = overview_figure(idle, SCALE).panels
    assert panel.title == "Predicted from all others"


def test_a_scatter_of_many_values_is_thinned_and_says_so(found_of_pictures: TableFindings) -> None:
    n = MOST_POINTS + 1
    many = {name: np.linspace(0.0, 1.0, n) for name in ("y", "predicted", "lower", "upper", "errors")}
    figure = overview_figure(replace(found_of_pictures, left_out=replace(found_of_pictures.left_out, **many)), SCALE)
    (points,) = [layer for layer in figure.panels[-1].layers if isinstance(layer, Points)]
    assert len(points.y) == MOST_POINTS
    assert f"Of {n} values {MOST_POINTS}, evenly chosen, are drawn." in figure.caption


def test_effects_of_a_logarithm_are_drawn_in_per_cent(found_of_pictures: TableFindings) -> None:
    (effect,) = [one for one in found_of_pictures.effects if one.columns == ("a",)]
    plain, log = (curve_figure(effect, scale).panels[0] for scale in (SCALE, Scale(target="y", level=2.0)))
    lines = [next(layer for layer in panel.layers if isinstance(layer, Line)) for panel in (plain, log)]
    np.testing.assert_allclose(lines[1].y, 100.0 * np.expm1(lines[0].y))
    assert (plain.y_label, log.y_label) == ("effect on 'y'", "effect on 'y', %")


def test_categories_are_bars_with_their_names(found_of_pictures: TableFindings) -> None:
    (effect,) = [one for one in found_of_pictures.effects if one.columns == ("a",)]
    (curve,) = effect.curves.along
    named = replace(curve, levels=("x", "y", "z"), x=np.arange(3.0), mean=curve.mean[:3], lower=curve.lower[:3],
                    upper=curve.upper[:3])  # fmt: skip
    (panel,) = curve_figure(replace(effect, curves=replace(effect.curves, along=(named,))), SCALE).panels
    assert isinstance(panel, BarPanel)
    assert panel.names == ("x", "y", "z")


def test_only_joint_effects_have_a_map(found_of_pictures: TableFindings) -> None:
    for effect in found_of_pictures.effects:
        figures = joint_figures(effect, SCALE)
        assert len(figures) == (len(effect.columns) == 2)
        if figures:
            heat = figures[0].panels[0]
            assert isinstance(heat, HeatPanel)
            assert (heat.x_label, heat.y_label) == effect.columns
            assert np.array(heat.values).shape == (heat.x.size, heat.y.size)


def test_errors_tell_what_ranges_held(found_of_pictures: TableFindings) -> None:
    figure = errors_figure(replace(found_of_pictures.left_out, levels=(0.5, 0.95), held=(0.4, 0.9)))
    assert "ranges of 50% and 95% hold 40% and 90% of the values" in figure.alt


def _first(section: Section) -> str:
    return next(block.text for block in section.blocks if isinstance(block, Paragraph))


@pytest.mark.slow
def test_numbers_have_scatter_and_classes_have_none() -> None:
    table, classes = decomposition(model(), dataset()), of_classes()
    numbers: TableStory = story_of(table_findings(table), scale_for(table))
    chances: TableStory = story_of(class_findings(classes), scale_for(classes))
    assert "two effects and random scatter" in _first(effects_section(numbers)[0])
    assert "two effects. They come" in _first(effects_section(chances)[0])
    assert "the variation in the data" in str(columns_section(numbers).blocks[-1])
    assert "all that decides on a class" in str(columns_section(chances).blocks[-1])
    assert main_columns_text(numbers).startswith("Most of 'y' depends on")
    assert "SE[age]" in _first(found_section(chances))


@pytest.mark.slow
def test_most_is_said_only_above_half() -> None:
    table = decomposition(model(), dataset())
    story = story_of(table_findings(table), scale_for(table))
    half = tuple(replace(told, effect=replace(told.effect, share=0.13)) for told in story.effects)
    assert main_columns_text(replace(story, effects=half)).startswith("Of the columns, 'y' depends most on ")


@pytest.mark.slow
def test_where_every_column_is_open_none_is_said_to_matter_or_not() -> None:
    table = decomposition(model(), dataset())
    unsure = tuple(replace(column, probability=0.7) for column in table.columns if column.used)
    story = story_of(table_findings(replace(table, columns=unsure)), scale_for(table))
    assert main_columns_text(story) == "It is open whether 'y' depends on 'b', 'c', and 'a'."


@pytest.mark.slow
def test_a_row_that_carries_an_effect_is_named_in_the_lead() -> None:
    table = decomposition(model(), dataset())
    story = story_of(table_findings(table), scale_for(table))
    carried = tuple(replace(fact, carried=9 if fact.column == "a" else None) for fact in story.findings.columns)
    told = main_columns_text(replace(story, findings=replace(story.findings, columns=carried)))
    assert "What is seen of 'a' rests on row 9 alone." in told
    assert "rests on" not in main_columns_text(story)


@pytest.mark.slow
def test_of_what_is_open_no_table_says_that_it_acts_together() -> None:
    table = decomposition(model(), dataset())
    other = (table.alternatives[1][0], 0.1)
    shaky = replace(table, alternatives=((table.alternatives[0][0], 0.9), other))
    assert "act together" not in repr(sureness_sections(story_of(table_findings(shaky), scale_for(shaky))))


@pytest.mark.slow
def test_inducing_points_are_told_with_how_far_from_exact_they_are() -> None:
    table = decomposition(model(), dataset())
    inexact = replace(table, by_points=ByPoints(182, 1000, 0.314159), stages=(50, 120))
    told = [_first(found_section(story_of(table_findings(one), scale_for(one)))) for one in (table, inexact)]
    assert "inducing" not in told[0]
    assert told[1].endswith(
        "The search looked for structure on 50 of the 120 rows, drawn by chance. The best models were then judged on "
        "all rows: every score and probability is of these."
    )
    assert (
        "With 120 rows, the function is made to stand on its values at 182 of them (inducing points; Titsias 2009). "
        "On 1,000 rows, of which it can be computed exactly as well, that takes 0.314 off the logarithm of the "
        "evidence."
    ) in told[1]
    page = table_page(table_findings(inexact), scale_for(inexact))
    assert [fact.number for fact in page.facts if fact.id == "model/exactness"] == [0.314159]


def test_only_effects_that_are_told_have_words() -> None:
    first, *rest = FOUND.parts
    story = story_of(replace(FOUND, parts=(replace(first, told=False), *rest)), SCALE_OF_STORY)
    assert [told.effect for told in story.effects] == rest
    assert all(told.sentence.endswith(".") for told in story.effects)

"""Pages on tables: sections, sentences, pictures and records."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.table.tables import bump, dataset, decomposition, model
from tests.describe.effect_cases import changed, copy_of, input_column, with_columns
from tests.describe.sentences import sections_of
from tests.describe.spoken.tables import FOUND, figures_of
from tests.describe.spoken.tables import SCALE_OF_TABLE_STORY as SCALE_OF_STORY
from tests.describe.spoken.tables import made_found_of_table_page as made_found

from autostatistician.claims.claim import Claim
from autostatistician.data.dataset import Dataset
from autostatistician.decompose.records.series import Tried
from autostatistician.decompose.records.table import ByPoints, Slope, TableDecomposition
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.document import Document, Line, Paragraph, Points, Section
from autostatistician.describe.document.panels import BarPanel, HeatPanel, Ranges, TreePanel
from autostatistician.describe.document.table.page import table_page
from autostatistician.describe.document.table.pictures import (
    MOST_POINTS,
    curve_figure,
    errors_figure,
    joint_figures,
    key_figure,
)
from autostatistician.describe.document.table.sections import found_section, story_of
from autostatistician.describe.document.table.verdict import codes_texts
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.observe.table.findings import scale_for, table_findings
from autostatistician.describe.tell import document, result, sentences, statements
from autostatistician.forms import INDICATOR
from autostatistician.kernels.kernel import leaf
from autostatistician.report import to_html, to_json, to_markdown


@pytest.fixture(scope="module")
def found() -> TableDecomposition:
    return made_found()


@pytest.fixture(scope="module")
def told(found: TableDecomposition) -> Document:
    return document(found)


def test_sections_in_the_order_of_reading(told: Document) -> None:
    assert [section.id for section in told.sections] == ["columns"]
    assert [section.id for section in told.found] == ["sureness", "checks", "search", "method"]
    assert told.title == "Automatic report on 'y'"
    assert told.subtitle == "120 rows of 'y' with 4 columns: 'a', 'b', 'c', and 'd'"
    assert told.abstract.startswith("'b' and 'c' act together: ")
    assert "'d' has next to no effect: it would explain at most 0.1% more of the variation." in told.points


def test_figures_suit_tables(told: Document) -> None:
    figures = figures_of(told)
    assert set(figures) == {"fig-overview", "fig-effect-1-joint", "fig-errors"}
    assert [panel.x_label for panel in figures["fig-overview"].panels] == ["b", "a"]
    assert figures["fig-overview"].caption.endswith("and rows with all other effects taken away.")
    assert any(isinstance(layer, Ranges) for layer in figures["fig-errors"].panels[0].layers)
    heat, slices = figures["fig-effect-1-joint"].panels
    assert isinstance(heat, HeatPanel)
    assert len(slices.layers) == 4


def test_a_caption_says_what_is_drawn() -> None:
    found = table_findings(decomposition(model(), dataset(60)))
    joint = [effect for effect in found.effects if len(effect.columns) > 1]
    figure = key_figure(joint, Scale(target="y"))
    assert figure is not None
    assert figure.caption == "What 'b' and 'c' add to 'y', from its mean, with 95% ranges."


def test_what_paragraphs_state_is_in_the_record(told: Document) -> None:
    stated = {fact["id"] for fact in result_facts(told)}
    blocks = [block for one in sections_of((*told.sections, *told.found)) for block in one.blocks]
    used = {fact for block in blocks if isinstance(block, Paragraph) for fact in block.facts}
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
    assert (record["columns"][-1]["name"], record["columns"][-1]["told"]) == ("d", "next to nothing")
    assert [(one["manner"], one["together"]) for one in record["components"]] == [("pair", ["b", "c"]), ("alone", [])]
    assert record["r2_left_out"] > 0.9


def test_statements_have_the_weight_of_their_models(found: TableDecomposition) -> None:
    weights = {one.text: (one.probability, one.in_best) for one in statements(found)}
    assert weights == {
        "'a' matters": (1.0, True),
        "'b' matters": (1.0, True),
        "'c' matters": (1.0, True),
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
    record = result(over)
    assert record["components"][0]["share"] == 1.0  # type: ignore[index]


def test_a_forgotten_column_is_named_in_the_verdict() -> None:
    forgot = document(decomposition(bump("b") * bump("c") + leaf("WN", sd=0.7), dataset()))
    assert any(item.startswith("What is said of 'a'") for item in forgot.careful), forgot.careful


@pytest.mark.slow
def test_columns_that_act_together_against_the_model_are_told() -> None:
    noise = leaf("WN", sd=0.7)
    text = "'b' and 'c' act together, which is not in the model: its amounts are averages over both."
    apart = decomposition(bump("a") + bump("b") + bump("c") + noise, dataset())
    together = decomposition(bump("a") + bump("b") * bump("c") + noise, dataset())
    assert [text in to_markdown(document(found)) for found in (apart, together)] == [True, False]


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
    assert "the search ended after" in text
    column = next(one for one in found.columns if one.name == "a")
    assert column.plain is not None
    unseen = replace(column.plain, slope=Slope(0.9, None, most=0.02))
    shaky = (replace(column, probability=0.3, plain=unseen), *(one for one in found.columns if one.name != "a"))
    texts = sentences(replace(found, columns=shaky))
    assert [text for text in texts if text.startswith("Whether 'a' has an effect is open: ")]


def test_categories_are_called_by_their_names() -> None:
    rng = np.random.default_rng(0)
    codes, x = rng.integers(0, 3, 60).astype(float), rng.uniform(0.0, 1.0, 60)
    y = np.array([1.0, 5.0, 2.0])[codes.astype(int)] + x + 0.05 * rng.normal(size=60)
    levels = {"kind": ("ash", "beech", "oak")}
    data = Dataset(np.column_stack([codes, x]), y, ("kind", "x"), "y", None, levels=levels)
    kernel = leaf("Cat", "kind", contrast=1.0, sd=3.0) + bump("x") + leaf("WN", sd=0.05)
    told = document(decomposition(kernel, data))
    assert "'y' is highest where 'kind' is 'beech' and lowest where it is 'ash'" in to_markdown(told)
    panel = figures_of(told)["fig-overview"].panels[0]
    assert isinstance(panel, BarPanel)
    assert panel.names == ("ash", "beech", "oak")


SCALE = Scale(target="y")


@pytest.fixture(scope="module")
def found_of_pictures() -> TableFindings:
    return table_findings(decomposition(model(), dataset(60)))


def test_a_scatter_of_many_values_is_thinned_and_says_so(found_of_pictures: TableFindings) -> None:
    n = MOST_POINTS + 1
    many = {name: np.linspace(0.0, 1.0, n) for name in ("predicted", "lower", "upper", "errors")}
    out = replace(found_of_pictures.left_out, **many)
    figure = errors_figure(replace(found_of_pictures, n=n, y=np.linspace(0.0, 1.0, n), left_out=out), SCALE)
    (points,) = [layer for layer in figure.panels[0].layers if isinstance(layer, Points)]
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
    (curve,) = effect.record.along
    named = replace(curve, levels=("x", "y", "z"), x=np.arange(3.0), mean=curve.mean[:3], sd=curve.sd[:3])
    (panel,) = curve_figure(replace(effect, record=replace(effect.record, along=(named,))), SCALE).panels
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


def test_cuts_along_categories_have_their_names(found_of_pictures: TableFindings) -> None:
    effect = next(effect for effect in found_of_pictures.effects if len(effect.columns) == 2)
    slices = effect.record.interaction
    assert slices is not None
    names = tuple(f"kind {number}" for number in range(len(slices.x)))
    along = tuple(replace(one, levels=names) if one.column == slices.along else one for one in effect.record.along)
    coded = replace(slices, x=np.arange(float(len(names))))
    record = replace(effect.record, along=along, interaction=coded)
    panel = joint_figures(replace(effect, record=record), SCALE)[0].panels[1]
    assert panel.x_ticks == tuple(enumerate(names))


def test_errors_tell_what_ranges_held(found_of_pictures: TableFindings) -> None:
    held = replace(found_of_pictures.left_out, levels=(0.5, 0.95), held=(0.4, 0.9))
    figure = errors_figure(replace(found_of_pictures, left_out=held), SCALE)
    assert "ranges of 50% and 95% hold 40% and 90% of the values" in figure.alt


def _first(section: Section) -> str:
    return next(block.text for block in section.blocks if isinstance(block, Paragraph))


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
    assert page.findings.from_exact is not None
    assert page.findings.from_exact.value == 0.314159


def _copied(claim: Claim, size: float) -> Claim:
    return replace(changed(claim, others={"instead": ("d",)}), parts=(copy_of("d", size),))


def test_one_of_two_copies_is_told_as_such_and_what_is_open_has_no_course() -> None:
    a = next(claim for claim in FOUND.columns if claim.columns == ("a",))
    for told, text in (
        (_copied(a, 0.99), "'y' rises with 'a' (or, nearly the same, 'd')"),
        (_copied(a, 0.88), "'y' rises with 'a' (or 'd', going with it at r = 0.88)"),
        (
            changed(a, probability=0.4, p=0.2, p_beside_all=0.5, number=(0.02, 0.0, 0.031)),
            "Whether 'a' has an effect is open: it would explain at most 3.1% more of the variation.",
        ),
        (
            changed(a, probability=0.4, p=0.2, p_beside_all=0.5, number=(0.002, 0.0, 0.003)),
            "'a' and 'd' have next to no effect: ",
        ),
        (
            changed(a, probability=0.4, p=0.2, p_beside_all=0.5, p_single=0.012),
            "'a' may have an effect (p = 0.012 alone, 0.048 corrected for 4 columns).",
        ),
        (
            replace(changed(a, probability=0.4, p=0.2, p_beside_all=0.5), parts=(copy_of("b", 0.98),)),
            "'a' is nearly the same as 'b' (r = 0.980): beside it, no effect of its own is clear.",
        ),
    ):
        columns = tuple(told if claim is a else claim for claim in FOUND.columns)
        texts = table_page(with_columns(FOUND, columns), SCALE_OF_STORY).sentences()
        assert [one for one in texts if "'a'" in one and one.startswith(text)], texts
        assert len([one for one in texts if "'a'" in one]) == 1


def test_what_says_where_others_are_missing_is_no_column_of_the_data() -> None:
    gaps = input_column("a missing", INDICATOR)
    told = table_page(replace(FOUND, inputs=(*FOUND.inputs, gaps)), SCALE_OF_STORY)
    assert told.inputs_text() == table_page(FOUND, SCALE_OF_STORY).inputs_text()


def test_only_effects_that_are_told_have_words() -> None:
    first, *rest = FOUND.parts
    story = story_of(replace(FOUND, parts=(replace(first, told=False), *rest)), SCALE_OF_STORY)
    assert [told.effect.id for told in story.effects] == [effect.id for effect in rest]
    assert all(text.endswith(".") for text in story.sentences)


@pytest.mark.parametrize(
    ("values", "said"), [((0.0, 1.0, 2.0), True), ((1.0, 2.0, 4.0), False), ((5.0, 6.0, 7.0), False)]
)
def test_whole_numbers_in_a_row_may_be_codes(values: tuple[float, ...], said: bool) -> None:
    assert bool(codes_texts(np.array(values * 5), SCALE_OF_STORY)) is said

"""Documents of all kinds: sections, records, sureness and pictures of errors."""

import json
import re
from collections import Counter
from dataclasses import replace
from math import inf, nan
from statistics import NormalDist

import numpy as np
import pytest
from tests.decompose.table.classes import decomposition, nothing
from tests.decompose.table.several import found, found_over_time
from tests.decompose.table.several import nothing as nothing_of_several
from tests.decompose.table.tables import dataset, model
from tests.decompose.table.tables import decomposition as table
from tests.describe import factory
from tests.describe.cluster_cases import findings
from tests.describe.cluster_cases import found as found_of_page
from tests.describe.sentences import sections_of
from tests.describe.spoken.classes_fitted import made_page
from tests.describe.spoken.pages import TWO, made_plain

from autostatistician.claims.claim import shown, weighed
from autostatistician.claims.kinds import Kind
from autostatistician.decompose.records.series import Decomposition, Tried
from autostatistician.describe.answers import Answer
from autostatistician.describe.document.classes.page import ClassPage, class_page, foresight_figure
from autostatistician.describe.document.clusters.page import (
    cluster_document,
    cluster_record,
    course_figure,
    observed_figure,
)
from autostatistician.describe.document.document import (
    Band,
    Bullets,
    Document,
    Figure,
    Line,
    Marker,
    Page,
    Paragraph,
    Points,
    Section,
    Table,
    document_of,
    reading_order,
    sentences_of,
)
from autostatistician.describe.document.panels import (
    DensityPanel,
    GroupPoints,
    Ranges,
    TreePanel,
    held_panel,
    quantile_panel,
)
from autostatistician.describe.document.record import fact_json, stored
from autostatistician.describe.document.search import SHOWN_MODELS, tree_figure, way
from autostatistician.describe.document.series.page import series_page
from autostatistician.describe.document.table.page import table_page
from autostatistician.describe.document.table.pictures import curve_figure
from autostatistician.describe.document.verdict import beside_the_parts, sureness_section
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.kinds import Pace
from autostatistician.describe.facts.part import SmoothVariation, Trend, VarianceExplained
from autostatistician.describe.facts.search import TriedModel
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.observe.table.findings import class_findings, scale_for, table_findings
from autostatistician.describe.tell import answer, result, sentences, statements
from autostatistician.describe.tell import document as document_of_page
from autostatistician.describe.tell import document as document_of_search
from autostatistician.describe.tell import document as document_of_several
from autostatistician.errors import InputError
from autostatistician.report.render import to_html, to_json, to_markdown


@pytest.fixture(scope="module")
def plain() -> Decomposition:
    return made_plain()


NORMAL = np.array([NormalDist().inv_cdf((i + 0.5) / 200) for i in range(200)])


def test_normal_errors_lie_on_the_line() -> None:
    mixed = np.random.default_rng(0).permutation(NORMAL)
    (points,) = [layer for layer in quantile_panel(mixed).layers if isinstance(layer, Points)]
    np.testing.assert_allclose(points.y, points.x, atol=1e-12)


def test_the_range_of_chance_holds_normal_errors_and_not_wider_ones() -> None:
    rng = np.random.default_rng(1)
    for scale, most in ((1.0, 0.2), (2.0, 1.0)):
        panel = quantile_panel(scale * rng.standard_normal(200))
        (band,) = [layer for layer in panel.layers if isinstance(layer, Band)]
        (points,) = [layer for layer in panel.layers if isinstance(layer, Points)]
        outside = float(np.mean((points.y < band.lower) | (points.y > band.upper)))
        assert (outside < most) if scale == 1.0 else (outside > 0.5)


def test_shares_are_drawn_in_per_cent_against_their_levels() -> None:
    panel = held_panel("Ranges", (0.5, 0.8), (0.4, 0.9))
    (points,) = [layer for layer in panel.layers if isinstance(layer, Points)]
    assert (points.x.tolist(), points.y.tolist()) == ([50.0, 80.0], [40.0, 90.0])
    assert not any(isinstance(layer, Ranges) for layer in panel.layers)


def test_of_independent_rows_chance_narrows_with_their_number() -> None:
    def width(rows: int) -> float:
        chance = held_panel("Ranges", (0.5,), (0.5,), rows).layers[0]
        assert isinstance(chance, Ranges)
        return float(chance.upper[1] - chance.lower[1])

    assert width(100) == pytest.approx(2 * 1.96 * 5.0)
    assert width(400) == pytest.approx(width(100) / 2)
    assert any(isinstance(layer, Line) for layer in held_panel("Ranges", (0.5,), (0.5,), 9).layers)


AIRLINE, TABLE = factory.airline(), table(model(), dataset(60))
SERIES: Page = series_page(series_findings(AIRLINE), units_for(AIRLINE))
OF_TABLE: Page = table_page(table_findings(TABLE), scale_for(TABLE))
SHARED = {
    "expression", "components", "nll", "bic", "n_parameters", "n", "evaluations", "warnings", "transform", "search",
    "statements", "facts",
}  # fmt: skip


@pytest.mark.parametrize("page", [SERIES, OF_TABLE])
def test_records_of_both_kinds_share_their_names(page: Page) -> None:
    record = page.record()
    assert set(record) >= SHARED
    assert len(record["facts"]) == len(page.facts)  # type: ignore[arg-type,attr-defined]


def test_only_tables_have_columns() -> None:
    assert set(OF_TABLE.record()) - set(SERIES.record()) == {"target", "inputs", "columns", "r2", "r2_left_out"}


@pytest.mark.parametrize("page", [SERIES, OF_TABLE])
def test_pages_begin_and_end_alike(page: Page) -> None:
    made = document_of(page)
    names = [section.id for section in reading_order(made)]
    assert made.abstract
    assert names[-1] == "found"
    assert [section.id for section in made.found][-1] == "method"
    assert len(names) == len(set(names))


def test_data_sets_without_a_name_are_called_by_their_target() -> None:
    assert document_of(SERIES).title == "Automatic report on airline"
    assert document_of(OF_TABLE).title in ("Automatic report on 'y'", "Automatic report on y")
    assert sentences_of(SERIES) == SERIES.sentences()


TREND = Trend(id="t", number=1.0, unit="target per axis", evidence="e", direction=1, steady=False)


def test_shares_are_written_in_per_cent() -> None:
    fact = VarianceExplained(id="v", number=0.5, unit=SHARE, evidence="e", after=0.625)
    record = fact_json(fact)
    assert (record["number"], record["unit"], record["after"]) == (50.0, "%", 62.5)


def test_other_units_are_left_alone() -> None:
    record = fact_json(TREND)
    assert (record["number"], record["unit"], record["direction"]) == (1.0, "target per axis", 1)


def test_kinds_are_plain_text() -> None:
    fact = SmoothVariation(id="p", number=1.0, unit="axis", evidence="e", pace=Pace.SLOW)
    assert json.loads(json.dumps(fact_json(fact)))["pace"] == "slow"
    assert type(fact_json(fact)["pace"]) is str


@pytest.mark.parametrize(
    ("value", "text"), [(nan, None), (-inf, None), (1 / 3, 0.3333333333), (12345678901.2, 1.23456789e10)]
)
def test_numbers_have_ten_digits(value: float, text: float | None) -> None:
    assert stored(value) == text


def test_the_kind_of_a_fact_is_its_name() -> None:
    assert fact_json(Fact(id="a", number=1.0, unit="1", evidence="e")) == {
        "fact": "Fact", "id": "a", "number": 1.0, "unit": "1", "evidence": "e", "interval": None, "probability": None,
    }  # fmt: skip


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


def test_the_figure_shows_the_best_few_of_every_level_with_the_way(plain: Decomposition) -> None:
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
def test_a_search_of_one_level_has_no_tree(plain: Decomposition, tried: tuple[Tried, ...]) -> None:
    assert tree_figure(search_of(replace(plain, tried=tried), ())) is None


def test_the_report_shows_it(plain: Decomposition) -> None:
    found = document_of_search(replace(plain, tried=TRIED, proposed=(1, 1234, 40)))
    (section,) = [one for one in found.found if one.id == "search"]
    assert "fig-tree" in [block.id for block in section.blocks if isinstance(block, Figure)]


TREND_OF_SURENESS = shown(Kind.TREND)


def test_without_statements_there_is_no_table() -> None:
    (section,) = sureness_section(TWO, ())
    assert len(section.blocks) == 1


def test_what_other_models_say_is_never_covered() -> None:
    other, own = weighed(TREND_OF_SURENESS, 0.6, in_best=False), weighed(TREND_OF_SURENESS, 0.6, in_best=True)
    assert beside_the_parts([other, own], lambda claim: True) == (other,)
    assert beside_the_parts([replace(other, probability=MAJORITY - 1e-9)], lambda claim: False) == ()


@pytest.fixture(scope="module")
def made() -> Document:
    return made_page()


@pytest.fixture(scope="module")
def page() -> ClassPage:
    return class_page(class_findings(decomposition()), scale_for(decomposition()))


def test_sentences_carry_the_chances_of_the_facts(page: ClassPage) -> None:
    first = page.sentences()[0]
    course = page.story.effects[0].effect.claims[1]
    told = [f"{100.0 * one.value:.0f}% (" for one in course.of(Kind.CHANCE)]
    assert all(each in first for each in told)
    assert re.search(r"falls from \d+% .* to \d+% .*", first)
    assert page.sentences()[-1].startswith("When each row is predicted from all others, ")


def test_every_number_of_the_record_is_a_fact(page: ClassPage) -> None:
    record = result(decomposition())
    out = decomposition().foreseen
    assert out is not None
    assert record["log_score"] == pytest.approx(out.log_score)
    assert record["area"] == pytest.approx(out.area)
    assert record["classes"] == ["no", "yes"]
    names = {fact["fact"] for fact in record["facts"]}  # type: ignore[attr-defined]
    assert {"foreseen", "ranking", "calibration", "course", "effect", "matters"} <= names
    assert len(page.parts()) == 2


def test_words_of_scatter_and_logarithms_stay_away(made: Document) -> None:
    def texts(section: Section) -> str:
        own = " ".join(str(block) for block in section.blocks)
        return own + " ".join(texts(one) for one in section.sections)

    whole = " ".join([*made.points, *(texts(one) for one in made.sections)])
    assert not re.search(r"scatter|residual|variation in the data|clear of chance", whole)


def test_the_headline_is_one_sentence_and_what_is_doubtful_stands_once(made: Document) -> None:
    assert made.abstract.count(". ") == 0
    assert "Amounts are with the other columns as they are." in made.points
    texts = [block.text for section in reading_order(made) for one in (section, *section.sections)
             for block in one.blocks if isinstance(block, Paragraph)]  # fmt: skip
    assert len(texts) == len(set(texts))
    assert not set(texts) & {*made.points, *made.careful}


@pytest.mark.slow
def test_on_noise_nothing_is_found() -> None:
    told, is_open = sentences(nothing())  # and nothing of rows foreseen by it: all have the same chance
    assert told.startswith("No column tells anything clear about")
    assert is_open.startswith("Whether ")
    page = document_of_page(nothing())
    assert page.abstract == told


def test_the_roc_curve_goes_from_corner_to_corner() -> None:
    found, scale = class_findings(decomposition()), scale_for(decomposition())
    figure = foresight_figure(found, scale)
    curve = figure.panels[1].layers[0]
    assert isinstance(curve, Line)
    assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == (0.0, 0.0, 100.0, 100.0)
    assert np.trapezoid(curve.y, curve.x) / 1e4 == pytest.approx(found.ranking.number.value)
    assert f"{found.ranking.number.value:.3f}" in figure.alt
    span, line, points = figure.panels[0].layers
    assert isinstance(span, Ranges)
    assert isinstance(line, Line)
    assert isinstance(points, Points)
    np.testing.assert_allclose(points.x, [100.0 * one["given"] for one in found.calibration.parts])
    np.testing.assert_allclose(points.y, [100.0 * one.value for one in found.calibration.parts])
    assert (span.lower <= points.y).all()
    assert (points.y <= span.upper).all()


def test_effects_are_drawn_as_chances() -> None:
    found, scale = class_findings(decomposition()), scale_for(decomposition())
    age = curve_figure(found.effects[0], scale).panels[0]
    rows, band, line = age.layers
    assert isinstance(rows, Points)
    assert isinstance(band, Band)
    assert isinstance(line, Line)
    assert set(rows.y.tolist()) == {0.0, 100.0}
    assert age.y_label == "chance of 'yes', %"
    assert ((line.y > 0.0) & (line.y < 100.0) & (band.lower < line.y) & (line.y < band.upper)).all()
    assert line.y[0] > line.y[-1] + 40.0


@pytest.fixture(scope="module")
def made_of_several() -> Document:
    return document_of_several(found())


@pytest.mark.slow
def test_each_class_has_its_section_between_what_all_share(made_of_several: Document) -> None:
    names = "red", "green", "blue"
    titles = {f"class-{number}": f"What else tells {name!r} from the rest" for number, name in enumerate(names, 1)}
    assert {section.id: section.title for section in made_of_several.sections}.items() <= titles.items()
    first, others = made_of_several.abstract, " ".join(made_of_several.points)
    assert [f"the chance of 'colour' = {name!r}" in first for name in names] == [False, True, False]
    assert [f"the chance of 'colour' = {name!r}" in others for name in names] == [True, False, True]


@pytest.mark.slow
def test_names_are_no_others_and_links_lead_somewhere(made_of_several: Document) -> None:
    every = list(sections_of((*made_of_several.sections, *made_of_several.found)))
    blocks = [block for section in every for block in section.blocks]
    names = [section.id for section in every] + [one.id for one in blocks if isinstance(one, Figure | Table)]
    assert max(Counter(names).values()) == 1
    links = {link for block in blocks if isinstance(block, Bullets) for link in block.links if link}
    assert links <= {section.id for section in every}


@pytest.mark.slow
def test_the_record_holds_one_for_each_class(made_of_several: Document) -> None:
    record = result(found())
    each = record["each"]
    assert isinstance(each, dict)
    assert list(each) == record["classes"] == ["red", "green", "blue"]
    assert each["red"]["classes"] == ["not red", "red"]
    assert record["wrong"] == pytest.approx(found().foreseen.wrong)
    assert record["sentences"] == list(sentences(found()))
    assert {text.text.split(":")[0] for text in statements(found())} <= {"'red'", "'green'", "'blue'"}
    assert made_of_several.record["expression"] == record["expression"]


@pytest.mark.slow
def test_where_nothing_is_found_little_is_said() -> None:
    (told,) = sentences(nothing_of_several())
    assert told.startswith("No column tells anything clear about the classes of 'colour'.")
    assert document_of_several(nothing_of_several()).abstract == told


@pytest.mark.slow
def test_what_all_columns_at_once_tell_is_not_nothing() -> None:
    two, three = nothing(), nothing_of_several()
    told = "The columns together tell something about the chance of"
    assert sentences(replace(two, together_p=1e-4))[0].startswith(told)
    each = tuple(replace(one, together_p=1e-4) for one in three.each)
    assert sentences(replace(three, each=each))[0].startswith(told)


@pytest.mark.slow
def test_questions_are_answered() -> None:
    def of(question: str) -> Answer:
        return answer(found_over_time(), question)

    assert "the chance of 'weather' = 'frost' repeats every year" in of("what").sentences[0].lower()
    assert any("repeats every year" in text for text in of("seasons").sentences)
    assert any("'sun' rises" in text for text in of("trend").sentences)
    assert any(text.startswith("Be careful with") for text in of("sure").sentences)
    assert of("columns").sentences == sentences(found_over_time())
    with pytest.raises(InputError, match="what, columns, sure"):
        answer(found(), "trend")
    with pytest.raises(InputError, match="one of what"):
        answer(found(), "nothing")


def test_facts_behind_sentences_are_in_the_record() -> None:
    document = cluster_document(findings())
    known = {fact["id"] for fact in document.record["facts"]}  # type: ignore[attr-defined]
    every = (*document.sections, *document.found)
    told = [block for one in every for block in one.blocks if isinstance(block, Paragraph)]
    assert {fact for block in told for fact in block.facts} <= known
    assert {"clusters", "cluster/3", "row/33", "agreement"} <= known


def test_the_record_is_plain_and_names_the_cluster_of_every_row() -> None:
    record = json.loads(json.dumps(cluster_record(findings())))
    assert record["sizes"] == [20, 12, 8]
    assert record["probabilities"] == {"2": 0.22, "3": 0.7, "4": 0.08}
    assert record["labels"][0] == {"row": 2, "cluster": 1}
    assert len(record["labels"]) == 40
    json.dumps(cluster_record(findings(r_hat=np.inf)), allow_nan=False)


def test_it_becomes_a_page_the_same_each_time_and_hostile_names_stay_text() -> None:
    known = findings(columns=("<script>alert(1)</script>", "$x_1$"), name="<b>")
    page = to_html(cluster_document(known))
    assert page == to_html(cluster_document(known))
    assert "<script" not in page
    assert page.count("<svg") > 4
    assert "var(--group-3" in page
    assert "cluster 2" in to_markdown(cluster_document(known)).lower()
    assert json.loads(to_json(cluster_document(known)))["title"] == "Clusters in <b>"


def test_one_cluster_of_one_column_has_a_page_too() -> None:
    known = findings(
        rows=found_of_page().rows[:, :1], columns=("mass",), drawn=found_of_page().drawn[:, :1],
        latent=found_of_page().latent[:, :1],
        labels=np.zeros(40, dtype=np.intp), counts=((1, 1.0),),
    )  # fmt: skip
    document = cluster_document(known)
    assert "latent" not in {one.id for one in document.found}
    assert len(document.points) == 1
    assert "<svg" in to_html(document)


def test_rows_lie_in_colours_over_a_density() -> None:
    (panel,) = observed_figure(findings()).panels
    assert isinstance(panel, DensityPanel)
    assert (panel.x_label, panel.y_label) == ("mass", "colour index")
    groups = [layer for layer in panel.layers if isinstance(layer, GroupPoints)]
    assert [(one.group, one.mark, len(one.y)) for one in groups] == [(1, "1", 20), (2, "2", 12), (3, "3", 8)]


def test_chains_are_small_multiples_with_the_end_of_the_warm_up() -> None:
    figure = course_figure(findings())
    assert [panel.title for panel in figure.panels] == ["Chain 1", "Chain 2"]
    line, marker = figure.panels[0].layers
    assert isinstance(line, Line)
    assert line.y.max() == 5.0
    assert isinstance(marker, Marker)
    assert marker.x == 3.0
    assert figure.alt == "Stepped lines that end at three and three clusters."

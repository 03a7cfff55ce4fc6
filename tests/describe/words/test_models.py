"""Words on models, tables and answers that no golden text can hold."""

from dataclasses import replace
from typing import Any

import pytest
from tests.describe import factory
from tests.describe.cluster_cases import findings
from tests.describe.effect_cases import (
    BASE,
    EFFECT,
    LEGS,
    PAIR,
    SCALE,
    TOGETHER,
    TOP,
    WATER,
    but,
    check,
    column,
    scaled,
)
from tests.describe.spoken.answers import MONTH, ROW, SIZES
from tests.describe.spoken.checks import UNITS_OF_OUTLIERS, outlier
from tests.describe.spoken.clusters import alone
from tests.describe.spoken.wholes import BY_BIC, BY_EVIDENCE, FEW, UNITS, search_by

from autostatistician.claims.claim import Claim, shown, weighed
from autostatistician.claims.kinds import Form, Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.series import Tried
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.document.table import tables
from autostatistician.describe.facts.judgement import acting_together, manner_of
from autostatistician.describe.facts.whole import OneValue, PossibleStructure
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.tell import document
from autostatistician.describe.words.answers.impact import impact_texts
from autostatistician.describe.words.answers.plans import ASSOCIATION, what_if_texts
from autostatistician.describe.words.chances import column_place
from autostatistician.describe.words.claims import statements
from autostatistician.describe.words.clusters import between_texts
from autostatistician.describe.words.effects import beside_text, course_text, dependence_text, effect_text
from autostatistician.describe.words.method import citations, method_of_series
from autostatistician.describe.words.outliers import far_named, set_aside_text
from autostatistician.describe.words.plain import nothing_text
from autostatistician.describe.words.search import fit_text, told_of_models
from autostatistician.describe.words.table_fit import check_text
from autostatistician.describe.words.update import missed_text
from autostatistician.forms import CourseKind
from autostatistician.i18n.messages import spoken_in


def test_those_of_the_best_model_come_first_then_the_probable_ones() -> None:
    weights = [(0.2, False), (0.9, False), (0.1, True), (1.0, True)]
    told = statements(
        [weighed(shown(Kind.CHANGE, i), weight, in_best=best) for i, (weight, best) in enumerate(weights)], UNITS
    )
    assert [(one.probability, one.in_best) for one in told] == [(1.0, True), (0.1, True), (0.9, False), (0.2, False)]


def test_rows_between() -> None:
    (row,) = findings().between
    clusters = findings().clusters
    said, told = between_texts([row] * 12, clusters)
    assert said == (
        "Twelve rows lie between clusters: with the rows of another at least half as often as with those of their own, "
        "on the mean. The 10 that are the least sure:"
    )
    assert told[0] == "Row 33: with the rows of cluster 2 in 55% of the draws, with those of cluster 3 in 40%."
    assert len(told) == 10
    each = "is with its own more than twice as often as with any other."
    assert between_texts([], clusters) == (f"No row lies between clusters: each {each}", ())
    few = "No row lies between clusters: for that there would have to be two of several rows."
    assert between_texts([], (clusters[0], alone(clusters[2], 7.0)))[0] == few


@pytest.mark.parametrize(
    ("criterion", "models", "better"),
    [("bic", "BIC 40.0", "lower"), ("loo", "LOO 40.0", "lower"),
     ("evidence", "log P \N{MINUS SIGN}20.0", "higher")],
)  # fmt: skip
def test_a_score_has_the_name_of_its_criterion(criterion: str, models: str, better: str) -> None:
    search = search_by(criterion)
    told = told_of_models(search)
    assert f"{told.name} {told.value(40.0)}" == models
    assert told.better == f"{better} is better"


def test_a_table_that_was_searched_by_evidence_says_so() -> None:
    search = replace(search_by("evidence"), by_evidence=False)
    assert told_of_models(search).name == "evidence"


TRIED = (Tried(1, "SE + WN", 40.0, None), Tried(0, "WN", 90.0, None))
D = replace(factory.airline(), tried=TRIED, path=(("WN", 90.0, 0.1), ("SE + WN", 40.0, 1.0)))


def test_no_word_on_bic_where_evidence_chose() -> None:
    chosen = document(replace(D, criterion="evidence"))
    (section,) = (one for one in chosen.found if one.id == "search")
    assert "BIC" not in str(section)
    assert "log P" in str(section)
    assert "common in other series" in str(document(replace(D, criterion="evidence", alternatives=_two())))


def test_a_simpler_model_than_the_likeliest_is_told_as_that() -> None:
    likelier = (Tried(2, "SE + SE + WN", 38.0, None), *TRIED)
    search = search_of(replace(D, criterion="evidence", tried=(TRIED[0], *likelier)), ())
    assert "chosen as simpler than the most probable one (\N{MINUS SIGN}19.0)" in fit_text(search)
    assert "simpler" not in fit_text(search_by("evidence"))
    two = ((D.fitted.kernel, 0.3), (D.components[0].kernel, 0.7))
    report = str(document(replace(D, criterion="evidence", alternatives=two)))
    assert "describes a simple model, which has a probability of 30%" in report


def _two() -> tuple[tuple[object, float], ...]:
    return ((D.fitted.kernel, 0.7), (D.components[0].kernel, 0.3))


def test_an_effect_of_one_column() -> None:
    assert manner_of((EFFECT, BASE)) == "alone"
    assert effect_text((EFFECT, BASE), SCALE) == course_text(BASE, SCALE)


def test_of_four_columns_only_the_two_that_were_measured_act_together() -> None:
    four = replace(PAIR, columns=("age", "ash", "sand", "water"))
    facts = (four, BASE, WATER, but(TOGETHER, "averaged"))
    assert acting_together(facts) == ("age", "water")
    told = effect_text(facts, SCALE)
    assert told.startswith("'age' and 'water' act together: ")
    assert told.endswith("where it is 200 (averaged over 'ash' and 'sand').")
    assert acting_together((four, BASE, WATER)) == four.columns
    assert acting_together((EFFECT, BASE)) == ()


def test_what_a_column_does_is_told_at_all_categories_of_another() -> None:
    steps = [
        Claim(id="", kind=Kind.LEVEL, at=(code,), number=scaled(size, size - 1.0, size + 1.0))
        for code, size in ((2.0, 15.0), (1.0, 13.0))
    ]
    places, names = (3.0, 90.0, 0.0, 3.0), {"along": (), "by": ("east", "north", "south", "west")}
    several = replace(TOGETHER, at=places, others=names, parts=tuple(steps))
    told = dependence_text(several, SCALE)
    others = "by +15.0 (14.0 to 16.0) at 'south' and by +13.0 (12.0 to 14.0) at 'north'"
    assert told.endswith(f" At the other categories: {others}.")
    assert "categories" not in dependence_text(replace(TOGETHER, at=places, others=names), SCALE)


def test_rows_that_gain_nothing_by_a_column_have_no_p_value_of_one() -> None:
    seen = column(used=True, probability=0.95, p_single=1.0, p_beside_all=1.0)
    assert "(clear by the models, not clear by least squares)" in beside_text(replace(seen, form=Form.MAY), SCALE, 4)
    clear = column(used=True, probability=0.95, p_single=0.03, p_beside_all=0.12)
    assert "(clear by the models, p = 0.030 by least squares)" in beside_text(replace(clear, form=Form.MAY), SCALE, 4)


def test_years_are_told_without_marks_of_thousands() -> None:
    assert [column_place(2020.0, span, SCALE) for span in ((1900.0, 2020.0), (100.0, 2020.0))] == ["2020", "2,020"]


def test_the_table_has_the_size_between_categories_of_its_sentence() -> None:
    scale = Scale(target="y", level=10.0)
    step = Quantity(0.7, 0.5, 0.9, Measure.SCALED)
    falls = but(
        BASE, form=CourseKind.STRAIGHT, number=step, change=Quantity(-0.7, -0.9, -0.5, Measure.SCALED),
        at=(0.0, 1.0), levels=("CAN", "US"), lowest=1.0, highest=0.0, low=0.0, high=1.0,
    )  # fmt: skip
    assert "101%" in course_text(falls, scale)
    assert tables._size(falls, scale) == "101%"


def test_the_method_tells_what_the_search_went_by() -> None:
    assert "lowest BIC" in method_of_series(BY_BIC)
    assert "BIC" not in method_of_series(BY_EVIDENCE)
    assert "common its form is in other series" in method_of_series(BY_EVIDENCE)
    assert set(citations(BY_EVIDENCE)) > set(citations(BY_BIC))


def test_of_many_three_are_named() -> None:
    many = [outlier(1950.0 + year) for year in range(5)]
    assert set_aside_text(many, UNITS_OF_OUTLIERS).endswith("; and two more.")


def test_values_that_lie_close_beside_each_other_are_told_apart() -> None:
    units = replace(UNITS_OF_OUTLIERS, spread=0.4)
    far = [(1950.0 + year, 1360.2 + 0.23 * year) for year in range(5)]
    told = far_named(far, units)
    assert [f"({value})" in told for value in ("1,360.2", "1,360.43", "1,360.66")] == [True] * 3
    with spoken_in("de"):
        assert "(1.360,43)" in far_named(far, units)
    of_log = replace(units, spread=0.4 / 1360.0, level=1360.0)
    assert "(1,360.43)" in far_named(far, of_log)


SAME = OneValue(id="data/value", number=3.5, unit="target", evidence="e")


def test_values_that_are_all_the_same_are_told_before_all_else() -> None:
    assert nothing_text((SAME,)).startswith("All values are the same: 3.5.")
    assert nothing_text((FEW, SAME)) == nothing_text((SAME,))
    assert nothing_text((FEW,)).startswith("No trend and no pattern was found")
    assert nothing_text(()) == ""


def test_structure_that_is_likely_and_not_told_is_not_denied() -> None:
    likely = PossibleStructure(id="data/structure", number=0.82, unit="share", evidence="e")
    told = "No trend and no pattern is sure; what there may be is too weak to be named."
    assert nothing_text((FEW, likely)).startswith(told)
    assert nothing_text((likely,)).startswith(told)
    assert nothing_text((likely, SAME)) == nothing_text((SAME,))


BEST = factory.airline().fitted.kernel
WEIGHED = replace(factory.airline(), alternatives=((BEST, 0.998), (BEST, 0.002)))


@pytest.mark.parametrize("cut", ["budget", "interruption", "depth"])
def test_that_a_search_was_cut_is_said(cut: str) -> None:
    told = document(replace(WEIGHED, cut=cut))
    assert "the search ended after two levels" in told.careful[0]
    assert told.record["search"] == {"complete": False, "cut": cut, "levels": 2}


def test_a_whole_search_says_nothing_of_it() -> None:
    told = document(WEIGHED)
    assert "search" not in " ".join(told.careful) + told.abstract
    assert told.record["search"] == {"complete": True, "cut": None, "levels": 2}


def test_checks_and_records() -> None:
    left = "A pattern along 'age' is left in the errors: the model has not used all it tells"
    assert check_text(check("pattern", "age")) == left
    assert "errors are larger" in check_text(check("spread"))
    assert "outliers" in check_text(check("distribution"))
    record: Any = fact_json(but(BASE, form=CourseKind.TURNING, parts=(TOP, *LEGS)))
    assert (record["fact"], record["form"]) == ("course", "turning")
    parts = [(part["kind"], part["number"], part["interval"]) for part in record["parts"]]
    assert parts == [("turn", 90.0, [81.0, 104.0]), ("run", 30.0, [26.0, 34.0]), ("run", -9.0, [-16.0, -2.0])]
    assert record["parts"][0]["marks"] == ["top"]


def test_missed_forecasts() -> None:
    assert missed_text(12, [], MONTH) == "All 12 new rows lie within the 95% ranges that were forecast."
    assert missed_text(1, [], MONTH) == "The new row lies within the 95% ranges that were forecast."
    assert missed_text(20, [ROW], MONTH) == (
        "1 row lies outside the 95% range that was forecast (about 1 of 20 would by chance): January 2025 250 "
        "(forecast 210 to 230)."
    )
    assert missed_text(40, [ROW] * 6, MONTH) == (
        "6 rows lie outside the 95% range that was forecast (about 2 of 40 would by chance): "
        + "; ".join(["January 2025 250 (forecast 210 to 230)"] * 5)
        + "; and 1 more."
    )


ALONE = (
    "What 'sales' would have been is forecast from the rows before; the difference is the effect of the event only if "
    "nothing else changed then."
)


def test_too_few_dates() -> None:
    few = {
        (0, True): "There is no earlier date to compare it with, too few for a test: by its range it is more than the "
        "model puts down to chance.",
        (1, False): "There is only 1 earlier date to compare it with, too few for a test: by its range it is no more "
        "than chance gives.",
        (3, False): "There are only 3 earlier dates to compare it with, too few for a test: by its range it is no more "
        "than chance gives.",
    }
    for (dates, is_event), text in few.items():
        assert impact_texts(2024.0, 2, SIZES, (dates, 0, 0.5), (is_event, False), (), MONTH)[1:] == (text, ALONE)


def test_what_if() -> None:
    several = what_if_texts(
        "promo = 0", (2025.0, 2025.5), (-25.0, -28.0, -22.0), (-175.0, -196.0, -154.0), (-0.1, -0.2, 0.0), MONTH
    )
    assert several == (
        "With promo = 0, 'sales' would be 25 lower (95% range 22 to 28) on average from January 2025 to July 2025, in "
        "total 175 lower (95% range 154 to 196): −10% of the forecast.",
        "This is what went together in the data, all else unchanged: an association, not a proof that one causes the "
        "other.",
    )
    ranges = ((2.0, 1.0, 3.0), (2.0, 1.0, 3.0))
    assert what_if_texts("promo = 1", (2025.0, 2025.0), *ranges, None, MONTH) == (
        "With promo = 1, 'sales' would be 2 higher (95% range 1 to 3) in January 2025.", ASSOCIATION,
    )  # fmt: skip
    assert what_if_texts("promo = 1", (2025.0, 2025.0), (0.0,) * 3, (0.0,) * 3, None, MONTH) == (
        "With promo = 1 the forecast of 'sales' stays as it is: nothing else acts on it in this model.",
    )

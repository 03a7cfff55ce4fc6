"""Golden sentences: tables, their effects, columns, checks and verdicts."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import log

from tests.decompose.table.tables import dataset, decomposition, model
from tests.describe import cluster_cases, factory
from tests.describe.covariate_cases import PROMO, SEASON, around, findings
from tests.describe.effect_cases import BASE, DIP, EFFECT, LEGS, PAIR, SCALE, TOGETHER, TOP, WATER, changed, column
from tests.describe.factory import MONTHLY, MONTHS, every_section, units_on
from tests.describe.spoken.classes import FORESIGHT, HIGH, LOW, RISE, surprise
from tests.describe.spoken.classes import SCALE as CLASSES
from tests.describe.spoken.clusters import alone

from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.claims.quantity import Measure
from autostatistician.describe.document.document import Document, Figure, Section
from autostatistician.describe.document.table.sections import listed_columns
from autostatistician.describe.document.table.tables import checks_table, columns_table, numbers_table
from autostatistician.describe.document.table.verdict import careful_with
from autostatistician.describe.facts.classes import Calibration, ChanceAt, ChanceDependence
from autostatistician.describe.facts.effect import ErrorCheck, Explained, NoiseSize, RangesHeld
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.findings import InputColumn, TableFindings
from autostatistician.describe.facts.judgement import acting_together, manner_of
from autostatistician.describe.facts.search import FittedNumber
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.observe.table.findings import table_findings
from autostatistician.describe.tell import document, sentences
from autostatistician.describe.words import chances, clusters, column_values, covariates
from autostatistician.describe.words.effects import course_text, dependence_text, effect_text
from autostatistician.describe.words.table_fit import (
    check_text,
    column_text,
    explained_text,
    no_columns_text,
    noise_text,
    ranges_text,
)
from autostatistician.forms import CheckKind, CourseKind
from autostatistician.language.kernel import leaf


def tell_courses() -> Iterator[str]:
    for given in (
        {},
        {"kind": CourseKind.STRAIGHT},
        {"flat_from": 90.0},
        {"kind": CourseKind.FALLING, "flat_until": 90.0, "lowest": 365.0, "highest": 1.0},
        {"bend": -1},
        {"open_from": 90.0},
        {"kind": CourseKind.TURNING, "turns": (TOP,), "legs": LEGS},
        {"kind": CourseKind.TURNING, "turns": (DIP,), "legs": LEGS[::-1], "lowest": 200.0},
        {"kind": CourseKind.TURNING, "turns": (TOP, DIP)},
        {"period": 28.0},
        {"kind": CourseKind.UNCLEAR},
        {"places": (1.0, 365.0)},
        {
            "levels": ("new", "used", "old"),
            "low": 0.0,
            "high": 2.0,
            "lowest": 0.0,
            "highest": 2.0,
            "places": (0.0, 1.0, 2.0),
        },
        {"averaged": True},
    ):
        yield course_text(replace(BASE, **given), SCALE)


def tell_a_logarithm_is_told_in_per_cent() -> Iterator[str]:
    course = replace(BASE, number=log(1.5), interval=(log(1.4), log(1.6)))
    yield course_text(course, Scale(target="strength", level=1.0))


def tell_columns_that_change_each_other() -> Iterator[str]:
    facts = (PAIR, BASE, WATER, TOGETHER)
    yield manner_of(facts)
    yield effect_text(facts, SCALE)


def tell_columns_act_together_at_odds_of_twenty_only() -> Iterator[str]:
    for witness in ({"plain_p": 0.05}, {"plain_p": None}, {"probability": 0.9}):
        facts = (PAIR, BASE, WATER, replace(TOGETHER, **witness))
        yield manner_of(facts)
        yield from acting_together(facts)
        yield effect_text(facts, SCALE)


def tell_a_row_that_carries_an_effect_is_named() -> Iterator[str]:
    yield course_text(replace(BASE, carried=18), SCALE)
    yield column_text(column(carried=18), SCALE)


def tell_columns_that_add_up() -> Iterator[str]:
    facts = (replace(PAIR, beyond=0.01), BASE, WATER, replace(TOGETHER, interval=(-1.0, 2.0), share=0.005))
    yield manner_of(facts)
    yield effect_text(facts, SCALE)
    much = replace(facts[3], first=-10.0, last=10.0)
    yield manner_of((*facts[:3], much))
    idle = (facts[0], BASE, replace(WATER, kind=CourseKind.UNCLEAR), facts[3])
    yield effect_text(idle, SCALE)


def tell_more_than_a_sum_and_nothing_clear() -> Iterator[str]:
    three = replace(PAIR, columns=("age", "sand", "water"), beyond=0.12)
    facts = (three, BASE, WATER, replace(TOGETHER, interval=(-1.0, 2.0)))
    yield manner_of(facts)
    yield effect_text(facts, SCALE)
    vague = (PAIR, replace(BASE, kind=CourseKind.UNCLEAR), replace(WATER, kind=CourseKind.UNCLEAR), facts[3])
    yield effect_text(vague, SCALE)


def tell_hostile_names_stay_on_one_line() -> Iterator[str]:
    yield course_text(replace(BASE, column="a\nb" + "c" * 90), SCALE)


def tell_a_bent_fall_of_a_logarithm_is_no_rise_the_other_way() -> Iterator[str]:
    fall = replace(WATER, kind=CourseKind.FALLING, number=0.5, interval=(0.25, 0.75), flat_from=None, bend=0)
    yield course_text(fall, Scale(target="strength", level=1.0))


def tell_what_depends_on_a_column_by_itself_and_with_others() -> Iterator[str]:
    yield column_text(column(others={"partners": ("water",)}), SCALE)


def tell_scatter_that_is_alike_upwards_and_downwards_is_told_so() -> Iterator[str]:
    noise = NoiseSize(
        id="noise", number=0.01, unit="strength", evidence="e", changes=(("age", (1.0, 365.0), (0.2, 0.0004)),)
    )
    told = noise_text(noise, Scale(target="strength", level=1.0))
    yield told
    first = replace(noise, changes=(("age", (1.0, 365.0), (0.0004, 0.0004)),))
    told = noise_text(first, Scale(target="strength", level=1.0))
    yield told


def tell_columns() -> Iterator[str]:
    for claim in (
        column(),
        column(others={"instead": ("sand",)}),
        column("scatter", others={"partners": ("water", "sand")}),
        column(number=(0.021, 0.014, 0.026)),
        column(used=False, p_beside_all=0.9, probability=0.01),
        column(used=False, probability=0.4),
        column(probability=0.4, p_beside_all=0.9),
        column("scatter", used=False, p_beside_all=0.9, probability=0.0),
        column("left", probability=0.8, p_beside_all=0.9, number=(0.003, 0.001, 0.006)),
        column(probability=0.8, p=0.002, p_beside_all=0.002),
    ):
        yield column_text(claim, SCALE)


def tell_scatter() -> Iterator[str]:
    noise = NoiseSize(id="noise", number=4.0, unit="strength", evidence="e", changes=())
    yield noise_text(noise, SCALE)
    grows = replace(noise, changes=(("age", (1.0, 365.0), (1.0, 5.0)),))
    yield noise_text(grows, SCALE)
    yield noise_text(replace(noise, changes=(("age", (1.0, 365.0), (0.2, 0.5)),)), Scale(target="strength", level=1.0))
    yield noise_text(replace(noise, number=0.05), Scale(target="strength", level=1.0))
    yield noise_text(replace(noise, number=0.0), SCALE)


def tell_how_well_it_fits() -> Iterator[str]:
    fit = Explained(
        id="f", number=0.973, unit=SHARE, evidence="e", left_out=0.921, error=3.36, rmse=4.4, error_of_mean=13.34
    )
    yield explained_text(fit)
    held = RangesHeld(id="h", number=0.88, unit=SHARE, evidence="e", rows=500, too_narrow=True, too_wide=False)
    yield ranges_text(replace(held, too_narrow=False))


def tell_a_column_that_goes_along_is_not_told_as_nothing() -> Iterator[str]:
    idle = column(used=False, p_beside_all=0.9, probability=0.01)
    known = {"p_beside_all": 0.9, "probability": 0.01, "correlation": -0.81, "correlation_p": 1e-06}
    along = column("goes along", used=False, **known)
    yield column_text(column("goes along", "alone", used=False, **known), SCALE)
    yield no_columns_text([idle], SCALE)
    yield no_columns_text([idle, along], SCALE)
    yield no_columns_text([column(used=False, p_beside_all=0.01, probability=0.01)], SCALE)
    yield no_columns_text([idle], SCALE, together=True)
    yield no_columns_text([idle, along, column(p_beside_all=0.01, probability=0.4)], SCALE, together=True)


def tell_categories_have_no_rank_correlation() -> Iterator[str]:
    known = {"p_beside_all": 0.9, "correlation": 0.45, "correlation_p": 0.001}
    for marks in (("goes along", "alone"), ("goes along", "alone", "categories")):
        yield column_text(column(*marks, used=False, **known), SCALE)


def tell_common_season() -> Iterator[str]:
    units = units_on(MONTHLY, MONTHS)
    for size in (around(112.0, 20.0), around(-30.0, 4.0)):
        told = findings(replace(SEASON, size=size), PROMO)
        yield from covariates.columns_leads(told, units)
        yield from covariates.told_texts(told, units)
        yield column_values.compared_text(told.columns[0].effect)
    yield column_values.columns_note(12, units)
    yield covariates.column_text(findings(replace(SEASON, probability=0.6)).columns[0], units)


def tell_effects() -> Iterator[str]:
    both = (BASE, WATER)
    yield effect_text((replace(PAIR, columns=("age", "sand", "water"), beyond=0.2), *both), SCALE)
    idle = replace(WATER, kind=CourseKind.UNCLEAR)
    yield effect_text((replace(PAIR, beyond=0.01), BASE, idle, replace(idle, column="sand")), SCALE)
    yield dependence_text(replace(TOGETHER, others=True), SCALE)
    yield dependence_text(replace(TOGETHER, beyond=True), SCALE)
    huge = replace(BASE, number=5.0, interval=(4.9, 5.1))
    yield effect_text((EFFECT, huge), Scale(target="strength", level=40.0))
    for changes in (
        {"kind": CourseKind.UNCLEAR, "elsewhere": True}, {"open_until": 90.0}, {"bend": 1},
        {"kind": CourseKind.TURNING, "turns": (TOP, DIP) * 3}, {"carried": 7},
        {"kind": CourseKind.TURNING, "turns": (TOP,), "legs": LEGS},
    ):  # fmt: skip
        yield course_text(replace(BASE, **changes), SCALE)  # type: ignore[arg-type]
    fall = replace(BASE, kind=CourseKind.FALLING, lowest=365.0, highest=1.0)
    for changes in (
        {"open_from": 90.0}, {"open_until": 90.0}, {"flat_from": 90.0}, {"flat_until": 90.0}, {"bend": 1}, {"bend": -1},
    ):  # fmt: skip
        yield course_text(replace(fall, **changes), SCALE)  # type: ignore[arg-type]
    straight = replace(BASE, kind=CourseKind.STRAIGHT, number=-9.0, interval=(-10.0, -8.0), lowest=365.0, highest=1.0)
    yield course_text(straight, SCALE)
    shrinks = replace(straight, change=-0.5, change_interval=(-0.6, -0.4))
    yield course_text(shrinks, Scale(target="strength", level=40.0))
    yield ranges_text(
        RangesHeld(id="r", number=0.88, unit=SHARE, evidence="e", rows=500, too_narrow=True, too_wide=False)
    )
    yield ranges_text(
        RangesHeld(id="r", number=0.99, unit=SHARE, evidence="e", rows=500, too_narrow=False, too_wide=True)
    )
    fit = Explained(id="f", number=0.9, unit=SHARE, evidence="e", left_out=-0.1, error=0.2, rmse=0.3, error_of_mean=0.7)
    yield explained_text(fit)
    check = ErrorCheck(id="c", number=0.01, unit="1", evidence="e", kind=CheckKind.DISTRIBUTION, adjusted=0.02, side=1,
                       column=None)  # fmt: skip
    for changes in (
        {}, {"side": -1}, {"side": 0}, {"kind": CheckKind.SPREAD}, {"kind": CheckKind.SPREAD, "side": -1},
        {"kind": CheckKind.PATTERN, "column": "age"},
    ):  # fmt: skip
        yield f"{check_text(replace(check, **changes))}."  # type: ignore[arg-type]


def tell_columns_left_out() -> Iterator[str]:
    along = {"correlation": -0.81, "correlation_p": 1e-4, "probability": 0.02}
    without = {"p_beside_all": 0.9, "probability": 0.02}
    yield column_text(column("goes along", used=False, **along | without), SCALE)
    yield column_text(column("goes along", "alone", used=False, **along | without), SCALE)
    yield column_text(column("left", used=False, **without), SCALE)
    yield column_text(column(carried=7), SCALE)
    yield column_text(column("untried", used=False, **without), SCALE)
    yield column_text(column("goes along", used=False, **along, p_beside_all=0.01), SCALE)
    yield column_text(column(), CLASSES)
    yield column_text(column(probability=0.8, p=0.002, p_beside_all=0.002), CLASSES)
    yield no_columns_text((column("untried", used=False),), SCALE)


def tell_chances() -> Iterator[str]:
    middle = ChanceAt(40.0, 0.7, (0.6, 0.8))
    for changes in (
        {"open_from": 45.0}, {"open_until": 25.0}, {"flat_from": 45.0}, {"flat_until": 25.0},
        {"levels": ("new", "used", "old"), "chances": (replace(LOW, at=0.0), replace(HIGH, at=1.0), middle)},
        {"turns": (TOP, DIP) * 3, "kind": CourseKind.TURNING}, {"period": 28.0},
        {"turns": (TOP,), "kind": CourseKind.TURNING, "chances": (LOW, middle, replace(HIGH, at=50.0, chance=0.2))},
        {"turns": (TOP, DIP, TOP), "kind": CourseKind.TURNING,
         "chances": (HIGH, LOW, middle, replace(LOW, at=45.0), replace(HIGH, at=55.0))},
        {"turns": (DIP,), "kind": CourseKind.TURNING,
         "chances": (replace(middle, at=30.0), replace(LOW, at=40.0), HIGH)},
        {"turns": (TOP, DIP), "kind": CourseKind.TURNING,
         "chances": (LOW, middle, replace(LOW, at=45.0), replace(HIGH, at=55.0))},
    ):  # fmt: skip
        yield course_text(replace(RISE, **changes), CLASSES)  # type: ignore[arg-type]
    pair = ChanceDependence(**{**vars(TOGETHER), "corners": (LOW, HIGH, middle, LOW), "others": True})
    yield dependence_text(pair, CLASSES)
    sure_of_it = ChanceAt(50.0, 0.99999, (0.9999, 1.0))
    yield course_text(replace(RISE, chances=(LOW, sure_of_it)), CLASSES)
    for gain in ((0.02, 0.1), (-0.1, -0.02), (-0.02, 0.1)):
        yield chances.foresight_text(replace(FORESIGHT, gain_interval=gain), CLASSES)
    for number in (3.0, -3.0, 0.0):
        yield chances.calibration_text(
            Calibration(id="c", number=number, unit="1", evidence="e", bins=(), bins_p=0.5), CLASSES
        )
    yield chances.surprises_text([surprise(0.02, 7, CLASSES.event, 0.4)])
    yield chances.surprises_text([surprise(0.02, 7, CLASSES.event, 3.0), surprise(0.02, 9, CLASSES.other, 3.0)])


def tell_clusters() -> Iterator[str]:
    first, _, third = cluster_cases.findings().clusters
    yield from clusters.cluster_texts((first, *(alone(third, 10.0 + k) for k in range(12))), 40)


FOUND = table_findings(decomposition(model(), dataset(60)))
SCALE_OF_TABLE_STORY = Scale(target="y")


@cache
def made_found() -> TableFindings:
    known = table_findings(decomposition(model(), dataset(60)))
    columns = tuple(changed(one, probability=float("used" in one.marks)) for one in known.columns)
    return replace(known, checks=(), columns=columns)


def careful(found: TableFindings) -> str:
    return " ".join(careful_with(found, SCALE_OF_TABLE_STORY))


def tell_a_column_that_parts_the_target_may_be_made_from_it() -> Iterator[str]:
    found = made_found()
    used = next(one for one in found.columns if "used" in one.marks)
    columns = tuple(changed(one, "parts") if one is used else one for one in found.columns)
    yield careful(replace(found, columns=columns))


def tell_few_rows_and_optimistic_fits_are_doubted() -> Iterator[str]:
    found = made_found()
    fit = replace(found.fit, number=0.95, left_out=0.79)
    yield careful(replace(found, fit=fit))
    yield careful(replace(found, n=39))
    yield careful(replace(found, n=40))


SEARCH = search_of(factory.airline(), ())


def tell_columns_have_their_values_and_what_hangs_on_them() -> Iterator[str]:
    inputs = [InputColumn("age", 1.0, 365.0, ()), InputColumn("kind", 0.0, 2.0, ("a", "b", "c"))]
    idle = column(name="kind", used=False, p_beside_all=0.9, number=(0.0, 0.0, 0.0), probability=0.01)
    for claim in (
        column(others={"partners": ("water",)}), column(others={"instead": ("water",)}),
        column(probability=0.4, p_beside_all=0.9), column(used=False), column("scatter", used=False),
    ):  # fmt: skip
        table = columns_table([claim, idle], inputs, FOUND.parts, SCALE)
        yield from (" | ".join(row) for row in table.rows)


def tell_checks_say_what_was_looked_at() -> Iterator[str]:
    spread = ErrorCheck(
        id="c", number=0.01, unit="1", evidence="e", kind=CheckKind.SPREAD, adjusted=0.03, side=1, column=None
    )
    along = replace(spread, kind=CheckKind.PATTERN, column="age")
    yield from [row[0] for row in checks_table([spread, along]).rows]


def tell_numbers_are_told_by_what_they_measure() -> Iterator[str]:
    numbers = [
        FittedNumber(1, "Per[a]", "Per", "period", "", Measure.SPAN, 12.0),
        FittedNumber(1, "SE[a]", "SE", "lengthscale", "", Measure.SPAN, 2.5),
        FittedNumber(1, "SE[a]", "SE", "sd", "", Measure.DIFFERENCE, 1.23456),
        FittedNumber(1, "RQ[a]", "RQ", "alpha", "", Measure.NUMBER, 0.5),
    ]
    yield from (" | ".join(row) for row in numbers_table(numbers).rows)


@cache
def made_found_of_table_page() -> TableDecomposition:
    return decomposition(model(), dataset())


def sections_of(sections: tuple[Section, ...]) -> Iterator[Section]:
    for section in sections:
        yield section
        yield from sections_of(section.sections)


def figures_of(document: Document) -> dict[str, Figure]:
    every = sections_of(every_section(document))
    blocks = [*([document.picture] if document.picture else []), *(block for one in every for block in one.blocks)]
    return {block.id: block for block in blocks if isinstance(block, Figure)}


def tell_a_model_of_noise_says_that_nothing_was_found() -> Iterator[str]:
    found = decomposition(leaf("WN", sd=1.5), dataset(30))
    yield sentences(found)[0]
    yield document(found).abstract


def tell_many_columns_are_counted() -> Iterator[str]:
    yield listed_columns([f"c{k}" for k in range(10)])

"""Golden sentences: tables, their effects, columns, checks and verdicts."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import log

from tests.decompose.table.tables import dataset, decomposition, model
from tests.describe import cluster_cases, factory
from tests.describe.covariate_cases import PROMO, SEASON, around, findings
from tests.describe.effect_cases import (
    BASE,
    DIP,
    EFFECT,
    LEGS,
    PAIR,
    SCALE,
    TOGETHER,
    TOP,
    WATER,
    but,
    changed,
    check,
    column,
    copy_of,
    input_column,
    scaled,
    with_columns,
)  # fmt: skip
from tests.describe.factory import MONTHLY, MONTHS, every_section, units_on
from tests.describe.sentences import sections_of
from tests.describe.spoken.classes import RISE, calibration, foreseen, high, low, surprise
from tests.describe.spoken.classes import SCALE as CLASSES
from tests.describe.spoken.clusters import alone

from autostatistician.claims.claim import Claim, chance_at, plain_numbers
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.document import Document, Figure
from autostatistician.describe.document.table.sections import line_text, listed_columns, rest_texts
from autostatistician.describe.document.table.tables import checks_table, columns_table, numbers_table
from autostatistician.describe.document.table.verdict import careful_with, code_texts, made_texts
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.facts.judgement import acting_together, manner_of
from autostatistician.describe.facts.search import FittedNumber
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.observe.table.findings import table_findings
from autostatistician.describe.tell import document, sentences
from autostatistician.describe.words import chances, clusters, column_values, covariates
from autostatistician.describe.words.effects import beside_text, course_text, dependence_text, effect_text
from autostatistician.describe.words.table_fit import (
    check_text,
    column_text,
    explained_text,
    no_columns_text,
    noise_text,
    ranges_text,
)  # fmt: skip
from autostatistician.forms import CourseKind
from autostatistician.kernels.kernel import leaf

LEVELS = ("new", "used", "old")
HEIGHTS = tuple(
    replace(BASE, kind=Kind.LEVEL, number=Quantity.plain(10.0 * at, Measure.SCALED), at=(at,)) for at in (0.0, 1.0, 3.0)
)


def tell_courses() -> Iterator[str]:
    for given in (
        {},
        {"form": CourseKind.STRAIGHT},
        {"flat_from": 90.0},
        {"form": CourseKind.FALLING, "flat_until": 90.0, "lowest": 365.0, "highest": 1.0},
        {"bend": -1},
        {"open_from": 90.0},
        {"form": CourseKind.TURNING, "parts": (TOP, *LEGS)},
        {"form": CourseKind.TURNING, "parts": (DIP, *LEGS[::-1]), "lowest": 200.0},
        {"form": CourseKind.TURNING, "parts": (TOP, DIP)},
        {"period": 28.0},
        {"form": CourseKind.UNCLEAR},
        {"at": (1.0, 365.0)},
        {"at": (1.0, 90.0, 365.0), "highest": 90.0},
        {"levels": LEVELS, "lowest": 0.0, "highest": 2.0, "at": (0.0, 1.0, 2.0), "parts": HEIGHTS},
    ):
        yield course_text(but(BASE, **given), SCALE)
    yield course_text(but(BASE, "averaged"), SCALE)


def tell_where_a_course_turns_by_rows_alone() -> Iterator[str]:
    flat = but(BASE, "by rows")
    turn = Quantity(90.0, 70.0, 120.0, Measure.NUMBER)
    yield course_text(replace(flat, more={**flat.more, "flat_until": turn}), SCALE)
    yield course_text(but(BASE, "by rows", bend=1), SCALE)


def tell_a_logarithm_is_told_in_per_cent() -> Iterator[str]:
    course = but(BASE, number=scaled(log(1.5), log(1.4), log(1.6)))
    yield course_text(course, Scale(target="strength", level=1.0))


def tell_columns_that_change_each_other() -> Iterator[str]:
    facts = (PAIR, BASE, WATER, TOGETHER)
    yield manner_of(facts)
    yield effect_text(facts, SCALE)


def tell_what_a_column_does_at_the_other_categories() -> Iterator[str]:
    steps = [Claim(id="", kind=Kind.LEVEL, at=(code,), number=scaled(15.0, 14.0, 16.0)) for code in (2.0, 1.0)]
    names = {"along": (), "by": ("east", "north", "south", "west")}
    for told in (steps, steps[:1]):
        yield dependence_text(replace(TOGETHER, at=(3.0, 90.0, 0.0, 3.0), others=names, parts=tuple(told)), SCALE)


def tell_columns_act_together_at_odds_of_twenty_only() -> Iterator[str]:
    unseen = {name: number for name, number in TOGETHER.more.items() if name != "plain_p"}
    for together in (but(TOGETHER, plain_p=0.05), replace(TOGETHER, more=unseen), but(TOGETHER, probability=0.9)):
        facts = (PAIR, BASE, WATER, together)
        yield manner_of(facts)
        yield from acting_together(facts)
        yield effect_text(facts, SCALE)


def tell_columns_that_add_up() -> Iterator[str]:
    facts = (but(PAIR, beyond=0.01), BASE, WATER, but(TOGETHER, number=scaled(6.0, -1.0, 2.0), share=0.005))
    yield manner_of(facts)
    yield effect_text(facts, SCALE)
    much = but(facts[3], first=-10.0, last=10.0)
    yield manner_of((*facts[:3], much))
    idle = (facts[0], BASE, but(WATER, form=CourseKind.UNCLEAR), facts[3])
    yield effect_text(idle, SCALE)


def tell_more_than_a_sum_and_nothing_clear() -> Iterator[str]:
    three = but(PAIR, columns=("age", "sand", "water"), beyond=0.12)
    facts = (three, BASE, WATER, but(TOGETHER, number=scaled(6.0, -1.0, 2.0)))
    yield manner_of(facts)
    yield effect_text(facts, SCALE)
    vague = (PAIR, but(BASE, form=CourseKind.UNCLEAR), but(WATER, form=CourseKind.UNCLEAR), facts[3])
    yield effect_text(vague, SCALE)


def tell_hostile_names_stay_on_one_line() -> Iterator[str]:
    yield course_text(but(BASE, columns=("a\nb" + "c" * 90,)), SCALE)


def tell_a_bent_fall_of_a_logarithm_is_no_rise_the_other_way() -> Iterator[str]:
    fall = but(WATER, number=scaled(0.5, 0.25, 0.75))
    yield course_text(fall, Scale(target="strength", level=1.0))


def tell_what_depends_on_a_column_by_itself_and_with_others() -> Iterator[str]:
    yield column_text(column(others={"partners": ("water",)}), SCALE)


def scatter(number: float, sds: tuple[float, float] | None = None) -> Claim:
    """The noise of a table, by its age where its size there is given."""
    more = plain_numbers(**dict(zip(("before", "after"), sds or (), strict=False)))
    part = Claim(id="", kind=Kind.SCATTER, columns=("age",), at=(1.0, 365.0), number=scaled(1.0, 1.0, 1.0), more=more)
    return Claim(id="noise", kind=Kind.NOISE, number=scaled(number, number, number), parts=(part,) if sds else ())


def of_whole(kind: Kind, number: float, **more: float) -> Claim:
    """A claim on all of a model."""
    return Claim(id="w", kind=kind, number=Quantity.plain(number, Measure.SHARE), more=plain_numbers(**more))


def tell_scatter_that_is_alike_upwards_and_downwards_is_told_so() -> Iterator[str]:
    for before in (0.2, 0.0004):
        yield noise_text(scatter(0.01, (before, 0.0004)), Scale(target="strength", level=1.0))


def tell_columns() -> Iterator[str]:
    for claim in (
        column(),
        column(others={"instead": ("sand",)}),
        column("scatter", others={"partners": ("water", "sand")}),
        column(number=(0.021, 0.014, 0.026)),
        column(used=False, p_beside_all=0.9, probability=0.01, number=(0.002, 0.0, 0.004)),
        column(used=False, p_beside_all=0.9, probability=0.01),
        column(used=False, probability=0.4),
        column(probability=0.4, p_beside_all=0.9),
        column("scatter", used=False, p_beside_all=0.9, probability=0.0),
        column(probability=0.8, p_beside_all=0.9, number=(0.003, 0.001, 0.006)),
        column(probability=0.8, p=0.002, p_beside_all=0.002),
    ):
        yield column_text(claim, SCALE)
    unknown = column(used=False, p_beside_all=0.9, probability=0.1, number=(0.0, 0.0, 1.0))
    yield from rest_texts([unknown])
    yield from rest_texts([unknown, unknown])


def tell_columns_that_only_the_rows_speak_for() -> Iterator[str]:
    of_class = Scale(target="y", event="yes", other="no")
    line, other = BASE, but(BASE, at=(0.0, 1.0), low=0.0, high=1.0, lowest=0.0, highest=1.0)
    for course in (line, replace(line, form=CourseKind.FALLING), other, None):
        parts = () if course is None else (course,)
        yield beside_text(replace(column(used=False, probability=0.97), parts=parts), SCALE, 4)
        open_one = column(used=False, probability=0.8, p_beside_all=0.02)
        yield beside_text(replace(open_one, parts=parts), of_class, 4)
        single = column(used=False, probability=0.1, p_beside_all=0.06, p_single=0.01)
        yield beside_text(replace(single, parts=parts), SCALE, 4)
        against = column(used=True, probability=0.99, p=0.2, p_beside_all=0.2)
        yield beside_text(replace(against, parts=parts), SCALE, 4)
    yield line_text(column("goes along", correlation=0.5), of_class, 4)
    yield line_text(column("goes along", correlation=-0.5), SCALE, 4)
    yield line_text(replace(column(), parts=(line,)), SCALE, 4)
    yield from made_texts((changed(column(used=True), "parts"),), of_class)


def tell_near_copies_by_both_names() -> Iterator[str]:
    scale = replace(SCALE, copies=(("age", "days", 0.99), ("age", "weeks", 0.98)))
    yield effect_text((EFFECT, BASE), scale)
    yield effect_text((EFFECT, BASE), replace(SCALE, copies=(("age", "days", 0.88),)))
    copied = column(used=False, p_beside_all=0.9, probability=0.01)
    yield column_text(replace(copied, parts=(copy_of("days"),)), SCALE)
    yield effect_text((PAIR, TOGETHER), scale)
    yield effect_text((but(PAIR, beyond=0.01), BASE, WATER), scale)


def tell_scatter() -> Iterator[str]:
    log = Scale(target="strength", level=1.0)
    yield noise_text(scatter(4.0), SCALE)
    yield noise_text(scatter(4.0, (1.0, 5.0)), SCALE)
    yield noise_text(scatter(4.0, (0.2, 0.5)), log)
    yield noise_text(scatter(0.05), log)
    yield noise_text(scatter(0.0), SCALE)


def tell_how_well_it_fits() -> Iterator[str]:
    yield explained_text(of_whole(Kind.EXPLAINED, 0.973, left_out=0.921, error=3.36, error_of_mean=13.34))
    yield ranges_text(of_whole(Kind.HELD, 0.88, rows=500))


def tell_a_column_that_goes_along_is_not_told_as_nothing() -> Iterator[str]:
    idle = column(used=False, p_beside_all=0.9, probability=0.01)
    known = {"p_beside_all": 0.9, "probability": 0.01, "correlation": -0.81, "correlation_p": 1e-06}
    along = column("goes along", used=False, **known)
    yield column_text(column("goes along", "alone", used=False, **known), SCALE)
    yield no_columns_text([idle], SCALE)
    yield no_columns_text([idle, along], SCALE)
    yield no_columns_text([column(used=False, p_beside_all=0.02, probability=0.8)], SCALE)
    yield no_columns_text([column("goes along", "alone", "categories", used=False, **known)], SCALE)
    yield no_columns_text([idle], SCALE, together=True)
    yield no_columns_text([idle, along, column(p_beside_all=0.01, probability=0.4)], SCALE, together=True)


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
    yield effect_text((but(PAIR, columns=("age", "sand", "water"), beyond=0.2), *both), SCALE)
    idle = but(WATER, form=CourseKind.UNCLEAR)
    yield effect_text((but(PAIR, beyond=0.01), BASE, idle, but(idle, columns=("sand",))), SCALE)
    yield dependence_text(but(TOGETHER, "averaged"), SCALE)
    yield dependence_text(but(TOGETHER, "beyond"), SCALE)
    huge = but(BASE, number=scaled(5.0, 4.9, 5.1))
    yield effect_text((EFFECT, huge), Scale(target="strength", level=40.0))
    for changes in (
        {"form": CourseKind.UNCLEAR, "marks": frozenset({"elsewhere"})}, {"open_until": 90.0}, {"bend": 1},
        {"flat_until": 90.0},
        {"form": CourseKind.TURNING, "parts": (TOP, DIP) * 3},
        {"form": CourseKind.TURNING, "parts": (TOP, *LEGS)},
    ):  # fmt: skip
        yield course_text(but(BASE, **changes), SCALE)  # type: ignore[arg-type]
    fall = but(BASE, form=CourseKind.FALLING, lowest=365.0, highest=1.0)
    for changes in (
        {"open_from": 90.0}, {"open_until": 90.0}, {"flat_from": 90.0}, {"flat_until": 90.0}, {"bend": 1}, {"bend": -1},
    ):  # fmt: skip
        yield course_text(but(fall, **changes), SCALE)  # type: ignore[arg-type]
    straight = but(BASE, form=CourseKind.STRAIGHT, number=scaled(-9.0, -10.0, -8.0), lowest=365.0, highest=1.0)
    yield course_text(straight, SCALE)
    shrinks = but(straight, change=scaled(-0.5, -0.6, -0.4))
    yield course_text(shrinks, Scale(target="strength", level=40.0))
    for share, mark in ((0.99, "wide"),):
        yield ranges_text(but(of_whole(Kind.HELD, share, rows=500), mark))
    yield explained_text(of_whole(Kind.EXPLAINED, 0.9, left_out=-0.1, error=0.2, error_of_mean=0.7))
    for one in (
        check("distribution"), check("distribution", side=-1), check("distribution", side=0), check("spread"),
        check("spread", side=-1), check("pattern", "age"),
    ):  # fmt: skip
        yield f"{check_text(one)}."


def tell_columns_left_out() -> Iterator[str]:
    along = {"correlation": -0.81, "correlation_p": 1e-4, "probability": 0.02}
    without = {"p_beside_all": 0.9, "probability": 0.02}
    yield column_text(column("goes along", used=False, **along | without), SCALE)
    yield column_text(column("goes along", "alone", used=False, **along | without), SCALE)
    yield column_text(column("untried", used=False, **without), SCALE)
    yield column_text(column("goes along", used=False, **along, p_beside_all=0.01), SCALE)
    yield column_text(column(), CLASSES)
    yield column_text(column(probability=0.8, p=0.002, p_beside_all=0.002), CLASSES)
    yield no_columns_text((column("untried", used=False),), SCALE)


def tell_chances() -> Iterator[str]:
    middle, turning = chance_at(40.0, 0.7, (0.6, 0.8)), {"form": CourseKind.TURNING}
    for changes in (
        {"open_from": 45.0}, {"open_until": 25.0}, {"flat_from": 45.0}, {"flat_until": 25.0},
        {"levels": LEVELS, "parts": (low(0.0), high(1.0), middle)},
        {"parts": (TOP, DIP) * 3, "form": CourseKind.TURNING}, {"period": 28.0},
        {**turning, "parts": (TOP, low(), middle, chance_at(50.0, 0.2, (0.31, 0.5)))},
        {**turning, "parts": (TOP, DIP, TOP, high(), low(), middle, low(45.0), high(55.0))},
        {**turning, "parts": (DIP, replace(middle, at=(30.0,)), low(40.0), high())},
        {**turning, "parts": (TOP, DIP, low(), middle, low(45.0), high(55.0))},
    ):  # fmt: skip
        yield course_text(but(RISE, **changes), CLASSES)  # type: ignore[arg-type]
    pair = but(TOGETHER, "averaged", parts=(low(), high(), middle, low()))
    yield dependence_text(pair, CLASSES)
    sure_of_it = chance_at(50.0, 0.99999, (0.9999, 1.0))
    yield course_text(but(RISE, parts=(low(), sure_of_it)), CLASSES)
    for gain in ((0.02, 0.1), (-0.1, -0.02), (-0.02, 0.1)):
        yield chances.foresight_text(foreseen((0.06, *gain)), CLASSES)
    for number in (3.0, -3.0, 0.0):
        yield chances.calibration_text(calibration(number), CLASSES)
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
    columns = [changed(one, probability=float(one.in_best)) for one in known.columns]
    return with_columns(replace(known, checks=()), columns)


def careful(found: TableFindings) -> str:
    return " ".join(careful_with(found, SCALE_OF_TABLE_STORY))


def tell_a_column_that_parts_the_target_may_be_made_from_it() -> Iterator[str]:
    found = made_found()
    used = next(one for one in found.columns if one.in_best)
    columns = tuple(changed(one, "parts") if one is used else one for one in found.columns)
    yield careful(with_columns(found, columns))


def tell_numbers_that_may_be_codes() -> Iterator[str]:
    found, course = made_found(), but(BASE, form=CourseKind.TURNING, parts=(TOP, DIP), at=(1.0, 2.0, 3.0, 4.0))
    effects = (replace(found.parts[0], claims=(course,), told=True),)
    yield from code_texts(replace(found, parts=effects), SCALE)
    yield course_text(replace(course, others={}), SCALE)


def tell_few_rows_and_optimistic_fits_are_doubted() -> Iterator[str]:
    found = made_found()
    fit = of_whole(Kind.EXPLAINED, 0.95, left_out=0.79)
    yield careful(replace(found, fit=fit))
    yield careful(replace(found, n=39))
    yield careful(replace(found, n=40))


SEARCH = search_of(factory.airline(), ())


def tell_columns_have_their_values_and_what_hangs_on_them() -> Iterator[str]:
    inputs = [replace(input_column("age"), low=1.0, high=365.0), input_column("kind", ("a", "b", "c"))]
    idle = column(name="kind", used=False, p_beside_all=0.9, number=(0.0, 0.0, 0.0), probability=0.01)
    for claim in (
        column(others={"partners": ("water",)}), column(others={"instead": ("water",)}),
        column(probability=0.4, p_beside_all=0.9), column(used=False, number=(0.0, 0.0, 1.0)),
        column("scatter", used=False, p_beside_all=0.9),
    ):  # fmt: skip
        table = columns_table([claim, idle], inputs, FOUND.parts, SCALE)
        yield from (" | ".join(row) for row in table.rows)


def tell_checks_say_what_was_looked_at() -> Iterator[str]:
    yield from [row[0] for row in checks_table([check("spread"), check("pattern", "age")]).rows]


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

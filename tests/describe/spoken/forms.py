"""Golden sentences: forms of claims, parts and pages that other cases do not reach."""

from collections.abc import Iterator
from dataclasses import replace

from tests.decompose.table import classes
from tests.decompose.table.tables import dataset, decomposition, model
from tests.describe import factory
from tests.describe.cluster_cases import findings as clusters_found
from tests.describe.covariate_cases import PROMO
from tests.describe.covariate_cases import findings as columns_found
from tests.describe.effect_cases import BASE, SCALE, but, column, scaled
from tests.describe.function_cases import COURSE, SPELL, UNITS, facts
from tests.describe.spoken.series import ACTIVE, _fact, _told

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import Form, Kind, Standing
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.classes.page import careful_with_classes
from autostatistician.describe.document.clusters.page import DENSITY, observed_figure
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.document.series.abstract import nothing_texts, story_of
from autostatistician.describe.document.table.page import table_page
from autostatistician.describe.document.table.pictures import curve_figure, key_figure
from autostatistician.describe.document.table.sections import more_text
from autostatistician.describe.document.table.verdict import made_texts
from autostatistician.describe.facts.part import NoiseLevel
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.table.findings import class_findings, scale_for, table_findings
from autostatistician.describe.words.amounts import signed_text
from autostatistician.describe.words.column_values import column_name
from autostatistician.describe.words.course import course_text as course_of_series
from autostatistician.describe.words.effects import course_text
from autostatistician.describe.words.events import change_text, far_off_text
from autostatistician.describe.words.forecast import _and_beside
from autostatistician.describe.words.function import claim_text
from autostatistician.forms import CourseKind


def tell_parts_that_fall_and_shrink() -> Iterator[str]:
    yield _told(_fact(NoiseLevel, 3.0, first=3.0, last=3.0), replace(ACTIVE, shown=()))


def tell_numbers_by_their_measure() -> Iterator[str]:
    for value, measure in ((120.0, Measure.LEVEL), (0.25, Measure.SHARE), (2.0, Measure.SPAN)):
        yield signed_text(Quantity.plain(value, measure), UNITS)
    growth = Claim(id="g", kind=Kind.GROWTH, number=Quantity.plain(0.1, Measure.GROWTH))
    yield str(fact_json(growth, UNITS)["unit"])


def tell_lists_and_conditions() -> Iterator[str]:
    yield more_text(1)
    yield _and_beside("If the rise lasts", "with 'promo' as planned")
    yield from made_texts((column(carried=7),), SCALE)


def tell_sudden_changes_and_scatter() -> Iterator[str]:
    (far_off,) = (one for one in facts(replace(COURSE, sudden=(SPELL,))) if one.form == "far off")
    yield change_text(far_off, UNITS)
    (scatter,) = (one for one in facts(COURSE) if one.kind is Kind.SCATTER)
    yield claim_text(replace(scatter, at=(1954.0, 1956.0), form="between"), UNITS)
    rise = next(one for one in facts(COURSE) if one.kind is Kind.RISE)
    stepped = replace(rise, form=Form.ONE_WAY, marks=frozenset({"stepped"}))
    yield course_of_series([stepped], UNITS)
    later = replace(far_off, at=(1957.0, 1957.0), more={**far_off.more, "last": Quantity.plain(1958.0, Measure.PLACE)})
    yield far_off_text([far_off, later], UNITS)


def tell_a_fall() -> Iterator[str]:
    rise = next(one for one in facts(COURSE) if one.kind is Kind.RISE)
    slope = next(one for one in facts(COURSE) if one.kind is Kind.SLOPE)
    fall = replace(
        rise, number=Quantity(-350.0, -351.0, -349.0, Measure.DIFFERENCE),
        more={**rise.more, "first": rise.more["last"], "last": rise.more["first"]},
    )  # fmt: skip
    yield course_of_series([replace(fall, marks=frozenset({"turned_of_late"})), slope], UNITS)
    yield course_of_series([replace(fall, form=Form.BOTH)], UNITS)
    level = replace(rise, number=Quantity(1.0, -9.0, 11.0, Measure.DIFFERENCE), standing=Standing.OPEN)
    yield course_of_series([replace(level, form=Form.BOTH)], UNITS)


def tell_a_line_of_a_logarithm() -> Iterator[str]:
    size = scaled(0.3, 0.2, 0.4)
    yield course_text(but(BASE, form=CourseKind.STRAIGHT, number=size, change=size), replace(SCALE, level=5.0))


def tell_one_part_alone_and_no_trend_beside_columns() -> Iterator[str]:
    found = replace(series_findings(factory.noise_only()), covariates=columns_found(PROMO))
    yield from nothing_texts(story_of(found, UNITS))


def tell_pictures_of_effects() -> Iterator[str]:
    found = table_findings(decomposition(model(), dataset(60)))
    one = found.effects[0]
    yield curve_figure(one, Scale(target="y")).caption
    yield curve_figure(one, Scale(target="y", event="yes", other="no")).caption
    page = table_page(found, Scale(target="y"))
    for number in (6, 7):
        many = replace(page, story=replace(page.story, effects=page.story.effects[:1] * number))
        yield from (text for text in many.more_texts() if "below" in text)
    alone = replace(one, columns=one.columns[:1], record=replace(one.record, interaction=None))
    first = one.record.along[0]
    kinds = replace(alone, record=replace(alone.record, along=(replace(first, levels=("old", "new")),)))
    for figure in (key_figure([shown], Scale(target="y")) for shown in (alone, kinds)):
        yield "" if figure is None else figure.caption
    averaged = replace(one, record=replace(one.record, along=(one.record.along[0],) * 2))
    yield curve_figure(averaged, Scale(target="y")).caption
    single = replace(one, record=replace(one.record, along=one.record.along[:1]))
    yield curve_figure(single, Scale(target="y")).caption
    rare = class_findings(classes.decomposition())
    rare = replace(rare, foresight=but(rare.foresight, came=1))
    yield from careful_with_classes(rare, scale_for(classes.decomposition()))
    found = columns_found(PROMO).columns[0].effect
    leap = replace(found, columns=("leap day",), named={**found.named, "calendar": "days"})
    yield column_name(leap)


def tell_pictures_of_clusters() -> Iterator[str]:
    found = clusters_found()
    yield observed_figure(replace(found, observed=(replace(found.observed[0], y_name=DENSITY),))).caption
    yield observed_figure(replace(found, columns=(*found.columns, "radius"))).caption

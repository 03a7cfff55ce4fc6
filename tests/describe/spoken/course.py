"""Golden sentences: where a function went, in which steps, and how it repeats."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tests.describe.covariate_cases import INCOME, PROMO, findings
from tests.describe.factory import DAILY, DAYS, MONTHLY, MONTHS, PLAIN, YEARLY, YEARS, airline, units_on
from tests.describe.function_cases import (
    COURSE,
    LEVEL_VALUES,
    SCATTER,
    SEASON,
    SPELL,
    STEP,
    UNITS,
    facts,
    it,
    seen,
    sure,
)
from tests.describe.spoken.checks import outlier

from autostatistician.claims.claim import Claim as Said
from autostatistician.claims.claim import first, way_of
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.function import Estimate, LevelChange, Movement, Plateau
from autostatistician.describe.document.document import Table
from autostatistician.describe.document.series.function import season_section
from autostatistician.describe.document.series.outliers import outlier_section
from autostatistician.describe.observe.series.course import still_of
from autostatistician.describe.observe.series.function import function_claims
from autostatistician.describe.words import course, events, function
from autostatistician.describe.words.course import course_text, hardly, one_by_one
from autostatistician.describe.words.events import at, beyond, far_off_text, happened_text, since, until
from autostatistician.describe.words.function import claim_text
from autostatistician.describe.words.seasons import season_text, swing_text
from autostatistician.forms import FarOff


def tell_thirds_that_differ_are_no_sign_that_nothing_lasts() -> Iterator[str]:
    course = replace(COURSE, rise=Estimate(3.0, -5.0, 9.0, 0.4), seasons=(), sudden=())
    rising = replace(airline(), function=course, y=LEVEL_VALUES + np.arange(144.0))
    yield course_text(function_claims(rising, UNITS), UNITS)
    yield course_text(facts(course), UNITS)


def tell_levels_are_averages_over_a_season_where_it_is_seen_often() -> Iterator[str]:
    for period in (0.0, 1.0, 0.5, 7.0 / 365.2425, 1.0 / 365.2425):
        yield course_text(facts(replace(COURSE, averaged=period, sudden=())), UNITS)


def tell_a_curve_is_told_along_its_column() -> Iterator[str]:
    yield course_text(facts(replace(COURSE, seasons=(), sudden=())), replace(UNITS, is_curve=True))


def tell_the_largest_move_of_a_level_that_goes_nowhere() -> Iterator[str]:
    for size in (-120.0, 120.0):
        move = Movement(1953.0, 1954.5, 300.0, 300.0 + size, sure(size), (1953.0, 1953.0), seen(size))
        course = replace(COURSE, stretches=(), rise=Estimate(3.0, -5.0, 9.0, 0.4), seasons=(), move=move)
        yield it(course_text(facts(replace(course, sudden=(), wander=0.6)), UNITS))
        yield it(course_text(facts(replace(course, wander=0.6)), UNITS))  # what is told to have happened makes it


def tell_growth_of_a_logarithm_is_told_in_per_cent() -> Iterator[str]:
    course = replace(COURSE, seasons=(), sudden=(), slope=sure(45.0), growth=sure(0.1, 0.01))
    told = function_claims(replace(airline(), function=course, transform=Transform("log", 250.0)), UNITS)
    units = replace(UNITS, level=250.0)
    yield it(course_text(told, units))
    doubted = replace(units, open_scale=True)
    yield course_text(
        function_claims(replace(airline(), function=course, transform=Transform("log", 250.0)), doubted), doubted
    )
    bent = replace(airline(), function=replace(course, rate_bends=True), transform=Transform("log", 250.0))
    yield course_text(function_claims(bent, UNITS), units)


def tell_a_fall_is_one_in_one_word_too() -> Iterator[str]:
    fell = facts(replace(COURSE, rise=sure(-200.0), seasons=(), sudden=()))
    yield way_of(fell)


def tell_a_level_that_was_reached_is_told() -> Iterator[str]:
    risen = replace(COURSE, still=Plateau(1956.0, 1960.0 + 11 / 12, 450.0, 469.0), seasons=(), sudden=())
    yield course_text(facts(risen), UNITS, apart=True)
    ends = {"first": replace(COURSE.first, height=sure(470.0)), "last": replace(COURSE.last, height=sure(120.0))}
    fallen = replace(risen, rise=sure(-350.0), still=Plateau(1956.0, 1960.0 + 11 / 12, 140.0, 121.0))
    yield course_text(facts(replace(fallen, **ends)), UNITS)


def tell_beside_lasting_steps_a_way_is_that_apart_from_them() -> Iterator[str]:
    fell = replace(COURSE, rise=sure(-200.0), pace=sure(2.0, 0.5), wander=0.4, seasons=(), sudden=(replace(STEP),))
    yield way_of(facts(replace(fell, pace=sure(20.0))))
    yield way_of(facts(fell))
    small = replace(STEP, size=sure(-1.0))
    yield way_of(facts(replace(fell, pace=Estimate(3.0, -5.0, 9.0, 0.4), sudden=(small,))))


def tell_what_shows_no_way_beside_a_step_says_so() -> Iterator[str]:
    flat = replace(COURSE, pace=Estimate(0.0, -5.0, 5.0, 0.5), sudden=(STEP,), scatter=None)
    yield course_text(facts(flat), UNITS)


def tell_less_than_two_cycles_of_the_calendar_show_no_trend() -> Iterator[str]:
    hourly = replace(DAILY, unit="hour", frequency="hour", step=1.0)
    for axis, rows in ((DAILY, 548), (DAILY, 9), (DAILY, 4), (hourly, 20), (DAILY, 731)):
        yield course_text(facts(replace(COURSE, seasons=(), sudden=())), units_on(axis, np.arange(float(rows))))
    bent = facts(replace(COURSE, wander=0.4, seasons=(), sudden=()))
    yield course_text(bent, units_on(DAILY, np.arange(548.0)))
    stays = facts(replace(COURSE, rise=Estimate(3.0, -5.0, 9.0, 0.4), seasons=(), sudden=()))
    yield course_text(stays, units_on(DAILY, np.arange(548.0)))


def run(start: float, stop: float, first: float, last: float, still: Plateau | None = None) -> Said:
    more = {name: Quantity.plain(value, Measure.LEVEL) for name, value in (("first", first), ("last", last))}
    return Said(
        id="", kind=Kind.RUN, number=Quantity.plain(last - first, Measure.DIFFERENCE), at=(start, stop),
        more={**more, "begins": Quantity.plain(start, Measure.PLACE)}, parts=still_of(still, last - first),
        probability=1.0,
    )  # fmt: skip


UP = run(1949.0, 1952.0, 100.0, 300.0)


def tell_what_happened_when() -> Iterator[str]:
    for runs in (
        [UP, run(1952.0, 1960.0, 300.0, 100.0, Plateau(1952.0, 1957.0, 300.0, 296.0))],
        [UP, run(1952.0, 1960.0, 300.0, 100.0, Plateau(1952.0, 1957.0, 300.0, 270.0))],
        [UP, run(1952.0, 1960.0, 300.0, 100.0, Plateau(1954.0, 1957.0, 200.0, 240.0))],
        [UP, run(1952.0, 1960.0, 300.0, 100.0, Plateau(1955.0, 1959.9, 105.0, 101.0))],
        [run(1949.0, 1952.0, 100.0, 300.0, Plateau(1949.0, 1951.0, 100.0, 101.0)), run(1952.0, 1960.0, 300.0, 90.0)],
        [run(1952.0, 1960.0, 300.0, 90.0)],
    ):
        yield one_by_one(runs, UNITS)


def tell_no_more_than_five_pieces_are_told() -> Iterator[str]:
    still = Plateau(1954.0, 1957.0, 200.0, 200.0)
    small = run(1949.0, 1952.0, 100.0, 130.0, Plateau(1950.0, 1951.0, 110.0, 111.0))
    yield one_by_one([small, run(1952.0, 1960.0, 130.0, 400.0, still)], UNITS)


def tell_a_standstill_in_few_words() -> Iterator[str]:
    yield hardly(run(1949.0, 1952.0, 1.0, 3.0, Plateau(1950.0, 1951.0, 1.0, 1.0)), UNITS)
    yield hardly(UP, UNITS)


def tell_one_that_stood_still_to_the_end() -> Iterator[str]:
    still = run(1952.0, 1960.0, 300.0, 100.0, Plateau(1952.0, 1960.0, 300.0, 296.0))
    yield one_by_one([still], UNITS)


def tell_what_does_not_move_is_no_claim() -> Iterator[str]:
    still = facts(replace(COURSE, rise=sure(0.0)))
    yield from [text for text in (claim_text(fact, UNITS) for fact in still) if "lies" in text]


def tell_claims_in_few_words() -> Iterator[str]:
    texts = [claim_text(fact, UNITS) for fact in facts(COURSE)]
    yield from [text for text in texts if text]


QUARTERS = replace(MONTHLY, frequency="quarter", step=0.25)


def tell_an_event_and_a_scatter_are_told_with_their_dates() -> Iterator[str]:
    yield it(happened_text(facts(COURSE), UNITS))


def tell_a_stretch_far_off_is_told_with_its_dates_its_size_and_the_odds() -> Iterator[str]:
    told = facts(replace(COURSE, sudden=(SPELL,), scatter=None))
    yield it(happened_text(told, UNITS))
    yield it(far_off_text(told, UNITS))
    yield far_off_text(facts(COURSE), UNITS)


def tell_a_scatter_without_a_date_is_told_with_a_span_and_nobody_is_sent_to_look_for_a_day() -> Iterator[str]:
    told = facts(replace(COURSE, sudden=(), scatter=replace(SCATTER, span=(1954.5, 1956.0, 18))))
    yield happened_text(told, UNITS)
    smaller = [
        replace(one, number=Quantity.plain(0.25, Measure.RATIO)) if one.kind is Kind.SCATTER else one for one in told
    ]
    yield happened_text(smaller, UNITS)
    closely = facts(replace(COURSE, sudden=(), scatter=replace(SCATTER, span=(1954.75, 1955.25, 6))))
    yield happened_text(closely, UNITS)


def tell_a_date_is_led_by_what_it_names() -> Iterator[str]:
    for units, position in (
        (units_on(DAILY, DAYS), 31.0),
        (units_on(MONTHLY, MONTHS), 1950.0),
        (units_on(QUARTERS, MONTHS), 1950.0),
        (units_on(YEARLY, YEARS), 1700.0),
        (units_on(PLAIN, DAYS), 7.0),
    ):
        yield ", ".join(lead(position, units) for lead in (at, since, until, beyond))


def tell_a_day_has_an_article_elsewhere() -> Iterator[str]:
    for units, position in ((units_on(DAILY, DAYS), 35.0), (units_on(MONTHLY, MONTHS), 1950.0)):
        yield since(position, units)


def tell_seasons_name_their_months_where_these_are_sure() -> Iterator[str]:
    yield course_text(facts(COURSE), UNITS)
    growing = replace(COURSE, seasons=(replace(COURSE.seasons[0], ends=(40.0, 360.0)),))
    yield course_text(facts(growing), UNITS)
    logs = replace(growing, seasons=(replace(COURSE.seasons[0], ends=(0.3, 1.3)),))
    in_logs = replace(UNITS, level=250.0)
    season = first(function_claims(replace(airline(), function=logs), in_logs), Kind.SEASON)
    assert season is not None
    yield season_text(season, in_logs)
    vague = replace(COURSE, seasons=(replace(COURSE.seasons[0], tops=()),))
    yield course_text(facts(vague), UNITS)
    both = replace(COURSE, seasons=(replace(COURSE.seasons[0], tops=(0.5, 7 / 12)),))
    yield course_text(facts(both), UNITS)


def tell_ratios_of_a_season_that_stays_the_same() -> Iterator[str]:
    season = first(facts(COURSE), Kind.SEASON)
    assert season is not None
    for times in (3.7, 1e6):
        yield swing_text(replace(season, more={"swing": Quantity.plain(times, Measure.RATIO)}), UNITS)


ABOVE = replace(SPELL, size=sure(150.0), segment=FarOff(1958.5, 1958.25, 460.0, 310.0, 500.0, 1e-12))


def tell_stretches_that_lie_or_vary_apart() -> Iterator[str]:
    levels = {"mean": Quantity.plain(460.0, Measure.LEVEL), "usual": Quantity.plain(310.0, Measure.LEVEL)}
    more = levels | {"last": Quantity.plain(1958.5, Measure.PLACE)}
    apart = [(Kind.EVENT, Quantity.plain(size, Measure.DIFFERENCE)) for size in (150.0, -150.0)]
    apart += [(Kind.SCATTER, Quantity.plain(times, Measure.RATIO)) for times in (3.0, 0.25)]
    for kind, number in apart:
        claim = Said(id="", kind=kind, form="stretch", at=(1957.0, 1957.25, 1958.75), number=number, more=more)
        yield from (happened_text((claim,), UNITS), claim_text(claim, UNITS))


def tell_more_of_spells() -> Iterator[str]:
    """Every sentence on them."""
    for changes in ((SPELL,), (ABOVE,), (SPELL, ABOVE)):
        facts = _claims(*changes)
        yield events.far_off_text(facts, UNITS)
    near = [outlier(position, 20.0, 300.0) for position in (1954.95, 1955.5)]
    for asides in (near[:1], near):
        (section,) = outlier_section([*asides, *_claims(SPELL)], UNITS)
        yield section.blocks[-1].text  # type: ignore[union-attr]
    walk = replace(UP, more={**UP.more, "step": Quantity.plain(3.0, Measure.DIFFERENCE)})
    yield from (course.walk_text(walk, UNITS, apart=apart) for apart in (False, True))
    beside = findings(PROMO, INCOME)
    yield course.observed_text(_claims(), beside, UNITS)
    change = first(_claims(STEP), Kind.STEP)
    assert change is not None
    yield function.claim_text(replace(change, number=Quantity(-150.0, -310.0, 10.0)), UNITS)
    rose = {"before": Quantity.plain(2.0, Measure.LEVEL), "ratio": Quantity.plain(200.0, Measure.RATIO)}
    yield events.change_text(
        replace(change, number=Quantity.plain(398.0, Measure.DIFFERENCE), more={**change.more, **rose}), UNITS
    )


def _claims(*changes: LevelChange) -> tuple[Said, ...]:
    made = replace(COURSE, seasons=(), sudden=changes, scatter=None)
    return function_claims(replace(airline(), function=made, y=LEVEL_VALUES), UNITS)


def tell_a_table_of_a_swing_that_has_grown_says_that_it_is_an_average() -> Iterator[str]:
    grown = replace(COURSE, seasons=(replace(SEASON, ends=(150.0, 300.0)),))
    (section,) = season_section(function_claims(replace(airline(), function=grown), UNITS), UNITS)
    (table,) = section.blocks
    assert isinstance(table, Table)
    yield table.caption
    yield table.notes

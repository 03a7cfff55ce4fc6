"""Golden sentences: checks, tests of forecasts, values that stand out."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from tests.describe.checks import alarm, fact_of, trial, trial_fact
from tests.describe.factory import DAILY, DEPTHS, MONTHLY, MONTHS, PLAIN, component, decomposition, units_on
from tests.describe.function_cases import UNITS as UNITS_OF_MORE_OUTLIERS

from autostatistician.claims.claim import Claim, plain_numbers
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import CalendarDay
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Section, Table
from autostatistician.describe.document.series.outliers import outlier_section
from autostatistician.describe.facts.whole import TwoWays
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.observe.series.whole import outlier_claims
from autostatistician.describe.tell import answer
from autostatistician.describe.words import outliers
from autostatistician.describe.words.checks import alarm_text, forecast_test_text, missed_text, worse_text
from autostatistician.describe.words.outliers import (
    aside_text,
    comes_again_text,
    ending_text,
    far_named,
    far_off_text,
    returning_text,
    set_aside_text,
    two_ways_text,
)
from autostatistician.kernels.kernel import leaf

UNITS = Units(Axis("month", "year", "month", 1 / 12), 2000.0, 2010.0, 1 / 12, 10.0, target="sales")


def tell_values_that_stand_out_are_named_five_at_most() -> Iterator[str]:
    fact = fact_of(alarm("distribution"))
    far = far_rows((2000.0 + month / 12.0, 56.0 + month) for month in (5, 4, 7, 8, 10, 11, 1))
    yield alarm_text(replace(fact, parts=far), UNITS)
    yield alarm_text(fact_of(alarm("quantiles", part=2, place=2000.0 + 4.0 / 12.0)), UNITS)


def tell_every_alarm_says_what_was_found_and_what_it_may_mean() -> Iterator[str]:
    for check in (
        alarm("distribution"),
        alarm("distribution", side=-1),
        alarm("autocorrelation", place=1.0),
        alarm("autocorrelation", side=-1, place=1.0),
        alarm("autocorrelation", side=-1, place=12.0),
        alarm("periodogram", place=0.25),
        alarm("course"),
        alarm("distribution", part=2),
        alarm("autocorrelation", part=1),
        alarm("periodogram", part=3),
        alarm("quantiles", part=2),
        alarm("quantiles", part=2, side=-1),
        alarm("course", part=1),
    ):
        yield alarm_text(fact_of(check), UNITS)


def tell_a_test_of_forecasts_states_its_leak() -> Iterator[str]:
    yield forecast_test_text(trial_fact(trial(0.6)), UNITS)


def tell_a_test_whose_numbers_are_those_of_all_rows_says_so() -> Iterator[str]:
    yield forecast_test_text(replace(trial_fact(trial(0.95)), refitted=False), UNITS)


def tell_the_error_of_forecasts_stands_beside_that_of_a_naive_one() -> Iterator[str]:
    for season in (1.0, None):
        yield missed_text(trial_fact(replace(trial(0.95), naive=4.2, season=season)), UNITS)


def outlier(x: float = 1955.0, y: float = 146.0, expected: float = 50.2, *, lasting: float = 0.0, **more: Any) -> Claim:
    """That a value stands out from 144 others."""
    found = decomposition((component(leaf("WN", sd=1.0), MONTHS),), MONTHS, MONTHS, MONTHLY)
    screening = Screening((Outlier(x, y, expected, **more),), 57.0, lasting=lasting)
    return outlier_claims(replace(found, screening=screening))[0]


ONE = outlier()


UNITS_OF_OUTLIERS = units_on(MONTHLY, MONTHS)


def outlier(x: float = 1955.0, y: float = 146.0, expected: float = 50.2, *, lasting: float = 0.0, **more: Any) -> Claim:
    """That a value stands out from 144 others."""
    found = decomposition((component(leaf("WN", sd=1.0), MONTHS),), MONTHS, MONTHS, MONTHLY)
    screening = Screening((Outlier(x, y, expected, **more),), 57.0, lasting=lasting)
    return outlier_claims(replace(found, screening=screening))[0]


ONE = outlier()


def tell_one_value_is_told_in_the_singular_and_several_in_the_plural() -> Iterator[str]:
    yield aside_text([ONE, outlier(1956.0)])


def tell_of_many_some_are_named_and_the_others_counted() -> Iterator[str]:
    many = [outlier(1950.0 + year) for year in range(4)]
    yield set_aside_text(many, UNITS_OF_OUTLIERS)
    far = [(1950.0 + year, 146.0) for year in range(6)]
    yield far_named(far, UNITS_OF_OUTLIERS)
    yield far_named([*far, (1956.0, 146.0)], UNITS_OF_OUTLIERS)


def tell_chances_are_told_the_least_sure_first() -> Iterator[str]:
    sure = [outlier(1950.0 + year, chance=0.9995) for year in range(4)]
    yield aside_text(sure)


def tell_what_is_kept_is_told_apart() -> Iterator[str]:
    kept = outlier(aside=False)
    yield aside_text([kept])
    yield set_aside_text([kept], UNITS_OF_OUTLIERS)


def tell_what_ends_the_data_is_told_with_what_it_may_be() -> Iterator[str]:
    ending = outlier(ending=True, lasting=0.556)
    yield ending_text([ending], UNITS_OF_OUTLIERS)
    yield aside_text([ending])
    yield ending_text([ONE], UNITS_OF_OUTLIERS)


def tell_rows_of_tables_are_named_by_their_number() -> Iterator[str]:
    yield far_off_text([outlier(18.0, aside=False)])
    yield far_off_text([])


def returning(off: float, level: float, since: float, times: int = 3, day: str = "date 12 25 0") -> Claim:
    """That values are off on a day of the calendar, or in a week or month of it."""
    back = CalendarDay.from_text(day)
    return Claim(
        id="outliers/day 1", kind=Kind.RETURNING, form=back.step, at=(since, since + 2.0), named={"day": back.text},
        number=Quantity.plain(off, Measure.DIFFERENCE), more=plain_numbers(level=level, times=times, rows=3),
    )  # fmt: skip


def tell_a_day_that_comes_back_is_told_with_what_it_is_and_what_forecasts_make_of_it() -> Iterator[str]:
    yield returning_text([returning(-80.0, 20.3, 358.0)], units_on(DAILY, np.arange(1096.0)))
    for day in ("week 12 25 0", "easter 0 0 0", "month 12 0 0"):
        for off in (-80.0, 80.0):
            yield returning_text([returning(off, 20.3, 1950.0, day=day)], UNITS_OF_OUTLIERS)
    yield returning_text([], UNITS_OF_OUTLIERS)


def tell_several_values_that_were_set_aside_may_come_again() -> Iterator[str]:
    few = [outlier(1950.0 + year, 3.0) for year in range(2)]
    yield comes_again_text(few, UNITS_OF_OUTLIERS)
    told = comes_again_text([*few, outlier(1953.0, 3.0)], UNITS_OF_OUTLIERS)
    yield told
    ending = outlier(1960.0, ending=True, lasting=0.1)
    told = comes_again_text([*few, outlier(1953.0, 3.0), ending], UNITS_OF_OUTLIERS)
    yield told


def tell_a_forecast_that_weighs_two_cases_says_both_with_the_odds() -> Iterator[str]:
    ways = TwoWays(
        id="w", number=1519.2, unit="target", evidence="e", position=1961.0, lasting=2130.4, odds=0.537, rows=2
    )
    yield two_ways_text([ways], UNITS_OF_OUTLIERS)
    yield two_ways_text([], UNITS_OF_OUTLIERS)


def far_rows(far: Iterable[tuple[float, float]]) -> tuple[Claim, ...]:
    """Rows of large errors, by places and values."""
    return tuple(Claim(id="", kind=Kind.OUTLIER, at=(x,), number=Quantity.plain(y, Measure.LEVEL)) for x, y in far)


def tell_more_of_checks() -> Iterator[str]:
    """Every sentence on them."""
    units = Units(MONTHLY, 2000.0, 2010.0, 1 / 12, 10.0, target="sales")
    for kind in ("distribution", "course"):
        for part in (0, 2):
            yield alarm_text(fact_of(alarm(kind, part=part, side=-1)), units)
    far = far_rows((2000.0 + month / 12.0, 56.0 + month) for month in (5, 4, 7, 8, 10, 11, 1))
    larger = fact_of(alarm("distribution"))
    yield alarm_text(replace(larger, parts=far), units)
    yield worse_text(replace(trial_fact(trial(0.9)), naive=2.5, season=1.0), units)
    for season in (None, 1.0):
        yield missed_text(
            replace(trial_fact(trial(0.9)), naive=4.2, season=season), replace(units, counts=True, level=250.0)
        )
    yield alarm_text(fact_of(alarm("distribution", side=0)), units)


DEPTH = units_on(PLAIN, DEPTHS)
WAYS = TwoWays(
    id="forecast/two-ways", number=1519.2, unit="target", evidence="e", position=1961.0, lasting=2130.4, odds=0.537,
    rows=2,
)  # fmt: skip


def tell_more_of_outliers() -> Iterator[str]:
    """Every sentence on them."""
    two = [ONE, outlier(1956.0)]
    yield outliers.aside_text([ONE])
    yield outliers.aside_text(two)
    for number in (146.0, 20.0):
        yield outliers.comes_again_text([outlier(y=number), *two], UNITS_OF_MORE_OUTLIERS)
    ending = [outlier(x, ending=True, lasting=0.4) for x in (1955.0, 1956.0)]
    yield outliers.comes_again_text([ONE, *two, ending[0]], UNITS_OF_MORE_OUTLIERS)
    yield outliers.comes_again_text([ONE, *two, *ending], UNITS_OF_MORE_OUTLIERS)
    for rows in (1, 2):
        yield outliers.two_ways_text([replace(WAYS, rows=rows)], UNITS_OF_MORE_OUTLIERS)
    yield outliers.ending_text(ending[:1], UNITS_OF_MORE_OUTLIERS)
    yield outliers.ending_text(ending, UNITS_OF_MORE_OUTLIERS)
    yield outliers.ending_text([outlier(4.0, ending=True)], DEPTH)
    days = [returning(number, 80.0, 1950.0, times) for number in (30.0, -30.0) for times in (3, 2)]
    yield outliers.returning_text(days, UNITS_OF_MORE_OUTLIERS)


ASIDE = Outlier(1955.0 + 10.0 / 12.0, 146.0, 50.2, chance=0.97)
LAST = Outlier(float(MONTHS[-1]), 5.0, 51.0, aside=False, chance=0.97)


@cache
def made_found() -> Decomposition:
    y = 50.0 + np.sin(MONTHS)
    made = decomposition(
        (component(leaf("C", sd=50.0), MONTHS), component(leaf("WN", sd=1.0), MONTHS)), MONTHS, y, MONTHLY
    )
    return replace(made, screening=Screening((ASIDE, LAST), 57.0))


def section_of(d: Decomposition) -> Section:
    (section,) = outlier_section(outlier_claims(d), units_for(d))
    return section


def tell_the_table_says_what_was_done() -> Iterator[str]:
    found = made_found()
    table = section_of(found).blocks[-1]
    assert isinstance(table, Table)
    yield from (" | ".join(filter(None, row)) for row in table.rows)


def tell_numbers_of_an_answer_have_sentences_of_their_own() -> Iterator[str]:
    found = replace(made_found(), screening=Screening((ASIDE, replace(LAST, ending=True)), 57.0))
    yield from (number.sentence for number in answer(found, "events").numbers)


def tell_heavy_tails_are_said_and_nothing_else() -> Iterator[str]:
    found = made_found()
    heavy = replace(found, screening=Screening(heavy=7))
    yield section_of(heavy).blocks[0].text
    named = replace(heavy, screening=Screening(heavy=1, far=(replace(ASIDE, aside=False),)))
    yield section_of(named).blocks[0].text
    yield from outlier_section(outlier_claims(replace(found, screening=Screening())), units_for(found))


def tell_places_of_plain_numbers_are_named_with_their_column() -> Iterator[str]:
    x = np.arange(40.0)
    y = np.sin(x)
    made = decomposition(
        (component(leaf("WN", sd=1.0), x),), x, y, replace(MONTHLY, column="depth", unit="", frequency="")
    )
    d = replace(made, screening=Screening((Outlier(20.0, 9.0, 0.3),), 0.0))
    yield section_of(d).blocks[0].text

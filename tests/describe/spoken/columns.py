"""Golden sentences: columns beside a series, with holidays and the season that many series share."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tests.describe.covariate_cases import (
    EASTER,
    FEASTS,
    HEAT,
    INCOME,
    NOISE,
    PRICE,
    PROMO,
    SEASON,
    UNITS,
    WEATHER,
    WORKING,
    around,
    findings,
    holiday,
    said,
    with_columns,
)
from tests.describe.factory import (
    BUSINESS,
    DAILY,
    DAYS,
    HOURLY,
    MONTHLY,
    MONTHS,
    PLAIN,
    YEARLY,
    YEARS,
    every_section,
    units_on,
)

from autostatistician.decompose.records.function import Witness
from autostatistician.decompose.records.series import ColumnEffect, EffectAt
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Document, Figure, Section, Table
from autostatistician.describe.document.panels import BarPanel
from autostatistician.describe.document.series.covariates import (
    column_sentences,
    columns_record,
    columns_section,
    observed_figure,
)
from autostatistician.describe.document.series.holidays import holidays_section
from autostatistician.describe.tell import document, sentences
from autostatistician.describe.words.column_values import (
    ahead_clause,
    ahead_text,
    assumed_ranges_text,
    beyond_text,
    compared_text,
    range_seen,
    usual_text,
)
from autostatistician.describe.words.covariates import (
    columns_leads,
    course_alone,
    doubtful_columns_text,
    silent_text,
    timing_text,
    told_texts,
)
from autostatistician.describe.words.holidays import (
    calendar_title,
    day_name,
    event_text,
    holiday_texts,
    holidays_doubt,
    named_events,
    with_it,
)
from autostatistician.forms import EffectShape, Filling, Varying


def tell_flags_numbers_and_categories_are_told_by_what_they_add() -> Iterator[str]:
    yield said(PROMO)
    yield said(PRICE)
    yield said(WEATHER)


def tell_amounts_of_a_logarithm_are_per_cent() -> Iterator[str]:
    logs = replace(UNITS, level=250.0)
    yield said(replace(PROMO, size=around(0.2, 0.02)), logs)


def tell_numbers_are_told_by_a_step_that_their_range_holds() -> Iterator[str]:
    income = replace(PRICE, name="income", step=1000.0, low=2000.0, high=9000.0)
    heat = replace(PRICE, name="heat (°C)", size=around(2.0, 0.5))
    yield said(income)
    yield said(heat)
    yield said(replace(PROMO, usual=3.0, other=7.0))


def tell_of_many_categories_the_furthest_are_told() -> Iterator[str]:
    places = tuple(EffectAt(float(k), around(k + 1.0, 0.5)) for k in range(7) if k != 2)
    yield said(replace(WEATHER, levels=tuple("abcdefg"), places=places))


def tell_a_curve_is_told_by_its_ends_and_where_it_turns() -> Iterator[str]:
    yield said(HEAT)
    dip = replace(HEAT, places=tuple(replace(at, effect=around(-at.effect.number)) for at in HEAT.places))
    yield said(dip)
    one_way = replace(HEAT, shape=EffectShape.CURVED, places=HEAT.places[::2])
    yield said(one_way)


def tell_what_comes_late_or_fades_is_told_in_steps_of_the_data() -> Iterator[str]:
    late = replace(PROMO, lag=2, lags=(2, 2))
    yield said(late)
    yield said(replace(late, lags=(1, 3)))
    yield said(replace(PROMO, kept=0.7))


def tell_steps_have_the_name_of_the_spacing() -> Iterator[str]:
    for units in (
        units_on(replace(YEARLY, frequency="year"), YEARS),
        units_on(replace(MONTHLY, frequency="quarter"), MONTHS),
        units_on(replace(DAILY, frequency="week"), DAYS),
        units_on(DAILY, DAYS),
        units_on(replace(HOURLY, frequency="minute"), DAYS),
        units_on(replace(HOURLY, frequency="second"), DAYS),
        units_on(HOURLY, DAYS),
        units_on(BUSINESS, DAYS),
        units_on(replace(HOURLY, frequency="30 minutes", step=0.5), DAYS),
        units_on(PLAIN, np.arange(60.0)),
    ):
        fact = findings(replace(PROMO, lag=1, lags=(1, 1))).columns[0].effect
        yield timing_text(fact, units)
        yield timing_text(findings(replace(PROMO, lag=2, lags=(2, 2))).columns[0].effect, units)
        later = ({"lag": 2, "lags": (1, 2)}, {"lag": 2, "lags": (1, 2)}, {"lag": 3, "lags": (2, 3)})
        for changes, axis in zip(later, (BUSINESS, PLAIN, PLAIN), strict=True):
            yield timing_text(findings(replace(PROMO, **changes)).columns[0].effect, units_on(axis, DAYS))
        fading = findings(replace(PROMO, kept=0.7)).columns[0].effect
        yield timing_text(fading, units_on(PLAIN, DAYS), brief=True)


def tell_an_effect_that_changes_is_told_at_two_moments() -> Iterator[str]:
    moments = (EffectAt(1955.5, around(35.0)), EffectAt(1955.0, around(15.0)))
    seasonal = replace(PROMO, varying=Varying.SEASON, moments=moments)
    yield said(seasonal)
    grown = replace(PROMO, varying=Varying.TIME, moments=moments[::-1])
    yield said(grown)


def tell_what_is_open_is_told_as_open() -> Iterator[str]:
    yield said(replace(PRICE, probability=0.45))
    copies = findings(
        replace(PRICE, probability=0.45, instead=("cost",)),
        replace(PRICE, name="cost", probability=0.5, instead=("price",)),
    )
    yield from told_texts(copies, UNITS)
    yield from columns_leads(copies, UNITS)


def tell_what_goes_with_time_is_no_finding() -> Iterator[str]:
    yield said(INCOME)
    yield said(replace(INCOME, apart=0.06))
    yield said(replace(INCOME, apart=0.06, probability=1.0))
    yield said(replace(INCOME, probability=1.0))


def tell_a_plain_comparison_that_differs_is_told() -> Iterator[str]:
    other = replace(PROMO, witness=Witness("least squares", -3.0, -8.0, 2.0, agrees=False))
    yield said(other)
    yield doubtful_columns_text(findings(other, INCOME))
    yield doubtful_columns_text(findings(INCOME, replace(INCOME, name="wealth")))
    yield doubtful_columns_text(findings(PROMO))


def tell_verdicts_count_holidays_as_one_thing() -> Iterator[str]:
    own = (*holiday("fair", "e.csv")(8.0), *holiday("race", "e.csv")(9.0))
    yield usual_text(findings(*own).told)
    other = Witness("least squares", 3.0, -8.0, 2.0, agrees=False)
    doubt = findings(*(replace(day, witness=other) if day.event == "Christmas" else day for day in FEASTS))
    yield doubtful_columns_text(doubt)


def tell_working_days_are_told_for_each_step() -> Iterator[str]:
    yield said(WORKING)
    leap = replace(PROMO, name="leap day", calendar="DE")
    yield said(leap)


def tell_columns_that_say_nothing_are_told_together() -> Iterator[str]:
    two = findings(NOISE, replace(NOISE, name="noise2", probability=0.111))
    yield silent_text(two.silent, UNITS)
    yield silent_text(findings(NOISE).silent, UNITS)
    yield silent_text((), UNITS)
    many = findings(*(replace(NOISE, name=f"c{k}") for k in range(8)))
    yield silent_text(many.silent, UNITS)
    yield silent_text(many.silent[:6], UNITS)


def tell_the_course_in_time_is_told_with_usual_values() -> Iterator[str]:
    yield usual_text(findings(PROMO, PRICE).columns)
    yield usual_text(findings(PROMO, replace(PROMO, name="tv")).columns)
    yield usual_text(findings(WEATHER).columns)
    yield usual_text(findings(*[PROMO] * 6).columns)
    yield usual_text(findings(*[PROMO] * 3).columns)
    yield course_alone("It rose.", findings(PROMO))
    yield course_alone("It rose.", findings(NOISE))


def tell_the_lead_says_what_matters_or_that_nothing_does() -> Iterator[str]:
    yield from columns_leads(findings(PROMO, PRICE), UNITS)
    yield from columns_leads(findings(HEAT), UNITS)
    five = [replace(PROMO, name=name) for name in "abcde"]
    yield from columns_leads(findings(*five), UNITS)
    yield from columns_leads(findings(*five[:4]), UNITS)
    perhaps = replace(PRICE, probability=0.4)
    yield from columns_leads(findings(perhaps), UNITS)
    yield from columns_leads(findings(perhaps, replace(perhaps, name="size")), UNITS)
    yield from columns_leads(findings(NOISE), UNITS)
    yield from columns_leads(findings(NOISE, replace(NOISE, name="noise2")), UNITS)
    yield from columns_leads(findings(*(replace(NOISE, name=f"c{k}") for k in range(8))), UNITS)


def tell_columns_of_the_calendar_are_named() -> Iterator[str]:
    yield said(replace(WORKING, probability=0.5))
    yield said(WORKING)
    yield compared_text(findings(replace(HEAT, shape=EffectShape.STRAIGHT, step=5.0)).columns[0].effect)


def tell_the_values_seen_are_told_by_kind() -> Iterator[str]:
    told = [range_seen(one.effect) for one in findings(PROMO, PRICE, WEATHER).columns]
    yield from told


MINUTES, SECONDS = (replace(HOURLY, unit=unit, frequency=unit) for unit in ("minute", "second"))
DAILY_UNITS = units_on(DAILY, DAYS)


def tell_what_is_taken_of_columns_ahead_is_said() -> Iterator[str]:
    ahead = findings(PROMO, PRICE).ahead
    assert ahead is not None
    yield ahead_clause(ahead, UNITS)
    yield ahead_text(ahead, UNITS)
    yield assumed_ranges_text(ahead, UNITS)
    yield assumed_ranges_text(replace(ahead, planned=("promo", "price"), unplanned=()), UNITS)
    half = replace(ahead, planned=("promo",), unplanned=(("price", Filling.LAST),), until=None)
    yield ahead_clause(half, UNITS)
    some = replace(ahead, unplanned=(("promo", Filling.USUAL),), until=1961.25)
    yield ahead_clause(some, UNITS)
    yield ahead_text(some, UNITS)
    many = replace(ahead, planned=tuple("abcdefg"), unplanned=())
    yield ahead_clause(many, UNITS)
    yield ahead_text(many, UNITS)
    lost = replace(ahead, unplanned=tuple((name, Filling.LAST) for name in "abcdefg"))
    yield ahead_text(lost, UNITS)
    yield ahead_text(replace(some, beyond=("price",)), UNITS)
    odd = replace(ahead, season=0.37)
    yield ahead_clause(odd, UNITS)


def tell_a_cycle_of_the_calendar_before_has_its_name() -> Iterator[str]:
    for units, season in (
        (UNITS, 0.5),
        (UNITS, 0.25),
        (DAILY_UNITS, 365.25 / 12.0),
        (DAILY_UNITS, 7.0),
        (units_on(BUSINESS, DAYS), 5.0),
        (units_on(HOURLY, DAYS), 24.0),
        (units_on(HOURLY, DAYS), 12.0),
        (units_on(MINUTES, DAYS), 60.0),
        (units_on(SECONDS, DAYS), 60.0),
    ):
        ahead = findings(PRICE).ahead
        assert ahead is not None
        ahead = replace(ahead, planned=(), unplanned=(("price", Filling.SEASON_BEFORE),), season=season, until=None)
        yield ahead_clause(ahead, units)


def tell_plans_beyond_what_was_seen_are_named() -> Iterator[str]:
    ahead = findings(PRICE).ahead
    assert ahead is not None
    yield beyond_text(ahead)
    yield beyond_text(replace(ahead, beyond=("price",)))
    yield beyond_text(replace(ahead, beyond=("price", "size")))


def tell_what_follows_and_what_runs_against_it() -> Iterator[str]:
    yield said(SEASON)
    yield said(replace(SEASON, size=around(-112.0, 20.0)))


def tell_each_cycle_has_its_name() -> Iterator[str]:
    for name in ("the weekly cycle of the other series", "the daily cycle of the other series"):
        yield said(replace(SEASON, name=name.removeprefix("the ")))


def tell_the_course_is_told_without_it() -> Iterator[str]:
    both = findings(SEASON, PROMO)
    yield course_alone("It rose.", both)


def tell_what_is_open_names_it() -> Iterator[str]:
    yield said(replace(SEASON, probability=0.6))


DAY_UNITS, MONTH_UNITS = units_on(DAILY, DAYS), units_on(MONTHLY, MONTHS)


def told(*days: ColumnEffect, units: Units = DAY_UNITS) -> tuple[str, ...]:
    return tuple(event_text(event, units) for event in findings(*days).events)


def summary(*days: ColumnEffect, units: Units = DAY_UNITS) -> str:
    (text,) = holiday_texts(findings(*days).events, units)
    return text


def tell_an_event_is_told_by_its_days_and_their_sum() -> Iterator[str]:
    yield from told(*EASTER)
    yield from told(*holiday("fair")(8.0, 1.0))
    yield from told(*holiday("fair")(1.0, 0.5))
    logs = replace(DAY_UNITS, level=250.0)
    days = [replace(day, size=around(0.01 * day.size.number, 0.02)) for day in EASTER[:2]]
    yield told(*days, units=logs)[0]


def tell_what_may_be_and_what_is_not_is_said() -> Iterator[str]:
    yield from told(*holiday("fair", probability=0.45)(8.0))
    yield from told(*holiday("fair", probability=0.04)(8.0))


def tell_what_most_have_in_common_is_told_once() -> Iterator[str]:
    yield summary(*FEASTS)
    two = (*FEASTS, *holiday("Easter")(-29.0), *holiday("Whitsun")(-28.0, 12.0), *holiday("Carnival")(20.0, 12.0))
    yield summary(*two)
    yield summary(*(day for day in FEASTS if day.event != "Christmas"))
    months = [replace(day, days=0) for day in FEASTS if not day.days]
    yield summary(*months, units=MONTH_UNITS)
    percents = [replace(day, size=around(0.01 * day.size.number, 0.02)) for day in FEASTS]
    yield summary(*percents, units=replace(DAY_UNITS, level=250.0))


def tell_of_many_that_stand_out_the_furthest_are_named() -> Iterator[str]:
    alike = [day for name in "abcdefghi" for day in holiday(name)(-30.0)]
    out = [day for name, size in (("v", -60.0), ("w", 10.0), ("x", 20.0), ("y", -55.0)) for day in holiday(name)(size)]
    yield summary(*alike, *out)
    yield summary(*alike, *out, *holiday("z")(-52.0))


def tell_where_each_has_a_size_of_its_own_the_largest_are_told() -> Iterator[str]:
    days = (*holiday("a")(40.0), *holiday("b")(-10.0, 5.0), *holiday("c")(90.0), *holiday("d")(20.0))
    yield summary(*days)
    yield summary(*days, *holiday("e")(3.0))
    yield named_events(findings(*days).events)
    yield named_events(findings(*days[:4]).events)


def tell_where_none_acts_one_sentence_says_so() -> Iterator[str]:
    nothing = [replace(day, probability=0.12) for day in EASTER]
    yield summary(*nothing)
    perhaps = holiday("fair", probability=0.45)(8.0)
    yield summary(*perhaps)
    both = (*perhaps, *holiday("feast", probability=0.3)(8.0))
    yield summary(*EASTER, *both)
    others = (*EASTER, *holiday("x", probability=0.01)(0.1), *holiday("y", probability=0.01)(0.1))
    yield summary(*others)


def tell_each_calendar_has_its_name_and_sentence() -> Iterator[str]:
    own = holiday("fair", "folder/events.csv")(8.0)
    yield from [text.partition(":")[0] for text in holiday_texts(findings(*EASTER, *own).events, DAY_UNITS)]
    yield calendar_title("")
    yield named_events(findings(*(day for name in "abcd" for day in holiday(name, "e.csv")(8.0))).events)


def tell_a_plain_comparison_that_differs_is_told_by_event() -> Iterator[str]:
    other = Witness("least squares", -3.0, -8.0, 2.0, agrees=False)
    yield holidays_doubt(findings(replace(EASTER[0], witness=other), *EASTER[1:]).events, DAY_UNITS)
    yield holidays_doubt(findings(*EASTER).events, DAY_UNITS)
    many = [replace(holiday(name)(8.0)[0], witness=other) for name in "abcde"]
    yield holidays_doubt(findings(*many).events, DAY_UNITS)
    yield holidays_doubt(findings(*many[:-1]).events, DAY_UNITS)


def tell_steps_with_an_event_have_names() -> Iterator[str]:
    for axis, step in ((DAILY, 7.0), (MONTHLY, 0.25), (MONTHLY, 1.0)):
        yield with_it(units_on(replace(axis, step=step), step * np.arange(60.0)))


def tell_days_have_names() -> Iterator[str]:
    for days in (0, 1, -3):
        yield day_name(days)


UNITS_OF_SERIES_COVARIATES = units_on(MONTHLY, MONTHS)


def part_of(made: Document, name: str) -> Section:
    return next(section for section in every_section(made) if section.id == name)


def tell_the_first_picture_is_of_what_was_observed() -> Iterator[str]:
    made = document(with_columns(PROMO, PRICE))
    assert made.picture is not None
    yield made.picture.id
    parts = next(block for block in part_of(made, "parts").blocks if isinstance(block, Figure))
    yield parts.caption


def tell_flags_of_two_numbers_are_no_yes_or_no() -> Iterator[str]:
    (section,) = columns_section(
        findings(replace(PROMO, usual=3.0, other=7.0, low=3.0, high=7.0)), UNITS_OF_SERIES_COVARIATES
    )
    figure = next(block for block in section.blocks if isinstance(block, Figure))
    yield figure.panels[0].title


def tell_days_of_the_calendar_share_a_panel_over_time() -> Iterator[str]:
    (section,) = columns_section(findings(PROMO, *EASTER), UNITS_OF_SERIES_COVARIATES)
    effects, stack = (block for block in section.blocks if isinstance(block, Figure))
    yield from (" | ".join(row) for row in [panel.names for panel in effects.panels if isinstance(panel, BarPanel)])
    yield from [panel.title for panel in stack.panels]
    yield from [inner.id for inner in section.sections]
    yield observed_figure(findings(*EASTER), UNITS_OF_SERIES_COVARIATES).caption


def tell_holidays_alone_need_no_table_of_columns() -> Iterator[str]:
    (section,) = columns_section(findings(*EASTER), UNITS_OF_SERIES_COVARIATES)
    yield from [block.id for block in section.blocks if isinstance(block, Table | Figure)]
    yield from columns_record(findings(*EASTER), UNITS_OF_SERIES_COVARIATES)["columns"]
    told = column_sentences(findings(*EASTER), UNITS_OF_SERIES_COVARIATES)
    yield told[0]
    yield told[1]


def tell_the_table_tells_what_was_not_found_without_numbers() -> Iterator[str]:
    (section,) = columns_section(findings(PROMO, NOISE), UNITS_OF_SERIES_COVARIATES)
    table = next(block for block in section.blocks if isinstance(block, Table))
    yield from table.rows[0]
    yield from table.rows[1][2:6]


def tell_the_forecast_is_given_with_columns_and_without() -> Iterator[str]:
    made = document(with_columns(PROMO, PRICE))
    blocks = part_of(made, "forecast").blocks
    yield from [block.id for block in blocks if isinstance(block, Figure)]
    table = next(block for block in blocks if isinstance(block, Table))
    yield table.header[-1]
    yield made.abstract
    yield from made.points
    yield from made.careful


def tell_sentences_name_columns_before_the_parts() -> Iterator[str]:
    told = sentences(with_columns(PROMO, INCOME, NOISE))
    yield told[0]
    yield told[1]
    yield from column_sentences(findings(NOISE), UNITS_OF_SERIES_COVARIATES)


def tell_the_picture_names_the_columns() -> Iterator[str]:
    yield observed_figure(findings(PROMO), UNITS_OF_SERIES_COVARIATES).caption


def tell_events_share_one_table_the_largest_first() -> Iterator[str]:
    (section,) = holidays_section(findings(*FEASTS).events, DAY_UNITS)
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    yield from table.header
    yield from [row[0] for row in table.rows]
    yield from table.rows[1][1:4]
    yield from table.rows[-1]


def tell_days_of_which_nothing_is_told_have_no_column() -> Iterator[str]:
    (section,) = holidays_section(findings(*holiday("fair")(8.0)).events, DAY_UNITS)
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    yield from table.header
    (of_months,) = holidays_section(findings(EASTER[0]).events, MONTH_UNITS)
    (table,) = (block for block in of_months.blocks if isinstance(block, Table))
    yield from (" | ".join(row) for row in table.rows)


def tell_where_none_is_told_there_is_no_section() -> Iterator[str]:
    yield from holidays_section(findings(*(replace(day, probability=0.1) for day in EASTER)).events, DAY_UNITS)
    yield from holidays_section((), DAY_UNITS)

"""What columns add to a series, word for word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.covariate_cases import (
    EASTER,
    FEASTS,
    HEAT,
    INCOME,
    NOISE,
    PRICE,
    PROMO,
    UNITS,
    WEATHER,
    WORKING,
    around,
    findings,
    holiday,
    said,
)
from tests.describe.factory import BUSINESS, DAILY, DAYS, HOURLY, MONTHLY, MONTHS, PLAIN, YEARLY, YEARS, units_on

from autostatistician.decompose.records.covariates import EffectAt
from autostatistician.decompose.records.function import Witness
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.covariates import EffectAtMoment
from autostatistician.describe.words.column_values import usual_text
from autostatistician.describe.words.columns_ahead import ahead_clause
from autostatistician.describe.words.covariates import (
    columns_lead,
    course_told,
    doubtful_columns_text,
    relied_columns_text,
    silent_text,
    timing_text,
    told_texts,
)
from autostatistician.describe.words.holidays import holiday_texts
from autostatistician.forms import EffectShape, Varying

DAILY_UNITS = units_on(DAILY, DAYS)


def test_flags_numbers_and_categories_are_told_by_what_they_add() -> None:
    assert said(PROMO) == "'promo' adds 25.0 (95% range: 23.0 to 27.0) to 'sales'."
    assert said(PRICE) == "Each further unit of 'price' takes 5.5 (95% range: 3.5 to 7.5) off 'sales'."
    assert said(WEATHER) == (
        "'sales' is lower by 15.8 (95% range: 13.8 to 17.8) where 'weather' is 'rain' and lower by 29.3 (27.3 to 31.3) "
        "where it is 'snow', compared with 'sun'."
    )


def test_amounts_of_a_logarithm_are_per_cent() -> None:
    logs = replace(UNITS, level=250.0)
    assert said(replace(PROMO, size=around(0.2, 0.02)), logs).startswith("'promo' adds 22.1% (95% range: 19.7% to ")


def test_numbers_are_told_by_a_step_that_their_range_holds() -> None:
    income = replace(PRICE, name="income", step=1000.0, low=2000.0, high=9000.0)
    heat = replace(PRICE, name="heat (°C)", size=around(2.0, 0.5))
    assert said(income).startswith("Each further 1,000 of 'income' takes 5.5")
    assert said(heat) == "Each further 1 °C of 'heat' adds 2.0 (95% range: 1.5 to 2.5) to 'sales'."
    other = said(replace(PROMO, usual=3.0, other=7.0))
    assert other == "'promo' at 7 instead of 3 adds 25.0 (95% range: 23.0 to 27.0) to 'sales'."


def test_of_many_categories_the_furthest_are_told() -> None:
    places = tuple(EffectAt(float(k), around(k + 1.0, 0.5)) for k in range(6) if k != 2)
    assert said(replace(WEATHER, levels=tuple("abcdefg"), places=places)) == (
        "'sales' is higher by 1.0 (95% range: 0.5 to 1.5) where 'weather' is 'a' and higher by 6.0 (5.5 to 6.5) "
        "where it "
        "is 'f', compared with 'c' (three other values lie between)."
    )


def test_a_curve_is_told_by_its_ends_and_where_it_turns() -> None:
    assert said(HEAT) == (
        "'sales' follows 'temperature' along a curve, highest at about 16: compared with 12 (the usual value), it is "
        "lower by 36.9 (95% range: 34.9 to 38.9) at −2.5, higher by 2.3 (1.8 to 2.8) at 16, and lower by 10.4 (8.4 to "
        "12.4) at 26."
    )
    dip = replace(HEAT, places=tuple(replace(at, effect=around(-at.effect.number)) for at in HEAT.places))
    assert said(dip).startswith("'sales' follows 'temperature' along a curve, lowest at about 16: compared with 12")
    one_way = replace(HEAT, shape=EffectShape.CURVED, places=HEAT.places[::2])
    assert said(one_way).startswith("'sales' follows 'temperature' along a curve: compared with 12 (the usual value), ")


def test_what_comes_late_or_fades_is_told_in_steps_of_the_data() -> None:
    late = replace(PROMO, lag=2, lags=(2, 2))
    assert said(late).endswith(" to 'sales', two months later.")
    assert said(replace(late, lags=(1, 3))).endswith(" to 'sales', one to three months later.")
    fading = said(replace(PROMO, kept=0.7))
    assert fading.endswith(" to 'sales' at once; one month later 70% of that is left, two months later 49%, and so on.")


@pytest.mark.parametrize(
    ("units", "steps"),
    [
        (units_on(replace(YEARLY, frequency="year"), YEARS), "one year"),
        (units_on(replace(MONTHLY, frequency="quarter"), MONTHS), "one quarter"),
        (units_on(replace(DAILY, frequency="week"), DAYS), "one week"),
        (units_on(DAILY, DAYS), "one day"),
        (units_on(replace(HOURLY, frequency="minute"), DAYS), "one minute"),
        (units_on(replace(HOURLY, frequency="second"), DAYS), "one second"),
        (units_on(HOURLY, DAYS), "one hour"),
        (units_on(BUSINESS, DAYS), "one business day"),
        (units_on(replace(HOURLY, frequency="30 minutes", step=0.5), DAYS), "30 minutes"),
        (units_on(PLAIN, np.arange(60.0)), "one step"),
    ],
)
def test_steps_have_the_name_of_the_spacing(units: Units, steps: str) -> None:
    fact = findings(replace(PROMO, lag=1, lags=(1, 1))).columns[0].effect
    assert timing_text(fact, units) == f", {steps} later"
    assert (
        timing_text(replace(fact, lag=2, lags=(1, 2)), units_on(BUSINESS, DAYS)) == ", one to two business days later"
    )
    assert timing_text(replace(fact, lag=2, lags=(1, 2)), units_on(PLAIN, DAYS)) == ", one to two steps later"
    assert timing_text(replace(fact, lag=3, lags=(2, 3)), units_on(PLAIN, DAYS)) == ", two to three steps later"
    assert timing_text(replace(fact, kept=0.7), units_on(PLAIN, DAYS), brief=True) == " at once"


def test_an_effect_that_changes_is_told_at_two_moments() -> None:
    moments = (EffectAt(1955.5, around(35.0)), EffectAt(1955.0, around(15.0)))
    seasonal = replace(PROMO, varying=Varying.SEASON, moments=moments)
    assert said(seasonal) == (
        "'promo' adds 25.0 (95% range: 23.0 to 27.0) to 'sales' on average; that changes with the season, from "
        "+35.0 (33.0 to 37.0) in July to +15.0 (13.0 to 17.0) in January."
    )
    assert isinstance(findings(seasonal).columns[0].moments[0], EffectAtMoment)
    grown = replace(PROMO, varying=Varying.TIME, moments=moments[::-1])
    assert said(grown).endswith(
        " on average; that changes over time, from +15.0 (13.0 to 17.0) in January 1955 to +35.0 (33.0 to 37.0) "
        "in July "
        "1955."
    )


def test_what_is_open_is_told_as_open() -> None:
    assert said(replace(PRICE, probability=0.45)) == (
        "It is open whether 'price' matters for 'sales' (probability 45%); if it does, each further unit of "
        "'price' takes "
        "5.5 (95% range: 3.5 to 7.5) off 'sales'."
    )


def test_what_goes_with_time_is_no_finding() -> None:
    assert said(INCOME) == (
        "What 'income' explains cannot be told from the trend: the two move together, and hardly any of the movement "
        "of 'income' is its own (probability that it matters besides: 35%)."
    )
    assert said(replace(INCOME, apart=0.06)) == (
        "What 'income' explains cannot be told from the trend: the two move together, and only 6% of the movement of "
        "'income' is its own (probability that it matters besides: 35%)."
    )
    little = said(replace(INCOME, apart=0.06, probability=1.0))
    assert little.endswith("; mind that 'income' moves much as time does (only 6% of its movement is its own).")
    sure = said(replace(INCOME, probability=1.0))
    assert sure.endswith("; mind that 'income' moves much as time does (hardly any of its movement is its own).")


def test_a_plain_comparison_that_differs_is_told() -> None:
    other = replace(PROMO, witness=Witness("least squares", -3.0, -8.0, 2.0, agrees=False))
    assert said(other).endswith("; a plain comparison of neighbouring rows says something else: −3 (−8 to 2).")
    doubt = doubtful_columns_text(findings(other, INCOME))
    assert doubt == (
        "The columns: a plain comparison of neighbouring rows does not show the same of 'promo'; the data "
        "cannot tell what "
        "'income' adds from the trend."
    )
    both = doubtful_columns_text(findings(INCOME, replace(INCOME, name="wealth")))
    assert both.endswith("what 'income' and 'wealth' add from the trend.")
    assert doubtful_columns_text(findings(PROMO)) == ""
    assert relied_columns_text(findings(other)) == ""


def test_agreeing_comparisons_are_relied_on() -> None:
    many = [replace(PROMO, name=f"c{k}") for k in range(7)]
    assert relied_columns_text(findings(PROMO, PRICE)) == (
        "What goes together with 'promo' and 'price': models and a plain comparison of neighbouring rows show the same."
    )
    assert relied_columns_text(findings(*many)).startswith("What goes together with seven columns: models and a plain")


def test_holidays_are_one_thing_beside_the_columns() -> None:
    made = findings(*EASTER, PROMO)
    assert told_texts(made, UNITS) == (said(PROMO), *holiday_texts(made.events, UNITS))
    assert usual_text(made.told) == "without 'promo' or holidays"
    lead = columns_lead(made, DAILY_UNITS)
    assert lead.startswith("Besides time, 'promo' adds 25.0 (95% range: 23.0 to 27.0) to 'sales'. Holidays of DE: ")
    alone = columns_lead(findings(*EASTER), DAILY_UNITS)
    assert alone.startswith("Holidays of DE: around 'Easter' 'sales' is 40.0 higher on the day")
    assert alone.endswith(" The course in time is told without holidays.")
    perhaps = columns_lead(findings(replace(PRICE, probability=0.4), *EASTER), DAILY_UNITS)
    assert "beyond its course in time. Holidays of DE: around" in perhaps
    ahead = findings(*EASTER, WORKING).ahead
    assert ahead is not None
    assert ahead_clause(replace(ahead, unplanned=()), UNITS) == ""
    assert silent_text(findings(replace(NOISE, event="Easter", name="Easter"), NOISE).silent, UNITS).startswith(
        "'noise1'"
    )


def test_verdicts_count_holidays_as_one_thing() -> None:
    same = ": models and a plain comparison of neighbouring rows show the same."
    assert relied_columns_text(findings(PROMO, *EASTER)) == f"What goes together with 'promo' and 'Easter'{same}"
    own = (*holiday("fair", "e.csv")(8.0), *holiday("race", "e.csv")(9.0))
    assert relied_columns_text(findings(*own)) == f"What goes together with events{same}"
    assert usual_text(findings(*own).told) == "without events"
    assert relied_columns_text(findings(*FEASTS)) == f"What goes together with holidays{same}"
    other = Witness("least squares", 3.0, -8.0, 2.0, agrees=False)
    doubt = findings(*(replace(day, witness=other) if day.event == "Christmas" else day for day in FEASTS))
    assert doubtful_columns_text(doubt) == (
        "The columns: a plain comparison of neighbouring rows does not show the same of 'Christmas'."
    )


def test_working_days_are_told_for_each_step() -> None:
    assert said(WORKING) == "Each working day more in a month adds 12.0 (95% range: 10.0 to 14.0) to 'sales'."
    leap = replace(PROMO, name="leap day", calendar="DE")
    assert said(leap) == "A leap day in a month adds 25.0 (95% range: 23.0 to 27.0) to 'sales'."


def test_columns_that_say_nothing_are_told_together() -> None:
    two = findings(NOISE, replace(NOISE, name="noise2", probability=0.111))
    assert silent_text(two.silent, UNITS) == (
        "'noise1' and 'noise2' say nothing about 'sales' beyond time and the other columns (probability that "
        "one does: at "
        "most 11.1%)."
    )
    assert silent_text(findings(NOISE).silent, UNITS) == (
        "'noise1' says nothing about 'sales' beyond time (probability that it does: 3%)."
    )
    assert silent_text((), UNITS) == ""
    many = findings(*(replace(NOISE, name=f"c{k}") for k in range(8)))
    assert silent_text(many.silent, UNITS).startswith(
        "'c0', 'c1', 'c2', 'c3', 'c4', and three more columns say nothing"
    )
    assert "and one more column say nothing" in silent_text(many.silent[:6], UNITS)


def test_the_course_in_time_is_told_with_usual_values() -> None:
    assert usual_text(findings(PROMO, PRICE).columns) == "with 'price' at 5.05 and without 'promo'"
    assert usual_text(findings(PROMO, replace(PROMO, name="tv")).columns) == "without 'promo' or 'tv'"
    assert usual_text(findings(WEATHER).columns) == "with 'weather' at 'sun'"
    assert usual_text(findings(*[PROMO] * 6).columns) == "with all columns at their usual values"
    assert usual_text(findings(*[PROMO] * 3).columns) == "without 'promo', 'promo', and 'promo'"
    assert course_told(findings(PROMO)) == "The course in time is told without 'promo'."
    assert course_told(findings(NOISE)) == ""


def test_the_lead_says_what_matters_or_that_nothing_does() -> None:
    assert columns_lead(findings(PROMO, PRICE), UNITS) == (
        "Besides time, 'promo' adds 25.0 (95% range: 23.0 to 27.0) to 'sales'; each further unit of 'price' "
        "takes 5.5 (95% "
        "range: 3.5 to 7.5) off 'sales'. The course in time is told with 'price' at 5.05 and without 'promo'."
    )
    curve = columns_lead(findings(HEAT), UNITS)
    assert curve.startswith(
        "Besides time, 'sales' follows 'temperature' along a curve, highest at about 16. The course"
    )
    five = [replace(PROMO, name=name) for name in "abcde"]
    assert " 'd' and 'e' matter, too. " in columns_lead(findings(*five), UNITS)
    assert " 'd' matters, too. " in columns_lead(findings(*five[:4]), UNITS)
    perhaps = replace(PRICE, probability=0.4)
    assert columns_lead(findings(perhaps), UNITS) == (
        "It is open whether 'price' says anything about 'sales' beyond its course in time. The course in time is told "
        "with 'price' at 5.05."
    )
    two = columns_lead(findings(perhaps, replace(perhaps, name="size")), UNITS)
    assert two.startswith("It is open whether one of 'price' and 'size' says anything")
    assert (
        columns_lead(findings(NOISE), UNITS) == "'noise1' says nothing clear about 'sales' beyond its course in time."
    )
    none = columns_lead(findings(NOISE, replace(NOISE, name="noise2")), UNITS)
    assert none == "None of 'noise1' and 'noise2' says anything clear about 'sales' beyond its course in time."
    many = columns_lead(findings(*(replace(NOISE, name=f"c{k}") for k in range(8))), UNITS)
    assert many == "None of the columns says anything clear about 'sales' beyond its course in time."

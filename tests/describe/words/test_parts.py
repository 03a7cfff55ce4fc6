"""Words on parts and courses of series that no golden text can hold: numbers, ranges and what is left unsaid."""

import re
from dataclasses import replace
from math import exp, inf

import numpy as np
import pytest
from tests.describe.covariate_cases import EASTER, NOISE, PRICE, PROMO, SEASON, WORKING, findings, said
from tests.describe.covariate_cases import UNITS as UNITS_OF_COVARIATES
from tests.describe.covariate_cases import around as around_of_common_season
from tests.describe.factory import DAILY, DAYS, MONTHLY, MONTHS, YEARLY, YEARS, long, observed, units_on
from tests.describe.factory import PLAIN as PLAIN_OF_HOLIDAYS
from tests.describe.function_cases import COURSE, EVENT, ROOF, STEP, UNITS, facts, it, seen, sure
from tests.describe.spoken.columns import DAY_UNITS, MONTH_UNITS, told
from tests.describe.spoken.extents import known
from tests.describe.spoken.nouns import UP as UP_OF_STATEMENT
from tests.describe.spoken.nouns import WN, C, lin, per, since
from tests.describe.spoken.wholes import LOG
from tests.describe.spoken.wholes import PLAIN_OF_AMOUNTS as PLAIN

from autostatistician.claims.claim import LEVEL_CHANGES, way_of
from autostatistician.claims.kinds import Kind
from autostatistician.decompose.records.function import Estimate, FunctionCourse, Plateau
from autostatistician.describe.axis.units import Scale, Units
from autostatistician.describe.document.series.function import claims_table
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.part import (
    AmplitudeChange,
    ChangeSteepness,
    NoiseLevel,
    Periodicity,
    SmoothVariation,
)
from autostatistician.describe.words.amounts import (
    around,
    drawn,
    drawn_level,
    error,
    per_cent,
    within,
)
from autostatistician.describe.words.column_values import ahead_clause, usual_text
from autostatistician.describe.words.course import course_text
from autostatistician.describe.words.covariates import columns_leads, silent_text, told_texts
from autostatistician.describe.words.function import claim_text
from autostatistician.describe.words.holidays import holiday_texts, is_daily, step_with
from autostatistician.describe.words.parts import find, statement, summary
from autostatistician.kernels.kernel import Kernel, leaf

WAYS = {
    "rises": "rose from|rose steadily|rose by|stayed|rose slowly", "falls": "fell from|fell steadily",
    "turns": r"up and down|, then|\(about", "level": "no lasting|no clear", "open": "may have|open|probably",
}  # fmt: skip
PAUSE = Plateau(1952.0, 1954.0, 200.0, 201.0)


@pytest.mark.parametrize(
    ("course", "sentence"),
    [
        (replace(COURSE, sudden=(EVENT, replace(STEP, at=1958.0))),
         "Apart from that it rose steadily, by about 29 per year."),
        (replace(COURSE, rise=Estimate(-90.0, -200.0, 30.0, 0.7), sudden=()),
         "it may have risen or fallen: it begins near 120 and ends near 470."),
        (replace(COURSE, rise=Estimate(-90.0, -200.0, 30.0, 0.7), bounds=(100.0, 300.0), wander=0.6, sudden=()),
         "it goes up and down between about 100 and 300; whether it rose or fell on the whole is open."),
        (replace(COURSE, stretches=(replace(ROOF[0], witness=seen(0.0, agrees=False)), ROOF[1]), sudden=(),
                 rise=Estimate(90.0, -30.0, 200.0, 0.87)),
         "it fell from about 300 (about January 1956) to 250; whether it rose or fell on the whole is open."),
        (replace(COURSE, rise_witness=seen(-40.0, agrees=False)),
         "Otherwise it may have risen or fallen: it begins near 120 and ends near 470."),
        (COURSE, "Otherwise it rose from about 120 to 470, steadily, by about 29 per year."),
        (replace(COURSE, slope=sure(45.0)),
         "Otherwise it rose from about 120 to 470, by about 29 per year on average."),
        (replace(COURSE, slope=sure(35.0)), "Otherwise it rose from about 120 to 470, steadily, by about 29 per year."),
        (replace(COURSE, bends=True), "Otherwise it rose from about 120 to 470, by about 29 per year on average."),
        (replace(COURSE, paces=(10.0, 30.0, 50.0)), "Otherwise it rose from about 120 to 470, faster and faster, by "
         "about 29 per year on average."),
        (replace(COURSE, paces=(50.0, 30.0, 10.0)), "Otherwise it rose from about 120 to 470, more and more slowly, by "
         "about 29 per year on average."),
        (replace(COURSE, paces=(10.0, 80.0, 12.0)),
         "Otherwise it rose from about 120 to 470, slowly at first, then faster, and slowly again of late, "
         "by about 29 per year on average."),
        (replace(COURSE, wander=0.3), "Otherwise it rose from about 120 to 470."),
        (replace(COURSE, wander=0.3, slope=Estimate(0.5, -1.0, 2.0, 0.7)),
         "Otherwise it rose from about 120 to 470 and has hardly moved of late."),
        (replace(COURSE, wander=0.3, slope=sure(-20.0)),
         "Otherwise it rose from about 120 to 470, but of late it falls by about 20 per year."),
        (replace(COURSE, sudden=(STEP,), wander=0.4, pace=sure(2.0, 0.5)),
         "Apart from that it shows no clear rise or fall."),
        (replace(COURSE, sudden=(STEP,), wander=0.4, stretches=ROOF),
         "Apart from that it rose by 200 until about January 1956, then fell by 50."),
        (replace(COURSE, sudden=(STEP,), wander=0.4), "On the whole it rose from about 120 to 470."),
        (replace(COURSE, stretches=(replace(ROOF[0], stop=1955.0), ROOF[1])),
         "Otherwise it rose from about 100 to 300 until about January 1955, then stayed near there until about January "
         "1956, then fell to 250."),
        (replace(COURSE, sudden=(STEP,)), "Apart from that it rose steadily, by about 29 per year."),
        (replace(COURSE, sudden=(STEP,), paces=(29.0, 12.0, 29.4)),
         "Apart from that it rose by about 29 per year on average."),
        (replace(COURSE, sudden=(STEP,), pace=Estimate(1.0, -1.0, 2.0, 0.8)),
         "Apart from that it shows no clear rise or fall."),
        (replace(COURSE, stretches=ROOF),
         "Otherwise it rose from about 100 to 300 until about January 1956, then fell to 250."),
        (replace(COURSE, rise=Estimate(3.0, -5.0, 9.0, 0.4)),
         "Otherwise it shows no lasting rise or fall: it ends near where it began, at about 295."),
        (replace(COURSE, still=PAUSE),
         "Otherwise it rose from about 120 to 470, by about 29 per year on average, but hardly from January 1952 to "
         "January 1954."),
        (replace(COURSE, still=PAUSE, wander=0.3, paces=(40.0, 5.0, 40.0)),
         "Otherwise it rose from about 120 to 470, but hardly from January 1952 to January 1954."),
        (replace(COURSE, still=PAUSE, wander=0.3, paces=(10.0, 30.0, 50.0)),
         "Otherwise it rose from about 120 to 470, faster and faster, by about 29 per year on average, but hardly from "
         "January 1952 to January 1954."),
        (replace(COURSE, still=replace(PAUSE, stop=1956.0), wander=0.3, paces=(40.0, 5.0, 40.0)),
         "Otherwise it rose from about 120 to 470, but hardly from January 1952 to January 1956."),
        (replace(COURSE, wander=0.9, bounds=(0.0, 900.0)),
         "Otherwise it goes up and down between about 0 and 900; "
         "it ends higher than it began, at about 470 after 120."),
        (replace(COURSE, stretches=ROOF * 2),
         "Otherwise it went up and down between about 118 and 475, with three clear turns, and "
         "downwards since about January 1956; it ends higher than it began, at about 470 after 120."),
        (replace(COURSE, stretches=(*ROOF, ROOF[0], replace(ROOF[1], still=Plateau(1956.0, 1959.0, 300.0, 299.0)))),
         "Otherwise it went up and down between about 118 and 475, with three clear turns, and "
         "downwards since about January 1956, but hardly from January 1956 to January 1959; it ends higher "
         "than it began, at about 470 after 120."),
    ],
)  # fmt: skip
def test_courses(course: FunctionCourse, sentence: str) -> None:
    told = facts(replace(course, seasons=()))
    assert it(course_text(told, UNITS)) == sentence
    way = way_of(told)
    assert way
    assert re.search(WAYS[way], sentence)


def test_nothing_is_said_of_too_few_rows() -> None:
    assert way_of(()) == ""


@pytest.mark.parametrize("rise", [Estimate(0.002, -30.0, 31.0, 0.52), Estimate(5e-13, -5e-13, 6e-13, 0.53)])
def test_a_rise_of_nothing_is_no_claim(rise: Estimate) -> None:
    for changed in (rise, replace(rise, number=-rise.number)):
        course = replace(COURSE, rise=changed, last=replace(COURSE.last, height=COURSE.first.height))
        assert claim_text(facts(course)[0], UNITS) == ""


def test_a_rise_has_the_number_of_the_levels_that_are_told() -> None:
    (rise, *_) = facts(replace(COURSE, rise=replace(COURSE.rise, number=COURSE.rise.number + 7.0)))
    assert rise.value == rise["last"] - rise["first"]
    assert rise.number.low <= rise.value <= rise.number.high


def test_only_what_is_sure_up_to_the_end_is_told() -> None:
    doubtful = replace(ROOF[1], witness=seen(0.0, agrees=False))
    for stretches, shown in (((*ROOF, doubtful, ROOF[0]), 1), ((ROOF[0], doubtful), 0)):
        made = facts(replace(COURSE, stretches=stretches))
        assert sum("in text" in claim.marks for claim in made) == shown


CYCLE = leaf("SE", lengthscale=30.0, sd=1.0) * leaf("Per", lengthscale=1.0, period=10.8, sd=2.0)


def _facts(kernel: Kernel, draws: np.ndarray, **given: object) -> tuple[Fact, ...]:
    return observed(kernel, numbers=draws, **given)[0]  # type: ignore[arg-type]


def test_facts_carry_the_range_of_the_draws() -> None:
    period = find(_facts(CYCLE, known(CYCLE, _3=1.0), axis=YEARLY, x=YEARS), Periodicity)
    assert period is not None
    half = np.hypot(0.95, 0.05 * 10.8**2 / (YEARS[-1] - YEARS[0]))  # a twentieth of a turn lost or gained over the data
    assert period.interval == (pytest.approx(10.8 - half), pytest.approx(10.8 + half))
    smooth = leaf("SE", lengthscale=2.0, sd=1.0)
    length = find(_facts(smooth, known(smooth, _0=0.2)), SmoothVariation)
    assert length is not None
    assert length.interval == (pytest.approx(1.81), pytest.approx(2.19))
    noise = leaf("WN", sd=3.0)
    level = find(_facts(noise, known(noise, _0=1.0)), NoiseLevel)
    assert level is not None
    assert level.interval == (pytest.approx(2.05), pytest.approx(3.95))


def test_draws_of_another_cycle_are_in_no_range() -> None:
    draws = known(CYCLE, _3=0.1)
    draws[:40, 3] = 41.2
    period = find(_facts(CYCLE, draws, axis=YEARLY, x=YEARS), Periodicity)
    assert period is not None
    assert period.interval is not None
    assert 10.5 < period.interval[0] < 10.8 < period.interval[1] < 11.1


@pytest.mark.parametrize(("width", "number"), [(0.05, 1.0), (0.002, 0.975)])
def test_a_period_near_a_year_is_a_year_where_its_range_is_wide(width: float, number: float) -> None:
    cycle = leaf("Per", lengthscale=1.0, period=0.975, sd=1.0)
    months = 1949.0 + np.arange(480) / 12.0
    period = find(_facts(cycle, known(cycle, _1=width), axis=MONTHLY, x=months), Periodicity)
    assert period is not None
    assert period.number == number
    assert period.interval is not None
    assert period.interval[0] <= period.number <= period.interval[1]


def test_without_draws_a_period_has_the_range_that_the_data_resolve() -> None:
    fact = find(observed(leaf("Per", lengthscale=1.0, period=2.0, sd=1.0))[0], Periodicity)
    assert fact is not None
    half = 0.5 * 2.0**2 / (MONTHS[-1] - MONTHS[0])
    assert fact.interval == (pytest.approx(2.0 - half), pytest.approx(2.0 + half))


def test_two_changes_have_two_ranges() -> None:
    kernel = Kernel.change_window(leaf("0"), leaf("C", sd=1.0), 1955.0, 2.0, 4.0)
    told = long(kernel, numbers=known(kernel, _0=1.0))
    assert told.endswith(
        "The change around January 1953 (95% range of its place: between January 1952 and January 1954) takes about "
        "1.1 years. The change around January 1957 (95% range of its place: between January 1956 and January 1958) "
        "takes about 1.1 years."
    )
    facts = observed(kernel, numbers=known(kernel, _0=1.0))[0]
    change = find(facts, ChangeSteepness)
    assert change is not None
    assert change.location_interval == (pytest.approx(1952.05), pytest.approx(1953.95))


@pytest.mark.parametrize(
    ("width", "clause"),
    [(1.0, "grows steadily"), (3.3, "may change along the data"), (20.0, "may change along the data")],
)
def test_the_growth_of_swings_is_as_sure_as_the_place_of_its_line(width: float, clause: str) -> None:
    kernel = leaf("SE", lengthscale=2.0, sd=1.0) * leaf("Lin", sd=1.0, location=1946.2)
    facts, units = observed(kernel, numbers=known(kernel, _3=width))
    change = find(facts, AmplitudeChange)
    assert change is not None
    assert change.probability is not None
    assert summary(facts, units).endswith(f"whose size {clause}.")


def test_a_range_that_does_not_hold_the_place_of_its_change_is_not_told() -> None:
    kernel = Kernel.change_point(leaf("C", sd=1.0), leaf("0"), 1955.01, 2.0)
    numbers = known(kernel, _0=1.0)
    assert "95% range of its place" in long(kernel, numbers=numbers)
    numbers[:, 0] += 3.0  # as where a curve bends at the edge of the data and the numbers know no single place
    assert "The change around January 1955 takes about 1.1 years." in long(kernel, numbers=numbers)


SIZES = {
    "random noise": (WN, "; 95% of it lies within ±5.9."),
    "a line": (lin(1940.0), "; it rises by 8.39 per year."),
    "a cycle": (per(1.0), "; it adds between −10 and 10"),
}


@pytest.mark.parametrize("name", SIZES)
def test_the_summary_comes_with_its_size(name: str) -> None:
    kernel, size = SIZES[name]
    facts, units = observed(kernel, mean=UP_OF_STATEMENT if name == "a line" else None)
    told = statement(facts, units)
    assert told.startswith(summary(facts, units).removesuffix("."))
    assert size in told


@pytest.mark.parametrize("kernel", [since(C, 1999.0), since(per(1.0), 1999.0)])
def test_what_no_datum_shows_has_no_size(kernel: Kernel) -> None:
    facts, units = observed(kernel)
    assert statement(facts, units) == summary(facts, units)


@pytest.mark.parametrize("scale", [PLAIN, LOG])
@pytest.mark.parametrize("sd", [0.004, 0.1, 0.9])
def test_tables_and_series_tell_a_range_alike(scale: Scale, sd: float) -> None:
    units = Units(MONTHLY, 0.0, 9.0, 1 / 12, 0.4, target="y", level=scale.level)
    assert around(sd, scale) == around(sd, units)
    assert within(sd, scale) == within(sd, units)


def test_an_average_miss_on_logarithms_is_in_per_cent() -> None:
    assert error(0.1, LOG) == "10.5%"


def test_what_is_too_large_stays_a_number() -> None:
    assert np.isfinite(per_cent(1e9))
    assert per_cent(inf) == inf
    assert np.isfinite(drawn(np.array([1e9, -1e9]), LOG)).all()
    assert np.isfinite(drawn_level(np.array([1e9]), LOG)).all()


def test_pictures_show_what_words_tell() -> None:
    values = np.array([-0.3, 0.0, 0.4])
    np.testing.assert_allclose(drawn(values, LOG), [per_cent(value) for value in values.tolist()])
    np.testing.assert_allclose(drawn_level(values, LOG), [5.0 * exp(value) for value in values.tolist()])
    assert drawn(values, PLAIN) is values
    assert drawn_level(values, PLAIN) is values


def test_its_size_is_that_of_the_whole_swing() -> None:
    half = replace(SEASON, step=0.5, size=around_of_common_season(56.0, 10.0))
    assert said(half) == said(SEASON)


DAILY_UNITS = units_on(DAILY, DAYS)


def test_holidays_are_one_thing_beside_the_columns() -> None:
    made = findings(*EASTER, PROMO)
    assert told_texts(made, UNITS_OF_COVARIATES) == (said(PROMO), *holiday_texts(made.events, UNITS_OF_COVARIATES))
    assert usual_text(made.told) == "without 'promo' or holidays"
    lead = " ".join(columns_leads(made, DAILY_UNITS))
    assert lead.startswith("Besides time, 'promo' adds 25.0 (95% range: 23.0 to 27.0) to 'sales'. Holidays of DE: ")
    alone = " ".join(columns_leads(findings(*EASTER), DAILY_UNITS))
    assert alone.startswith("Holidays of DE: around 'Easter' 'sales' is 40.0 higher on the day")
    perhaps = " ".join(columns_leads(findings(replace(PRICE, probability=0.4), *EASTER), DAILY_UNITS))
    assert "beyond its course in time. Holidays of DE: around" in perhaps
    ahead = findings(*EASTER, WORKING).ahead
    assert ahead is not None
    assert ahead_clause(replace(ahead, unplanned=()), UNITS_OF_COVARIATES) == ""
    assert silent_text(
        findings(replace(NOISE, event="Easter", name="Easter"), NOISE).silent, UNITS_OF_COVARIATES
    ).startswith("'noise1'")


def test_in_longer_steps_an_event_is_of_a_step() -> None:
    assert told(EASTER[0], units=MONTH_UNITS) == (
        "'Easter': 'sales' is 40.0 higher in a month with it (95% range: 38.0 to 42.0).",
    )
    weeks = replace(EASTER[0], high=7.0)
    assert "40.0 higher for each of its days in a month (" in told(weeks, units=MONTH_UNITS)[0]
    quarters = units_on(replace(MONTHLY, frequency="quarter", step=0.25), MONTHS[::3])
    assert step_with(quarters) == "quarter"
    assert step_with(units_on(PLAIN_OF_HOLIDAYS, np.arange(60.0))) == "year"
    assert is_daily(DAY_UNITS)
    assert not is_daily(MONTH_UNITS)


def test_what_begins_in_one_row_is_told_once() -> None:
    both = facts(replace(COURSE, sudden=(EVENT, replace(STEP, probability=0.95))))
    assert [claim.kind for claim in both if claim.kind in LEVEL_CHANGES and claim.told] == [Kind.EVENT]


def test_a_step_is_not_told_as_the_rise_of_the_whole_as_well() -> None:
    table = claims_table(facts(replace(COURSE, sudden=(STEP,), seasons=())), UNITS)
    assert table is not None
    assert [text for text, _ in table.rows if "suddenly" in text or "higher at the end" in text] == [
        "Changes suddenly in February 1954 (by 150; 95% range: 149 to 151)"
    ]

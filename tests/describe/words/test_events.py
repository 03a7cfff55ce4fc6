"""What happened, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.factory import DAILY, DAYS, MONTHLY, MONTHS, PLAIN, YEARLY, YEARS, units_on
from tests.describe.function_cases import COURSE, EVENT, SCATTER, SPELL, STEP, UNITS, facts, it

from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.function import ScatterStep
from autostatistician.describe.words.events import ask_text, at, beyond, far_off_text, happened_text, since, until
from autostatistician.wording.messages import spoken_in


def test_an_event_and_a_scatter_are_told_with_their_dates() -> None:
    assert it(happened_text(facts(COURSE), UNITS)) == (
        "In February 1954 it fell suddenly, by 50%, from about 300 to 150; from January 1955 on it was back. "
        "From January 1955 on single values scatter 4 times as far as before."
    )


@pytest.mark.parametrize(
    ("change", "end"),
    [
        (STEP, "from about 300 to 150, and has stayed there."),
        (replace(STEP, stays=False), "by 50%, from about 300 to 150."),
        (replace(STEP, lasting=3), "150; with three values since, nobody can know yet whether that lasts."),
        (replace(EVENT, rows=1), "150; that value stands alone."),
    ],
)
def test_what_came_after_a_change(change: object, end: str) -> None:
    assert happened_text(facts(replace(COURSE, sudden=(change,), scatter=None)), UNITS).endswith(end)  # type: ignore[arg-type]


def test_a_stretch_far_off_is_told_with_its_dates_its_size_and_the_odds() -> None:
    told = facts(replace(COURSE, sudden=(SPELL,), scatter=None))
    sentence = (
        "From January 1955 to June 1955 it lay far below all the rest, at about 160 on average where about 310 would "
        "be usual; the lowest value was 120, in April 1955."
    )
    assert it(happened_text(told, UNITS)) == sentence
    assert it(far_off_text(told, UNITS)).startswith(f"{sentence} Chance alone would bring such a stretch in less than")
    assert "one of 1,000,000 series" in far_off_text(told, UNITS)
    assert ask_text(told, UNITS).startswith("Find out what happened in January 1955")
    assert far_off_text(facts(COURSE), UNITS) == ""


def test_a_scatter_without_a_date_is_told_with_a_span_and_nobody_is_sent_to_look_for_a_day() -> None:
    told = facts(replace(COURSE, sudden=(), scatter=replace(SCATTER, span=(1954.5, 1956.0, 18))))
    assert happened_text(told, UNITS) == (
        "Some time between July 1954 and January 1956 single values began to scatter 4 times as far as before."
    )
    assert ask_text(told, UNITS) == ""
    smaller = [replace(fact, number=0.25) if isinstance(fact, ScatterStep) else fact for fact in told]
    assert happened_text(smaller, UNITS) == (
        "Some time between July 1954 and January 1956 single values began to scatter only 1/4 as far as before."
    )
    closely = facts(replace(COURSE, sudden=(), scatter=replace(SCATTER, span=(1954.75, 1955.25, 6))))
    assert happened_text(closely, UNITS) == "From January 1955 on single values scatter 4 times as far as before."


def test_a_reader_is_asked_what_happened() -> None:
    assert ask_text(facts(COURSE), UNITS).startswith("Find out what happened in February 1954 and in January 1955:")
    assert ask_text(facts(replace(COURSE, sudden=(), scatter=None)), UNITS) == ""


QUARTERS = replace(MONTHLY, frequency="quarter", step=0.25)


@pytest.mark.parametrize(
    ("units", "position", "told"),
    [
        (units_on(DAILY, DAYS), 31.0, "on 1 February 2001, from 1 February 2001 on, until 1 February 2001, beyond "
                                      "1 February 2001"),
        (units_on(MONTHLY, MONTHS), 1950.0, "in January 1950, from January 1950 on, until January 1950, beyond "
                                            "January 1950"),
        (units_on(QUARTERS, MONTHS), 1950.0, "in quarter 1 of 1950, from quarter 1 of 1950 on, until quarter 1 of "
                                             "1950, beyond quarter 1 of 1950"),
        (units_on(YEARLY, YEARS), 1700.0, "in 1700, from 1700 on, until 1700, beyond 1700"),
        (units_on(PLAIN, DAYS), 7.0, "at 'depth' = 7, from 'depth' = 7 on, until 'depth' = 7, beyond 'depth' = 7"),
    ],
)  # fmt: skip
def test_a_date_is_led_by_what_it_names(units: Units, position: float, told: str) -> None:
    assert ", ".join(lead(position, units) for lead in (at, since, until, beyond)) == told


@pytest.mark.parametrize(
    ("units", "position", "german"),
    [
        (units_on(DAILY, DAYS), 35.0, "ab dem 5. Februar 2001"),
        (units_on(MONTHLY, MONTHS), 1950.0, "ab Januar 1950"),
    ],
)
def test_a_day_has_an_article_elsewhere(units: Units, position: float, german: str) -> None:
    with spoken_in("de"):
        assert since(position, units) == german

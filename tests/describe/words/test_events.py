"""What happened, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.function_cases import COURSE, EVENT, SCATTER, STEP, UNITS, facts, it

from autostatistician.describe.words.events import ask_text, happened_text


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


def test_a_scatter_without_a_date_is_told_with_a_span_and_nobody_is_sent_to_look_for_a_day() -> None:
    told = facts(replace(COURSE, sudden=(), scatter=replace(SCATTER, span=(1954.5, 1956.0, 18))))
    assert happened_text(told, UNITS) == (
        "Some time between July 1954 and January 1956 single values began to scatter 4 times as far as before."
    )
    assert ask_text(told, UNITS) == ""
    closely = facts(replace(COURSE, sudden=(), scatter=replace(SCATTER, span=(1954.75, 1955.25, 6))))
    assert happened_text(closely, UNITS) == "From January 1955 on single values scatter 4 times as far as before."


def test_a_reader_is_asked_what_happened() -> None:
    assert ask_text(facts(COURSE), UNITS).startswith("Find out what happened in February 1954 and in January 1955:")
    assert ask_text(facts(replace(COURSE, sudden=(), scatter=None)), UNITS) == ""

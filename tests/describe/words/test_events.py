"""Sentences on what happened, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.function_cases import COURSE, EVENT, STEP, UNITS, facts, it

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


def test_a_reader_is_asked_what_happened() -> None:
    assert ask_text(facts(COURSE), UNITS).startswith("Find out what happened in February 1954 and in January 1955:")
    assert ask_text(facts(replace(COURSE, sudden=(), scatter=None)), UNITS) == ""


def test_nothing_happened_in_too_few_rows() -> None:
    assert (happened_text((), UNITS), ask_text((), UNITS)) == ("", "")

"""Forecasts that break with the course of the data, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.factory import MONTHLY, MONTHS, units_on

from autostatistician.describe.facts.whole import CourseBreak
from autostatistician.describe.words.breaks import break_text

FALL = CourseBreak(id="forecast/break", number=-30.0, unit="target", evidence="e", span=1.0, change=-30.0, start=97.0,
                   end=67.0, least=-12.0, most=15.0)  # fmt: skip
UNITS = units_on(MONTHLY, MONTHS)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (
            FALL,
            "The forecast falls from 97 to 67 within 1 year, but the data saw no such fall in any stretch of 1 year "
            "(the largest was 12).",
        ),
        (
            replace(FALL, least=2.0),
            "The forecast falls from 97 to 67 within 1 year, but the data saw no such fall in any stretch of 1 year "
            "(they never fell).",
        ),
        (
            replace(FALL, start=67.0, end=68.0, change=1.0, least=4.0, most=9.0),
            "The forecast rises from 67 to 68 within 1 year, while over any stretch of 1 year the data rose by at "
            "least 4.",
        ),
    ],
)
def test_it_says_what_the_data_never_did(fact: CourseBreak, text: str) -> None:
    assert break_text((fact,), UNITS) == text


def test_where_it_is_like_them_nothing_is_said() -> None:
    assert break_text((), UNITS) == ""


def test_of_a_logarithm_changes_are_told_in_per_cent() -> None:
    log = replace(UNITS, level=100.0)
    assert break_text((replace(FALL, change=-0.4, least=-0.1, most=0.2),), log).endswith("(the largest was 11%).")

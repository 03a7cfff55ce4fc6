"""Which way a curve goes, as sure and as probable, in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.factory import MONTHLY, MONTHS, units_on

from autostatistician.describe.facts.part import Trend, TrendCourse
from autostatistician.describe.words.bends import course_clause, heading_clause, heads_somewhere, way
from autostatistician.wording.messages import spoken_in

UNITS = units_on(MONTHLY, MONTHS)
TREND = Trend(
    id="trend", number=3.0, unit="slope", interval=None, evidence="", probability=0.99, direction=1, steady=True,
    share=1.0,
)  # fmt: skip
BEND = TrendCourse(
    id="bend", number=2.0, unit="slope", interval=None, evidence="", probability=0.92, direction=1, curvature=1, turn=0,
    early=1.0, late=3.0,
)  # fmt: skip


def test_a_part_heads_somewhere_by_its_share() -> None:
    assert heads_somewhere(TREND)
    assert not heads_somewhere(replace(TREND, steady=False, share=0.1))
    assert not heads_somewhere(None)
    assert way(replace(TREND, direction=0)) == ""


@pytest.mark.parametrize(
    ("language", "adjective", "clause"),
    [
        ("en", "probably falling", "that probably falls overall"),
        ("de", "vermutlich fallender", "der vermutlich insgesamt fällt"),
        ("fr", "probablement en baisse", "qui diminue probablement dans l'ensemble"),
    ],
)
def test_directions(language: str, adjective: str, clause: str) -> None:
    trend = replace(TREND, direction=-1, steady=False, probability=0.93)
    with spoken_in(language):
        assert (way(trend), heading_clause(trend)) == (adjective, clause)


def test_courses() -> None:
    assert course_clause(None, UNITS) == ""
    assert course_clause(BEND, UNITS) == "that probably rises more and more steeply"
    assert course_clause(BEND, replace(UNITS, level=3.0)) == "that probably rises at an increasing rate"
    assert course_clause(replace(BEND, turn=-1, probability=1.0), UNITS) == "that first rises and then falls"
    assert course_clause(replace(BEND, curvature=0, probability=1.0), UNITS) == "that rises throughout"
    with spoken_in("de"):
        assert course_clause(BEND, UNITS) == "der vermutlich immer steiler steigt"

"""Which way a curve goes, as sure and as probable, in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.factory import MONTHLY, MONTHS, units_on

from autostatistician.describe.axis.units import Units
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


def _clauses(bend: TrendCourse, units: Units = UNITS) -> list[str]:
    """Of what rises and what falls, as sure and as probable."""
    return [
        course_clause(replace(bend, direction=sign, curvature=sign * bend.curvature, probability=probability), units)
        for sign in (1, -1)
        for probability in (0.99, 0.92)
    ]


def test_every_course_has_its_clause() -> None:
    log, slower = replace(UNITS, level=3.0), replace(BEND, curvature=-1)
    assert _clauses(BEND) == [
        "that rises more and more steeply", "that probably rises more and more steeply",
        "that falls more and more steeply", "that probably falls more and more steeply",
    ]  # fmt: skip
    assert _clauses(slower) == [
        "that rises more and more slowly", "that probably rises more and more slowly",
        "that falls more and more slowly", "that probably falls more and more slowly",
    ]  # fmt: skip
    assert _clauses(BEND, log) == [
        "that rises at an increasing rate", "that probably rises at an increasing rate",
        "that falls at an increasing rate", "that probably falls at an increasing rate",
    ]  # fmt: skip
    assert _clauses(slower, log) == [
        "that rises at a decreasing rate", "that probably rises at a decreasing rate",
        "that falls at a decreasing rate", "that probably falls at a decreasing rate",
    ]  # fmt: skip
    assert _clauses(replace(BEND, curvature=0))[1:] == [
        "that probably rises throughout", "that falls throughout", "that probably falls throughout",
    ]  # fmt: skip
    assert [course_clause(replace(BEND, turn=turn), UNITS) for turn in (-1, 1)] == [
        "that probably first rises and then falls", "that probably first falls and then rises",
    ]  # fmt: skip


def test_every_direction_has_its_adjective() -> None:
    trends = [
        replace(TREND, direction=sign, steady=steady, probability=probability)
        for sign in (1, -1)
        for steady in (True, False)
        for probability in (0.99, 0.92)
    ]
    assert [way(trend) for trend in trends] == [
        "steadily rising", "probably steadily rising", "rising", "probably rising",
        "steadily falling", "probably steadily falling", "falling", "probably falling",
    ]  # fmt: skip
    assert heading_clause(replace(TREND, steady=False, probability=0.92)) == "that probably rises overall"

"""Rules on facts: which checks alarm, how columns act, which matter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.describe.effect_cases import BASE, COLUMN, PAIR, TOGETHER, WATER

from autostatistician.describe.facts.effect import ErrorCheck
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import (
    ALARM,
    KNOWN,
    LIKELY,
    MAJORITY,
    RELIABLE,
    SURE,
    clear_courses,
    failed_checks,
    hardly_matters,
    is_open,
    is_witnessed,
    manner_of,
    standing_of,
)
from autostatistician.describe.facts.kinds import Manner, Standing
from autostatistician.describe.facts.whole import ModelCheck
from autostatistician.forms import CheckKind, CourseKind


def _of_series(adjusted: float, part: int) -> ModelCheck:
    return ModelCheck(id="c", number=0.001, unit="1", evidence="e", part=part, kind=CheckKind.COURSE, adjusted=adjusted,
                      place=None, side=1)  # fmt: skip


def _of_table(adjusted: float, p: float) -> ErrorCheck:
    return ErrorCheck(id="c", number=p, unit="1", evidence="e", kind=CheckKind.SPREAD, adjusted=adjusted, side=1,
                      column=None)  # fmt: skip


def test_alarms_come_clearest_first() -> None:
    weak, strong, other = _of_series(0.04, 0), _of_series(0.01, 2), _of_series(0.01, 1)
    assert failed_checks([_of_series(ALARM, 0), weak, strong, other]) == (other, strong, weak)
    assert failed_checks([_of_table(0.02, 0.002), _of_table(0.02, 0.001)])[0].number == 0.001
    assert failed_checks([Fact(id="a", number=0.0, unit="1", evidence="e")]) == ()


def test_an_effect_without_a_clear_course_is_vague() -> None:
    hazy = [replace(one, kind=CourseKind.UNCLEAR) for one in (BASE, WATER)]
    assert clear_courses([PAIR, BASE, hazy[1]]) == [BASE]
    assert manner_of([PAIR, *hazy, replace(TOGETHER, interval=(-1.0, 2.0))]) is Manner.VAGUE
    assert manner_of([PAIR, *hazy, TOGETHER]) is Manner.PAIR  # two places of both show what no single course does


@pytest.mark.parametrize(("p", "witnessed"), [(0.0, True), (0.003, True), (0.0035, False), (0.9, False), (None, False)])
def test_a_pair_is_witnessed_from_odds_of_twenty_on(p: float | None, witnessed: bool) -> None:
    assert is_witnessed(replace(TOGETHER, plain_p=p)) is witnessed
    assert not is_witnessed(replace(TOGETHER, probability=0.95))


@pytest.mark.parametrize(
    ("changed", "standing"),
    [
        ({}, Standing.MATTERS),
        ({"probability": 0.4}, Standing.OPEN),
        ({"used": False, "probability": 0.01}, Standing.NOTHING),
        ({"used": False, "probability": 0.4}, Standing.OPEN),
        ({"used": False, "scatter": True}, Standing.SCATTER),
        ({"interval": (0.0, 0.009)}, Standing.LITTLE),
    ],
)
def test_every_column_has_a_standing(changed: dict[str, Any], standing: Standing) -> None:
    assert standing_of(replace(COLUMN, **changed)) is standing


@pytest.mark.parametrize(("high", "hardly"), [(0.009, True), (0.011, False)])
def test_a_column_hardly_matters_below_a_hundredth(high: float, hardly: bool) -> None:
    assert hardly_matters(replace(COLUMN, interval=(0.0, high))) is hardly
    assert not hardly_matters(replace(COLUMN, interval=None))


def test_it_is_open_what_likely_models_deny() -> None:
    assert is_open(replace(COLUMN, probability=RELIABLE - 0.01))
    assert not is_open(replace(COLUMN, probability=RELIABLE))
    unused = replace(COLUMN, used=False, probability=KNOWN)
    assert is_open(unused)
    assert not is_open(replace(unused, scatter=True))


def test_levels_of_sureness_are_in_order() -> None:
    assert 0.0 < KNOWN < MAJORITY < LIKELY < RELIABLE < SURE < 1.0

"""Several classes in words: golden sentences from facts alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.words.test_chances import FORESIGHT, HIGH, LOW, OVER_TIME, RISE, SCALE

from autostatistician.describe.facts.classes import ChanceAhead, ChanceAt
from autostatistician.describe.facts.effect import EffectShare
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.several_classes import LikeliestAt, SurprisingClass, Taken
from autostatistician.describe.words.chances import ahead_text
from autostatistician.describe.words.several_classes import (
    confused_text,
    foresight_of_several_text,
    likelier_text,
    surprises_of_several_text,
)
from autostatistician.forms import CourseKind

SHARES = EffectShare(id="s", number=0.4, unit=SHARE, evidence="e", columns=("age",))
BEST = LikeliestAt(
    id="b", number=0.8, unit=SHARE, evidence="e", columns=("age", "kind"), places=(33.0, 1.0), ranks=(0.5, 0.5),
    lows=(20.0, 0.0), highs=(60.0, 1.0), levels=((), ("a", "b")),
)  # fmt: skip
TAKEN = Taken(id="t", number=3.0, unit="1", evidence="e", came="a", likeliest="b", rows=50)
SURPRISE = SurprisingClass(id="r", number=0.03, unit=SHARE, evidence="e", row=7, came="a", expected=0.4)
FIRST, LAST = ChanceAt(2020.0, 0.3, (0.2, 0.4)), ChanceAt(2021.0, 0.6, (0.4, 0.8))
AHEAD = ChanceAhead(
    id="a", number=0.45, unit=SHARE, evidence="e", steps=13, first=FIRST, last=LAST, lowest=FIRST, highest=LAST
)


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({}, "where 'age' is large"),
        ({"chances": (replace(HIGH, at=30.0), replace(LOW, at=50.0))}, "where 'age' is small"),
        (
            {"kind": CourseKind.TURNING, "chances": (replace(LOW, at=20.0), replace(HIGH, at=40.0), LOW)},
            "where 'age' is near 40",
        ),
        (
            {"kind": CourseKind.TURNING, "chances": (replace(HIGH, at=20.0), replace(LOW, at=40.0), HIGH)},
            "where 'age' is far from 40",
        ),
    ],
)
def test_a_class_is_likelier_where_its_course_is_highest(changes: dict[str, object], where: str) -> None:
    fact = replace(RISE, **changes)  # type: ignore[arg-type]
    assert likelier_text([(SHARES, fact)], SCALE) == f"'yes' is likelier {where}."


def test_of_two_columns_the_place_of_both_is_told() -> None:
    both = replace(SHARES, columns=("age", "kind"))
    assert likelier_text([(both, BEST)], SCALE) == "'yes' is likelier where 'age' is near 33 and 'kind' is 'b'."
    assert likelier_text([], SCALE) == "Nothing was found that tells 'yes' from the rest."


def test_a_cycle_of_the_calendar_has_its_month() -> None:
    fact = replace(RISE, column="month", period=1.0, chances=(replace(LOW, at=2012.0), replace(HIGH, at=2012.5)))
    assert likelier_text([(SHARES, fact)], OVER_TIME) == "'yes' is likelier in July."


def test_what_comes_is_told_where_it_is_lowest_and_highest() -> None:
    assert ahead_text(AHEAD, OVER_TIME) == (
        "The chance of 'rain' = 'yes' is 45% on average in the 13 steps after the data (January 2020 to January 2021): "
        "lowest 30% (95% range: 20% to 40%) for January 2020, highest 60% (40% to 80%) for January 2021."
    )


def test_mistakes_are_named() -> None:
    assert confused_text([TAKEN, replace(TAKEN, number=1.0, likeliest="c")]) == (
        "Foreseen from all others, 3 of 50 rows of 'a' are taken for 'b' and 1 of 50 rows of 'a' is taken for 'c'."
    )
    assert "row 7 ('a', 3%)" in surprises_of_several_text([SURPRISE])
    assert "always saying 'red' would be wrong in 25%" in foresight_of_several_text(FORESIGHT, "colour", "red")

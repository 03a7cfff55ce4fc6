"""Sentences on tables from facts alone, word for word."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest
from tests.describe.words.effect_cases import BASE, COLUMN, DIP, EFFECT, LEGS, PAIR, SCALE, TOGETHER, TOP, WATER

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.facts.judgement import acting_together, manner_of
from autostatistician.describe.words.effects import course_text, effect_text, effect_title
from autostatistician.describe.words.table_fit import column_text
from autostatistician.forms import CourseKind

COURSES = {
    "'strength' rises with 'age', by 30.0 (95% range: 26.0 to 34.0) from 1 to 365.": {},
    "'strength' rises with 'age' evenly, by 29.0 (95% range: 25.0 to 33.0) from 1 to 365.": {
        "kind": CourseKind.STRAIGHT
    },
    "'strength' rises with 'age' up to about 90, by 30.0 (95% range: 26.0 to 34.0), and hardly changes beyond.": {
        "flat_from": 90.0
    },
    "'strength' falls with 'age' from about 90 on, by 30.0 (95% range: 26.0 to 34.0), and hardly changes before.": {
        "kind": CourseKind.FALLING, "flat_until": 90.0, "lowest": 365.0, "highest": 1.0,
    },
    "'strength' rises with 'age', by 30.0 (95% range: 26.0 to 34.0) from 1 to 365, fast at first and more slowly "
    "later.": {"bend": -1},
    "'strength' rises with 'age' up to about 90, by 30.0 (95% range: 26.0 to 34.0), and follows no clear course "
    "beyond.": {"open_from": 90.0},
    "'strength' rises with 'age', by 30.0 (95% range: 26.0 to 34.0) up to about 90 (95% range: 81 to 104), and beyond "
    "it falls by 9 (95% range: 2 to 16).": {"kind": CourseKind.TURNING, "turns": (TOP,), "legs": LEGS},
    "'strength' falls with 'age', by 9 (95% range: 2 to 16) up to about 200 (95% range: 190 to 210), and beyond it "
    "rises by 30.0 (95% range: 26.0 to 34.0).": {
        "kind": CourseKind.TURNING, "turns": (DIP,), "legs": LEGS[::-1], "lowest": 200.0,
    },
    "'strength' goes up and down along 'age', high at about 90 and low at about 200, by 30.0 (95% range: 26.0 to 34.0) "
    "in all.": {"kind": CourseKind.TURNING, "turns": (TOP, DIP)},
    "'strength' repeats along 'age' every 28, up and down by 30.0 (95% range: 26.0 to 34.0).": {"period": 28.0},
    "'age' has no effect that is clear of chance.": {"kind": CourseKind.UNCLEAR},
    "'strength' is higher by 30.0 (95% range: 26.0 to 34.0) where 'age' is 365 than where it is 1.": {
        "places": (1.0, 365.0)
    },
    "'strength' is highest where 'age' is 'old' and lowest where it is 'new', 30.0 (95% range: 26.0 to 34.0) apart.": {
        "levels": ("new", "used", "old"), "low": 0.0, "high": 2.0, "lowest": 0.0, "highest": 2.0,
        "places": (0.0, 1.0, 2.0),
    },
    "On average over the others, 'strength' rises with 'age', by 30.0 (95% range: 26.0 to 34.0) from 1 to 365.": {
        "averaged": True
    },
}  # fmt: skip


@pytest.mark.parametrize("sentence", COURSES)
def test_courses(sentence: str) -> None:
    assert course_text(replace(BASE, **COURSES[sentence]), SCALE) == sentence


def test_a_logarithm_is_told_in_per_cent() -> None:
    course = replace(BASE, number=log(1.5), interval=(log(1.4), log(1.6)))
    told = "'strength' rises with 'age', by 50% (95% range: 40% to 60%) from 1 to 365."
    assert course_text(course, Scale(target="strength", level=1.0)) == told


def test_an_effect_of_one_column() -> None:
    assert manner_of((EFFECT, BASE)) == "alone"
    assert effect_title((EFFECT, BASE)) == "'age'"
    assert effect_text((EFFECT, BASE), SCALE) == course_text(BASE, SCALE)


def test_columns_that_change_each_other() -> None:
    facts = (PAIR, BASE, WATER, TOGETHER)
    assert manner_of(facts) == "pair"
    assert effect_title(facts) == "'age' and 'water' together"
    assert effect_text(facts, SCALE) == (
        "'age' and 'water' act together: 'age' at 90 instead of 3 changes 'strength' by +12.0 (11.0 to 13.0) where "
        "'water' is 150, and by +18.0 (16.0 to 20.0) where it is 200."
    )


def test_of_four_columns_only_the_two_that_were_measured_act_together() -> None:
    four = replace(PAIR, columns=("age", "ash", "sand", "water"))
    facts = (four, BASE, WATER, replace(TOGETHER, others=True))
    assert acting_together(facts) == ("age", "water")
    told = effect_text(facts, SCALE)
    assert told.startswith("'age' and 'water' act together: ")
    assert told.endswith("where it is 200 (averaged over 'ash' and 'sand').")
    assert acting_together((four, BASE, WATER)) == four.columns
    assert acting_together((EFFECT, BASE)) == ()


@pytest.mark.parametrize("witness", [{"plain_p": 0.05}, {"plain_p": None}, {"probability": 0.9}])
def test_columns_act_together_at_odds_of_twenty_only(witness: dict[str, float | None]) -> None:
    facts = (PAIR, BASE, WATER, replace(TOGETHER, **witness))
    assert manner_of(facts) == "open"
    assert acting_together(facts) == ()
    assert effect_text(facts, SCALE).startswith(
        "It is open whether 'age' and 'water' act together or each by itself. On average over the others, 'strength' "
        "rises with 'age'"
    )


def test_a_row_that_carries_an_effect_is_named() -> None:
    assert course_text(replace(BASE, carried=18), SCALE).endswith(
        "from 1 to 365 (this rests on row 18 alone: without it, no effect is clear)."
    )
    assert "(this rests on row 18 alone" in column_text(replace(COLUMN, carried=18), SCALE)


def test_columns_that_add_up() -> None:
    facts = (replace(PAIR, beyond=0.01), BASE, WATER, replace(TOGETHER, interval=(-1.0, 2.0), share=0.005))
    assert manner_of(facts) == "sum"
    assert effect_text(facts, SCALE) == (
        "The effects of 'age' and 'water' all but add up: 'strength' rises with 'age', by 30.0 (95% range: 26.0 to "
        "34.0) from 1 to 365; 'strength' falls with 'water', by 30.0 (95% range: 26.0 to 34.0) from 100 to 250."
    )
    much = replace(facts[3], first=-10.0, last=10.0)  # what is small beside 'age' is not beside 'water'
    assert manner_of((*facts[:3], much)) == "open"
    idle = (facts[0], BASE, replace(WATER, kind=CourseKind.UNCLEAR), facts[3])
    assert effect_text(idle, SCALE).endswith("from 1 to 365; 'water' hardly changes that.")


def test_more_than_a_sum_and_nothing_clear() -> None:
    three = replace(PAIR, columns=("age", "sand", "water"), beyond=0.12)
    facts = (three, BASE, WATER, replace(TOGETHER, interval=(-1.0, 2.0)))
    assert manner_of(facts) == "more"
    assert effect_text(facts, SCALE).startswith("'age', 'sand', and 'water' act together. On average over the others,")
    assert effect_text(facts, SCALE).endswith("; 12% of what they do is more than a sum of effects of each.")
    vague = (PAIR, replace(BASE, kind=CourseKind.UNCLEAR), replace(WATER, kind=CourseKind.UNCLEAR), facts[3])
    assert effect_text(vague, SCALE) == (
        "'age' and 'water' have an effect together that follows no clear course along any of them."
    )


def test_hostile_names_stay_on_one_line() -> None:
    told = course_text(replace(BASE, column="a\nb" + "c" * 90), SCALE)
    assert "\n" not in told
    assert "…'" in told


def test_a_bent_fall_of_a_logarithm_is_no_rise_the_other_way() -> None:
    fall = replace(WATER, kind=CourseKind.FALLING, number=0.5, interval=(0.25, 0.75), flat_from=None, bend=0)
    said = course_text(fall, Scale(target="strength", level=1.0))
    low, size, high = (100.0 * (1.0 - np.exp(-by)) for by in (0.25, 0.5, 0.75))
    assert f"by {size:.0f}% (95% range: {low:.0f}% to {high:.0f}%)" in said

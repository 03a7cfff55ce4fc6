"""Sentences on tables from facts alone, word for word."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.effect_cases import BASE, EFFECT, PAIR, SCALE, TOGETHER, WATER

from autostatistician.describe.facts.judgement import acting_together, manner_of
from autostatistician.describe.words.effects import course_text, effect_text, effect_title


def test_an_effect_of_one_column() -> None:
    assert manner_of((EFFECT, BASE)) == "alone"
    assert effect_title((EFFECT, BASE)) == "'age'"
    assert effect_text((EFFECT, BASE), SCALE) == course_text(BASE, SCALE)


def test_of_four_columns_only_the_two_that_were_measured_act_together() -> None:
    four = replace(PAIR, columns=("age", "ash", "sand", "water"))
    facts = (four, BASE, WATER, replace(TOGETHER, others=True))
    assert acting_together(facts) == ("age", "water")
    told = effect_text(facts, SCALE)
    assert told.startswith("'age' and 'water' act together: ")
    assert told.endswith("where it is 200 (averaged over 'ash' and 'sand').")
    assert acting_together((four, BASE, WATER)) == four.columns
    assert acting_together((EFFECT, BASE)) == ()

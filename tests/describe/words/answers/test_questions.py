"""Answers to the few questions that anyone asks of a model, in words."""

from __future__ import annotations

import pytest
from tests.describe.function_cases import UNITS

from autostatistician.describe.words.answers.questions import NONE, ahead_text, none_text


@pytest.mark.parametrize("question", NONE)
def test_a_question_with_nothing_for_an_answer_names_the_target(question: str) -> None:
    assert f"'{UNITS.target}'" in none_text(question, UNITS)


def test_the_forecast_of_a_row_has_its_range() -> None:
    text = ahead_text(1961.0, (450.2, 425.13, 480.0), UNITS)
    assert text == "The forecast of 'sales' for January 1961 is 450 (95% range: 425.1 to 480)."

"""Where a part heads, in sentences, in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.words.test_bends import BEND, TREND, UNITS

from autostatistician.describe.words.directions import direction_text, halves_text
from autostatistician.wording.messages import spoken_in


def test_all_along_and_in_each_half() -> None:
    sure = replace(BEND, probability=1.0)
    assert direction_text(TREND, sure, False, UNITS) == (
        "Within the data it rises all the time, on average by 3 per year. In the first half of the data it rises by 1 "
        "per year on average, in the second by 3."
    )
    assert direction_text(None, None, False, UNITS) == ""
    assert halves_text(BEND, False, UNITS) == ""  # of what is only probable no halves are told


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "From end to end of its stretch it probably falls, on average by 3 per year."),
        ("de", "Von einem Ende seines Abschnitts zum anderen fällt er vermutlich im Durchschnitt um 3 pro Jahr."),
    ],
)
def test_from_end_to_end(language: str, text: str) -> None:
    trend = replace(TREND, number=-3.0, direction=-1, steady=False, probability=0.93)
    with spoken_in(language):
        assert direction_text(trend, None, True, UNITS) == text


def test_a_turn_is_told_by_both_slopes() -> None:
    turn = replace(BEND, probability=1.0, direction=0, turn=-1, early=4.0, late=-2.0)
    assert halves_text(turn, True, UNITS) == (
        "In the first half of its stretch it rises by 4 per year on average, in the second it falls by 2."
    )

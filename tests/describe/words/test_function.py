"""Claims about a function, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.function_cases import COURSE, UNITS, facts, sure

from autostatistician.decompose.records.function import Estimate
from autostatistician.describe.words.function import claim_text, relied_text


def test_what_does_not_move_is_no_claim() -> None:
    still = facts(replace(COURSE, rise=sure(0.0)))
    assert [text for text in (claim_text(fact, UNITS) for fact in still) if "lies" in text] == []


@pytest.mark.parametrize("rise", [Estimate(0.002, -30.0, 31.0, 0.52), Estimate(5e-13, -5e-13, 6e-13, 0.53)])
def test_digits_of_a_rise_of_nothing_are_not_told(rise: Estimate) -> None:
    texts = [claim_text(fact, UNITS) for fact in facts(replace(COURSE, rise=rise))]
    assert texts[0] == "It lies higher at the end than at the start"
    fallen = replace(rise, number=-rise.number)
    texts = [claim_text(fact, UNITS) for fact in facts(replace(COURSE, rise=fallen))]
    assert texts[0] == "It lies lower at the end than at the start"


def test_claims_in_few_words() -> None:
    texts = [claim_text(fact, UNITS) for fact in facts(COURSE)]
    assert [text for text in texts if text] == [
        "It lies higher at the end than at the start (by 350)", "Repeats every year",
        "Changes suddenly in February 1954 (by 150; 95% range: 149 to 151)",
        "Single values scatter differently from January 1955 on",
    ]  # fmt: skip
    relied = [relied_text(fact, UNITS) for fact in facts(COURSE)]
    assert [text for text in relied if text] == [
        "that it ended higher than it began", "a yearly pattern", "the sudden change in February 1954",
        "the larger scatter from January 1955 on",
    ]  # fmt: skip

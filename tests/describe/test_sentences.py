"""The rules for sentences find what they are for."""

import pytest
from tests.describe.sentences import check_sentence, check_text

BAD = (
    "The forecast is 104 at November 1949.", "It changes in 21 April 2023.", "It rose on March 2020.",
    "There are 1 values.",
    "It takes 3 year.", "A hour later it fell.", "It is an year long.", "An 10% share is left.", "The the level stays.",
    "It lies between nan and 5.", "None is the mean.", "It rises , then falls.", "It rises  and falls.", "It rises..",
    "It adds 0.123456789.", "The lower_limit is 5.", "It is -5.", "It lies (between 1 and 2.", 'He said "yes.',
    "it begins small.", "It has no end", "It ends. then it begins.",
)  # fmt: skip
GOOD = (
    "The forecast is 104 for November 1949 (95% range: 98 to 110).", "On 21 April 2023 'a_b  c' rose by 1 value.",
    "A unit of 'x' is an hour, an 8-year or an 11-year cycle, a 10% share.", "It lies between −5 and 1 × 10⁶.",
    "CP(a, b): a before a change point and b after it.", "None found anything unusual.", "It had had a level:",
)  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_slips_are_found(text: str) -> None:
    with pytest.raises(AssertionError):
        check_sentence(text)


@pytest.mark.parametrize("text", GOOD)
def test_sentences_pass(text: str) -> None:
    check_sentence(text)


def test_a_label_needs_no_full_stop() -> None:
    check_text("95% band")

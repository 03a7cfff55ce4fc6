"""Numbers for people."""

from __future__ import annotations

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.wording.numbers import amount, article, count, fixed, joined, ordinal, pair, percent

ANY = st.floats(allow_nan=True, allow_infinity=True)


@given(ANY)
def test_every_number_has_a_text(value: float) -> None:
    for text in (amount(value), percent(value), fixed(value, 2), *pair(value, 1.0)):
        assert text
        assert not {"nan", "inf"} & {text.strip("-%").lower()}


SCALES = {"": 1.0, "billion": 1e9, "trillion": 1e12}


def number(text: str) -> float:
    """The number that a text stands for."""
    digits, _, scale = text.replace(",", "").replace("\N{MINUS SIGN}", "-").partition(" ")
    return float(digits) * SCALES[scale]


@given(st.floats(1e-4, 9e12))
def test_an_amount_keeps_three_significant_digits(value: float) -> None:
    assert number(amount(value)) == pytest.approx(value, rel=5.1e-3)


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e6))
def test_a_pair_shows_its_difference(low: float, gap: float) -> None:
    first, second = (number(text) for text in pair(low, low + gap))
    assert second - first == pytest.approx(gap, rel=0.03, abs=abs(low) * 1e-12)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0%"),
        (1e-4, "less than 0.1%"),
        (0.001, "0.1%"),
        (0.1234, "12.3%"),
        (0.9995, "more than 99.9%"),
        (1.0, "100%"),
        (-0.005, "−0.5%"),
        (123.456, "12,300%"),
        (nan, "an unknown share"),
    ],
)
def test_per_cent_has_honest_edges(value: float, text: str) -> None:
    assert percent(value) == text


@pytest.mark.parametrize("number", ["8", "8.5", "80", "800", "8,000", "88", "11", "11.5", "11,000", "18", "18,500"])
def test_numbers_spoken_with_a_vowel_take_an(number: str) -> None:
    assert article(f"{number}-year cycle") == f"an {number}-year cycle"


@pytest.mark.parametrize("number", ["1", "7", "10.8", "12", "110", "180", "1,100", "1,800", "0.5", "21", "1180"])
def test_other_numbers_take_a(number: str) -> None:
    assert article(f"{number}-year cycle") == f"a {number}-year cycle"


def test_counts() -> None:
    assert [count(n) for n in (0, 1, 12, 13, 1500)] == ["no", "one", "twelve", "13", "1,500"]
    assert [ordinal(n) for n in (1, 8, 12, 13, 22, 101, 111)] == [
        "first", "eighth", "twelfth", "13th", "22nd", "101st", "111th",
    ]  # fmt: skip


def test_lists() -> None:
    assert joined(["a trend"]) == "a trend"
    assert joined(["a trend", "noise"]) == "a trend and noise"
    assert joined(["a trend", "a cycle", "noise"]) == "a trend, a cycle, and noise"


def test_huge_and_tiny_numbers_use_powers_of_ten() -> None:
    assert (amount(1.5e20), amount(-2.5e-9), amount(inf)) == ("1.5 × 10²⁰", "−2.5 × 10⁻⁹", "an unknown amount")


def test_billions_are_told_in_words_where_that_is_shorter() -> None:
    assert (amount(2.656e9), amount(-1.5e12), amount(999e6)) == ("2.66 billion", "−1.5 trillion", "999,000,000")
    assert pair(5.1e10, 1.66e11, 2) == ("51 billion", "166 billion")
    assert pair(1e9, 1e9 + 1.5) == ("1,000,000,000", "1,000,000,001.5")


def test_two_digits_of_hundreds_do_not_lose_the_ones() -> None:
    assert (pair(112.7, 490.6, 2), pair(-93.4, 137.2, 2)) == (("113", "491"), ("−93", "137"))

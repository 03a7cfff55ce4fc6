"""Numbers for people."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.i18n.messages import again, spoken_in
from autostatistician.i18n.numbers import (
    amount,
    article,
    as_written,
    count,
    fixed,
    joined,
    noted_amount,
    ordinal,
    pair,
    percent,
)

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


# Values that lie close beside each other, the spread that they have, and how they are told.
BESIDE = {
    "irradiance": ((1360.217, 1360.518, 1361.083), 0.4, ("1,360.22", "1,360.52", "1,361.08")),
    "kelvin": ((288.153, 288.617), 0.6, ("288.15", "288.62")),
    "years": ((1987.25, 1987.75), 0.5, ("1,987.25", "1,987.75")),
    "prices": ((19.987, 20.013), 0.05, ("19.987", "20.013")),
    "millions": ((81234567.0, 81235123.0), 900.0, ("81,234,570", "81,235,120")),
    "rates": ((0.031249, 0.031263), 0.0004, ("0.03125", "0.03126")),
    "negative": ((-273.124, -273.381), 0.3, ("−273.12", "−273.38")),
    "billions": ((5.0314e9, 5.0341e9), 3e6, ("5.0314 billion", "5.0341 billion")),
    "widely spread": ((1234.5, 98765.0), 4e4, ("1,230", "98,800")),
    "about zero": ((0.0, 0.1234), 1.0, ("0", "0.123")),
}


@pytest.mark.parametrize("name", BESIDE)
def test_values_told_beside_each_other_are_as_fine_as_their_spread(name: str) -> None:
    values, spread, texts = BESIDE[name]
    assert tuple(amount(value, spread=spread) for value in values) == texts
    assert tuple(again(noted_amount(value, spread=spread)) for value in values) == texts


@given(st.floats(-1e9, 1e9), st.floats(1e-4, 1e6))
def test_values_that_lie_a_spread_apart_have_other_texts(value: float, spread: float) -> None:
    assert amount(value, spread=spread) != amount(value + spread, spread=spread)
    assert len(set(pair(value, value, spread=spread))) == 1


def test_their_decimals_are_those_of_the_language() -> None:
    with spoken_in("de"):
        assert amount(1360.217, spread=0.4) == "1.360,22"
        assert amount(81234567.0, spread=900.0) == "81.234.570"


@pytest.mark.parametrize(("value", "text"), [(1234567.0, "1234567"), (1234567.89, "1234567.89"), (0.1 + 0.2, "0.3")])
def test_a_cell_has_all_its_digits(value: float, text: str) -> None:
    assert as_written(value) == text

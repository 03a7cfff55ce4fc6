"""Names of columns in words."""

from __future__ import annotations

import pytest

from autostatistician.wording.names import clean_name, did_you_mean, measured, quoted


def test_names_stay_on_one_short_line() -> None:
    assert clean_name("a\n b") == "a b"
    assert len(clean_name("x" * 500)) == 60
    assert clean_name("ab " * 20, 10) == "ab ab ab…"
    assert quoted("a\n b") == "'a b'"


def test_only_known_units_are_taken_off() -> None:
    assert measured("depth  (m)") == ("depth", "m")
    assert measured("depth (mean)") == ("depth (mean)", "")
    assert measured("(m)") == ("(m)", "")


@pytest.mark.parametrize(
    ("word", "remedy"),
    [
        ("matern32", "did you mean 'Matern32'?"),
        ("PERR", "did you mean 'Per'?"),
        ("zzz", "use one of 'Per', 'Matern32'"),
    ],
)
def test_the_nearest_word_is_suggested_else_all_are_listed(word: str, remedy: str) -> None:
    assert did_you_mean(word, iter(["Per", "Matern32"])) == remedy


def test_of_words_that_differ_in_case_alone_the_first_is_suggested() -> None:
    assert did_you_mean("abcd", ["abcD", "ABCD"]) == "did you mean 'abcD'?"

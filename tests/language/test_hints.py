"""Suggestions for unknown words."""

from __future__ import annotations

import pytest

from autostatistician.language.hints import did_you_mean


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

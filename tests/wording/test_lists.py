"""Numbers with their nouns, and names in a row."""

from __future__ import annotations

import pytest

from autostatistician.wording.lists import counted, listed


@pytest.mark.parametrize(("number", "text"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1000, "1000 rows")])
def test_only_one_is_one(number: int, text: str) -> None:
    assert counted(number, "row") == text


def test_names_are_quoted_whatever_they_hold() -> None:
    assert listed([]) == ""
    assert listed(["a", "it's", "a, b", "x\ny"]) == "'a', \"it's\", 'a, b', 'x\\ny'"


@pytest.mark.parametrize("count", [7, 8, 9, 40])
def test_after_eight_names_the_others_are_counted(count: int) -> None:
    text = listed([f"c{k}" for k in range(count)])
    assert text.count("'c") == min(count, 8)
    assert text.endswith(f" and {count - 8} more") is (count > 8)

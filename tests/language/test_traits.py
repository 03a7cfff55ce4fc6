"""What the structure of an expression alone says."""

from __future__ import annotations

import pytest

from autostatistician.language.expr import ChangePoint, ChangeWindow, Leaf
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.leaves import LEAVES
from autostatistician.language.text import parse
from autostatistician.language.traits import always_noisy, columns_of, has_changes, has_structure, is_noise


def test_noise_is_recognised_anywhere_in_an_expression() -> None:
    assert always_noisy((leaf("WN") * leaf("Lin") + leaf("SE")).expr)
    assert not always_noisy((leaf("C") * leaf("Lin") + leaf("SE")).expr)
    assert always_noisy(ChangePoint(Leaf("WN"), Leaf("SE") + Leaf("WN")))
    assert not always_noisy(ChangeWindow(Leaf("WN"), Leaf("SE")))


def test_noise_around_a_level_is_no_structure() -> None:
    assert not has_structure(parse("C + WN"))
    assert has_structure(parse("C * SE + WN"))
    assert has_structure(ChangePoint(Leaf("WN"), Leaf("WN")))


def test_changes_are_found_below_other_nodes() -> None:
    assert has_changes(Leaf("SE") + Leaf("Lin") * ChangeWindow(Leaf("C"), Leaf("SE")))
    assert not has_changes(parse("SE * Lin + WN"))


@pytest.mark.parametrize(
    ("text", "only", "expected"),
    [
        ("SE[age] * (Lin[water] + C) + WN", None, {"age", "water"}),
        ("SE + WN", None, set()),
        ("SE + WN", "age", {"age"}),
        ("C + WN", "age", set()),  # leaves that act on no column
    ],
)
def test_columns_are_those_that_leaves_act_on(text: str, only: str | None, expected: set[str]) -> None:
    assert columns_of(parse(text), only) == expected


def test_changes_act_on_a_column_too() -> None:
    assert columns_of(ChangePoint(Leaf("C"), Leaf("SE", "b"), "a")) == {"a", "b"}
    assert columns_of(ChangeWindow(Leaf("C"), Leaf("C")), "x") == {"x"}


def test_a_part_with_noise_anywhere_is_noise() -> None:
    assert is_noise(leaf("Lin") * (leaf("WN") + leaf("SE")))
    assert is_noise(ChangePoint(Leaf("SE"), Leaf("WN")))
    assert not is_noise(parse("C * SE"))


@pytest.mark.parametrize("symbol", LEAVES)
def test_only_white_noise_is_noise(symbol: str) -> None:
    nested = Kernel.change_point(leaf("C", sd=1.0), leaf(symbol) * leaf("C", sd=1.0), location=0.0, steepness=1.0)
    assert is_noise(nested) == is_noise(nested.expr) == (symbol == "WN")

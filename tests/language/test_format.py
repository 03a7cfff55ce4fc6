"""Texts of expressions (that they are read again is tested with `parse`)."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.strategies import ODD_COLUMNS, expressions

from autostatistician.language.expr import ChangePoint, Expr, Leaf, Product, Sum
from autostatistician.language.format import format_column, format_expr

SE, PER, WN = Leaf("SE"), Leaf("Per"), Leaf("WN")


def test_parentheses_stand_around_sums_in_products_alone() -> None:
    assert format_expr(Sum((Product((SE, Sum((PER, WN)))), WN))) == "SE * (Per + WN) + WN"
    assert format_expr(ChangePoint(Sum((SE, WN)), Product((SE, PER)), "t")) == "CP[t](SE + WN, SE * Per)"


@given(expressions(columns=ODD_COLUMNS))
def test_a_text_is_one_line(expr: Expr) -> None:
    assert "\n" not in format_expr(expr)


@pytest.mark.parametrize(
    ("column", "text"),
    [("size (cm)", "[size (cm)]"), ("a  b", "[a  b]"), (" a", '[" a"]'), ("a]", '["a]"]'), ("", '[""]'), ("1", "[1]")],
)
def test_names_that_brackets_alone_cannot_hold_are_quoted(column: str, text: str) -> None:
    assert format_column(column) == text

"""Texts of expressions (that they are read again is tested with `parse`)."""

from zlib import crc32

import pytest
from hypothesis import given
from tests.strategies import ODD_COLUMNS, expressions

from autostatistician.kernels.expr import (
    ChangePoint,
    ChangeWindow,
    Expr,
    Leaf,
    Product,
    Sum,
    format_column,
    format_expr,
    stable_key,
    to_latex,
)
from autostatistician.kernels.text import parse

SE, LINE, LEVEL, NOISE = Leaf("SE"), Leaf("Lin"), Leaf("C"), Leaf("WN")

# Written out, not computed: a change of any of these changes what every search draws.
PINNED = [
    (NOISE, "WN", 625456635),
    (SE * Leaf("Per") + LINE + NOISE, "SE * Per + Lin + WN", 3409730271),
    (Product((SE, Sum((LEVEL, LINE)))), "SE * (C + Lin)", 3406329333),
    (ChangePoint(LEVEL, SE + NOISE), "CP(C, SE + WN)", 4198561725),
    (ChangeWindow(LINE, ChangePoint(SE, LEVEL, "t"), "t") + NOISE, "CW[t](Lin, CP[t](SE, C)) + WN", 2529176913),
    (
        Leaf("Cat", "fly ash (kg/m^3)") + Leaf("Matern32", "water 1"),
        'Cat["fly ash (kg/m^3)"] + Matern32[water 1]',
        3873150345,
    ),
    (Leaf("SE", "größe] + WN"), 'SE["größe] + WN"]', 3527180981),
]


@pytest.mark.parametrize(("expr", "key", "seed"), PINNED)
def test_keys_and_the_seeds_made_from_them_never_change(expr: Expr, key: str, seed: int) -> None:
    assert stable_key(expr) == key
    assert crc32(key.encode()) == seed


HOSTILE = ("a", "a b", "a] + SE[b", 'a"', "a, C")


@given(expressions(HOSTILE, max_leaves=4), expressions(HOSTILE, max_leaves=4))
def test_two_structures_have_two_keys(one: Expr, other: Expr) -> None:
    assert (stable_key(one) == stable_key(other)) == (one == other)


@given(expressions(columns=ODD_COLUMNS))
def test_latex_has_balanced_braces_and_parentheses(expr: Expr) -> None:
    text = to_latex(expr).replace(r"\{", "").replace(r"\}", "")
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0
    assert text.count(r"\left(") == text.count(r"\right)")


def test_latex() -> None:
    text = to_latex(parse("SE[a_b] * (Lin + CP(C, 0))"))
    wanted = r"\mathrm{SE}_{\text{a\_b}} \times \left(\mathrm{Lin} + \mathrm{CP}\left(\mathrm{C},\, 0\right)\right)"
    assert text == wanted


@given(expressions(columns=ODD_COLUMNS))
def test_a_text_is_one_line(expr: Expr) -> None:
    assert "\n" not in format_expr(expr)


@pytest.mark.parametrize(
    ("column", "text"),
    [("size (cm)", "[size (cm)]"), ("a  b", "[a  b]"), (" a", '[" a"]'), ("a]", '["a]"]'), ("", '[""]'), ("1", "[1]")],
)
def test_names_that_brackets_alone_cannot_hold_are_quoted(column: str, text: str) -> None:
    assert format_column(column) == text

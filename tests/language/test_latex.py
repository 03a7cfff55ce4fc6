"""Expressions as LaTeX."""

from __future__ import annotations

from hypothesis import given
from tests.strategies import ODD_COLUMNS, expressions

from autostatistician.language.expr import Expr
from autostatistician.language.latex import to_latex
from autostatistician.language.text import parse


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

"""Expressions as LaTeX mathematics."""

from __future__ import annotations

from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum

__all__ = ["latex_text", "to_latex"]


def to_latex(expr: Expr) -> str:
    r"""The expression as LaTeX mathematics (without the dollar signs).

    >>> to_latex(Leaf("SE") * Leaf("Per", "age") + Leaf("WN"))
    '\\mathrm{SE} \\times \\mathrm{Per}_{\\text{age}} + \\mathrm{WN}'
    """
    match expr:
        case Leaf(symbol=symbol, column=column):
            return ("0" if symbol == "0" else rf"\mathrm{{{symbol}}}") + _latex_column(column)
        case Sum(terms=terms):
            return " + ".join(to_latex(term) for term in terms)
        case Product(factors=factors):
            return r" \times ".join(_latex_grouped(factor) for factor in factors)
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            return _latex_change(expr.symbol, expr.column, first, second)


def _latex_change(symbol: str, column: str | None, first: Expr, second: Expr) -> str:
    head = rf"\mathrm{{{symbol}}}{_latex_column(column)}"
    return rf"{head}\left({to_latex(first)},\, {to_latex(second)}\right)"


def _latex_grouped(expr: Expr) -> str:
    return rf"\left({to_latex(expr)}\right)" if isinstance(expr, Sum) else to_latex(expr)


_LATEX = str.maketrans(
    {char: "\\" + char for char in "{}$&%#_"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "\n": " ", "\r": " "}
)


def latex_text(text: str) -> str:
    r"""Text with the signs escaped that mean something to LaTeX.

    >>> latex_text("a_b")
    'a\\_b'
    """
    return text.translate(_LATEX)


def _latex_column(column: str | None) -> str:
    return "" if column is None else rf"_{{\text{{{latex_text(column)}}}}}"

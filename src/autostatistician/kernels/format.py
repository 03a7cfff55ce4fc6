"""Expressions as text: ``SE * Per + Lin + WN``."""

from __future__ import annotations

import json
import re

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum

__all__ = ["format_column", "format_expr", "latex_text", "stable_key", "to_latex"]


_BARE_COLUMN = re.compile(r"[\w.()/%-]+(?: +[\w.()/%-]+)*")

_PLAIN_COLUMN = re.compile(r"[\w.()/%-]+(?: +[\w.()/%-]+)*")


def format_expr(expr: Expr) -> str:
    """The text of an expression, with parentheses only where they are needed.

    Law: ``parse(format_expr(e)) == e`` for every expression whose sums and products are flat.

    >>> format_expr(Product((Leaf("SE"), Sum((Leaf("Per", "time of day"), Leaf("C"))))))
    'SE * (Per[time of day] + C)'
    """
    match expr:
        case Leaf(symbol=symbol, column=column):
            return symbol + format_column(column)
        case Sum(terms=terms):
            return " + ".join(format_expr(term) for term in terms)
        case Product(factors=factors):
            return " * ".join(_grouped(factor) for factor in factors)
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            return f"{expr.symbol}{format_column(expr.column)}({format_expr(first)}, {format_expr(second)})"


def _grouped(expr: Expr) -> str:
    return f"({format_expr(expr)})" if isinstance(expr, Sum) else format_expr(expr)


def format_column(column: str | None) -> str:
    r"""The text that names a column behind a symbol: nothing, the plain name, or the name in JSON quotes.

    >>> format_column("age"), format_column("my col]"), format_column(None)
    ('[age]', '["my col]"]', '')
    """
    if column is None:
        return ""
    return f"[{column}]" if _PLAIN_COLUMN.fullmatch(column) else f"[{json.dumps(column, ensure_ascii=False)}]"


# --- Expressions as LaTeX mathematics -------------------------------------------------------------------------------


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


# --- Stable keys of expressions -------------------------------------------------------------------------------------


def stable_key(expr: Expr) -> str:
    """A text that tells structures apart and never changes: another form of it would change every draw of a search.

    >>> stable_key(Product((Leaf("SE"), Sum((Leaf("Per", "time of day"), Leaf("C"))))))
    'SE * (Per[time of day] + C)'
    """
    match expr:
        case Leaf(symbol=symbol, column=column):
            return symbol + _column_key(column)
        case Sum(terms=terms):
            return " + ".join(map(stable_key, terms))
        case Product(factors=factors):
            return " * ".join(
                f"({stable_key(factor)})" if isinstance(factor, Sum) else stable_key(factor) for factor in factors
            )
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            return f"{expr.symbol}{_column_key(expr.column)}({stable_key(first)}, {stable_key(second)})"


def _column_key(column: str | None) -> str:
    """The key of a column; quotes keep the marks of hostile names apart from those of the key itself."""
    if column is None:
        return ""
    return f"[{column}]" if _BARE_COLUMN.fullmatch(column) else f"[{json.dumps(column, ensure_ascii=False)}]"

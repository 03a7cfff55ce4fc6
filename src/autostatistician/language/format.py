"""Expressions as text: ``SE * Per + Lin + WN``."""

from __future__ import annotations

import json
import re

from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum

__all__ = ["format_column", "format_expr"]


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

"""Stable keys of expressions: from them seeds are made, so they stay as they are when the printed form changes."""

from __future__ import annotations

import json
import re

from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum

__all__ = ["stable_key"]

_BARE_COLUMN = re.compile(r"[\w.()/%-]+(?: +[\w.()/%-]+)*")


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

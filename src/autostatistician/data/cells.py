"""Single cells of a table: which of them hold nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["MISSING", "SPACES", "is_missing", "is_missing_category", "is_null"]

SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"
MISSING = frozenset(
    {"", "-", "--", "?", ".", "..", "...", "*", "na", "n/a", "n.a.", "#n/a", "nan", "nat", "null", "none", "nil"}
    | {"missing", "(missing)", "unknown", "#value!", "#div/0!", "<na>", "\N{EN DASH}", "\N{EM DASH}"}
)
CATEGORIES = frozenset({"none", "nil"})  # that are placeholders among numbers alone


def is_missing(text: str | None) -> bool:
    """Whether a cell is empty or a usual placeholder for a missing value.

    >>> is_missing("n/a"), is_missing("0")
    (True, False)
    """
    return text is None or text.strip(SPACES + " \t").lower() in MISSING


def is_missing_category(text: str | None) -> bool:
    """Whether a cell of a column of categories holds none: "none" is one, such as of advertising.

    >>> is_missing_category("n/a"), is_missing_category("None")
    (True, False)
    """
    return is_missing(text) and (text is None or text.strip(SPACES + " \t").lower() not in CATEGORIES)


def is_null(cell: Any) -> bool:
    """Whether a cell of a frame is one of the missing values of Python, NumPy or pandas.

    >>> is_null(float("nan")), is_null(0.0)
    (True, False)
    """
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return bool(isinstance(cell, float | np.floating) and np.isnan(cell))

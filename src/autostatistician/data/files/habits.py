"""What a table shows of the country it comes from: the order of its dates, and what points in its numbers mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

__all__ = ["habits"]

PROBED_ROWS = 50
_DECIMAL_COMMA = re.compile(r"^[+-]?(?:\d{1,3}(?:[. ]\d{3})+|\d+),(?:\d{1,2}|\d{4,})$")
_DECIMAL_POINT = re.compile(r"^[+-]?\d*\.(?:\d{1,2}|\d{4,})$")
_WORD = re.compile(r"[^\W\d_]{3,}")
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARABIC", "HEBREW")
# Names of columns without a letter that English lacks.
_DAY_FIRST = frozenset(
    {"datum", "fecha", "dato", "tarih", "jour", "giorno", "tag", "tanggal", "umsatz", "ventas", "valor"}
)


def habits(names: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[str, bool]:
    """The order of day and month that is usual where a table was written ("": nothing shows it), and whether points in
    its numbers separate thousands.

    The month stands first in the United States alone, where commas are no decimal commas and words have no accents.

    >>> habits(["Monat", "Umsatz"], [["01/02/2020", "1.200,5"]]), habits(["day", "sales"], [["01/02/2020", "1200.5"]])
    (('dmy', True), ('', False))
    """
    cells = [cell.strip() for row in rows[:PROBED_ROWS] for cell in row[:PROBED_ROWS]]
    comma = any(_DECIMAL_COMMA.match(cell) for cell in cells) and not any(_DECIMAL_POINT.match(cell) for cell in cells)
    return "dmy" if comma or any(_is_foreign(name) for name in names[:PROBED_ROWS]) else "", comma


def _is_foreign(name: str) -> bool:
    """Whether a name has a word that English has not."""
    words = _WORD.findall(name)
    return any(word.lower() in _DAY_FIRST or _has_foreign_letter(word) for word in words)


def _has_foreign_letter(word: str) -> bool:
    return any(not c.isascii() and unicodedata.name(c, "").startswith(_ALPHABETS) for c in word)

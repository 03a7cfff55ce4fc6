"""What is said of new rows: whether they came as a model expected, and whether to search again."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.wording.lists import counted, listed
from autostatistician.wording.numbers import amount, p_value

__all__ = ["advice_text", "lacking_text", "rows_texts", "surprise_text"]


def surprise_text(rows: int, inside: int, p: float, surprising: bool, drift: float | None, size: float) -> str:
    """How new rows compare with what was expected; ``drift`` is None where they are off on both sides.

    >>> surprise_text(12, 11, 0.43, False, None, 1.1).split(". ")[1]
    'Together they are no surprise (p = 0.43).'
    """
    if rows == 1:
        within = f"The new row lies {'within' if inside else 'outside'} its range of 95%."
    else:
        which = f"All {rows:,}" if inside == rows else f"{inside:,} of the {rows:,}"
        within = f"{which} new rows lie within their 95% ranges, each given the rows before."
    together, chance = "Together they are" if rows > 1 else "It is", _p_text(p)
    if not surprising:
        return f"{within} {together} no surprise ({chance})."
    if drift is not None:
        side, they = ("above" if drift > 0.0 else "below"), "they lie" if rows > 1 else "it lies"
        mean = " on average" if rows > 1 else ""
        return (
            f"{within} {together} a surprise ({chance}): {they}{mean} {amount(abs(drift), 2)} standard deviations "
            f"{side} what the model expected."
        )
    return f"{within} {together} a surprise ({chance}): the errors are {amount(size, 2)} times as large as expected."


def _p_text(p: float) -> str:
    text = p_value(p)
    return f"p {text}" if text.startswith("below") else f"p = {text}"


def advice_text(surprising: bool, searched: int, rows: int, grown: bool) -> str:
    """Whether to search again."""
    if surprising:
        return "Search again: what the model says may not hold any more."
    if grown:
        return f"Search again: the model was found on {searched:,} rows, and {rows:,} may show more."
    return "Nothing speaks for a new search: the model keeps its expression and its numbers."


def lacking_text(names: Sequence[str]) -> str:
    """That new rows came without values of columns that act.

    >>> lacking_text(["promo"])
    "New rows have no value of 'promo': they are judged as if it were as usual."
    """
    they = "it were" if len(names) == 1 else "they were"
    return f"New rows have no value of {listed(list(names))}: they are judged as if {they} as usual."


def rows_texts(repeated: int, empty: int, between: int) -> tuple[str, ...]:
    """What became of rows that were not simply added.

    >>> rows_texts(60, 1, 0)
    ('60 rows were there already.', '1 row has no value that can be read, and was left out.')
    """
    texts = []
    if repeated:
        texts.append(f"{counted(repeated, 'row')} {'was' if repeated == 1 else 'were'} there already.")
    if empty:
        texts.append(
            f"{counted(empty, 'row')} {'has' if empty == 1 else 'have'} no value that can be read, and "
            f"{'was' if empty == 1 else 'were'} left out."
        )
    if between:
        lies = "lies" if between == 1 else "lie"
        texts.append(
            f"{counted(between, 'row')} {lies} between the steps of the dates of the model: are they of its series?"
        )
    return tuple(texts)

"""Sentences on columns that are the target at other rows, and relations between columns in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autostatistician.data.exact_fits import WHOLE, ExactFit
from autostatistician.wording.lists import all_of
from autostatistician.wording.messages import Number, message, note, note_count

__all__ = ["CHANGE", "EARLIER", "GROWTH", "LATER", "MOVING_MEAN", "equation", "product", "relative"]

# A column that is the target at other rows, or is made of such.
EARLIER = message("Column {name} is the target as it was {rows} before, which is not known ahead of time.")
LATER = message("Column {name} is the target as it will be {rows} later.")
CHANGE = message("Column {name} is the change of the target from {rows} before.")
GROWTH = message("Column {name} is the growth of the target from {rows} before.")
MOVING_MEAN = message("Column {name} is a moving mean of the target over {rows}.")


def relative(text: str, name: str, rows: int) -> str:
    """One of these sentences on a column.

    >>> relative(LATER, "sales", 1), relative(CHANGE, "sales", 2)[-14:]
    ("Column 'sales' is the target as it will be 1 row later.", '2 rows before.')
    """
    return note(text, name=repr(name), rows=note_count(rows, "{n} row", "{n} rows", n=rows))


def equation(fit: ExactFit, columns: Sequence[str], size: float) -> str:
    """A relation of columns, as they are written, in words; constants below a millionth of the ``size`` are rounding.

    >>> equation(ExactFit(np.array([1.0, -1.0]), 0.0), ["'sales'", "'returns'"], 100.0)
    "'sales' - 'returns'"
    >>> equation(ExactFit(np.array([1.8]), 32.0), ["'celsius'"], 100.0)
    "1.8 times 'celsius' + 32"
    """
    signed = sorted(zip(fit.slopes.tolist(), columns, strict=True), key=lambda term: term[0] < 0.0)
    terms = [(slope < 0.0, _term(abs(slope), column)) for slope, column in signed]
    if abs(fit.constant) > 1e-6 * size:
        terms.append((fit.constant < 0.0, note("{number}", number=Number(abs(fit.constant), ".4g"))))
    (is_taken_off, text), *rest = terms
    for minus, term in rest:
        text = (
            note("{first} - {second}", first=text, second=term)
            if minus
            else note("{first} + {second}", first=text, second=term)
        )
    return note("minus {term}", term=text) if is_taken_off else text


def _term(factor: float, column: str) -> str:
    if abs(factor - 1.0) < WHOLE:
        return column
    return note("{number} times {column}", number=Number(factor, ".4g"), column=column)


def product(fit: ExactFit, names: Sequence[str]) -> str:
    """A product of powers of columns in words, from a relation of their logarithms.

    >>> product(ExactFit(np.array([1.0, -2.0]), 0.0), ["sales", "area"])
    "'sales' divided by 'area' to the power 2"
    """
    above: list[str] = []
    below: list[str] = []
    for power, name in zip(fit.slopes.tolist(), names, strict=True):
        column = repr(name)
        if abs(abs(power) - 1.0) >= WHOLE:
            column = note("{column} to the power {power}", column=column, power=Number(abs(power), ".3g"))
        (below if power < 0.0 else above).append(column)
    factor = float(np.exp(fit.constant))
    if abs(factor - 1.0) >= WHOLE or not above:
        above.insert(0, note("{number}", number=Number(1.0 if abs(factor - 1.0) < WHOLE else factor, ".4g")))
    text, *others = above
    for column in others:
        text = note("{number} times {column}", number=text, column=column)
    return note("{above} divided by {below}", above=text, below=all_of(below)) if below else text

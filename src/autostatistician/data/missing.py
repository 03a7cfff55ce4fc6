"""Values that are no finite numbers (NaN, infinity, masked): found, named by row and column, and refused."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.words import words
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note, note_count
from autostatistician.i18n.names import counted

__all__ = [
    "MISSING", "SPACES", "checked_finite", "checked_target", "is_missing", "is_missing_category", "is_null",
    "refuse_first", "said_of_rows", "unmasked", "with_plain_digits",
]  # fmt: skip


SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"

MISSING = words("cells", "missing") | {""}  # in brackets those of statistical offices, as of what they suppress
BLANKS, SIGNS = SPACES + " \t", "*.?#:-\N{EN DASH}\N{EM DASH}"  # signs stand around placeholders, or alone, as ****

CATEGORIES = frozenset({"none", "nil"})  # that are placeholders among numbers alone

Floats = NDArray[np.float64]


def unmasked(values: Any) -> Any:
    """A masked array with nothing (NaN, NaT, None) where it is masked; anything else as it is.

    >>> unmasked(np.ma.masked_array([1, 2], mask=[False, True])).tolist()
    [1.0, nan]
    """
    if not isinstance(values, np.ma.MaskedArray):
        return values
    kind, mask = values.dtype.kind, np.ma.getmaskarray(values)
    nothing: Any = np.nan if kind in "biuf" else np.array("NaT", values.dtype) if kind == "M" else None
    return np.where(mask, nothing, values.data.astype(np.float64) if kind in "biuf" else values.data)


def checked_finite(X: Floats, columns: Sequence[str] = ()) -> Floats:
    """The same array (n, d) if it is finite, else an error with the first such cell; columns are x1, x2 without names.

    >>> checked_finite(np.array([[1.0, 2.0], [3.0, np.nan]]), ("age", "mass"))
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected finite numbers in column 'mass' of every row; found NaN in row 2; ...
    """
    wrong = ~np.isfinite(X)
    if not wrong.any():
        return X
    row, column = (int(index) for index in np.argwhere(wrong)[0])
    name = columns[column] if len(columns) else f"x{column + 1}"
    gap = f"{'NaN' if np.isnan(X[row, column]) else 'infinity'} in row {row + 1}"
    more = int(wrong.any(axis=1).sum()) - 1
    gap += f" and something of the kind in {counted(more, 'other row')}" if more else ""
    raise InputError.of(f"finite numbers in column {name!r} of every row", gap, "fill them in or leave such rows out")


NAME_THE_COLUMN = "leave such rows out, or name the column of a frame: fit(frame, 'y') does so by itself"


def checked_target(y: Any, remedy: str = NAME_THE_COLUMN) -> None:
    """Raise an `InputError` where a target (n,) has no number in some row.

    >>> checked_target([1.0, float("nan")])
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected a number as target of every row; found NaN in row 2; ...
    """
    values = np.asarray(y)
    if values.dtype.kind not in "fO" or values.ndim != 1:
        return
    empty = np.array([value is None or value != value for value in values.tolist()], dtype=bool)
    if not empty.any():
        return
    rows = np.flatnonzero(empty)
    gap = "nothing" if values[rows[0]] is None else "NaN"
    more = f" and in {counted(len(rows) - 1, 'other row')}" if len(rows) > 1 else ""
    raise InputError.of("a number as target of every row", f"{gap} in row {rows[0] + 1}{more}", remedy)


def refuse_first(wrong: NDArray[np.bool_], values: Floats, expected: str, remedy: str) -> None:
    """Raise an `InputError` with the first of the values (n,) that are ``wrong``, if any is.

    >>> refuse_first(np.array([False, True]), np.array([1.0, -2.0]), "counts", "correct the value")
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected counts; found -2; correct the value
    """
    if wrong.any():
        from autostatistician.i18n.numbers import as_written  # Babel, which importing an estimator does without

        value = float(values[wrong][0])
        raise InputError.of(expected, "none" if np.isnan(value) else as_written(value), remedy)


def said_of_rows(n: int, text: str, /, **values: object) -> tuple[str, ...]:
    """A sentence on ``{rows}``, of which there are ``n``; nothing of none.

    >>> said_of_rows(2, "{rows} of {all} left out.", all=9), said_of_rows(0, "{rows} left out.")
    (('2 rows of 9 left out.',), ())
    """
    return (note(text, **values, rows=note_count(n, "{n} row", "{n} rows", n=n)),) if n else ()


# --- Single cells of a table: which of them hold nothing ------------------------------------------------------------


def with_plain_digits(text: str) -> str:
    """Text with the digits 0 to 9 for those of any script.

    >>> with_plain_digits("٢٠٢١"), with_plain_digits("２月")
    ('2021', '2月')
    """
    return text if text.isascii() else "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def is_missing(text: str | None) -> bool:
    """Whether a cell is empty or a usual placeholder for a missing value.

    >>> [is_missing(text) for text in ("n/a", "****", "0", "-5")]
    [True, True, False, False]
    """
    return text is None or text.strip(BLANKS).strip(SIGNS).lower() in MISSING


def is_missing_category(text: str | None) -> bool:
    """Whether a cell of a column of categories holds none: "none" is one, such as of advertising.

    >>> is_missing_category("n/a"), is_missing_category("None")
    (True, False)
    """
    return is_missing(text) and (text is None or text.strip(BLANKS).strip(SIGNS).lower() not in CATEGORIES)


def is_null(cell: Any) -> bool:
    """Whether a cell of a frame is one of the missing values of Python, NumPy or pandas.

    >>> is_null(float("nan")), is_null(0.0)
    (True, False)
    """
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return bool(isinstance(cell, float | np.floating) and np.isnan(cell))

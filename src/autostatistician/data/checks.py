"""What is remarkable about the values of a series: constant, far from zero, placeholders among the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.wording.lists import counted, listed

__all__ = [
    "LIMITS",
    "Limits",
    "MOST_ROWS",
    "check_rows",
    "checked_length",
    "checked_rows",
    "checked_size",
    "checked_spread",
    "checked_table",
    "checked_varying",
    "far_from_zero",
    "has_two_values",
    "remarks",
    "too_many_columns",
    "too_many_rows",
]

Floats = NDArray[np.float64]

PLACEHOLDERS = (-9.0, -9.99, -99.0, -99.9, -99.99, -999.0, -999.9, -999.99, -9999.0, -99999.0, 999.0, 9999.0, 99999.0)
TINY = 1e-140  # the squares of smaller numbers are zero in float64
INDISTINCT = 64 * float(np.finfo(np.float64).eps)  # relative differences that a few roundings explain
TWO = 4  # rows, with two values among more of them they are no accident
FAR = 1e6  # standard deviations from zero beyond which float64 loses digits that matter


@dataclass(frozen=True)
class Limits:
    """How many rows can be modelled: the time that a search takes grows with their number cubed."""

    slow: int = 1500
    rows: int = 3000
    # More are not even read: it would take long, and hardly ever is the greater part of a table left out.
    read: int = 20_000


LIMITS = Limits()


def too_many_rows(found: str, most: int = LIMITS.read) -> InputError:
    """The error for data that are refused before their cells are looked at, be they a series or a table.

    >>> str(too_many_rows("1000000"))[:49]
    'expected at most 3000 rows; found 1000000; take m'
    """
    modelled = min(most, LIMITS.rows)
    longer = "take means over longer steps (days, weeks, months) of a series"
    remedy = f"{longer}, or draw {modelled * 2 // 3} rows of a table by chance"
    return InputError.of(f"at most {modelled} rows", found, remedy)


def too_many_columns(found: int, most: int) -> InputError:
    """The error for data that are refused before their cells are looked at.

    >>> str(too_many_columns(9000, 200))
    'expected at most 200 columns; found 9000; leave out those that are not needed'
    """
    return InputError.of(f"at most {most} columns", f"{found}", "leave out those that are not needed")


def checked_length(data: Any) -> None:
    """Refuse a frame, series, array or list of more rows than are looked at, before that takes long.

    Raises
    ------
    InputError
        When it has more.
    """
    shape = getattr(data, "shape", ()) or (len(data) if isinstance(data, list | tuple) else 0,)
    if shape[0] > LIMITS.read:
        raise too_many_rows(f"{shape[0]}")


def checked_rows(n: int, limits: Limits = LIMITS) -> tuple[str, ...]:
    """A warning of slowness for many rows.

    Raises
    ------
    InputError
        When there are too many.

    Examples
    --------
    >>> checked_rows(1600)
    ('With 1600 rows the search may take long; means over longer steps (days, weeks) would speed it up.',)
    """
    if n > limits.rows:
        remedy = f"take means over longer steps (days, weeks, months), or only the last {limits.rows * 2 // 3} rows"
        raise InputError.of(f"at most {limits.rows} rows", f"{n}", remedy)
    if n >= limits.slow:
        return (f"With {n} rows the search may take long; means over longer steps (days, weeks) would speed it up.",)
    return ()


def checked_table(X: Floats, columns: Sequence[str], limits: Limits = LIMITS) -> tuple[str, ...]:
    """What is to be said of the inputs (n, d) of a table: columns that cannot explain anything, and many rows.

    Raises
    ------
    InputError
        When there are too many rows, fewer rows than columns, or no column that varies.

    Examples
    --------
    >>> checked_table(np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]]), ("a", "b"))
    ("All rows have the same value of column 'b', so nothing can be said about it.",)
    """
    n, d = X.shape
    if n > limits.rows:
        remedy = f"draw {limits.rows * 2 // 3} of the rows by chance (they keep most of what all of them tell)"
        raise InputError.of(f"at most {limits.rows} rows of a table", f"{n}", remedy)
    if n < d:
        found = f"{counted(n, 'sample')} of {d} columns"
        raise InputError.of("at least as many rows as columns", found, "name fewer inputs, or give more rows")
    constant = checked_varying(X, columns)
    one = f"column {listed(constant)}, so nothing can be said about it"
    several = f"the columns {listed(constant)}, so nothing can be said about them"
    said = (f"All rows have the same value of {one if len(constant) == 1 else several}.",) if constant else ()
    slow = f"With {n} rows the search may take long; a sample of {limits.slow} rows would speed it up."
    return said + ((slow,) if n >= limits.slow else ())


def checked_varying(X: Floats, columns: Sequence[str]) -> list[str]:
    """The columns (of n, d) with one value only.

    Raises
    ------
    InputError
        When no column varies.
    """
    constant = [name for name, values in zip(columns, X.T, strict=True) if values.min() == values.max()]
    if len(constant) == len(columns) and len(X) > 1:
        each = " each" if len(constant) > 1 else ""
        found = f"one value{each} in {listed(constant)}"
        raise InputError.of("an input column that varies", found, "name other inputs")
    return constant


def checked_size(y: Floats, offset: float, column: str) -> tuple[str, ...]:
    """A warning for many rows.

    Raises
    ------
    InputError
        When there are too many, or when the values are so small that their squares vanish.
    """
    size = float(np.abs(y - offset).max())
    if 0.0 < size < TINY:
        found = f"none beyond {size:.2g}"
        raise InputError.of(f"values of usual size in column {column!r}", found, "give them in a smaller unit")
    return checked_rows(y.size)


def checked_spread(X: Floats, columns: Sequence[str]) -> None:
    """Refuse inputs (n, d) that vary by so little that the squares of their distances vanish.

    Raises
    ------
    InputError
        When a column does.

    Examples
    --------
    >>> checked_spread(np.array([[0.0], [1e-300]]), ("t",))
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected values of usual size in column 't'; found a range of 1e-300; ...
    """
    for name, spread in zip(columns, np.ptp(X, axis=0), strict=True):
        if 0.0 < spread < TINY:
            found = f"a range of {spread:.2g}"
            raise InputError.of(f"values of usual size in column {name!r}", found, "give them in a smaller unit")


def far_from_zero(y: Floats) -> tuple[float, tuple[str, ...]]:
    """What to subtract from values whose mean is more than a million standard deviations from zero, and the sentence.

    >>> far_from_zero(1e9 + np.array([0.0, 1e-3, 2e-3]))[0]
    1000000000.001
    """
    scale = float(np.abs(y).max())
    if scale == 0.0:
        return 0.0, ()
    mean = float((y / scale).mean()) * scale
    sd = float((y / scale - (y / scale).mean()).std()) * scale
    if sd == 0.0 or not abs(mean) > FAR * sd:
        return 0.0, ()
    return mean, (f"The values lie so far from zero that their mean, {mean:.12g}, was subtracted for the fit.",)


def has_two_values(y: Floats) -> bool:
    """Whether values are answers of yes or no: one of two, again and again.

    >>> has_two_values(np.array([0.0, 1.0, 1.0, 0.0, 1.0])), has_two_values(np.array([0.0, 1.0]))
    (True, False)
    """
    return y.size > TWO and np.unique(y).size == 2


def remarks(y: Floats, column: str) -> tuple[str, ...]:
    """Sentences on constant values and on numbers that may stand for missing ones.

    >>> remarks(np.array([310.0, 311.0, -99.99, 312.0]), "co2")
    ("The value -99.99 stands in 1 row of column 'co2'; if it means a missing value, clear these cells.",)
    """
    unique, counts = np.unique(y, return_counts=True)
    if unique.size == 1:
        return (f"All values of column {column!r} are the same.",)
    scale = float(np.abs(unique).max())
    if float(unique[-1] / scale - unique[0] / scale) < INDISTINCT:
        return (f"The values of column {column!r} differ by less than rounding allows to tell.",)
    if has_two_values(y):
        low, high = (f"{value:g}" for value in unique)
        return (
            f"Column {column!r} has two values only, {low} and {high}, as answers of no and yes have. They are "
            f"modelled as numbers: a level between them says how often {high} comes, and ranges may go beyond both.",
        )
    for place, rest in ((0, unique[1:]), (-1, unique[:-1])):
        value = unique[place]
        if rest.size < 2 or not np.any(np.isclose(value, PLACEHOLDERS, rtol=1e-12, atol=0.0)):
            continue
        distance = min(abs(value - rest[0]), abs(value - rest[-1]))
        if distance > 2 * (rest[-1] - rest[0]):
            rows = counted(int(counts[place]), "row")
            clear = "if it means a missing value, clear these cells"
            return (f"The value {value:g} stands in {rows} of column {column!r}; {clear}.",)
    return ()


MOST_ROWS = 5000  # the covariance of more does not fit


def check_rows(rows: int) -> None:
    """Raise an `InputError` when there are more rows than one matrix can hold."""
    if rows > MOST_ROWS:
        remedy = "give a random sample of the rows (it keeps most of what they tell)"
        raise InputError.of(f"at most {MOST_ROWS} rows", f"{rows}", remedy)

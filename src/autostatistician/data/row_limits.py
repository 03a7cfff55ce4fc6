"""How many rows and columns are read and modelled at most, and the errors and warnings that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autostatistician.errors import InputError, TooLargeError
from autostatistician.i18n.messages import Number, message, note

__all__ = [
    "MEANS",
    "READ_LIMITS",
    "ROW_LIMITS",
    "ReadLimits",
    "RowLimits",
    "check_class_rows",
    "check_expansion",
    "check_length",
    "checked_rows",
    "minutes",
    "too_many_columns",
    "too_many_rows",
]


@dataclass(frozen=True)
class RowLimits:
    """How many rows can be modelled: ``rows`` of a series, more of ``tables`` of numbers, fewer of ``classes``.

    From ``long`` rows of a series, or ``slow`` ones of a table, on it is said how long a search takes.
    """

    slow: int = 1500
    long: int = 3000
    rows: int = 200_000
    tables: int = 1_000_000
    classes: int = 3000
    # More are not even read: it would take long, and hardly ever is the greater part of a table left out.
    read: int = 1_000_000


ROW_LIMITS = RowLimits()


@dataclass(frozen=True)
class ReadLimits:
    """How much of a file is read: megabytes unpacked, rows and columns."""

    megabytes: float = 200.0
    rows: int = ROW_LIMITS.read
    columns: int = 10_000


READ_LIMITS = ReadLimits()
MEANS = "--every day --by mean"
BY_CHANCE = message("draw {n} of the rows by chance (they keep most of what all of them tell)")
MOST_EXPANSION = 50  # times that a packed table may grow; tables of almost nothing but zeros reach 30
SMALL_BYTES = 20e6  # bytes that are read whatever they were packed in
MINUTES_OF_LONG, GROWTH = 2.0, 0.7  # of a search of `RowLimits.long` rows on two cores; power of further rows


def check_expansion(unpacked: int, packed: int) -> None:
    """Refuse what was packed to keep its reader busy.

    Raises
    ------
    InputError
        When it grows far more than tables do.

    Examples
    --------
    >>> check_expansion(100_000_000, 200_000)
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected a packed table; found one that grows to 500 times its size; unpack it \
    first, or give it as CSV
    """
    if unpacked > max(SMALL_BYTES, MOST_EXPANSION * packed):
        growth = note("one that grows to {n} times its size", n=Number(unpacked / packed, ".0f"))
        raise InputError.of(note("a packed table"), growth, note("unpack it first, or give it as CSV"))


def too_many_rows(size: str, most: int = ROW_LIMITS.read) -> TooLargeError:
    """The error for data that are refused before their cells are looked at, be they a series or a table.

    >>> str(too_many_rows("2000000"))[:52]
    'expected at most 1000000 rows; found 2000000; take m'
    """
    modelled = min(most, ROW_LIMITS.tables)
    remedy = note(
        "take means over longer steps of a series ({option}), or draw {n} rows of a table by chance",
        option=MEANS, n=modelled * 2 // 3,
    )  # fmt: skip
    return TooLargeError.of(note("at most {n} rows", n=modelled), size, remedy)


def too_many_columns(width: int, most: int) -> InputError:
    """The error for data that are refused before their cells are looked at.

    >>> str(too_many_columns(9000, 200))
    'expected at most 200 columns; found 9000; leave out those that are not needed'
    """
    return InputError.of(note("at most {n} columns", n=most), f"{width}", note("leave out those that are not needed"))


def check_length(data: Any) -> None:
    """Refuse a frame, series, array or list of more rows than are looked at, before that takes long."""
    shape = getattr(data, "shape", ()) or (len(data) if isinstance(data, list | tuple) else 0,)
    if shape[0] > ROW_LIMITS.read:
        raise too_many_rows(f"{shape[0]}")


def check_class_rows(n: int, limits: RowLimits = ROW_LIMITS) -> None:
    """Refuse more rows with classes than can be modelled."""
    if n > limits.classes:
        remedy = note(BY_CHANCE, n=limits.classes * 2 // 3)
        raise InputError.of(note("at most {n} rows with classes", n=limits.classes), f"{n}", remedy)


def checked_rows(n: int, limits: RowLimits = ROW_LIMITS) -> tuple[str, ...]:
    """How long many rows of a series will take; too many are refused.

    >>> checked_rows(10_000)
    ('With 10,000 rows a search takes some 5 minutes on two cores.',)
    """
    if n > limits.rows:
        remedy = note(
            "take means over longer steps (days, weeks, months), or only the last {n} rows", n=limits.rows // 2
        )
        raise InputError.of(note("at most {n} rows", n=limits.rows), f"{n}", remedy)
    if n >= limits.long:
        told = {"n": Number(n, ","), "minutes": Number(minutes(n), ".0f")}
        return (note("With {n} rows a search takes some {minutes} minutes on two cores.", **told),)
    return ()


def minutes(n: int) -> float:
    """About how long the search of a series of many rows takes on two cores.

    >>> [round(minutes(n)) for n in (3000, 10_000, 100_000)]
    [2, 5, 23]
    """
    return float(MINUTES_OF_LONG * (n / ROW_LIMITS.long) ** GROWTH)

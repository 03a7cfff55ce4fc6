"""How much is read of a file at most."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.data.files.sniff import MOST_COLUMNS
from autostatistician.data.row_limits import ROW_LIMITS
from autostatistician.errors import InputError

__all__ = ["READ_LIMITS", "ReadLimits", "check_expansion"]

MOST_EXPANSION = 50  # times that a packed table may grow; tables of almost nothing but zeros reach 30
SMALL_BYTES = 20e6  # bytes that are read whatever they were packed in


@dataclass(frozen=True)
class ReadLimits:
    """How much of a file is read: megabytes unpacked, rows and columns."""

    megabytes: float = 200.0
    rows: int = ROW_LIMITS.read
    columns: int = MOST_COLUMNS


READ_LIMITS = ReadLimits()


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
        found = f"one that grows to {unpacked / packed:.0f} times its size"
        raise InputError.of("a packed table", found, "unpack it first, or give it as CSV")

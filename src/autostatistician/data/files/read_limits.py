"""How much is read of a file at most."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.data.files.sniff import MOST_COLUMNS
from autostatistician.data.row_limits import ROW_LIMITS

__all__ = ["READ_LIMITS", "ReadLimits"]


@dataclass(frozen=True)
class ReadLimits:
    """How much of a file is read: megabytes unpacked, rows and columns."""

    megabytes: float = 200.0
    rows: int = ROW_LIMITS.read
    columns: int = MOST_COLUMNS


READ_LIMITS = ReadLimits()

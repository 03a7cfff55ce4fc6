"""How much is read of a file at most."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.data.checks import LIMITS as MODELLED
from autostatistician.data.files.sniff import COLUMNS

__all__ = ["LIMITS", "Limits"]


@dataclass(frozen=True)
class Limits:
    """How much is read at most."""

    megabytes: float = 200.0  # of the file, unpacked
    rows: int = MODELLED.read
    columns: int = COLUMNS


LIMITS = Limits()

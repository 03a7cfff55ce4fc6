"""What every fact carries."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["OF_WHOLE", "SHARE", "UNRECORDED", "Fact", "Span"]

Span = tuple[float, float]

SHARE = "share"  # the unit of numbers that are fractions of a whole

# Metadata of fields: what is a fraction of a whole is recorded in per cent, what only words need not at all.
OF_WHOLE = {"share": True}

UNRECORDED = {"recorded": False}


@dataclass(frozen=True, kw_only=True)
class Fact:
    """What may be said: ``number`` is its main value in ``unit``, ``interval`` the 95 % range where one is known.

    Units are "target" (of the modelled column), "axis" (model units of the axis), "target per axis", `SHARE`, "1" (a
    count or a ratio), or the name of a column; "log" before one says that the logarithm is modelled. ``evidence`` tells
    where the number comes from, ``probability`` is that of what more it says (a direction, a kind of change).
    """

    id: str
    number: float
    unit: str
    evidence: str
    interval: Span | None = None
    probability: float | None = None

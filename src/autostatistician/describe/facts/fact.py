"""What every fact carries, and how facts are recorded."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from math import isfinite
from typing import Any

__all__ = ["Span", "Stated", "fact_json", "stored"]

Span = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Stated:
    """What every fact on a series carries.

    ``number`` is its main value in ``unit`` ("target": units of the modelled column; "axis": model units of the
    axis; "target per axis"; "%"; "1": a count or a ratio), ``interval`` the 95 % range where one is known, and
    ``probability`` that of what the fact says besides (a direction, a kind of change), where that is in question.
    """

    id: str
    number: float
    unit: str
    evidence: str
    interval: Span | None = None
    probability: float | None = None


def fact_json(fact: Any) -> dict[str, object]:
    """A fact as plain JSON values; numbers that are not finite become None.

    >>> fact_json(Stated(id="model/signal", number=99.8, unit="%", evidence="posterior mean"))["number"]
    99.8
    """
    return {"fact": type(fact).__name__, **_plain_fields(fact)}


def _plain_fields(record: Any) -> dict[str, object]:
    return {field.name: _plain(getattr(record, field.name)) for field in fields(record)}


def _plain(value: object) -> object:
    if is_dataclass(value):
        return _plain_fields(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return stored(value)
    return value


def stored(value: float) -> float | None:
    """A number for a record: ten significant digits, which do not depend on the order in which a machine adds up.

    >>> stored(1.0000000000001), stored(float("nan"))
    (1.0, None)
    """
    return float(f"{value:.10g}") if isfinite(value) else None

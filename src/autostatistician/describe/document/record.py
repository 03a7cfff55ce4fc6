"""Facts and numbers as plain JSON values: shares in per cent, numbers with ten digits."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import Any

import numpy as np

from autostatistician.describe.axis.units import Units
from autostatistician.describe.claims.claim import Claim
from autostatistician.describe.claims.quantity import Measure
from autostatistician.describe.facts.classes import SurprisingRow
from autostatistician.describe.facts.effect import EffectCourse
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.facts.part import TrendCourse

__all__ = ["claim_json", "fact_json", "recorded_place", "stored"]

# Kinds that records know by shorter names than the code.
_RECORDED_AS: dict[type[Fact], str] = {EffectCourse: "Course", TrendCourse: "Course", SurprisingRow: "Surprise"}


def fact_json(fact: Fact) -> dict[str, object]:
    """A fact as plain JSON values; numbers that are not finite become None.

    >>> fact_json(Fact(id="model/signal", number=0.998, unit=SHARE, evidence="posterior mean"))["number"]
    99.8
    """
    shares = {"number", "interval"} if fact.unit == SHARE else set()
    plain = {"fact": _RECORDED_AS.get(type(fact), type(fact).__name__), **_plain_fields(fact, shares)}
    return {**plain, "unit": "%"} if shares else plain


def _plain_fields(record: Any, shares: frozenset[str] | set[str] = frozenset()) -> dict[str, object]:
    return {
        field.name: _plain(
            getattr(record, field.name), 100.0 if "share" in field.metadata or field.name in shares else 1.0
        )
        for field in fields(record)
        if field.metadata.get("recorded", True)
    }


def _plain(value: object, times: float = 1.0) -> object:
    match value:
        case Enum():
            return value.value
        case tuple():
            return [_plain(item, times) for item in value]
        case float():
            return stored(times * value)
    return _plain_fields(value) if is_dataclass(value) else value


def claim_json(claim: Claim) -> dict[str, object]:
    """A claim on rows and columns of a table as plain JSON values; numbers that are not finite become None."""
    of_whole = claim.number.measure is Measure.SHARE
    number, low, high = (
        stored(100.0 * value if of_whole else value) for value in (claim.number.value, *claim.number.interval)
    )
    return {
        "fact": claim.kind.value, "id": claim.id, "number": number, "unit": "%" if of_whole else "1",
        "interval": [low, high] if low != high else None, "probability": claim.probability, "form": claim.form,
        "columns": list(claim.columns), "at": list(claim.at),
        **{name: stored(quantity.value) for name, quantity in claim.more.items()},
        "parts": list(map(claim_json, claim.parts)),
    }  # fmt: skip


def stored(value: float) -> float | None:
    """A number for a record: ten significant digits, which do not depend on the order in which a machine adds up.

    >>> stored(1.0000000000001), stored(float("nan"))
    (1.0, None)
    """
    return float(f"{value:.10g}") if isfinite(value) else None


def recorded_place(position: float, units: Units) -> str | float | None:
    """A position as an ISO date, or as a number."""
    if not units.axis.is_calendar:
        return stored(position)
    return str(np.asarray(units.axis.times(np.array([position])), dtype="datetime64[s]")[0])

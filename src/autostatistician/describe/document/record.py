"""Facts and numbers as plain JSON values: shares in per cent, numbers with ten digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import Any

import numpy as np

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import KINDS, Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.describe.axis.lengths import rate
from autostatistician.describe.axis.units import Scale, Units
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.words.claims import Statement
from autostatistician.i18n.messages import ENGLISH, spoken_in

__all__ = ["fact_json", "recorded_place", "scaled_unit", "stored"]


def fact_json(fact: Fact | Claim | Statement, scale: Scale | None = None) -> dict[str, object]:
    """A fact, claim or statement as plain JSON values; numbers that are not finite become None.

    >>> fact_json(Fact(id="model/signal", number=0.998, unit=SHARE, evidence="posterior mean"))["number"]
    99.8
    """
    if isinstance(fact, Claim):
        return _claim_json(fact, scale)
    if isinstance(fact, Statement):
        chance = {"number": stored(100.0 * fact.probability), "unit": "%", "probability": stored(fact.probability)}
        return {"fact": "Statement", "text": fact.text, "in_best": fact.in_best, **chance}
    shares = {"number", "interval"} if fact.unit == SHARE else set()
    plain = {"fact": type(fact).__name__, **_plain_fields(fact, shares)}
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


def stored(value: float) -> float | None:
    """A number for a record: ten significant digits, which do not depend on the order in which a machine adds up.

    >>> stored(1.0000000000001), stored(float("nan"))
    (1.0, None)
    """
    return float(f"{value:.10g}") if isfinite(value) else None


def recorded_place(position: float, scale: Scale | None) -> str | float | None:
    """A position as an ISO date, or as a number."""
    if not (isinstance(scale, Units) and scale.axis.is_calendar):
        return stored(position)
    return str(np.asarray(scale.axis.times(np.array([position])), dtype="datetime64[s]")[0])


# --- Claims -----------------------------------------------------------------------------------------------------------

_UNITS = {
    Measure.LEVEL: "target", Measure.DIFFERENCE: "target", Measure.RATIO: "1", Measure.SHARE: "%", Measure.COUNT: "1",
    Measure.SPAN: "axis", Measure.PLACE: "axis", Measure.GROWTH: "share per axis", Measure.NUMBER: "1",
}  # fmt: skip
_PLACES = {
    Kind.RISE: ("from", "first_to", "last_from", "to"), Kind.RUN: ("from", "to"), Kind.MOVE: ("from", "to"),
    Kind.STILL: ("from", "to"),
    Kind.SLOPE: ("from",), Kind.STEP: ("", "at"), Kind.EVENT: ("", "at", "until"), Kind.PHASE: ("at",),
    Kind.BETWEEN: ("at", "cluster", "other"),
    Kind.COURSE: (), Kind.ADDS: (), Kind.LEVEL: (), Kind.TOGETHER: ("low", "high", "by_low", "by_high"),
}  # fmt: skip


def _claim_json(claim: Claim, scale: Scale | None) -> dict[str, object]:
    """A claim as plain JSON values: numbers in the units of the data, places as dates where there are such."""
    number, interval, unit = _of_quantity(claim.number, scale)
    record: dict[str, object] = {
        "id": claim.id, "kind": claim.kind.value, "fact": claim.kind.value, "number": number, "unit": unit,
        "interval": interval, "probability": None if claim.probability is None else stored(claim.probability),
        "told": claim.told, "standing": claim.standing.value, "marks": sorted(claim.marks), "form": str(claim.form),
        **_body(claim, scale),
    }  # fmt: skip
    if claim.witness is not None:
        number, interval, _ = _of_quantity(claim.witness.number, scale)
        record["witness"] = {
            "statistic": claim.witness.statistic, "number": number, "interval": interval, "agrees": claim.witness.agrees
        }  # fmt: skip
    elif claim.kind in KINDS:
        record["evidence"] = KINDS[claim.kind].statistic
    return record


def _body(claim: Claim, scale: Scale | None) -> dict[str, object]:
    """Of what and where it is so, with more numbers, and the claims that are parts of it."""
    names = _PLACES.get(claim.kind, ("at",) if len(claim.at) == 1 else ("from", "to"))
    body: dict[str, object] = {
        name: recorded_place(place, scale) for name, place in zip(names, claim.at, strict=False) if name
    }
    if claim.kind in (Kind.COURSE, Kind.LEVEL):  # at values of a column
        body["places"] = list(map(stored, claim.at))
    if claim.kind is Kind.ADDS and claim.at:
        body["places"] = [recorded_place(place, scale) for place in claim.at]
    body |= {"columns": list(claim.columns)} if claim.columns else {}
    body |= {name: list(columns) for name, columns in claim.others.items()} | dict(claim.named)
    for name, quantity in claim.more.items():
        number, interval, unit = _of_quantity(quantity, scale)
        body |= {name.replace(" ", "_"): number, f"{name}_unit".replace(" ", "_"): unit}
        body |= {f"{name}_interval".replace(" ", "_"): interval} if quantity.low < quantity.high else {}
    for name, places in (("tops", claim.tops), ("bottoms", claim.bottoms)):
        body |= {name: [recorded_place(place, scale) for place in places]} if claim.kind is Kind.SEASON else {}
    parts = [_part(part, scale) for part in claim.parts]
    return body | ({"parts": parts} if parts else {})


def _part(part: Claim, scale: Scale | None) -> dict[str, object]:
    known: dict[str, object] = {"form": part.form} if part.form else {}
    known |= {"marks": sorted(part.marks)} if part.marks else {}
    probability = {} if part.probability is None else {"probability": stored(part.probability)}
    number, interval, unit = _of_quantity(part.number, scale)
    return {
        "kind": part.kind.value, "number": number, "interval": interval, "unit": unit, **known, **probability,
        **_body(part, scale),
    }  # fmt: skip


def scaled_unit(scale: Scale) -> str:
    """What differences on the scale of a model are in."""
    return "latent" if scale.is_class else "log target" if scale.is_log else "target"


def _of_quantity(quantity: Quantity, scale: Scale | None) -> tuple[object, Sequence[object] | None, str]:
    """A number, the ends of its range and its unit; slopes per unit of time, for machines, so in English."""
    every, unit = np.array([quantity.value, *quantity.interval]), _UNITS.get(quantity.measure, "target")
    if quantity.measure is Measure.PLACE:
        places = [recorded_place(place, scale) for place in every.tolist()]
        return places[0], places[1:], unit
    if quantity.measure is Measure.SCALED and scale is not None:
        unit = scaled_unit(scale)
    if quantity.measure is Measure.SLOPE and isinstance(scale, Units):
        with spoken_in(ENGLISH):
            turn, per = rate(1.0, scale)
        every, unit = turn * every, f"target {per}"
    number, *ends = map(stored, (every * (100.0 if quantity.measure is Measure.SHARE else 1.0)).tolist())
    return number, ends if quantity.low < quantity.high else None, unit

"""What is kept of every series of a panel: plain values, one line of JSON each."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, Literal

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.i18n.messages import message_from_json, message_to_json

__all__ = ["DONE", "FAILED", "PanelForecast", "SeriesRecord", "claim_of"]

DONE: Literal["done"] = "done"
FAILED: Literal["failed"] = "failed"


@dataclass(frozen=True, slots=True)
class PanelForecast:
    """The forecast of a series: ``times`` as in the data, the mean, and for every level its lower and upper limit."""

    times: tuple[str, ...]
    mean: tuple[float, ...]
    levels: tuple[int, ...]  # in per cent, as 80 and 95
    low: tuple[tuple[float, ...], ...]  # a row for each level
    high: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class SeriesRecord:
    """What became of a series.

    Examples
    --------
    >>> record = SeriesRecord("north/1", ("north", "1"), FAILED, "too few rows", rows=2)
    >>> SeriesRecord.from_line(record.line()) == record
    True
    """

    name: str  # the ids with a slash between them; unique in its panel
    ids: tuple[str, ...]
    status: Literal["done", "failed"]
    reason: str = ""  # why it failed
    rows: int = 0
    first: str = ""  # time of the first row, as in the data
    last: str = ""
    step: str = ""  # "month"; "" where rows are irregular
    expression: str = ""
    logarithm: bool = False  # whether the model is one of the logarithm
    structures: tuple[tuple[str, float], ...] = ()  # expressions with their posterior weights, likeliest first
    score: float | None = None
    seconds: float = 0.0  # of processor
    notes: tuple[str, ...] = ()  # what was dropped, changed or guessed
    claims: tuple[Claim, ...] = ()
    times: tuple[str, ...] = ()  # of the values for a small picture, evenly thinned
    values: tuple[float, ...] = ()
    level: float | None = None  # at the last row, without scatter; with seasons the mean over the last one
    forecast: PanelForecast | None = None
    errors: tuple[float, ...] = ()  # each of the last rows less its forecast from those before it
    error_times: tuple[str, ...] = ()  # of these rows
    fingerprint: str = ""  # of the data and settings from which it was made

    def line(self) -> str:
        """The record as one line of JSON."""
        nested: dict[str, Any] = {
            "notes": tuple(map(message_to_json, self.notes)),
            "reason": message_to_json(self.reason),
        }
        nested["claims"] = tuple(map(_claim_json, self.claims))
        plain = {**_plain(self), **nested}
        return json.dumps(plain, ensure_ascii=False, allow_nan=False, default=_plain)

    @classmethod
    def from_line(cls, line: str) -> SeriesRecord:
        """The record of a line made by `line`; ValueError, TypeError or KeyError where it is none."""
        values: dict[str, Any] = json.loads(line)
        forecast, notes = values.pop("forecast"), tuple(map(message_from_json, values.pop("notes")))
        claims, reason = tuple(claim_of(**claim) for claim in values.pop("claims")), values.pop("reason", "")
        plain = {name: _tuples(value) for name, value in values.items()}
        ahead = (
            None if forecast is None else PanelForecast(**{name: _tuples(value) for name, value in forecast.items()})
        )
        return cls(**plain, reason=message_from_json(reason), notes=notes, claims=claims, forecast=ahead)


def _plain(value: Any) -> dict[str, Any]:
    """The fields of a record or of what is in one; many times as quick as copies of all that they hold."""
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _tuples(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return tuple(map(_tuples, value)) if value and isinstance(value[0], list) else tuple(value)


# Kinds as panels of version 0.1 have them.
_EARLIER = {"course": (Kind.RISE, ""), "turn": (Kind.RUN, ""), "recent": (Kind.STEP, "recent")}
_NUMBERS = {"share": Measure.SHARE, "part": Measure.SHARE, "period": Measure.SPAN}


def claim_of(
    kind: str,
    number: float,
    low: float,
    high: float,
    start: str = "",
    stop: str = "",
    share: float | None = None,
    period: float | None = None,
    name: str = "",
    part: float | None = None,
    top: str = "",
    bottom: str = "",
    form: str = "",
    measure: str = Measure.DIFFERENCE,
    shared: bool = False,
    id: str = "",
) -> Claim:
    """The claim of a line of a record: its number with the range, where it starts and stops, and more by name.

    >>> claim = claim_of("course", 2.0, 1.0, 3.0, "1960", "1970", share=0.5, name="rises")
    >>> claim.kind.value, claim.number.interval, claim.get("share"), claim.named["name"]
    ('rise', (1.0, 3.0), 0.5, 'rises')
    """
    known, form = _EARLIER.get(kind) or (Kind(kind), "shared" if shared else form)
    numbers = zip(_NUMBERS.items(), (share, part, period), strict=True)
    words = {"name": name, "top": top, "bottom": bottom}
    return Claim(
        id=id, kind=known, number=Quantity(number, low, high, Measure(measure)), form=form,
        more={key: Quantity.plain(value, known_as) for (key, known_as), value in numbers if value is not None},
        written=(start, stop), named={key: text for key, text in words.items() if text},
    )  # fmt: skip


def _claim_json(claim: Claim) -> dict[str, Any]:
    number = {"number": claim.number.value, "low": claim.number.low, "high": claim.number.high}
    places = {"start": claim.written[0], "stop": claim.written[1], "form": claim.form}
    places |= {"measure": claim.number.measure.value}
    more = {name: value for name in _NUMBERS if (value := claim.get(name)) is not None}
    return {"kind": claim.kind.value, "id": claim.id, **number, **places, **more, **claim.named}

"""What is kept of every series of a panel: plain values, one line of JSON each."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, Literal

from autostatistician.wording.messages import message_from_json, message_to_json

__all__ = ["DONE", "FAILED", "PanelClaim", "PanelForecast", "SeriesRecord"]

DONE: Literal["done"] = "done"
FAILED: Literal["failed"] = "failed"


@dataclass(frozen=True, slots=True)
class PanelClaim:
    """One claim about the function behind a series, with the numbers that it rests on.

    Parameters
    ----------
    kind : str
        "course" (from the first level to the last), "season", "step", "slope", "scatter", "outlier" or another
        (`panel.claims` says which there are, and what the numbers of each mean).
    number, low, high : float
        Its size with the range of 95 %, in the unit of the target.
    start, stop : str
        The dates (or numbers) that it is about, as in the data; the same twice for one date, "" for the whole.
    share : float, optional
        The same as a share of the level before it, where that says more.
    period : float, optional
        Of a season, in the natural unit of the axis (years for months and quarters).
    name : str, optional
        What a course does on the whole, what a season is called ("yearly"), per what a slope is ("per year").
    part : float, optional
        Share of the variation of the data that a season or the noise has.
    top, bottom : str, optional
        When a season is highest and lowest, in words ("in July"), where that is sure.
    """

    kind: str
    number: float
    low: float
    high: float
    start: str = ""
    stop: str = ""
    share: float | None = None
    period: float | None = None
    name: str = ""
    part: float | None = None
    top: str = ""
    bottom: str = ""
    shared: bool = False  # a season of the other series, which this one is too short to show alone


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
    claims: tuple[PanelClaim, ...] = ()
    times: tuple[str, ...] = ()  # of the values for a small picture, evenly thinned
    values: tuple[float, ...] = ()
    level: float | None = None  # at the last row, without scatter; with seasons the mean over the last one
    forecast: PanelForecast | None = None
    errors: tuple[float, ...] = ()  # each of the last rows less its forecast from those before it
    error_times: tuple[str, ...] = ()  # of these rows
    fingerprint: str = ""  # of the data and settings from which it was made

    def line(self) -> str:
        """The record as one line of JSON."""
        told = {"notes": tuple(map(message_to_json, self.notes)), "reason": message_to_json(self.reason)}
        plain = {**_plain(self), **told}
        return json.dumps(plain, ensure_ascii=False, allow_nan=False, default=_plain)

    @classmethod
    def from_line(cls, line: str) -> SeriesRecord:
        """The record of a line made by `line`; ValueError, TypeError or KeyError where it is none."""
        values: dict[str, Any] = json.loads(line)
        forecast, notes = values.pop("forecast"), tuple(map(message_from_json, values.pop("notes")))
        claims, reason = tuple(PanelClaim(**claim) for claim in values.pop("claims")), values.pop("reason", "")
        plain = {name: _tuples(value) for name, value in values.items()}
        told = None if forecast is None else PanelForecast(**{name: _tuples(value) for name, value in forecast.items()})
        return cls(**plain, reason=message_from_json(reason), notes=notes, claims=claims, forecast=told)


def _plain(value: Any) -> dict[str, Any]:
    """The fields of a record or of what is in one; many times as quick as copies of all that they hold."""
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _tuples(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return tuple(map(_tuples, value)) if value and isinstance(value[0], list) else tuple(value)

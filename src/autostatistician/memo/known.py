"""What a model claims, in the terms in which texts say it: directions, stretches, and numbers by what they are of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from typing import Any

import numpy as np

from autostatistician.forms import BAND_SDS
from autostatistician.memo.reading import DAYS, MONTHS

__all__ = ["Known", "Range", "change_of", "forecast_known", "known_of"]

Record = Mapping[str, Any]
Range = tuple[float, float]  # ends of what a number may be

DAYS_OF = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.44, "quarter": 91.31, "year": 365.25}
ABOUT = 0.25  # part of a period by which one of the calendar may differ from it


@dataclass(frozen=True)
class Known:
    """One claim: its ``topic``, its direction, where it is so, and ranges of its numbers by unit and word before them.

    Units are "" (those of the target), "%", "times", "per day" and "% per day"; the word "" stands for all that may
    come without one.
    """

    topic: str
    id: str
    way: int = 0
    columns: tuple[str, ...] = ()
    start: Any = None
    stop: Any = None
    numbers: Mapping[str, tuple[Range, ...]] = field(default_factory=dict)
    highs: frozenset[str] = field(default_factory=frozenset)
    lows: frozenset[str] = field(default_factory=frozenset)
    period: str = ""
    phases: Mapping[str, Range] = field(default_factory=dict)  # of a season: in per cent, or in units of the target
    levels: Mapping[str, float] = field(default_factory=dict)
    is_so: bool = True
    slack: Any = None  # by how much its places may be off


def known_of(facts: Iterable[Record], axis_days: float) -> list[Known]:
    """The claims among facts of answers; ``axis_days`` is how many days a unit of the axis has, 0 without dates."""
    made: dict[str, Known] = {}
    for fact in facts:
        how = _KINDS.get(str(fact.get("kind", "")))
        is_said = fact.get("told") or fact.get("form") == "next to nothing"
        if how is not None and is_said and fact["id"] not in made:
            made[fact["id"]] = how(fact, axis_days)
    return list(made.values())


def forecast_known(rows: Sequence[Record]) -> list[Known]:
    """The rows of a forecast."""
    made = []
    for row in rows:
        ends = {name: (float(row[name]), float(row[name])) for name in ("mean", "lower", "upper")}
        numbers = {"": tuple(ends.values()), "between": (ends["lower"],), "from": (ends["lower"],)}
        made.append(Known("forecast", f"forecast/{row['time']}", start=_place(row["time"]), numbers=numbers))
    return made


def _place(text: Any) -> Any:
    return np.datetime64(text, "s").astype("M8[D]") if isinstance(text, str) else text


def _of(fact: Record, name: str, by: Any = lambda value: value) -> tuple[Range, ...]:
    """The range of one number of a fact, its size ``by`` a function; none where it has no such number."""
    value = fact.get(name)
    if value is None:
        return ()
    ends = fact.get("interval" if name == "number" else f"{name}_interval") or (value, value)
    low, high = (by(float(value if end is None else end)) for end in ends)
    return ((min(low, high), max(low, high)),)


def _sign(value: float) -> int:
    return int(np.sign(value))


def change_of(first: float, last: float) -> dict[str, tuple[Range, ...]]:
    """From one value to another in per cent, and how many times as large it is; nothing where one is not above zero.

    >>> change_of(2.0, 3.0), change_of(-1.0, 3.0)
    ({'%': ((50.0, 50.0),), 'times': ((1.5, 1.5),)}, {})
    """
    if not (first > 0.0 and last > 0.0):
        return {}
    return {"%": ((100.0 * abs(last / first - 1.0),) * 2,), "times": ((last / first,) * 2,)}


def _course(fact: Record, days: float) -> Known:
    first, last, change = fact.get("first"), fact.get("last"), float(fact["number"])
    numbers: dict[str, tuple[Range, ...]] = {"by": _of(fact, "number", abs)}
    numbers["from"] = _of(fact, "first")
    numbers["to"] = _of(fact, "last") + _of(fact, "low") + _of(fact, "high")
    numbers["between"] = numbers["at"] = numbers["from"] + numbers["to"]
    if first is not None and last is not None:
        numbers |= change_of(first, last)
    for name in ("pace", "speed"):
        numbers.update(_paced(fact, name, days))
    return Known(
        "course", str(fact["id"]), _sign(change), start=_place(fact.get("from")), stop=_place(fact.get("to")),
        numbers=numbers, slack=_slack(fact),
    )  # fmt: skip


def _slope(fact: Record, days: float) -> Known:
    return Known(
        "lately", str(fact["id"]), _sign(fact["number"]), start=_place(fact.get("from")),
        numbers=_paced(fact, "number", days, unit="unit"),
    )  # fmt: skip


def _paced(fact: Record, name: str, days: float, unit: str = "") -> dict[str, tuple[Range, ...]]:
    """What a slope or a growth is per day."""
    told = str(fact.get(unit or f"{name}_unit", ""))
    if told == "share per axis":
        return {"% per day": _of(fact, name, lambda value: 100.0 * abs(value) / days)} if days else {}
    per = DAYS_OF.get(told.removeprefix("target per "))
    return {"per day": _of(fact, name, lambda value: abs(value) / per)} if per else {}


def _slack(fact: Record) -> Any:
    ends = fact.get("begins_interval")
    return None if ends is None or not isinstance(ends[0], str) else (_place(ends[1]) - _place(ends[0])) / 2


def _step(fact: Record, days: float) -> Known:
    percent = () if "ratio" not in fact else ((100.0 * abs(fact["ratio"] - 1.0),) * 2,)
    numbers = {"by": _of(fact, "number", abs), "from": _of(fact, "before"), "to": _of(fact, "after")}
    numbers["between"] = numbers["at"] = numbers["from"] + numbers["to"]
    numbers |= {"%": percent, "times": _of(fact, "ratio")}
    place, stop = _place(fact.get("at", fact.get("from"))), _place(fact.get("until"))
    return Known("step", str(fact["id"]), _sign(fact["number"]), start=place, stop=stop, numbers=numbers)


def _outlier(fact: Record, days: float) -> Known:
    numbers = {"by": _of(fact, "number", abs), "": _of(fact, "value") + _of(fact, "expected")}
    numbers |= {"than": _of(fact, "expected"), "of": numbers[""], "at": numbers[""], "to": _of(fact, "value")}
    return Known("outlier", str(fact["id"]), _sign(fact["number"]), start=_place(fact.get("at")), numbers=numbers)


def _noise(fact: Record, days: float) -> Known:
    sizes = _of(fact, "number") + _of(fact, "held") + _of(fact, "number", lambda sd: BAND_SDS * sd)
    return Known("noise", str(fact["id"]), numbers={"": sizes})


def _season(fact: Record, days: float) -> Known:
    ratio = fact.get("swing_unit") == "1"
    numbers = {"%": _of(fact, "number")}
    for swing in ("swing", "early", "late"):
        if ratio:
            numbers["%"] += _of(fact, swing, lambda size: 100.0 * (size - 1.0))
            numbers["times"] = numbers.get("times", ()) + _of(fact, swing)
        else:
            numbers["by"] = numbers.get("by", ()) + _of(fact, swing)
    period = float(fact["period"]) * days
    name = next((unit for unit, size in DAYS_OF.items() if abs(period - size) < ABOUT * size), "") if days else ""
    highs, lows = (
        frozenset(_named(place, name) for place in (*(fact.get(each) or ()), fact.get(one)) if isinstance(place, str))
        for each, one in (("tops", "high"), ("bottoms", "low"))
    )
    return Known(
        "season", str(fact["id"]), numbers=numbers, highs=highs - {""}, lows=lows - {""}, period=name,
        phases=_phases(fact, name, is_ratio=ratio),
    )  # fmt: skip


def _phases(fact: Record, period: str, *, is_ratio: bool) -> dict[str, Range]:
    """By how much each month or day of the week lies above the usual."""
    made = {}
    for part in fact.get("parts") or ():
        if isinstance(part.get("at"), str) and (phase := _named(part["at"], period)):
            made[phase] = _of(part, "number", (lambda ratio: 100.0 * (ratio - 1.0)) if is_ratio else float)[0]
    return made


def _named(place: str, period: str) -> str:
    """The month or day of the week that a place of a season is."""
    day = np.datetime64(place, "s").astype("M8[D]")
    if period == "year":
        return MONTHS[int(day.astype("M8[M]").astype(int)) % 12]
    return DAYS[(int(day.astype(int)) + 3) % 7] if period == "week" else ""


def _effect(fact: Record, days: float) -> Known:
    """What a column of a table does: along it, or from category to category."""
    parts = list(fact.get("parts") or ())
    runs = tuple((abs(part["number"]),) * 2 for part in parts if part["kind"] == "run")
    numbers = {"by": _of(fact, "number", abs) + _of(fact, "change", abs) + runs}
    places = tuple((float(fact[name]),) * 2 for name in ("low", "high", "lowest", "highest") if name in fact)
    turns = tuple(tuple(part.get("interval") or (part["number"],) * 2) for part in parts if part["kind"] == "turn")
    levels = {}
    if fact.get("levels"):
        told = [part for part in parts if part["kind"] == "level"]
        levels = {fact["levels"][int(part["places"][0])]: float(part["number"]) for part in told}
    else:
        numbers |= dict.fromkeys(("from", "to", "at", "until", "between", "and", "of"), places + turns)
    if fact.get("form") == "straight" and fact["high"] > fact["low"]:
        numbers["each"] = _of(fact, "change", lambda change: abs(change) / (fact["high"] - fact["low"]))
    one_way = fact.get("form") != "turning" and not levels
    return Known(
        "effect", str(fact["id"]), _sign(fact.get("change") or 0.0) if one_way else 0, tuple(fact["columns"]),
        numbers=numbers, levels=levels,
    )  # fmt: skip


def _adds(fact: Record, days: float) -> Known:
    if fact.get("unit") == "log target":
        numbers = {"%": _of(fact, "number", lambda value: 100.0 * abs(exp(value) - 1.0))}
    else:
        numbers = {"by": _of(fact, "number", abs)}
    return Known("effect", str(fact["id"]), _sign(fact["number"]), tuple(fact["columns"]), numbers=numbers)


def _matters(fact: Record, days: float) -> Known:
    is_so = fact.get("form") in ("matters", "either")
    return Known(
        "matters", str(fact["id"]), columns=tuple(fact["columns"]), numbers={"%": _of(fact, "number")}, is_so=is_so
    )


def _explained(fact: Record, days: float) -> Known:
    numbers = {"%": _of(fact, "number") + _of(fact, "left_out"), "": _of(fact, "error") + _of(fact, "rmse")}
    numbers["by"] = numbers[""] + _of(fact, "error_of_mean")
    return Known("explained", str(fact["id"]), numbers=numbers)


_KINDS = {
    "rise": _course, "run": _course, "slope": _slope, "step": _step, "event": _step, "outlier": _outlier,
    "ending": _outlier, "noise": _noise, "season": _season, "course": _effect, "adds": _adds, "matters": _matters,
    "explained": _explained,
}  # fmt: skip

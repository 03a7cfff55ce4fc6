"""Compare what a report tells (its JSON record) with what is true of made data.

Data, truths and claims are plain records; nothing here knows of kernels. Positions are decimal years.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Claim", "Made", "Truth", "claims_of", "counts", "judged", "tells"]

NEAR = 0.25  # relative error up to which a number without a range that holds the truth is right
RATIO = 1.5  # factor up to which ratios of scatter are the same
PERIOD = 0.03  # relative error of a period
DENIED = 0.1  # probability up to which a report denies
Range = tuple[float, float]


@dataclass(frozen=True)
class Truth:
    """A fact that is true of the data.

    ``number`` and ``at`` are of the kind (see ``claims_of``); ``slack``: how far off a date may be; ``small`` is
    what nobody would call a difference, in units of the number; ``prominent``: a report is to tell it.
    """

    kind: str
    number: float
    at: float | None = None
    slack: float = 0.0
    small: float = 0.0
    prominent: bool = True


@dataclass(frozen=True)
class Claim:
    """What a report tells; ``denied``: that there is nothing of the kind."""

    kind: str
    number: float | None
    interval: Range | None = None
    at: float | None = None
    denied: bool = False


@dataclass(frozen=True)
class Made:
    """Columns of a table and all facts that are true of it; a step, season or event that is not listed is none."""

    columns: dict[str, list[Any]]
    truths: tuple[Truth, ...]


# What is told ----------------------------------------------------------------------------------------------


def claims_of(record: dict[str, Any]) -> list[Claim]:
    """The claims of a record: of its entries "function" that are told, or of its facts where it has none.

    The number of a season is its period (axis units are years), of a scatter the ratio of last to first.
    """
    told = record.get("function")
    return [*_of_facts(record)] if told is None else [_of_entry(entry) for entry in told if entry["told"]]


def _of_entry(entry: dict[str, Any]) -> Claim:
    seasonal = entry["kind"] == "season"
    number = entry.get("period") if seasonal else entry.get("number")
    interval = None if seasonal else entry.get("interval")
    return Claim(entry["kind"], number, interval, _position(entry.get("at", entry.get("from"))))


def _of_facts(record: dict[str, Any]) -> Iterator[Claim]:
    for fact in record["facts"]:
        number, interval = fact["number"], fact["interval"]
        match fact["fact"]:
            case "LinearTrend":
                yield Claim("slope", number, interval)
            case "Periodicity":
                yield Claim("season", number)
            case "ChangeSteepness":
                yield Claim("step", None, None, fact["location"])
            case "NoiseLevel" if fact["first"] and fact["last"]:
                yield Claim("scatter", fact["last"] / fact["first"])
            case "StandingOut":
                yield Claim("event", number - fact["expected"], None, fact["position"])
    for statement in record["statements"]:
        if statement["text"] == "A trend" and statement["probability"] <= DENIED:
            yield Claim("rise", 0.0, denied=True)


def _position(value: Any) -> float | None:
    if not isinstance(value, str):
        return value
    date = datetime.date.fromisoformat(value[:10])
    return date.year + (date.month - 1 + (date.day - 1) / 31.0) / 12.0


# Whether it is true ----------------------------------------------------------------------------------------


def judged(claim: Claim, truths: Sequence[Truth]) -> bool | None:
    """Whether a claim is true; None where it lacks what a comparison needs.

    Examples
    --------
    >>> truths = [Truth("step", 20.0, at=2018.0, slack=0.1)]
    >>> [judged(Claim("step", 21.0, at=at), truths) for at in (2018.0, 2019.0, None)]
    [True, False, None]
    """
    same = [truth for truth in truths if truth.kind == claim.kind]
    if claim.denied:
        return not any(truth.prominent for truth in same)
    if claim.kind not in HOLDS or _lacks(claim):
        return None
    if claim.kind in MEASURED and not same:
        return None  # the maker of the data did not say it
    return any(HOLDS[claim.kind](claim, truth) for truth in same)


def tells(claim: Claim, truth: Truth) -> bool:
    """Whether a claim tells a truth."""
    return claim.kind == truth.kind and not claim.denied and bool(judged(claim, [truth]))


def counts(claims: Sequence[Claim], truths: Sequence[Truth], kind: str) -> dict[str, int]:
    """Of one kind: claims told, true, false and not judgeable; prominent truths and those told; ranges that hold."""
    verdicts = [judged(claim, truths) for claim in claims if claim.kind == kind]
    prominent = [truth for truth in truths if truth.kind == kind and truth.prominent]
    measured = {truth.number for truth in truths if truth.kind == kind}
    ranges = [claim.interval for claim in claims if claim.kind == kind and claim.interval and len(measured) == 1]
    return {
        "claims": len(verdicts),
        "true": verdicts.count(True),
        "false": verdicts.count(False),
        "unjudged": verdicts.count(None),
        "truths": len(prominent),
        "told": sum(any(tells(claim, truth) for claim in claims) for truth in prominent),
        "ranges": len(ranges),
        "hold": sum(low <= number <= high for low, high in ranges for number in measured),
    }


def _lacks(claim: Claim) -> bool:
    return claim.at is None if claim.kind in DATED else claim.number is None


def _number_holds(claim: Claim, truth: Truth) -> bool:
    if claim.number is None or (claim.interval and claim.interval[0] <= truth.number <= claim.interval[1]):
        return True
    return abs(claim.number - truth.number) <= max(NEAR * abs(truth.number), truth.small)


def _dated(claim: Claim, truth: Truth) -> bool:
    near = claim.at is not None and truth.at is not None and abs(claim.at - truth.at) <= truth.slack
    return near and _number_holds(claim, truth)


def _period_holds(claim: Claim, truth: Truth) -> bool:
    return claim.number is not None and abs(claim.number - truth.number) <= PERIOD * truth.number


def _ratio_holds(claim: Claim, truth: Truth) -> bool:
    return claim.number is not None and truth.number / RATIO <= claim.number <= truth.number * RATIO


DATED = ("step", "event")
MEASURED = ("rise", "slope", "scatter")
HOLDS = {
    "rise": _number_holds,
    "slope": _number_holds,
    "scatter": _ratio_holds,
    "season": _period_holds,
    "step": _dated,
    "event": _dated,
}

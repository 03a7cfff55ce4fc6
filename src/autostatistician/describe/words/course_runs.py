"""The rises and falls of a course in words: one after the other, with the stretches in which they stand still."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.function import Rise, RunOfCourse, Still
from autostatistician.describe.words.amounts import gap, values
from autostatistician.wording.names import quoted

__all__ = ["LONG_STILL", "about_when", "by_amounts", "hardly", "one_by_one", "sure_tail", "way_told"]

MOST_STRETCHES = 5  # told one by one
AT_END = 0.05  # of the length of a run: so near to its end it is that
STILL, AGAINST = 0.1, -0.1  # shares of a run that happen where it stands still: less is nothing, or goes against it
_VERBS = {True: "rose", False: "fell"}
STAYS = "has "
LONG_STILL = 0.27  # of a course of one way: so long a standstill is told as a stretch of its own


def about_when(run: RunOfCourse, units: Units) -> str:
    """About when a run begins."""
    low, high = (stamp(end, units) for end in run.start_interval)
    name = stamp(run.start, units)
    return _named(name, units) if low == high == name else f"about {_named(name, units)}"


def _named(name: str, units: Units) -> str:
    return name if units.axis.is_calendar else f"{quoted(units.axis.column)} = {name}"


def sure_tail(runs: Sequence[RunOfCourse]) -> list[RunOfCourse]:
    """The runs up to the end that are all told."""
    first = max((index for index, run in enumerate(runs, 1) if not run.told), default=0)
    return list(runs[first:])


def one_by_one(runs: Sequence[RunOfCourse], units: Units) -> str:
    """The levels where it turned, and where it stood still, one after the other."""
    stills = {run.place for run in sorted(runs, key=lambda run: -abs(run.number)) if run.still is not None}
    while stills and sum(len(_knots(run, run.place in stills)) - 1 for run in runs) > MOST_STRETCHES:
        stills.remove(min((run for run in runs if run.place in stills), key=lambda run: abs(run.number)).place)
    clauses: list[str] = []
    for index, run in enumerate(runs):
        until = about_when(runs[index + 1], units) if index + 1 < len(runs) else ""
        place = f" ({about_when(run, units)})" if run.place > 1 else ""
        clauses += _clauses(run, until, None if index else place, run.place in stills, units)
    lasts = len(clauses) > 1 and clauses[-1].startswith(STAYS)
    return ", and ".join([", then ".join(clauses[:-1]), clauses[-1]]) if lasts else ", then ".join(clauses)


def way_told(rise: Rise, units: Units) -> str:
    """A course of one way with its standstill."""
    run = RunOfCourse(
        id=rise.id, number=rise.number, unit=rise.unit, interval=None, evidence="", probability=None, told=True,
        start=rise.start, stop=rise.stop, first=rise.first, last=rise.last, start_interval=(rise.start, rise.start),
        place=1, of=1, still=rise.still,
    )  # fmt: skip
    return one_by_one([run], units)


def hardly(still: Still | None, units: Units) -> str:
    """That a rise or fall hardly went on for a while; "" of one that did not stand still."""
    if still is None:
        return ""
    first, last = (_named(stamp(end, units), units) for end in (still.start, still.stop))
    return f", but hardly from {first} to {last}"


def _knots(run: RunOfCourse, stands: bool) -> list[tuple[float, float]]:
    """The places where a run changes its pace, with the levels there."""
    ends = [(run.start, run.first), (run.stop, run.last)]
    if run.still is None or not stands:
        return ends
    near = AT_END * (run.stop - run.start)
    inner = [(run.still.start, run.still.first), (run.still.stop, run.still.last)]
    kept = [knot for knot in inner if run.start + near < knot[0] < run.stop - near]
    return [ends[0], *kept, ends[1]]


def _clauses(run: RunOfCourse, until: str, start: str | None, stands: bool, units: Units) -> list[str]:
    """What a run does, piece by piece; ``start`` is what stands behind its first level, None where that was told."""
    knots, clauses = _knots(run, stands), []
    for index, ((place, first), (stop, last)) in enumerate(pairwise(knots)):
        final = index + 2 == len(knots)
        end = until if final else f"about {_named(stamp(stop, units), units)}"
        here, there = values(first, last, units, 2)
        begins = f" from about {here}{start}" if index == 0 and start is not None else ""
        still = run.still if stands and run.still is not None and run.still.start < 0.5 * (place + stop) else None
        if still is None or still.stop < 0.5 * (place + stop):
            clause = f"{_VERBS[run.number > 0.0]}{begins} to {there}"
        else:
            clause = _still(run, (last - first) / run.number, begins, there, units)
            if final and not until and clause.startswith("stayed"):
                clause = f"{STAYS}{clause} since"
        clauses.append(f"{clause} until {end}" if end else clause)
    return clauses


def _still(run: RunOfCourse, share: float, begins: str, there: str, units: Units) -> str:
    """What a course did where so large a share of a rise or fall happened: next to nothing, or less."""
    if share > STILL:
        return f"{_VERBS[run.number > 0.0]}{begins} only to {there}"
    if share < AGAINST:
        return f"{_VERBS[run.number < 0.0]}{begins} to {there}"
    return f"stayed near {values(run.first, run.last, units, 2)[0] if begins else 'there'}"


def by_amounts(runs: Sequence[RunOfCourse], units: Units) -> str:
    """The runs beside a sudden change: levels without it were never there."""
    steps = []
    for run in runs:
        until = f" until {about_when(runs[run.place], units)}" if run.place < len(runs) else ""
        steps.append(f"{_VERBS[run.number > 0.0]} by {gap(abs(run.last - run.first), units, 2)}{until}")
    return ", then ".join(steps)

"""The rises and falls of a course in words: one after the other, with the stretches in which they stand still."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from autostatistician.describe.axis.places import (
    about_place,
    from_place_to,
    stamp,
    until_about,
    until_place,
)
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.function import Rise, RunOfCourse, Still
from autostatistician.describe.words.amounts import gap, values
from autostatistician.describe.words.ranges import named_place
from autostatistician.wording.messages import message, say, say_as

__all__ = ["LONG_STILL", "about_when", "by_amounts", "hardly", "one_by_one", "sure_tail", "way_told"]

MOST_STRETCHES = 5  # told one by one
AT_END = 0.05  # of the length of a run: so near to its end it is that
STILL, AGAINST = 0.1, -0.1  # shares of a run that happen where it stands still: less is nothing, or goes against it
LONG_STILL = 0.27  # of a course of one way: so long a standstill is told as a stretch of its own
# By whether it rose, and by how it moved: all the way, or only a little.
_MOVED = {
    (True, False): message("rose to {there}"), (False, False): message("fell to {there}"),
    (True, True): message("rose only to {there}"), (False, True): message("fell only to {there}"),
}  # fmt: skip
_MOVED_FROM = {
    (True, False): message("rose from about {here} to {there}"),
    (False, False): message("fell from about {here} to {there}"),
    (True, True): message("rose from about {here} only to {there}"),
    (False, True): message("fell from about {here} only to {there}"),
}


def about_when(run: RunOfCourse, units: Units) -> str:
    """About when a run begins."""
    name = _named(run.start, units)
    return name if _is_sharp(run, units) else about_place(name)


def _until_when(run: RunOfCourse, units: Units) -> str:
    """Until about when goes what is before a run."""
    name = _named(run.start, units)
    return until_place(name) if _is_sharp(run, units) else until_about(name)


def _is_sharp(run: RunOfCourse, units: Units) -> bool:
    """Whether a run surely begins where it is told to."""
    low, high = (stamp(end, units) for end in run.start_interval)
    return low == high == stamp(run.start, units)


def _named(position: float, units: Units) -> str:
    return named_place(stamp(position, units), units)


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
        until = _until_when(runs[index + 1], units) if index + 1 < len(runs) else ""
        clauses += _clauses(run, until, index == 0, run.place in stills, units)
    return _one_after_the_other(clauses, lasts=_lasts(runs[-1], runs[-1].place in stills))


def _one_after_the_other(clauses: Sequence[str], *, lasts: bool = False) -> str:
    """Clauses in time, of which the last may tell what is so since."""
    text = clauses[0]
    for clause in clauses[1:-1]:
        text = say("{before}, then {clause}", before=text, clause=clause)
    if len(clauses) == 1:
        return text
    if lasts:
        return say("{before}, and {clause}", before=text, clause=clauses[-1])
    return say_as("last", "{before}, then {clause}", before=text, clause=clauses[-1])


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
    stretch = from_place_to(_named(still.start, units), _named(still.stop, units))
    return say(", but hardly {stretch}", stretch=stretch)


def _knots(run: RunOfCourse, stands: bool) -> list[tuple[float, float]]:
    """The places where a run changes its pace, with the levels there."""
    ends = [(run.start, run.first), (run.stop, run.last)]
    if run.still is None or not stands:
        return ends
    near = AT_END * (run.stop - run.start)
    inner = [(run.still.start, run.still.first), (run.still.stop, run.still.last)]
    kept = [knot for knot in inner if run.start + near < knot[0] < run.stop - near]
    return [ends[0], *kept, ends[1]]


def _clauses(run: RunOfCourse, until: str, is_first: bool, stands: bool, units: Units) -> list[str]:
    """What a run does, piece by piece, ``until`` when the next begins; the first of all tells where it begins."""
    knots, clauses = _knots(run, stands), []
    for index, ((_, first), (stop, last)) in enumerate(pairwise(knots)):
        here, there = values(first, last, units, 2)
        here = _with_date(here, run, units) if is_first and index == 0 else ""
        end = until if index + 2 == len(knots) else until_about(_named(stop, units))
        if _is_still(run, knots[index], knots[index + 1], stands):
            share = (last - first) / run.number
            if not end and AGAINST <= share <= STILL:
                clauses.append(_stays(run, here, units))
                continue
            clause = _still(run, share, here, there, units)
        else:
            clause = _moved(run.number > 0.0, here, there)
        clauses.append(f"{clause} {end}" if end else clause)
    return clauses


def _with_date(level: str, run: RunOfCourse, units: Units) -> str:
    """The level at which the runs that are told begin, and when that was where there were others before."""
    return say("{level} ({when})", level=level, when=about_when(run, units)) if run.place > 1 else level


def _is_still(run: RunOfCourse, knot: tuple[float, float], following: tuple[float, float], stands: bool) -> bool:
    """Whether a run stands still between two of its knots."""
    middle = 0.5 * (knot[0] + following[0])
    return stands and run.still is not None and run.still.start < middle <= run.still.stop


def _moved(rises: bool, here: str, there: str, *, only: bool = False) -> str:
    table = _MOVED_FROM if here else _MOVED
    return say(table[rises, only], here=here, there=there)


def _still(run: RunOfCourse, share: float, here: str, there: str, units: Units) -> str:
    """What a course did where so large a share of a rise or fall happened: next to nothing, or less."""
    if share > STILL:
        return _moved(run.number > 0.0, here, there, only=True)
    if share < AGAINST:
        return _moved(run.number < 0.0, here, there)
    if here:
        return say("stayed near {level}", level=values(run.first, run.last, units, 2)[0])
    return say("stayed near there")


def _stays(run: RunOfCourse, here: str, units: Units) -> str:
    """That a course stands still to the end of the data."""
    if here:
        return say("has stayed near {level} since", level=values(run.first, run.last, units, 2)[0])
    return say("has stayed near there since")


def _lasts(run: RunOfCourse, stands: bool) -> bool:
    """Whether the last run ends in a standstill."""
    (before, first), (end, last) = _knots(run, stands)[-2:]
    share = (last - first) / run.number if run.number else 0.0
    return _is_still(run, (before, first), (end, last), stands) and AGAINST <= share <= STILL


def by_amounts(runs: Sequence[RunOfCourse], units: Units) -> str:
    """The runs beside a sudden change: levels without it were never there."""
    steps = []
    for run in runs:
        by = gap(abs(run.last - run.first), units, 2)
        step = say("rose by {size}", size=by) if run.number > 0.0 else say("fell by {size}", size=by)
        steps.append(f"{step} {_until_when(runs[run.place], units)}" if run.place < len(runs) else step)
    return _one_after_the_other(steps)

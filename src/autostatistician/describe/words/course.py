"""Where the function behind a series went as a whole, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from autostatistician.describe.axis.places import (
    about_place,
    from_place_to,
    place,
    rows_around,
    stamp,
    told_span,
    until_about,
    until_place,
)
from autostatistician.describe.axis.units import Units
from autostatistician.describe.claims.claim import Claim, first, told
from autostatistician.describe.claims.kinds import LIMITS, Form, Kind, Standing
from autostatistician.describe.facts.covariates import CovariateFindings
from autostatistician.describe.facts.fact import Fact, WeighedClaim
from autostatistician.describe.facts.judgement import LEANING
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.facts.part import ConstantLevel, NoiseLevel
from autostatistician.describe.words.amounts import levels, signed_text, size_text, values
from autostatistician.describe.words.ranges import named_place
from autostatistician.describe.words.seasons import season_text
from autostatistician.wording.messages import message, say, say_as
from autostatistician.wording.names import in_turn
from autostatistician.wording.numbers import count, joined, percent

__all__ = ["course_text", "hardly", "observed_text", "one_by_one", "step_text", "walk_text"]

_BENDS = {
    "faster": message("faster and faster"), "slower": message("more and more slowly"),
    "between": message("slowly at first, then faster, and slowly again of late"),
}  # fmt: skip
# By whether it goes upwards.
_ROSE_TO = {True: message("rose to {there}"), False: message("fell to {there}")}
_ROSE_FROM = {
    True: message("rose from about {here} to {there}"), False: message("fell from about {here} to {there}")
}  # fmt: skip
_ROSE_BY = {True: message("rose by {size}"), False: message("fell by {size}")}
_ROSE = {True: message("{it} rose {how}"), False: message("{it} fell {how}")}
_WENT = {
    True: message("{it} rose from about {first} to {last}"), False: message("{it} fell from about {first} to {last}")
}  # fmt: skip
_PROBABLY = {
    True: message("{it} probably rose, from about {first} to {last} (with a probability of {percent})"),
    False: message("{it} probably fell, from about {first} to {last} (with a probability of {percent})"),
}
_TURNED = {
    True: message(", but of late it rises by about {speed}"),
    False: message(", but of late it falls by about {speed}"),
}
_ENDS = {
    True: message("it ends higher than it began, at about {last} after {first}"),
    False: message("it ends lower than it began, at about {last} after {first}"),
}
_PROBABLY_ENDS = {
    True: message(
        "it probably ends higher than it began, at about {last} after {first} (with a probability of {percent})"
    ),
    False: message(
        "it probably ends lower than it began, at about {last} after {first} (with a probability of {percent})"
    ),
}
_LATELY = {
    True: message(
        "{it} went up and down between about {low} and {high}, with {n} clear turns, and upwards since {when}"
    ),
    False: message(
        "{it} went up and down between about {low} and {high}, with {n} clear turns, and downwards since {when}"
    ),
}
# By whether it does to the end, and whether the level is not told before.
_STAYED = {
    (True, True): message("has stayed near {level} since"), (True, False): message("has stayed near there since"),
    (False, True): message("stayed near {level}"), (False, False): message("stayed near there"),
}  # fmt: skip
_LEVEL = message("{it} shows no lasting rise or fall: it ends near where it began, at about {level}")


def course_text(claims: Sequence[Claim], units: Units) -> str:
    """Where the function went as a whole and what repeats in it, in one sentence; "" of too few rows."""
    rise = first(claims, Kind.RISE)
    if rise is None:
        return ""
    course = _course(rise, claims, units)
    if rise.form in (Form.APART, Form.AMOUNTS):
        course = say("Apart from that {course}", course=course)
    elif "stepped" in rise.marks and rise.form == Form.ONE_WAY and rise.told:
        course = say("On the whole {course}", course=course)
    elif "passed" in rise.marks:
        course = say("Otherwise {course}", course=course)
    seasons = joined([season_text(season, units) for season in told(claims, Kind.SEASON)])
    return say("{course}, with {seasons}.", course=course, seasons=seasons) if seasons else f"{course}."


def _course(rise: Claim, claims: Sequence[Claim], units: Units) -> str:
    """What it did, in the form that its claim has."""
    runs = [claim for claim in claims if claim.kind is Kind.RUN]
    shown = [run for run in runs if "in text" in run.marks]
    match rise.form:
        case Form.APART if "flat" in rise.marks:
            return say("{it} shows no clear rise or fall", it=units.it)
        case Form.APART:
            return say(_ROSE[rise["pace"] > 0.0], it=units.it, how=_steadily(rise, units))
        case Form.AMOUNTS:
            return f"{units.it} {_by_amounts(shown, units)}"
        case Form.LATELY:
            low, high = values(rise["low"], rise["high"], units, 2)
            told = {"it": units.it, "low": low, "high": high, "n": count(len(runs) - 1)}
            lately = say(_LATELY[runs[-1].number.is_up], when=_when(runs[-1], units, about_place), **told)
            return in_turn([f"{lately}{hardly(runs[-1], units)}", _ends(rise, units)])
        case Form.RUNS:
            return in_turn([f"{units.it} {one_by_one(shown, units)}", "" if shown == runs else _ends(rise, units)])
        case Form.BOTH:
            low, high = values(rise["low"], rise["high"], units, 2)
            went = say("{it} goes up and down between about {low} and {high}", it=units.it, low=low, high=high)
            return in_turn([went, _ends(rise, units)])
        case Form.LEVEL:
            level = values(0.5 * (rise["first"] + rise["last"]), rise["last"], units, 2)[0]
            return say(_LEVEL, it=units.it, level=level)
    return _one_way(rise, claims, units)


def _one_way(rise: Claim, claims: Sequence[Claim], units: Units) -> str:
    """A rise or fall from end to end, with how it went."""
    first_level, last = values(rise["first"], rise["last"], units, 2)
    told = {"it": units.it, "first": first_level, "last": last, "percent": percent(rise.probability or 0.0)}
    if "leans" in rise.marks:
        return say(_PROBABLY[rise.number.is_up], **told)
    if rise.standing is Standing.OPEN:
        return say("{it} may have risen or fallen: it begins near {first} and ends near {last}", **told)
    went = say(_WENT[rise.number.is_up], **told)
    if "straight" in rise.marks:
        return f"{went}, {_steadily(rise, units)}"
    bend = next((text for mark, text in _BENDS.items() if mark in rise.marks), "")
    if bend:
        return f"{went}, {say(bend)}{hardly(rise, units)}"
    late = first(claims, Kind.SLOPE)
    if late is not None and "turned_of_late" in rise.marks:
        return f"{went}{say(_TURNED[late.number.is_up], speed=size_text(late.number, units))}"
    return f"{went}{say(', and has hardly moved of late') if 'hardly_of_late' in rise.marks else hardly(rise, units)}"


def _steadily(rise: Claim, units: Units) -> str:
    """How fast a straight course goes, steadily unless its thirds differ or its slope of late is another."""
    speed = size_text(rise.more["speed"], units)
    if "late" in rise.more:
        late = rise.more["late"].map(lambda end: end if rise.more["speed"].is_up else -end)
        return say("by about {speed} on average and {late} of late", speed=speed, late=signed_text(late, units))
    if "steady" in rise.marks:
        return say("steadily, by about {speed}", speed=speed)
    return f"{say('by about {speed} on average', speed=speed)}{hardly(rise, units)}"


def _ends(rise: Claim, units: Units) -> str:
    """Whether it ends higher or lower than it began, as surely as that is known."""
    first_level, last = values(rise["first"], rise["last"], units, 2)
    told = {"first": first_level, "last": last, "percent": percent(rise.probability or 0.0)}
    if rise.standing is Standing.OPEN:
        leans = "leans" in rise.marks
        undecided = message("whether it ends higher or lower than it began is open")
        return say(_PROBABLY_ENDS[rise.number.is_up] if leans else undecided, **told)
    if not rise.told or first_level == last:
        return say("it ends about where it began, near {last}", last=last)
    return say(_ENDS[rise.number.is_up], **told)


# --- Its runs, one after the other ------------------------------------------------------------------------------------


def one_by_one(runs: Sequence[Claim], units: Units) -> str:
    """The levels where it turned, and where it stood still, one after the other."""
    clauses: list[str] = []
    for at, run in enumerate(runs):
        until = _when(runs[at + 1], units, until_about, until_place) if at + 1 < len(runs) else ""
        clauses += _legs(run, until, units, is_first=at == 0)
    still, stop = runs[-1].still, runs[-1].at[1]
    near = LIMITS["end_of_a_run"] * (stop - runs[-1].at[0])
    return _one_after_the_other(clauses, lasts=still is not None and still.at[1] >= stop - near)


def _legs(run: Claim, until: str, units: Units, *, is_first: bool) -> list[str]:
    """What a run does ``until`` the next begins, with where it stays for a while; the first tells where it begins."""
    still, near = run.still, LIMITS["end_of_a_run"] * (run.at[1] - run.at[0])
    here, there = values(run["first"], run["last"], units, 2)
    if is_first and run.more["begins"].value > units.first:
        here = say("{level} ({when})", level=here, when=_when(run, units, about_place))
    legs: list[tuple[str, float]] = []
    if still is None:
        legs.append((_moved(run, here if is_first else "", there), run.at[1]))
    else:
        begins = still.at[0] <= run.at[0] + near
        if not begins:
            legs.append(
                (_moved(run, here if is_first else "", values(still["first"], still["last"], units, 2)[0]), still.at[0])
            )
        stays = not until and still.at[1] >= run.at[1] - near
        stayed = _STAYED[stays, begins and is_first]
        legs.append((say(stayed, level=here), still.at[1]))
        if still.at[1] < run.at[1] - near:
            legs.append((_moved(run, "", there), run.at[1]))
    dated = [f"{text} {until_about(_named(stop, units))}" for text, stop in legs[:-1]]
    return [*dated, f"{legs[-1][0]} {until}".rstrip()]


def _moved(run: Claim, here: str, there: str) -> str:
    return say((_ROSE_FROM if here else _ROSE_TO)[run.number.is_up], here=here, there=there)


def _by_amounts(runs: Sequence[Claim], units: Units) -> str:
    """The runs beside a sudden change: levels without it were never there."""
    steps = []
    for run, after in zip(runs, (*runs[1:], None), strict=True):
        step = say(_ROSE_BY[run.number.is_up], size=size_text(run.number, units))
        steps.append(step if after is None else f"{step} {_when(after, units, until_about, until_place)}")
    return _one_after_the_other(steps)


def _one_after_the_other(clauses: Sequence[str], *, lasts: bool = False) -> str:
    """Clauses in time, of which the last may tell what is so since."""
    text, *others = clauses
    for clause in others[:-1]:
        text = say("{before}, then {clause}", before=text, clause=clause)
    if not others:
        return text
    if lasts:
        return say("{before}, and {clause}", before=text, clause=others[-1])
    return say_as("last", "{before}, then {clause}", before=text, clause=others[-1])


def _when(run: Claim, units: Units, about: Callable[[str], str], sharp: Callable[[str], str] = str) -> str:
    """When a run begins: about then, unless that is sure to the row."""
    low, high = (stamp(end, units) for end in run.more["begins"].interval)
    is_sharp = low == high == stamp(run.at[0], units)
    return (sharp if is_sharp else about)(_named(run.at[0], units))


def _named(position: float, units: Units) -> str:
    return named_place(stamp(position, units), units)


def hardly(claim: Claim, units: Units) -> str:
    """That a rise or fall hardly went on for a while; "" of one that did not stand still."""
    if claim.still is None:
        return ""
    start, stop = (_named(end, units) for end in claim.still.at)
    return say(", but hardly {stretch}", stretch=from_place_to(start, stop))


# --- What else is said of a course ------------------------------------------------------------------------------------


def walk_text() -> str:
    """That a level wanders without a direction that can be foreseen."""
    return say("Its level wanders as a random walk does: where it went does not tell which way it goes next.")


def observed_text(claims: Sequence[Claim], beside: CovariateFindings | None, units: Units) -> str:
    """What the values themselves came to at both ends, where columns are taken off; else ""."""
    rise = first(claims, Kind.RISE)
    if rise is None or beside is None or not beside.told:
        return ""
    x, y = beside.curves.x, beside.curves.y
    early, late = (float(np.mean(y[rows])) for rows in (x <= rise.at[1], x >= rise.at[2]))
    before, after = values(early, late, units, 3)
    start, first_to, last_from, stop = (stamp(end, units) for end in rise.at)
    return say(
        "{it} came to {before} on average {early} and to {after} {late}.",
        it=units.it, before=before, after=after,
        early=told_span(start, first_to, units), late=told_span(last_from, stop, units),
    )  # fmt: skip


# --- The course of a series whose model is a level that steps once, and that most models agree on -------------------


def step_text(parts: Sequence[Fact], claims: Sequence[WeighedClaim], units: Units) -> str:
    """That the level stepped once; "" where the ``parts`` (their heads) say more, or many models have no such change.

    Averaged over models that place it differently, and those without it, a step is a gradual course: none of them
    says that.
    """
    signal = [head for head in parts if not isinstance(head, NoiseLevel)]
    stepping = [head for head in signal if isinstance(head, ConstantLevel) and head.levels]
    changes = [claim.probability for claim in claims if claim.claim.kind is ClaimKind.CHANGE and claim.in_best]
    if len(signal) != 1 or not stepping or len(stepping[0].levels) != 2 or max(changes, default=0.0) < LEANING:
        return ""
    before, after = stepping[0].levels
    first, last = levels(before.value, after.value, units, 2)
    if first == last:
        return ""
    return say(
        "{it} stayed near {first} {until}, and has stayed near {last} since (a change that has a probability of "
        "{percent}).",
        it=units.it,
        first=first,
        until=until_place(place(rows_around(before.span[1], units)[0], units)),
        last=last,
        percent=percent(max(changes)),
    )

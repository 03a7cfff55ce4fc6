"""Where the function behind a series went as a whole, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log
from typing import Literal

import numpy as np

from autostatistician.describe.axis.lengths import rate
from autostatistician.describe.axis.places import place, rows_around, stamp, told_span, until_place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.covariates import CovariateFindings
from autostatistician.describe.facts.fact import Fact, Span, WeighedClaim
from autostatistician.describe.facts.function import Rise, RunOfCourse, SeasonSwing, SlopeOfLate, Still, SuddenChange
from autostatistician.describe.facts.judgement import LEANING
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.facts.part import ConstantLevel, NoiseLevel
from autostatistician.describe.words.amounts import gap, levels, per_cent, value, values
from autostatistician.describe.words.course_runs import (
    LONG_STILL,
    about_when,
    by_amounts,
    hardly,
    one_by_one,
    sure_tail,
    way_told,
)
from autostatistician.describe.words.nouns import find
from autostatistician.describe.words.seasons import season_text
from autostatistician.wording.messages import message, say
from autostatistician.wording.names import in_turn
from autostatistician.wording.numbers import amount, count, in_percent, joined, percent

__all__ = ["Way", "course_text", "is_steady", "observed_text", "step_text", "told_runs", "walk_text", "way_of"]


Way = Literal["rises", "falls", "turns", "level", "open"]

APART = message("Apart from that {course}")

WHOLE = message("On the whole {course}")

OTHERWISE = message("Otherwise {course}")

GRADUALLY = (message("faster and faster"), message("more and more slowly"))

FASTER_BETWEEN = message("slowly at first, then faster, and slowly again of late")

EVEN = 1.6  # times as fast: more is another pace

SMALL_BESIDE_STEPS = 0.25  # of their size: so little of a rise beside them is not told

BENT = 0.35  # share of the variation that a line leaves: with more, the course is no single bend

STEADY = 0.1  # share of the variation that a line leaves: with less, the course is a straight line

ONE_WAY = 0.5  # of a rise in the reach of all runs, from which it is told as a rise

MOST_RUNS = 3  # told one by one

SHOWN = 0.5  # of a rise: where the data surely show less of it, it is not even probable

ANOTHER = 1.25  # times a slope, or divided by it


def course_text(facts: Sequence[Fact], units: Units) -> str:
    """Where the function went as a whole and what repeats in it, in one sentence; "" of too few rows."""
    rise, seasons = find(tuple(facts), Rise), _seasons(facts, units)
    if rise is None:
        return ""
    passed = any(isinstance(fact, SuddenChange) and fact.told and fact.until is not None for fact in facts)
    lead, course = _course(rise, facts, units)
    if lead or passed:
        course = say(lead or OTHERWISE, course=course)
    return say("{course}, with {seasons}.", course=course, seasons=seasons) if seasons else f"{course}."


def _course(rise: Rise, facts: Sequence[Fact], units: Units) -> tuple[str, str]:
    """What it did, with the message that leads it in beside lasting steps; "" for none."""
    runs, stepped = [fact for fact in facts if isinstance(fact, RunOfCourse)], _is_stepped(facts)
    if stepped and _is_even_beside_steps(rise, facts):
        return APART, _at_pace(rise, facts, units)
    told = told_runs(facts)
    if len(told) == 1 and len(sure_tail(runs)) > 1:
        return "", in_turn([_up_and_down(rise, runs, units), _ends(rise, units)])
    if told and stepped:
        return APART, f"{units.it} {by_amounts(told, units)}"
    if told:
        return "", in_turn([f"{units.it} {one_by_one(told, units)}", "" if told == runs else _ends(rise, units)])
    if rise.is_open:
        return "", _open(rise, units)
    if not rise.told:
        level = value(0.5 * (rise.first + rise.last), units)
        return "", say(
            "{it} shows no lasting rise or fall: it ends near where it began, at about {level}",
            it=units.it, level=level,
        )  # fmt: skip
    if _goes_both_ways(rise):
        return "", _both_ways(rise, units)
    return (WHOLE if stepped else ""), _one_way(rise, facts, units, stepped=stepped)


def _one_way(rise: Rise, facts: Sequence[Fact], units: Units, *, stepped: bool) -> str:
    """A rise or fall from end to end, with how it went."""
    bend = "" if _is_straight(rise, units) else _bend(rise)
    gradual = not _is_straight(rise, units) and bend in ("", *GRADUALLY)
    if rise.still is not None and not stepped and gradual and _is_long(rise.still, rise):
        return f"{units.it} {way_told(rise, units)}"
    first, last = values(rise.first, rise.last, units, 2)
    told = {"it": units.it, "first": first, "last": last}
    went = (
        say("{it} rose from about {first} to {last}", **told)
        if rise.number > 0.0
        else say("{it} fell from about {first} to {last}", **told)
    )
    if _is_straight(rise, units):
        return f"{went}, {_steadily(rise, facts, units, _speed_of_ends(rise, units))}"
    if bend:
        return f"{went}, {say(bend)}{hardly(rise.still, units) if bend in GRADUALLY else ''}"
    return f"{went}{_of_late(rise, facts, units) or hardly(rise.still, units)}"


def way_of(facts: Sequence[Fact]) -> Way | None:
    """What the sentence on the course says in one word: "open" is what nobody can know; None of too few rows.

    Beside lasting steps it is what the course does apart from these, if that is one thing.
    """
    rise, told = find(tuple(facts), Rise), told_runs(facts)
    if rise is None:
        return None
    if told:
        return "turns"
    if _is_stepped(facts):
        even = _is_even_beside_steps(rise, facts)
        return _signed(rise.pace) if not _is_flat_beside_steps(rise, facts) else "level" if even else "open"
    if not rise.told:
        return "open" if rise.is_open else "level"
    return "turns" if _goes_both_ways(rise) else _signed(rise.number)


def _signed(number: float) -> Way:
    return "rises" if number > 0.0 else "falls"


def _goes_both_ways(rise: Rise) -> bool:
    return abs(rise.number) < ONE_WAY * (rise.bounds[1] - rise.bounds[0])


def told_runs(facts: Sequence[Fact]) -> list[RunOfCourse]:
    """The rises and falls that the sentence on the course tells: those up to the end that are sure, of many the last.

    Beside steps it tells all of them or none.
    """
    rise, runs = find(tuple(facts), Rise), [fact for fact in facts if isinstance(fact, RunOfCourse)]
    tail = sure_tail(runs) if len(runs) > 1 else []
    if rise is None or (_is_stepped(facts) and (_is_even_beside_steps(rise, facts) or len(tail) < len(runs))):
        return []
    return tail[-1:] if len(tail) > MOST_RUNS else tail


def _is_stepped(facts: Sequence[Fact]) -> bool:
    return any(isinstance(fact, SuddenChange) and fact.told and fact.until is None for fact in facts)


def _is_even_beside_steps(rise: Rise, facts: Sequence[Fact]) -> bool:
    return rise.wander < STEADY or _is_small(rise, facts)


def _is_long(still: Still, rise: Rise) -> bool:
    return still.stop - still.start >= LONG_STILL * (rise.stop - rise.start)


def _is_small(rise: Rise, facts: Sequence[Fact]) -> bool:
    """Whether the course beside lasting steps moves by little, compared with these."""
    steps = sum(abs(fact.after - fact.level) for fact in facts if isinstance(fact, SuddenChange) and fact.until is None)
    return abs(rise.pace) * (rise.stop - rise.start) < SMALL_BESIDE_STEPS * steps


def _is_flat_beside_steps(rise: Rise, facts: Sequence[Fact]) -> bool:
    return rise.pace_interval[0] * rise.pace_interval[1] <= 0.0 or _is_small(rise, facts)


def _at_pace(rise: Rise, facts: Sequence[Fact], units: Units) -> str:
    """A straight course beside sudden changes, by its slope."""
    if _is_flat_beside_steps(rise, facts):
        return say("{it} shows no clear rise or fall", it=units.it)
    how = _steadily(rise, facts, units, _speed(rise, units))
    return (
        say("{it} rose {how}", it=units.it, how=how)
        if rise.pace > 0.0
        else say("{it} fell {how}", it=units.it, how=how)
    )


def _steadily(rise: Rise, facts: Sequence[Fact], units: Units, speed: str) -> str:
    """How fast a straight course goes, steadily unless its thirds differ or its slope of late is another."""
    late = find(tuple(facts), SlopeOfLate)
    average = say("by about {speed} on average", speed=speed)
    if rise.still is not None:
        return f"{average}{hardly(rise.still, units)}"
    level = 1.0
    if (
        rise.growth is not None and late is not None
    ):  # that slope is one of the middle of the last rows and those before
        level = rise.last - late.number * (rise.stop - rise.ends[1])
    expected = rise.pace if rise.growth is None else rise.growth * level
    if late is None or late.interval is None or not _is_another(late.interval, expected):
        return say("steadily, by about {speed}", speed=speed) if is_steady(rise, units) else average
    slope = late.number * np.sign(expected)
    if rise.growth is None or units.open_scale or level <= 0.0:
        lately, per = rate(slope, units)
        lately_told = f"{gap(lately, units, 2)} {per}"
    else:
        growth, per = rate(slope / level, units)
        lately_told = f"{in_percent(amount(per_cent(growth), 2))} {per}"
    return say("by about {speed} on average and {late} of late", speed=speed, late=lately_told)


def _is_another(slope: Span, expected: float) -> bool:
    """Whether a slope certainly differs clearly from the one that a steady course would have now."""
    low, high = sorted(end * np.sign(expected) for end in slope)
    return bool(low > ANOTHER * abs(expected) or high < abs(expected) / ANOTHER)


def _speed(rise: Rise, units: Units) -> str:
    if rise.growth is not None and not units.open_scale:
        growth, per = rate(rise.growth, units)
        return f"{in_percent(amount(abs(per_cent(growth)), 2))} {per}"
    speed, per = rate(abs(rise.pace), units)
    return f"{gap(speed, units, 2)} {per}"


def _speed_of_ends(rise: Rise, units: Units) -> str:
    """The speed that leads from the first level to the last, as a reader would work it out."""
    span = rise.stop - rise.start
    if rise.growth is None or units.open_scale or min(rise.first, rise.last) <= 0.0:
        return _speed(replace(rise, growth=None, pace=(rise.last - rise.first) / span), units)
    return _speed(replace(rise, growth=log(rise.last / rise.first) / span), units)


def _bend(rise: Rise) -> str:
    """The message for how a rise or fall went that was not straight: faster and faster, ...; "" for nothing clear."""
    first, middle, last = (abs(pace) for pace in rise.paces)
    if rise.wander > BENT or not all(pace * rise.number > 0.0 for pace in rise.paces):
        return ""
    if middle > EVEN * max(first, last):
        return FASTER_BETWEEN
    faster, slower = GRADUALLY
    if last > EVEN * first and last >= middle >= first:
        return faster
    return slower if first > EVEN * last and first >= middle >= last else ""


def is_steady(rise: Rise, units: Units) -> bool:
    """Whether a course goes at one pace all along, beside lasting steps, and never stands still for long."""
    grows = rise.growth is not None and not units.open_scale
    return rise.still is None and _is_straight(rise, units) and not (rise.rate_bends if grows else rise.bends)


def _is_straight(rise: Rise, units: Units) -> bool:
    """Whether a course goes at one pace, its thirds compared: by percentages where it is told by them."""
    grows = rise.growth is not None and not units.open_scale
    return rise.wander < STEADY and _is_even(rise.rates if grows else rise.paces)


def _is_even(paces: tuple[float, ...]) -> bool:
    """Whether three paces are about the same."""
    low, high = min(map(abs, paces)), max(map(abs, paces))
    return min(paces) * max(paces) > 0.0 and high <= EVEN * low


def _open(rise: Rise, units: Units) -> str:
    """What a course did whose ends say nothing sure of it."""
    if rise.wander > BENT:
        return _both_ways(rise, units)
    first, last = values(rise.first, rise.last, units, 2)
    told = {"it": units.it, "first": first, "last": last}
    if _leans(rise):
        told["percent"] = percent(rise.probability or 0.0)
        return say(_PROBABLY[rise.number > 0.0], **told)
    return say("{it} may have risen or fallen: it begins near {first} and ends near {last}", **told)


_PROBABLY = {
    True: message("{it} probably rose, from about {first} to {last} (with a probability of {percent})"),
    False: message("{it} probably fell, from about {first} to {last} (with a probability of {percent})"),
}


def _both_ways(rise: Rise, units: Units) -> str:
    low, high = values(*rise.bounds, units, 2)
    went = say("{it} goes up and down between about {low} and {high}", it=units.it, low=low, high=high)
    return in_turn([went, _ends(rise, units)])


def _leans(rise: Rise) -> bool:
    shown = 0.0 if rise.witness is None else rise.witness.number * np.sign(rise.number)
    against = rise.witness is not None and shown < (0.0 if rise.witness.agrees else SHOWN * abs(rise.number))
    return rise.probability is not None and rise.probability > LEANING and not against


def _ends(rise: Rise, units: Units) -> str:
    first, last = values(rise.first, rise.last, units, 2)
    higher = rise.number > 0.0
    if rise.is_open and _leans(rise):
        return say(_PROBABLY_ENDS[higher], first=first, last=last, percent=percent(rise.probability or 0.0))
    if rise.is_open:
        return say("whether it ends higher or lower than it began is open")
    if not rise.told or first == last:
        return say("it ends about where it began, near {last}", last=last)
    return say(_ENDS[higher], first=first, last=last)


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


def _up_and_down(rise: Rise, runs: Sequence[RunOfCourse], units: Units) -> str:
    low, high = values(*rise.bounds, units, 2)  # not of the runs: smoothed levels fall short of its tops
    last = runs[-1]
    told = {"it": units.it, "low": low, "high": high, "n": count(len(runs) - 1)}
    if last.still is not None:
        return say(
            "{it} went up and down between about {low} and {high}, with {n} clear turns; at last it {course}",
            course=one_by_one([last], units), **told,
        )  # fmt: skip
    return say(_LATELY[last.number > 0.0], when=about_when(last, units), **told)


_LATELY = {
    True: message(
        "{it} went up and down between about {low} and {high}, with {n} clear turns, and upwards since {when}"
    ),
    False: message(
        "{it} went up and down between about {low} and {high}, with {n} clear turns, and downwards since {when}"
    ),
}


def _of_late(rise: Rise, facts: Sequence[Fact], units: Units) -> str:
    """That the slope of late is another than that of the whole; "" where it is about the same."""
    late = find(tuple(facts), SlopeOfLate)
    if late is None or rise.wander < STEADY or late.interval is None:
        return ""
    whole = rise.number / (rise.stop - rise.start)
    if not late.told:
        small = max(abs(end) for end in late.interval) < abs(whole)
        return say(", and has hardly moved of late") if small else ""
    if late.number * whole >= 0.0:
        return ""
    speed, per = rate(abs(late.number), units)
    told = f"{gap(speed, units, 2)} {per}"
    return (
        say(", but of late it rises by about {speed}", speed=told)
        if late.number > 0.0
        else say(", but of late it falls by about {speed}", speed=told)
    )


def walk_text() -> str:
    """That a level wanders without a direction that can be foreseen."""
    return say("Its level wanders as a random walk does: where it went does not tell which way it goes next.")


def observed_text(facts: Sequence[Fact], beside: CovariateFindings | None, units: Units) -> str:
    """What the values themselves came to at both ends, where columns are taken off; else ""."""
    rise = find(tuple(facts), Rise)
    if rise is None or beside is None or not beside.told:
        return ""
    x, y = beside.curves.x, beside.curves.y
    first, last = (float(np.mean(y[rows])) for rows in (x <= rise.ends[0], x >= rise.ends[1]))
    before, after = values(first, last, units, 3)
    return say(
        "As observed, whatever these columns add, {it} came to {before} on average {early} and to {after} {late}.",
        it=units.it, before=before, after=after,
        early=told_span(stamp(rise.start, units), stamp(rise.ends[0], units), units),
        late=told_span(stamp(rise.ends[1], units), stamp(rise.stop, units), units),
    )  # fmt: skip


def _seasons(facts: Sequence[Fact], units: Units) -> str:
    """All seasons that are told, as a noun phrase; "" for none."""
    return joined([season_text(fact, units) for fact in facts if isinstance(fact, SeasonSwing) and fact.told])


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

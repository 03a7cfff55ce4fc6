"""Where the function behind a series went as a whole, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from autostatistician.claims.claim import Claim, first, told
from autostatistician.claims.kinds import LIMITS, Form, Kind, Standing
from autostatistician.describe.axis.cycles import cycle, unseen_cycle
from autostatistician.describe.axis.lengths import length
from autostatistician.describe.axis.places import about_place, from_place_to, stamp, until_about, until_place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.covariates import CovariateFindings
from autostatistician.describe.words.amounts import size_text, values
from autostatistician.describe.words.ranges import named_place
from autostatistician.describe.words.seasons import season_text
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import in_turn, quoted
from autostatistician.i18n.numbers import count, joined

__all__ = ["course_text", "hardly", "observed_text", "one_by_one", "walk_text"]

_MANNERS = ("straight", "turned_of_late", "hardly_of_late", "faster", "slower", "between")


def course_text(claims: Sequence[Claim], units: Units, *, apart: bool = False) -> str:
    """Where the function went as a whole and what repeats in it, in one sentence; "" of too few rows.

    ``apart`` from what was told before.
    """
    rise = first(claims, Kind.RISE)
    if rise is None:
        return ""
    beside = "steps" if apart else "nothing"
    if rise.form in (Form.APART, Form.AMOUNTS):
        beside = "steps"
    elif "stepped" in rise.marks and rise.form == Form.ONE_WAY and rise.told:
        beside = "stepped"
    elif "passed" in rise.marks:
        beside = "events"
    seasons = joined([season_text(season, units) for season in told(claims, Kind.SEASON)])
    repeats = sentence("course.seasons", seasons=seasons) if seasons else ""
    course = _course(rise, claims, units)
    beside = "curve" if beside == "nothing" and units.is_curve else beside
    return sentence(
        "course.whole", beside=beside, course=course, seasons=repeats, unseen=_unseen(rise, units),
        column=quoted(units.axis.column),
    )  # fmt: skip


def _unseen(rise: Claim, units: Units) -> str:
    """That the data are too short to tell a course from a cycle of the calendar; "" where no course is told."""
    name = _unseen_cycle(rise, units)
    still = rise.form == Form.LEVEL or (rise.form == Form.APART and "flat" in rise.marks)
    is_open = rise.form == Form.ONE_WAY and rise.standing is Standing.OPEN
    is_own = "levelled" in rise.marks  # of a shape that no cycle has
    return sentence("course.unseen", name=name) if name and not still and not is_open and not is_own else ""


def _unseen_cycle(rise: Claim, units: Units) -> str:
    """What of the calendar a course may be a piece of: one that never turns is more than that beyond a whole cycle."""
    goes_on = rise.form in (Form.ONE_WAY, Form.APART) and rise["wander"] < LIMITS["bent"]
    return unseen_cycle(units, 1.0 if goes_on else 2.0)


def _course(rise: Claim, claims: Sequence[Claim], units: Units) -> str:
    """What it did, in the form that its claim has."""
    runs = [claim for claim in claims if claim.kind is Kind.RUN]
    shown = [run for run in runs if "in text" in run.marks]
    match rise.form:
        case Form.AMOUNTS:
            return f"{units.it} {_by_amounts(shown, units)}"
        case Form.LATELY:
            when = _when(runs[-1], units, about_place)
            lately = _went(rise, rise.form, runs[-1].number.direction, units, turns=count(len(runs) - 1), when=when)
            return in_turn([f"{lately}{hardly(runs[-1], units)}", _ends(rise, units)])
        case Form.RUNS:
            text = f"{_subject(rise, units)} {one_by_one(shown, units)}"
            return in_turn([text, "" if shown == runs else _ends(rise, units)])
        case Form.BOTH:
            return in_turn([_went(rise, rise.form, "", units), _largest_move(claims, units), _ends(rise, units)])
        case Form.APART if "flat" not in rise.marks:
            direction = "up" if rise["pace"] > 0.0 else "down"
            return _went(rise, rise.form, direction, units, pace=_pace(rise, units))
        case Form.ONE_WAY if rise.still is not None and "levelled" in rise.marks:
            until = until_about(_named(rise.still.at[0], units))
            reached = values(rise.still["first"], rise["first"], units, 2)[0]
            return _went(rise, "levelled", rise.number.direction, units, until=until, reached=reached)
        case Form.ONE_WAY if rise.standing is not Standing.OPEN:
            stepped = any(step.number.direction == rise.number.direction for step in told(claims, Kind.STEP))
            manner = _manner(rise, first(claims, Kind.SLOPE), units, stepped=stepped)
            return _went(rise, rise.form, rise.number.direction, units, manner=manner)
    form = "flat" if rise.form == Form.APART else "open" if rise.form == Form.ONE_WAY else rise.form
    return in_turn([_went(rise, form, rise.number.direction, units), _largest_move(claims, units)])


def _largest_move(claims: Sequence[Claim], units: Units) -> str:
    """The largest rise or fall of values that walk at random, where that is told."""
    for move in told(claims, Kind.MOVE):
        first_level, last = values(move["first"], move["last"], units, 2)
        span = from_place_to(*(stamp(end, units) for end in move.at))
        return sentence("course.move", direction=move.number.direction, first=first_level, last=last, span=span)
    return ""


def _went(rise: Claim, form: str, direction: str, units: Units, **more: str) -> str:
    first_level, last = values(rise["first"], rise["last"], units, 2)
    low, high = values(rise["low"], rise["high"], units, 2)
    level = values(*(0.5 * (rise["first"] + rise["last"]),) * 2, units, 2)[0]
    it = units.it if form in (Form.APART, "flat") else _subject(rise, units)
    return sentence(
        "course.went", form=form, direction=direction, it=it, first=first_level, last=last, low=low, high=high,
        level=level, **more,
    )  # fmt: skip


def _subject(rise: Claim, units: Units) -> str:
    """What levels are those of: the values, or their averages over a season, or they without one."""
    period, of = rise.get("averaged over"), "without" if "deseasonalised" in rise.marks else "values"
    every = "" if period is None else length(period, units, 3)
    return sentence("course.subject", of=of if period is None else cycle(period, units).id, it=units.it, every=every)


def _manner(rise: Claim, late: Claim | None, units: Units, *, stepped: bool) -> str:
    """How a rise or fall went, at last another way than before; one in steps, or that went unevenly, has no pace."""
    manner = next((mark for mark in _MANNERS if mark in rise.marks), "plain")
    by_ends = units.is_curve or manner == "plain"  # which few rows may be
    uneven = by_ends and "steady" not in rise.marks
    manner = "unseen" if uneven or stepped or _unseen_cycle(rise, units) else manner
    return sentence(
        "course.manner", manner=manner, direction=late.number.direction if late else "", hardly=hardly(rise, units),
        pace=_pace(rise, units), speed=size_text(late.number, units) if late else "",
    )  # fmt: skip


def _pace(rise: Claim, units: Units) -> str:
    """How fast a straight course goes, steadily unless its thirds differ or its slope of late is another."""
    pace = "steady" if "steady" in rise.marks else "uneven"
    return sentence("course.pace", pace=pace, speed=size_text(rise.more["speed"], units), hardly=hardly(rise, units))


def _ends(rise: Claim, units: Units) -> str:
    """Whether it ends higher or lower than it began, as surely as that is known."""
    first_level, last = values(rise["first"], rise["last"], units, 2)
    walks = "step" in rise.more and rise.number.is_clear  # the values themselves are the level then
    near = abs(rise.number.value) < LIMITS["still"] * (rise["high"] - rise["low"])
    standing = "sure" if (rise.told or walks) and first_level != last else "same" if near else "open"
    return sentence("course.ends", standing=standing, direction=rise.number.direction, first=first_level, last=last)


# --- Its runs, one after the other ------------------------------------------------------------------------------------


def one_by_one(runs: Sequence[Claim], units: Units) -> str:
    """The levels where it turned, and where it stood still, one after the other."""
    clauses: list[str] = []
    for at, (run, after) in enumerate(zip(runs, (*runs[1:], None), strict=True)):
        until, stays = "", after is not None and after.at[0] > run.at[1]
        if after is not None:
            until = _when(after, units, until_about, until_place)
        clauses += _legs(run, until_about(_named(run.at[1], units)) if stays else until, units, is_first=at == 0)
        clauses += [f"{sentence('course.stayed', lasts=False, begins=False, level='')} {until}"] if stays else []
    still, stop = runs[-1].still, runs[-1].at[1]
    near = LIMITS["end_of_a_run"] * (stop - runs[-1].at[0])
    return _one_after_the_other(clauses, lasts=still is not None and still.at[1] >= stop - near)


def _legs(run: Claim, until: str, units: Units, *, is_first: bool) -> list[str]:
    """What a run does ``until`` the next begins, with where it stays for a while; the first tells where it begins."""
    still, near = run.still, LIMITS["end_of_a_run"] * (run.at[1] - run.at[0])
    here, there = values(run["first"], run["last"], units, 2)
    if is_first and run.more["begins"].value > units.first:
        here = sentence("course.dated", level=here, when=_when(run, units, about_place))
    begin, legs = here if is_first else "", list[tuple[str, float]]()
    if still is None:
        legs.append((_moved(run, begin, there), run.at[1]))
    else:
        begins = still.at[0] <= run.at[0] + near
        if not begins:
            legs.append((_moved(run, begin, values(*(still["first"],) * 2, units, 2)[0]), still.at[0]))
        lasts = not until and still.at[1] >= run.at[1] - near
        stayed = sentence("course.stayed", lasts=lasts, begins=begins and is_first, level=here)
        legs.append((stayed, still.at[1]))
        if still.at[1] < run.at[1] - near:
            legs.append((_moved(run, "", there), run.at[1]))
    dated = [f"{text} {until_about(_named(stop, units))}" for text, stop in legs[:-1]]
    return [*dated, f"{legs[-1][0]} {until}".rstrip()]


def _moved(run: Claim, here: str, there: str) -> str:
    return sentence("course.moved", begins=bool(here), direction=run.number.direction, here=here, there=there)


def _by_amounts(runs: Sequence[Claim], units: Units) -> str:
    """The runs beside a sudden change: levels without it were never there."""
    steps = []
    for run, after in zip(runs, (*runs[1:], None), strict=True):
        step = sentence("course.changed", direction=run.number.direction, size=size_text(run.number, units))
        steps.append(step if after is None else f"{step} {_when(after, units, until_about, until_place)}")
    return _one_after_the_other(steps)


def _one_after_the_other(clauses: Sequence[str], *, lasts: bool = False) -> str:
    """Clauses in time, of which the last may tell what is so since."""
    text, *others = clauses
    for left, clause in zip(range(len(others), 0, -1), others, strict=True):
        place = "between" if left > 1 else "lasts" if lasts else "last"
        text = sentence("course.then", place=place, before=text, clause=clause)
    return text


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
    return sentence("course.hardly", stretch=from_place_to(start, stop))


# --- What else is said of a course ------------------------------------------------------------------------------------


def walk_text(rise: Claim, units: Units, *, apart: bool = False) -> str:
    """That a level wanders without a direction that can be foreseen, where it is and how far it goes in a step."""
    last, step = values(rise["first"], rise["last"], units, 2)[1], size_text(rise.more["step"], units)
    walk = sentence("course.walk", it=units.it, last=last, step=step)
    return sentence("course.whole", beside="steps" if apart else "nothing", course=walk, seasons="", unseen="")


def observed_text(claims: Sequence[Claim], beside: CovariateFindings | None, units: Units) -> str:
    """What the values themselves came to at both ends, where columns are taken off; else ""."""
    rise = first(claims, Kind.RISE)
    if rise is None or beside is None or not beside.told:
        return ""
    x, y = beside.curves.x, beside.curves.y
    early, late = (float(np.mean(y[rows])) for rows in (x <= rise.at[1], x >= rise.at[2]))
    before, after = values(early, late, units, 3)
    start, first_to, last_from, stop = (stamp(end, units) for end in rise.at)
    return sentence(
        "course.observed",
        it=units.it, before=before, after=after,
        early=from_place_to(start, first_to), late=from_place_to(last_from, stop),
    )  # fmt: skip

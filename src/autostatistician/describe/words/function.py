"""What the function behind a series does, in words that hold whatever model it is told by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp, log

import numpy as np

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import rate
from autostatistician.describe.axis.phases import phase_kind, phase_text, phases
from autostatistician.describe.axis.places import place, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact, Span
from autostatistician.describe.facts.function import (
    FunctionFact,
    NoiseThroughout,
    Rise,
    RunOfCourse,
    ScatterStep,
    SeasonSwing,
    SlopeOfLate,
    Still,
    SuddenChange,
)
from autostatistician.describe.facts.judgement import LEANING
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import per_cent
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
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, article, count, joined, pair, percent

__all__ = [
    "ask_text", "at", "change_text", "claim_text", "course_text", "happened_text", "is_steady", "relied_text",
    "scatter_text", "season_text", "swing_text", "told_runs",
]  # fmt: skip

APART = "Apart from that"
WHOLE = "On the whole"
GRADUALLY = ("faster and faster", "more and more slowly")
ROUNDED = 1e-5  # of a period: 15:00 is not the last second of the hour before
EVEN = 1.6  # times as fast: more is another pace
SMALL_BESIDE_STEPS = 0.25  # of their size: so little of a rise beside them is not told
BENT = 0.35  # share of the variation that a line leaves: with more, the course is no single bend
STEADY = 0.1  # share of the variation that a line leaves: with less, the course is a straight line
ONE_WAY = 0.5  # of a rise in the reach of all runs, from which it is told as a rise
MOST_RUNS = 3  # told one by one
ANOTHER = 1.25  # times a slope, or divided by it
LEAST_SHARE = 0.005  # that is one per cent in whole numbers
MOST_ASKED = 3  # changes that a reader is asked about
MOST_BY_PER_CENT = 3.0  # times the lowest, from which a swing is no longer told in per cent
UNSEEN = 0.01  # of the range of a rise: a smaller one is nothing
FEW_ROWS = 5  # after a change: whether it lasts is open


def at(position: float, units: Units) -> str:
    """When something is: "in March 2020", "on 21 April 2023", "at 'x' = 5"."""
    name = stamp(position, units)
    if not units.axis.is_calendar:
        return f"at {quoted(units.axis.column)} = {name}"
    return f"on {name}" if name[:1].isdigit() and " " in name else f"in {name}"


def since(position: float, units: Units) -> str:
    """From when on something is so: "from March 2020 on"."""
    return f"from {at(position, units).partition(' ')[2]} on"


# --- the course ------------------------------------------------------------------------------------------------------


def course_text(facts: Sequence[Fact], units: Units) -> str:
    """Where the function went as a whole and what repeats in it, in one sentence; "" of too few rows."""
    rise, seasons = find(tuple(facts), Rise), _seasons(facts, units)
    if rise is None:
        return ""
    passed = any(isinstance(fact, SuddenChange) and fact.told and fact.until is not None for fact in facts)
    course = _course(rise, facts, units).removesuffix(".")
    otherwise = "Otherwise " if passed and not course.startswith((APART, WHOLE)) else ""
    return f"{otherwise}{course}{', with ' if seasons else ''}{seasons}."


def _course(rise: Rise, facts: Sequence[Fact], units: Units) -> str:
    runs, stepped = [fact for fact in facts if isinstance(fact, RunOfCourse)], _is_stepped(facts)
    if stepped and _is_even_beside_steps(rise, facts):
        return f"{APART} {units.it} {_at_pace(rise, facts, units)}."
    told = told_runs(facts)
    if len(told) == 1 and len(sure_tail(runs)) > 1:
        return f"{_up_and_down(rise, runs, units)}; {_ends(rise)}."
    if told and stepped:
        return f"{APART} {units.it} {by_amounts(told, units)}."
    if told:
        return f"{units.it} {one_by_one(told, units)}{'' if told == runs else f'; {_ends(rise)}'}."
    if rise.is_open:
        return f"{_open(rise, units)}."
    if not rise.told:
        level = amount(0.5 * (rise.first + rise.last))
        return f"{units.it} shows no lasting rise or fall: it ends near where it began, at about {level}."
    first, last = pair(rise.first, rise.last, 2)
    if abs(rise.number) < ONE_WAY * (rise.bounds[1] - rise.bounds[0]):
        low, high = pair(*rise.bounds, 2)
        return f"{units.it} goes up and down between about {low} and {high}; {_ends(rise)}."
    verb = "rose" if rise.number > 0.0 else "fell"
    how = _manner(rise, facts, units)
    if rise.still is not None and not stepped and how in ("", *GRADUALLY) and _is_long(rise.still, rise):
        return f"{units.it} {way_told(rise, units)}."
    how = f"{how}{hardly(rise.still, units)}" if how in GRADUALLY else how
    manner = f", {how}" if how else _of_late(rise, facts, units) or hardly(rise.still, units)
    whole = f"{WHOLE} " if stepped else ""
    return f"{whole}{units.it} {verb} from about {first} to {last}{manner}."


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


def _at_pace(rise: Rise, facts: Sequence[Fact], units: Units) -> str:
    """A straight course beside sudden changes, by its slope."""
    if rise.pace_interval[0] * rise.pace_interval[1] <= 0.0 or _is_small(rise, facts):
        return "shows no clear rise or fall"
    return f"{'rose' if rise.pace > 0.0 else 'fell'} {_steadily(rise, facts, units, _speed(rise, units))}"


def _steadily(rise: Rise, facts: Sequence[Fact], units: Units, speed: str) -> str:
    """How fast a straight course goes, steadily unless its thirds differ or its slope of late is another."""
    late = find(tuple(facts), SlopeOfLate)
    if rise.still is not None:
        return f"by about {speed} on average{hardly(rise.still, units)}"
    level = 1.0
    if (
        rise.growth is not None and late is not None
    ):  # that slope is one of the middle of the last rows and those before
        level = rise.last - late.number * (rise.stop - rise.ends[1])
    expected = rise.pace if rise.growth is None else rise.growth * level
    if late is None or late.interval is None or not _is_another(late.interval, expected):
        return f"steadily, by about {speed}" if is_steady(rise, units) else f"by about {speed} on average"
    slope = late.number * np.sign(expected)
    if rise.growth is None or units.open_scale or level <= 0.0:
        lately, per = rate(slope, units)
        return f"by about {speed} on average and {amount(lately, 2)} {per} of late"
    growth, per = rate(slope / level, units)
    return f"by about {speed} on average and {amount(per_cent(growth), 2)}% {per} of late"


def _is_another(slope: Span, expected: float) -> bool:
    """Whether a slope certainly differs clearly from the one that a steady course would have now."""
    low, high = sorted(end * np.sign(expected) for end in slope)
    return bool(low > ANOTHER * abs(expected) or high < abs(expected) / ANOTHER)


def _speed(rise: Rise, units: Units) -> str:
    if rise.growth is not None and not units.open_scale:
        growth, per = rate(rise.growth, units)
        return f"{amount(abs(per_cent(growth)), 2)}% {per}"
    speed, per = rate(abs(rise.pace), units)
    return f"{amount(speed, 2)} {per}"


def _speed_of_ends(rise: Rise, units: Units) -> str:
    """The speed that leads from the first level to the last, as a reader would work it out."""
    span = rise.stop - rise.start
    if rise.growth is None or units.open_scale or min(rise.first, rise.last) <= 0.0:
        return _speed(replace(rise, growth=None, pace=(rise.last - rise.first) / span), units)
    return _speed(replace(rise, growth=log(rise.last / rise.first) / span), units)


def _manner(rise: Rise, facts: Sequence[Fact], units: Units) -> str:
    """How a rise or fall went: at one pace, faster and faster, ...; "" where nothing of it is clear."""
    if _is_straight(rise, units):
        return _steadily(rise, facts, units, _speed_of_ends(rise, units))
    first, middle, last = (abs(pace) for pace in rise.paces)
    if rise.wander > BENT or not all(pace * rise.number > 0.0 for pace in rise.paces):
        return ""
    if middle > EVEN * max(first, last):
        return "slowly at first, then faster, and slowly again of late"
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
        low, high = pair(*rise.bounds, 2)
        return f"{units.it} goes up and down between about {low} and {high}; {_ends(rise)}"
    first, last = pair(rise.first, rise.last, 2)
    if _leans(rise):
        verb = "rose" if rise.number > 0.0 else "fell"
        sure = percent(rise.probability or 0.0)
        return f"{units.it} probably {verb}, from about {first} to {last} (with a probability of {sure})"
    return f"{units.it} may have risen or fallen: it begins near {first} and ends near {last}"


def _leans(rise: Rise) -> bool:
    against = rise.witness is not None and rise.witness.number * rise.number < 0.0
    return rise.probability is not None and rise.probability > LEANING and not against


def _ends(rise: Rise) -> str:
    first, last = pair(rise.first, rise.last, 2)
    if rise.is_open and _leans(rise):
        way, sure = "higher" if rise.number > 0.0 else "lower", percent(rise.probability or 0.0)
        return f"it probably ends {way} than it began, at about {last} after {first} (with a probability of {sure})"
    if rise.is_open:
        return "whether it ends higher or lower than it began is open"
    if not rise.told or first == last:
        return f"it ends about where it began, near {last}"
    return f"it ends {'higher' if rise.number > 0.0 else 'lower'} than it began, at about {last} after {first}"


def _up_and_down(rise: Rise, runs: Sequence[RunOfCourse], units: Units) -> str:
    low, high = pair(*rise.bounds, 2)  # not of the runs: smoothed levels fall short of its tops
    last, turns = runs[-1], f"{count(len(runs) - 1)} turns"
    way = "upwards" if last.number > 0.0 else "downwards"
    lately = f", and {way} since {about_when(last, units)}"
    if last.still is not None:
        lately = f"; at last it {one_by_one([last], units)}"
    return f"{units.it} went up and down between about {low} and {high}, with {turns}{lately}"


def _of_late(rise: Rise, facts: Sequence[Fact], units: Units) -> str:
    """That the slope of late is another than that of the whole; "" where it is about the same."""
    late = find(tuple(facts), SlopeOfLate)
    if late is None or rise.wander < STEADY or late.interval is None:
        return ""
    whole = rise.number / (rise.stop - rise.start)
    if not late.told:
        small = max(abs(end) for end in late.interval) < abs(whole)
        return ", and has hardly moved of late" if small else ""
    speed, per = rate(abs(late.number), units)
    if late.number * whole < 0.0:
        return f", but of late it {'rises' if late.number > 0.0 else 'falls'} by about {amount(speed, 2)} {per}"
    return ""


# --- seasons ---------------------------------------------------------------------------------------------------------


def season_text(fact: SeasonSwing, units: Units) -> str:
    """A season as a noun phrase: how often, how large, when it is highest and lowest."""
    words = cycle(fact.period, units)
    noun = f"{words.adjective} pattern" if words.adjective else f"pattern that repeats every {words.after_every}"
    named = ((word, _phases(places, fact.period, units)) for word, places in _extremes(fact))
    extremes = "".join(f"{word} {where}, " for word, where in named if where)
    extremes = f"on average {extremes}" if extremes and fact.changes else extremes
    return f"{article(noun)} ({extremes}{swing_text(fact, units)})"


def _extremes(fact: SeasonSwing) -> tuple[tuple[str, tuple[float, ...]], ...]:
    return ("highest", fact.tops), ("lowest", fact.bottoms)


def swing_text(fact: SeasonSwing, units: Units) -> str:
    """How far a season goes, at first and of late where that is not the same."""
    sizes = fact.swing_ends or (fact.swing,)
    if units.is_log and max(sizes) > log(MOST_BY_PER_CENT):
        times = [f"{amount(exp(size), 2)} times" for size in sizes]
        first, last = f"its highest {times[0]} its lowest", times[-1]
    else:
        each = [f"{amount(per_cent(size), 2)}%" if units.is_log else amount(size, 2) for size in sizes]
        first, last = f"a swing of {each[0]} between its lowest and its highest", f"of {each[-1]}"
    return first if len(sizes) == 1 else f"{first} in the first third of the data and {last} in the last"


def _phases(places: tuple[float, ...], period: float, units: Units) -> str:
    """The months, weekdays or hours of places within a season; "" where they have no name or are not sure."""
    kind = phase_kind(period, units)
    if kind is Phase.UNNAMED or not places:
        return ""
    numbers, _ = phases(np.array(places) + ROUNDED * period, kind, units)
    return phase_text(kind, tuple(dict.fromkeys(numbers.tolist())))


# --- what happened ---------------------------------------------------------------------------------------------------


def change_text(fact: SuddenChange, units: Units) -> str:
    """A sudden change as a sentence: when, by how much, and whether it went back."""
    before, after = pair(fact.level, fact.after, 2)
    verb = "rose" if fact.number > 0.0 else "fell"
    share = f"by {_whole_percent(fact.share)}, " if fact.share is not None else ""
    when = at(fact.at, units)
    text = f"{when[:1].upper()}{when[1:]} {units.it} {verb} suddenly, {share}from about {before} to {after}"
    if fact.until is not None:
        if fact.rows == 1:
            return f"{text}; that value stands alone."
        return f"{text}; {since(fact.until, units)} it was back."
    if fact.later < FEW_ROWS:
        rows = "one value" if fact.later == 1 else f"{count(fact.later)} values"
        return f"{text}; with {rows} since, nobody can know yet whether that lasts."
    return f"{text}, and has stayed there." if fact.stays else f"{text}."


def _whole_percent(share: float) -> str:
    """The size of a share in whole per cent: that of a change is not known more closely.

    >>> _whole_percent(-0.7068), _whole_percent(0.004)
    ('71%', 'less than 1%')
    """
    return f"{100.0 * abs(share):.0f}%" if abs(share) >= LEAST_SHARE else "less than 1%"


def scatter_text(fact: ScatterStep, units: Units) -> str:
    """That single values scatter more, or less, from a place on."""
    times = fact.number if fact.number > 1.0 else 1.0 / fact.number
    more = (
        f"{amount(times, 2)} times as far as before"
        if fact.number > 1.0
        else f"only 1/{amount(times, 2)} as far as before"
    )
    if fact.between is not None:
        return f"Some time {_between(fact.between, units)} single values began to scatter {more}."
    start = since(fact.at, units)
    return f"{start[:1].upper()}{start[1:]} single values scatter {more}."


def _between(span: Span, units: Units) -> str:
    """When something was that is known to no few rows: "between March 2012 and December 2013"."""
    first, last = (place(end, units) for end in span)
    if not units.axis.is_calendar or first == last:  # places go by the span of the data
        first, last = (stamp(end, units) for end in span)
    return f"between {first if units.axis.is_calendar else f'{quoted(units.axis.column)} = {first}'} and {last}"


def _since_scatter(fact: ScatterStep, units: Units) -> str:
    return since(fact.at, units) if fact.between is None else f"since some time {_between(fact.between, units)}"


def happened_text(facts: Sequence[FunctionFact], units: Units) -> str:
    """What happened at a time: sudden changes and changes of the scatter, the largest first; "" for nothing."""
    changes = sorted((f for f in facts if isinstance(f, SuddenChange) and f.told), key=lambda fact: -abs(fact.number))
    scatters = [fact for fact in facts if isinstance(fact, ScatterStep) and fact.told]
    texts = [change_text(fact, units) for fact in changes] + [scatter_text(fact, units) for fact in scatters]
    return " ".join(texts)


def relied_text(fact: FunctionFact, units: Units) -> str:
    """A claim as a noun phrase; "" of those that are none, and of the single runs of a course."""
    match fact:
        case Rise():
            return "that it ended higher than it began" if fact.number > 0.0 else "that it ended lower than it began"
        case SeasonSwing():
            words = cycle(fact.period, units)
            return article(f"{words.adjective} pattern") if words.adjective else f"a pattern every {words.after_every}"
        case SuddenChange():
            return f"the sudden change {at(fact.at, units)}"
        case ScatterStep():
            return f"the {'larger' if fact.number > 1.0 else 'smaller'} scatter {_since_scatter(fact, units)}"
        case _:
            return ""


def claim_text(fact: FunctionFact, units: Units) -> str:
    """A claim in a few words for a table; "" of those that are no claims."""
    match fact:
        case Rise() if fact.number != 0.0:
            way = "higher" if fact.number > 0.0 else "lower"
            return f"It lies {way} at the end than at the start (by {_size_of_rise(fact)})"
        case RunOfCourse() if fact.of > 1:
            way = "Rises" if fact.number > 0.0 else "Falls"
            return f"{way} from {stamp(fact.start, units)} to {stamp(fact.stop, units)}{hardly(fact.still, units)}"
        case SeasonSwing():
            words = cycle(fact.period, units)
            return f"Repeats every {words.after_every}"
        case SuddenChange():
            return f"Changes suddenly {at(fact.at, units)}"
        case ScatterStep():
            return f"Single values scatter differently {_since_scatter(fact, units)}"
        case _:
            return ""


def _size_of_rise(rise: Rise) -> str:
    """How large a rise is; digits far below what is known of it, or of levels, mean nothing."""
    ends = [*(rise.interval or ()), *(ROUNDED * level for level in (rise.first, rise.last))]
    return (
        amount(abs(rise.number)) if abs(rise.number) > UNSEEN * max(map(abs, ends), default=0.0) else "next to nothing"
    )


def noise_is_steady(facts: Sequence[Fact]) -> bool:
    """Whether single values scatter as far throughout, as far as the data show."""
    noise = find(tuple(facts), NoiseThroughout)
    return noise is not None and noise.told


def _seasons(facts: Sequence[Fact], units: Units) -> str:
    """All seasons that are told, as a noun phrase; "" for none."""
    return joined([season_text(fact, units) for fact in facts if isinstance(fact, SeasonSwing) and fact.told])


def ask_text(facts: Sequence[Fact], units: Units) -> str:
    """What a reader should find out about what happened; "" where nothing did that is told."""
    changes = [
        fact
        for fact in facts
        if (isinstance(fact, SuddenChange) or (isinstance(fact, ScatterStep) and fact.between is None)) and fact.told
    ]
    places = list(dict.fromkeys(at(fact.at, units) for fact in sorted(changes, key=lambda fact: fact.at)))
    if not places:
        return ""
    return f"Find out what happened {joined(places[:MOST_ASKED])}: the data show that something did, but not what."

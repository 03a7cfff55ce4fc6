"""Facts about chances of a class in words: what moves them, how well they foresee, how they hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autostatistician.describe.axis.cycles import cycle, phase_kind, phase_text, phases
from autostatistician.describe.axis.places import from_place_to, place, stamp
from autostatistician.describe.axis.units import Scale, Units, is_over_time
from autostatistician.describe.facts.classes import (
    Calibration,
    ChanceAhead,
    ChanceAt,
    ChanceCourse,
    ChanceDependence,
    Foresight,
    Persistence,
    Ranking,
    SurprisingRow,
)
from autostatistician.describe.facts.judgement import CLEARLY_OFF
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.ranges import told_for
from autostatistician.forms import CourseKind
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import in_turn, quoted
from autostatistician.wording.numbers import (
    amount,
    capital,
    count,
    decimals_between,
    fixed,
    in_percent,
    joined,
    percent,
    rounded_percent,
)

__all__ = [
    "ahead_text", "calibration_text", "chance", "chance_course_text", "chance_dependence_text", "column_place",
    "foresight_text", "nothing_text", "odds_text", "persistence_text", "ranking_text", "season_of",
    "surprises_text", "surprising_rows_text",
]  # fmt: skip

Span = tuple[float, float]
MOST_ODDS = 1000.0
LEAST_ODDS = 1.05  # odds that are nearer are the same
MOST_TURNS = 4
HARDLY = 0.03  # chances that differ by less are told as one
ROUNDED = 1e-5  # of a period: 15:00 is not the last second of the hour before
NEARLY_ALL = 0.9  # a range of a chance that wide says nothing
LITTLE_OFTEN = 0.05  # how often shares of rows of like chances would be as far from these


def column_place(value: float, span: Span, scale: Scale, levels: tuple[str, ...] = ()) -> str:
    """A place of a column, as finely as its range calls for; the name of a category; a date in words."""
    if levels:
        return quoted(levels[min(max(round(value), 0), len(levels) - 1)])
    if is_over_time(scale):
        return place(value, scale)
    return fixed(value, decimals_between(*span, 3), trim=True) if span[0] < span[1] else amount(value)


def chance(at: ChanceAt, *, first: bool = False) -> str:
    """A chance with its range.

    >>> chance(ChanceAt(30.0, 0.4, (0.31, 0.5)), first=True), chance(ChanceAt(50.0, 0.004, (0.001, 0.02)))
    ('40% (95% range: 31% to 50%)', '0.4% (0.1% to 2.0%)')
    """
    decimals = 0 if 0.02 <= at.chance <= 0.98 else 1
    texts = [_share(value, decimals) for value in (at.chance, *at.span)]
    if len({*texts}) == 1:  # beyond what is told of chances
        return texts[0]
    middle, low, high = texts
    if first:
        return say("{middle} (95% range: {low} to {high})", middle=middle, low=low, high=high)
    return say("{middle} ({low} to {high})", middle=middle, low=low, high=high)


def _share(value: float, decimals: int) -> str:
    """A chance in per cent; none that is possible is told as impossible.

    >>> _share(0.0001, 0), _share(0.9999, 0), _share(0.25, 0)
    ('less than 1%', 'more than 99%', '25%')
    """
    step = 10.0**-decimals
    if 100.0 * value < 0.5 * step:
        return say("less than {percent}", percent=in_percent(fixed(step, decimals)))
    if 100.0 * value > 100.0 - 0.5 * step:
        return say("more than {percent}", percent=in_percent(fixed(100.0 - step, decimals)))
    return rounded_percent(value, decimals)


def odds_text(first: ChanceAt, last: ChanceAt) -> str:
    """What happens to the odds from one place to another.

    >>> odds_text(ChanceAt(0.0, 0.2, (0.1, 0.3)), ChanceAt(1.0, 0.5, (0.4, 0.6)))
    'the odds are multiplied by 4'
    """
    ratio = last.odds / first.odds if first.odds > 0.0 else float("inf")
    size = max(ratio, 1.0 / ratio if ratio > 0.0 else float("inf"))
    if size < LEAST_ODDS:
        return say("the odds stay as they are")
    many = say("more than {number}", number=amount(MOST_ODDS)) if size > MOST_ODDS else amount(size, 2)
    return (
        say("the odds are multiplied by {many}", many=many)
        if ratio > 1.0
        else say("the odds are divided by {many}", many=many)
    )


# --- effects ----------------------------------------------------------------------------------------------------------


def chance_course_text(fact: ChanceCourse, scale: Scale) -> str:
    """What an effect along one column does to the chance, as the beginning of a sentence without its full stop."""
    if fact.kind is CourseKind.UNCLEAR or not fact.chances:
        return say("{column} matters, but how is not clear", column=capital(quoted(fact.column)))
    if fact.levels or len(fact.places) == 2:
        return _of_levels(fact, scale)
    if fact.period is not None or len(fact.turns) > MOST_TURNS:
        return _among_others(_up_and_down(fact, scale), fact)
    if fact.kind is CourseKind.TURNING:
        return _among_others(_turning(fact, scale), fact)
    first, last = fact.chances[0], fact.chances[-1]
    told = _among_others(_steady(fact, first, last, scale), fact), odds_text(first, last), _beyond(fact, scale)
    return in_turn(told)


def _among_others(text: str, fact: ChanceCourse) -> str:
    return say("{text}, other things as they are", text=text) if fact.among_others else text


_STEADY = {  # by whether it is over time, and whether the chance rises
    (True, True): message("{span} {it} rises from {first} to {last}"),
    (True, False): message("{span} {it} falls from {first} to {last}"),
    (False, True): message("Between {start} and {end} of {column} {it} rises from {first} to {last}"),
    (False, False): message("Between {start} and {end} of {column} {it} falls from {first} to {last}"),
}


def _steady(fact: ChanceCourse, first: ChanceAt, last: ChanceAt, scale: Scale) -> str:
    start, end = (column_place(at.at, (fact.low, fact.high), scale) for at in (first, last))
    span = from_place_to(start, end)
    text = say(
        _STEADY[is_over_time(scale), last.chance > first.chance], start=start, end=end, span=span, it=scale.it,
        column=quoted(fact.column), first=chance(first, first=True), last=chance(last),
    )  # fmt: skip
    return capital(text)


def _beyond(fact: ChanceCourse, scale: Scale) -> str:
    """Where the course is flat or not clear."""
    span = (fact.low, fact.high)
    if fact.open_from is not None:
        return say("beyond about {place} it follows no clear course", place=column_place(fact.open_from, span, scale))
    if fact.open_until is not None:
        return say("before about {place} it follows no clear course", place=column_place(fact.open_until, span, scale))
    if fact.flat_from is not None:
        return say("beyond about {place} it hardly changes", place=column_place(fact.flat_from, span, scale))
    if fact.flat_until is not None:
        return say("before about {place} it hardly changes", place=column_place(fact.flat_until, span, scale))
    return ""


def _of_levels(fact: ChanceCourse, scale: Scale) -> str:
    column, span = quoted(fact.column), (fact.low, fact.high)
    high, low = (max(fact.chances, key=lambda at: at.chance), min(fact.chances, key=lambda at: at.chance))
    first, other = (column_place(at.at, span, scale, fact.levels) for at in (high, low))
    told = {"it": scale.it, "column": column, "first": first, "other": other, "high": chance(high, first=True),
            "low": chance(low)}  # fmt: skip
    if len(fact.chances) == 2:
        text = say("{it} is {high} where {column} is {first} and {low} where it is {other}", **told)
        return in_turn([_among_others(text, fact), odds_text(low, high), _rates(fact, high, low)])
    text = say("{it} is highest where {column} is {first}, {high}, and lowest where it is {other}, {low}", **told)
    return in_turn([_among_others(text, fact), _rates(fact, high, low)])


def _rates(fact: ChanceCourse, high: ChanceAt, low: ChanceAt) -> str:
    """How often the class came among the rows of both groups; "" where that was not counted."""
    if not fact.rates:
        return ""
    first, other = (percent(fact.rates[fact.chances.index(at)]) for at in (high, low))
    return say("in the rows themselves {first} and {other}", first=first, other=other)


def _up_and_down(fact: ChanceCourse, scale: Scale) -> str:
    high, low = (max(fact.chances, key=lambda at: at.chance), min(fact.chances, key=lambda at: at.chance))
    if fact.period is not None and isinstance(scale, Units):
        ends = [_in_season(chance(at, first=at is low), season_of(at, fact.period, scale)) for at in (low, high)]
        every = cycle(fact.period, scale).repeats
        return say("{it} repeats {every}, between {low} and {high}", it=scale.it, every=every, low=ends[0],
                   high=ends[1])  # fmt: skip
    told = {"it": scale.it, "column": quoted(fact.column), "low": chance(low, first=True), "high": chance(high)}
    if fact.period is not None:
        step = amount(fact.period, 3)
        return say("{it} repeats along {column} every {step}, between {low} and {high}", step=step, **told)
    turns = count(len(fact.turns))
    return say("{it} goes up and down {n} times along {column}, between {low} and {high}", n=turns, **told)


def _in_season(text: str, season: str) -> str:
    return say("{chance} {season}", chance=text, season=season) if season else text


def season_of(at: ChanceAt, period: float, scale: Units) -> str:
    """When in a cycle of the calendar a chance is reached: "in July"; "" where that has no name."""
    kind = phase_kind(period, scale)
    if kind is Phase.UNNAMED:
        return ""
    numbers, _ = phases(np.array([at.at + ROUNDED * period]), kind, scale)
    return phase_text(kind, tuple(numbers.tolist()))


def ahead_text(fact: ChanceAhead, scale: Units) -> str:
    """The chance after the data: where it is highest and lowest, or that it hardly changes."""
    first, last = (stamp(at.at, scale) for at in (fact.first, fact.last))
    told = {"it": scale.it, "average": percent(fact.number), "n": fact.steps, "first": first, "last": last}
    if fact.steps == 1:
        only = chance(fact.first, first=True)
        return capital(
            say("{it} in the step after the data ({when}) is {chance}.", it=scale.it, when=first, chance=only)
        )
    if fact.highest.chance - fact.lowest.chance < HARDLY:
        end = chance(fact.last, first=True)
        text = say(
            "{it} stays at about {average} in the {n} steps after the data ({first} to {last}): {end} at their end.",
            **told, end=end,
        )  # fmt: skip
        return capital(text)
    is_open = any(at.span[1] - at.span[0] > NEARLY_ALL for at in (fact.lowest, fact.highest))
    low, high = (
        _at_time(percent(at.chance) if is_open else chance(at, first=at is fact.lowest), at, scale)
        for at in (fact.lowest, fact.highest)
    )
    text = say(
        "{it} is {average} on average in the {n} steps after the data ({first} to {last}): lowest {low}, highest "
        "{high}.", **told, low=low, high=high,
    )  # fmt: skip
    open_text = say("What it is at single steps the data leave open.") if is_open else ""
    return " ".join(filter(None, [capital(text), open_text]))


def _at_time(text: str, at: ChanceAt, scale: Units) -> str:
    return say("{value} {when}", value=text, when=told_for(at.at, scale))


def _turning(fact: ChanceCourse, scale: Scale) -> str:
    """The chance at the ends and at every turn, in order."""
    span, chances = (fact.low, fact.high), fact.chances
    where = [column_place(at.at, span, scale) for at in chances]
    first, last = chance(chances[0], first=True), chance(chances[1])
    steps: list[str] = [
        say("from {first} at {start} to {last} at about {end}", first=first, start=where[0], last=last, end=where[1])
    ]
    for before, turn, at in zip(chances[1:], chances[2:], where[2:], strict=False):
        text = _TURN[turn.chance > before.chance, turn is chances[-1]]
        steps.append(say(text, chance=chance(turn), place=at))
    told = {"column": quoted(fact.column), "it": scale.it, "steps": joined(steps)}
    if chances[1].chance > chances[0].chance:
        return say("Along {column} {it} rises {steps}", **told)
    return say("Along {column} {it} falls {steps}", **told)


_TURN = {  # by whether it rises, and whether it is the last place
    (True, False): message("rises to {chance} at about {place}"),
    (True, True): message("rises to {chance} at {place}"),
    (False, False): message("falls to {chance} at about {place}"),
    (False, True): message("falls to {chance} at {place}"),
}


def chance_dependence_text(fact: ChanceDependence, scale: Scale, columns: tuple[str, ...] = ()) -> str:
    """That the effect of one column changes with another, by the chances at two places of each."""
    low, high = (column_place(at, fact.along_places, scale, fact.along_levels) for at in fact.along_places)
    where, elsewhere = (column_place(at, fact.by_places, scale, fact.by_levels) for at in fact.by_places)
    lowest, last_low, first_high, highest = fact.corners
    text = say(
        "{both} act together: with {along} at {high} instead of {low}, {it} {step} where {by} is {where}, and {other} "
        "where it is {elsewhere}",
        both=joined([quoted(name) for name in (fact.along, fact.by)]), along=quoted(fact.along), by=quoted(fact.by),
        high=high, low=low, it=scale.it, where=where, elsewhere=elsewhere,
        step=_step(lowest, first_high, first=True), other=_step(last_low, highest),
    )  # fmt: skip
    if not fact.others:
        return f"{text}."
    rest = joined([quoted(name) for name in columns if name not in (fact.along, fact.by)])
    return say("{text} (averaged over {columns}).", text=text, columns=rest or say("the other columns"))


def _step(before: ChanceAt, after: ChanceAt, *, first: bool = False) -> str:
    ends = {"first": chance(before, first=first), "last": chance(after)}
    if after.chance > before.chance:
        return say("rises from {first} to {last}", **ends)
    return say("falls from {first} to {last}", **ends)


# --- how well ---------------------------------------------------------------------------------------------------------


def nothing_text(scale: Scale, foresight: Foresight, *, is_open: bool = False) -> str:
    """That no column tells anything, or that it is open."""
    told = {"it": scale.it, "share": percent(foresight.share)}
    if is_open:
        return say("It is open whether a column tells anything about {it}, which came in {share} of the rows.", **told)
    return say("No column tells anything clear about {it}, which came in {share} of the rows.", **told)


def foresight_text(fact: Foresight, scale: Scale) -> str:
    """How well classes are foreseen beside the share of the class alone, and whether that is clear."""
    usual = scale.event if fact.share >= 0.5 else scale.other
    told = {"wrong": percent(fact.wrong), "usual": quoted(usual), "of_share": percent(fact.wrong_of_share)}
    if fact.gain_interval[0] > 0.0:
        return say(
            "Foreseen from all other rows, {wrong} are taken for the wrong class, where always saying {usual} would be "
            "wrong in {of_share}.",
            **told,
        )
    return say(
        "Foreseen from all other rows, {wrong} are taken for the wrong class, where always saying {usual} would be "
        "wrong in {of_share}: that is not clearly better.",
        **told,
    )


def ranking_text(fact: Ranking, scale: Scale) -> str:
    """The area under the ROC curve in plain words."""
    low, high = fact.interval or (fact.number, fact.number)
    return say(
        "Of two rows, one {event} and one {other}, the former has the higher chance in {share} of all pairs (95% "
        "range: {low} to {high}; guessing gives 50%). This is the area under the ROC curve.",
        event=quoted(scale.event), other=quoted(scale.other), share=percent(fact.number), low=percent(low),
        high=percent(high),
    )  # fmt: skip


def calibration_text(fact: Calibration, scale: Scale) -> str:
    """Whether chances are what they say."""
    if fact.number > CLEARLY_OFF:
        return say("The chances are too near to 0% and 100%: what came was foreseen worse than they say.")
    if fact.number < -CLEARLY_OFF:
        return say("The chances are too cautious: what came was foreseen better than they say.")
    event = quoted(scale.event)
    if fact.bins_p < LITTLE_OFTEN:
        return say("The chances: of rows with like chances, another share than these say was {event}.", event=event)
    return say("The chances are what they say: of rows with like chances, about that share was {event}.", event=event)


def persistence_text(fact: Persistence, scale: Scale) -> str:
    """That a class stays, by what was counted."""
    return say(
        "{event} stays: {event} follows {event} in {often} of the rows ({stays} of {after}), and {other} in {seldom} "
        "({comes} of {after_other}); there are {runs} stretches of one class, where by accident about {expected} would "
        "be expected.",
        event=quoted(scale.event), other=quoted(scale.other), often=percent(fact.number), stays=fact.stays,
        after=fact.after, seldom=percent(fact.comes / fact.after_other), comes=fact.comes, after_other=fact.after_other,
        runs=fact.runs, expected=fixed(fact.runs_expected, 0),
    )  # fmt: skip


def surprises_text(surprises: Sequence[SurprisingRow], scale: Scale) -> str:
    """Rows whose class had been given a small chance; "" where there are none."""
    names = {True: quoted(scale.event), False: quoted(scale.other)}
    rows = [(surprise.row, names[surprise.came], surprise.number) for surprise in surprises]
    return surprising_rows_text(rows, surprises[0].expected) if rows else ""


def surprising_rows_text(rows: Sequence[tuple[int, str, float]], expected: float) -> str:
    """Some rows whose class, in quotes, had been given a small chance, beside how many were to be expected."""
    told = [
        say("row {row} ({name}, {chance})", row=row, name=name, chance=_small(chance)) for row, name, chance in rows
    ]
    came = say_count(
        len(rows), "{n} row was of a class that had been given a chance of less than 5%: {rows}.",
        "{n} rows were of a class that had been given a chance of less than 5%: {rows}.",
        n=count(len(rows)), rows=joined(told),
    )  # fmt: skip
    usual = (
        say("By accident about {n} would be expected.", n=fixed(expected, 0))
        if expected >= 1.0
        else say("By accident less than one would be expected.")
    )
    return " ".join([capital(came), usual, say("Rows have their numbers in the table, from 1.")])


def _small(chance: float) -> str:
    """A chance below 5% in per cent, never rounded up to that."""
    text = percent(chance)
    return say("just below {percent}", percent=text) if text == percent(0.05) else text

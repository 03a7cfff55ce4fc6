"""Facts about chances of a class in words: what moves them, how well they foresee, how they hold."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import numpy as np

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.phases import phase_kind, phase_text, phases
from autostatistician.describe.axis.places import place, stamp
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units, is_over_time
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
from autostatistician.forms import CourseKind
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, capital, count, decimals_between, fixed, joined, percent, plural

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
SAME_SCORE = 5e-4  # of log scores: a smaller difference is not seen in three decimals


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
    return f"{texts[0]} ({'95% range: ' if first else ''}{texts[1]} to {texts[2]})"


def _share(value: float, decimals: int) -> str:
    """A chance in per cent; none that is possible is told as impossible.

    >>> _share(0.0001, 0), _share(0.9999, 0), _share(0.25, 0)
    ('less than 1%', 'more than 99%', '25%')
    """
    step = 10.0**-decimals
    if 100.0 * value < 0.5 * step:
        return f"less than {fixed(step, decimals)}%"
    if 100.0 * value > 100.0 - 0.5 * step:
        return f"more than {fixed(100.0 - step, decimals)}%"
    return f"{fixed(100.0 * value, decimals)}%"


def odds_text(first: ChanceAt, last: ChanceAt) -> str:
    """What happens to the odds from one place to another.

    >>> odds_text(ChanceAt(0.0, 0.2, (0.1, 0.3)), ChanceAt(1.0, 0.5, (0.4, 0.6)))
    'the odds are multiplied by 4'
    """
    ratio = last.odds / first.odds if first.odds > 0.0 else float("inf")
    size = max(ratio, 1.0 / ratio if ratio > 0.0 else float("inf"))
    if size < LEAST_ODDS:
        return "the odds stay as they are"
    many = f"more than {amount(MOST_ODDS)}" if size > MOST_ODDS else amount(size, 2)
    return f"the odds are {'multiplied' if ratio > 1.0 else 'divided'} by {many}"


# --- effects ----------------------------------------------------------------------------------------------------------


def chance_course_text(fact: ChanceCourse, scale: Scale) -> str:
    """What an effect along one column does to the chance, as the beginning of a sentence without its full stop."""
    column, chances = quoted(fact.column), fact.chances
    if fact.kind is CourseKind.UNCLEAR or not chances:
        return f"{capital(column)} has no effect that is clear"
    if fact.levels or len(fact.places) == 2:
        return f"{_of_levels(fact, scale)}{_rest(fact)}"
    if fact.period is not None or len(fact.turns) > MOST_TURNS:
        return f"{_up_and_down(fact, scale)}{_rest(fact)}"
    if fact.kind is CourseKind.TURNING:
        return f"{_turning(fact, scale)}{_rest(fact)}"
    first, last = chances[0], chances[-1]
    verb = "rises" if last.chance > first.chance else "falls"
    between = _between(fact, first, last, scale)
    text = f"{between} {scale.it} {verb} from {chance(first, first=True)} to {chance(last)}{_rest(fact)}"
    return f"{text}; {odds_text(first, last)}{_beyond(fact, scale)}"


def _rest(fact: ChanceCourse) -> str:
    return ", other things as they are" if fact.among_others else ""


def _between(fact: ChanceCourse, first: ChanceAt, last: ChanceAt, scale: Scale) -> str:
    ends = [column_place(end.at, (fact.low, fact.high), scale) for end in (first, last)]
    if is_over_time(scale):
        return f"From {ends[0]} to {ends[1]}"
    return f"Between {ends[0]} and {ends[1]} of {quoted(fact.column)}"


def _beyond(fact: ChanceCourse, scale: Scale) -> str:
    """Where the course is flat or not clear."""
    span = (fact.low, fact.high)
    if fact.open_from is not None:
        return f"; beyond about {column_place(fact.open_from, span, scale)} it follows no clear course"
    if fact.open_until is not None:
        return f"; before about {column_place(fact.open_until, span, scale)} it follows no clear course"
    if fact.flat_from is not None:
        return f"; beyond about {column_place(fact.flat_from, span, scale)} it hardly changes"
    if fact.flat_until is not None:
        return f"; before about {column_place(fact.flat_until, span, scale)} it hardly changes"
    return ""


def _of_levels(fact: ChanceCourse, scale: Scale) -> str:
    column, span = quoted(fact.column), (fact.low, fact.high)
    high, low = (max(fact.chances, key=lambda at: at.chance), min(fact.chances, key=lambda at: at.chance))
    names = [column_place(at.at, span, scale, fact.levels) for at in (high, low)]
    if len(fact.chances) == 2:
        sides = f"{chance(high, first=True)} where {column} is {names[0]} and {chance(low)} where it is {names[1]}"
        return f"{scale.it} is {sides}"
    ends = f"highest where {column} is {names[0]}, {chance(high, first=True)}, and lowest where it is {names[1]}"
    return f"{scale.it} is {ends}, {chance(low)}"


def _up_and_down(fact: ChanceCourse, scale: Scale) -> str:
    high, low = (max(fact.chances, key=lambda at: at.chance), min(fact.chances, key=lambda at: at.chance))
    column = quoted(fact.column)
    how = f"goes up and down {count(len(fact.turns))} times along {column}"
    if fact.period is not None:
        how = f"repeats along {column} every {amount(fact.period, 3)}"
    if fact.period is not None and isinstance(scale, Units):
        how = f"repeats every {cycle(fact.period, scale).after_every}"
        ends = [f"{chance(at, first=at is low)}{season_of(at, fact.period, scale)}" for at in (low, high)]
        return f"{scale.it} {how}, between {ends[0]} and {ends[1]}"
    return f"{scale.it} {how}, between {chance(low, first=True)} and {chance(high)}"


def season_of(at: ChanceAt, period: float, scale: Units) -> str:
    """When in a cycle of the calendar a chance is reached, after a space; "" where that has no name."""
    kind = phase_kind(period, scale)
    if kind is Phase.UNNAMED:
        return ""
    numbers, _ = phases(np.array([at.at + ROUNDED * period]), kind, scale)
    return f" {phase_text(kind, tuple(numbers.tolist()))}"


def ahead_text(fact: ChanceAhead, scale: Units) -> str:
    """The chance after the data: where it is highest and lowest, or that it hardly changes."""
    first, last = (stamp(at.at, scale) for at in (fact.first, fact.last))
    if fact.steps == 1:
        return f"{capital(scale.it)} in the step after the data ({first}) is {chance(fact.first, first=True)}."
    when = f"in the {fact.steps} steps after the data ({first} to {last})"
    if fact.highest.chance - fact.lowest.chance < HARDLY:
        end = chance(fact.last, first=True)
        return f"{capital(scale.it)} stays at about {percent(fact.number)} {when}: {end} at their end."
    if any(at.span[1] - at.span[0] > NEARLY_ALL for at in (fact.lowest, fact.highest)):
        low, high = (f"{percent(at.chance)} for {stamp(at.at, scale)}" for at in (fact.lowest, fact.highest))
        return (
            f"{capital(scale.it)} is {percent(fact.number)} on average {when}: lowest {low}, highest {high}. "
            "What it is at single steps the data leave open."
        )
    ends = [f"{chance(at, first=at is fact.lowest)} for {stamp(at.at, scale)}" for at in (fact.lowest, fact.highest)]
    return f"{capital(scale.it)} is {percent(fact.number)} on average {when}: lowest {ends[0]}, highest {ends[1]}."


def _turning(fact: ChanceCourse, scale: Scale) -> str:
    """The chance at the ends and at every turn, in order."""
    span, chances = (fact.low, fact.high), fact.chances
    where = [column_place(at.at, span, scale) for at in chances]
    way = "rises" if chances[1].chance > chances[0].chance else "falls"
    steps = [f"from {chance(chances[0], first=True)} at {where[0]} to {chance(chances[1])} at about {where[1]}"]
    for before, turn, at in zip(chances[1:], chances[2:], where[2:], strict=False):
        verb = "rises" if turn.chance > before.chance else "falls"
        steps.append(f"{verb} to {chance(turn)} at {'about ' if turn is not chances[-1] else ''}{at}")
    return f"Along {quoted(fact.column)} {scale.it} {way} {joined(steps)}"


def chance_dependence_text(fact: ChanceDependence, scale: Scale, columns: tuple[str, ...] = ()) -> str:
    """That the effect of one column changes with another, by the chances at two places of each."""
    names = joined([quoted(name) for name in (fact.along, fact.by)])
    rest = joined([quoted(name) for name in columns if name not in (fact.along, fact.by)])
    others = f" (averaged over {rest or 'the other columns'})" if fact.others else ""
    low, high = (column_place(at, fact.along_places, scale, fact.along_levels) for at in fact.along_places)
    where = [column_place(at, fact.by_places, scale, fact.by_levels) for at in fact.by_places]
    lowest, last_low, first_high, highest = fact.corners
    ways = [_step(lowest, first_high, first=True), _step(last_low, highest)]
    return (
        f"{names} act together: with {quoted(fact.along)} at {high} instead of {low}, {scale.it} {ways[0]} where "
        f"{quoted(fact.by)} is {where[0]}, and {ways[1]} where it is {where[1]}{others}."
    )


def _step(before: ChanceAt, after: ChanceAt, *, first: bool = False) -> str:
    verb = "rises" if after.chance > before.chance else "falls"
    return f"{verb} from {chance(before, first=first)} to {chance(after)}"


# --- how well ---------------------------------------------------------------------------------------------------------


def nothing_text(scale: Scale, foresight: Foresight) -> str:
    """That no column tells anything."""
    return (
        f"Nothing was found: no column tells anything about {scale.it} that is clear of accident. It came in "
        f"{percent(foresight.share)} of the rows, and nothing better than that share can be said of any."
    )


def foresight_text(fact: Foresight, scale: Scale) -> str:
    """How well classes are foreseen beside the share of the class alone."""
    usual = scale.event if fact.share >= 0.5 else scale.other
    given, by_share = exp(fact.number), exp(fact.of_share)
    return (
        f"When each row is foreseen from all the others, {percent(fact.wrong)} are taken for the wrong class, where "
        f"always saying {quoted(usual)} would be wrong in {percent(fact.wrong_of_share)}. What came had been given a "
        f"chance of {percent(given)} on (geometric) average, where the share of the class alone gives "
        f"{percent(by_share)}: a log score of {fixed(fact.number, 3)} beside {fixed(fact.of_share, 3)}{_sure(fact)}."
    )


def _sure(fact: Foresight) -> str:
    low, high = fact.gain_interval
    if abs(fact.gain) < SAME_SCORE:
        return ""
    if low > 0.0:
        return ", a gain that is clear"
    return ", a loss that is clear" if high < 0.0 else ", a difference that may be accident"


def ranking_text(fact: Ranking, scale: Scale) -> str:
    """The area under the ROC curve in plain words."""
    low, high = fact.interval or (fact.number, fact.number)
    return (
        f"Of two rows, one {quoted(scale.event)} and one {quoted(scale.other)}, the former has the higher chance in "
        f"{percent(fact.number)} of all pairs (95% range: {percent(low)} to {percent(high)}; guessing gives 50%). This "
        "is the area under the ROC curve."
    )


def calibration_text(fact: Calibration, scale: Scale) -> str:
    """Whether chances are what they say."""
    if fact.number > CLEARLY_OFF:
        return "The chances are too near to 0% and 100%: what came was foreseen worse than they say."
    if fact.number < -CLEARLY_OFF:
        return "The chances are too cautious: what came was foreseen better than they say."
    if fact.bins_p < LITTLE_OFTEN:
        return f"The chances: of rows with like chances, another share than these say was {quoted(scale.event)}."
    return f"The chances are what they say: of rows with like chances, about that share was {quoted(scale.event)}."


def persistence_text(fact: Persistence, scale: Scale) -> str:
    """That a class stays, by what was counted."""
    event, other = quoted(scale.event), quoted(scale.other)
    often = f"{event} follows {event} in {percent(fact.number)} of the rows ({fact.stays} of {fact.after})"
    seldom = f"{other} in {percent(fact.comes / fact.after_other)} ({fact.comes} of {fact.after_other})"
    runs = f"there are {fact.runs} stretches of one class, where by accident about {fixed(fact.runs_expected, 0)}"
    return f"{event} stays: {often}, and {seldom}; {runs} would be expected."


def surprises_text(surprises: Sequence[SurprisingRow], scale: Scale) -> str:
    """Rows whose class had been given a small chance; "" where there are none."""
    names = {True: quoted(scale.event), False: quoted(scale.other)}
    rows = [(surprise.row, names[surprise.came], surprise.number) for surprise in surprises]
    return surprising_rows_text(rows, surprises[0].expected) if rows else ""


def surprising_rows_text(rows: Sequence[tuple[int, str, float]], expected: float) -> str:
    """Some rows whose class, in quotes, had been given a small chance, beside how many were to be expected."""
    told = [f"row {row} ({name}, {_small(chance)})" for row, name, chance in rows]
    usual = f"about {fixed(expected, 0)}" if expected >= 1.0 else "less than one"
    return (
        f"{capital(plural(len(rows), 'row'))} {'was' if len(rows) == 1 else 'were'} of a class that had been "
        f"given a chance of less than 5%: {joined(told)}. By accident {usual} would be expected. Rows are counted as "
        "they were used, from 1."
    )


def _small(chance: float) -> str:
    """A chance below 5% in per cent, never rounded up to that."""
    text = percent(chance)
    return "just below 5%" if text == percent(0.05) else text

"""Facts about chances of a class in words: what moves them, how well they foresee, how they hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autostatistician.describe.axis.cycles import cycle, phase_kind, phase_text, phases
from autostatistician.describe.axis.places import from_place_to, place, stamp
from autostatistician.describe.axis.units import Scale, Units, is_over_time
from autostatistician.describe.claims.claim import Claim
from autostatistician.describe.facts.classes import (
    Calibration,
    ChanceAhead,
    ChanceAt,
    ChanceCourse,
    ChanceDependence,
    Foresight,
)
from autostatistician.describe.facts.judgement import CLEARLY_OFF
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.ranges import told_for
from autostatistician.forms import CourseKind
from autostatistician.wording.messages import sentence
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
    "share_text", "surprises_text",
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
    texts = [share_text(value, decimals) for value in (at.chance, *at.span)]
    if len({*texts}) == 1:  # beyond what is told of chances
        return texts[0]
    middle, low, high = texts
    return sentence("chance.ranged", first=first, middle=middle, low=low, high=high)


def share_text(value: float, decimals: int = 0) -> str:
    """A chance in per cent; none that is possible is told as impossible.

    >>> share_text(0.0001), share_text(0.9999), share_text(0.25)
    ('less than 1%', 'more than 99%', '25%')
    """
    step = 10.0**-decimals
    if 100.0 * value < 0.5 * step:
        return sentence("chance.share", end="low", percent=in_percent(fixed(step, decimals)))
    if 100.0 * value > 100.0 - 0.5 * step:
        return sentence("chance.share", end="high", percent=in_percent(fixed(100.0 - step, decimals)))
    return rounded_percent(value, decimals)


def odds_text(first: ChanceAt, last: ChanceAt) -> str:
    """What happens to the odds from one place to another.

    >>> odds_text(ChanceAt(0.0, 0.2, (0.1, 0.3)), ChanceAt(1.0, 0.5, (0.4, 0.6)))
    'the odds are multiplied by 4'
    """
    ratio = last.odds / first.odds if first.odds > 0.0 else float("inf")
    size = max(ratio, 1.0 / ratio if ratio > 0.0 else float("inf"))
    how = "same" if size < LEAST_ODDS else "large" if size > MOST_ODDS else ""
    return sentence(
        "chance.odds", size=how, direction=_direction(ratio > 1.0), many=amount(min(size, MOST_ODDS), 3 if how else 2)
    )


def _direction(rises: bool) -> str:
    return "up" if rises else "down"


# --- effects ----------------------------------------------------------------------------------------------------------


def chance_course_text(fact: ChanceCourse, scale: Scale) -> str:
    """What an effect along one column does to the chance, as the beginning of a sentence without its full stop."""
    shape = _shape(fact, scale)
    if shape == "unclear":
        return sentence("chance.course", shape=shape, column=capital(quoted(fact.column)))
    low, high = (max(fact.chances, key=lambda at: sign * at.chance) for sign in (-1.0, 1.0))
    rises, is_steady = fact.chances[-1].chance > fact.chances[0].chance, shape in ("steady", "time")
    if is_steady:
        low, high = (fact.chances[0], fact.chances[-1]) if rises else (fact.chances[-1], fact.chances[0])
    elif shape == "turns":
        rises = fact.chances[1].chance > fact.chances[0].chance
    low_first = rises if is_steady else shape in ("cycle", "repeats", "turns often")
    start, end, first, other = (
        column_place(at.at, (fact.low, fact.high), scale, fact.levels)
        for at in (fact.chances[0], fact.chances[-1], high, low)
    )
    text = sentence(
        "chance.course", shape=shape, direction=_direction(rises), it=scale.it, column=quoted(fact.column),
        low=_in_season(chance(low, first=low_first), low, fact, scale), first=first, other=other, start=start, end=end,
        high=_in_season(chance(high, first=not low_first), high, fact, scale), span=from_place_to(start, end),
        every=cycle(fact.period, scale).repeats if fact.period is not None and isinstance(scale, Units) else "",
        step=amount(fact.period or 0.0, 3), n=count(len(fact.turns)), steps=_steps(fact, scale),
    )  # fmt: skip
    text = sentence("chance.among", others=fact.among_others, text=capital(text) if is_steady else text)
    odds = odds_text(*((fact.chances[0], fact.chances[-1]) if is_steady else (low, high)))
    if is_steady:
        return in_turn([text, odds, _beyond(fact, scale)])
    rates = _rates(fact, high, low) if shape in ("two", "levels") else ""
    return in_turn([text, odds if shape == "two" else "", rates])


def _shape(fact: ChanceCourse, scale: Scale) -> str:
    """The course of a chance, as its sentence asks for it."""
    if fact.kind is CourseKind.UNCLEAR or not fact.chances:
        return "unclear"
    if fact.levels or len(fact.places) == 2:
        return "two" if len(fact.chances) == 2 else "levels"
    if fact.period is not None:
        return "cycle" if isinstance(scale, Units) else "repeats"
    if fact.kind is CourseKind.TURNING or len(fact.turns) > MOST_TURNS:
        return "turns often" if len(fact.turns) > MOST_TURNS else "turns"
    return "time" if is_over_time(scale) else "steady"


def _beyond(fact: ChanceCourse, scale: Scale) -> str:
    """Where the course is flat or not clear."""
    for name in ("open_from", "open_until", "flat_from", "flat_until"):
        if (place := getattr(fact, name)) is not None:
            return sentence("chance.beyond", where=name, place=column_place(place, (fact.low, fact.high), scale))
    return ""


def _rates(fact: ChanceCourse, high: ChanceAt, low: ChanceAt) -> str:
    """How often the class came among the rows of both groups; "" where that was not counted."""
    if not fact.rates:
        return ""
    first, other = (percent(fact.rates[fact.chances.index(at)]) for at in (high, low))
    return sentence("chance.rates", first=first, other=other)


def _in_season(text: str, at: ChanceAt, fact: ChanceCourse, scale: Scale) -> str:
    """A chance with when in a cycle it is reached, where that has a name."""
    season = season_of(at, fact.period, scale) if fact.period is not None and isinstance(scale, Units) else ""
    return sentence("chance.told", chance=text, season=season) if season else text


def season_of(at: ChanceAt, period: float, scale: Units) -> str:
    """When in a cycle of the calendar a chance is reached: "in July"; "" where that has no name."""
    kind = phase_kind(period, scale)
    if kind is Phase.UNNAMED:
        return ""
    numbers, _ = phases(np.array([at.at + ROUNDED * period]), kind, scale)
    return phase_text(kind, tuple(numbers.tolist()))


def ahead_text(fact: ChanceAhead, scale: Units) -> str:
    """The chance after the data: where it is highest and lowest, or that it hardly changes."""
    stays = fact.highest.chance - fact.lowest.chance < HARDLY
    shape = "one" if fact.steps == 1 else "stays" if stays else ""
    ends = (fact.lowest, fact.highest)
    is_open = not shape and any(at.span[1] - at.span[0] > NEARLY_ALL for at in ends)
    first, last = (stamp(at.at, scale) for at in (fact.first, fact.last))
    low, high = (_at_time(percent(at.chance) if is_open else chance(at, first=at is ends[0]), at, scale) for at in ends)
    text = sentence(
        "chance.ahead", shape=shape, it=scale.it, average=percent(fact.number), n=fact.steps, first=first, last=last,
        end=chance(fact.first if shape == "one" else fact.last, first=True), low=low, high=high,
    )  # fmt: skip
    return " ".join([capital(text), *([sentence("chance.open")] if is_open else [])])


def _at_time(text: str, at: ChanceAt, scale: Units) -> str:
    return sentence("chance.when", value=text, when=told_for(at.at, scale))


def _steps(fact: ChanceCourse, scale: Scale) -> str:
    """The chance at the ends and at every turn, in order; "" of a course that does not turn."""
    if fact.kind is not CourseKind.TURNING or len(fact.chances) < 2:
        return ""
    chances = fact.chances
    where = [column_place(at.at, (fact.low, fact.high), scale) for at in chances]
    first, last = chance(chances[0], first=True), chance(chances[1])
    steps: list[str] = [sentence("chance.from_to", first=first, start=where[0], last=last, end=where[1])]
    for before, turn, at in zip(chances[1:], chances[2:], where[2:], strict=False):
        direction, is_last = _direction(turn.chance > before.chance), turn is chances[-1]
        steps.append(sentence("chance.turn", direction=direction, last=is_last, chance=chance(turn), place=at))
    return joined(steps)


def chance_dependence_text(fact: ChanceDependence, scale: Scale, columns: tuple[str, ...] = ()) -> str:
    """That the effect of one column changes with another, by the chances at two places of each."""
    low, high = (column_place(at, fact.along_places, scale, fact.along_levels) for at in fact.along_places)
    where, elsewhere = (column_place(at, fact.by_places, scale, fact.by_levels) for at in fact.by_places)
    lowest, last_low, first_high, highest = fact.corners
    text = sentence(
        "chance.together", both=joined([quoted(name) for name in (fact.along, fact.by)]), along=quoted(fact.along),
        by=quoted(fact.by), high=high, low=low, it=scale.it, where=where, elsewhere=elsewhere,
        step=_step(lowest, first_high, first=True), other=_step(last_low, highest),
    )  # fmt: skip
    if not fact.others:
        return f"{text}."
    rest = joined([quoted(name) for name in columns if name not in (fact.along, fact.by)])
    return sentence("chance.averaged", text=text, columns=rest or sentence("effect.others"))


def _step(before: ChanceAt, after: ChanceAt, *, first: bool = False) -> str:
    direction = _direction(after.chance > before.chance)
    return sentence("chance.step", direction=direction, first=chance(before, first=first), last=chance(after))


# --- how well ---------------------------------------------------------------------------------------------------------


def nothing_text(scale: Scale, foresight: Foresight, *, is_open: bool = False) -> str:
    """That no column tells anything, or that it is open."""
    return sentence("chance.nothing", open=is_open, it=scale.it, share=percent(foresight.share))


def foresight_text(fact: Foresight, scale: Scale) -> str:
    """How well classes are foreseen beside the share of the class alone, and whether that is clear."""
    usual = scale.event if fact.share >= 0.5 else scale.other
    return sentence(
        "chance.foreseen", better=fact.gain_interval[0] > 0.0, wrong=percent(fact.wrong), usual=quoted(usual),
        of_share=percent(fact.wrong_of_share),
    )  # fmt: skip


def ranking_text(claim: Claim, scale: Scale) -> str:
    """The area under the ROC curve in plain words."""
    share, low, high = map(percent, (claim.number.value, *claim.number.interval))
    return sentence(
        "chance.ranking", event=quoted(scale.event), other=quoted(scale.other), share=share, low=low, high=high
    )


def calibration_text(fact: Calibration, scale: Scale) -> str:
    """Whether chances are what they say."""
    are = "off" if fact.bins_p < LITTLE_OFTEN else "right"
    if abs(fact.number) > CLEARLY_OFF:
        are = "extreme" if fact.number > 0.0 else "cautious"
    return sentence("chance.calibration", are=are, event=quoted(scale.event))


def persistence_text(claim: Claim, scale: Scale) -> str:
    """That a class stays, by what was counted."""
    counted = {name: round(claim[name]) for name in ("stays", "after", "comes", "after_other", "runs")}
    return sentence(
        "persistence.stays", event=quoted(scale.event), other=quoted(scale.other), often=percent(claim.number.value),
        seldom=percent(claim["comes"] / claim["after_other"]), expected=fixed(claim["runs_expected"], 0), **counted,
    )  # fmt: skip


def surprises_text(surprises: Sequence[Claim]) -> str:
    """Rows whose class had been given a small chance, beside how many were to be expected."""
    if not surprises:
        return sentence("classes.none_surprises")
    told = [
        sentence("surprises.row", row=round(one.at[0]), name=quoted(one.named["came"]), chance=_small(one.number.value))
        for one in surprises
    ]
    came = sentence("surprises.came", n=len(told), number=count(len(told)), rows=joined(told))
    expected = surprises[0]["expected"]
    usual = sentence("surprises.expected", some=expected >= 1.0, n=fixed(expected, 0))
    return " ".join([capital(came), usual, sentence("surprises.numbers")])


def _small(chance: float) -> str:
    """A chance below 5% in per cent, never rounded up to that."""
    text = percent(chance)
    return sentence("chance.just_below", percent=text) if text == percent(0.05) else text

"""Facts about chances of a class in words: what moves them, how well they foresee, how they hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autostatistician.claims.claim import Claim, extremes
from autostatistician.claims.kinds import KINDS, LIMITS, Kind
from autostatistician.describe.axis.cycles import cycle, phase_kind, phase_text, phases
from autostatistician.describe.axis.places import are_years, from_place_to, place, stamp
from autostatistician.describe.axis.units import Scale, Units, is_over_time
from autostatistician.describe.facts.judgement import may_be_codes
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.ranges import told_for
from autostatistician.forms import CourseKind
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import in_turn, quoted
from autostatistician.i18n.numbers import (
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
    "EDGES", "ahead_text", "calibrated", "calibration_text", "chance", "chance_course_text",
    "chance_dependence_text", "column_place", "corner_places", "foresight_text", "nothing_text",
    "place_along", "ranking_text", "season_of", "share_text", "surprises_text",
]  # fmt: skip

Span = tuple[float, float]
MOST_TURNS = 4
ROUNDED = 1e-5  # of a period: 15:00 is not the last second of the hour before
EDGES = ("open_from", "open_until", "flat_from", "flat_until")  # of what is clear of a course, and of its changes


def column_place(value: float, span: Span, scale: Scale, levels: tuple[str, ...] = ()) -> str:
    """A place of a column, as finely as its range calls for; the name of a category; a date in words."""
    if levels:
        return quoted(levels[min(max(round(value), 0), len(levels) - 1)])
    if is_over_time(scale):
        return place(value, scale)
    if are_years(*span):
        return f"{value:.0f}"
    return fixed(value, decimals_between(*span, 3), trim=True) if span[0] < span[1] else amount(value)


def place_along(value: float, claim: Claim, scale: Scale) -> str:
    """A place along the column of a course."""
    return column_place(value, (claim["low"], claim["high"]), scale, claim.levels)


def corner_places(claim: Claim, scale: Scale) -> list[str]:
    """The low and the high place of the first of two columns that act together, and of the second."""
    each = (claim.at[:2], claim.others["along"]), (claim.at[2:], claim.others["by"])
    return [column_place(place, (low, high), scale, names) for (low, high), names in each for place in (low, high)]


def chance(at: Claim, *, first: bool = False) -> str:
    """A chance with its range.

    >>> from autostatistician.claims.claim import chance_at
    >>> chance(chance_at(30.0, 0.4, (0.31, 0.5)), first=True), chance(chance_at(50.0, 0.004, (0.001, 0.02)))
    ('40% (95% range: 31% to 50%)', '0.4% (0.1% to 2.0%)')
    """
    decimals = 0 if 0.02 <= at.value <= 0.98 else 1
    texts = [share_text(value, decimals) for value in (at.value, *at.number.interval)]
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


def _direction(rises: bool) -> str:
    return "up" if rises else "down"


# --- effects ----------------------------------------------------------------------------------------------------------


def chance_course_text(claim: Claim, scale: Scale) -> str:
    """What an effect along one column does to the chance, as the beginning of a sentence without its full stop."""
    shape, column, chances = _shape(claim, scale), scale.column(claim.columns[0]), claim.of(Kind.CHANCE)
    if shape == "unclear":
        return sentence("chance.course", shape=shape, column=capital(column))
    low, high = extremes(chances)
    rises, is_steady, period = chances[-1].value > chances[0].value, shape in ("steady", "time"), claim.get("period")
    if is_steady:
        low, high = (chances[0], chances[-1]) if rises else (chances[-1], chances[0])
    elif shape == "turns":
        rises = chances[1].value > chances[0].value
    low_first = rises if is_steady else shape in ("cycle", "repeats", "turns often")
    start, end, first, other = (place_along(at.at[0], claim, scale) for at in (chances[0], chances[-1], high, low))
    text = sentence(
        "chance.course", shape=shape, direction=_direction(rises), it=scale.it, column=column,
        low=_in_season(chance(low, first=low_first), low, period, scale), first=first, other=other, start=start,
        end=end, high=_in_season(chance(high, first=not low_first), high, period, scale),
        span=from_place_to(start, end),
        every=cycle(period, scale).repeats if period is not None and isinstance(scale, Units) else "",
        step=amount(period or 0.0, 3), n=count(len(claim.of(Kind.TURN))), steps=_steps(claim, scale),
    )  # fmt: skip
    text = capital(text) if is_steady else text
    if is_steady:
        return in_turn([text, _beyond(claim, scale)])
    return in_turn([text, _rates(high, low) if shape in ("two", "levels") else ""])


def _shape(claim: Claim, scale: Scale) -> str:
    """The course of a chance, as its sentence asks for it."""
    chances, turns = claim.of(Kind.CHANCE), len(claim.of(Kind.TURN))
    if claim.form == CourseKind.UNCLEAR or not chances:
        return "unclear"
    if claim.levels or len(claim.at) == 2 or may_be_codes(claim):
        return "two" if len(chances) == 2 else "levels"
    if "period" in claim.more:
        return "cycle" if isinstance(scale, Units) else "repeats"
    if claim.form == CourseKind.TURNING or turns > MOST_TURNS:
        return "turns often" if turns > MOST_TURNS else "turns"
    if claim.at and any(one not in (chances[0], chances[-1]) for one in extremes(chances)):
        return "levels"  # of few values the highest or the lowest is between others, though no turn is sure
    return "time" if is_over_time(scale) else "steady"


def _beyond(claim: Claim, scale: Scale) -> str:
    """Where the course is flat or not clear."""
    edge = next((edge for edge in EDGES if edge in claim.more), "")
    return sentence("chance.beyond", where=edge, place=place_along(claim[edge], claim, scale)) if edge else ""


def _rates(high: Claim, low: Claim) -> str:
    """How often the class came among the rows of both groups; "" where that was not counted."""
    if "rate" not in high.more:
        return ""
    return sentence("chance.rates", first=percent(high["rate"]), other=percent(low["rate"]))


def _in_season(text: str, at: Claim, period: float | None, scale: Scale) -> str:
    """A chance with when in a cycle it is reached, where that has a name."""
    season = season_of(at, period, scale) if period is not None and isinstance(scale, Units) else ""
    return sentence("chance.told", chance=text, season=season) if season else text


def season_of(at: Claim, period: float, scale: Units) -> str:
    """When in a cycle of the calendar a chance is reached: "in July"; "" where that has no name."""
    kind = phase_kind(period, scale)
    if kind is Phase.UNNAMED:
        return ""
    numbers, _ = phases(np.array([at.at[0] + ROUNDED * period]), kind, scale)
    return phase_text(kind, tuple(numbers.tolist()))


def ahead_text(claim: Claim, scale: Units) -> str:
    """The chance after the data: where it is highest and lowest, or that it hardly changes."""
    known, steps = {part.form: part for part in claim.parts}, round(claim["steps"])
    start, stop, *ends = (known[form] for form in ("first", "last", "lowest", "highest"))
    stays = ends[1].value - ends[0].value < LIMITS["same_chance"]
    shape = "one" if steps == 1 else "stays" if stays else ""
    is_open = not shape and any(at.number.high - at.number.low > LIMITS["any_chance"] for at in ends)
    first, last = (stamp(at.at[0], scale) for at in (start, stop))
    low, high = (_at_time(percent(at.value) if is_open else chance(at, first=at is ends[0]), at, scale) for at in ends)
    text = sentence(
        "chance.ahead", shape=shape, it=scale.it, average=percent(claim.value), n=steps, first=first, last=last,
        end=chance(start if shape == "one" else stop, first=True), low=low, high=high,
    )  # fmt: skip
    return " ".join([capital(text), *([sentence("chance.open")] if is_open else [])])


def _at_time(text: str, at: Claim, scale: Units) -> str:
    return sentence("chance.when", value=text, when=told_for(at.at[0], scale))


def _steps(claim: Claim, scale: Scale) -> str:
    """The chance at the ends and at every turn, in order; "" of a course that does not turn."""
    chances = claim.of(Kind.CHANCE)
    if claim.form != CourseKind.TURNING or len(chances) < 2:
        return ""
    where = [place_along(at.at[0], claim, scale) for at in chances]
    first, last = chance(chances[0], first=True), chance(chances[1])
    steps: list[str] = [sentence("chance.from_to", first=first, start=where[0], last=last, end=where[1])]
    for before, turn, at in zip(chances[1:], chances[2:], where[2:], strict=False):
        direction, is_last = _direction(turn.value > before.value), turn is chances[-1]
        steps.append(sentence("chance.turn", direction=direction, last=is_last, chance=chance(turn), place=at))
    return joined(steps)


def chance_dependence_text(claim: Claim, scale: Scale, columns: tuple[str, ...] = ()) -> str:
    """That the effect of one column changes with another, by the chances at two places of each."""
    low, high, where, elsewhere = corner_places(claim, scale)
    both, (along, by) = joined(list(map(scale.column, claim.columns))), map(quoted, claim.columns)
    lowest, last_low, first_high, highest = claim.parts
    text = sentence(
        "chance.together", both=both, along=along, by=by, high=high, low=low, it=scale.it, where=where,
        elsewhere=elsewhere, step=_step(lowest, first_high, first=True), other=_step(last_low, highest),
    )  # fmt: skip
    if "averaged" not in claim.marks:
        return f"{text}."
    rest = joined([scale.column(name) for name in columns if name not in claim.columns])
    return sentence("chance.averaged", text=text, columns=rest or sentence("effect.others"))


def _step(before: Claim, after: Claim, *, first: bool = False) -> str:
    direction = _direction(after.value > before.value)
    return sentence("chance.step", direction=direction, first=chance(before, first=first), last=chance(after))


# --- how well ---------------------------------------------------------------------------------------------------------


def nothing_text(scale: Scale, foresight: Claim, *, is_open: bool = False) -> str:
    """That no column tells anything, or that it is open."""
    return sentence("chance.nothing", open=is_open, it=scale.it, share=percent(foresight["share"]))


def foresight_text(claim: Claim, scale: Scale) -> str:
    """How well classes are foreseen beside the share of the class alone, and whether that is clear."""
    usual = scale.event if claim["share"] >= 0.5 else scale.other
    return sentence(
        "chance.foreseen", better=claim.more["gain"].low > 0.0, wrong=percent(claim["wrong"]), usual=quoted(usual),
        of_share=percent(claim["wrong_of_share"]),
    )  # fmt: skip


def ranking_text(claim: Claim, scale: Scale) -> str:
    """The area under the ROC curve in plain words."""
    share, low, high = map(percent, (claim.number.value, *claim.number.interval))
    return sentence(
        "chance.ranking", event=quoted(scale.event), other=quoted(scale.other), share=share, low=low, high=high
    )


def calibration_text(claim: Claim, scale: Scale) -> str:
    """Whether chances are what they say."""
    return sentence("chance.calibration", are=calibrated(claim), event=quoted(scale.event))


def calibrated(claim: Claim) -> str:
    """How chances are, as far as both tests can see: "right", "off", too "extreme" or too "cautious"."""
    row = KINDS[Kind.CALIBRATION]
    if abs(claim.value) > row.smallest:
        return "extreme" if claim.value > 0.0 else "cautious"
    return "off" if claim["bins_p"] < row.told else "right"


def surprises_text(surprises: Sequence[Claim]) -> str:
    """Rows whose class had been given a small chance, beside how many were to be expected."""
    if not surprises:
        return sentence("classes.none_surprises")
    told = [
        sentence("surprises.row", row=round(one["row"]), name=quoted(one.named["came"]), chance=_small(one.value))
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

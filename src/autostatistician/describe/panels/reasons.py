"""Why series of a panel stand out, in sentences."""

from __future__ import annotations

from math import expm1

from autostatistician.describe.panels.facts import PanelFacts
from autostatistician.describe.panels.phrases import date_text, moment, shift, size_text
from autostatistician.describe.panels.stored import cycle_noun, when_in_cycle
from autostatistician.describe.panels.surprises import Reason, Surprise
from autostatistician.wording.messages import say, say_count
from autostatistician.wording.numbers import amount, article, capital, count, fixed, percent

__all__ = ["reason_text", "reasons_text", "surprises_text"]

MOST_REASONS = 3


def surprises_text(facts: PanelFacts) -> str:
    """How many series stand out, with what that means."""
    number = len(facts.surprises)
    if not number:
        return say("No series stands out from the others by more than chance would have in so many.")
    return say_count(
        number, "{n} series stands out by more than chance would have among so many.",
        "{n} series stand out by more than chance would have among so many.", n=capital(count(number)),
    )  # fmt: skip


def reasons_text(surprise: Surprise) -> str:
    """Why a series stands out, as one sentence."""
    texts = list(dict.fromkeys(reason_text(reason, surprise.step) for reason in surprise.reasons))
    return f"{'. '.join(map(capital, texts[:MOST_REASONS]))}."


def reason_text(reason: Reason, step: str = "") -> str:
    """One reason as a clause without its subject."""
    match reason.kind:
        case "growth" | "ahead" | "season" | "noise" | "error":
            return _measure_text(reason)
        case "ending" | "recent" | "step":
            return _event_text(reason, step)
        case "rare":
            noun = article(cycle_noun(reason.what))
            if not reason.others:
                return say("has {noun}, which none of the others has", noun=noun)
            return say_count(
                reason.others, "has {noun}, which only one of the others has",
                "has {noun}, which only {n} of the others have", noun=noun, n=count(reason.others),
            )  # fmt: skip
        case "lacks":
            noun, n = cycle_noun(reason.what), fixed(reason.others, 0)
            return say("shows no {noun}, which {n} others have", noun=noun, n=n)
        case _:
            here, there = when_in_cycle(reason.what), when_in_cycle(reason.when)
            return say("is highest {when}; most others are {others}", when=here, others=there)


def _measure_text(reason: Reason) -> str:
    """A number that is unlike those of the others."""
    number, low, high = (value if value is not None else 0.0 for value in (reason.number, reason.low, reason.high))
    is_up = number > 0.0
    shares = {"size": size_text(expm1(number)), "low": shift(expm1(low)), "high": shift(expm1(high))}
    match reason.kind:
        case "growth" if is_up:
            return say("grows by {size} per year; half of all series lie between {low} and {high}", **shares)
        case "growth":
            return say("shrinks by {size} per year; half of all series lie between {low} and {high}", **shares)
        case "ahead" if is_up:
            return say(
                "its forecast lies {size} above its level at the end; half of all series lie between {low} and {high}",
                **shares,
            )
        case "ahead":
            return say(
                "its forecast lies {size} below its level at the end; half of all series lie between {low} and {high}",
                **shares,
            )
        case "season":
            return say(
                "its cycle makes up {size} of its variation; half of all series lie between {low} and {high}",
                size=percent(number), low=percent(low), high=percent(high),
            )  # fmt: skip
        case "noise":
            size, least, most = (percent(float(expm1(value) + 1.0)) for value in (number, low, high))
            return say(
                "single values scatter by {size} of its level; half of all series lie between {low} and {high}",
                size=size, low=least, high=most,
            )  # fmt: skip
        case _ if is_up:
            return say("its last value lies {n} usual errors above what was forecast", n=amount(abs(number), 2))
        case _:
            return say("its last value lies {n} usual errors below what was forecast", n=amount(abs(number), 2))


def _event_text(reason: Reason, step: str) -> str:
    """What happened to a series, at its end or for good."""
    is_up, by = reason.what == "up", reason.number
    size, when = "" if by is None else size_text(by), moment(reason.when, step)
    if reason.kind == "ending":
        since, lies = date_text(reason.when, step), _ending_text(is_up, size)
        return say("since {when} it lies {far}; nobody can know yet whether that lasts", when=since, far=lies)
    if size:
        text = (
            say("rose suddenly by {size} {when}", size=size, when=when)
            if is_up
            else say("fell suddenly by {size} {when}", size=size, when=when)
        )
    else:
        text = say("rose suddenly {when}", when=when) if is_up else say("fell suddenly {when}", when=when)
    if reason.kind == "recent":
        return say("{text}; nobody can know yet whether that lasts", text=text)
    if not reason.others:
        return say("{text}, and stayed there, the only change of this kind that is sure", text=text)
    return say_count(
        reason.others, "{text}, and stayed there, as only {n} other surely did",
        "{text}, and stayed there, as only {n} others surely did", text=text, n=count(reason.others),
    )  # fmt: skip


def _ending_text(is_up: bool, size: str) -> str:
    """How far from what was expected a series lies at its end."""
    if size and is_up:
        return say("{size} above what was expected", size=size)
    if size:
        return say("{size} below what was expected", size=size)
    return say("far above what was expected") if is_up else say("far below what was expected")

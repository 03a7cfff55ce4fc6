"""What happened to a series at a time: sudden changes and changes of its scatter, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, log10

from autostatistician.describe.axis.places import place, stamp, told_span
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact, Span
from autostatistician.describe.facts.function import (
    FunctionFact,
    ScatterStep,
    SuddenChange,
)
from autostatistician.describe.facts.judgement import LIKELY
from autostatistician.describe.words.amounts import values
from autostatistician.forms import FarOff
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, capital, count, fixed, in_percent, joined

__all__ = [
    "ask_text", "at", "beyond", "change_text", "far_off_span", "far_off_text", "happened_text", "scatter_text", "since",
    "since_scatter", "until",
]  # fmt: skip

LEAST_SHARE = 0.005  # that is one per cent in whole numbers
MOST_ASKED = 3  # changes that a reader is asked about
MOST_SERIES, ROUNDING = 1e6, 1e-9  # that a chance is told by, and what a logarithm may fall short by
FEW_ROWS = 5  # after a change: whether it lasts is open


# By what a date names, since other languages lead each with words of its own.
_AT = {
    "point": message("at {point}"), "day": message("on {day}"), "month": message("in {month}"),
    "quarter": message("in {quarter}"), "year": message("in {year}"),
}  # fmt: skip
_SINCE = {
    "point": message("from {point} on"), "day": message("from {day} on"), "month": message("from {month} on"),
    "quarter": message("from {quarter} on"), "year": message("from {year} on"),
}  # fmt: skip
_UNTIL = {
    "point": message("until {point}"), "day": message("until {day}"), "month": message("until {month}"),
    "quarter": message("until {quarter}"), "year": message("until {year}"),
}  # fmt: skip
_BEYOND = {
    "point": message("beyond {point}"), "day": message("beyond {day}"), "month": message("beyond {month}"),
    "quarter": message("beyond {quarter}"), "year": message("beyond {year}"),
}  # fmt: skip
_BETWEEN = {
    "point": message("between {point} and {last}"), "day": message("between {day} and {last}"),
    "month": message("between {month} and {last}"), "quarter": message("between {quarter} and {last}"),
    "year": message("between {year} and {last}"),
}  # fmt: skip


def at(position: float, units: Units) -> str:
    """When something is: "in March 2020", "on 21 April 2023", "at 'x' = 5"."""
    return _dated(_AT, stamp(position, units), units)


def since(position: float, units: Units) -> str:
    """From when on something is so: "from March 2020 on"."""
    return _dated(_SINCE, stamp(position, units), units)


def until(position: float, units: Units) -> str:
    """Until when something is so: "until March 2020"."""
    return _dated(_UNTIL, stamp(position, units), units)


def beyond(position: float, units: Units) -> str:
    """After when something is so: "beyond March 2020"."""
    return _dated(_BEYOND, stamp(position, units), units)


def _dated(messages: Mapping[str, str], name: str, units: Units, last: str = "") -> str:
    """A message of those that differ by what a date names; ``name`` is that of a position."""
    if not units.axis.is_calendar:
        kind, name = "point", f"{quoted(units.axis.column)} = {name}"
    elif units.axis.frequency == "quarter":
        kind = "quarter"
    elif name[:1].isdigit():
        kind = "day" if " " in name else "year"
    else:
        kind = "month"
    return say(messages[kind], **{kind: name}, last=last)


_CHANGED = {  # whether upwards, and whether it is sure
    (True, True): message("{when} {it} rose suddenly, {by}from about {before} to {after}"),
    (True, False): message("{when} {it} probably rose suddenly, {by}from about {before} to {after}"),
    (False, True): message("{when} {it} fell suddenly, {by}from about {before} to {after}"),
    (False, False): message("{when} {it} probably fell suddenly, {by}from about {before} to {after}"),
}


_FAR_OFF = {  # whether upwards
    True: message(
        "{span} {it} lay far above all the rest, at about {mean} on average where about {usual} would be usual; the "
        "highest value was {value}, {when}."
    ),
    False: message(
        "{span} {it} lay far below all the rest, at about {mean} on average where about {usual} would be usual; the "
        "lowest value was {value}, {when}."
    ),
}


def change_text(fact: SuddenChange, units: Units) -> str:
    """A sudden change as a sentence: when, by how much, and whether it went back."""
    before, after = values(fact.level, fact.after, units, 2)
    if fact.far_off is not None:
        return _far_off_told(fact, fact.far_off, units)
    shown = fact.share is not None and not units.is_odds
    by = say("by {share}, ", share=_whole_percent(fact.share or 0.0)) if shown else ""
    sure = fact.probability is None or fact.probability >= LIKELY
    text = say(
        _CHANGED[fact.number > 0.0, sure], when=capital(at(fact.at, units)), it=units.it, by=by, before=before,
        after=after,
    )  # fmt: skip
    if fact.until is not None:
        if fact.rows == 1:
            return say("{change}; that value stands alone.", change=text)
        return say("{change}; {since} it was back.", change=text, since=since(fact.until, units))
    if fact.later < FEW_ROWS:
        return say_count(
            fact.later,
            "{change}; with one value since, nobody can know yet whether that lasts.",
            "{change}; with {n} values since, nobody can know yet whether that lasts.",
            change=text,
            n=count(fact.later),
        )
    return say("{change}, and has stayed there.", change=text) if fact.stays else f"{text}."


def _far_off_told(fact: SuddenChange, far: FarOff, units: Units) -> str:
    """A stretch far off all the rest as a sentence."""
    mean, usual = values(far.mean, far.usual, units, 2)
    lowest, _ = values(far.value, far.usual, units, 2)
    return say(
        _FAR_OFF[fact.number > 0.0], span=capital(far_off_span(fact, units)), it=units.it, mean=mean, usual=usual,
        value=lowest, when=at(far.at, units),
    )  # fmt: skip


def far_off_span(fact: SuddenChange, units: Units) -> str:
    """From when to when a stretch lies far off: "from April 2020 to August 2020"."""
    last = fact.at if fact.far_off is None else fact.far_off.last
    return told_span(stamp(fact.at, units), stamp(last, units), units)


def far_off_text(facts: Sequence[Fact], units: Units) -> str:
    """The stretches that lie far off all the rest, how surely, and what was done with them; "" for none."""
    far = [fact for fact in facts if isinstance(fact, SuddenChange) and fact.told and fact.far_off is not None]
    if not far:
        return ""
    series = min(1.0 / max(fact.far_off.chance, 1.0 / MOST_SERIES) for fact in far if fact.far_off is not None)
    odds = say_count(
        len(far),
        "Chance alone would bring such a stretch in less than one of {n} series that scatter as the rest of this one.",
        "Chance alone would bring any of them in less than one of {n} series that scatter as the rest of this one.",
        n=fixed(10.0 ** floor(log10(series) + ROUNDING), 0),
    )
    done = say("The model has these values, but the course and the patterns told here are those of all the others.")
    return " ".join([*(change_text(fact, units) for fact in far), odds, done])


def _whole_percent(share: float) -> str:
    """The size of a share in whole per cent: that of a change is not known more closely.

    >>> _whole_percent(-0.7068), _whole_percent(0.004)
    ('71%', 'less than 1%')
    """
    if abs(share) < LEAST_SHARE:
        return say("less than {percent}", percent=in_percent("1"))
    return in_percent(f"{100.0 * abs(share):.0f}")


def scatter_text(fact: ScatterStep, units: Units) -> str:
    """That single values scatter more, or less, from a place on."""
    more = fact.number > 1.0
    times = amount(fact.number if more else 1.0 / fact.number, 2)
    if fact.between is not None:
        between = _between(fact.between, units)
        return (
            say(
                "Some time {between} single values began to scatter {times} times as far as before.",
                between=between, times=times,
            )
            if more
            else say(
                "Some time {between} single values began to scatter only 1/{times} as far as before.",
                between=between, times=times,
            )
        )  # fmt: skip
    start = capital(since(fact.at, units))
    return (
        say("{since} single values scatter {times} times as far as before.", since=start, times=times)
        if more
        else say("{since} single values scatter only 1/{times} as far as before.", since=start, times=times)
    )


def _between(span: Span, units: Units) -> str:
    """When something was that is known to no few rows: "between March 2012 and December 2013"."""
    first, last = (place(end, units) for end in span)
    if not units.axis.is_calendar or first == last:  # places go by the span of the data
        first, last = (stamp(end, units) for end in span)
    return _dated(_BETWEEN, first, units, last)


def since_scatter(fact: ScatterStep, units: Units) -> str:
    """From when on single values scatter otherwise: from a date, or within a span where none is known."""
    if fact.between is None:
        return since(fact.at, units)
    return say("since some time {between}", between=_between(fact.between, units))


def happened_text(facts: Sequence[FunctionFact], units: Units) -> str:
    """What happened at a time: sudden changes and changes of the scatter, the largest first; "" for nothing."""
    changes = sorted((f for f in facts if isinstance(f, SuddenChange) and f.told), key=lambda fact: -abs(fact.number))
    scatters = [fact for fact in facts if isinstance(fact, ScatterStep) and fact.told]
    texts = [change_text(fact, units) for fact in changes] + [scatter_text(fact, units) for fact in scatters]
    return " ".join(texts)


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
    return say(
        "Find out what happened {when}: the data show that something did, but not what.",
        when=joined(places[:MOST_ASKED]),
    )

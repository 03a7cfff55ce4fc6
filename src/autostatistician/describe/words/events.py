"""What happened to a series at a time, and claims in a few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, log10

from autostatistician.describe.axis.places import from_place_to, place, stamp, told_span
from autostatistician.describe.axis.units import Units
from autostatistician.describe.claims.claim import SUDDEN, Claim, told
from autostatistician.describe.claims.kinds import Kind
from autostatistician.describe.words.amounts import size_text, values
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, capital, count, fixed, joined

__all__ = [
    "at", "between_rows", "beyond", "change_text", "far_off", "far_off_text", "happened_text", "happened_texts",
    "scatter_text", "since", "span_of", "until",
]  # fmt: skip

MOST_SERIES, ROUNDING = 1e6, 1e-9  # that a chance is told by, and what a logarithm may fall short by

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


# By whether it goes upwards, and whether that is sure.
_CHANGED = {
    (True, True): message("{when} {it} rose suddenly, {by}from about {before} to {after}"),
    (True, False): message("{when} {it} probably rose suddenly, {by}from about {before} to {after}"),
    (False, True): message("{when} {it} fell suddenly, {by}from about {before} to {after}"),
    (False, False): message("{when} {it} probably fell suddenly, {by}from about {before} to {after}"),
}
_FROM_NOTHING = message("{when} {it} rose suddenly, from next to nothing to {after}")
# By whether it goes upwards.
_FAR_OFF = {
    True: message(
        "{span} {it} lay far above all the rest, at about {mean} on average where about {usual} would be usual; the "
        "highest value was {value}, {when}."
    ),
    False: message(
        "{span} {it} lay far below all the rest, at about {mean} on average where about {usual} would be usual; the "
        "lowest value was {value}, {when}."
    ),
}
_SCATTERS = {
    ("at", True): message("{since} single values scatter {times} times as far as before."),
    ("at", False): message("{since} single values scatter only 1/{times} as far as before."),
    ("between", True): message("Some time {between} single values began to scatter {times} times as far as before."),
    ("between", False): message("Some time {between} single values began to scatter only 1/{times} as far as before."),
}


def change_text(claim: Claim, units: Units) -> str:
    """A sudden change as a sentence: when, by how much, and whether it went back."""
    up, more = claim.number.is_up, claim.more
    if claim.form == "far off":
        mean, usual = values(claim["mean"], claim["usual"], units, 2)
        extreme, _ = values(claim["extreme"], claim["usual"], units, 2)
        when, span = at(claim["extreme_at"], units), capital(span_of(claim, units))
        return say(_FAR_OFF[up], span=span, it=units.it, mean=mean, usual=usual, value=extreme, when=when)
    before, after = values(claim["before"], claim["after"], units, 2)
    by, from_nothing = "", "ratio" in more and more["ratio"].is_from_nothing
    if "ratio" in more and not units.is_odds:
        by = say("by {share}, ", share=size_text(more["ratio"], units))
    text = say(
        _FROM_NOTHING if from_nothing else _CHANGED[up, claim.sure], when=capital(at(claim.at[1], units)), it=units.it,
        by=by, before=before, after=after,
    )  # fmt: skip
    if claim.kind is Kind.EVENT:
        if claim["rows"] == 1.0:
            return say("{change}; that value stands alone.", change=text)
        return say("{change}; {since} it was back.", change=text, since=since(claim.at[2], units))
    if claim.form == "recent":
        n = int(claim["later"])
        return say_count(
            n, "{change}; with one value since, nobody can know yet whether that lasts.",
            "{change}; with {n} values since, nobody can know yet whether that lasts.", change=text, n=count(n),
        )  # fmt: skip
    return say("{change}, and has stayed there.", change=text) if "stays" in claim.marks else f"{text}."


def span_of(claim: Claim, units: Units) -> str:
    """From when to when a stretch lies far off, or a run goes."""
    if claim.kind is Kind.RUN:
        return from_place_to(stamp(claim.at[0], units), stamp(claim.at[1], units))
    return told_span(stamp(claim.at[1], units), stamp(claim["last"], units), units)


def far_off(claims: Sequence[Claim]) -> list[Claim]:
    """The stretches that are told to lie far off all the rest."""
    return [claim for claim in told(claims, *SUDDEN) if claim.form == "far off"]


def far_off_text(claims: Sequence[Claim], units: Units) -> str:
    """How surely stretches lie far off all the rest, and what was done with them; "" for none."""
    far = far_off(claims)
    if not far:
        return ""
    series = min(1.0 / max(claim["chance"], 1.0 / MOST_SERIES) for claim in far)
    odds = say_count(
        len(far),
        "A stretch as far off as that {spans} comes by chance in less than one of {n} series that scatter as the rest "
        "of this one.",
        "Stretches as far off as those {spans} come by chance in less than one of {n} series that scatter as the rest "
        "of this one.",
        spans=joined([span_of(claim, units) for claim in far]),
        n=fixed(10.0 ** floor(log10(series) + ROUNDING), 0),
    )
    done = say("The model includes this, but the course and the patterns on this page are those of all other values.")
    return f"{odds} {done}"


def scatter_text(claim: Claim, units: Units) -> str:
    """That single values scatter more, or less, from a place on."""
    up = claim.number.is_up
    told = {"times": amount(claim.number.value if up else 1.0 / claim.number.value, 2)}
    told |= (
        {"between": between_rows(claim, units)}
        if claim.form == "between"
        else {"since": capital(since(claim.at[0], units))}
    )
    return say(_SCATTERS[claim.form, up], **told)


def between_rows(claim: Claim, units: Units) -> str:
    """When something was that is known to no few rows: "between March 2012 and December 2013"."""
    start, last = (place(end, units) for end in claim.at)
    if not units.axis.is_calendar or start == last:  # places go by the span of the data
        start, last = (stamp(end, units) for end in claim.at)
    return _dated(_BETWEEN, start, units, last)


def happened_text(claims: Sequence[Claim], units: Units) -> str:
    """What happened at a time in one text; "" for nothing."""
    return " ".join(happened_texts(claims, units))


def happened_texts(claims: Sequence[Claim], units: Units) -> list[str]:
    """Sudden changes, the largest first, and changes of the scatter, each in a sentence or two."""
    changes = sorted(told(claims, *SUDDEN), key=lambda claim: -abs(claim.number.value))
    scatters = told(claims, Kind.SCATTER)
    return [*(change_text(claim, units) for claim in changes), *(scatter_text(claim, units) for claim in scatters)]

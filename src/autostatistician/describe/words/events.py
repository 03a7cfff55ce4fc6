"""What happened to a series at a time, and claims in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from autostatistician.claims.claim import LEVEL_CHANGES, Claim, told
from autostatistician.claims.kinds import Kind
from autostatistician.describe.axis.places import from_place_to, place, stamp
from autostatistician.describe.axis.units import ROUNDING, Units
from autostatistician.describe.words.amounts import size_text, values
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import amount, capital, count, fixed, joined

__all__ = [
    "at", "between_rows", "beyond", "change_text", "far_off", "far_off_text", "happened_text", "scatter_text",
    "scatter_texts", "since", "span_of", "sudden_texts", "until",
]  # fmt: skip

MOST_SERIES = 1e6  # that a chance is told by


def at(position: float, units: Units) -> str:
    """When something is: "in March 2020", "on 21 April 2023", "at 'x' = 5"."""
    return _dated("at", stamp(position, units), units)


def since(position: float, units: Units) -> str:
    """From when on something is so: "from March 2020 on"."""
    return _dated("since", stamp(position, units), units)


def until(position: float, units: Units) -> str:
    """Until when something is so: "until March 2020"."""
    return _dated("until", stamp(position, units), units)


def beyond(position: float, units: Units) -> str:
    """After when something is so: "beyond March 2020"."""
    return _dated("beyond", stamp(position, units), units)


def _dated(relation: str, name: str, units: Units, last: str = "") -> str:
    """A date with the words of a ``relation`` to it; ``name`` is that of a position."""
    if not units.axis.is_calendar:
        kind, name = "point", f"{quoted(units.axis.column)} = {name}"
    elif units.axis.frequency == "quarter":
        kind = "quarter"
    elif name[:1].isdigit():
        kind = "day" if " " in name else "year"
    else:
        kind = "month"
    return sentence("date", relation=relation, dated=kind, date=name, last=last)


def change_text(claim: Claim, units: Units) -> str:
    """A sudden change as a sentence: when, by how much, and whether it went back."""
    direction, more = claim.number.direction, claim.more
    if "usual" in more:
        return _level_text(claim, units)
    before, after = values(claim["before"], claim["after"], units, 2)
    by, standing = "", "sure" if claim.sure else "probable"
    if "ratio" in more and more["ratio"].is_from_nothing:
        standing = "from nothing"
    elif "ratio" in more and not units.is_odds:
        by = sentence("event.share", share=size_text(more["ratio"], units))
    change = sentence(
        "event.change", standing=standing, direction=direction, when=capital(_begins(claim, units)), it=units.it,
        by=by, before=before, after=after,
    )  # fmt: skip
    if claim.kind is Kind.EVENT:
        later = "alone" if claim["rows"] == 1.0 else "back"
    else:
        later = "recent" if claim.form == "recent" else "stays" if "stays" in claim.marks else "open"
    rows = int(claim["later"]) if later == "recent" else 0
    gone = since(claim.at[2], units) if later == "back" else ""
    return sentence("event.whole", later=later, rows=rows, n=count(rows), change=change, since=gone)


def _begins(claim: Claim, units: Units) -> str:
    """When a change came: in one row, or between two where the data do not tell which."""
    begins = claim.more.get("begins")
    first, last = (claim.at[1],) * 2 if begins is None else begins.interval
    return at(claim.at[1], units) if first == last else between_rows(first, last, units)


def span_of(claim: Claim, units: Units) -> str:
    """From when to when a stretch lies far off, or a run goes."""
    if claim.kind is Kind.RUN:
        return from_place_to(stamp(claim.at[0], units), stamp(claim.at[1], units))
    return from_place_to(stamp(claim.at[-2], units), stamp(claim["last"], units))


def far_off(claims: Sequence[Claim]) -> list[Claim]:
    """The stretches that are told to lie far off all the rest."""
    return [claim for claim in told(claims, *LEVEL_CHANGES) if claim.form == "far off"]


def far_off_text(claims: Sequence[Claim], units: Units) -> str:
    """How surely stretches lie far off all the rest, and what was done with them; "" for none."""
    far = far_off(claims)
    if not far:
        return ""
    series = min(1.0 / max(claim["chance"], 1.0 / MOST_SERIES) for claim in far)
    spans, n = joined([span_of(claim, units) for claim in far]), fixed(10.0 ** floor(log10(series) + ROUNDING), 0)
    aside = sum(len(claim.of(Kind.OUTLIER)) for claim in far)
    included = sentence("event.included", aside=aside > 0, n=count(aside))
    return f"{sentence('event.chance', stretches=len(far), spans=spans, n=n)} {included}"


def scatter_text(claim: Claim, units: Units) -> str:
    """That single values scatter more, or less, from a place on."""
    up = claim.number.is_up
    times = amount(claim.number.value if up else 1.0 / claim.number.value, 2)
    if claim.form == "stretch":
        return _stretch_text(claim, units, "scatter", times=times)
    return sentence(
        "event.scatter", known=claim.form, direction=claim.number.direction, times=times,
        between=between_rows(claim.at[0], claim.at[-1], units) if claim.form == "between" else "",
        since="" if claim.form == "between" else capital(since(claim.at[0], units)),
    )  # fmt: skip


def _level_text(claim: Claim, units: Units) -> str:
    """That a stretch lies higher, or lower, than what is usual; where all its values are alike, at which."""
    (mean, usual), extreme = values(claim["mean"], claim["usual"], units, 2), claim.get("extreme")
    if extreme is None:
        return _stretch_text(claim, units, "level", mean=mean, usual=usual)
    furthest, _ = values(extreme, claim["usual"], units, 2)
    of, when = "same" if furthest == mean else "far", at(claim["extreme_at"], units)
    return _stretch_text(claim, units, of, mean=mean, usual=usual, value=furthest, when=when)


def _stretch_text(claim: Claim, units: Units, of: str, **amounts: str) -> str:
    """That a stretch lies, or varies, as no other one as long does."""
    span = capital(span_of(claim, units))
    return sentence("event.stretch", of=of, direction=claim.number.direction, span=span, it=units.it, **amounts)


def between_rows(first: float, stop: float, units: Units) -> str:
    """When something was that is known to no one row: "between March 2012 and December 2013"."""
    start, last = (place(end, units) for end in (first, stop))
    if not units.axis.is_calendar or start == last:  # places go by the span of the data
        start, last = (stamp(end, units) for end in (first, stop))
    return _dated("between", start, units, last)


def happened_text(claims: Sequence[Claim], units: Units) -> str:
    """Sudden changes, the largest first, and changes of the scatter, each in a sentence or two; "" for nothing."""
    return " ".join([*sudden_texts(claims, units), *scatter_texts(claims, units)])


def sudden_texts(claims: Sequence[Claim], units: Units) -> list[str]:
    """Sudden changes, the largest first."""
    changes = sorted(told(claims, *LEVEL_CHANGES), key=lambda claim: -abs(claim.number.value))
    return [change_text(claim, units) for claim in changes]


def scatter_texts(claims: Sequence[Claim], units: Units) -> list[str]:
    """Changes of the scatter."""
    return [scatter_text(claim, units) for claim in told(claims, Kind.SCATTER)]

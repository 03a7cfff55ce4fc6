"""Values that stand out from a series, and rows that stand out from a table, in words."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.claims.claim import Claim, told
from autostatistician.claims.kinds import FEW, SEVERAL, Kind
from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.whole import TwoWays
from autostatistician.describe.words.amounts import value, values
from autostatistician.describe.words.parts import find
from autostatistician.describe.words.ranges import named_place
from autostatistician.i18n.messages import again, sentence
from autostatistician.i18n.names import in_turn
from autostatistician.i18n.numbers import count, fixed, joined, pair, percent

__all__ = [
    "aside_text",
    "comes_again_text",
    "day_text",
    "ending_text",
    "far_named",
    "far_off_text",
    "outliers_named",
    "returning_text",
    "set_aside_text",
    "two_ways_text",
    "unforeseen_text",
    "value_and_expected",
]

LEAST_GAIN = 0.1  # of BIC that is told


def aside_text(claims: Sequence[Claim]) -> str:
    """Why values were set aside, and what to do; "" where none were but the last."""
    aside = _aside(claims)
    return sentence("outliers.aside", values=len(aside)) if aside else ""


def _aside(claims: Sequence[Claim]) -> list[Claim]:
    return [claim for claim in told(claims, Kind.OUTLIER) if "aside" in claim.marks]


def ending_text(claims: Sequence[Claim], units: Units) -> str:
    """That the last values stand out, and that nobody can know yet what they are; "" where they do not."""
    ending = told(claims, Kind.ENDING)
    if not ending:
        return ""
    return sentence(
        "outliers.ending", rows=len(ending), n=count(len(ending)), values=outliers_named(ending, units),
        place=_at(ending[-1].at[0], units),
    )  # fmt: skip


def two_ways_text(facts: Sequence[Fact], units: Units) -> str:
    """The two cases that a forecast weighs where the last values were set aside; "" where none were."""
    fact = find(facts, TwoWays)
    if fact is None:
        return ""
    back, lasting = values(fact.number, fact.lasting, units, 3)
    return sentence(
        "outliers.two_ways", rows=fact.rows, place=_at(fact.position, units), back=back, lasting=lasting,
        n=count(fact.rows), percent=percent(fact.odds),
    )  # fmt: skip


def comes_again_text(claims: Sequence[Claim], units: Units) -> str:
    """That several values were set aside, and that such ones may come again; "" for few."""
    every = [one for several in (claims, *(claim.parts for claim in claims)) for one in _aside(several)]
    off, ending = [one.number.value for one in every], len(told(claims, Kind.ENDING))
    return unforeseen_text(off, ending, every[0]["values"], units.target) if off else ""


def unforeseen_text(off: Sequence[float], ending: int, rest: float, target: str) -> str:
    """That values this much ``off`` were set aside, beside those ``ending`` the data and the ``rest``; "" for few.

    >>> unforeseen_text([-9.0, -8.0], 0, 300, "visits")
    ''
    """
    if len(off) < FEW:
        return ""
    low = sum(each < 0.0 for each in off)
    lead = sentence("outliers.forecasts", ending=ending > 0, rows=ending, n=count(ending))
    again_told = sentence(
        "outliers.come_again", sides="high" if not low else "both" if low < len(off) else "low",
        lead=lead, n=count(len(off)), total=fixed(len(off) + ending + rest, 0), target=f"'{target}'",
    )  # fmt: skip
    return f"{again_told} {sentence('outliers.come_again_known')}"


def returning_text(claims: Sequence[Claim], units: Units) -> str:
    """On which days of the calendar values are off each time, and that forecasts have them; "" where there are none."""
    days = told(claims, Kind.RETURNING)
    others = [sentence("outliers.others", step=claim.form) for claim in days[:1]]
    return " ".join([*(day_text(claim, units) for claim in days), *others])


def day_text(claim: Claim, units: Units) -> str:
    """That values are off on a day, or in a week or month, of the calendar each time."""
    level, usual = pair(claim["level"], claim["level"] - claim.number.value, 2)
    times = sentence(
        "outliers.times", always=claim["times"] == claim["rows"], n=count(round(claim["times"])),
        rows=count(round(claim["rows"])), place=_at(claim.at[0], units),
    )  # fmt: skip
    return sentence(
        "outliers.returning", direction="down" if claim.number.value < 0.0 else "up", step=claim.form,
        day=again(claim.named["day"]), it=units.it, level=level, usual=usual, times=times,
    )  # fmt: skip


def far_named(far: Sequence[tuple[float, float]], units: Units) -> str:
    """Positions with their values, of which the first are furthest off; "" for none."""
    named = [f"{_at(position, units)} ({value(number, units)})" for position, number in sorted(far[:SEVERAL])]
    more = len(far) - SEVERAL
    if more > 0:
        named.append(sentence("outliers.more_places", rows=more, n=count(more)))
    return joined(named)


def outliers_named(outliers: Sequence[Claim], units: Units) -> str:
    """Values by their places, such as: November 2015: 146, expected about 50."""
    return in_turn(
        sentence("outliers.named", place=_at(claim.at[0], units), value=value, expected=expected)
        for claim in outliers
        for value, expected in [value_and_expected(claim)]
    )


def _at(position: float, units: Units) -> str:
    return named_place(stamp(position, units), units)


def value_and_expected(claim: Claim) -> tuple[str, str]:
    """A value and what all others let expect there, rounded alike."""
    value, expected = pair(claim["value"], claim["expected"], 2)
    return value, expected


def set_aside_text(claims: Sequence[Claim], units: Units) -> str:
    """The values that the model was made without, in a sentence; "" for none."""
    aside = _aside(claims)
    if not aside:
        return ""
    more = len(aside) - FEW
    named = outliers_named(aside[:FEW], units)
    if more > 0:
        named = sentence("outliers.more_values", rows=more, values=named, n=count(more))
    return sentence("outliers.left_out", values=named)


def far_off_text(outliers: Sequence[Claim]) -> str:
    """The rows with their values, in a sentence; "" for none."""
    if not outliers:
        return ""
    rows = [
        sentence("outliers.row", n=f"{claim.at[0]:.0f}", value=value, expected=expected)
        for claim in outliers
        for value, expected in [value_and_expected(claim)]
    ]
    return sentence("outliers.rows", rows=joined(rows))

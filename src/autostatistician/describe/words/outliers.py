"""Values that stand out from a series, and rows that stand out from a table, in words."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.whole import ReturningDay, StandingOut, TwoWays
from autostatistician.describe.words.amounts import values
from autostatistician.describe.words.nouns import find
from autostatistician.wording.names import clean_name
from autostatistician.wording.numbers import amount, capital, count, fixed, joined, pair, percent

__all__ = [
    "MOST_NAMED",
    "aside_text",
    "comes_again_text",
    "ending_text",
    "far_named",
    "far_off_text",
    "kept_text",
    "look_up",
    "returning_text",
    "set_aside_text",
    "two_ways_assumed",
    "two_ways_text",
    "value_and_expected",
]

MOST_NAMED = 3  # values in a sentence
FEWEST_TO_COME_AGAIN = 3  # values that were set aside: so many are no single event
MOST_FAR = 5  # of those that are named without what was expected


def aside_text(outliers: Sequence[StandingOut], units: Units) -> str:
    """The values that the model was made without, and why."""
    aside = [fact for fact in outliers if fact.aside and not fact.ending]
    if not aside:
        return ""
    is_single, gain = len(aside) == 1, aside[0].gain
    compared = (
        f"a reference model that was fitted without {'it' if is_single else 'them'} describes the other "
        f"{aside[0].values:,} values {'better' if gain > 0.0 else 'as well'}"
        + (f" (its BIC for them is lower by {fixed(gain, 0 if gain >= 10.0 else 1)})" if gain >= 0.1 else "")
    )
    return (
        f"{_named(aside, units)}. No trend, cycle or step explains {'this value' if is_single else 'these values'}, so "
        f"{'it was' if is_single else 'they were'} set aside before the model was made: {compared}. "
        f"{'It is' if is_single else 'They are'} not part of any number below. Correct what is a mistake; if such "
        "values belong to what you describe, make the model again with all of them (outliers='keep')."
        f"{_chances(aside, units)}"
    )


def _chances(outliers: Sequence[StandingOut], units: Units) -> str:
    """With what chance values are outliers, the least sure ones first; "" where that is not known."""
    ranked = sorted((fact for fact in outliers if fact.chance is not None), key=lambda fact: fact.chance or 0.0)
    if not ranked:
        return ""
    first, *others = (percent(fact.chance or 0.0) for fact in ranked)
    told = [f"{_where(ranked[0], units)} is an outlier with a chance of {first}"]
    if others and set(others) == {first}:
        told = [f"Each of them is an outlier with a chance of {first}"]
    elif others:
        rest = zip(ranked[1:MOST_NAMED], others, strict=False)
        told += [f"{_where(fact, units)} with one of {chance}" for fact, chance in rest]
    return f" {capital(joined(told))}, given how far the other values scatter."


def ending_text(facts: Sequence[Fact], units: Units) -> str:
    """That the last values stand out, and that nobody can know yet what they are; "" where they do not."""
    ending = [fact for fact in facts if isinstance(fact, StandingOut) and fact.ending]
    if not ending:
        return ""
    single = len(ending) == 1
    what = "The last value stands out" if single else f"The last {count(len(ending))} values stand out"
    few = "one value" if single else f"{count(len(ending))} values"
    return (
        f"{what} ({_named(ending, units)}). So far {few} cannot tell a mistake, an unfinished period and a lasting "
        f"change apart: is {_where(ending[-1], units)} complete? {'It was' if single else 'They were'} set aside, and "
        f"forecasts reckon with both: that this lasts has a probability of {percent(ending[-1].lasting)}, by how often "
        "such values lasted in other series and by what values far off did before in this one."
    )


def two_ways_text(facts: Sequence[Fact], units: Units) -> str:
    """The two cases that a forecast weighs where the last values were set aside; "" where none were."""
    fact = find(facts, TwoWays)
    if fact is None:
        return ""
    back, lasting = values(fact.number, fact.lasting, units, 3)
    begin = "begins" if fact.rows == 1 else "begin"
    return (
        f"That weighs two cases: for {_at(fact.position, units)} about {back} is expected, or about {lasting} if "
        f"{_the_last(fact.rows)} {begin} a new level ({percent(fact.odds)})."
    )


def two_ways_assumed(facts: Sequence[Fact]) -> str:
    """What a forecast assumes of the last values, which were set aside; "" where none were."""
    fact = find(facts, TwoWays)
    if fact is None:
        return ""
    begin, past = ("begins", "it is past") if fact.rows == 1 else ("begin", "they are past")
    return (
        f"{capital(_the_last(fact.rows))} {begin} a new level with a probability of {percent(fact.odds)}: then the "
        f"sum of all parts moves by as much. Else {past}."
    )


def _the_last(rows: int) -> str:
    return "the last value" if rows == 1 else f"the last {count(rows)} values"


def comes_again_text(facts: Sequence[Fact], units: Units) -> str:
    """That several values were set aside, and that such ones may come again; "" for few."""
    aside = [fact for fact in facts if isinstance(fact, StandingOut) and fact.aside and not fact.ending]
    if len(aside) < FEWEST_TO_COME_AGAIN:
        return ""
    low = sum(fact.number < fact.expected for fact in aside)
    ending = sum(isinstance(fact, StandingOut) and fact.ending for fact in facts)
    before = f" before {_the_last(ending)}" if ending else ""
    sides = {0: "higher", len(aside): "lower"}.get(low, "higher or lower")
    return (
        f"Forecasts are without what was set aside{before}: {count(len(aside))} of "
        f"{len(aside) + ending + aside[0].values:,} values of '{units.target}' were far {sides} than the others "
        "suggest, so such values may come again. If you know what they are (holidays, say, or closures), expect them "
        "on their dates."
    )


def returning_text(facts: Sequence[Fact], units: Units) -> str:
    """On which days of the calendar values are off each time, and that forecasts have them; "" where there are none."""
    days = [_on_day(fact, units) for fact in facts if isinstance(fact, ReturningDay)]
    return " ".join([*days, "Forecasts have that, too; what follows is about the other days."]) if days else ""


def _on_day(fact: ReturningDay, units: Units) -> str:
    moves = "falls" if fact.number < 0.0 else "rises"
    level, usual = pair(fact.level, fact.level - fact.number, 2)
    return (
        f"On {fact.day} {units.it} {moves} to about {level}, where other days suggest about {usual} "
        f"({count(fact.times)} times since {_at(fact.since, units)})."
    )


def kept_text(outliers: Sequence[StandingOut], units: Units) -> str:
    """The values that stand out and were kept, and why."""
    kept = [fact for fact in outliers if not fact.aside]
    if not kept:
        return ""
    what = "an end of the data, so it is" if len(kept) == 1 else "an end of the data, so they are"
    return (
        f"{_named(kept, units)}. {'This value stands' if len(kept) == 1 else 'These values stand'} at {what} kept: "
        "whether this is a single event or the start of something new, only other values can tell."
    )


def far_named(far: Sequence[tuple[float, float]], units: Units) -> str:
    """Positions with their values, of which the first are furthest off; "" for none."""
    named = [f"{_at(position, units)} ({amount(value)})" for position, value in sorted(far[:MOST_FAR])]
    more = len(far) - MOST_FAR
    return joined([*named, f"{count(more)} more"] if more > 0 else named)


def _named(outliers: Sequence[StandingOut], units: Units) -> str:
    """Values by their places, such as: November 2015: 146, expected about 50."""
    named = [(_where(fact, units), *value_and_expected(fact)) for fact in outliers]
    return "; ".join(f"{where}: {value}, expected about {expected}" for where, value, expected in named)


def _where(fact: StandingOut, units: Units) -> str:
    return _at(fact.position, units)


def _at(position: float, units: Units) -> str:
    name = stamp(position, units)
    return name if units.axis.is_calendar else f"'{clean_name(units.axis.column)}' = {name}"


def value_and_expected(fact: StandingOut) -> tuple[str, str]:
    """A value and what all others let expect there, rounded alike."""
    value, expected = pair(fact.number, fact.expected, 2)
    return value, expected


def set_aside_text(facts: Sequence[Fact], units: Units) -> str:
    """The values that the model was made without, in a sentence for the verdict; "" for none."""
    aside = [fact for fact in facts if isinstance(fact, StandingOut) and fact.aside]
    if not aside:
        return ""
    more = len(aside) - MOST_NAMED
    named = _named(aside[:MOST_NAMED], units) + (f"; and {count(more)} more" if more > 0 else "")
    return f"What the model was made without, because nothing in the data explains it: {named}."


def look_up(facts: Sequence[Fact], units: Units) -> str:
    """What to find out about values that stand out; "" where there are none."""
    outliers = [fact for fact in facts if isinstance(fact, StandingOut)]
    if not outliers:
        return ""
    places = joined([_where(fact, units) for fact in outliers[:MOST_NAMED]])
    return f"Look up what happened there: {places}. A mistake can be corrected, an event named."


def far_off_text(outliers: Sequence[StandingOut]) -> str:
    """The rows with their values, in a sentence; "" for none."""
    if not outliers:
        return ""
    rows = []
    for fact in outliers:
        value, expected = value_and_expected(fact)
        rows.append(f"row {fact.position:.0f} ({value}, expected about {expected})")
    return f"Of the rows that were used, {joined(rows)}: far off what all others suggest, and not set aside."

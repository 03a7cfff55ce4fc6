"""Values that stand out from a series, and rows that stand out from a table, in words."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.whole import ReturningDay, StandingOut, TwoWays
from autostatistician.describe.words.amounts import value, values
from autostatistician.describe.words.nouns import find
from autostatistician.describe.words.ranges import named_place
from autostatistician.wording.messages import again, message, say, say_as, say_count
from autostatistician.wording.names import in_turn
from autostatistician.wording.numbers import capital, count, fixed, joined, pair, percent

__all__ = [
    "MOST_NAMED",
    "aside_text",
    "comes_again_text",
    "ending_text",
    "far_named",
    "far_off_text",
    "kept_text",
    "returning_text",
    "set_aside_text",
    "two_ways_assumed",
    "two_ways_text",
    "value_and_expected",
]

MOST_NAMED = 3  # values in a sentence
FEWEST_TO_COME_AGAIN = 3  # values that were set aside: so many are no single event
LEAST_GAIN = 0.1  # of BIC that is told
MOST_FAR = 5  # of those that are named without what was expected


def aside_text(outliers: Sequence[StandingOut], units: Units) -> str:
    """The values that the model was made without, and why."""
    aside = [fact for fact in outliers if fact.aside and not fact.ending]
    if not aside:
        return ""
    number = len(aside)
    explained = say_count(
        number,
        "No trend, cycle or step explains this value, so it was set aside before the model was made: {compared}.",
        "No trend, cycle or step explains these values, so they were set aside before the model was made: {compared}.",
        compared=_compared(aside),
    )
    beside = say_count(number, "It is not part of any number below.", "They are not part of any number below.")
    todo = say(
        "Correct what is a mistake; if such values belong to what you describe, make the model again with all of them "
        "(outliers='keep')."
    )
    return " ".join(
        filter(None, [f"{capital(_named(aside, units))}.", explained, beside, todo, _chances(aside, units)])
    )


def _compared(aside: Sequence[StandingOut]) -> str:
    """What became of the others without values that were set aside."""
    gain, others = aside[0].gain, fixed(aside[0].values, 0)
    if gain <= 0.0:
        return say_count(
            len(aside),
            "a reference model that was fitted without it describes the other {others} values as well",
            "a reference model that was fitted without them describes the other {others} values as well",
            others=others,
        )
    if gain < LEAST_GAIN:
        return say_count(
            len(aside),
            "a reference model that was fitted without it describes the other {others} values better",
            "a reference model that was fitted without them describes the other {others} values better",
            others=others,
        )
    return say_count(
        len(aside),
        "a reference model that was fitted without it describes the other {others} values better (its BIC for them is "
        "lower by {gain})",
        "a reference model that was fitted without them describes the other {others} values better (its BIC for them "
        "is lower by {gain})",
        others=others,
        gain=fixed(gain, 0 if gain >= 10.0 else 1),
    )


def _chances(outliers: Sequence[StandingOut], units: Units) -> str:
    """With what chance values are outliers, the least sure ones first; "" where that is not known."""
    ranked = sorted((fact for fact in outliers if fact.chance is not None), key=lambda fact: fact.chance or 0.0)
    if not ranked:
        return ""
    first, *others = (percent(fact.chance or 0.0) for fact in ranked)
    told: list[str] = [
        say("{place} is an outlier with a chance of {chance}", place=_where(ranked[0], units), chance=first)
    ]
    if others and set(others) == {first}:
        told = [say("Each of them is an outlier with a chance of {chance}", chance=first)]
    elif others:
        rest = zip(ranked[1:MOST_NAMED], others, strict=False)
        told += [say("{place} with one of {chance}", place=_where(fact, units), chance=chance) for fact, chance in rest]
    return say("{statements}, given how far the other values scatter.", statements=capital(joined(told)))


def ending_text(facts: Sequence[Fact], units: Units) -> str:
    """That the last values stand out, and that nobody can know yet what they are; "" where they do not."""
    ending = [fact for fact in facts if isinstance(fact, StandingOut) and fact.ending]
    if not ending:
        return ""
    return say_count(
        len(ending),
        "The last value stands out ({values}). So far one value cannot tell a mistake, an unfinished period and a "
        "lasting change apart: is {place} complete? It was set aside, and forecasts reckon with both: that this lasts "
        "has a probability of {percent}, by how often such values lasted in other series and by what values far off "
        "did before in this one.",
        "The last {n} values stand out ({values}). So far {n} values cannot tell a mistake, an unfinished period and a "
        "lasting change apart: is {place} complete? They were set aside, and forecasts reckon with both: that this "
        "lasts has a probability of {percent}, by how often such values lasted in other series and by what values far "
        "off did before in this one.",
        n=count(len(ending)),
        values=_named(ending, units),
        place=_where(ending[-1], units),
        percent=percent(ending[-1].lasting),
    )


def two_ways_text(facts: Sequence[Fact], units: Units) -> str:
    """The two cases that a forecast weighs where the last values were set aside; "" where none were."""
    fact = find(facts, TwoWays)
    if fact is None:
        return ""
    back, lasting = values(fact.number, fact.lasting, units, 3)
    return say_count(
        fact.rows,
        "That weighs two cases: for {place} about {back} is expected, or about {lasting} if the last value begins a "
        "new level ({percent}).",
        "That weighs two cases: for {place} about {back} is expected, or about {lasting} if the last {n} values begin "
        "a new level ({percent}).",
        place=_at(fact.position, units), back=back, lasting=lasting, n=count(fact.rows), percent=percent(fact.odds),
    )  # fmt: skip


def two_ways_assumed(facts: Sequence[Fact]) -> str:
    """What a forecast assumes of the last values, which were set aside; "" where none were."""
    fact = find(facts, TwoWays)
    if fact is None:
        return ""
    return say_count(
        fact.rows,
        "The last value begins a new level with a probability of {percent}: then the sum of all parts moves by as "
        "much. Else it is past.",
        "The last {n} values begin a new level with a probability of {percent}: then the sum of all parts moves by as "
        "much. Else they are past.",
        n=count(fact.rows),
        percent=percent(fact.odds),
    )


_SIDES = {  # whether some are low, and whether some are high
    (True, True): message(
        "{lead}: {n} of {total} values of {target} were far higher or lower than the others suggest, so such values "
        "may come again."
    ),
    (True, False): message(
        "{lead}: {n} of {total} values of {target} were far lower than the others suggest, so such values may come "
        "again."
    ),
    (False, True): message(
        "{lead}: {n} of {total} values of {target} were far higher than the others suggest, so such values may come "
        "again."
    ),
}


def comes_again_text(facts: Sequence[Fact], units: Units) -> str:
    """That several values were set aside, and that such ones may come again; "" for few."""
    aside = [fact for fact in facts if isinstance(fact, StandingOut) and fact.aside and not fact.ending]
    if len(aside) < FEWEST_TO_COME_AGAIN:
        return ""
    low = sum(fact.number < fact.expected for fact in aside)
    ending = sum(isinstance(fact, StandingOut) and fact.ending for fact in facts)
    lead = say("Forecasts are without what was set aside")
    if ending:
        lead = say_count(
            ending,
            "Forecasts are without what was set aside before the last value",
            "Forecasts are without what was set aside before the last {n} values",
            n=count(ending),
        )
    again_told = say(
        _SIDES[low > 0, low < len(aside)],
        lead=lead, n=count(len(aside)), total=fixed(len(aside) + ending + aside[0].values, 0),
        target=f"'{units.target}'",
    )  # fmt: skip
    known = say("If you know what they are (holidays, say, or closures), expect them on their dates.")
    return f"{again_told} {known}"


def returning_text(facts: Sequence[Fact], units: Units) -> str:
    """On which days of the calendar values are off each time, and that forecasts have them; "" where there are none."""
    days = [_on_day(fact, units) for fact in facts if isinstance(fact, ReturningDay)]
    return " ".join([*days, say("Forecasts have that, too; what follows is about the other days.")]) if days else ""


def _on_day(fact: ReturningDay, units: Units) -> str:
    level, usual = pair(fact.level, fact.level - fact.number, 2)
    told = {
        "day": again(fact.day), "it": units.it, "level": level, "usual": usual, "n": count(fact.times),
        "place": _at(fact.since, units),
    }  # fmt: skip
    if fact.number < 0.0:
        return say(
            "On {day} {it} falls to about {level}, where other days suggest about {usual} ({n} times since {place}).",
            **told,
        )
    return say(
        "On {day} {it} rises to about {level}, where other days suggest about {usual} ({n} times since {place}).",
        **told,
    )


def kept_text(outliers: Sequence[StandingOut], units: Units) -> str:
    """The values that stand out and were kept, and why."""
    kept = [fact for fact in outliers if not fact.aside]
    if not kept:
        return ""
    why = say_count(
        len(kept),
        "This value stands at an end of the data, so it is kept: whether this is a single event or the start of "
        "something new, only other values can tell.",
        "These values stand at an end of the data, so they are kept: whether this is a single event or the start of "
        "something new, only other values can tell.",
    )
    return f"{capital(_named(kept, units))}. {why}"


def far_named(far: Sequence[tuple[float, float]], units: Units) -> str:
    """Positions with their values, of which the first are furthest off; "" for none."""
    named = [f"{_at(position, units)} ({value(number, units)})" for position, number in sorted(far[:MOST_FAR])]
    more = len(far) - MOST_FAR
    if more > 0:
        named.append(say_as("values", "one more") if more == 1 else say_as("values", "{n} more", n=count(more)))
    return joined(named)


def _named(outliers: Sequence[StandingOut], units: Units) -> str:
    """Values by their places, such as: November 2015: 146, expected about 50."""
    return in_turn(
        say("{place}: {value}, expected about {expected}", place=_where(fact, units), value=value, expected=expected)
        for fact in outliers
        for value, expected in [value_and_expected(fact)]
    )


def _where(fact: StandingOut, units: Units) -> str:
    return _at(fact.position, units)


def _at(position: float, units: Units) -> str:
    return named_place(stamp(position, units), units)


def value_and_expected(fact: StandingOut) -> tuple[str, str]:
    """A value and what all others let expect there, rounded alike."""
    value, expected = pair(fact.number, fact.expected, 2)
    return value, expected


def set_aside_text(facts: Sequence[Fact], units: Units) -> str:
    """The values that the model was made without, in a sentence; "" for none."""
    aside = [fact for fact in facts if isinstance(fact, StandingOut) and fact.aside]
    if not aside:
        return ""
    more = len(aside) - MOST_NAMED
    named = _named(aside[:MOST_NAMED], units)
    if more > 0:
        named = say_count(more, "{values}; and one more", "{values}; and {n} more", values=named, n=count(more))
    return say("Outliers, which the model leaves out: {values}.", values=named)


def far_off_text(outliers: Sequence[StandingOut]) -> str:
    """The rows with their values, in a sentence; "" for none."""
    if not outliers:
        return ""
    rows = [
        say("row {n} ({value}, expected about {expected})", n=f"{fact.position:.0f}", value=value, expected=expected)
        for fact in outliers
        for value, expected in [value_and_expected(fact)]
    ]
    return say(
        "By their numbers in the table, {rows}: far off what all others suggest, and not set aside.", rows=joined(rows)
    )

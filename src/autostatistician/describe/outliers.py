"""Values that stand out from a series: facts, and what is said of them before the parts."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.decompose.records import Decomposition
from autostatistician.describe.document import Block, Paragraph, Section, Table
from autostatistician.describe.facts import Fact
from autostatistician.describe.names import clean_name
from autostatistician.describe.numbers import capital, count, fixed, joined, pair, plural
from autostatistician.describe.overall import HeavyTails, StandingOut
from autostatistician.describe.units import Units, axis_title, stamp

__all__ = ["look_up", "outlier_facts", "outlier_section", "set_aside_text"]

NAMED = 3  # that a sentence names
EVIDENCE = "prediction from all other values by reference models, with Bonferroni's correction for their number"


def outlier_facts(d: Decomposition) -> tuple[StandingOut | HeavyTails, ...]:
    """A fact for every value that stands out, or one for many."""
    if d.screening.heavy:
        return (HeavyTails(id="outliers/many", number=d.screening.heavy, unit="1", evidence=EVIDENCE),)
    return tuple(
        StandingOut(
            id=f"outliers/{number}", number=one.y, unit="target", evidence=EVIDENCE, position=one.x,
            expected=one.expected, aside=one.aside, gain=d.screening.gain, values=int(d.x.size),
        )
        for number, one in enumerate(d.screening.rows, 1)
    )  # fmt: skip


def outlier_section(facts: Sequence[Fact], units: Units) -> tuple[Section, ...]:
    """What stands out, and what was done with it; no section where nothing does."""
    many = [fact for fact in facts if isinstance(fact, HeavyTails)]
    found = [fact for fact in facts if isinstance(fact, StandingOut)]
    if not (many or found):
        return ()
    blocks: list[Block] = []
    if many:
        text = (
            f"{capital(plural(int(many[0].number), 'value'))} of '{units.target}' "
            f"{'lies' if many[0].number == 1 else 'lie'} far from what all others let expect, but large deviations of "
            "all sizes are common here: that is noise with heavy tails, not a matter of outliers, so every value was "
            "kept. Ranges are those of ordinary noise: expect more values far outside of them than they say."
        )
        return (Section("outliers", "Values that stand out", (Paragraph(text, (many[0].id,)),)),)
    told = " ".join(filter(None, [_aside(found, units), _kept(found, units)]))
    blocks += [Paragraph(told, tuple(fact.id for fact in found)), _table(found, units)]
    return (Section("outliers", "Values that stand out", tuple(blocks)),)


def _aside(found: Sequence[StandingOut], units: Units) -> str:
    aside = [fact for fact in found if fact.aside]
    if not aside:
        return ""
    one, gain = len(aside) == 1, aside[0].gain
    compared = (
        f"a reference model that was fitted without {'it' if one else 'them'} describes the other "
        f"{aside[0].values:,} values {'better' if gain > 0.0 else 'as well'}"
        + (f" (its BIC for them is lower by {fixed(gain, 0 if gain >= 10.0 else 1)})" if gain >= 0.1 else "")
    )
    return (
        f"{_named(aside, units)}. No trend, cycle or step explains {'this value' if one else 'these values'}, so "
        f"{'it was' if one else 'they were'} set aside before the model was made: {compared}. "
        f"{'It is' if one else 'They are'} not part of any number below. Correct what is a mistake; if such values "
        "belong to what you describe, make the model again with all of them (outliers='keep')."
    )


def _kept(found: Sequence[StandingOut], units: Units) -> str:
    kept = [fact for fact in found if not fact.aside]
    if not kept:
        return ""
    what = "an end of the data, so it is" if len(kept) == 1 else "an end of the data, so they are"
    return (
        f"{_named(kept, units)}. {'This value stands' if len(kept) == 1 else 'These values stand'} at {what} kept: "
        "whether this is a single event or the start of something new, only other values can tell."
    )


def _named(found: Sequence[StandingOut], units: Units) -> str:
    """Values by their places, such as: November 2015: 146, expected about 50."""
    told = [(_where(fact, units), *_pair(fact)) for fact in found]
    return "; ".join(f"{where}: {value}, expected about {expected}" for where, value, expected in told)


def _where(fact: StandingOut, units: Units) -> str:
    name = stamp(fact.position, units)
    return name if units.axis.is_calendar else f"'{clean_name(units.axis.column)}' = {name}"


def _pair(fact: StandingOut) -> tuple[str, str]:
    value, expected = pair(fact.number, fact.expected, 2)
    return value, expected


def set_aside_text(facts: Sequence[Fact], units: Units) -> str:
    """The values that the model was made without, in a sentence for the verdict; "" for none."""
    aside = [fact for fact in facts if isinstance(fact, StandingOut) and fact.aside]
    if not aside:
        return ""
    more = len(aside) - NAMED
    named = _named(aside[:NAMED], units) + (f"; and {count(more)} more" if more > 0 else "")
    return f"What the model was made without, because nothing in the data explains it: {named}."


def look_up(facts: Sequence[Fact], units: Units) -> str:
    """What to find out about values that stand out; "" where there are none."""
    found = [fact for fact in facts if isinstance(fact, StandingOut)]
    if not found:
        return ""
    places = joined([_where(fact, units) for fact in found[:NAMED]])
    return f"Look up what happened there: {places}. A mistake can be corrected, an event named."


def _table(found: Sequence[StandingOut], units: Units) -> Table:
    done = {True: "set aside", False: "kept, as it stands at an end"}
    rows = tuple((stamp(fact.position, units), *_pair(fact), done[fact.aside]) for fact in found)
    header = (axis_title(units), units.target, "expected", "what was done")
    caption = "Values that stand out, what all other values let expect there, and what was done with them."
    return Table("outliers", caption, header, rows, (False, True, True, False))

"""What happened to a series at a time: sudden changes and changes of its scatter, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.places import place, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact, Span
from autostatistician.describe.facts.function import (
    FunctionFact,
    ScatterStep,
    SuddenChange,
)
from autostatistician.describe.words.amounts import values
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, count, joined

__all__ = ["ask_text", "at", "change_text", "happened_text", "scatter_text", "since", "since_scatter"]

LEAST_SHARE = 0.005  # that is one per cent in whole numbers
MOST_ASKED = 3  # changes that a reader is asked about
FEW_ROWS = 5  # after a change: whether it lasts is open


def at(position: float, units: Units) -> str:
    """When something is: "in March 2020", "on 21 April 2023", "at 'x' = 5"."""
    name = stamp(position, units)
    if not units.axis.is_calendar:
        return f"at {quoted(units.axis.column)} = {name}"
    return f"on {name}" if name[:1].isdigit() and " " in name else f"in {name}"


def since(position: float, units: Units) -> str:
    """From when on something is so: "from March 2020 on"."""
    return f"from {at(position, units).partition(' ')[2]} on"


def change_text(fact: SuddenChange, units: Units) -> str:
    """A sudden change as a sentence: when, by how much, and whether it went back."""
    before, after = values(fact.level, fact.after, units, 2)
    verb = "rose" if fact.number > 0.0 else "fell"
    share = f"by {_whole_percent(fact.share)}, " if fact.share is not None and not units.is_odds else ""
    when = at(fact.at, units)
    text = f"{when[:1].upper()}{when[1:]} {units.it} {verb} suddenly, {share}from about {before} to {after}"
    if fact.until is not None:
        if fact.rows == 1:
            return f"{text}; that value stands alone."
        return f"{text}; {since(fact.until, units)} it was back."
    if fact.later < FEW_ROWS:
        rows = "one value" if fact.later == 1 else f"{count(fact.later)} values"
        return f"{text}; with {rows} since, nobody can know yet whether that lasts."
    return f"{text}, and has stayed there." if fact.stays else f"{text}."


def _whole_percent(share: float) -> str:
    """The size of a share in whole per cent: that of a change is not known more closely.

    >>> _whole_percent(-0.7068), _whole_percent(0.004)
    ('71%', 'less than 1%')
    """
    return f"{100.0 * abs(share):.0f}%" if abs(share) >= LEAST_SHARE else "less than 1%"


def scatter_text(fact: ScatterStep, units: Units) -> str:
    """That single values scatter more, or less, from a place on."""
    times = fact.number if fact.number > 1.0 else 1.0 / fact.number
    more = (
        f"{amount(times, 2)} times as far as before"
        if fact.number > 1.0
        else f"only 1/{amount(times, 2)} as far as before"
    )
    if fact.between is not None:
        return f"Some time {_between(fact.between, units)} single values began to scatter {more}."
    start = since(fact.at, units)
    return f"{start[:1].upper()}{start[1:]} single values scatter {more}."


def _between(span: Span, units: Units) -> str:
    """When something was that is known to no few rows: "between March 2012 and December 2013"."""
    first, last = (place(end, units) for end in span)
    if not units.axis.is_calendar or first == last:  # places go by the span of the data
        first, last = (stamp(end, units) for end in span)
    return f"between {first if units.axis.is_calendar else f'{quoted(units.axis.column)} = {first}'} and {last}"


def since_scatter(fact: ScatterStep, units: Units) -> str:
    """From when on single values scatter otherwise: from a date, or within a span where none is known."""
    return since(fact.at, units) if fact.between is None else f"since some time {_between(fact.between, units)}"


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
    return f"Find out what happened {joined(places[:MOST_ASKED])}: the data show that something did, but not what."

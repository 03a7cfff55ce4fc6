"""What a number is told for: a time or a stretch of time, or places on an axis of numbers.

English has a word like "for" before them. Others have one that goes with the kind of a date, as `at` says it, because a
day would ask for an article or another case.
"""

from __future__ import annotations

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.events import at
from autostatistician.wording.messages import ENGLISH, language, say
from autostatistician.wording.names import quoted

__all__ = ["named_for", "named_place", "told_for", "told_in"]


def told_for(position: float, units: Units) -> str:
    """What a number is for, behind it: "for January 1961"."""
    return f"for {stamp(position, units)}" if language() == ENGLISH else at(position, units)


def named_for(position: float, units: Units) -> str:
    """The same, with the name of the axis where it is one of numbers: "for 'depth' = 3"."""
    if units.axis.is_calendar:
        return told_for(position, units)
    return say("for {place}", place=named_place(stamp(position, units), units))


def told_in(position: float, units: Units) -> str:
    """When something would be: "in January 1961"."""
    return f"in {stamp(position, units)}" if language() == ENGLISH else at(position, units)


def named_place(name: str, units: Units) -> str:
    """A place in words, with the name of the axis where it is a number."""
    return name if units.axis.is_calendar else f"{quoted(units.axis.column)} = {name}"

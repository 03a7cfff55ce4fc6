"""What a number is told for: a time, or a place on an axis of numbers."""

from __future__ import annotations

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.events import at
from autostatistician.wording.messages import ENGLISH, language

__all__ = ["told_for", "told_in"]


def told_for(position: float, units: Units) -> str:
    """What a number is for, behind it: "for January 1961"; other languages say "in January 1961", as of what is then.

    A word like "for" would ask for another case of a day there.
    """
    return f"for {stamp(position, units)}" if language() == ENGLISH else at(position, units)


def told_in(position: float, units: Units) -> str:
    """When something would be: "in January 1961"."""
    return f"in {stamp(position, units)}" if language() == ENGLISH else at(position, units)

"""The chance of a class at a single time."""

from __future__ import annotations

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.classes import ChanceAt
from autostatistician.describe.words.chances import chance
from autostatistician.wording.numbers import capital

__all__ = ["at_time_text"]


def at_time_text(at: ChanceAt, scale: Units) -> str:
    """The chance at a single time that is to come."""
    return f"{capital(scale.it)} for {stamp(at.at, scale)} is {chance(at, first=True)}."

"""The chance of a class at a single time."""

from __future__ import annotations

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.classes import ChanceAt
from autostatistician.describe.words.chances import chance
from autostatistician.wording.numbers import capital

__all__ = ["at_time_text"]


def at_time_text(position: float, told: tuple[float, float, float], scale: Units) -> str:
    """The chance at a single time that is to come, with the ends of its range."""
    at = ChanceAt(position, told[0], told[1:])
    return f"{capital(scale.it)} for {stamp(position, scale)} is {chance(at, first=True)}."

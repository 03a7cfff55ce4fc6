"""The chance of a class at a single time."""

from __future__ import annotations

from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.classes import ChanceAt
from autostatistician.describe.words.chances import chance
from autostatistician.describe.words.times import told_for
from autostatistician.wording.messages import say
from autostatistician.wording.numbers import capital

__all__ = ["at_time_text"]


def at_time_text(position: float, told: tuple[float, float, float], scale: Units) -> str:
    """The chance at a single time that is to come, with the ends of its range."""
    at = ChanceAt(position, told[0], told[1:])
    when = told_for(position, scale)
    return capital(say("{it} {when} is {chance}.", it=scale.it, when=when, chance=chance(at, first=True)))

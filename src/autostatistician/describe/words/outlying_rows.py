"""Rows of a table that all others let expect otherwise, in words."""

from __future__ import annotations

from autostatistician.describe.facts.whole import StandingOut
from autostatistician.wording.numbers import joined, pair

__all__ = ["far_off_text"]


def far_off_text(found: tuple[StandingOut, ...]) -> str:
    """The rows with their values, in a sentence; "" for none."""
    if not found:
        return ""
    told = []
    for fact in found:
        value, expected = pair(fact.number, fact.expected, 2)
        told.append(f"row {fact.position:.0f} ({value}, expected about {expected})")
    return f"Of the rows that were used, {joined(told)}: far off what all others let expect, and not set aside."

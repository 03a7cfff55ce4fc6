"""The parts of a series with their words, as the sections of its report need them."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import SeriesFindings, SeriesPart
from autostatistician.describe.facts.part import ChangeSteepness
from autostatistician.describe.words.nouns import gist, summary
from autostatistician.describe.words.statement import statement

__all__ = ["SeriesStory", "StoryPart", "changes_of", "story_of"]


@dataclass(frozen=True)
class StoryPart:
    """One part with its words."""

    part: SeriesPart
    gist: str  # a noun for it
    summary: str  # what it is
    statement: str  # the same with its size

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is known of it."""
        return self.part.facts


@dataclass(frozen=True)
class SeriesStory:
    """All that the sections are made from."""

    findings: SeriesFindings
    units: Units
    parts: tuple[StoryPart, ...]


def story_of(findings: SeriesFindings, units: Units) -> SeriesStory:
    """The parts of a series in words."""
    return SeriesStory(findings, units, tuple(_told(part, units) for part in findings.parts))


def _told(part: SeriesPart, units: Units) -> StoryPart:
    facts = part.facts
    return StoryPart(part, gist(facts, units), summary(facts, units), statement(facts, units))


def changes_of(parts: tuple[StoryPart, ...]) -> frozenset[float]:
    """Where parts change, so that the same changes are not described again."""
    return frozenset(fact.location for part in parts for fact in part.facts if isinstance(fact, ChangeSteepness))

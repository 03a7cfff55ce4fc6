"""The parts of a series with their words, as the sections of its report need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import SeriesFindings, SeriesPart
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.facts.part import ChangeSteepness, CombinedCycles, ConstantLevel, Periodicity, Wandering
from autostatistician.describe.words.nouns import gist, summary
from autostatistician.describe.words.statement import statement
from autostatistician.forms import BAND_SDS

__all__ = ["SeriesStory", "StoryPart", "changes_of", "is_walk", "story_of", "wanders_freely"]


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


def wanders_freely(parts: Sequence[SeriesPart]) -> bool:
    """Whether a part has a level that may move either way at any time, and that nothing pulls back."""
    return any(isinstance(head, Wandering) and head.free and head.rough for part in parts for head in part.facts[:1])


def is_walk(findings: SeriesFindings) -> bool:
    """Whether most models tell a series as a random walk: beside cycles and noise a level that wanders freely.

    Many of them may hold a line as well, where the data show no drift.
    """
    heads = [part.facts[0] for part in findings.parts if not part.is_noise]
    beside = all(isinstance(head, (Wandering, Periodicity, CombinedCycles, ConstantLevel)) for head in heads)
    weights = {claim.claim.kind: claim.probability for claim in findings.claims}
    free, trend = (weights.get(kind, 0.0) for kind in (ClaimKind.WANDERING, ClaimKind.TREND))
    cycles = any(isinstance(head, (Periodicity, CombinedCycles)) for head in heads)
    drifts = trend >= MAJORITY and (cycles or _drifts(findings.curves.y))
    return beside and wanders_freely(findings.parts) and free >= MAJORITY and not drifts


def _drifts(values: NDArray[np.float64]) -> bool:
    """Whether the steps from one value to the next (n,) have a mean that is clear of their scatter.

    >>> _drifts(np.array([0.0, 3.0, 1.0, 4.0, 2.0])), _drifts(np.array([0.0, 3.0, 5.0, 8.0, 10.0]))
    (False, True)
    """
    steps = np.diff(values)
    return bool(abs(steps.mean()) > BAND_SDS * steps.std(ddof=1) / np.sqrt(len(steps)))


def changes_of(parts: tuple[StoryPart, ...]) -> frozenset[float]:
    """Where parts change, so that the same changes are not described again."""
    return frozenset(fact.location for part in parts for fact in part.facts if isinstance(fact, ChangeSteepness))

"""All that a report on a series is made from: parts with their words, and facts about the whole."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.decompose.records.series import Component, Decomposition
from autostatistician.describe.axis import Units
from autostatistician.describe.facts.part import ActiveInterval, ChangeSteepness, ConstantLevel, Fact, NoiseLevel
from autostatistician.describe.observe.parts import component_facts, component_id, on_scale, units_for
from autostatistician.describe.observe.plain import plain_facts
from autostatistician.describe.observe.whole import model_facts
from autostatistician.describe.observe.whole_of_noise import is_pure_noise
from autostatistician.describe.words.nouns import gist, summary
from autostatistician.describe.words.statement import statement

__all__ = ["Part", "Story", "changes_of", "story_of"]


@dataclass(frozen=True)
class Part:
    """One component with its words."""

    number: int
    component: Component
    name: str
    facts: tuple[Fact, ...]
    gist: str  # a noun for it
    summary: str  # what it is
    statement: str  # the same with its size


@dataclass(frozen=True)
class Story:
    """All that the sections are made from."""

    decomposition: Decomposition
    units: Units
    facts: tuple[Fact, ...]
    parts: tuple[Part, ...]

    @property
    def pure(self) -> bool:
        """Whether the model is noise alone."""
        return is_pure_noise(self.decomposition)

    @property
    def nothing(self) -> bool:
        """Whether the model is noise, with a constant level at most."""
        heads = [part.facts[0] for part in self.parts if not any(isinstance(f, ActiveInterval) for f in part.facts)]
        return len(heads) == len(self.parts) and all(isinstance(head, NoiseLevel | ConstantLevel) for head in heads)


def story_of(decomposition: Decomposition) -> Story:
    """The parts of a decomposition with their words, and the facts about the whole."""
    d = decomposition
    units = units_for(d)
    parts = []
    for number, component in enumerate(d.components, 1):
        facts = component_facts(component, d)
        told = (gist(facts, units), summary(facts, units), statement(facts, units))
        parts.append(Part(number, component, component_id(component, d), facts, *told))
    plain = on_scale(plain_facts(d, tuple(part.facts[0] for part in parts)), d)
    return Story(d, units, (*plain, *model_facts(d)), tuple(parts))


def changes_of(parts: tuple[Part, ...]) -> frozenset[float]:
    """Where parts change, so that the same changes are not described again."""
    return frozenset(fact.location for part in parts for fact in part.facts if isinstance(fact, ChangeSteepness))

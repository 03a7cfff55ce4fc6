"""The effects of a table with their words, as the sections of its report need them."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.facts.effect import ColumnRelevance
from autostatistician.describe.facts.findings import ColumnFindings, EffectFindings
from autostatistician.describe.facts.judgement import hardly_matters
from autostatistician.describe.words.effects import effect_text, effect_title

__all__ = ["TableStory", "ToldEffect", "story_of"]


@dataclass(frozen=True)
class ToldEffect:
    """One effect with its words."""

    effect: EffectFindings
    title: str
    sentence: str


@dataclass(frozen=True)
class TableStory:
    """All that the sections are made from."""

    findings: ColumnFindings
    scale: Scale
    effects: tuple[ToldEffect, ...]

    @property
    def idle(self) -> tuple[ColumnRelevance, ...]:
        """The columns that do not matter."""
        return tuple(fact for fact in self.findings.columns if hardly_matters(fact) or not (fact.used or fact.scatter))


def story_of(findings: ColumnFindings, scale: Scale) -> TableStory:
    """The effects of a table in words."""
    return TableStory(findings, scale, tuple(_told(effect, scale) for effect in findings.effects))


def _told(effect: EffectFindings, scale: Scale) -> ToldEffect:
    return ToldEffect(effect, effect_title(effect.facts), effect_text(effect.facts, scale))

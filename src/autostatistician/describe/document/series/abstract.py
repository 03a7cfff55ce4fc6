"""The story of a series: its parts in words, what is known of its rows, and its model in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.claims.claim import Claim, first
from autostatistician.claims.kinds import Kind
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import SeriesFindings, SeriesPart
from autostatistician.describe.facts.part import ChangeSteepness
from autostatistician.describe.words.outliers import ending_text, returning_text
from autostatistician.describe.words.parts import gist, statement, summary
from autostatistician.describe.words.plain import nothing_text, zeros_text
from autostatistician.describe.words.whole import nothing_found
from autostatistician.i18n.messages import message, say
from autostatistician.i18n.numbers import count

__all__ = [
    "SeriesStory", "StoryPart", "changes_of", "model_text", "nothing_texts", "rows_texts", "story_of", "walk_of",
]  # fmt: skip


# Said of a series that was chosen from a table of several columns and shows nothing along the time.
_BESIDE = message("This is about the course in time alone: the columns that were not used may explain these values.")


def rows_texts(story: SeriesStory) -> tuple[str, ...]:
    """What is known of the rows before any model: zeros, values that end the data or come again, how few there are."""
    claims, units = story.findings.claims, story.units
    texts = zeros_text(story.findings.facts), ending_text(claims, units), returning_text(claims, units)
    return tuple(filter(None, texts))


def nothing_texts(story: SeriesStory) -> tuple[str, ...]:
    """That the model found no structure; nothing where it found some."""
    findings, units = story.findings, story.units
    if not findings.nothing:
        return ()
    if findings.covariates is not None and findings.covariates.mattering:
        nothing = say("Beyond what the columns say, {it} has no trend and no cycle that can be seen.", it=units.it)
    else:
        nothing = nothing_text(findings.facts) or nothing_found(findings, units)
    alone = findings.choice and units.axis.is_calendar and findings.covariates is None
    return tuple(filter(None, [nothing, say(_BESIDE) if alone else ""]))


def model_text(story: SeriesStory) -> str:
    """The model that is told, in a sentence."""
    return say("The model is {model}.", model=_of_what(story))


def _of_what(story: SeriesStory) -> str:
    """The model as a noun: what it is of, and its parts."""
    number, units = len(story.parts), story.units
    what = say("the sum of {n} parts", n=count(number)) if number > 1 else story.parts[0].gist
    if units.is_odds:
        return say("{parts} for the logarithm of their odds (so that they stay between 0% and 100%)", parts=what)
    if units.counts and units.is_log:
        return say("{parts} for the logarithm of their rate", parts=what)
    return say("{parts} for the logarithm of the values", parts=what) if units.is_log else what


# --- The parts of a series with their words, as the sections of its report need them --------------------------------


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


def walk_of(findings: SeriesFindings) -> Claim | None:
    """The course of what most models and the data alone show as a random walk; None where it is none."""
    rise, modelled = first(findings.claims, Kind.RISE), first(findings.claims, Kind.WANDERING)
    return rise if rise is not None and "step" in rise.more and modelled is not None else None


def changes_of(parts: tuple[StoryPart, ...]) -> frozenset[float]:
    """Where parts change, so that the same changes are not described again."""
    return frozenset(fact.location for part in parts for fact in part.facts if isinstance(fact, ChangeSteepness))

"""Whether parts add up or multiply, and why, in words."""

from __future__ import annotations

from math import isnan

from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import scale_is_open
from autostatistician.describe.facts.whole import CountScatter, LogScale
from autostatistician.describe.words.amounts import value
from autostatistician.describe.words.counts import counts_text, of_parts_text, scatter_text, zeros_apart_text
from autostatistician.describe.words.nouns import find
from autostatistician.wording.messages import say
from autostatistician.wording.numbers import fixed

__all__ = ["open_scale_text", "scale_claim", "scale_sentence", "scale_text"]


def scale_text(facts: tuple[Fact, ...], units: Units) -> str:
    """That the model is of the logarithm, why, and how its amounts are to be read; "" where it is not."""
    scale = find(facts, LogScale)
    if scale is None or scale.level is None:
        return ""
    if units.counts:
        scatter = find(facts, CountScatter)
        times = 1.0 if scatter is None else scatter.number
        texts = counts_text(scale, units, times), scatter_text(facts, units), zeros_apart_text(facts, units)
        return " ".join(filter(None, texts))
    if units.is_odds:
        return _odds_text(scale, units)
    return say(
        "The model is of the logarithm of {target}, {grounds}: its parts multiply instead of adding up, so their "
        "amounts are percentages of what the other parts give. Levels, forecasts and their ranges are in the units of "
        "{target}; a level that one part goes through is told as if the others were at their neutral value, with "
        "{level} (the geometric mean of the data) as the typical level. Shares of variation and average misses are "
        "those of the logarithm.", target=_target(units), grounds=_grounds(scale),
        level=value(scale.level, units),
    )  # fmt: skip


def open_scale_text(facts: tuple[Fact, ...], units: Units) -> str:
    """That the data do not tell growth by amounts from growth by percentages; "" where they do, or were not asked."""
    scale = find(facts, LogScale)
    if scale is None or scale.probability is None or not scale_is_open(scale.probability):
        return ""
    return f"{_open(units)}."


def scale_claim(facts: tuple[Fact, ...], units: Units) -> tuple[str, float] | None:
    """The claim that changes multiply with its probability, where the data leave it open; else None."""
    scale = find(facts, LogScale)
    if scale is None or scale.probability is None or not scale_is_open(scale.probability):
        return None
    of_log = 1.0 - scale.probability if scale.level is None else scale.probability
    return say("Changes of {target} multiply instead of adding up", target=_target(units)), of_log


def _target(units: Units) -> str:
    return f"'{units.target}'"


def _open(units: Units) -> str:
    return say(
        "Whether changes of {target} add up or multiply (straight or exponential), the data do not tell",
        target=_target(units),
    )  # fmt: skip


def _grounds(scale: LogScale) -> str:
    if isnan(scale.number):
        return say("as was asked for")
    if not scale.by_evidence:
        gain = fixed(scale.number, 0)
        return say("because that describes these data better (by {gain} of BIC, on reference models)", gain=gain)
    gain = fixed(0.5 * scale.number, 1)
    if round(0.5 * scale.number, 1) == 0.0:
        return say("though these data are about as probable without it (over simple models together)")
    return say(
        "because that makes these data more probable (by {gain} in the logarithm, over simple models together)",
        gain=gain,
    )  # fmt: skip


def _odds_text(scale: LogScale, units: Units) -> str:
    """The same of shares whose odds are modelled."""
    assert scale.level is not None
    lead = say(
        "So that {target} stays between 0% and 100%, the model is of the logarithm of its odds, {grounds}.",
        target=_target(units), grounds=_grounds(scale),
    )  # fmt: skip
    misses = say("Average misses are percentage points about that share, and shares of variation are those of the "
                 "logarithm.")  # fmt: skip
    return f"{lead} {of_parts_text(units)} {misses}"


def scale_sentence(units: Units) -> str:
    """The same in one short sentence for a list."""
    if units.open_scale:
        if units.is_log:
            return say("{open}; the model is of the logarithm, its parts multiply.", open=_open(units))
        return say("{open}; the model is of the values, its parts add up.", open=_open(units))
    if units.is_odds:
        return of_parts_text(units)
    if units.counts:
        return say(
            "The model is of the logarithm of the rate of {target}, a count: its parts multiply.", target=_target(units)
        )
    return say("The model is of the logarithm of {target}: its parts multiply.", target=_target(units))

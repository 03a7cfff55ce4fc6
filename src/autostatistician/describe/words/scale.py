"""Whether parts add up or multiply, and why, in words."""

from __future__ import annotations

from math import isnan

from autostatistician.describe.axis.units import Scale, Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import scale_is_open
from autostatistician.describe.facts.whole import CountScatter, LogScale, ShapedScale
from autostatistician.describe.words.amounts import value
from autostatistician.describe.words.counts import counts_text, of_parts_text, scatter_text, zeros_apart_text
from autostatistician.describe.words.parts import find
from autostatistician.i18n.messages import say
from autostatistician.i18n.numbers import amount, fixed

__all__ = [
    "open_scale_text", "scale_sentence", "scale_text", "shape_of_table_text", "shape_sentence",
    "shape_text",
]  # fmt: skip


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
        "The model is of the logarithm of {target}, {grounds}: its parts multiply, so their amounts are percentages of "
        "what the others give, and a level of one part holds where the others are as usual ({level} is the geometric "
        "mean of the data). Shares of variation and average misses are those of the logarithm.",
        target=_target(units), grounds=_grounds(scale),
        level=value(scale.level, units),
    )  # fmt: skip


def open_scale_text(facts: tuple[Fact, ...], units: Units) -> str:
    """That the data do not tell growth by amounts from growth by percentages; "" where they do, or were not asked."""
    scale = find(facts, LogScale)
    if scale is None or scale.probability is None or not scale_is_open(scale.probability):
        return ""
    return f"{_open(units)}."


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
        return f"{_open(units)}."
    if units.is_odds:
        return of_parts_text(units)
    if units.counts:
        return say(
            "The model is of the logarithm of the rate of {target}, a count: its parts multiply.", target=_target(units)
        )
    return say("The model is of the logarithm of {target}: its parts multiply.", target=_target(units))


# --- The scale of a learned power, in words: what it is, and what it means for amounts and ranges -------------------


def shape_text(fact: ShapedScale, scale: Scale) -> str:
    """That the model is of a map of the target, and how its amounts are to be read."""
    return " ".join((shape_sentence(fact, scale), _amounts(fact, scale), _levels(scale)))


def shape_of_table_text(fact: ShapedScale, scale: Scale) -> str:
    """The same of a table, whose effects have no levels."""
    held = say("Ranges hold the truth with a chance of 95%, if the model holds.")
    return " ".join((shape_sentence(fact, scale), _amounts(fact, scale), held))


def shape_sentence(fact: ShapedScale, scale: Scale) -> str:
    """The same in one short sentence for a list."""
    return say(
        "The model is of a power of {target} that was learned from the data: {power} (1 would be the values as they "
        "are, 0 their logarithm).",
        target=scale.it, power=fixed(fact.power, 2),
    )  # fmt: skip


def _amounts(fact: ShapedScale, scale: Scale) -> str:
    low, high = (amount(times, 2) for times in (fact.low_times, fact.high_times))
    return say(
        "Amounts of parts are in the units of {target} and hold near its usual level of {level}: the same effect, and "
        "the same scatter, is {low} times as large near {low_level} and {high} times as large near {high_level}.",
        target=scale.it, level=_level(fact.number, fact), low=low, high=high,
        low_level=_level(fact.low, fact), high_level=_level(fact.high, fact),
    )  # fmt: skip


def _levels(scale: Scale) -> str:
    return say(
        "Levels that a part goes through, shares of variation and average misses are those on that scale. Forecasts "
        "and their ranges are values of {target}.",
        target=scale.it,
    )


def _level(number: float, fact: ShapedScale) -> str:
    return amount(number, spread=fact.high - fact.low)

"""The scale of a learned power, in words: what it is, and what it means for amounts and ranges."""

from __future__ import annotations

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.facts.whole import ShapedScale
from autostatistician.wording.messages import say
from autostatistician.wording.numbers import amount, fixed, pair

__all__ = ["shape_of_table_text", "shape_sentence", "shape_text"]

_NEARLY_ONE = 1.05  # times as large: below, as large


def shape_text(fact: ShapedScale, scale: Scale) -> str:
    """That the model is of a map of the target, and how its amounts and its ranges are to be read."""
    return " ".join((_what(fact, scale), _amounts(fact, scale), _ranges(fact), _levels(fact, scale)))


def shape_of_table_text(fact: ShapedScale, scale: Scale) -> str:
    """The same of a table, whose effects have no levels."""
    held = say("Ranges hold the truth with a chance of 95%, if the model holds.")
    return " ".join((_what(fact, scale), _amounts(fact, scale), _ranges(fact), held))


def shape_sentence(fact: ShapedScale, scale: Scale) -> str:
    """The same in one short sentence for a list."""
    return say(
        "The model is of a learned power of {target}: amounts hold near its usual level of {level}.",
        target=scale.it, level=_level(fact.number, fact),
    )  # fmt: skip


def _what(fact: ShapedScale, scale: Scale) -> str:
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


def _levels(fact: ShapedScale, scale: Scale) -> str:
    low, high = pair(fact.low_there, fact.high_there)
    return say(
        "Levels that a part goes through are those on the scale, where {low} stands at {low_there} and {high} at "
        "{high_there}; so are shares of variation and average misses. Forecasts and their ranges are values of "
        "{target}.",
        low=_level(fact.low, fact), low_there=low,
        high=_level(fact.high, fact), high_there=high, target=scale.it,
    )  # fmt: skip


def _level(number: float, fact: ShapedScale) -> str:
    return amount(number, spread=fact.high - fact.low)


def _ranges(fact: ShapedScale) -> str:
    """To which side values scatter further, by how amounts change from low values to high ones."""
    if fact.high_times > _NEARLY_ONE * fact.low_times:
        return say("So ranges reach further up than down.")
    if fact.low_times > _NEARLY_ONE * fact.high_times:
        return say("So ranges reach further down than up.")
    if fact.high_times > _NEARLY_ONE:
        return say("So ranges widen away from the usual level.")
    if fact.high_times * _NEARLY_ONE < 1.0:
        return say("So ranges narrow away from the usual level.")
    return say("So the scale hardly differs from that of the values.")

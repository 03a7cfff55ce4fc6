"""A scale whose shape was learned, in words: what it is, and what it means for amounts and ranges."""

from __future__ import annotations

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.facts.whole import ShapedScale
from autostatistician.wording.numbers import amount, fixed

__all__ = ["shape_of_table_text", "shape_sentence", "shape_text", "shaped_model_text"]

_NEARLY_ONE = 1.05  # times as large: below, as large


def shape_text(fact: ShapedScale, scale: Scale) -> str:
    """That the model is of a map of the target, and how its amounts and its ranges are to be read."""
    return f"{_what(fact, scale)} {_amounts(fact, scale)} {_ranges(fact)} {_levels(fact, scale)}"


def shape_of_table_text(fact: ShapedScale, scale: Scale) -> str:
    """The same of a table, whose effects have no levels."""
    held = "Ranges hold the truth with a chance of 95%, if the model holds."
    return f"{_what(fact, scale)} {_amounts(fact, scale)} {_ranges(fact)} {held}"


def shape_sentence(fact: ShapedScale, scale: Scale) -> str:
    """The same in one short sentence for a list."""
    level = amount(fact.number)
    if fact.shape == "box-cox":
        return f"The model is of a learned power of {scale.it}: amounts hold near its usual level of {level}."
    return f"The model is of {scale.it} on a learned scale: amounts hold near its usual level of {level}."


def shaped_model_text(fact: ShapedScale) -> str:
    """How many numbers of a model are those of its scale."""
    if len(fact.numbers) == 1:
        return " (the power is one)"
    return f" (the shape of the scale has {len(fact.numbers)} of them)"


def _what(fact: ShapedScale, scale: Scale) -> str:
    if fact.shape == "box-cox":
        power = fixed(fact.numbers[0], 2)
        return (
            f"The model is of a power of {scale.it} that was learned from the data: {power} (1 would be the values as "
            "they are, 0 their logarithm)."
        )
    skew, tail = (fixed(number, 2) for number in fact.numbers)
    return (
        f"The model is of {scale.it} on a scale whose shape was learned from the data: {skew} for its skew and {tail} "
        "for its tails (0 and 0 would be the values as they are)."
    )


def _amounts(fact: ShapedScale, scale: Scale) -> str:
    low, high = (amount(times, 2) for times in (fact.low_times, fact.high_times))
    return (
        f"Amounts of parts are in the units of {scale.it} and hold near its usual level of {amount(fact.number)}: the "
        f"same effect, and the same scatter, is {low} times as large near {amount(fact.low)} and {high} times as large "
        f"near {amount(fact.high)}."
    )


def _levels(fact: ShapedScale, scale: Scale) -> str:
    low, low_there = amount(fact.low, 3), amount(fact.low_there, 3)
    high, high_there = amount(fact.high, 3), amount(fact.high_there, 3)
    return (
        f"Levels that a part goes through are those on the scale, where {low} stands at {low_there} and {high} at "
        f"{high_there}; so are shares of variation and average misses. Forecasts and their ranges are values of "
        f"{scale.it}."
    )


def _ranges(fact: ShapedScale) -> str:
    """To which side values scatter further, by how amounts change from low values to high ones."""
    if fact.high_times > _NEARLY_ONE * fact.low_times:
        return "So ranges reach further up than down."
    if fact.low_times > _NEARLY_ONE * fact.high_times:
        return "So ranges reach further down than up."
    if fact.high_times > _NEARLY_ONE:
        return "So ranges widen away from the usual level."
    if fact.high_times * _NEARLY_ONE < 1.0:
        return "So ranges narrow away from the usual level."
    return "So the scale hardly differs from that of the values."

"""Sentences on deep processes."""

from __future__ import annotations

from autostatistician.describe.facts.deep import ColumnMove, Foreseen, LayerBend, LayerCount
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, capital, count, fixed, joined, ordinal, pair, percent

__all__ = ["bend_text", "count_text", "foreseen_text", "method_texts", "move_text", "weight_text"]

LITTLE = 0.01  # share of the variance of the prediction below which a layer hardly matters


def _layers(number: int) -> str:
    return f"{count(number)} {'layer' if number == 1 else 'layers'}"


def count_text(fact: LayerCount) -> str:
    """How many layers, and why."""
    layers, fewest = int(fact.number), fact.tried[0][0]
    if len(fact.tried) == 1:
        return f"The model has {_layers(layers)}; no other number of layers was tried."
    if layers == fewest:
        return (
            f"{capital(_layers(layers))} will do: with more, the bound on the log density of the data is at most 3 "
            "higher."
        )
    return (
        f"{capital(_layers(layers))} are kept: their bound on the log density of the data is {fixed(fact.gain, 1)} "
        f"higher than that of {_layers(fewest)}, and none that was tried is more than 3 higher than theirs."
    )


def weight_text(fact: LayerCount) -> str:
    """How sure the number of layers is; nothing where no other was tried."""
    if len(fact.tried) == 1:
        return ""
    shares = joined([f"{percent(weight)} for {count(layers)}" for layers, _, weight in fact.tried])
    return (
        f"As weights the bounds say {shares}. How far a bound lies below what it bounds is not known, and as a rule "
        "the more layers the farther, so that these are no probabilities."
    )


def bend_text(fact: LayerBend) -> str:
    """How far a hidden layer bends its inputs."""
    if fact.number < LITTLE:
        return (
            f"The {ordinal(fact.layer)} hidden layer hardly matters: with a linear map in its place the prediction "
            f"changes by {percent(fact.number)} of its variance."
        )
    return (
        f"The {ordinal(fact.layer)} hidden layer bends its inputs: with a linear map in its place the prediction "
        f"changes by {percent(fact.number)} of its variance."
    )


def move_text(fact: ColumnMove, *, alone: bool) -> str:
    """How far the prediction moves along a column."""
    low, high = pair(fact.lowest[1], fact.highest[1])
    said = (
        f"Along {quoted(fact.column)} the prediction moves between {low} (at {amount(fact.lowest[0])}) and {high} "
        f"(at {amount(fact.highest[0])})"
    )
    return f"{said}." if alone else f"{said}, all other columns at their medians."


def foreseen_text(fact: Foreseen) -> str:
    """What rows left out say."""
    said = (
        f"Foreseen by the same fit to {fact.fitted:,} rows, {fact.rows:,} others lie within their 95% ranges in "
        f"{percent(fact.within)} of cases, with an error of {percent(fact.error_share)} of the spread of the target."
    )
    if fact.of_one_layer is None:
        return said
    here, there = fixed(fact.number, 2), fixed(fact.of_one_layer, 2)
    return f"{said} Their log density is {here} a row, that of a single layer {there}."


def method_texts() -> tuple[str, ...]:
    """How deep processes are fitted."""
    return (
        "Every hidden layer adds smooth functions of its inputs to a linear map of them, and the last layer is a "
        "smooth function of what comes out: a function of functions, which can be flat here and steep there (a deep "
        "Gaussian process: Damianou and Lawrence 2013).",
        "The fit climbs a lower bound on the log density of the data by draws through the layers (Salimbeni and "
        "Deisenroth 2017), from several starts; predictions mix what was found from them. Beyond the data they fall "
        "back to the mean.",
    )

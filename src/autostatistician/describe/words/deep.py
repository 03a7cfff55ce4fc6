"""Sentences on deep processes."""

from __future__ import annotations

from autostatistician.describe.facts.deep import ColumnMove, Foreseen, LayerBend, LayerCount
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, capital, count, fixed, pair, percent

__all__ = ["bend_text", "count_text", "doubt_text", "foreseen_text", "method_texts", "move_text"]

LITTLE = 0.01  # share of the variance of the prediction below which a layer hardly matters


def count_text(fact: LayerCount) -> str:
    """How many layers, and why."""
    layers, fewest, enough = int(fact.number), fact.tried[0][0], amount(fact.enough)
    if len(fact.tried) == 1:
        return say_count(
            layers, "The model has {n} layer; no other number of layers was tried.",
            "The model has {n} layers; no other number of layers was tried.", n=count(layers),
        )  # fmt: skip
    if layers == fewest:
        return say_count(
            layers,
            "{n} layer will do: with more, the bound on the log density of the data is at most {enough} higher.",
            "{n} layers will do: with more, the bound on the log density of the data is at most {enough} higher.",
            n=capital(count(layers)), enough=enough,
        )  # fmt: skip
    return say_count(
        fewest,
        "{n} layers are kept: their bound on the log density of the data is {gain} higher than that of {fewest} layer, "
        "and none that was tried is more than {enough} higher than theirs.",
        "{n} layers are kept: their bound on the log density of the data is {gain} higher than that of {fewest} "
        "layers, and none that was tried is more than {enough} higher than theirs.",
        n=capital(count(layers)), gain=fixed(fact.gain, 1), fewest=count(fewest), enough=enough,
    )  # fmt: skip


def doubt_text(fact: LayerCount) -> str:
    """Why the bounds are no probabilities of numbers of layers; nothing where no other was tried."""
    if len(fact.tried) == 1:
        return ""
    return say(
        "How far a bound lies below what it bounds is not known (as a rule the farther, the more layers there are), so "
        "the bounds give no probabilities of the numbers of layers."
    )


def bend_text(fact: LayerBend) -> str:
    """How far a hidden layer bends its inputs."""
    told = {"layer": fixed(fact.layer, 0), "share": percent(fact.number)}
    if fact.number < LITTLE:
        return say(
            "Hidden layer {layer} hardly matters: with a linear map in its place the prediction changes by {share} of "
            "its variance.",
            **told,
        )
    return say(
        "Hidden layer {layer} bends its inputs: with a linear map in its place the prediction changes by {share} of "
        "its variance.",
        **told,
    )


def move_text(fact: ColumnMove, *, alone: bool) -> str:
    """How far the prediction moves along a column."""
    low, high = pair(fact.lowest[1], fact.highest[1])
    told = {
        "column": quoted(fact.column), "low": low, "low_at": amount(fact.lowest[0]), "high": high,
        "high_at": amount(fact.highest[0]),
    }  # fmt: skip
    if alone:
        return say("Along {column} the prediction moves between {low} (at {low_at}) and {high} (at {high_at}).", **told)
    return say(
        "Along {column} the prediction moves between {low} (at {low_at}) and {high} (at {high_at}), all other columns "
        "at their medians.",
        **told,
    )


def foreseen_text(fact: Foreseen) -> str:
    """What rows left out say."""
    said = say(
        "Of {others} rows that were left out, {within} lie within the 95% ranges that the same fit to the other "
        "{fitted} foresees; its error is {error} of the spread of the target.",
        fitted=fixed(fact.fitted, 0), others=fixed(fact.rows, 0), within=percent(fact.within),
        error=percent(fact.error_share),
    )  # fmt: skip
    if fact.of_one_layer is None:
        return said
    density = say(
        "The mean log density of these rows is {here}, with a single layer {there} (higher is better).",
        here=fixed(fact.number, 2), there=fixed(fact.of_one_layer, 2),
    )  # fmt: skip
    return f"{said} {density}"


_METHOD = (
    message(
        "Every hidden layer adds smooth functions of its inputs to a linear map of them, and the last layer is a "
        "smooth function of what comes out: a function of functions, which can be flat here and steep there (a deep "
        "Gaussian process: Damianou and Lawrence 2013)."
    ),
    message(
        "The fit climbs a lower bound on the log density of the data by draws through the layers (Salimbeni and "
        "Deisenroth 2017), from several starts; predictions mix what was found from them. Beyond the data they fall "
        "back to the mean."
    ),
)


def method_texts() -> tuple[str, ...]:
    """How deep processes are fitted."""
    return tuple(map(say, _METHOD))

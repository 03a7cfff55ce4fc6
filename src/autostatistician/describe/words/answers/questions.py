"""Answers to the few questions that anyone asks of a model, where nothing is found or a single number is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.amounts import value, values
from autostatistician.describe.words.claims import Statement
from autostatistician.wording.numbers import percent

__all__ = ["ahead_text", "none_text", "statement_text", "verdict_texts"]

NONE = ("trend", "seasons", "events", "columns")


def none_text(question: str, scale: Scale) -> str:
    """That a question has nothing for an answer."""
    match question:
        case "trend":
            return f"Too few rows to say where {scale.it} goes."
        case "seasons":
            return f"No pattern that repeats is sure in {scale.it}."
        case "events":
            return f"No sudden change and no value that stands out is found in {scale.it}."
    return f"There are no columns beside {scale.it}."


def statement_text(statement: Statement) -> str:
    """A statement on the form of the model with its probability.

    >>> statement_text(Statement("A yearly cycle", 0.98, True))
    'A yearly cycle: 98% (in the model told here).'
    """
    told = " (in the model told here)" if statement.in_best else ""
    return f"{statement.text}: {percent(statement.probability)}{told}."


def verdict_texts(rely: Sequence[str], doubt: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    """A verdict, each item after its heading.

    >>> verdict_texts(["The model."], [], ["Come back."])
    ('Rely on: The model.', 'Try next: Come back.')
    """
    lists = (("Rely on", rely), ("Be careful with", doubt), ("Try next", after))
    return tuple(f"{head}: {item}" for head, items in lists for item in items)


def ahead_text(position: float, forecast: tuple[float, float, float], units: Units) -> str:
    """The forecast of one row: its mean, with the ends of its range."""
    mean, low, high = forecast
    ends = " to ".join(values(low, high, units))
    return f"The forecast of {units.it} for {stamp(position, units)} is {value(mean, units)} (95% range: {ends})."

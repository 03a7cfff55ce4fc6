"""Answers to the few questions that anyone asks of a model, where nothing is found or a single number is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.amounts import gap, value, values
from autostatistician.describe.words.claims import Statement
from autostatistician.describe.words.events import at
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import pair, percent

__all__ = ["ahead_text", "change_text", "none_text", "none_within_text", "statement_text", "verdict_texts"]

NOTHING = 1e-6  # of the spread of the data: no change that anyone could see
NONE = ("trend", "seasons", "events", "columns")


def none_text(question: str, scale: Scale) -> str:
    """That a question has nothing for an answer."""
    match question:
        case "trend" if scale.is_class:
            return f"Nothing is found that makes {scale.it} rise or fall in the long run."
        case "trend":
            return f"Too few rows to say where {scale.it} goes."
        case "seasons":
            return f"No pattern that repeats is sure in {scale.it}."
        case "events":
            return f"No sudden change and no value that stands out is found in {scale.it}."
    return f"There are no columns beside {scale.it}."


def none_within_text(within: tuple[float, float], units: Units) -> str:
    """That nothing happened in a stretch."""
    first, last = (stamp(position, units) for position in within)
    when = at(within[0], units) if first == last else f"from {named_place(first, units)} to {last}"
    return f"No sudden change and no value that stands out is found in {units.it} {when}."


def change_text(change: Sequence[float], whens: tuple[str, str], units: Units) -> str:
    """How far a course went from one time to another: the size, the ends of its range, the probability of its sign."""
    number, low, high, probability = change
    times = units.in_per_cent
    ends = " to ".join(pair(times * low, times * high))
    first, last = whens
    first = named_place(first, units)
    if max(abs(low), abs(high)) <= NOTHING * units.spread:
        return f"From {first} to {last} {units.it} neither rose nor fell, seasons left out."
    if low <= 0.0 <= high:
        return (
            f"Whether {units.it} rose or fell from {first} to {last} is open, seasons left out: by "
            f"{gap(number, units)} (95% range: {ends})."
        )
    verb = "rose" if number > 0.0 else "fell"
    low, high = sorted((abs(low), abs(high)))
    ends = " to ".join(pair(times * low, times * high))
    return (
        f"From {first} to {last} {units.it} {verb} by {gap(abs(number), units)}, seasons left out (95% range: {ends}; "
        f"that it {verb}: {percent(probability)})."
    )


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


def named_place(name: str, units: Units) -> str:
    """A place in words, with the name of the axis where it is a number."""
    return name if units.axis.is_calendar else f"{quoted(units.axis.column)} = {name}"


def ahead_text(position: float, forecast: tuple[float, float, float], units: Units) -> str:
    """The forecast of one row: its mean, with the ends of its range."""
    mean, low, high = forecast
    ends = " to ".join(values(low, high, units))
    when = named_place(stamp(position, units), units)
    return f"The forecast of {units.it} for {when} is {value(mean, units)} (95% range: {ends})."

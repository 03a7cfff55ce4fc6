"""Answers to the few questions that anyone asks of a model, where nothing is found or a single number is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.places import stamp, told_span
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.amounts import gap, value, values
from autostatistician.describe.words.claims import Statement
from autostatistician.describe.words.events import at
from autostatistician.describe.words.times import named_for, named_place
from autostatistician.wording.messages import message, say
from autostatistician.wording.numbers import capital, pair, percent

__all__ = ["ahead_text", "change_text", "none_text", "none_within_text", "statement_text", "verdict_texts"]

NOTHING = 1e-6  # of the spread of the data: no change that anyone could see
NONE = ("trend", "seasons", "events", "columns")


def none_text(question: str, scale: Scale) -> str:
    """That a question has nothing for an answer."""
    match question:
        case "trend" if scale.is_class:
            return say("Nothing is found that makes {it} rise or fall in the long run.", it=scale.it)
        case "trend":
            return say("Too few rows to say where {it} goes.", it=scale.it)
        case "seasons":
            return say("No pattern that repeats is sure in {it}.", it=scale.it)
        case "events":
            return say("No sudden change and no value that stands out is found in {it}.", it=scale.it)
    return say("There are no columns beside {it}.", it=scale.it)


def none_within_text(within: tuple[float, float], units: Units) -> str:
    """That nothing happened in a stretch."""
    first, last = (stamp(position, units) for position in within)
    when = at(within[0], units) if first == last else told_span(named_place(first, units), last, units)
    return say("No sudden change and no value that stands out is found in {it} {when}.", it=units.it, when=when)


def change_text(change: Sequence[float], whens: tuple[str, str], units: Units) -> str:
    """How far a course went from one time to another: the size, the ends of its range, the probability of its sign."""
    number, low, high, probability = change
    told = {"span": told_span(named_place(whens[0], units), whens[1], units), "it": units.it}
    if max(abs(low), abs(high)) <= NOTHING * units.spread:
        return capital(say("{span} {it} neither rose nor fell, seasons left out.", **told))
    if low <= 0.0 <= high:
        return say(
            "Whether {it} rose or fell {span} is open, seasons left out: by {size} (95% range: {low} to {high}).",
            size=gap(number, units), **_ends(low, high, units), **told,
        )  # fmt: skip
    told |= {"size": gap(abs(number), units), "chance": percent(probability)}
    told |= _ends(min(abs(low), abs(high)), max(abs(low), abs(high)), units)
    if number > 0.0:
        text = say("{span} {it} rose by {size}, seasons left out (95% range: {low} to {high}; that it rose: {chance}).",
                   **told)  # fmt: skip
    else:
        text = say("{span} {it} fell by {size}, seasons left out (95% range: {low} to {high}; that it fell: {chance}).",
                   **told)  # fmt: skip
    return capital(text)


def _ends(low: float, high: float, units: Units) -> dict[str, str]:
    first, last = pair(units.in_per_cent * low, units.in_per_cent * high)
    return {"low": first, "high": last}


def statement_text(statement: Statement) -> str:
    """A statement on the form of the model with its probability.

    >>> statement_text(Statement("A yearly cycle", 0.98, True))
    'A yearly cycle: 98% (in the model told here).'
    """
    told = {"statement": statement.text, "chance": percent(statement.probability)}
    if statement.in_best:
        return say("{statement}: {chance} (in the model told here).", **told)
    return say("{statement}: {chance}.", **told)


def verdict_texts(rely: Sequence[str], doubt: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    """A verdict, each item after its heading.

    >>> verdict_texts(["The model."], [], ["Come back."])
    ('Rely on: The model.', 'Try next: Come back.')
    """
    lists = (
        (message("Rely on: {item}"), rely), (message("Be careful with: {item}"), doubt),
        (message("Try next: {item}"), after),
    )  # fmt: skip
    return tuple(say(text, item=item) for text, items in lists for item in items)


def ahead_text(position: float, forecast: tuple[float, float, float], units: Units) -> str:
    """The forecast of one row: its mean, with the ends of its range."""
    mean, low, high = forecast
    first, last = values(low, high, units)
    return say(
        "The forecast of {it} {when} is {value} (95% range: {low} to {high}).", it=units.it,
        when=named_for(position, units), value=value(mean, units, spread=high - low), low=first, high=last,
    )  # fmt: skip

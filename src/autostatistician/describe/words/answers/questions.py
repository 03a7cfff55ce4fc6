"""Answers to the few questions that anyone asks of a model, where nothing is found or a single number is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from autostatistician.claims.claim import chance_at
from autostatistician.describe.axis.places import from_place_to, moment_text, stamp
from autostatistician.describe.axis.units import ROUNDING, Scale, Units
from autostatistician.describe.words.amounts import gap, per_cent, percentage_points, value, values
from autostatistician.describe.words.amounts import values as told_values
from autostatistician.describe.words.chances import chance
from autostatistician.describe.words.claims import Statement
from autostatistician.describe.words.events import at
from autostatistician.describe.words.ranges import named_for, named_place, told_for
from autostatistician.forms import BAND_SDS
from autostatistician.i18n.messages import message, say, say_as
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import capital, decimals_for, fixed, in_percent, pair, percent

__all__ = [
    "ahead_text", "at_time_text", "beyond_text", "change_text", "difference_texts", "none_text", "none_within_text",
    "statement_text", "sum_text", "verdict_texts", "when_text",
]  # fmt: skip


ShareInWords = tuple[str, float, float]  # name, mean and standard deviation on the scale of the model


_FACTORS = message("The parts multiply: each per cent is of what the others make.")


SELDOM = 1e-6  # a chance: none is told as impossible or certain

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
    when = at(within[0], units) if first == last else from_place_to(named_place(first, units), last)
    return say("No sudden change and no value that stands out is found in {it} {when}.", it=units.it, when=when)


def change_text(change: Sequence[float], whens: tuple[str, str], units: Units) -> str:
    """How far a course went from one time to another: the size, the ends of its range, the probability of its sign."""
    number, low, high, probability = change
    told = {"span": from_place_to(named_place(whens[0], units), whens[1]), "it": units.it}
    if max(abs(low), abs(high)) <= ROUNDING * units.spread:
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


def verdict_texts(rely: Sequence[str], doubt: Sequence[str], statements: Sequence[Statement] = ()) -> tuple[str, ...]:
    """A verdict, each item after its heading, and how probable statements are.

    >>> verdict_texts(["The model."], [], [Statement("A yearly cycle", 0.98, in_best=False)])
    ('Rely on: The model.', 'A yearly cycle: 98%.')
    """
    lists = (message("Rely on: {item}"), rely), (message("Be careful with: {item}"), doubt)
    told = (say(text, item=item) for text, items in lists for item in items)
    return (*told, *map(statement_text, statements))


def ahead_text(position: float, forecast: tuple[float, float, float], units: Units) -> str:
    """The forecast of one row: its mean, with the ends of its range."""
    mean, low, high = forecast
    first, last = values(low, high, units)
    return say(
        "The forecast of {it} {when} is {value} (95% range: {low} to {high}).", it=units.it,
        when=named_for(position, units), value=value(mean, units, spread=high - low), low=first, high=last,
    )  # fmt: skip


def sum_text(ends: tuple[float, float], values_of: tuple[float, float, float], units: Units) -> str:
    """What the rows from one to another come to: the mean, with the ends of its range."""
    mean, low, high = values_of
    first, last = (stamp(position, units) for position in ends)
    lower, upper = values(low, high, units)
    return capital(say(
        "{span} {it} should come to {value} in all (95% range: {low} to {high}).", it=units.it, low=lower, high=upper,
        span=from_place_to(named_place(first, units), last), value=value(mean, units, spread=high - low),
    ))  # fmt: skip


def beyond_text(side: str, number: float, probability: float, units: Units) -> str:
    """The chance that a forecast lies "above" or "below" a number."""
    told = {"number": value(number, units), "chance": percent(min(max(probability, SELDOM), 1.0 - SELDOM))}
    if side == "above":
        return say("The chance of more than {number} is {chance}.", **told)
    return say("The chance of less than {number} is {chance}.", **told)


# --- The chance of a class at a single time -------------------------------------------------------------------------


def at_time_text(position: float, told: tuple[float, float, float], scale: Units) -> str:
    """The chance at a single time that is to come, with the ends of its range."""
    at = chance_at(position, told[0], told[1:])
    when = told_for(position, scale)
    return capital(say("{it} {when} is {chance}.", it=scale.it, when=when, chance=chance(at, first=True)))


# --- Why a series is higher at one time than at another, in words ---------------------------------------------------


def when_text(asked: str, rows: Sequence[float], units: Units) -> str:
    """A time as it was asked for: the month or year where several rows lie in it, else the date of the row."""
    if len(rows) > 1 and (parts := re.fullmatch(r"(\d{4})(?:-(\d\d))?", asked)):
        year, month = int(parts[1]), parts[2]
        return moment_text(datetime(year, int(month), 1), "month") if month else f"{year}"
    return stamp(rows[0], units)


def difference_texts(
    times: tuple[str, str],
    values: tuple[float, float],
    seen: tuple[bool, bool],
    total: float,
    shares: Sequence[ShareInWords],
    units: Units,
) -> tuple[str, ...]:
    """The whole in one sentence, then one line for each share with its range; the last share is chance.

    Differences of a logarithm are told in per cent.
    """
    shares = [*shares[:-1], (say_as("of a difference", "chance"), *shares[-1][1:])]
    numbers = told_values(*values, units) if values[0] != values[1] else (value(values[0], units),) * 2
    ends = [_end(when, number, known) for when, number, known in zip(times, numbers, seen, strict=True)]
    if units.is_odds:
        return _of_shares(ends, values, total, shares, units)
    decimals = _decimals(total, [mean for _, mean, _ in shares], units)
    texts = _texts(total, [mean for _, mean, _ in shares], decimals, units)
    lines = []
    for (name, mean, sd), text in zip(shares, texts, strict=True):
        low, high = (_signed(mean + side * BAND_SDS * sd, decimals, units) for side in (-1.0, 1.0))
        lines.append(_line(name, text, low, high))
    size = _signed(total, decimals, units).lstrip("+\N{MINUS SIGN}")
    chance = _signed(BAND_SDS * shares[-1][2], decimals, units).lstrip("+")
    sums = _sum([name for name, _, _ in shares], texts, chance)
    whole = _whole(ends, size, sums, units, is_above=total >= 0.0)
    return (whole, *lines, *([say(_FACTORS)] if units.is_log else []))


def _whole(ends: Sequence[str], size: str, sums: str, units: Units, *, is_above: bool) -> str:
    """The difference of two times with the shares that it is the sum of."""
    told = {"target": quoted(units.target), "first": ends[0], "last": ends[1], "size": size, "sum": sums}
    if is_above:
        return say("{target}: {first} is {size} above {last}: {sum}.", **told)
    return say("{target}: {first} is {size} below {last}: {sum}.", **told)


def _sum(names: Sequence[str], texts: Sequence[str], chance: str) -> str:
    sums = ", ".join(f"{name} {text}" for name, text in zip(names, texts, strict=True))
    return f"{sums} ± {chance}"


def _line(name: str, text: str, low: str, high: str) -> str:
    return say("{name} {change} (95% range {low} to {high})", name=name, change=text, low=low, high=high)


def _of_shares(
    ends: Sequence[str], values: tuple[float, float], total: float, shares: Sequence[ShareInWords], units: Units
) -> tuple[str, ...]:
    """The same of shares whose odds are modelled, in percentage points: each part has its share of the difference."""
    slope = (values[0] - values[1]) / total if total else values[0] * (1.0 - values[0] / units.top)
    turn = units.in_per_cent * slope
    means, sds = [turn * mean for _, mean, _ in shares], [abs(turn) * sd for _, _, sd in shares]
    plain = replace(units, level=None, top=0.0)
    decimals = max(_decimals(turn * total, means, plain), 1)
    texts = _texts(turn * total, means, decimals, plain)
    lines = []
    for (name, _, _), mean, sd, text in zip(shares, means, sds, texts, strict=True):
        low, high = (_with_sign(mean + side * BAND_SDS * sd, decimals) for side in (-1.0, 1.0))
        lines.append(_line(name, text, low, high))
    size = percentage_points(fixed(abs(turn * total), decimals, trim=True))
    sums = _sum([name for name, _, _ in shares], texts, fixed(BAND_SDS * sds[-1], decimals, trim=True))
    return (_whole(ends, size, sums, units, is_above=total >= 0.0), *lines)


def _end(when: str, number: str, seen: bool) -> str:
    return f"{when} ({number})" if seen else say("what is expected for {when} ({number})", when=when, number=number)


def _decimals(total: float, means: Sequence[float], units: Units) -> int:
    """Those of all amounts of a sum."""
    return 1 if units.is_log else decimals_for(max(abs(value) for value in (total, *means)) or 1.0)


def _texts(total: float, means: Sequence[float], decimals: int, units: Units) -> list[str]:
    """The means with their signs, rounded so that they add up to the total as it is written."""
    if units.is_log:
        return [_signed(mean, decimals, units) for mean in means]
    rounded = [round(mean, decimals) for mean in means[:-1]]
    return [_with_sign(value, decimals) for value in (*rounded, round(total, decimals) - sum(rounded))]


def _signed(value: float, decimals: int, units: Units) -> str:
    return in_percent(_with_sign(per_cent(value), decimals)) if units.is_log else _with_sign(value, decimals)


def _with_sign(value: float, decimals: int) -> str:
    text = fixed(value, decimals, trim=True)
    return text if text == "0" or not text[0].isdigit() else f"+{text}"

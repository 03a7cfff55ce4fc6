"""The values of columns beside a series in words: what they are called, usual, seen and compared with."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.covariates import CovariateColumn, CovariateEffect
from autostatistician.describe.words.common_season import LOW_TO_HIGH, common_season_name, is_common_season
from autostatistician.describe.words.holidays import in_step, named_days
from autostatistician.forms import ColumnKind, EffectShape
from autostatistician.wording.messages import message, say
from autostatistician.wording.names import measured, quoted
from autostatistician.wording.numbers import amount, count, decimals_between, fixed, joined

__all__ = [
    "MOST_NAMED", "column_name", "columns_note", "compared_text", "is_plain_flag", "of_calendar", "range_seen",
    "several_columns", "step_of", "usual_text", "usual_value", "value_text",
]  # fmt: skip

MOST_NAMED = 5  # columns in a list
_OF_CALENDAR = {"working days": message("working days"), "leap day": message("leap day")}  # by their columns
_MORE_OF_CALENDAR = {
    "working days": message("each working day more {in_step}"), "leap day": message("a leap day {in_step}"),
}  # fmt: skip


_NOTE = message(
    "Matters: the probability that the column says something beyond time and the other columns. Neighbouring "
    "rows: the same effect by a plain regression of the differences between neighbouring rows, in which no "
    "model has a part. Explains: share of the variation in {it}. Usual: the value that effects are compared "
    "with, and all that were seen."
)
_NOTE_OF_SEASONS = message(
    "Matters: the probability that the column says something beyond time and the other columns. Neighbouring "
    "rows: the same effect by a plain regression of the differences between each row and the one {n} rows before it, a "
    "season ago, in which no model has a part. Explains: share of the variation in {it}. Usual: the value that effects "
    "are compared with, and all that were seen."
)


def columns_note(apart: int, units: Units) -> str:
    """What the columns of the table on effects say; plain regressions compare rows so many ``apart``."""
    return say(_NOTE_OF_SEASONS if apart > 1 else _NOTE, it=units.it, n=fixed(apart, 0))


def value_text(value: float, fact: CovariateEffect) -> str:
    """A value of a column, as finely as its range calls for; the name of a category."""
    if fact.levels:
        return quoted(fact.levels[min(max(round(value), 0), len(fact.levels) - 1)])
    if fact.kind is ColumnKind.NUMBER and fact.low < fact.high:
        return fixed(value, decimals_between(fact.low, fact.high, 3), trim=True)
    return amount(value)


def usual_value(fact: CovariateEffect) -> str:
    """The value that a column usually has.

    It is what effects are compared with, and what is taken of it wherever the course in time is told.
    """
    return value_text(fact.usual, fact)


def range_seen(fact: CovariateEffect) -> str:
    """The values of a column in the data: "3.84 to 6", "0 or 1", "one of three" categories."""
    if fact.kind is ColumnKind.CATEGORY:
        return say("one of {n}", n=count(len(fact.levels)))
    ends = {"low": value_text(fact.low, fact), "high": value_text(fact.high, fact)}
    return say("{low} or {high}", **ends) if fact.kind is ColumnKind.FLAG else say("{low} to {high}", **ends)


def column_name(fact: CovariateEffect) -> str:
    """A column by its name; those of the calendar have names in every language."""
    if is_common_season(fact):
        return common_season_name(fact)
    if fact.calendar and fact.column in _OF_CALENDAR:
        return quoted(say(_OF_CALENDAR[fact.column]))
    return quoted(fact.column)


def several_columns(names: Sequence[str]) -> str:
    """Columns by name where they are few, else how many."""
    return joined(names) if len(names) <= MOST_NAMED else say("{n} columns", n=count(len(names)))


def is_plain_flag(fact: CovariateEffect) -> bool:
    """Whether a column says yes (1) or, as usual, no (0)."""
    return fact.kind is ColumnKind.FLAG and fact.usual == 0.0 and fact.other == 1.0


def compared_text(fact: CovariateEffect) -> str:
    """What the size of an effect is of: "each further unit", "1 instead of 0", all values along a curve."""
    if fact.shape is not EffectShape.STRAIGHT:
        return say("all its values")
    if is_common_season(fact):
        return say(LOW_TO_HIGH)
    if fact.kind is ColumnKind.NUMBER:
        step = _step(fact)
        return say("each further {step}", step=step) if step else say("each further unit")
    return say("{other} instead of {usual}", other=value_text(fact.other, fact), usual=usual_value(fact))


def step_of(fact: CovariateEffect) -> str:
    """A step of a column of numbers, whose effect is told: "each further unit of 'price'"."""
    step, name = _step(fact), quoted(measured(fact.column)[0])
    if not step:
        return say("each further unit of {column}", column=name)
    return say("each further {step} of {column}", step=step, column=name)


def _step(fact: CovariateEffect) -> str:
    """How large the step of a number is; "" for one without a unit of measurement."""
    symbol = measured(fact.column)[1]
    return "" if fact.step == 1.0 and not symbol else f"{amount(fact.step)} {symbol}".rstrip()


def of_calendar(fact: CovariateEffect, units: Units) -> str:
    """What a number of days in a step is called: "each working day more in a month"."""
    return say(_MORE_OF_CALENDAR[fact.column], in_step=in_step(units))


def usual_text(columns: Sequence[CovariateColumn]) -> str:
    """How the course in time is told: "with 'price' at 5.05 and without 'promo'"; "" for no columns."""
    facts = [column.effect for column in columns if not column.effect.event]
    if len(facts) > MOST_NAMED:
        return say("with all columns at their usual values")
    flags = [column_name(fact) for fact in facts if is_plain_flag(fact) or is_common_season(fact)]
    calendars = [column.effect.calendar for column in columns if column.effect.event]
    flags += [named_days(calendars)] if calendars else []
    others = [
        say("{column} at {value}", column=column_name(fact), value=usual_value(fact))
        for fact in facts
        if not (is_plain_flag(fact) or is_common_season(fact))
    ]
    which = say("{first} or {second}", first=flags[0], second=flags[1]) if len(flags) == 2 else joined(flags)
    if others and flags:
        return say("with {columns} and without {flags}", columns=joined(others), flags=which)
    if others:
        return say("with {columns}", columns=joined(others))
    return say("without {flags}", flags=which) if flags else ""

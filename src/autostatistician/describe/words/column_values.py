"""The values of columns beside a series in words: what they are called, usual, seen and compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import length
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.covariates import ColumnsAhead, CovariateColumn, CovariateEffect
from autostatistician.describe.words.amounts import difference
from autostatistician.describe.words.events import beyond, until
from autostatistician.describe.words.holidays import in_step, named_days
from autostatistician.forms import COMMON_SEASON, ColumnKind, EffectShape, Filling
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import measured, quoted
from autostatistician.wording.numbers import amount, count, decimals_between, fixed, joined

__all__ = [
    "MOST_NAMED", "ahead_clause", "ahead_text", "assumed_ranges_text", "beyond_text", "column_name", "columns_note",
    "common_season_clause", "compared_text", "is_common_season", "is_plain_flag", "of_calendar", "range_seen",
    "several_columns", "step_of", "usual_text", "usual_value", "value_text",
]  # fmt: skip


LOW_TO_HIGH = message("from its lowest to its highest point")

_NAMES = {  # by what the columns are called
    "yearly cycle of the other series": message("the yearly cycle of the other series"),
    "weekly cycle of the other series": message("the weekly cycle of the other series"),
    "daily cycle of the other series": message("the daily cycle of the other series"),
}

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

_BEFORE = {  # by the cycle of the calendar
    "yearly": message("as a year before"), "half-yearly": message("as a half year before"),
    "quarterly": message("as a quarter of a year before"), "monthly": message("as a month before"),
    "weekly": message("as a week before"), "daily": message("as a day before"),
    "half-daily": message("as a half day before"), "hourly": message("as an hour before"),
    "minutely": message("as a minute before"),
}  # fmt: skip


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


# --- What a forecast takes of the columns beside a series, in words -------------------------------------------------


def ahead_clause(fact: ColumnsAhead, units: Units) -> str:
    """What a forecast takes of the columns, after "if": "'price' is as planned and 'promo' is as a year before"."""
    by_filling: dict[str, list[str]] = {}
    for name in fact.planned:
        by_filling.setdefault(say("as planned"), []).append(quoted(name))
    for name, filling in fact.unplanned:
        by_filling.setdefault(_stands_in(filling, fact, units), []).append(quoted(name))
    return joined([
        say_count(len(names), "{columns} is {how}", "{columns} are {how}", columns=several_columns(names), how=how)
        for how, names in by_filling.items()
    ])  # fmt: skip


def _stands_in(filling: Filling, fact: ColumnsAhead, units: Units) -> str:
    match filling:
        case Filling.SEASON_BEFORE:
            how = _season_before(fact.season, units)
        case Filling.LAST:
            how = say("as it was last")
        case Filling.USUAL:
            how = say("as usual")
    if fact.until is None:
        return how
    return say("as planned {until} and then {how}", until=until(fact.until, units), how=how)


def _season_before(season: float, units: Units) -> str:
    words = cycle(season, units)
    if not words.named:
        return say("as {length} before", length=length(season, units))
    if words.id == "weekly" and units.axis.unit == "business day":
        return say("as a week of five business days before")
    return say(_BEFORE[words.id])


def ahead_text(fact: ColumnsAhead, units: Units) -> str:
    """That there is no plan for some columns, and what to do; "" where all are planned."""
    if not fact.unplanned:
        return ""
    names = [quoted(name) for name, _ in fact.unplanned]
    which = joined(names) if len(names) <= MOST_NAMED else say("some columns")
    if fact.until is None:
        return say(
            "There is no plan for {columns}: add rows to come with their values, and leave {it} empty there.",
            columns=which, it=units.it,
        )  # fmt: skip
    return say(
        "There is no plan for {columns} {beyond}: add rows to come with their values, and leave {it} empty there.",
        columns=which, beyond=beyond(fact.until, units), it=units.it,
    )  # fmt: skip


def assumed_ranges_text(fact: ColumnsAhead, units: Units) -> str:
    """That ranges hold for the values that stand in for a plan alone; "" where all columns are planned."""
    if not fact.unplanned:
        return ""
    return say(
        "The ranges of the forecast: they hold if {condition}; that it may be otherwise is not in them.",
        condition=ahead_clause(replace(fact, planned=()), units),
    )


def beyond_text(fact: ColumnsAhead) -> str:
    """That a plan leaves what was seen; "" where it does not."""
    if not fact.beyond:
        return ""
    return say_count(
        len(fact.beyond),
        "The plan of {columns} goes beyond the values that were seen: what it adds there is carried on from the "
        "nearest ones.",
        "The plan of {columns} goes beyond the values that were seen: what they add there is carried on from the "
        "nearest ones.",
        columns=joined([quoted(name) for name in fact.beyond[:MOST_NAMED]]),
    )


# --- The season that the series of a panel have in common, in words -------------------------------------------------


def is_common_season(fact: CovariateEffect) -> bool:
    """Whether a column holds what other series have in common."""
    return fact.calendar == COMMON_SEASON


def common_season_name(fact: CovariateEffect) -> str:
    """Its name in a sentence: "the yearly cycle of the other series"."""
    return say(_NAMES[fact.column])


def common_season_clause(fact: CovariateEffect, units: Units) -> str:
    """How far a series follows it: "'sales' follows the yearly cycle of the other series, which adds 12 ..."."""
    whole = (fact.high - fact.low) / fact.step if fact.step > 0.0 else 1.0
    low, high = fact.interval or (fact.number, fact.number)
    number, interval = whole * fact.number, (whole * low, whole * high)
    told = {"it": units.it, "name": common_season_name(fact), "size": difference(number, interval, units)}
    return (
        say("{it} follows {name}, which adds {size} from its lowest to its highest point", **told)
        if number > 0.0
        else say("{it} runs against {name}, which takes off {size} from its lowest to its highest point", **told)
    )

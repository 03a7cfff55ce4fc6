"""The values of columns beside a series in words: what they are called, usual, seen and compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import SEVERAL
from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import length
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.covariates import ColumnsAhead, CovariateColumn
from autostatistician.describe.words.amounts import difference
from autostatistician.describe.words.events import beyond, until
from autostatistician.describe.words.holidays import in_step, named_days
from autostatistician.forms import COMMON_SEASON, ColumnKind, EffectShape, Filling
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import measured, quoted
from autostatistician.i18n.numbers import amount, count, decimals_between, fixed, joined

__all__ = [
    "ahead_clause", "ahead_text", "assumed_ranges_text", "beyond_text", "column_name", "columns_note",
    "common_season_clause", "compared_text", "is_common_season", "is_plain_flag", "of_calendar", "range_seen",
    "several_columns", "step_of", "usual_text", "usual_value", "value_text",
]  # fmt: skip


_OF_CALENDAR = ("working days", "leap day")  # by their columns


def columns_note(apart: int, units: Units) -> str:
    """What the columns of the table on effects say; plain regressions compare rows so many ``apart``."""
    return sentence("values.note", season=apart > 1, it=units.it, n=fixed(apart, 0))


def value_text(value: float, fact: Claim) -> str:
    """A value of a column, as finely as its range calls for; the name of a category."""
    if fact.levels:
        return quoted(fact.levels[min(max(round(value), 0), len(fact.levels) - 1)])
    if fact.named["of"] == ColumnKind.NUMBER and fact["low"] < fact["high"]:
        return fixed(value, decimals_between(fact["low"], fact["high"], 3), trim=True)
    return amount(value)


def usual_value(fact: Claim) -> str:
    """The value that a column usually has.

    It is what effects are compared with, and what is taken of it wherever the course in time is told.
    """
    return value_text(fact["usual"], fact)


def range_seen(fact: Claim) -> str:
    """The values of a column in the data: "3.84 to 6", "0 or 1", "one of three" categories."""
    low, high = value_text(fact["low"], fact), value_text(fact["high"], fact)
    return sentence("values.seen", kind=fact.named["of"], low=low, high=high, n=count(len(fact.levels)))


def column_name(fact: Claim) -> str:
    """A column by its name; those of the calendar have names in every language."""
    if is_common_season(fact):
        return sentence("values.name", column=fact.columns[0])
    known = fact.named["calendar"] and fact.columns[0] in _OF_CALENDAR
    return quoted(sentence("values.name", column=fact.columns[0]) if known else fact.columns[0])


def several_columns(names: Sequence[str]) -> str:
    """Columns by name where they are few, else how many."""
    return joined(names) if len(names) <= SEVERAL else sentence("values.several", known="number", n=count(len(names)))


def is_plain_flag(fact: Claim) -> bool:
    """Whether a column says yes (1) or, as usual, no (0)."""
    return fact.named["of"] == ColumnKind.FLAG and fact["usual"] == 0.0 and fact["other"] == 1.0


def compared_text(fact: Claim) -> str:
    """What the size of an effect is of: "each further unit", "1 instead of 0", all values along a curve."""
    if fact.form != EffectShape.STRAIGHT:
        what = "all"
    elif is_common_season(fact):
        what = "season"
    elif fact.named["of"] == ColumnKind.NUMBER:
        what = "step" if _step(fact) else "unit"
    else:
        what = "other"
    other = value_text(fact["other"], fact)
    return sentence("values.compared", what=what, step=_step(fact), other=other, usual=usual_value(fact))


def step_of(fact: Claim) -> str:
    """A step of a column of numbers, whose effect is told: "each further unit of 'price'"."""
    step, name = _step(fact), quoted(measured(fact.columns[0])[0])
    return sentence("values.step", what="step" if step else "unit", step=step, column=name)


def _step(fact: Claim) -> str:
    """How large the step of a number is; "" for one without a unit of measurement."""
    symbol = measured(fact.columns[0])[1]
    return "" if fact["step"] == 1.0 and not symbol else f"{amount(fact['step'])} {symbol}".rstrip()


def of_calendar(fact: Claim, units: Units) -> str:
    """What a number of days in a step is called: "each working day more in a month"."""
    return sentence("values.of_calendar", column=fact.columns[0], in_step=in_step(units))


def usual_text(columns: Sequence[CovariateColumn]) -> str:
    """How the course in time is told: "with 'price' at 5.05 and without 'promo'"; "" for no columns."""
    facts = [column.effect for column in columns if not column.effect.named["event"]]
    if len(facts) > SEVERAL:
        return sentence("values.usual", known="many")
    flags = [column_name(fact) for fact in facts if is_plain_flag(fact) or is_common_season(fact)]
    calendars = [column.effect.named["calendar"] for column in columns if column.effect.named["event"]]
    flags += [named_days(calendars)] if calendars else []
    others = [
        sentence("values.usual", known="column", column=column_name(fact), value=usual_value(fact))
        for fact in facts
        if not (is_plain_flag(fact) or is_common_season(fact))
    ]
    if not (others or flags):
        return ""
    either = len(flags) == 2
    which = sentence("values.usual", known="or", first=flags[0], second=flags[1]) if either else joined(flags)
    known = "both" if others and flags else "columns" if others else "flags"
    return sentence("values.usual", known=known, columns=joined(others), flags=which)


# --- What a forecast takes of the columns beside a series, in words -------------------------------------------------


def ahead_clause(fact: ColumnsAhead, units: Units) -> str:
    """What a forecast takes of the columns, after "if": "'price' is as planned and 'promo' is as a year before"."""
    by_filling: dict[str, list[str]] = {}
    for name in fact.planned:
        by_filling.setdefault(sentence("values.plan"), []).append(quoted(name))
    for name, filling in fact.unplanned:
        by_filling.setdefault(_stands_in(filling, fact, units), []).append(quoted(name))
    return joined([
        sentence("values.how", n=len(names), columns=several_columns(names), how=how)
        for how, names in by_filling.items()
    ])  # fmt: skip


def _stands_in(filling: Filling, fact: ColumnsAhead, units: Units) -> str:
    is_season = filling is Filling.SEASON_BEFORE
    how = _season_before(fact.season, units) if is_season else sentence("values.stands_in", filling=filling)
    return how if fact.until is None else sentence("values.planned", until=until(fact.until, units), how=how)


def _season_before(season: float, units: Units) -> str:
    words = cycle(season, units)
    if not words.named:
        return sentence("values.length", length=length(season, units))
    five = words.id == "weekly" and units.axis.unit == "business day"
    return sentence("values.before", cycle="five" if five else words.id)


def ahead_text(fact: ColumnsAhead, units: Units) -> str:
    """That there is no plan for some columns, and what to do; "" where all are planned."""
    if not fact.unplanned:
        return ""
    names = [quoted(name) for name, _ in fact.unplanned]
    which = joined(names) if len(names) <= SEVERAL else sentence("values.several", known="some")
    after = "" if fact.until is None else beyond(fact.until, units)
    return sentence("values.unplanned", always=not after, columns=which, beyond=after, it=units.it)


def assumed_ranges_text(fact: ColumnsAhead, units: Units) -> str:
    """That ranges hold for the values that stand in for a plan alone; "" where all columns are planned."""
    return sentence("values.ranges", condition=ahead_clause(replace(fact, planned=()), units)) if fact.unplanned else ""


def beyond_text(fact: ColumnsAhead) -> str:
    """That a plan leaves what was seen; "" where it does not."""
    names = joined([quoted(name) for name in fact.beyond[:SEVERAL]])
    return sentence("values.beyond", n=len(fact.beyond), columns=names) if fact.beyond else ""


# --- The season that the series of a panel have in common, in words -------------------------------------------------


def is_common_season(fact: Claim) -> bool:
    """Whether a column holds what other series have in common."""
    return fact.named["calendar"] == COMMON_SEASON


def common_season_clause(fact: Claim, units: Units) -> str:
    """How far a series follows it: "'sales' follows the yearly cycle of the other series, which adds 12 ..."."""
    whole = (fact["high"] - fact["low"]) / fact["step"] if fact["step"] > 0.0 else 1.0
    low, high = fact.number.interval
    size = difference(whole * fact.value, (whole * low, whole * high), units)
    direction = "up" if fact.value > 0.0 else "down"
    return sentence("values.common", direction=direction, it=units.it, name=column_name(fact), size=size)

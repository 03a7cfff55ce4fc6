"""What columns beside a series add to it, in words: associations beyond the course in time, never causes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import counted_unit, length, step_name
from autostatistician.describe.axis.phases import phase_kind, phase_text, phases
from autostatistician.describe.axis.units import SECONDS, Units
from autostatistician.describe.facts.covariates import (
    ColumnsAhead,
    CovariateColumn,
    CovariateEffect,
    CovariateFindings,
    EffectAtMoment,
)
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import by, change
from autostatistician.describe.words.common_season import (
    LOW_TO_HIGH,
    common_season_clause,
    common_season_name,
    is_common_season,
)
from autostatistician.describe.words.events import at
from autostatistician.describe.words.holidays import holiday_texts, named_days, named_events, step_with
from autostatistician.forms import ColumnKind, EffectShape, Filling, Varying
from autostatistician.wording.names import measured, quoted
from autostatistician.wording.numbers import amount, article, capital, count, decimals_between, fixed, joined, percent

__all__ = [
    "ASSOCIATIONS", "ahead_clause", "ahead_text", "beyond_text", "column_text", "columns_lead", "compared_text",
    "assumed_ranges_text", "course_told", "doubtful_columns_text", "range_seen", "relied_columns_text", "silent_text",
    "timing_text", "told_texts", "usual_text", "usual_value",
]  # fmt: skip

ASSOCIATIONS = (
    "These are associations: they say what goes together with each column beyond the course in time, not what would "
    "happen if somebody changed it."
)
MOST_IN_LEAD = 3  # columns with their numbers
MOST_NAMED = 5  # columns in a list
MOST_LEVELS = 4  # categories told one by one
HARDLY = 0.005  # a share
_LABEL = "95% range: "


# --- values of columns ------------------------------------------------------------------------------------------------


def _value(value: float, fact: CovariateEffect) -> str:
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
    return _value(fact.usual, fact)


def range_seen(fact: CovariateEffect) -> str:
    """The values of a column in the data: "3.84 to 6", "0 or 1", "one of three" categories."""
    if fact.kind is ColumnKind.CATEGORY:
        return f"one of {count(len(fact.levels))}"
    return f"{_value(fact.low, fact)} {'or' if fact.kind is ColumnKind.FLAG else 'to'} {_value(fact.high, fact)}"


def _name(fact: CovariateEffect) -> str:
    return common_season_name(fact) if is_common_season(fact) else quoted(fact.column)


def _is_plain_flag(fact: CovariateEffect) -> bool:
    """Whether a column says yes (1) or, as usual, no (0)."""
    return fact.kind is ColumnKind.FLAG and fact.usual == 0.0 and fact.other == 1.0


def compared_text(fact: CovariateEffect) -> str:
    """What the size of an effect is of: "each further unit", "1 instead of 0", all values along a curve."""
    if fact.shape is not EffectShape.STRAIGHT:
        return "all its values"
    if is_common_season(fact):
        return LOW_TO_HIGH
    if fact.kind is ColumnKind.NUMBER:
        return _per_step(fact)
    return f"{_value(fact.other, fact)} instead of {_value(fact.usual, fact)}"


def _per_step(fact: CovariateEffect) -> str:
    symbol = measured(fact.column)[1]
    if fact.step == 1.0 and not symbol:
        return "each further unit"
    return f"each further {amount(fact.step)}{' ' if symbol else ''}{symbol}"


def usual_text(columns: Sequence[CovariateColumn]) -> str:
    """How the course in time is told: "with 'price' at 5.05 and without 'promo'"; "" for no columns."""
    facts = [column.effect for column in columns if not column.effect.event]
    if len(facts) > MOST_NAMED:
        return "with all columns at their usual values"
    flags = [_name(fact) for fact in facts if _is_plain_flag(fact) or is_common_season(fact)]
    calendars = [column.effect.calendar for column in columns if column.effect.event]
    flags += [named_days(calendars)] if calendars else []
    others = [f"{_name(fact)} at {usual_value(fact)}" for fact in facts
              if not (_is_plain_flag(fact) or is_common_season(fact))]  # fmt: skip
    without = f"without {' or '.join(flags) if len(flags) < 3 else joined(flags)}" if flags else ""
    return " and ".join(filter(None, [f"with {joined(others)}" if others else "", without]))


# --- effects ----------------------------------------------------------------------------------------------------------


def column_text(column: CovariateColumn, units: Units) -> str:
    """One sentence on a column that matters, may matter, or goes with time."""
    fact = column.effect
    if fact.is_blurred and not fact.matters:
        return _blurred(fact)
    said = f"{_effect(column, units)}{timing_text(fact, units)}{_varying(column, units)}"
    if not fact.matters:
        lead = (
            f"It is open whether {_name(fact)} matters for {units.it} (probability {percent(fact.probability or 0.0)})"
        )
        return f"{lead}; if it does, {said}."
    return f"{capital(said)}{_beside_neighbours(fact, units)}{_goes_with_time(fact)}."


def told_texts(findings: CovariateFindings, units: Units) -> tuple[str, ...]:
    """A sentence for each column that matters or may matter, and one for all holidays of a calendar."""
    of_columns = (column_text(column, units) for column in findings.plain if column.is_told)
    return (*of_columns, *holiday_texts(findings.events, units))


def _effect(column: CovariateColumn, units: Units, *, brief: bool = False) -> str:
    """What a column adds, as a clause; in ``brief`` without the values along a curve."""
    fact = column.effect
    if fact.kind is ColumnKind.CATEGORY:
        return _of_categories(column, units)
    if fact.shape is not EffectShape.STRAIGHT:
        return _along_curve(column, units, brief=brief)
    if is_common_season(fact):
        return common_season_clause(fact, units)
    moved = _moved(fact, units)
    if fact.calendar:
        return f"{_of_calendar(fact, units)} {moved}"
    if fact.kind is ColumnKind.NUMBER:
        return f"{_per_step(fact)} of {quoted(measured(fact.column)[0])} {moved}"
    if _is_plain_flag(fact):
        return f"{_name(fact)} {moved}"
    return f"{_name(fact)} at {compared_text(fact)} {moved}"


def _of_calendar(fact: CovariateEffect, units: Units) -> str:
    """What a number of days in a step is called: "each working day more in a month"."""
    day, step = fact.column.removesuffix("s"), article(step_with(units))
    return f"each {day} more in {step}" if fact.kind is ColumnKind.NUMBER else f"{article(day)} in {step}"


def _moved(fact: CovariateEffect, units: Units) -> str:
    """The verb with the size: "adds 25.1 (95% range: 22.7 to 27.3) to 'sales'"."""
    size = _size(fact, units)
    return f"takes {size} off {units.it}" if fact.number < 0.0 else f"adds {size} to {units.it}"


def _size(fact: Fact, units: Units) -> str:
    return by(fact.number, fact.interval or (fact.number, fact.number), units).removeprefix("by ")


def _higher(fact: Fact, units: Units, *, first: bool) -> str:
    """How far a value lies above or below another: "lower by 15.8 (95% range: 14.1 to 17.3)"."""
    size = _size(fact, units) if first else _size(fact, units).replace(_LABEL, "")
    return f"{'lower' if fact.number < 0.0 else 'higher'} by {size}"


def _of_categories(column: CovariateColumn, units: Units) -> str:
    fact, values = column.effect, column.values
    if len(values) > MOST_LEVELS:
        ranked = sorted(values, key=lambda value: value.number)
        values = (ranked[0], ranked[-1])
    places = [
        f"{_higher(value, units, first=not k)} where {'it' if k else _name(fact)} is {quoted(value.level)}"
        for k, value in enumerate(values)
    ]
    more = f" ({count(len(column.values) - len(values))} other values lie between)" if values != column.values else ""
    return f"{units.it} is {joined(places)}, compared with {usual_value(fact)}{more}"


def _along_curve(column: CovariateColumn, units: Units, *, brief: bool) -> str:
    fact, values = column.effect, column.values
    turn = ""
    if fact.shape is EffectShape.TURNING:
        middle, ends = values[1], (values[0].number, values[-1].number)
        turn = f", {'highest' if middle.number > max(ends) else 'lowest'} at about {_value(middle.value, fact)}"
    places = [f"{_higher(value, units, first=not k)} at {_value(value.value, fact)}" for k, value in enumerate(values)]
    compared = "" if brief else f": compared with {usual_value(fact)} (the usual value), it is {joined(places)}"
    return f"{units.it} follows {_name(fact)} along a curve{turn}{compared}"


def timing_text(fact: CovariateEffect, units: Units) -> str:
    """How late an effect comes, or how it fades; "" of one that comes at once and is gone with the value."""
    if fact.kept:
        first, second = (f"{fixed(100.0 * fact.kept**steps, 0)}%" for steps in (1, 2))
        return (
            f" at once; {_steps(1, units)} later {first} of that is left, {_steps(2, units)} later {second}, and so on"
        )
    if not fact.lag:
        return ""
    low, high = fact.lags
    if low == high:
        return f", {_steps(fact.lag, units)} later"
    return f", {count(low)} to {_steps(high, units)} later"


def _steps(number: int, units: Units) -> str:
    """So many steps of the data: "two weeks", "one hour"."""
    unit = units.axis.frequency
    if unit in SECONDS and unit != "business day":
        return f"{count(number)} {unit}{'' if number == 1 else 's'}"
    if unit == "business day":
        return f"{count(number)} business day{'' if number == 1 else 's'}"
    if step_name(units) and unit.partition(" ")[0].isdigit():  # "30 minutes"
        each, _, name = unit.partition(" ")
        return counted_unit(number * int(each), name.removesuffix("s"), 3)
    return f"{count(number)} step{'' if number == 1 else 's'}"


def _varying(column: CovariateColumn, units: Units) -> str:
    """With what an effect changes, by its size at two moments."""
    fact = column.effect
    if fact.varying is Varying.NOTHING or not column.moments:
        return ""
    sizes = [f"{_changed(moment, units)} {_when(moment, fact, units)}" for moment in column.moments]
    how = "with the season" if fact.varying is Varying.SEASON else "over time"
    return f" on average; that changes {how}, from {sizes[0]} to {sizes[1]}"


def _changed(moment: EffectAtMoment, units: Units) -> str:
    return change(moment.number, moment.interval or (moment.number, moment.number), units)


def _when(moment: EffectAtMoment, fact: CovariateEffect, units: Units) -> str:
    kind = phase_kind(fact.season, units) if fact.varying is Varying.SEASON else Phase.UNNAMED
    if kind is Phase.UNNAMED:
        return at(moment.position, units)
    return phase_text(kind, (int(phases(np.array([moment.position]), kind, units)[0][0]),))


def _beside_neighbours(fact: CovariateEffect, units: Units) -> str:
    """What a plain comparison says instead; "" where it says the same, or there is none."""
    plain = fact.neighbours
    if plain is None or plain.agrees:
        return ""
    size = change(plain.number, plain.interval, units)
    return f"; a plain comparison of neighbouring rows says something else: {size}"


def _goes_with_time(fact: CovariateEffect) -> str:
    if not fact.is_blurred:
        return ""
    return f"; mind that {_name(fact)} moves much as time does ({_own(fact)} of its movement is its own)"


def _blurred(fact: CovariateEffect) -> str:
    own = f"{_own(fact)} of the movement of {_name(fact)} is its own"
    return (
        f"What {_name(fact)} explains cannot be told from the trend: the two move together, and {own} (probability "
        f"that it matters besides: {percent(fact.probability or 0.0)})."
    )


def _own(fact: CovariateEffect) -> str:
    return "hardly any" if fact.apart < HARDLY else f"only {percent(fact.apart)}"


def silent_text(columns: Sequence[CovariateColumn], units: Units) -> str:
    """That columns say nothing beyond time; "" for none."""
    facts = [column.effect for column in columns]
    if not facts:
        return ""
    names = [_name(fact) for fact in facts[:MOST_NAMED]]
    more = len(facts) - len(names)
    who = joined([*names, f"{count(more)} more columns" if more > 1 else "one more column"] if more else names)
    beyond = "time" if facts[0].is_only else "time and the other columns"
    chance = percent(max(fact.probability or 0.0 for fact in facts))
    if len(facts) == 1:
        return f"{who} says nothing about {units.it} beyond {beyond} (probability that it does: {chance})."
    return f"{who} say nothing about {units.it} beyond {beyond} (probability that one does: at most {chance})."


# --- the whole --------------------------------------------------------------------------------------------------------


def columns_lead(findings: CovariateFindings, units: Units) -> str:
    """What matters besides time, in a sentence, and how the rest is told."""
    told = [column for column in findings.plain if column.is_told]
    holidays = holiday_texts(findings.events, units)
    usual = course_told(findings)
    if not told:
        return " ".join(filter(None, [_nothing_clear(findings, units), *holidays, usual]))
    mattering = [column for column in told if column.effect.matters]
    if not mattering:
        names = [_name(column.effect) for column in told[:MOST_NAMED]]
        which = joined(names) if len(names) == 1 else f"one of {joined(names)}"
        lead = f"It is open whether {which} says anything about {units.it} beyond its course in time."
        return " ".join(filter(None, [lead, *holidays, usual]))
    clauses = [
        f"{_effect(column, units, brief=True)}{timing_text(column.effect, units).partition(';')[0]}"
        for column in mattering[:MOST_IN_LEAD]
    ]
    more = [_name(column.effect) for column in mattering[MOST_IN_LEAD:]]
    also = f"{capital(_named(more))} {'matters' if len(more) == 1 else 'matter'}, too." if more else ""
    return " ".join(filter(None, [f"Besides time, {'; '.join(clauses)}.", also, *holidays, usual]))


def _nothing_clear(findings: CovariateFindings, units: Units) -> str:
    """That no column of the table says anything; "" where there is none."""
    if not findings.plain:
        return ""
    names = [_name(column.effect) for column in findings.plain[:MOST_NAMED]]
    if len(findings.plain) == 1:
        return f"{names[0]} says nothing clear about {units.it} beyond its course in time."
    who = f"None of {joined(names)}" if len(names) == len(findings.plain) else "None of the columns"
    return f"{who} says anything clear about {units.it} beyond its course in time."


def course_told(findings: CovariateFindings) -> str:
    """With which values of the columns the course in time is told; "" where none of them is told."""
    return f"The course in time is told {usual_text(findings.told)}." if findings.told else ""


def relied_columns_text(findings: CovariateFindings) -> str:
    """The columns of which models and a plain comparison show the same, holidays as one; "" for none."""
    sure = _compared_alike(findings, alike=True)
    if not sure:
        return ""
    return f"What goes together with {sure}: models and a plain comparison of neighbouring rows show the same."


def doubtful_columns_text(findings: CovariateFindings) -> str:
    """The columns whose effects are in doubt, and why; "" for none."""
    other = _compared_alike(findings, alike=False)
    blurred = [_name(column.effect) for column in findings.plain if column.effect.is_blurred]
    reasons = [
        f"a plain comparison of neighbouring rows does not show the same of {other}" if other else "",
        f"the data cannot tell what {_named(blurred)} {'adds' if len(blurred) == 1 else 'add'} from the trend"
        if blurred
        else "",
    ]
    return f"The columns: {'; '.join(filter(None, reasons))}." if any(reasons) else ""


def _compared_alike(findings: CovariateFindings, *, alike: bool) -> str:
    """The columns and holidays that matter of which a plain comparison says the same or not; "" for none."""
    columns = [column.effect for column in findings.plain if column.effect.matters]
    names = [_name(fact) for fact in columns if fact.neighbours is not None and fact.neighbours.agrees is alike]
    events = [event for event in findings.events if event.matters and event.main.neighbours is not None]
    chosen = [event for event in events if event.main.neighbours and event.main.neighbours.agrees is alike]
    every = named_days(event.total.calendar for event in events)
    holidays = every if len(chosen) == len(events) > 1 else named_events(chosen)
    return joined([*([_named(names)] if len(names) > MOST_NAMED else names), *([holidays] if chosen else [])])


def _named(names: Sequence[str]) -> str:
    return joined(names) if len(names) <= MOST_NAMED else f"{count(len(names))} columns"


# --- ahead ------------------------------------------------------------------------------------------------------------


def ahead_clause(fact: ColumnsAhead, units: Units) -> str:
    """What a forecast takes of the columns, after "if": "'price' is as planned and 'promo' is as a year before"."""
    by_filling: dict[str, list[str]] = {}
    for name in fact.planned:
        by_filling.setdefault("as planned", []).append(quoted(name))
    for name, filling in fact.unplanned:
        by_filling.setdefault(_stands_in(filling, fact, units), []).append(quoted(name))
    clauses = []
    for how, names in by_filling.items():
        who = joined(names) if len(names) <= MOST_NAMED else f"{count(len(names))} columns"
        clauses.append(f"{who} {'is' if len(names) == 1 else 'are'} {how}")
    return joined(clauses)


def _stands_in(filling: Filling, fact: ColumnsAhead, units: Units) -> str:
    match filling:
        case Filling.SEASON_BEFORE:
            how = f"as {_season(fact.season, units)} before"
        case Filling.LAST:
            how = "as it was last"
        case Filling.USUAL:
            how = "as usual"
    return how if fact.until is None else f"as planned until {at(fact.until, units).partition(' ')[2]} and then {how}"


def _season(season: float, units: Units) -> str:
    words = cycle(season, units)
    return article(words.every) if words.named else length(season, units)


def ahead_text(fact: ColumnsAhead, units: Units) -> str:
    """That there is no plan for some columns, and what to do; "" where all are planned."""
    if not fact.unplanned:
        return ""
    names = [quoted(name) for name, _ in fact.unplanned[:MOST_NAMED]]
    which = joined(names) if len(names) == len(fact.unplanned) else "some columns"
    until = "" if fact.until is None else f" beyond {at(fact.until, units).partition(' ')[2]}"
    return f"There is no plan for {which}{until}: add rows to come with their values, and leave {units.it} empty there."


def assumed_ranges_text(fact: ColumnsAhead, units: Units) -> str:
    """That ranges hold for the values that stand in for a plan alone; "" where all columns are planned."""
    if not fact.unplanned:
        return ""
    clause = ahead_clause(replace(fact, planned=()), units)
    return f"The ranges of the forecast: they hold if {clause}; that it may be otherwise is not in them."


def beyond_text(fact: ColumnsAhead) -> str:
    """That a plan leaves what was seen; "" where it does not."""
    if not fact.beyond:
        return ""
    names, one = joined([quoted(name) for name in fact.beyond[:MOST_NAMED]]), len(fact.beyond) == 1
    return (
        f"The plan of {names} goes beyond the values that were seen: what {'it adds' if one else 'they add'} there is "
        "carried on from the nearest ones."
    )

"""What columns beside a series add to it, in words: associations beyond the course in time, never causes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autostatistician.claims.claim import Claim, extremes
from autostatistician.claims.kinds import FEW, LIMITS, SEVERAL, Kind
from autostatistician.describe.axis.cycles import phase_kind, phase_text, phases
from autostatistician.describe.axis.lengths import counted_unit
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.covariates import CovariateColumn, CovariateFindings
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import change, difference, difference_apart
from autostatistician.describe.words.column_values import (
    column_name,
    common_season_clause,
    is_common_season,
    is_plain_flag,
    of_calendar,
    several_columns,
    step_of,
    usual_text,
    usual_value,
    value_text,
)
from autostatistician.describe.words.events import at
from autostatistician.describe.words.holidays import holiday_texts, named_days, named_events
from autostatistician.describe.words.table_fit import one_of
from autostatistician.forms import ColumnKind, EffectShape, Varying
from autostatistician.i18n.messages import message, say, say_count, sentence
from autostatistician.i18n.names import in_turn
from autostatistician.i18n.numbers import capital, count, joined, percent, rounded_percent

__all__ = [
    "ASSOCIATIONS", "column_text", "columns_leads", "course_alone", "doubtful_columns_text",
    "silent_text", "timing_text", "told_texts",
]  # fmt: skip

ASSOCIATIONS = message(
    "These are associations: they say what goes together with each column beyond the course in time, not what would "
    "happen if somebody changed it."
)


def column_text(column: CovariateColumn, units: Units) -> str:
    """One sentence on a column that matters, may matter, or goes with time."""
    fact = column.effect
    if "blurred" in fact.marks and not fact.told:
        return _blurred(fact)
    said = f"{_effect(column, units)}{timing_text(fact, units)}{_varying(column, units)}"
    if fact.others["instead"]:
        either = one_of((*fact.columns, *fact.others["instead"]), units)
        return say("{one_of}; by {name}, {effect}.", one_of=either, name=column_name(fact), effect=said)
    if not fact.told:
        return say(
            "It is open whether {name} matters for {it} (probability {percent}); if it does, {effect}.",
            name=column_name(fact), it=units.it, percent=percent(fact.probability or 0.0), effect=said,
        )  # fmt: skip
    return f"{in_turn([capital(said), _beside_neighbours(fact, units), _goes_with_time(fact)])}."


def _first_of_copies(columns: Sequence[CovariateColumn]) -> list[CovariateColumn]:
    """The columns without those that are copies of one before."""
    kept: list[CovariateColumn] = []
    for column in columns:
        if not any(column.effect.columns[0] in other.effect.others["instead"] for other in kept):
            kept.append(column)
    return kept


def told_texts(findings: CovariateFindings, units: Units) -> tuple[str, ...]:
    """A sentence for each column that matters or may matter, and one for all holidays of a calendar."""
    told = _first_of_copies([column for column in findings.plain if column.is_told])
    of_columns = (column_text(column, units) for column in told)
    return (*of_columns, *holiday_texts(findings.events, units))


def _effect(column: CovariateColumn, units: Units, *, brief: bool = False) -> str:
    """What a column adds, as a clause; in ``brief`` without the values along a curve."""
    fact = column.effect
    if fact.named["of"] == ColumnKind.CATEGORY:
        return _of_categories(column, units)
    if fact.form != EffectShape.STRAIGHT:
        return _along_curve(column, units, brief=brief)
    if is_common_season(fact):
        return common_season_clause(fact, units)
    return sentence(
        "beside.adds", direction=fact.number.direction, what=_what(fact, units), size=_size(fact, units), it=units.it
    )


def _what(fact: Claim, units: Units) -> str:
    """What of a column has the effect that is told."""
    if fact.named["calendar"]:
        return of_calendar(fact, units)
    if fact.named["of"] == ColumnKind.NUMBER:
        return step_of(fact)
    if is_plain_flag(fact):
        return column_name(fact)
    return say(
        "{column} at {other} instead of {usual}",
        column=column_name(fact), other=value_text(fact["other"], fact), usual=usual_value(fact),
    )  # fmt: skip


def _size(fact: Claim, units: Units, *, brief: bool = False) -> str:
    """A size with its range, which in ``brief`` has no name."""
    if not brief:
        return difference(fact.value, fact.number.interval, units)
    size, low, high = difference_apart(fact.value, fact.number.interval, units)
    return say("{number} ({low} to {high})", number=size, low=low, high=high)


def _of_categories(column: CovariateColumn, units: Units) -> str:
    fact = column.effect
    every = fact.of(Kind.LEVEL)
    values = every if len(every) <= SEVERAL else [*extremes(every)]
    places = [
        sentence(
            "beside.where", direction=value.number.direction, again=k > 0, name=column_name(fact),
            level=value_text(value.at[0], fact), size=_size(value, units, brief=k > 0),
        )
        for k, value in enumerate(values)
    ]  # fmt: skip
    return sentence(
        "beside.categories", all=values == every, it=units.it, places=joined(places), usual=usual_value(fact),
        n=count(len(every) - len(values)),
    )  # fmt: skip


def _along_curve(column: CovariateColumn, units: Units, *, brief: bool) -> str:
    fact, values = column.effect, column.effect.of(Kind.LEVEL)
    turns, value = "no", ""
    if fact.form == EffectShape.TURNING:
        middle, ends = values[1], (values[0].value, values[-1].value)
        turns, value = "top" if middle.value > max(ends) else "bottom", value_text(middle.at[0], fact)
    curve = sentence("beside.curve", turns=turns, it=units.it, name=column_name(fact), value=value)
    if brief:
        return curve
    places = [
        sentence(
            "beside.at", direction=each.number.direction, size=_size(each, units, brief=k > 0),
            value=value_text(each.at[0], fact),
        )
        for k, each in enumerate(values)
    ]  # fmt: skip
    return say(
        "{curve}: compared with {usual} (the usual value), it is {places}",
        curve=curve, usual=usual_value(fact), places=joined(places),
    )  # fmt: skip


def timing_text(fact: Claim, units: Units, *, brief: bool = False) -> str:
    """How late an effect comes, or how it fades; "" of one that comes at once and is gone with the value."""
    told = dict.fromkeys(("step", "steps", "first", "second", "low"), "")
    if fact["kept"] and brief:
        return sentence("beside.late", form="at once", **told)
    if fact["kept"]:
        told["first"], told["second"] = (rounded_percent(fact["kept"] ** steps) for steps in (1, 2))
        told |= {"step": _steps(1, units), "steps": _steps(2, units)}
        return sentence("beside.late", form="fades", **told)
    if not fact["lag"]:
        return ""
    low, high = round(fact["lag_from"]), round(fact["lag_to"])
    form = "one" if low == high else "from one" if low == 1 else "between"
    told |= {"low": count(low), "steps": _steps(round(fact["lag"]) if low == high else high, units)}
    return sentence("beside.late", form=form, **told)


def _steps(number: int, units: Units) -> str:
    """So many steps of the data, before "later": "two weeks", "one hour"."""
    each, _, name = units.axis.frequency.partition(" ")  # "30 minutes"
    if each.isdigit():
        return counted_unit(number * int(each), name.removesuffix("s"), 3)
    return sentence("beside.steps", unit=units.axis.frequency, steps=number, n=count(number))


def _varying(column: CovariateColumn, units: Units) -> str:
    """With what an effect changes, by its size at two moments."""
    fact, moments = column.effect, column.effect.of(Kind.PHASE)
    if fact.named["varying"] == Varying.NOTHING or not moments:
        return ""
    first, last, *_ = (f"{_changed(moment, units)} {_when(moment, fact, units)}" for moment in moments)
    return sentence("beside.varying", season=fact.named["varying"] == Varying.SEASON, first=first, last=last)


def _changed(moment: Claim, units: Units) -> str:
    return change(moment.value, moment.number.interval, units)


def _when(moment: Claim, fact: Claim, units: Units) -> str:
    kind = phase_kind(fact["season"], units) if fact.named["varying"] == Varying.SEASON else Phase.UNNAMED
    if kind is Phase.UNNAMED:
        return at(moment.at[0], units)
    return phase_text(kind, (int(phases(np.array(moment.at), kind, units)[0][0]),))


def _beside_neighbours(fact: Claim, units: Units) -> str:
    """What a plain comparison says instead; "" where it says the same, or there is none."""
    plain = fact.witness
    if plain is None or plain.agrees:
        return ""
    return say(
        "a plain comparison of neighbouring rows says something else: {size}",
        size=change(plain.number.value, plain.number.interval, units),
    )


def _goes_with_time(fact: Claim) -> str:
    if "blurred" not in fact.marks:
        return ""
    hardly = fact["apart"] < LIMITS["hardly_any"]
    return sentence("beside.with_time", hardly=hardly, name=column_name(fact), percent=percent(fact["apart"]))


def _blurred(fact: Claim) -> str:
    return sentence(
        "beside.blurred", hardly=fact["apart"] < LIMITS["hardly_any"], name=column_name(fact),
        own=percent(fact["apart"]), percent=percent(fact.probability or 0.0),
    )  # fmt: skip


def silent_text(columns: Sequence[CovariateColumn], units: Units) -> str:
    """That columns say nothing beyond time; "" for none."""
    facts = [column.effect for column in columns]
    if not facts:
        return ""
    names = [column_name(fact) for fact in facts[:SEVERAL]]
    more = len(facts) - len(names)
    names += [say_count(more, "one more column", "{n} more columns", n=count(more))] if more else []
    return sentence(
        "beside.silent", only="only" in facts[0].marks, columns=len(facts), names=joined(names), it=units.it,
        percent=percent(max(fact.probability or 0.0 for fact in facts)),
    )  # fmt: skip


# --- the whole --------------------------------------------------------------------------------------------------------


def columns_leads(findings: CovariateFindings, units: Units) -> list[str]:
    """What matters besides time, in a sentence or two."""
    told = [column for column in findings.plain if column.is_told]
    holidays = holiday_texts(findings.events, units)
    if not told:
        return [*filter(None, [_nothing_clear(findings, units), *holidays])]
    mattering = sorted((column for column in told if column.effect.told), key=lambda column: -_moved(column.effect))
    copies = [each.effect for each in _first_of_copies(told) if each.effect.others["instead"]]
    either = [f"{one_of((*fact.columns, *fact.others['instead']), units)}." for fact in copies]
    if not mattering and either:
        return [*filter(None, [*either, *holidays])]
    if not mattering:
        names = [column_name(column.effect) for column in told[:SEVERAL]]
        lead = sentence("beside.open", columns=len(names), names=joined(names), it=units.it)
        return [*filter(None, [lead, *holidays])]
    clauses = [
        f"{_effect(column, units, brief=True)}{timing_text(column.effect, units, brief=True)}"
        for column in mattering[:FEW]
    ]
    more = [column_name(column.effect) for column in mattering[FEW:]]
    also = ""
    if more:
        which = capital(several_columns(more))
        also = say_count(len(more), "{columns} matters, too.", "{columns} matter, too.", columns=which)
    lead = say("Besides time, {effects}.", effects=in_turn(clauses))
    return [*filter(None, [lead, also, *either, *holidays])]


def _moved(fact: Claim) -> float:
    """How much a column moves the series over all the values that it had."""
    steps = (fact["high"] - fact["low"]) / fact["step"] if fact.form == EffectShape.STRAIGHT and fact["step"] else 1.0
    return abs(fact.value * steps)


def _nothing_clear(findings: CovariateFindings, units: Units) -> str:
    """That no column of the table says anything; "" where there is none."""
    if not findings.plain:
        return ""
    names, many = [column_name(column.effect) for column in findings.plain], len(findings.plain)
    columns = "one" if many == 1 else "many" if many > SEVERAL else "few"
    return sentence("beside.nothing_clear", columns=columns, names=joined(names[:SEVERAL]), it=units.it)


def course_alone(course: str, findings: CovariateFindings | None) -> str:
    """What is told of time, with the values of the columns that it holds for; as it is where none of them is told."""
    if findings is None or not (course and findings.told):
        return course
    return say("The course in time alone, {usual}: {course}", usual=usual_text(findings.told), course=course)


def doubtful_columns_text(findings: CovariateFindings) -> str:
    """The columns whose effects are in doubt, and why; "" for none."""
    other = _compared_alike(findings, alike=False)
    blurred = [column_name(column.effect) for column in findings.plain if "blurred" in column.effect.marks]
    reasons = []
    if other:
        reasons.append(
            say("a plain comparison of neighbouring rows does not show the same of {columns}", columns=other)
        )
    if blurred:
        reasons.append(
            say_count(
                len(blurred),
                "the data cannot tell what {columns} adds from the trend",
                "the data cannot tell what {columns} add from the trend",
                columns=several_columns(blurred),
            )
        )
    return say("The columns: {reasons}.", reasons=in_turn(reasons)) if reasons else ""


def _compared_alike(findings: CovariateFindings, *, alike: bool) -> str:
    """The columns and holidays that matter of which a plain comparison says the same or not; "" for none."""
    columns = [column.effect for column in findings.plain if column.effect.told]
    names = [column_name(fact) for fact in columns if fact.witness is not None and fact.witness.agrees is alike]
    events = [event for event in findings.events if event.matters and event.main.witness is not None]
    chosen = [event for event in events if event.main.witness and event.main.witness.agrees is alike]
    every = named_days(event.total.named["calendar"] for event in events)
    holidays = every if len(chosen) == len(events) > 1 else named_events(chosen)
    names = [several_columns(names)] if len(names) > SEVERAL else names
    return joined([*names, *([holidays] if chosen else [])])

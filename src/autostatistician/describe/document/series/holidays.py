"""Holidays and own events beside a series on its page: one table and one picture of bars for all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import SEVERAL
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import (
    LONGEST_CELL,
    LONGEST_NAME,
    MOST_BARS,
    Block,
    Bullets,
    Figure,
    Section,
    Table,
)
from autostatistician.describe.document.panels import BarPanel
from autostatistician.describe.document.record import scaled_unit, stored
from autostatistician.describe.facts.covariates import CovariateEvent
from autostatistician.describe.words.amounts import change, drawn_change
from autostatistician.describe.words.holidays import (
    are_own,
    calendar_title,
    day_name,
    event_text,
    holidays_doubt,
    is_daily,
    step_with,
)
from autostatistician.i18n.messages import message, say, say_count
from autostatistician.i18n.names import clean_name, in_turn
from autostatistician.i18n.numbers import amount, capital, count, in_percent, joined, number_of, percent

__all__ = ["added_size", "adds_label", "holidays_record", "holidays_section"]

NOTHING = "–"  # in a cell
# The titles of the columns of the table.
EVENT, HOLIDAY = message("Event"), message("Holiday")
BEFORE, ON_THE_DAY, AFTER = message("Before"), message("On the day"), message("After")
IN_ALL, MATTERS, SEEN = message("In all"), message("Matters"), message("Seen")
WITH_IT = {
    "week": message("In a week with it"), "month": message("In a month with it"),
    "quarter": message("In a quarter with it"), "year": message("In a year with it"),
}  # fmt: skip


def holidays_section(events: Sequence[CovariateEvent], units: Units) -> tuple[Section, ...]:
    """The table and the picture of the events; nothing where none is told."""
    told = [event for event in events if event.matters or event.is_open]
    if not told:
        return ()
    told.sort(key=lambda event: (not event.matters, -abs(event.main.value)))
    quiet = [event for event in events if not event.matters and not event.is_open]
    doubt = holidays_doubt(told, units)
    blocks: list[Block] = [Bullets((doubt,))] if doubt else []
    blocks += [_table(told, quiet, units), _figure(told, units)]
    title = joined(list(dict.fromkeys(calendar_title(event.total.named["calendar"]) for event in events)))
    return (Section("holidays", title, tuple(blocks)),)


def _are_own(events: Sequence[CovariateEvent]) -> bool:
    return are_own(event.total.named["calendar"] for event in events)


# --- the table --------------------------------------------------------------------------------------------------------


def _table(told: Sequence[CovariateEvent], quiet: Sequence[CovariateEvent], units: Units) -> Table:
    columns = {
        name: cells
        for name, cells in _columns([*told, *quiet[:SEVERAL]], units).items()
        if name not in (BEFORE, AFTER) or set(cells) != {NOTHING}
    }
    notes: list[str] = [say("What is added to {it}, with 95% ranges.", it=units.it)]
    notes += [say("Before and after: the days whose range is off zero.")] if {BEFORE, AFTER} & set(columns) else []
    notes += [say("In all: the sum over its days.")] if IN_ALL in columns else []
    notes.append(
        say(
            "Matters: the probability that its days say something beyond time and the other columns. Seen: how often "
            "it came in the data."
        )
    )
    if (more := len(quiet) - SEVERAL) > 0:
        notes.append(
            say_count(
                more,
                "Not shown: one other of which nothing is told.",
                "Not shown: {n} others of which nothing is told.",
                n=count(more),
            )
        )
    numeric = tuple(place > 0 for place in range(len(columns)))
    rows, header = tuple(zip(*columns.values(), strict=True)), tuple(say(name) for name in columns)
    caption = (
        say("What events add to {it}.", it=units.it)
        if _are_own(told)
        else say("What holidays add to {it}.", it=units.it)
    )
    return Table("table-holidays", caption, header, rows, numeric, " ".join(notes))


def _columns(events: Sequence[CovariateEvent], units: Units) -> dict[str, list[str]]:
    """The cells of each column, by its title in English."""
    names = [clean_name(event.total.named["event"], LONGEST_CELL) for event in events]
    columns = {EVENT if _are_own(events) else HOLIDAY: names}
    told = [event if event.matters or event.is_open else None for event in events]
    itself = [event.on(0) if event else None for event in told]
    on_day = [NOTHING if fact is None else _change(fact, units) for fact in itself]
    if is_daily(units):
        days = [event.days if event else () for event in told]
        columns[BEFORE] = [_cell([fact for fact in facts if round(fact["days"]) < 0], units) for facts in days]
        columns[ON_THE_DAY] = on_day
        columns[AFTER] = [_cell([fact for fact in facts if round(fact["days"]) > 0], units) for facts in days]
    else:
        columns[WITH_IT[step_with(units)]] = on_day
    if is_daily(units) and not units.is_log:
        columns[IN_ALL] = [_change(event.total, units) if event else NOTHING for event in told]
    columns[MATTERS] = [percent(min(event.total.probability or 0.0, 1.0)) for event in events]
    columns[SEEN] = [f"{len(event.total.at)}" for event in events]
    return columns


def _cell(facts: Sequence[Claim], units: Units) -> str:
    changes = [
        _change(fact, units)
        if abs(round(fact["days"])) == 1
        else say("{n} days: {change}", n=count(abs(round(fact["days"]))), change=_change(fact, units))
        for fact in facts
    ]
    return in_turn(changes) or NOTHING


def _change(fact: Claim, units: Units) -> str:
    return change(fact.value, fact.number.interval, units)


# --- the picture ------------------------------------------------------------------------------------------------------


def _figure(told: Sequence[CovariateEvent], units: Units) -> Figure:
    """Bars of the days themselves, and of each day before or after that is off zero on some event."""
    days = {0} | {round(fact["days"]) for event in told for fact in event.days}
    panels = [panel for day in sorted(days, key=lambda day: (abs(day), day)) if (panel := _bars(told, day, units))]
    sizes = [float(drawn_change(np.array([event.main.value]), units)[0]) for event in told[:3]]
    largest = joined(
        [
            f"{clean_name(event.total.named['event'])} {added_size(size, units, 2)}"
            for event, size in zip(told, sizes, strict=False)
        ]
    )
    if _are_own(told):
        caption = say("What events add to {it}: bars with their 95% ranges.", it=units.it)
        alt = say("Bars of what events add: {largest}.", largest=largest)
    else:
        caption = say("What holidays add to {it}: bars with their 95% ranges.", it=units.it)
        alt = say("Bars of what holidays add: {largest}.", largest=largest)
    return Figure("fig-holidays", caption, alt, tuple(panels))


def added_size(size: float, units: Units, digits: int = 3) -> str:
    """What a column adds as it is drawn, with its unit."""
    text = amount(size, digits)
    if units.is_odds:
        return say_count(number_of(text), "{number} point", "{number} points", number=text)
    return in_percent(text) if units.is_log else text


def adds_label(units: Units) -> str:
    """The axis of what columns add."""
    target = clean_name(units.target)
    if units.is_odds:
        return say("adds to {target}, percentage points", target=target)
    if units.is_log:
        return say("adds to {target}, %", target=target)
    return say("adds to {target}", target=target)


def _bars(told: Sequence[CovariateEvent], day: int, units: Units) -> BarPanel | None:
    facts = {event.total.named["event"]: fact for event in told if (fact := event.on(day)) is not None}
    if not facts or (day and not any(fact.number.is_clear for fact in facts.values())):
        return None
    chosen = list(facts.items())[:MOST_BARS]
    ends = [fact.number.interval for _, fact in chosen]
    values = (
        drawn_change(np.array(numbers), units)
        for numbers in ([fact.value for _, fact in chosen], [low for low, _ in ends], [high for _, high in ends])
    )
    middle, lower, upper = values
    title = capital(day_name(day)) if is_daily(units) else say(WITH_IT[step_with(units)])
    names = tuple(clean_name(name, LONGEST_NAME) for name, _ in chosen)
    label = adds_label(units)
    return BarPanel(title, label, "", (), names=names, values=middle, lower=lower, upper=upper)


# --- for machines -----------------------------------------------------------------------------------------------------


def holidays_record(events: Sequence[CovariateEvent], units: Units) -> list[dict[str, object]]:
    """The events with the effects of their days, as plain values."""
    return [
        {
            "event": event.total.named["event"],
            "calendar": event.total.named["calendar"],
            "standing": "matters" if event.matters else "open" if event.is_open else "nothing",
            "probability": stored(min(event.total.probability or 0.0, 1.0)),
            "sentence": event_text(event, units),
            "seen": len(event.total.at),
            "days": [{"days": round(column.effect["days"])} | _effect(column.effect) for column in event.columns],
            "total": _effect(event.total),
            "unit": scaled_unit(units),
        }
        for event in events
    ]


def _effect(fact: Claim) -> dict[str, object]:
    low, high = fact.number.interval
    return {"number": stored(fact.value), "lower": stored(low), "upper": stored(high)}

"""Holidays and own events beside a series on its page: one table and one picture of bars for all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Block, Bullets, Figure, Section, Table
from autostatistician.describe.document.panels import BarPanel
from autostatistician.describe.document.record import stored
from autostatistician.describe.facts.covariates import CovariateEffect, CovariateEvent, EventTotal, is_clear
from autostatistician.describe.words.amounts import change, drawn_change
from autostatistician.describe.words.holidays import (
    calendar_title,
    day_name,
    event_text,
    holidays_doubt,
    is_daily,
    months_of,
    named_days,
    step_with,
)
from autostatistician.wording.names import clean_name
from autostatistician.wording.numbers import amount, article, capital, joined, percent, plural

__all__ = ["adds_label", "holidays_record", "holidays_section"]

MOST_BARS = 20
MOST_QUIET = 5  # events of which nothing is told, in the table
LONGEST_NAME, LONGEST_CELL = 24, 40  # letters
NOTHING = "–"  # in a cell


def holidays_section(events: Sequence[CovariateEvent], units: Units) -> tuple[Section, ...]:
    """The table and the picture of the events; nothing where none is told."""
    told = [event for event in events if event.matters or event.is_open]
    if not told:
        return ()
    told.sort(key=lambda event: (not event.matters, -abs(event.main.number)))
    quiet = [event for event in events if not event.matters and not event.is_open]
    doubt = holidays_doubt(told, units)
    blocks: list[Block] = [Bullets((doubt,))] if doubt else []
    blocks += [_table(told, quiet, units), _figure(told, units)]
    title = joined(list(dict.fromkeys(calendar_title(event.total.calendar) for event in events)))
    return (Section("holidays", title, tuple(blocks)),)


def _what(events: Sequence[CovariateEvent]) -> str:
    return named_days(event.total.calendar for event in events)


# --- the table --------------------------------------------------------------------------------------------------------


def _table(told: Sequence[CovariateEvent], quiet: Sequence[CovariateEvent], units: Units) -> Table:
    columns = {
        name: cells
        for name, cells in _columns([*told, *quiet[:MOST_QUIET]], units).items()
        if name not in ("Moves between", "Before", "After") or set(cells) != {NOTHING}
    }
    daily = " Before and after: the days whose range is off zero." if {"Before", "After"} & set(columns) else ""
    together = " In all: the sum over its days." if "In all" in columns else ""
    notes = (
        f"What is added to {units.it}, with 95% ranges.{daily}{together} Matters: the probability that its days say "
        "something beyond time and the other columns. Seen: how often it came in the data."
    )
    if len(quiet) > MOST_QUIET:
        notes += f" Not shown: {plural(len(quiet) - MOST_QUIET, 'other')} of which nothing is told."
    numeric = tuple(place > 0 and name != "Moves between" for place, name in enumerate(columns))
    rows = tuple(zip(*columns.values(), strict=True))
    return Table("table-holidays", f"What {_what(told)} add to {units.it}.", tuple(columns), rows, numeric, notes)


def _columns(events: Sequence[CovariateEvent], units: Units) -> dict[str, list[str]]:
    """The cells of each column, by its title."""
    columns = {
        _what(events).removesuffix("s").capitalize(): [clean_name(event.total.event, LONGEST_CELL) for event in events]
    }
    columns["Moves between"] = [joined(months_of(event, units)) or NOTHING for event in events]
    told = [event if event.matters or event.is_open else None for event in events]
    itself = [event.on(0) if event else None for event in told]
    on_day = [NOTHING if fact is None else _change(fact, units) for fact in itself]
    if is_daily(units):
        days = [event.days if event else () for event in told]
        columns["Before"] = [_cell([fact for fact in facts if fact.days < 0], units) for facts in days]
        columns["On the day"] = on_day
        columns["After"] = [_cell([fact for fact in facts if fact.days > 0], units) for facts in days]
    else:
        columns[f"In {article(step_with(units))} with it"] = on_day
    if is_daily(units) and not units.is_log:
        columns["In all"] = [_change(event.total, units) if event else NOTHING for event in told]
    columns["Matters"] = [percent(min(event.total.probability or 0.0, 1.0)) for event in events]
    columns["Seen"] = [f"{event.total.seen}" for event in events]
    return columns


def _cell(facts: Sequence[CovariateEffect], units: Units) -> str:
    return "; ".join(
        _change(fact, units) if abs(fact.days) == 1 else f"{plural(abs(fact.days), 'day')}: {_change(fact, units)}"
        for fact in facts
    ) or NOTHING  # fmt: skip


def _change(fact: CovariateEffect | EventTotal, units: Units) -> str:
    return change(fact.number, fact.interval or (fact.number, fact.number), units)


# --- the picture ------------------------------------------------------------------------------------------------------


def _figure(told: Sequence[CovariateEvent], units: Units) -> Figure:
    """Bars of the days themselves, and of each day before or after that is off zero on some event."""
    days = {0} | {fact.days for event in told for fact in event.days}
    panels = [panel for day in sorted(days, key=lambda day: (abs(day), day)) if (panel := _bars(told, day, units))]
    caption = f"What {_what(told)} add to {units.it}: bars with their 95% ranges."
    largest = [
        f"{clean_name(event.total.event)} {amount(float(drawn_change(np.array([event.main.number]), units)[0]), 2)}"
        f"{' points' if units.is_odds else '%' if units.is_log else ''}"
        for event in told[:3]
    ]
    return Figure("fig-holidays", caption, f"Bars of what {_what(told)} add: {joined(largest)}.", tuple(panels))


def adds_label(units: Units) -> str:
    """The axis of what columns add."""
    unit = ", percentage points" if units.is_odds else ", %" if units.is_log else ""
    return f"adds to {clean_name(units.target)}{unit}"


def _bars(told: Sequence[CovariateEvent], day: int, units: Units) -> BarPanel | None:
    facts = {event.total.event: fact for event in told if (fact := event.on(day)) is not None}
    if not facts or (day and not any(is_clear(fact) for fact in facts.values())):
        return None
    chosen = list(facts.items())[:MOST_BARS]
    ends = [fact.interval or (fact.number, fact.number) for _, fact in chosen]
    values = (
        drawn_change(np.array(numbers), units)
        for numbers in ([fact.number for _, fact in chosen], [low for low, _ in ends], [high for _, high in ends])
    )
    middle, lower, upper = values
    title = capital(day_name(day)) if is_daily(units) else f"In {article(step_with(units))} with it"
    names = tuple(clean_name(name, LONGEST_NAME) for name, _ in chosen)
    label = adds_label(units)
    return BarPanel(title, label, "", (), names=names, values=middle, lower=lower, upper=upper)


# --- for machines -----------------------------------------------------------------------------------------------------


def holidays_record(events: Sequence[CovariateEvent], units: Units) -> list[dict[str, object]]:
    """The events with the effects of their days, as plain values."""
    return [
        {
            "event": event.total.event,
            "calendar": event.total.calendar,
            "standing": "matters" if event.matters else "open" if event.is_open else "nothing",
            "probability": stored(min(event.total.probability or 0.0, 1.0)),
            "sentence": event_text(event, units),
            "seen": event.total.seen,
            "days": [{"days": column.effect.days} | _effect(column.effect) for column in event.columns],
            "total": _effect(event.total),
            "unit": event.total.unit,
        }
        for event in events
    ]


def _effect(fact: CovariateEffect | EventTotal) -> dict[str, object]:
    low, high = fact.interval or (fact.number, fact.number)
    return {"number": stored(fact.number), "lower": stored(low), "upper": stored(high)}

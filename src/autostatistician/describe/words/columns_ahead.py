"""What a forecast takes of the columns beside a series, in words."""

from __future__ import annotations

from dataclasses import replace

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import length
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.covariates import ColumnsAhead
from autostatistician.describe.words.column_values import MOST_NAMED, several_columns
from autostatistician.describe.words.events import beyond, until
from autostatistician.forms import Filling
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import joined

__all__ = ["ahead_clause", "ahead_text", "assumed_ranges_text", "beyond_text"]

_BEFORE = {  # by the cycle of the calendar
    "yearly": message("as a year before"), "half-yearly": message("as a half year before"),
    "quarterly": message("as a quarter of a year before"), "monthly": message("as a month before"),
    "weekly": message("as a week before"), "daily": message("as a day before"),
    "half-daily": message("as a half day before"), "hourly": message("as an hour before"),
    "minutely": message("as a minute before"),
}  # fmt: skip


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

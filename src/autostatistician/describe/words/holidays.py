"""What the days around holidays and own events add to a series, in words: all of a calendar in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import NormalDist, median

import numpy as np

from autostatistician.describe.axis.phases import phase_kind, phase_name, phases
from autostatistician.describe.axis.units import SECONDS, YEAR, Units, axis_seconds
from autostatistician.describe.facts.covariates import CovariateEffect, CovariateEvent, is_clear
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import by, change, size
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import article, count, joined, percent, plural

__all__ = [
    "calendar_title", "day_name", "event_text", "holiday_texts", "holidays_doubt", "is_daily", "months_of",
    "named_days", "named_events", "step_with",
]  # fmt: skip

MOST_NAMED = 3  # events in a sentence
FEWEST_ALIKE = 3  # events, to speak of most of them
MOST_MONTHS = 4  # between which an event is said to move
DAILY = 1.5 * SECONDS["day"]  # steps up to which an event has days before and after
_LABEL = "95% range: "


# --- one event --------------------------------------------------------------------------------------------------------


def event_text(event: CovariateEvent, units: Units) -> str:
    """One sentence on an event: each of its days that is off zero, and all of them together."""
    name = f"{quoted(event.total.event)}{_moving(event, units)}"
    if not event.matters and not event.is_open:
        chance = percent(event.total.probability or 0.0)
        return f"{name} says nothing about {units.it} beyond time (probability that it does: {chance})."
    days = _days_of(event, units)
    if not event.matters:
        chance = percent(event.total.probability or 0.0)
        return f"It is open whether {name} matters (probability {chance}); if it does, {units.it} is {days}."
    total = ""
    if len(event.days) > 1 and not units.is_log:
        total = f"; {_sized(event.total, 'in all', units).replace(_LABEL, '')}"
    return f"{name}: {units.it} is {days}{total}."


def _days_of(event: CovariateEvent, units: Units) -> str:
    """The days that are told: "28 lower on the day (95% range: 22 to 33) and 13 higher the day before (8 to 19)"."""
    sizes = [_sized(fact, _around(fact, units), units) for fact in event.days]
    return joined([sizes[0], *(size.replace(_LABEL, "") for size in sizes[1:])])


def _sized(fact: Fact, when: str, units: Units) -> str:
    """A difference with its direction, its time and its range."""
    size, _, ends = (
        by(fact.number, fact.interval or (fact.number, fact.number), units).removeprefix("by ").partition(" (")
    )
    return f"{size} {_direction(fact.number)} {when} ({ends}"


def _direction(number: float) -> str:
    return "lower" if number < 0.0 else "higher"


def _around(fact: CovariateEffect, units: Units) -> str:
    if not is_daily(units):
        step = step_with(units)
        return f"in {article(step)} with it" if fact.high <= 1.0 else f"for each of its days in {article(step)}"
    return day_name(fact.days)


def day_name(days: int) -> str:
    """A day by its distance from an event.

    >>> day_name(0), day_name(-1), day_name(3)
    ('on the day', 'the day before', 'three days after')
    """
    if not days:
        return "on the day"
    far = "the day" if abs(days) == 1 else plural(abs(days), "day")
    return f"{far} {'before' if days < 0 else 'after'}"


def is_daily(units: Units) -> bool:
    """Whether steps are days or shorter, so that an event has days before and after."""
    return units.gap * (axis_seconds(units) or 0.0) <= DAILY


def step_with(units: Units) -> str:
    """What a step is called, of an axis with longer steps than days."""
    seconds = units.gap * (axis_seconds(units) or YEAR)
    return min(("week", "month", "quarter", "year"), key=lambda name: abs(np.log(SECONDS[name] / seconds)))


def months_of(event: CovariateEvent, units: Units) -> tuple[str, ...]:
    """The months or quarters that an event moves between, where steps are that long; none of one that stays."""
    kind = Phase.UNNAMED if step_with(units) in ("week", "year") or is_daily(units) else phase_kind(_year(units), units)
    if kind not in (Phase.MONTH, Phase.QUARTER) or not event.total.places:
        return ()
    numbers = np.unique(phases(np.array(event.total.places), kind, units)[0])
    return tuple(phase_name(kind, int(number)) for number in numbers) if numbers.size > 1 else ()


def _year(units: Units) -> float:
    return YEAR / (axis_seconds(units) or YEAR)


def _moving(event: CovariateEvent, units: Units) -> str:
    months = months_of(event, units)
    if not months:
        return ""
    where = "through the year" if len(months) > MOST_MONTHS else f"between {joined(months)}"
    return f" (it moves {where})"


# --- all of a calendar ------------------------------------------------------------------------------------------------


def holiday_texts(events: Sequence[CovariateEvent], units: Units) -> tuple[str, ...]:
    """One sentence for each calendar."""
    calendars: dict[str, list[CovariateEvent]] = {}
    for event in events:
        calendars.setdefault(event.total.calendar, []).append(event)
    return tuple(_calendar_text(calendar, members, units) for calendar, members in calendars.items())


def calendar_title(calendar: str) -> str:
    """What its events are called: "Holidays of DE", "Events of 'plan.csv'"."""
    if not calendar:
        return "Holidays"
    return f"Events of {quoted(Path(calendar).name)}" if Path(calendar).suffix else f"Holidays of {calendar}"


def named_days(calendars: Iterable[str]) -> str:
    """What the days of some calendars are: "holidays", or "events" of files alone.

    >>> named_days(["DE", "plan.csv"]), named_days(["plan.csv"])
    ('holidays', 'events')
    """
    return "events" if all(Path(calendar).suffix for calendar in calendars) else "holidays"


def _calendar_text(calendar: str, events: list[CovariateEvent], units: Units) -> str:
    title = calendar_title(calendar)
    acting = sorted((event for event in events if event.matters), key=lambda event: -abs(event.main.number))
    likely = [event for event in events if event.is_open]
    perhaps = f"whether {named_events(likely)} {'matters' if len(likely) == 1 else 'matter'} is open" if likely else ""
    if not acting:
        if likely:
            return f"{title}: {perhaps}; the data show no clear effect on {units.it}."
        chance = percent(max(event.total.probability or 0.0 for event in events))
        return f"{title}: none says anything clear about {units.it} beyond time (probability at most {chance})."
    quiet = len(events) - len(acting) - len(likely)
    alike = _alike(acting, units) or _one_by_one(acting, units)
    rest = f"of {count(quiet)} other{'' if quiet == 1 else 's'} the data show nothing clear" if quiet else ""
    return f"{title}: {'; '.join(filter(None, [alike, perhaps, rest]))}."


def _one_by_one(acting: list[CovariateEvent], units: Units) -> str:
    """The largest, each with its days."""
    names = [f"{quoted(event.total.event)}{_moving(event, units)}" for event in acting[:MOST_NAMED]]
    clauses = [
        f"around {name} {'' if k else f'{units.it} is '}{_days_of(event, units)}"
        for k, (name, event) in enumerate(zip(names, acting, strict=False))
    ]
    more = len(acting) - len(clauses)
    also = f"; {count(more)} more {'matters' if more == 1 else 'matter'}, too" if more else ""
    return f"{joined(clauses)}{also}"


def named_events(events: Sequence[CovariateEvent]) -> str:
    """Events by name where they are few, else how many."""
    names = [quoted(event.total.event) for event in events]
    return (
        joined(names)
        if len(names) <= MOST_NAMED
        else f"{count(len(names))} {named_days(event.total.calendar for event in events)}"
    )


def holidays_doubt(events: Sequence[CovariateEvent], units: Units) -> str:
    """Of which events a plain comparison says something else; "" where it says the same of all."""
    clauses = []
    for event in events:
        plain = event.main.neighbours
        if event.matters and plain is not None and not plain.agrees:
            clauses.append(f"{quoted(event.total.event)} ({change(plain.number, plain.interval, units)})")
    if not clauses:
        return ""
    more = [f"{count(len(clauses) - MOST_NAMED)} more"] if len(clauses) > MOST_NAMED else []
    return f"A plain comparison of neighbouring rows says something else of {joined([*clauses[:MOST_NAMED], *more])}."


# --- what most have in common -----------------------------------------------------------------------------------------


def _alike(acting: list[CovariateEvent], units: Units) -> str:
    """What most events do on the day and about it, and those that stand out; "" where they have no size in common."""
    middle = _typical(acting, 0)
    if middle is None:
        return ""
    mostly = "" if is_daily(units) else "mostly "
    sizes = [f"{units.it} is {mostly}about {_size(middle, units)} {_direction(middle)}"]
    if is_daily(units):
        around = ((days, _typical(acting, days)) for days in (-3, -2, -1, 1, 2, 3))
        sizes += [
            f"{day_name(days)} about {_size(size, units)} {_direction(size)}"
            for days, size in around
            if size is not None
        ]
    where = "on most of them" if is_daily(units) else f"in {article(step_with(units))} with one"
    out = [event for event in acting if (fact := event.on(0)) is not None and not _holds(fact, middle, len(acting))]
    out.sort(key=lambda event: -abs(event.main.number - middle))
    told = out[:MOST_NAMED]
    if not told:
        return f"{where} {joined(sizes)}"
    facts = [event.on(0) or event.main for event in told]
    far = joined([f"{_size(fact.number, units)} {_direction(fact.number)}" for fact in facts])
    verb = "stands out" if len(told) == 1 else "stand out"
    more = len(out) - len(told)
    also = f", and {count(more)} more differ{'s' if more == 1 else ''}" if more else ""
    return f"{where} {joined(sizes)}; {joined([quoted(event.total.event) for event in told])} {verb} ({far}){also}"


def _typical(acting: list[CovariateEvent], days: int) -> float | None:
    """The effect that most events have so many days after them; None where most have none, or each its own."""
    facts = [fact for event in acting if (fact := event.on(days)) is not None]
    if len(facts) < FEWEST_ALIKE:
        return None
    middle = median(fact.number for fact in facts)
    same = [fact for fact in facts if is_clear(fact) and fact.number * middle > 0.0]
    shared = sum(_holds(fact, middle, len(facts)) for fact in same)
    return middle if shared > len(acting) / 2 else None


def _holds(fact: CovariateEffect, middle: float, many: int) -> bool:
    """Whether a number lies in the range of an effect, made wider for the most extreme of ``many``."""
    wider = NormalDist().inv_cdf(1.0 - 0.025 / max(many, 1)) / NormalDist().inv_cdf(0.975)
    low, high = fact.interval or (fact.number, fact.number)
    return fact.number - wider * (fact.number - low) <= middle <= fact.number + wider * (high - fact.number)


def _size(number: float, units: Units) -> str:
    return size(number, units, 2)

"""What the days around holidays and own events add to a series, in words: all of a calendar in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import NormalDist, median

import numpy as np

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import FEW
from autostatistician.describe.axis.units import SECONDS, YEAR, Units, axis_seconds
from autostatistician.describe.facts.covariates import CovariateEvent
from autostatistician.describe.words.amounts import change, difference_apart, size
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import in_turn, quoted
from autostatistician.i18n.numbers import count, joined, percent

__all__ = [
    "are_own", "calendar_title", "day_name", "event_text", "holiday_texts", "holidays_doubt", "in_step", "is_daily",
    "named_days", "named_events", "step_with", "with_it",
]  # fmt: skip

DAILY = 1.5 * SECONDS["day"]  # steps up to which an event has days before and after


# --- one event --------------------------------------------------------------------------------------------------------


def event_text(event: CovariateEvent, units: Units) -> str:
    """One sentence on an event: each of its days that is off zero, and all of them together."""
    days = "" if not event.matters and not event.is_open else _days_of(event, units)
    if event.matters and len(event.days) > 1 and not units.is_log:
        days = in_turn([days, _sized(event.total, sentence("holidays.all_days"), units, brief=True)])
    return sentence(
        "holidays.event", matters="open" if event.is_open and not event.matters else event.matters,
        name=_name(event), it=units.it, percent=percent(event.total.probability or 0.0), days=days,
    )  # fmt: skip


def _days_of(event: CovariateEvent, units: Units) -> str:
    """The days that are told: "28 lower on the day (95% range: 22 to 33) and 13 higher the day before (8 to 19)"."""
    return joined([_sized(fact, _around(fact, units), units, brief=k > 0) for k, fact in enumerate(event.days)])


def _sized(fact: Claim, when: str, units: Units, *, brief: bool = False) -> str:
    """A difference with its direction, its time and its range."""
    size, low, high = difference_apart(fact.value, fact.number.interval, units)
    return sentence(
        "holidays.sized", brief=brief, direction=_direction(fact.value), size=size, when=when, low=low, high=high
    )


def _direction(number: float) -> str:
    return "down" if number < 0.0 else "up"


def _around(fact: Claim, units: Units) -> str:
    if is_daily(units):
        return day_name(round(fact["days"]))
    if fact["high"] <= 1.0:
        return with_it(units)
    return sentence("holidays.each_day", in_step=in_step(units))


def day_name(days: int) -> str:
    """A day by its distance from an event.

    >>> day_name(0), day_name(-1), day_name(3)
    ('on the day', 'the day before', 'three days after')
    """
    place = "on" if not days else "before" if days < 0 else "after"
    return sentence("holidays.day", place=place, days=abs(days), n=count(abs(days)))


def is_daily(units: Units) -> bool:
    """Whether steps are days or shorter, so that an event has days before and after."""
    return units.gap * (axis_seconds(units) or 0.0) <= DAILY


def step_with(units: Units) -> str:
    """What a step is called, of an axis with longer steps than days."""
    seconds = units.gap * (axis_seconds(units) or YEAR)
    return min(("week", "month", "quarter", "year"), key=lambda name: abs(np.log(SECONDS[name] / seconds)))


def in_step(units: Units) -> str:
    """When something is that lasts as long as a step: "in a month"."""
    return sentence("holidays.in_step", step=step_with(units))


def with_it(units: Units) -> str:
    """In which steps an event is felt, of an axis with longer steps than days: "in a month with it"."""
    return sentence("holidays.with_it", in_step=in_step(units))


def _name(event: CovariateEvent) -> str:
    return quoted(event.total.named["event"])


# --- all of a calendar ------------------------------------------------------------------------------------------------


def holiday_texts(events: Sequence[CovariateEvent], units: Units) -> tuple[str, ...]:
    """One sentence for each calendar."""
    calendars: dict[str, list[CovariateEvent]] = {}
    for event in events:
        calendars.setdefault(event.total.named["calendar"], []).append(event)
    return tuple(_calendar_text(calendar, members, units) for calendar, members in calendars.items())


def calendar_title(calendar: str) -> str:
    """What its events are called: "Holidays of DE", "Events of 'plan.csv'"."""
    if Path(calendar).suffix:
        return sentence("holidays.title", calendar="file", name=quoted(Path(calendar).name))
    return sentence("holidays.title", calendar="country" if calendar else "unnamed", name=calendar)


def named_days(calendars: Iterable[str]) -> str:
    """What the days of some calendars are: "holidays", or "events" of files alone.

    >>> named_days(["DE", "plan.csv"]), named_days(["plan.csv"])
    ('holidays', 'events')
    """
    return sentence("holidays.days", own=are_own(calendars))


def are_own(calendars: Iterable[str]) -> bool:
    """Whether they are the user's events, of files, and no holidays of countries."""
    return all(Path(calendar).suffix for calendar in calendars)


def _calendar_text(calendar: str, events: list[CovariateEvent], units: Units) -> str:
    title = calendar_title(calendar)
    acting = sorted((event for event in events if event.matters), key=lambda event: -abs(event.main.value))
    likely = [event for event in events if event.is_open]
    perhaps = sentence("holidays.open", events=len(likely), named=named_events(likely)) if likely else ""
    if not acting and likely:
        return sentence("holidays.none_clear", title=title, perhaps=perhaps, it=units.it)
    if not acting:
        most = max(event.total.probability or 0.0 for event in events)
        return sentence("holidays.none", title=title, it=units.it, percent=percent(most))
    quiet = len(events) - len(acting) - len(likely)
    rest = sentence("holidays.quiet", events=quiet, n=count(quiet)) if quiet else ""
    alike = _alike(acting, units) or _one_by_one(acting, units)
    return sentence("holidays.whole", title=title, text=in_turn([alike, perhaps, rest]))


def _one_by_one(acting: list[CovariateEvent], units: Units) -> str:
    """The largest, each with its days."""
    clauses = [
        sentence("holidays.around", first=at == 0, name=_name(event), it=units.it, days=_days_of(event, units))
        for at, event in enumerate(acting[:FEW])
    ]
    more = len(acting) - len(clauses)
    also = sentence("holidays.also", events=more, n=count(more)) if more else ""
    return in_turn([joined(clauses), also])


def named_events(events: Sequence[CovariateEvent]) -> str:
    """Events by name where they are few, else how many."""
    if len(events) <= FEW:
        return joined([_name(event) for event in events])
    own = are_own(event.total.named["calendar"] for event in events)
    return sentence("holidays.number", own=own, n=count(len(events)))


def holidays_doubt(events: Sequence[CovariateEvent], units: Units) -> str:
    """Of which events a plain comparison says something else; "" where it says the same of all."""
    clauses = []
    for event in events:
        plain = event.main.witness
        if event.matters and plain is not None and not plain.agrees:
            other = change(plain.number.value, plain.number.interval, units)
            clauses.append(f"{_name(event)} ({other})")
    if not clauses:
        return ""
    more = len(clauses) - FEW
    if more > 0:
        clauses[FEW:] = [sentence("holidays.others", events=more, n=count(more))]
    return sentence("holidays.doubt", events=joined(clauses))


# --- what most have in common -----------------------------------------------------------------------------------------


def _alike(acting: list[CovariateEvent], units: Units) -> str:
    """What most events do on the day and about it, and those that stand out; "" where they have no size in common."""
    middle = _typical(acting, 0)
    if middle is None:
        return ""
    daily = is_daily(units)
    sizes = [
        sentence(
            "holidays.most", daily=daily, direction=_direction(middle), it=units.it, size=_size(middle, units),
            in_step="" if daily else in_step(units),
        )
    ]  # fmt: skip
    around = ((days, _typical(acting, days)) for days in (-3, -2, -1, 1, 2, 3) if daily)
    sizes += [
        sentence("holidays.about", direction=_direction(size), when=day_name(days), size=_size(size, units))
        for days, size in around
        if size is not None
    ]
    out = [event for event in acting if (fact := event.on(0)) is not None and not _holds(fact, middle, len(acting))]
    out.sort(key=lambda event: -abs(event.main.value - middle))
    return in_turn([joined(sizes), _standing_out(out, units)])


def _standing_out(out: Sequence[CovariateEvent], units: Units) -> str:
    """Those that are not as the others are; "" for none."""
    told, more = out[:FEW], len(out) - FEW
    if not told:
        return ""
    facts = [event.on(0) or event.main for event in told]
    far = joined(
        [sentence("holidays.far", direction=_direction(fact.value), size=_size(fact.value, units)) for fact in facts]
    )
    names = joined([_name(event) for event in told])
    text = sentence("holidays.stand_out", events=len(told), named=names, far=far)
    return sentence("holidays.differ", events=more, named=text, n=count(more)) if more > 0 else text


def _typical(acting: list[CovariateEvent], days: int) -> float | None:
    """The effect that most events have so many days after them; None where most have none, or each its own."""
    facts = [fact for event in acting if (fact := event.on(days)) is not None]
    if len(facts) < FEW:
        return None
    middle = median(fact.value for fact in facts)
    same = [fact for fact in facts if fact.number.is_clear and fact.value * middle > 0.0]
    shared = sum(_holds(fact, middle, len(facts)) for fact in same)
    return middle if shared > len(acting) / 2 else None


def _holds(fact: Claim, middle: float, many: int) -> bool:
    """Whether a number lies in the range of an effect, made wider for the most extreme of ``many``."""
    wider = NormalDist().inv_cdf(1.0 - 0.025 / max(many, 1)) / NormalDist().inv_cdf(0.975)
    low, high = fact.number.interval
    return fact.value - wider * (fact.value - low) <= middle <= fact.value + wider * (high - fact.value)


def _size(number: float, units: Units) -> str:
    return size(number, units, 2)

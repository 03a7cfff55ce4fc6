"""Names, sizes and times of a panel as its sentences say them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache

from autostatistician.describe.axis.cycles import CALENDAR_CYCLES, before_cycle, cycle_words, phase_text
from autostatistician.describe.axis.places import moment_text
from autostatistician.describe.facts.kinds import Phase
from autostatistician.wording.messages import ENGLISH, say, say_as, spoken_in
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, decimals_for, fixed, in_percent, joined

__all__ = [
    "MOST_NAMES", "cycle_adjective", "cycle_noun", "date_text", "moment", "names_text", "shift", "size_text",
    "when_in_cycle",
]  # fmt: skip


_UNITS = frozenset(("year", "month", "week", "day", "business-day", "hour", "minute", "second"))

_LENGTH = re.compile(r"([\d.,]+)-([\w-]+)")

_PLACES = {Phase.MONTH: range(1, 13), Phase.QUARTER: range(1, 5), Phase.WEEKDAY: range(7), Phase.HOUR: range(24)}

MOST_NAMES = 4

SINGLE = {"year": "year", "month": "month", "quarter": "month", "week": "day", "day": "day", "business day": "day"}


def names_text(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    shown = [quoted(name) for name in names[:MOST_NAMES]]
    if len(names) > MOST_NAMES:
        shown.append(say("{n} more", n=fixed(len(names) - MOST_NAMES, 0)))
    return joined(shown)


def shift(share: float) -> str:
    """A change in per cent with its sign.

    >>> shift(0.123), shift(-0.5), shift(0.0001), shift(4.2)
    ('+12%', '−50%', '0%', '+420%')
    """
    text = _per_cent(share)
    return in_percent(f"{'+' if share > 0.0 and text != '0' else ''}{text}")


def _per_cent(share: float) -> str:
    """Per cent with two digits, and no more than one decimal."""
    return fixed(100.0 * share, min(1, decimals_for(100.0 * share, 2)), trim=True)


def size_text(share: float) -> str:
    """The size of a change without its sign."""
    return in_percent(_per_cent(abs(share)))


def moment(when: str, step: str) -> str:
    """When something was, with its preposition; a date is told as finely as rows lie.

    >>> moment("2024-03-01", "month"), moment("2024-03-05", "day"), moment("1987", "year"), moment("7.5", "")
    ('in March 2024', 'on 5 March 2024', 'in 1987', 'at 7.5')
    """
    text = date_text(when, step)
    if text == when and not (step == "year" and when.isdigit()):
        return say("at {when}", when=text)
    if " " in text and text[:1].isdigit():
        return say_as("day", "on {when}", when=text)
    return say_as("year", "in {when}", when=text) if text.isdigit() else say_as("month", "in {when}", when=text)


def date_text(when: str, step: str) -> str:
    """A date as finely as rows lie; what is none as it is."""
    try:
        date = datetime.fromisoformat(f"{when}-01" if len(when) == 7 else when)
    except ValueError:
        return when
    if len(when) == 7:
        return moment_text(date, "month")
    return moment_text(date, "minute" if "T" in when else SINGLE.get(step, "day"))


# --- What the records of a panel keep in English words, in the language of the moment -------------------------------


def cycle_adjective(name: str) -> str:
    """What a cycle is called before its noun: "weekly", "10.8-year"."""
    if name in CALENDAR_CYCLES:
        return cycle_words(name)[0]
    matched = _LENGTH.fullmatch(name)
    if matched is None or matched[2] not in _UNITS:
        return name
    return before_cycle(amount(float(matched[1].replace(",", ""))), matched[2].replace("-", " "))


def cycle_noun(name: str) -> str:
    """The same with its noun.

    >>> cycle_noun("weekly"), cycle_noun("10.8-year"), cycle_noun("7-unit")
    ('weekly cycle', '10.8-year cycle', '7-unit cycle')
    """
    return say("{adjective} cycle", adjective=cycle_adjective(name))


def when_in_cycle(text: str) -> str:
    """When a cycle is highest.

    >>> when_in_cycle("from December to February"), when_in_cycle("at its end")
    ('from December to February', 'at its end')
    """
    return phase_text(*_phases()[text]) if text in _phases() else text


@cache
def _phases() -> dict[str, tuple[Phase, tuple[int, ...]]]:
    """All stretches of cycles of the calendar by what they are called in English."""
    with spoken_in(ENGLISH):
        return {
            phase_text(kind, values): (kind, values)
            for kind, places in _PLACES.items()
            for first in range(len(places))
            for length in range(1, len(places))
            if (values := tuple(places[(first + step) % len(places)] for step in range(length)))
        }

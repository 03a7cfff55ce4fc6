"""What the records of a panel keep in English words, in the language of the moment: names of cycles, their peaks."""

from __future__ import annotations

import re
from functools import cache

from autostatistician.describe.axis.cycles import CALENDAR_CYCLES, before_cycle, cycle_words
from autostatistician.describe.axis.phases import phase_text
from autostatistician.describe.facts.kinds import Phase
from autostatistician.wording.messages import ENGLISH, say, spoken_in
from autostatistician.wording.numbers import amount

__all__ = ["cycle_adjective", "cycle_noun", "when_in_cycle"]

_UNITS = frozenset(("year", "month", "week", "day", "business-day", "hour", "minute", "second"))
_LENGTH = re.compile(r"([\d.,]+)-([\w-]+)")
_PLACES = {Phase.MONTH: range(1, 13), Phase.QUARTER: range(1, 5), Phase.WEEKDAY: range(7), Phase.HOUR: range(24)}


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

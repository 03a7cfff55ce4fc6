"""Names, sizes and times of a panel as its sentences say them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from autostatistician.describe.axis.places import moment_text
from autostatistician.wording.messages import say, say_as
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import decimals_for, fixed, in_percent, joined

__all__ = ["MOST_NAMES", "date_text", "moment", "names_text", "shift", "size_text"]

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

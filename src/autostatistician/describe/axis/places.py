"""Positions along the axis in words, dates as finely as the span or the step of the data calls for."""

from __future__ import annotations

from datetime import datetime
from math import ceil, floor, inf, isfinite

import numpy as np
from babel.dates import format_datetime
from babel.numbers import get_decimal_symbol, get_group_symbol
from numpy.typing import NDArray

from autostatistician.data.times.axes import Axis
from autostatistician.data.times.forms import LATEST_YEAR, USUAL_YEAR
from autostatistician.describe.axis.units import DAY, YEAR, Units, axis_seconds
from autostatistician.i18n.messages import language, sentence
from autostatistician.i18n.names import measured
from autostatistician.i18n.numbers import amount, decimals_for, fixed

__all__ = [
    "ON_ROW", "Place", "about_place", "are_years", "around_place", "between_places", "from_place", "from_place_to",
    "from_place_until", "instants", "is_day", "moment_text", "place", "place_of_change", "position_text",
    "rows_around", "stamp", "until_about", "until_place",
]  # fmt: skip

ON_ROW = 1e-3  # of a step: a place that is no nearer lies between rows
_PATTERNS = {"year": "y", "month": "", "day": "", "minute": ", HH:mm", "second": ", HH:mm:ss"}  # behind month or day
_MONTH = "MMMM y"
_DAYS = {"de": "d. MMMM y"}
_DAY = "d MMMM y"  # all others
_ORDER = ("year", "month", "day", "minute", "second")


def are_years(low: float, high: float) -> bool:
    """Whether a column from ``low`` to ``high`` may hold years, of which nobody marks the thousands.

    >>> are_years(1900.0, 2020.0), are_years(1900.5, 2020.0), are_years(120.0, 2020.0)
    (True, False, False)
    """
    return all(USUAL_YEAR <= end < LATEST_YEAR and end == round(end) for end in (low, high))


class Place(str):
    """A position in words that knows whether it is a day: before one, other languages have an article."""

    __slots__ = ("is_day",)

    is_day: bool


def around_place(at: str) -> str:
    """A place as the middle of something.

    >>> around_place("May 1943")
    'around May 1943'
    """
    return sentence("place.at", relation="around", day=is_day(at), place=at)


def about_place(at: str) -> str:
    """A place that is known roughly."""
    return sentence("place.at", relation="about", day=is_day(at), place=at)


def until_about(at: str) -> str:
    """A place as an end that is known roughly."""
    return sentence("place.at", relation="until about", day=is_day(at), place=at)


def until_place(at: str) -> str:
    """A place as an end."""
    return sentence("place.at", relation="until", day=is_day(at), place=at)


def from_place(at: str) -> str:
    """A place as the beginning of what goes on to the end."""
    return sentence("place.at", relation="from", day=is_day(at), place=at)


def from_place_until(first: str, last: str) -> str:
    """A stretch by its ends, after what applies in it."""
    return sentence("place.stretch", relation="until", day=is_day(first), first=first, last=last)


def from_place_to(first: str, last: str) -> str:
    """A stretch by its ends, in which something went on: "from January 1961 to May 1962"."""
    return sentence("place.stretch", relation="to", day=is_day(first), first=first, last=last)


def between_places(first: str, last: str) -> str:
    """A stretch by its ends, in which something lies."""
    return sentence("place.stretch", relation="between", day=is_day(first), first=first, last=last)


def is_day(at: str) -> bool:
    """Whether a place is told as a day, with an article in other languages."""
    return isinstance(at, Place) and at.is_day


def instants(axis: Axis, x: NDArray[np.float64]) -> NDArray[np.float64] | NDArray[np.datetime64]:
    """Model positions as the user's times (datetime64) or, for plain numbers, unchanged."""
    return axis.times(x) if axis.is_calendar else x


def place(position: float, units: Units) -> str:
    """A position in words, as finely as the span of the data calls for ("1943", "May 1943", ...)."""
    moment = _moment(position, units)
    if moment is None:
        return _plain_place(position, units)
    finest = min(_ORDER.index(_by_span(units)), _ORDER.index(_by_step(units)))
    return moment_text(moment, _ORDER[finest])


def rows_around(position: float, units: Units) -> tuple[float, float]:
    """The last row at or before a position, and the first after it; the position itself where rows lie on no grid.

    What changes between July and August applies until July, and from August on.

    >>> units = Units(Axis("year", "year", "year", 1.0), 1871.0, 1970.0, 1.0, 1.0, target="y")
    >>> rows_around(1898.5, units), rows_around(1899.0, units)
    ((1898.0, 1899.0), (1899.0, 1899.0))
    """
    step = units.axis.step
    if not step or not isfinite(position):
        return position, position
    rows = (position - units.first) / step
    near = round(rows)
    low, high = (near, near) if abs(rows - near) < ON_ROW else (floor(rows), ceil(rows))
    return units.first + low * step, units.first + high * step


def place_of_change(position: float, units: Units) -> str:
    """The row that a change lies nearest to, of two the later, in words: the one date by which a page tells it."""
    before, after = rows_around(position, units)
    return place(after if position - before >= after - position else before, units)


def stamp(position: float, units: Units) -> str:
    """A position in words as finely as the observations lie ("January 1961" for monthly data)."""
    moment = _moment(position, units)
    if moment is None:
        return _bare(position, units, units.gap)
    if units.axis.frequency == "quarter":
        return sentence("place.quarter", quarter=(moment.month - 1) // 3 + 1, year=moment.year)
    return moment_text(moment, _by_step(units))


def position_text(position: float, units: Units) -> str:
    """A position for a table cell: a date where there is one, else the bare number."""
    if _moment(position, units) is not None:
        return place(position, units)
    return _ungrouped(fixed(position, decimals_for(units.span or position, 4), trim=True))


def moment_text(moment: datetime, resolution: str) -> Place:
    """A date to the given resolution.

    >>> moment_text(datetime(1943, 5, 1), "month")
    'May 1943'
    """
    is_day = _ORDER.index(resolution) >= _ORDER.index("day")
    date = _DAYS.get(language(), _DAY) if is_day else ""
    date = _MONTH if resolution == "month" else date
    text = Place(format_datetime(moment, date + _PATTERNS[resolution], locale=language()))
    text.is_day = is_day
    return text


def _moment(position: float, units: Units) -> datetime | None:
    """A position as a date; None where there is none (plain numbers, far outside the calendar)."""
    reach = 3.0 * max(units.span, units.gap)
    if not units.axis.is_calendar or not units.first - reach <= position <= units.last + reach:
        return None
    try:
        moment = np.asarray(units.axis.times(np.array([position])), dtype="datetime64[s]")[0].item()
    except (OverflowError, ValueError):
        return None
    return moment if isinstance(moment, datetime) else None


def _plain_place(position: float, units: Units) -> str:
    if units.axis.is_calendar:
        return _bare(position, units)
    name, symbol = measured(units.axis.column)
    return f"'{name}' = {_bare(position, units)} {symbol}".rstrip()


def _bare(position: float, units: Units, gap: float = inf) -> str:
    """A position that is no date, as a number: as finely as the span and two digits of a ``gap`` call for."""
    if units.axis.is_calendar:
        unit = units.axis.unit
        number = _without_groups(fixed(position, 0)) if unit == "year" else amount(position)
        return sentence("place.numbered", unit=unit, number=number)
    decimals = max(0, decimals_for(units.span), decimals_for(gap, 2)) if units.span > 0 else 3
    return _ungrouped(fixed(position, decimals, trim=True))


def _ungrouped(text: str) -> str:
    whole = text.split(get_decimal_symbol(language()))[0]
    return _without_groups(text) if len(whole.lstrip("-\N{MINUS SIGN}")) <= 5 else text  # 1949, not 1,949


def _without_groups(text: str) -> str:
    return text.replace(get_group_symbol(language()), "")


def _by_span(units: Units) -> str:
    seconds = axis_seconds(units) or 1.0
    span = units.span * seconds
    steps = (("year", 20 * YEAR), ("month", 2 * YEAR), ("day", YEAR / 6), ("minute", 1800.0), ("second", -inf))
    return next(name for name, least in steps if span > least)


def _by_step(units: Units) -> str:
    seconds = units.gap * (axis_seconds(units) or 1.0)
    steps = (("year", 0.9 * YEAR), ("month", 28 * DAY), ("day", 0.9 * DAY), ("minute", 60.0), ("second", -inf))
    return next(name for name, least in steps if seconds >= least)

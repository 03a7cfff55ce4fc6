"""Where the ticks of an axis stand and what they say: few, round, readable, and never overlapping.

Matplotlib's AutoDateLocator warns that it finds no interval for some spans, takes twelve times as long, and like its
other locators knows nothing of the width of the labels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from babel.dates import get_month_names
from babel.numbers import get_decimal_symbol

from autostatistician.i18n.messages import language, message, say
from autostatistician.i18n.numbers import fixed
from autostatistician.report.text import text_width

__all__ = [
    "TICK_SIZE",
    "Tick",
    "date_of",
    "day_name",
    "fitting",
    "month_name",
    "number_label",
    "number_ticks",
    "ratio_ticks",
    "time_ticks",
]

TICK_SIZE = 12.0  # px, the size of tick labels
_GAP = 14.0  # px, the least room between two labels
_DAY = 86400.0
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SCALES = ((1e12, message("{number} tn")), (1e9, message("{number} bn")), (1e6, message("{number} M")))


@dataclass(frozen=True)
class Tick:
    """A tick at an axis position; ``context`` is the second line of a date (year, month or day), where it changes."""

    position: float
    label: str
    context: str = ""


def _nice_steps(rough: float) -> list[float]:
    """Round steps from about ``rough`` upwards (2.5 is not among them: the numbers may be years)."""
    power = 10.0 ** math.floor(math.log10(rough))
    steps = [factor * power * scale for scale in (1.0, 10.0, 100.0) for factor in (1.0, 2.0, 2.5, 5.0)]
    return [step for step in steps if step >= rough * (1 - 1e-9) and not math.isclose(step, 2.5)]


def number_label(value: float, step: float, largest: float) -> str:
    """A number as a tick says it: with the decimals that ``step`` needs and the scale that ``largest`` suggests.

    >>> [number_label(v, s, m) for v, s, m in [(1950, 10, 1960), (25000, 5000, 40000), (-0.25, 0.25, 1.0)]]
    ['1950', '25,000', '−0.25']
    >>> [number_label(v, s, m) for v, s, m in [(5e5, 5e5, 2e6), (0.0, 5e5, 2e6), (3e-7, 1e-7, 5e-7)]]
    ['0.5 M', '0', '3×10⁻⁷']
    """
    if abs(value) < step * 1e-6:
        return "0"
    if largest < 1e-3 or largest >= 1e15:
        return _power_label(value, step, largest)
    for scale, name in _SCALES:
        if largest >= scale and step >= scale / 100:
            return say(name, number=_plain(value / scale, step / scale))
    return _plain(value, step)


def _decimals(step: float) -> int:
    """Decimals that tell multiples of a step apart.

    >>> [_decimals(step) for step in (0.25, 0.5, 2.5, 10.0)]
    [2, 1, 1, 0]
    """
    return next((n for n in range(15) if math.isclose(step * 10**n, round(step * 10**n), rel_tol=1e-6)), 15)


def _plain(value: float, step: float) -> str:
    whole, point, rest = f"{abs(value):.{_decimals(step)}f}".partition(".")
    grouped = fixed(float(whole), 0) if len(whole) > 4 else whole  # four digits may be a year: no comma
    sign = "\N{MINUS SIGN}" if value < 0 else ""
    return sign + grouped + (get_decimal_symbol(language()) + rest if point else "")


def _power_label(value: float, step: float, largest: float) -> str:
    power = math.floor(math.log10(largest) + 1e-9)
    return _plain(value / 10.0**power, step / 10.0**power) + "×10" + str(power).translate(_SUPERSCRIPT)


def number_ticks(low: float, high: float, length: float, *, upright: bool = False) -> tuple[Tick, ...]:
    """Ticks of a number axis from ``low`` to ``high`` that is ``length`` pixels long.

    >>> [tick.label for tick in number_ticks(97.0, 630.0, 220.0, upright=True)]
    ['100', '200', '300', '400', '500', '600']
    >>> [tick.label for tick in number_ticks(-3.1, 3.1, 120.0)]
    ['−2', '0', '2']
    """
    closest: tuple[Tick, ...] = ()  # of several ticks, whose labels just do not touch
    for step in _nice_steps((high - low) / max(length / 20.0, 1.0)):
        multiples = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        largest = max(abs(low), abs(high))
        ticks = tuple(Tick(n * step, number_label(n * step, step, largest)) for n in multiples)
        widest = max((text_width(tick.label, TICK_SIZE) for tick in ticks), default=0.0)
        room, need = step / (high - low) * length, 32.0 if upright else max(widest + _GAP, 52.0)
        if len(ticks) == 1:
            return closest or ticks
        if room >= need and ticks:
            return ticks
        if room >= (TICK_SIZE if upright else widest + _GAP / 2):
            closest = closest or ticks
    return closest


def ratio_ticks(low: float, high: float, length: float) -> tuple[Tick, ...]:
    """Ticks of an upright axis of equal ratios, both ends above zero; round numbers where it spans little.

    Fewer than three would not tell that it is no axis of equal steps.

    >>> [tick.label for tick in ratio_ticks(90.0, 700.0, 220.0)]
    ['100', '200', '500']
    >>> [tick.label for tick in ratio_ticks(410.0, 480.0, 220.0)]
    ['420', '440', '460', '480']
    """
    decade = length / math.log10(high / low)
    for ratios, closest, least in _RATIOS:
        every = max(1, math.ceil(least / decade)) if len(ratios) == 1 else 1
        ticks = _multiples(low, high, ratios)[::every]
        if len(ticks) >= _FEWEST and closest * every * decade >= least:
            return ticks
    if high >= 10.0 * low:
        return _multiples(low, high, (1.0,))
    closer = (number_ticks(low, high, length * factor, upright=True) for factor in (1.0, 1.5, 2.0))
    return next((ticks for ticks in closer if len(ticks) >= _FEWEST), ())


_FEWEST = 3  # ticks
# Multiples of powers of ten, the decades between the closest two of them, and the pixels that these need.
_RATIOS = (
    ((1.0, 2.0, 5.0), 0.3, 32.0), ((1.0, 3.0), 0.47, 32.0), ((1.0,), 1.0, 32.0), ((1.0, 3.0), 0.47, 16.0),
    ((1.0, 2.0, 5.0), 0.3, 16.0), ((1.0, 1.5, 2.0, 3.0, 5.0, 7.0), 0.146, 16.0),
)  # fmt: skip


def _multiples(low: float, high: float, ratios: tuple[float, ...]) -> tuple[Tick, ...]:
    """The multiples of all powers of ten between two numbers."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [ratio * 10.0**power for power in powers for ratio in ratios]
    inside = [value for value in values if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]
    return tuple(Tick(value, number_label(value, value, high)) for value in inside)


def fitting(ticks: tuple[Tick, ...], pixels: float) -> tuple[Tick, ...]:
    """Every tick, or every second (third, ...) where the labels would touch; ``pixels`` is the length of one unit.

    >>> days = tuple(Tick(float(i), name) for i, name in enumerate(("Mon", "Tue", "Wed", "Thu")))
    >>> [tick.label for tick in fitting(days, 20.0)]
    ['Mon', 'Wed']
    """
    for every in range(1, len(ticks) + 1):
        kept = ticks[::every]
        rooms = [(b.position - a.position) * pixels for a, b in pairwise(kept)]
        widths = [0.5 * (text_width(a.label, TICK_SIZE) + text_width(b.label, TICK_SIZE)) for a, b in pairwise(kept)]
        if all(room >= width + 0.5 * _GAP for room, width in zip(rooms, widths, strict=True)):
            return kept
    return ticks[:1]


def time_ticks(low: float, high: float, length: float, finest: str = "s") -> tuple[Tick, ...]:
    """Ticks of a time axis whose positions are days since 1970-01-01, in no finer unit than ``finest``.

    >>> start, end = np.array(["1949-01-01", "1962-12-01"], "M8[D]").astype(float)
    >>> [tick.label for tick in time_ticks(start, end, 420.0)]
    ['1950', '1952', '1954', '1956', '1958', '1960', '1962']
    """
    pixels = length / (high - low)
    for unit, step, days, widest in _TIME_STEPS:
        if _UNITS.index(unit) >= _UNITS.index(finest) and days * pixels >= max(
            text_width("0" * widest, TICK_SIZE) + _GAP, 46.0
        ):
            return _with_contexts(_time_positions(low, high, unit, step), unit, pixels)
    return _year_ticks(low, high, pixels)


def _year_ticks(low: float, high: float, pixels: float) -> tuple[Tick, ...]:
    for step in _nice_steps(max(44.0 / (365.2425 * pixels), 1.0)):
        if step == round(step):
            return tuple(Tick(t, _label(t, "Y")) for t in _time_positions(low, high, "Y", int(step)))
    return ()


_UNITS = "smhDMY"

# Calendar unit, how many of it, its length in days, and the digits that its labels need.
_TIME_STEPS: tuple[tuple[str, int, float, int], ...] = (
    *(("s", n, n / _DAY, 8) for n in (1, 2, 5, 10, 15, 30)),
    *(("m", n, n * 60 / _DAY, 5) for n in (1, 2, 5, 10, 15, 30)),
    *(("h", n, n / 24, 5) for n in (1, 2, 3, 6, 12)),
    *(("D", n, float(n), 2) for n in (1, 2, 7, 14)),
    *(("M", n, 28.0 * n, 3) for n in (1, 2, 3, 6)),
    *(("Y", n, 365.0 * n, 4) for n in (1, 2, 5)),
)


def _time_positions(low: float, high: float, unit: str, step: int) -> list[float]:
    """Days since 1970 of the multiples of a calendar step between two positions."""
    start, stop = _moment(low).astype(f"M8[{unit}]"), _moment(high).astype(f"M8[{unit}]")
    origin = {"Y": -1970, "D": 4 if step % 7 == 0 else 0}.get(unit, 0)  # years count from 0, weeks from a Monday
    first, last = int(start.astype(np.int64)) - origin, int(stop.astype(np.int64)) - origin
    counts = np.arange(first - first % step, last + step, step) + origin
    days = counts.astype(f"M8[{unit}]").astype("M8[s]").astype(np.int64) / _DAY
    return [float(day) for day in days if low - 1e-9 <= day <= high + 1e-9]


def _moment(position: float) -> np.datetime64:
    return np.datetime64(round(position * _DAY), "s")


def date_of(position: float) -> tuple[str, str, int, str]:
    """Year, month, day and time of day of a position in days since 1970-01-01, also beyond the years of datetime.

    >>> date_of(2932896.5), date_of(2932897.0)
    (('9999', 'Dec', 31, '12:00:00'), ('10000', 'Jan', 1, '00:00:00'))
    """
    date, _, clock = str(_moment(position)).partition("T")
    year, month, day = date.rsplit("-", 2)
    sign = "\N{MINUS SIGN}" if year.startswith("-") else ""
    return f"{sign}{abs(int(year))}", month_name(int(month)), int(day), clock


def month_name(number: int) -> str:
    """The short name of a month.

    >>> month_name(3)
    'Mar'
    """
    return str(get_month_names("abbreviated", locale=language())[number])


def day_name(day: int, month: str, year: str) -> str:
    """A day in the order of the language.

    >>> day_name(5, "Mar", "2020")
    '5 Mar 2020'
    """
    return say("{day} {month} {year}", day=day, month=month, year=year)


def _label(position: float, unit: str) -> str:
    year, month, day, clock = date_of(position)
    return {"Y": year, "M": month, "D": str(day), "s": clock}.get(unit, clock[:5])


def _context(position: float, unit: str) -> str:
    year, month, day, _ = date_of(position)
    return {"Y": "", "M": year, "D": f"{month} {year}"}.get(unit, day_name(day, month, year))


def _with_contexts(positions: list[float], unit: str, pixels: float) -> tuple[Tick, ...]:
    """Label the ticks and say the context where it changes; an early one gives way to the change that follows it."""
    contexts = [_context(position, unit) for position in positions]
    shown = [c if i == 0 or c != contexts[i - 1] else "" for i, c in enumerate(contexts)]
    limit = math.inf
    for i in reversed(range(len(positions))):
        half = text_width(shown[i], TICK_SIZE) / 2
        if shown[i] and positions[i] * pixels + half + 6.0 > limit:
            shown[i] = ""
        elif shown[i]:
            limit = positions[i] * pixels - half
    return tuple(Tick(p, _label(p, unit), c) for p, c in zip(positions, shown, strict=True))

"""Times that came as numbers: counts from a moment on, the digits of dates, and years with a fraction (1962.00274)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autostatistician.data.arrays import Floats, Times
from autostatistician.data.times.axes import LAST_DAY, MEAN_MONTH, Axis, with_gap
from autostatistician.data.times.calendar import Placed, months_name, place
from autostatistician.data.times.calendar_days import ONE_YEAR
from autostatistician.data.times.dates import ParsedTimes, parse_times
from autostatistician.data.times.forms import (
    COUNTS,
    DAY,
    DECIMAL_YEARS,
    EARLIEST_YEAR,
    LATEST_YEAR,
    NAMES,
    TIME_NAMES,
    USUAL_YEAR,
    DecimalYears,
)
from autostatistician.i18n.messages import Number, message, note

__all__ = ["counted_times", "place_years", "written_times"]

_PER = re.compile(r"/|\b(?:per|pro|par|por|je)\b")
COMPOUNDS = ("date", "datum", "timestamp")  # with other words before them
FEWEST_NUMBERS = 3  # that are times
FEWEST_TICKS = 8  # so many numbers that rise by whole minutes are times, whatever the name of their column
FEWEST_MONTHS, FEWEST_DAYS = 4, 8  # that show by which rule the day of the year became a fraction
STEPS_OF_DAY = (1, 24, 48, 96)  # steps of a day, an hour, half an hour, a quarter
USUAL_WITHIN = ("365:1", "365.25:1")  # the rules of days that do not begin with a year
MEAN_YEAR_DAYS = 365.2425
MOST_LEAP_YEARS = 50


def counted_times(values: Floats, name: str) -> ParsedTimes | None:
    """Times of numbers that count from a moment on, where the name of their column speaks of times, or they tick.

    >>> counted_times(np.array([0.0, 3600.0, 7200.0]) + 1.5e9, "timestamp").times.astype("M8[s]").astype(str).tolist()
    ['2017-07-14T02:40:00', '2017-07-14T03:40:00', '2017-07-14T04:40:00']
    """
    there = np.isfinite(values)
    if there.sum() < FEWEST_NUMBERS:
        return None
    for count in COUNTS:
        low, high = ((day - count.origin) * DAY / count.unit for day in (count.first, count.last))
        if not (low <= values[there].min() and values[there].max() < high):
            continue
        micros = values[there] * count.unit + count.origin * DAY
        if _is_called(name, count.words) or (count.may_tick and _tick(micros)):
            times = np.full(values.size, np.datetime64("NaT", "us"), dtype="M8[us]")
            whole = np.round(micros / count.precision).astype(np.int64) * count.precision
            times[there] = whole.astype("M8[us]")
            return ParsedTimes(times, (), int((~there).sum()), (note(count.note, name=repr(name)),))
    return None


def _is_called(name: str, words: frozenset[str]) -> bool:
    """Whether the last word of a name is one of some, or is made with such; what is counted per day is no day.

    >>> [_is_called(name, COUNTS[-1].words) for name in ("Report date", "Messdatum", "Annual pay", "Steps per day")]
    [True, True, False, False]
    """
    plain = name.strip().lower()
    last = re.split(r"[\W_]+", plain)[-1]
    return _PER.search(plain) is None and (last in words or last.endswith(COMPOUNDS))


def _tick(micros: Floats) -> bool:
    """Whether times rise from row to row by whole minutes, a year at most, from 2001 on: no other counts do."""
    steps = np.diff(micros)
    whole = bool(np.all(steps % 60e6 == 0)) and bool(np.all(micros % 1e6 == 0))
    rising = bool(np.all((steps > 0) & (steps <= 366 * DAY)))
    return micros.size >= FEWEST_TICKS and whole and rising and bool(micros.min() >= 1e15)


def written_times(values: Floats) -> ParsedTimes | None:
    """Dates that came as numbers though they were written as digits: 19490131, 194901, or 1.2018 for a month.

    >>> written_times(np.array([194901.0, 194902.0, 194903.0])).times.astype("M8[M]").astype(str).tolist()
    ['1949-01', '1949-02', '1949-03']
    """
    finite = values[np.isfinite(values)]
    if np.unique(finite).size < FEWEST_NUMBERS:
        return None
    low, high = finite.min(), finite.max()
    dotted = low >= 1 and high < 13 and bool(np.all(np.abs(finite - np.round(finite, 4)) <= 1e-9))
    digits = low >= 150_001 and high < 2.2e13 and bool(np.all(finite == np.round(finite)))
    if not (dotted or digits):
        return None
    form = ".4f" if dotted else ".0f"
    texts = [format(value, form) if np.isfinite(value) else None for value in values]
    parsed = parse_times([text and text.rstrip("0") for text in texts] if dotted else texts)
    return parsed if parsed is not None and not parsed.bad else None


# --- years with a fraction -------------------------------------------------------------------------------------------


def place_years(x: Floats, column: str) -> Placed | None:
    """Put decimal years (in the order of the file) on their calendar grid; None when they do not look like years.

    >>> placed = place_years(1949 + (np.arange(24) + 0.5) / 12, "x")
    >>> placed.axis.frequency, placed.axis.within
    ('month', 0.5)
    >>> place_years(np.array([3.0, 1.0, 4.0]), "x") is None
    True
    """
    unique = np.unique(x)
    if unique.size < 3 or not np.all(np.isfinite(unique)) or unique[0] < EARLIEST_YEAR or unique[-1] >= LATEST_YEAR:
        return None
    if np.all(unique == np.round(unique)):
        return _whole_years(x, unique, column)
    slack = _rounding(unique)
    placed = _on_months(x, column, slack) or _on_days(x, column, slack)
    if placed is None and column.strip().lower() in NAMES["y"] | {"date"}:
        said = note("Column {column} holds decimal years without a regular grid.", column=repr(column))
        return Placed(with_gap(Axis(column, "year", "", None, labels="year"), x), x, (said,))
    return placed


def _rounding(unique: Floats) -> float:
    """Half a unit of the last decimal place that is in use (at most 9): how exact the numbers can be at all."""
    exact = (places for places in range(1, 10) if np.all(np.abs(unique - np.round(unique, places)) < 1e-10))
    return next((0.5 * 10.0**-places * 1.05 for places in exact), 1e-9)


def _whole_years(x: Floats, unique: Floats, column: str) -> Placed | None:
    named = column.strip().lower() in TIME_NAMES
    step = int(np.gcd.reduce(np.diff(unique).astype(np.int64)))
    full = unique.size / ((unique[-1] - unique[0]) / step + 1)
    usual = unique[0] >= USUAL_YEAR and unique.size == x.size
    if not (named and full >= 0.05) and not (usual and full >= 0.5 and step == 1 and bool(np.all(np.diff(x) > 0))):
        return None
    axis = Axis(column, "year", "year" if step == 1 else f"{step} years", float(step), labels="year")
    said = note(
        "Column {column} holds years; read as years {first} to {last}.",
        column=repr(column), first=int(unique[0]), last=int(unique[-1]),
    )  # fmt: skip
    return Placed(with_gap(axis, x), x, (said,))


# --- months, of equal or of true length ------------------------------------------------------------------------------


def _on_months(x: Floats, column: str, slack: float) -> Placed | None:
    """Years, quarters or months at one place of theirs each, by twelve equal months or by the day of the year."""
    month = Axis(column, "year", "month", 1 / 12)
    equal = [replace(month, within=within, labels="year") for within in (0.0, 0.5, _common_phase(x * 12))]
    tie, most = max(12 * slack, 1e-6), min(max(24 * slack, 1e-6), 0.07)
    placed = _nearest_months(x, equal, tie * MEAN_MONTH, most * MEAN_MONTH)
    if placed is not None or x.size < FEWEST_MONTHS:
        return placed
    places = {0.0: 0.0, 0.5: 0.0, 1 - 1 / MEAN_MONTH: float(LAST_DAY)}
    true = [
        replace(month, within=within, day=day, labels=rule.text)
        for rule in DECIMAL_YEARS for within, day in places.items()
    ]  # fmt: skip
    return _nearest_months(x, true, 0.01, min(max(400 * slack, 0.02), 2.0))


def _nearest_months(x: Floats, axes: Sequence[Axis], tie: float, most: float) -> Placed | None:
    """The positions by the first of the axes that miss x least (``most`` days) or, in a ``tie``, by so much more."""
    found: list[tuple[float, Placed]] = []
    for axis in axes:
        month = np.round(axis.read(x) * 12 - axis.within)
        if np.unique(month).size == np.unique(x).size:
            placed = (month + axis.within) / 12
            miss = float(np.abs(axis.written(placed) - x).max()) * MEAN_YEAR_DAYS
            step = int(np.gcd.reduce(np.diff(np.unique(month).astype(np.int64))))
            found.append((miss, Placed(replace(axis, frequency=months_name(step), step=step / 12), placed)))
    least = min((miss for miss, _ in found), default=np.inf)
    return None if least > most else _stated(next(placed for miss, placed in found if miss <= least + tie), x)


def _common_phase(values: Floats) -> float:
    """The fraction that all values share, by the circular mean, in [0, 1)."""
    return float(np.angle(np.mean(np.exp(2j * np.pi * (values % 1)))) / (2 * np.pi)) % 1


def _stated(placed: Placed, x: Floats, *notes: str) -> Placed:
    """The placed axis with the sentence that says what was recognised, and how far the positions moved from x (n,).

    >>> axis = Axis("t", "year", "month", 1 / 12)
    >>> for days in (0.1, 1e-9):
    ...     _stated(Placed(axis, np.array([2000.0 + days / MEAN_YEAR_DAYS])), np.array([2000.0])).notes
    ("Column 't' holds decimal years; read as 2000-01 to 2000-01; the positions moved by at most 0.1 days.",)
    ("Column 't' holds decimal years; read as 2000-01 to 2000-01.",)
    """
    axis, years = placed.axis, placed.axis.unit == "year"
    unit = "M8[Y]" if years and axis.step == round(axis.step or 0.0) else "M8[M]" if years else "M8[m]"
    first, *_, last = np.sort(np.asarray(axis.times(placed.x)).astype(unit)).astype(str)[[0, -1]]
    told = {"column": repr(axis.column), "first": first.removesuffix("T00:00"), "last": last.removesuffix("T00:00")}
    days = float(np.abs(placed.x - x).max()) * MEAN_YEAR_DAYS if years else 0.0
    moved = note("; the positions moved by at most {n} days", n=Number(days, ".2g")) if days * 1440.0 >= 1.0 else ""
    rule = note(" by the rule {rule}", rule=_in_words(DecimalYears.of(axis.labels))) if ":" in axis.labels else ""
    said = note(
        "Column {column} holds decimal years; read as {first} to {last}{rule}{moved}.", rule=rule, moved=moved, **told
    )
    return Placed(with_gap(axis, placed.x), placed.x, (said, *notes))


# --- days and hours ------------------------------------------------------------------------------------------------


def _on_days(x: Floats, column: str, slack: float) -> Placed | None:
    """Days, or hours, written by the day of the year."""
    if x.size < FEWEST_DAYS:
        return None
    from_new_year = abs(x.min() - round(x.min())) < 1e-9
    rules = sorted(DECIMAL_YEARS, key=lambda rule: not from_new_year and rule.text not in USUAL_WITHIN)
    for unit in STEPS_OF_DAY:
        readings = [(rule, *_rounded(x, rule, unit)) for rule in rules]
        least = min(miss for _, _, miss in readings)
        if least <= min(max(2.5 * 366 * unit * slack, 1e-4), 0.1):
            rule, times, _ = next(reading for reading in readings if reading[2] <= 2 * least + 1e-3)
            times, said = _with_leap_days(x, times, rule)
            placed = place(times, column)
            return _stated(replace(placed, axis=replace(placed.axis, labels=rule.text)), x, *said)
    return None


def _rounded(x: Floats, rule: DecimalYears, unit: int) -> tuple[Times, float]:
    """Dates by a rule, rounded to days / ``unit`` that share one clock phase, and how far they were off in these."""
    steps = rule.times(x).astype(np.int64) / (DAY // unit)
    phase = _common_phase(steps) if unit > 1 else 0.0
    whole = np.round(steps - phase)
    shift = round(phase * (DAY // unit) / 60e6) * 60_000_000  # the phase in whole minutes
    times = (whole.astype(np.int64) * (DAY // unit) + shift).astype("M8[us]")
    return times, float(np.abs(steps - phase - whole).max())


def _in_words(rule: DecimalYears) -> str:
    divisor = note("days of that year") if rule.days == "true" else rule.days
    if rule.first == 1:
        return note("year + day of the year / {divisor}", divisor=divisor)
    return note("year + (day of the year - 1) / {divisor}", divisor=divisor)


def _with_leap_days(x: Floats, times: Times, rule: DecimalYears) -> tuple[Times, tuple[str, ...]]:
    """Rows just before a step back at new year read as the day 366 that years of 365 days push beyond their end.

    With a sentence on such years, if there are any.
    """
    if rule.days != "365":
        return times, ()
    days, rows, beyond = times.astype("M8[D]"), np.arange(x.size), np.zeros(x.size, dtype=bool)
    steps_back = np.flatnonzero(np.diff(x) < 0)
    is_new_year = (days[steps_back] == days[steps_back].astype("M8[Y]")) & (days[steps_back + 1] == days[steps_back])
    if steps_back.size <= MOST_LEAP_YEARS and is_new_year.all():
        for last in steps_back:
            beyond |= (rows <= last) & (days == days[last])
    times = np.where(beyond, times - np.timedelta64(1, "D"), times)
    years = np.unique(times.astype("M8[Y]"))
    leap = (years + ONE_YEAR).astype("M8[D]") - years.astype("M8[D]") == np.timedelta64(366, "D")
    text = message(
        "The rule counts 365 days also in leap years: 29 February is day 60, and 31 December of a leap year is known "
        "only by a step back to 1 January, as after {n} rows here."
    )
    return times, (note(text, n=int(beyond.sum())),) if leap.any() else ()

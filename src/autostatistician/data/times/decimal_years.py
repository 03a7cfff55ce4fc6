"""Recognise decimal years in columns of numbers: yearly, monthly, daily and hourly series written as 1962.00274."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.times.axes import DAY, Axis, decimal_from_times, times_from_decimal, with_gap, year_start
from autostatistician.data.times.calendar import Placed, describe_span, months_name, place
from autostatistician.data.times.counted import TIME_WORDS, YEAR_NAMES
from autostatistician.wording.messages import Number, message, note, note_count

__all__ = ["TIME_NAMES", "place_years"]

Floats = NDArray[np.float64]
Times = NDArray[np.datetime64]

TIME_NAMES = frozenset(
    {"year", "years", "yr", "date", "dates", "datetime", "time", "times", "timestamp", "month", "period"}
    | {"ds", "t", "x"}
    | TIME_WORDS
    | (YEAR_NAMES - {"yyyy", "an"})
)
EARLIEST_YEAR, LATEST_YEAR = 1000, 2200  # numbers outside are not taken for years
USUAL_YEARS = (1500, 2100)  # whole numbers within are taken for years whatever the name of the column

DAY_RULES = ("true:0", "true:1", "365:1", "365:0", "365.25:1", "365.25:0", "366:1", "366:0")
# "365" divides the true day of the year by 365; "365 days" means a calendar without 29 February.
MEAN_YEAR_DAYS = 365.2425


@dataclass(frozen=True, eq=False)
class _Reading:
    """One way of reading the numbers: dates, the rule, and how many days the numbers are off it."""

    times: Times
    rule: str
    miss: float


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
    named = column.strip().lower() in TIME_NAMES
    slack = _rounding(unique)
    if np.all(unique == np.round(unique)):
        return _whole_years(x, column, named)
    placed = _equal_months(x, column, slack) or _by_months(x, column, slack) or _by_days(x, column, slack)
    if placed is None and column.strip().lower() in {"year", "years", "yr", "date"}:
        axis = Axis(column, "year", "", None, labels="year")
        return Placed(
            with_gap(axis, x),
            x,
            (note("Column {column} holds decimal years without a regular grid.", column=repr(column)),),
        )
    return placed


def _rounding(unique: Floats) -> float:
    """Half a unit of the last decimal place that is in use (at most 9): how exact the numbers can be at all."""
    for places in range(1, 10):
        if np.all(np.abs(unique - np.round(unique, places)) < 1e-10):
            return 0.5 * 10.0**-places * 1.05
    return 1e-9


def _whole_years(x: Floats, column: str, named: bool) -> Placed | None:
    unique = np.unique(x)
    gaps = np.diff(unique).astype(np.int64)
    step = int(np.gcd.reduce(gaps))
    full = unique.size / ((unique[-1] - unique[0]) / step + 1)
    usual = unique[0] >= USUAL_YEARS[0] and unique[-1] <= USUAL_YEARS[1] and unique.size == x.size
    if not (named and full >= 0.05) and not (usual and full >= 0.5 and step == 1 and bool(np.all(np.diff(x) > 0))):
        return None
    axis = Axis(column, "year", "year" if step == 1 else f"{step} years", float(step), labels="year")
    said = note(
        "Column {column} holds years; read as years {first} to {last}.",
        column=repr(column), first=int(unique[0]), last=int(unique[-1]),
    )  # fmt: skip
    return Placed(with_gap(axis, x), x, (said,))


# --- years of twelve equal months ----------------------------------------------------------------------------------


def _equal_months(x: Floats, column: str, slack: float) -> Placed | None:
    """Years, quarters or months at year + (month - 1 + within) / 12 with one ``within`` for all."""
    months = x * 12
    phase = _common_phase(months)
    miss = np.abs(months - phase - np.round(months - phase))
    if miss.max() > min(max(24 * slack, 1e-6), 0.07):
        return None
    within = next((nice for nice in (0.0, 0.5) if abs(_wrapped(phase - nice)) < max(12 * slack, 1e-6)), phase)
    month = np.round(months - within).astype(np.int64)
    if np.unique(month).size < np.unique(x).size:
        return None
    step = int(np.gcd.reduce(np.diff(np.unique(month))))
    axis = Axis(column, "year", months_name(step), step / 12, within=float(within), labels="year")
    placed = Placed(axis, (month + within) / 12)
    return _stated(placed, _moved(placed, x))


def _common_phase(values: Floats) -> float:
    """The fraction that all values share, by the circular mean, in [0, 1)."""
    return float(np.angle(np.mean(np.exp(2j * np.pi * (values % 1)))) / (2 * np.pi)) % 1


def _wrapped(phase: float) -> float:
    return (phase + 0.5) % 1 - 0.5


def _stated(placed: Placed, moved: str, *notes: str) -> Placed:
    """The placed axis with the sentence that says what was recognised, and how far the positions ``moved``."""
    axis = placed.axis
    steps = axis.frequency or "day"
    span = describe_span(np.asarray(axis.times(placed.x)), steps)
    values = {"column": repr(axis.column), "steps": _steps_in_words(steps), "span": span, "moved": moved}
    if ":" in axis.labels:
        said = note(
            "Column {column} holds decimal years; read as {steps} {span} by the rule {rule}{moved}.",
            rule=_rule_in_words(axis.labels), **values,
        )  # fmt: skip
    else:
        said = note("Column {column} holds decimal years; read as {steps} {span}{moved}.", **values)
    return Placed(with_gap(axis, placed.x), placed.x, (said, *notes))


_STEPS = {
    "day": message("days"), "week": message("weeks"), "month": message("months"), "quarter": message("quarters"),
    "half-year": message("half-years"), "year": message("years"), "hour": message("hours"),
    "business day": message("business days"),
}  # fmt: skip

_LONG_STEPS = {
    "seconds": message("steps of {n} seconds"), "minutes": message("steps of {n} minutes"),
    "hours": message("steps of {n} hours"), "days": message("steps of {n} days"),
    "weeks": message("steps of {n} weeks"), "months": message("steps of {n} months"),
    "years": message("steps of {n} years"), "business days": message("steps of {n} business days"),
}  # fmt: skip


def _steps_in_words(frequency: str) -> str:
    if frequency in _STEPS:
        return note(_STEPS[frequency])
    number, _, unit = frequency.partition(" ")
    return (
        note(_LONG_STEPS[unit], n=Number(float(number)))
        if unit in _LONG_STEPS
        else note("steps of {frequency}", frequency=frequency)
    )


def _moved(placed: Placed, x: Floats) -> str:
    """How far positions moved from x, in the largest unit of which it is one or more; nothing below a minute.

    >>> axis = Axis("t", "year", "month", 1 / 12)
    >>> [_moved(Placed(axis, np.array([2000.0 + days / MEAN_YEAR_DAYS])), np.array([2000.0])) for days in (0.1, 1e-9)]
    ['; the positions moved by at most 2.4 hours', '']
    """
    days = float(np.abs(placed.x - x).max()) * MEAN_YEAR_DAYS
    if days >= 1.0:
        return note("; the positions moved by at most {n} days", n=Number(days, ".1f"))
    if days >= 1.0 / 24.0:
        return note("; the positions moved by at most {n} hours", n=Number(24.0 * days, ".1f"))
    if days >= 1.0 / 1440.0:
        return note("; the positions moved by at most {n} minutes", n=Number(1440.0 * days, ".1f"))
    return ""


# --- months of true length -----------------------------------------------------------------------------------------


def _by_months(x: Floats, column: str, slack: float) -> Placed | None:
    """Month starts, middles or ends written by the day of the year."""
    if x.size < 4:
        return None
    best: tuple[float, Placed] | None = None
    for rule in DAY_RULES:
        for anchor in (0.0, 0.5, 1.0):
            nearest = _nearest_months(x, column, rule, anchor)
            if nearest is not None and (best is None or nearest[0] < best[0] - 0.01):
                best = nearest
    if best is None or best[0] > min(max(400 * slack, 0.02), 2.0):
        return None
    return _stated(best[1], _moved(best[1], x))


def _nearest_months(x: Floats, column: str, rule: str, anchor: float) -> tuple[float, Placed] | None:
    """The largest distance in days to the nearest month anchors under a rule, and the axis through them."""
    within = {0.0: 0.0, 0.5: 0.5, 1.0: 1 - 1 / 30.4375}[anchor]
    axis = Axis(column, "year", "month", 1 / 12, within=within, day=31.0 if anchor == 1.0 else 0.0, labels=rule)
    guess = np.floor(x * 12 - within).astype(np.int64)
    candidates = np.stack([guess - 1, guess, guess + 1, guess + 2])
    written = decimal_from_times(np.asarray(axis.times((candidates + within) / 12)), rule)
    nearest = np.abs(written - x).argmin(axis=0)
    rows = np.arange(x.size)
    month = candidates[nearest, rows]
    if np.unique(month).size < np.unique(x).size:
        return None
    step = int(np.gcd.reduce(np.diff(np.unique(month))))

    miss = float(np.abs(written[nearest, rows] - x).max()) * MEAN_YEAR_DAYS
    return miss, Placed(replace(axis, frequency=months_name(step), step=step / 12), (month + within) / 12)


# --- days and hours ------------------------------------------------------------------------------------------------


def _by_days(x: Floats, column: str, slack: float) -> Placed | None:
    """Days, or hours, written by the day of the year."""
    if x.size < 8:
        return None
    for unit in (1, 24, 48, 96):  # day, hour, half an hour, a quarter
        readings = [_reading(x, rule, unit) for rule in DAY_RULES]
        fitting = [r for r in readings if r.miss <= min(max(2.5 * 366 * unit * slack, 1e-4), 0.1)]
        if fitting:
            return _dated(x, column, _chosen(fitting, x))
    return None


def _reading(x: Floats, rule: str, unit: int) -> _Reading:
    """Read by a rule and round to days / ``unit`` that share one clock phase; the miss is in these steps."""
    micros = times_from_decimal(x, rule).astype(np.int64)
    year = micros.astype("M8[us]").astype("M8[Y]").astype(np.int64) + 1970
    inside = micros - year_start(year)
    size = DAY // unit
    steps = inside / size
    phase = _common_phase(steps) if unit > 1 else 0.0
    whole = np.round(steps - phase)
    shift = round(phase * size / 60e6) * 60_000_000  # the phase in whole minutes
    times = (year_start(year) + whole.astype(np.int64) * size + shift).astype("M8[us]")
    return _Reading(times, rule, float(np.abs(steps - phase - whole).max()))


def _chosen(readings: list[_Reading], x: Floats) -> _Reading:
    """Of the rules that fit equally well: counting from 0 when the data start with the year, from 1 otherwise.

    A year of its true length is usual with counting from 0, years of 365 days with day of the year / 365.
    """
    least = min(reading.miss for reading in readings)
    good = [reading for reading in readings if reading.miss <= 2 * least + 1e-3]
    base = "0" if abs(x.min() - round(x.min())) < 1e-9 or good[0].rule.startswith(("true", "366")) else "1"
    days = good[0].rule.split(":")[0]
    if days == "true" and any(reading.rule.startswith("365:") for reading in good):
        # No leap year tells the two apart: day of the year / 365 unless the data begin with the year.
        days, base = ("true", "0") if abs(x.min() - round(x.min())) < 1e-9 else ("365", "1")
    return next((reading for reading in good if reading.rule == f"{days}:{base}"), good[0])


def _dated(x: Floats, column: str, reading: _Reading) -> Placed:
    times, repaired = _with_leap_days(x, reading)
    placed = place(times, column)
    dated = replace(placed, axis=replace(placed.axis, labels=reading.rule))
    return _stated(dated, "", *_leap_note(reading, repaired, times))


def _rule_in_words(rule: str) -> str:
    days, first = rule.split(":")
    divisor = note("days of that year") if days == "true" else days
    if first == "1":
        return note("year + day of the year / {divisor}", divisor=divisor)
    return note("year + (day of the year - 1) / {divisor}", divisor=divisor)


def _leap_note(reading: _Reading, repaired: int, times: Times) -> tuple[str, ...]:
    years = np.unique(times.astype("M8[Y]").astype(np.int64) + 1970)
    leap = years[(years % 4 == 0) & ((years % 100 != 0) | (years % 400 == 0))]
    if not reading.rule.startswith("365:") or leap.size == 0:
        return ()
    if repaired:
        return (
            note_count(
                repaired,
                "The rule counts 365 days also in leap years: {n} row before a step back at new year read as 31 "
                "December of a leap year.",
                "The rule counts 365 days also in leap years: {n} rows before a step back at new year read as 31 "
                "December of a leap year.",
                n=repaired,
            ),
        )
    return (
        note(
            "The rule counts 365 days also in leap years: 29 February is day 60, and a 31 December of a leap year, if "
            "there is one, cannot be told from the next 1 January."
        ),
    )


def _with_leap_days(x: Floats, reading: _Reading) -> tuple[Times, int]:
    """Read rows just before a step back at new year as the day 366 that years of 365 days push beyond their end."""
    times = reading.times.copy()
    steps_back = np.flatnonzero(np.diff(x) < 0)
    if not reading.rule.startswith("365:") or steps_back.size == 0 or steps_back.size > 50:
        return times, 0
    repaired = 0
    for last in steps_back:
        day = times[last].astype("M8[D]")
        year = int(day.astype("M8[Y]").astype(int)) + 1970
        is_new_year = day == np.datetime64(f"{year:04d}-01-01") and times[last + 1].astype("M8[D]") == day
        if not is_new_year or np.datetime64(f"{year - 1:04d}-12-31") - np.datetime64(f"{year - 1:04d}-01-01") < 365:
            return reading.times, 0
        rows = _run_before(times, int(last))
        times[rows] -= np.timedelta64(1, "D")
        repaired += rows.stop - rows.start
    return times, repaired


def _run_before(times: Times, last: int) -> slice:
    """The rows up to ``last`` that follow each other on the same day."""
    first = last
    while first > 0 and times[first - 1].astype("M8[D]") == times[last].astype("M8[D]"):
        first -= 1
    return slice(first, last + 1)

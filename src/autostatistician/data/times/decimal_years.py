"""Recognise decimal years in columns of numbers: yearly, monthly, daily and hourly series written as 1962.00274."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.times.axes import DAY, LAST_DAY, MEAN_MONTH, Axis, times_from_decimal, with_gap
from autostatistician.data.times.calendar import Placed, months_name, place
from autostatistician.data.times.forms import DAY_RULES, NAMES, TIME_NAMES
from autostatistician.i18n.messages import Number, note

__all__ = ["place_years"]

Floats = NDArray[np.float64]
Times = NDArray[np.datetime64]

EARLIEST_YEAR, LATEST_YEAR = 1000, 2200  # numbers outside are not taken for years
USUAL_YEARS = (1500, 2100)  # whole numbers within are taken for years whatever the name of the column

# Of rules that fit equally well: a year of its true length is usual where days are counted from 0, as those of data
# from new year on are, years of 365 days where they are counted from 1.
FROM_NEW_YEAR = ("true:0", "true:1", "365:0", "365:1", "365.25:0", "365.25:1", "366:0", "366:1")
FROM_ANY_DAY = ("365:1", "true:0", "true:1", "365:0", "365.25:1", "365.25:0", "366:0", "366:1")
MEAN_YEAR_DAYS = 365.2425
MOST_LEAP_YEARS = 50


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
    for places in range(1, 10):
        if np.all(np.abs(unique - np.round(unique, places)) < 1e-10):
            return 0.5 * 10.0**-places * 1.05
    return 1e-9


def _whole_years(x: Floats, unique: Floats, column: str) -> Placed | None:
    named = column.strip().lower() in TIME_NAMES
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


# --- months, of equal or of true length ----------------------------------------------------------------------------


def _on_months(x: Floats, column: str, slack: float) -> Placed | None:
    """Years, quarters or months at one place of theirs each, by twelve equal months or by the day of the year."""
    month = Axis(column, "year", "month", 1 / 12)
    equal = [replace(month, within=within, labels="year") for within in (0.0, 0.5, _common_phase(x * 12))]
    placed = _nearest_months(
        x, equal, max(12 * slack, 1e-6) * MEAN_MONTH, min(max(24 * slack, 1e-6), 0.07) * MEAN_MONTH
    )
    if placed is not None or x.size < 4:
        return placed
    places = {0.0: 0.0, 0.5: 0.0, 1 - 1 / MEAN_MONTH: float(LAST_DAY)}
    true = [replace(month, within=within, day=day, labels=rule) for rule in DAY_RULES for within, day in places.items()]
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
    if least > most:
        return None
    nearest = next(placed for miss, placed in found if miss <= least + tie)
    return _stated(nearest, x)


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
    rule = note(" by the rule {rule}", rule=_rule_in_words(axis.labels)) if ":" in axis.labels else ""
    said = note(
        "Column {column} holds decimal years; read as {first} to {last}{rule}{moved}.", rule=rule, moved=moved, **told
    )
    return Placed(with_gap(axis, placed.x), placed.x, (said, *notes))


# --- days and hours ------------------------------------------------------------------------------------------------


def _on_days(x: Floats, column: str, slack: float) -> Placed | None:
    """Days, or hours, written by the day of the year."""
    if x.size < 8:
        return None
    for unit in (1, 24, 48, 96):  # day, hour, half an hour, a quarter
        readings = {rule: _rounded(x, rule, unit) for rule in DAY_RULES}
        least = min(miss for _, miss in readings.values())
        if least <= min(max(2.5 * 366 * unit * slack, 1e-4), 0.1):
            order = FROM_NEW_YEAR if abs(x.min() - round(x.min())) < 1e-9 else FROM_ANY_DAY
            rule = next(rule for rule in order if readings[rule][1] <= 2 * least + 1e-3)
            times, repaired = _with_leap_days(x, readings[rule][0], rule)
            placed = place(times, column)
            dated = replace(placed, axis=replace(placed.axis, labels=rule))
            return _stated(dated, x, *_leap_note(rule, repaired, times))
    return None


def _rounded(x: Floats, rule: str, unit: int) -> tuple[Times, float]:
    """Dates by a rule, rounded to days / ``unit`` that share one clock phase, and how far they were off in these."""
    micros, size = times_from_decimal(x, rule).astype(np.int64), DAY // unit
    steps = micros / size
    phase = _common_phase(steps) if unit > 1 else 0.0
    whole = np.round(steps - phase)
    shift = round(phase * size / 60e6) * 60_000_000  # the phase in whole minutes
    times = (whole.astype(np.int64) * size + shift).astype("M8[us]")
    return times, float(np.abs(steps - phase - whole).max())


def _rule_in_words(rule: str) -> str:
    days, first = rule.split(":")
    divisor = note("days of that year") if days == "true" else days
    if first == "1":
        return note("year + day of the year / {divisor}", divisor=divisor)
    return note("year + (day of the year - 1) / {divisor}", divisor=divisor)


def _leap_note(rule: str, repaired: int, times: Times) -> tuple[str, ...]:
    years = np.unique(times.astype("M8[Y]"))
    leap = (years + 1).astype("M8[D]") - years.astype("M8[D]") == np.timedelta64(366, "D")
    if not rule.startswith("365:") or not leap.any():
        return ()
    return (
        note(
            "The rule counts 365 days also in leap years: 29 February is day 60, and 31 December of a leap year is "
            "known only by a step back to 1 January, as after {n} rows here.", n=repaired,
        ),
    )  # fmt: skip


def _with_leap_days(x: Floats, times: Times, rule: str) -> tuple[Times, int]:
    """Rows just before a step back at new year read as the day 366 that years of 365 days push beyond their end."""
    steps_back = np.flatnonzero(np.diff(x) < 0)
    if not rule.startswith("365:") or steps_back.size > MOST_LEAP_YEARS:
        return times, 0
    days, rows = times.astype("M8[D]"), np.arange(x.size)
    is_new_year = (days[steps_back] == days[steps_back].astype("M8[Y]")) & (days[steps_back + 1] == days[steps_back])
    if not is_new_year.all():
        return times, 0
    early = [(rows <= last) & (days == days[last]) for last in steps_back]
    beyond = np.logical_or.reduce([np.zeros(x.size, dtype=bool), *early])
    return np.where(beyond, times - np.timedelta64(1, "D"), times), int(beyond.sum())

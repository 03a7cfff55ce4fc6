"""Decimal years: the rules by which people write dates as numbers, and the way back.

A rule is written "<days of a year>:<number of the first day>": "365:1" means year + day of the year / 365 (leap years
too), "true:0" means year + elapsed part of that year.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["DAY", "decimal_from_times", "times_from_decimal", "year_days", "year_start"]

Floats = NDArray[np.float64]
Times = NDArray[np.datetime64]

DAY = 86_400_000_000  # microseconds; all date arithmetic is exact integer arithmetic in this unit


def year_start(year: NDArray[np.int64]) -> NDArray[np.int64]:
    """Microseconds since 1970 of the first of January of each year."""
    return np.asarray((year - 1970).astype("M8[Y]").astype("M8[us]").astype(np.int64))


def year_days(year: NDArray[np.int64], rule: str) -> Floats:
    """The number of days by which a rule ("365:1", "true:0") divides the years."""
    days = rule.split(":")[0]
    true = (year_start(year + 1) - year_start(year)) / DAY
    return np.asarray(true if days == "true" else np.full(year.shape, float(days)))


def decimal_from_times(times: Times, rule: str) -> Floats:
    """Decimal years of dates by a rule: year + (days since new year + first day) / days of a year.

    >>> decimal_from_times(np.array(["1962-01-01"], dtype="M8[s]"), "365:1").round(6).tolist()
    [1962.00274]
    """
    year = times.astype("M8[Y]").astype(np.int64) + 1970
    day = (times.astype("M8[us]").astype(np.int64) - year_start(year)) / DAY + int(rule.split(":")[1])
    return np.asarray(year + day / year_days(year, rule))


def times_from_decimal(x: Floats, rule: str) -> Times:
    """Dates of decimal years by a rule (the inverse of `decimal_from_times`).

    Where years count 365 days also in leap years, the last day of a leap year falls on the first of the next year
    and is read as the latter.

    >>> times_from_decimal(np.array([1956.1671232876713]), "365:1").astype("M8[D]").astype(str).tolist()
    ['1956-03-01']
    """
    first = int(rule.split(":")[1])
    year = np.floor(x + 1e-9).astype(np.int64)
    day = (x - year) * year_days(year, rule) - first
    early = day < -1e-3  # a day before the first of January: the year before was written beyond its end
    day = np.where(early, day + np.floor(year_days(year - 1, rule)), day)
    year = year - early
    return np.asarray((year_start(year) + np.round(day * DAY / 1e6).astype(np.int64) * 1_000_000).astype("M8[us]"))

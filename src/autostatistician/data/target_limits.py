"""Natural limits of a target, beyond which no value can lie: zero for counts, 0 and 100 for percentages.

They are asked of the data and of the name of the column; nothing is fitted by them.
"""

from __future__ import annotations

import re
from math import inf, isfinite, isnan
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError

__all__ = [
    "UNLIMITED",
    "Asked",
    "Limits",
    "check_within",
    "checked_limits",
    "may_be_unsigned",
    "may_have_limits",
    "natural_limits",
    "stated_limits",
]

Limits = tuple[float, float]
Asked = str | tuple[float | None, float | None] | None  # as users say it

UNLIMITED: Limits = (-inf, inf)
FEWEST_ROWS = 10  # fewer show no limit
FEWEST_COUNTS = 3  # different whole numbers
# What may lie below zero though it happens not to, and percentages of something that they may exceed.
_SIGNED = re.compile(
    r"temp|celsius|fahrenheit|°|degree|grad\b|change|growth|diff|delta|anomal|balance|saldo|profit|\bnet\b|return|yield"
    r"|deviation|error|residual|\blog|score|altitude|elevation|index",
    re.IGNORECASE,
)
_OF_SOMETHING = re.compile(r"gdp|\bbip\b|\bpib\b|\bof\b(?! (all|total))|inflation|rate\b", re.IGNORECASE)
_PERCENT = re.compile(r"%|percent|\bpct\b|_pct|prozent|procent|pourcent|porcent", re.IGNORECASE)
_SHARE = re.compile(r"\bshare\b(?!.*price)|_share\b|fraction|proportion|probability|anteil", re.IGNORECASE)


def checked_limits(asked: object) -> str | Limits | None:
    """The limits that a user asks for: "auto", None, or a pair in which None leaves a side open.

    >>> checked_limits((0, None)), checked_limits("auto")
    ((0.0, inf), 'auto')
    """
    if asked is None or (isinstance(asked, str) and asked == "auto"):
        return asked
    expected = "limits as 'auto', None or a pair (low, high) such as (0, 100) or (0, None)"
    if not isinstance(asked, tuple | list) or len(asked) != 2 or not all(map(_is_side, asked)):
        raise InputError.of(expected, repr(asked), "change the setting")
    low, high = (default if side is None else float(side) for side, default in zip(asked, UNLIMITED, strict=True))
    if not low < high:
        raise InputError.of(f"{expected}, the lower below the upper", repr(asked), "change the setting")
    return low, high


def stated_limits(limits: str | Limits | None) -> str | tuple[float | None, float | None] | None:
    """Limits as a user states them: the other way round of `checked_limits`.

    >>> stated_limits((0.0, float("inf"))), stated_limits("auto")
    ((0.0, None), 'auto')
    """
    if limits is None or isinstance(limits, str):
        return limits
    low, high = (side if isfinite(side) else None for side in limits)
    return low, high


def _is_side(side: object) -> bool:
    return side is None or (isinstance(side, Real) and not isinstance(side, bool) and not isnan(float(side)))


def check_within(limits: Limits, y: NDArray[np.float64]) -> None:
    """Raise an `InputError` where values lie beyond limits that were asked for."""
    beyond = y[(y < limits[0]) | (y > limits[1])]
    if beyond.size:
        from autostatistician.i18n.numbers import as_written

        expected = f"values from {as_written(limits[0])} to {as_written(limits[1])}, as the limits say"
        raise InputError.of(expected, as_written(beyond[0]), "widen the limits, or correct the value")


def natural_limits(y: NDArray[np.float64], name: str) -> Limits:
    """The limits that values ``y`` (n,) of a column respect by their kind; open where nothing speaks for any.

    Percentages and shares are known by name, however far from zero they are, yes and no as 0 and 1, counts as whole
    numbers, amounts by a zero among them.

    >>> counts = np.array([3.0, 0.0, 2.0, 5.0, 1.0, 4.0, 0.0, 2.0, 6.0, 3.0])
    >>> natural_limits(counts, "visits"), natural_limits(10.0 * counts, "households online (%)")
    ((0.0, inf), (0.0, 100.0))
    >>> natural_limits(counts, "temperature"), natural_limits(counts - 1.0, "visits")
    ((-inf, inf), (-inf, inf))
    """
    if not may_be_unsigned(y, name):
        return UNLIMITED
    for pattern, high in ((_PERCENT, 100.0), (_SHARE, 1.0)):
        if pattern.search(name) and y.max() <= high and not _OF_SOMETHING.search(name):
            return 0.0, high
    if not may_have_limits(y, name):
        return UNLIMITED
    if np.isin(y, (0.0, 1.0)).all():
        return 0.0, 1.0
    counts = bool((y == np.round(y)).all()) and np.unique(y).size >= FEWEST_COUNTS
    return (0.0, inf) if counts or y.min() == 0.0 else UNLIMITED


def may_have_limits(y: NDArray[np.float64], name: str) -> bool:
    """Whether no value is below zero, and zero is near, of a column whose name does not say that values may be."""
    return bool(may_be_unsigned(y, name) and y.min() <= np.ptp(y))


def may_be_unsigned(y: NDArray[np.float64], name: str) -> bool:
    """Whether no value is below zero of a column whose name does not say that values may be."""
    return bool(y.size >= FEWEST_ROWS and y.min() >= 0.0 and not _SIGNED.search(name))

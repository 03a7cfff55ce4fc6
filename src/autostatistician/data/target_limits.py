"""Natural limits of a target, beyond which no value can lie: zero for counts, 0 and 100 for percentages.

They are asked of the data and of the name of the column; nothing is fitted by them. Series that level off just below
one or a hundred are shares, too, though no name says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf, isfinite, isnan
from numbers import Real

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from autostatistician._io.serial_correlation import effective_sample_size
from autostatistician.data.arrays import Floats
from autostatistician.errors import InputError

__all__ = [
    "UNLIMITED",
    "Asked",
    "Limits",
    "check_within",
    "checked_limits",
    "levels_off_below",
    "may_be_unsigned",
    "may_have_limits",
    "natural_limits",
    "nearest_top",
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
    beyond = (y < limits[0]) | (y > limits[1])
    if beyond.any():
        from autostatistician.data.missing import refuse_first  # neither, nor Babel, is needed by an estimator
        from autostatistician.i18n.numbers import as_written

        expected = f"values from {as_written(limits[0])} to {as_written(limits[1])}, as the limits say"
        refuse_first(beyond, y, expected, "widen the limits, or correct the value")


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


# --- Series that level off ------------------------------------------------------------------------------------------

FEWEST_TO_LEVEL_OFF = 20
NEAR = 0.9  # of the top: less high neither the values nor the level to which they tend lie near to it
GAIN = 10.0  # of the Bayesian information criterion against a straight line
RATES, MIDDLES = np.geomspace(1.0, 30.0, 25), np.arange(0.1, 0.8, 0.1)  # of curves, along the span
BENT = 1.5  # rates: of a curve that has run less long since its middle nobody knows where it tends to
STEP = 1e-4  # of derivatives


def nearest_top(y: Floats) -> float | None:
    """One or a hundred, where values (n,) reach nearly up to it and none lies above; else None.

    >>> [nearest_top(np.array([0.2, high])) for high in (0.95, 97.0, 50.0, 101.0)]
    [1.0, 100.0, None, None]
    """
    return next((top for top in (1.0, 100.0) if NEAR * top <= y.max() <= top and y.min() >= 0.0), None)


def levels_off_below(x: Floats, y: Floats, top: float) -> bool:
    """Whether values (n,) rise to a level that is near to a ``top`` and with its 95 % range no higher, as shares do.

    It is that of the exponential or logistic curve that fits best by least squares, where that is clearly better than a
    straight line; residuals that go along with their neighbours count as fewer.

    >>> x = np.arange(60.0)
    >>> noise = np.random.default_rng(0).normal(0.0, 0.5, 60)
    >>> [levels_off_below(x, level * (1.0 - np.exp(-x / 15.0)) + noise, 100.0) for level in (98.0, 110.0, 60.0)]
    [True, False, False]
    """
    n = len(y)
    if n < FEWEST_TO_LEVEL_OFF or nearest_top(y) != top:
        return False
    u = (x - x[0]) / (np.ptp(x) or 1.0)
    straight = np.column_stack([np.ones(n), u])
    line = y - straight @ np.linalg.lstsq(straight, y, rcond=None)[0]
    rest, level, size, rate, middle = min(_curves(u, y), key=lambda curve: float(curve[0] @ curve[0]))
    squares = max(float(rest @ rest), 1e-300)
    independent = effective_sample_size(rest)
    gain = independent * np.log(max(float(line @ line), 1e-300) / squares) - np.log(n)
    error = _error_of_level(u, size, rate, middle) * np.sqrt(squares / max(independent - 3.0, 1.0))
    bent = size < 0.0 and rate * (1.0 - middle) > BENT and gain > GAIN
    return bool(bent and level >= NEAR * top and level + 2.0 * error <= top)


def _curves(u: Floats, y: Floats) -> Iterator[tuple[Floats, float, float, float, float]]:
    """Residuals (n,), the level far ahead, how far below the curve began, its rate and its middle (0: exponential)."""
    for middle in (0.0, *MIDDLES):
        for rate in RATES:
            design = np.column_stack([np.ones(len(u)), _shape(u, rate, middle)])
            level, size = np.linalg.lstsq(design, y, rcond=None)[0]
            yield y - design @ np.array([level, size]), float(level), float(size), float(rate), float(middle)


def _shape(u: Floats, rate: float, middle: float) -> Floats:
    return np.exp(-rate * u) if middle == 0.0 else np.asarray(expit(-2.0 * rate * (u - middle)))


def _error_of_level(u: Floats, size: float, rate: float, middle: float) -> float:
    """The standard error of the level in units of that of a residual, with all that is fitted left open."""
    here = _shape(u, rate, middle)
    slopes = [size * (_shape(u, rate * (1.0 + STEP), middle) - here) / (STEP * rate)]
    slopes += [size * (_shape(u, rate, middle + STEP) - here) / STEP] if middle else []
    columns = np.column_stack([np.ones(len(u)), here, *slopes])
    return float(np.sqrt(np.linalg.pinv(columns.T @ columns)[0, 0]))

"""By how much values lie off on days that the calendar brings again, and what forecasts make of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import CalendarDay, DaysOfAxis

__all__ = ["DayEffect", "at_positions", "measured"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DayEffect:
    """What is added on a day, on the scale of the model: the mean, and the variance it adds to that of an observation.

    The variance holds what the mean is not known by, and how much more the values differ than the noise makes them.
    """

    day: CalendarDay
    size: float
    variance: float


def measured(day: CalendarDay, deviations: Array, variances: Array) -> DayEffect:
    """The effect that explains ``deviations`` (k,) from observations that were predicted with ``variances`` (k,).

    >>> effect = measured(CalendarDay("date", 12, 25), np.array([-79.0, -81.0]), np.array([4.0, 4.0]))
    >>> effect.size, effect.variance
    (-80.0, 2.0)
    """
    k, noise = len(deviations), float(np.mean(variances))
    between = max(float(np.var(deviations, ddof=1)) - noise, 0.0) if k > 1 else 0.0
    return DayEffect(day, float(np.mean(deviations)), between + (between + noise) / k)


def at_positions(effects: Sequence[DayEffect], axis: Axis | None, x: Array) -> tuple[Array, Array]:
    """What is added to the mean and to the variance of observations at positions (m,)."""
    shift, variance = np.zeros(len(x)), np.zeros(len(x))
    if axis is not None and effects:
        days = DaysOfAxis(axis, x)
        for effect in effects:
            rows = days.are(effect.day)
            shift[rows] += effect.size
            variance[rows] += effect.variance
    return shift, variance

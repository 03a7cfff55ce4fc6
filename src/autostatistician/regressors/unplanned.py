"""Values of the columns at times for which there is no plan: as a year or a season before, else as usual."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.covariates import Covariates
from autostatistician.regressors.effects import Clock
from autostatistician.regressors.estimates import CovariateEffects

__all__ = ["beyond", "filled", "unplanned"]

Array = NDArray[np.float64]

SAME = 1e-9  # of the range of a column: values beyond it by less are not beyond


def unplanned(columns: Covariates, x: Array, clock: Clock) -> tuple[str, ...]:
    """The columns that have no value at some of the positions after the data.

    >>> from autostatistician.data.covariates import Covariate
    >>> columns = Covariates(np.array([0.0, 1.0]), (Covariate("promo", np.array([0.0, 1.0])),))
    >>> unplanned(columns, np.array([1.0, 2.0]), Clock(0.0, 1.0, 1.0, 0.0))
    ('promo',)
    """
    after = x[x > clock.last]
    return tuple(column.name for column in columns.at(after) if not np.isfinite(column.values).all())


def beyond(effects: CovariateEffects, columns: Covariates, x: Array) -> tuple[tuple[str, float, float], ...]:
    """The columns that act with numbers at positions (m,) outside of the range that they had: name, lowest, highest."""
    outside = []
    for name in dict.fromkeys(effect.column for effect in effects.effects):
        scale, values = effects.scale_of(name), columns.of(name, x)
        room = SAME * (scale.high - scale.low)
        if not scale.levels and np.any((values < scale.low - room) | (values > scale.high + room)):
            outside.append((name, scale.low, scale.high))
    return tuple(outside)


def filled(columns: Covariates, x: Array, clock: Clock) -> Covariates:
    """The columns with values at all positions after the data: where a plan has none, those of a cycle before.

    That is a year where the data hold one. Without a cycle they are the last that are known for numbers that change
    slowly, the usual one (NaN) for flags.

    >>> from autostatistician.data.covariates import Covariate
    >>> columns = Covariates(np.array([0.0, 1.0, 2.0, 3.0]), (Covariate("promo", np.array([0.0, 1.0, 0.0, 1.0])),))
    >>> filled(columns, np.array([4.0, 5.0]), Clock(0.0, 3.0, 1.0, 2.0)).at(np.array([4.0, 5.0]))[0].values.tolist()
    [0.0, 1.0]
    """
    after = np.unique(x[x > clock.last])
    if not after.size or not columns.table:
        return columns
    every = np.union1d(columns.x, _steps(after, clock))
    table = []
    for column in columns.table:
        values = columns.of(column.name, every)
        for place in np.flatnonzero(~np.isfinite(values) & (every > clock.last)):
            values[place] = _a_cycle_before(every, values, int(place), clock)
        if not column.is_flag and not column.levels and not (clock.season or clock.shift):
            values = _carried_on(values, every > clock.last)
        table.append(replace(column, values=values))
    return replace(columns, x=every, table=tuple(table))


def _steps(after: Array, clock: Clock) -> Array:
    """The positions, and all steps from the data to them, which effects that come late look back at."""
    if not clock.step:
        return after
    count = round((after.max() - clock.last) / clock.step)
    return np.union1d(after, clock.last + clock.step * np.arange(1, min(count, 100_000) + 1))


def _a_cycle_before(x: Array, values: Array, place: int, clock: Clock) -> float:
    """The value at the row nearest to one cycle before, of the longest that reaches one; NaN where none does."""
    gap = clock.step or float(np.median(np.diff(x)))
    for back in dict.fromkeys((clock.shift, clock.season)):
        nearest = int(np.abs(x - (x[place] - back)).argmin())
        if back and abs(x[nearest] - (x[place] - back)) <= 0.6 * gap and np.isfinite(values[nearest]):
            return float(values[nearest])
    return float("nan")


def _carried_on(values: Array, after: NDArray[np.bool_]) -> Array:
    """The last value that is there, in the place of those that are not."""
    there = np.flatnonzero(np.isfinite(values))
    if not there.size:
        return values
    last = there[np.clip(np.searchsorted(there, np.arange(len(values)), side="right") - 1, 0, None)]
    return np.where(np.isfinite(values) | ~after, values, values[last])

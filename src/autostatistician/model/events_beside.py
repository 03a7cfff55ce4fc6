"""What the days of each holiday or event add together: their sum, and where in the rows the event came."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.covariates.fitted import CovariateEffects
from autostatistician.data.covariates import Covariate
from autostatistician.decompose.records.covariates import EventEffect
from autostatistician.decompose.records.function import Estimate
from autostatistician.inference.predictive import ENDS_OF_95

__all__ = ["estimate", "events_beside"]

Array = NDArray[np.float64]

FEWEST_DRAWS = 20  # for a range


def events_beside(effects: CovariateEffects, x: Array) -> tuple[EventEffect, ...]:
    """The events of the columns of calendars at rows (n,), ascending, in their order."""
    present = {scale.name for scale in effects.scales}
    members: dict[str, list[Covariate]] = {}
    for column in effects.columns.at(x):
        if column.event and column.name in present:
            members.setdefault(column.event, []).append(column)
    return tuple(
        EventEffect(name=name, total=estimate(_total(effects, days)), places=_occurrences(x, days))
        for name, days in members.items()
    )


def estimate(draws: Array) -> Estimate:
    """The median of draws (s,) with their 95 % range.

    >>> estimate(np.array([1.0, 2.0, 3.0])).number
    2.0
    """
    middle = float(np.median(draws))
    low, high = (float(end) for end in np.quantile(draws, ENDS_OF_95))
    return Estimate(middle, low, high, float(np.mean(draws * middle > 0.0)))


def _total(effects: CovariateEffects, days: list[Covariate]) -> Array:
    """The draws (s,) of the sum over the days, of those in which the event acts; all where it hardly ever does."""
    curves = [effects.curve(column.name, np.array([0.0, 1.0])) for column in days]
    total = np.sum([curve[:, 1] - curve[:, 0] for curve in curves], axis=0)
    acts = total != 0.0
    return np.asarray(total[acts] if acts.sum() >= FEWEST_DRAWS else total)


def _occurrences(x: Array, days: list[Covariate]) -> tuple[float, ...]:
    """Where the day itself came, at the first of rows that follow each other; without one, the day that came most."""
    starts = []
    for column in sorted(days, key=lambda column: column.days != 0):
        there = np.nan_to_num(column.values) > 0.0
        starts.append(np.flatnonzero(there & ~np.concatenate([[False], there[:-1]])))
    first = starts[0] if any(column.days == 0 for column in days) else max(starts, key=len)
    return tuple(float(x[row]) for row in first)

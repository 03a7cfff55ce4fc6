"""What a plain regression says of the columns beside a series: differences of neighbouring rows, and no model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

__all__ = ["OLSEffects", "ols_effects", "season_in_steps"]

Array = NDArray[np.float64]

LONGEST_SEASON = 31  # steps: over longer ones neighbouring rows are alike enough
FEWEST_SEASONS = 4
FEWEST_PER_COLUMN = 4  # differences for each number that is estimated
FREQUENT = 30  # times that a flag is set, from which its standard error is as good as known


@dataclass(frozen=True, eq=False)
class OLSEffects:
    """Coefficients (k,) of a regression of differences, their standard errors, and half their 95 % ranges."""

    coefficients: Array
    errors: Array
    reaches: Array


def season_in_steps(periods: tuple[float, ...], step: float, rows: int) -> int:
    """How many steps lie between rows that are compared: the shortest season of several steps, else one.

    >>> season_in_steps((7.0, 365.25), 1.0, 400), season_in_steps((52.2,), 1.0, 400), season_in_steps((7.0,), 0.0, 400)
    (7, 1, 1)
    """
    steps = [round(period / step) for period in periods if step and period > 1.5 * step]
    shortest = min(steps, default=1)
    return shortest if shortest <= LONGEST_SEASON and rows >= FEWEST_SEASONS * shortest else 1


def ols_effects(x: Array, y: Array, columns: Array, step: float, apart: int) -> OLSEffects | None:
    """The regression of differences of targets (n,) over ``apart`` rows on those of columns (n, k), by position.

    Where rows lie on a grid, only those are compared that are ``apart`` steps apart. None where there are too few. The
    standard errors allow for what differences have in common with those that overlap (Newey and West 1987). The range
    of a flag that is rarely set is of a few occurrences, so it is that of a t-distribution.

    >>> x = np.arange(60.0)
    >>> promo = (x % 7 == 0).astype(float)
    >>> made = ols_effects(x, 5.0 * promo + 0.1 * x, promo[:, None], 1.0, 1)
    >>> float(made.coefficients[0].round(6))
    5.0
    """
    order = np.argsort(x, kind="stable")
    x, y, columns = x[order], y[order], columns[order]
    kept = np.ones(len(x) - apart, dtype=bool)
    if step:
        kept = np.abs(x[apart:] - x[:-apart] - apart * step) < 0.5 * step
    design = np.column_stack([columns[apart:] - columns[:-apart], np.ones(len(x) - apart)])[kept]
    change = (y[apart:] - y[:-apart])[kept]
    if len(change) < FEWEST_PER_COLUMN * design.shape[1] or np.linalg.matrix_rank(design) < design.shape[1]:
        return None
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ change
    residuals = change - design @ coefficients
    scores = design * residuals[:, None]
    middle = scores.T @ scores
    for lag in range(1, apart + 2):
        both = scores[lag:].T @ scores[:-lag]
        middle += (1.0 - lag / (apart + 2)) * (both + both.T)
    variances = (inverse @ middle @ inverse).diagonal()
    errors = np.sqrt(np.maximum(variances, 0.0))[:-1]
    reaches = 1.96 * errors
    for k, column in enumerate(columns.T):
        runs = _runs(column)
        if 0 < runs.max() < FREQUENT:
            of_rows = np.where(runs[apart:] > 0, runs[apart:], runs[:-apart])[kept]
            reaches[k] = _rare_reach(design @ inverse[:, k], residuals, of_rows, apart, design.shape[1])
    return OLSEffects(coefficients[:-1], errors, reaches)


def _runs(column: Array) -> NDArray[np.int64]:
    """To which occurrence each row of a flag (n,) belongs, from 1 on; 0 where to none, or where it is no flag."""
    there = column > 0.0
    if not np.isin(column, (0.0, 1.0)).all():
        return np.zeros(len(column), dtype=np.int64)
    return np.where(there, np.cumsum(there & ~np.concatenate([[False], there[:-1]])), 0)


def _rare_reach(weights: Array, residuals: Array, occurrences: NDArray[np.int64], apart: int, numbers: int) -> float:
    """Half the 95 % range of a coefficient that is the sum of differences (n,) with ``weights``.

    The wider of two: with the covariances of all errors, and with those of the few ``occurrences`` (n,) alone.
    """
    freedom = len(residuals) / (len(residuals) - numbers)
    pooled = float(weights @ weights) * float(np.mean(residuals**2))
    for lag in range(1, min(apart + 2, len(residuals))):
        covariance = float(residuals[lag:] @ residuals[:-lag]) / len(residuals)
        pooled += 2.0 * covariance * float(weights[lag:] @ weights[:-lag])
    reach = 1.96 * np.sqrt(max(pooled, 0.0) * freedom)
    sums = np.bincount(occurrences, weights * residuals)[1:]
    times = np.count_nonzero(np.bincount(occurrences)[1:])
    if times > 1:
        spread = np.sqrt(np.sum(sums**2) * times / (times - 1))
        reach = max(reach, float(student.ppf(0.975, times - 1)) * spread)
    return float(reach)

"""What a plain regression says of the columns beside a series: differences of neighbouring rows, and no model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["PlainEffects", "plain_effects", "season_in_steps"]

Array = NDArray[np.float64]

LONGEST_SEASON = 31  # steps: over longer ones neighbouring rows are alike enough
FEWEST_SEASONS = 4
FEWEST_PER_COLUMN = 4  # differences for each number that is estimated


@dataclass(frozen=True, eq=False)
class PlainEffects:
    """Coefficients (k,) of a regression of differences, and their standard errors."""

    coefficients: Array
    errors: Array


def season_in_steps(periods: tuple[float, ...], step: float, rows: int) -> int:
    """How many steps lie between rows that are compared: the shortest season of several steps, else one.

    >>> season_in_steps((7.0, 365.25), 1.0, 400), season_in_steps((52.2,), 1.0, 400), season_in_steps((7.0,), 0.0, 400)
    (7, 1, 1)
    """
    steps = [round(period / step) for period in periods if step and period > 1.5 * step]
    shortest = min(steps, default=1)
    return shortest if shortest <= LONGEST_SEASON and rows >= FEWEST_SEASONS * shortest else 1


def plain_effects(x: Array, y: Array, columns: Array, step: float, apart: int) -> PlainEffects | None:
    """The regression of differences of targets (n,) over ``apart`` rows on those of columns (n, k), by position.

    Where rows lie on a grid, only those are compared that are ``apart`` steps apart. None where there are too few. The
    standard errors allow for what differences have in common with those that overlap (Newey and West 1987).

    >>> x = np.arange(60.0)
    >>> promo = (x % 7 == 0).astype(float)
    >>> made = plain_effects(x, 5.0 * promo + 0.1 * x, promo[:, None], 1.0, 1)
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
    scores = design * (change - design @ coefficients)[:, None]
    middle = scores.T @ scores
    for lag in range(1, apart + 2):
        both = scores[lag:].T @ scores[:-lag]
        middle += (1.0 - lag / (apart + 2)) * (both + both.T)
    variances = (inverse @ middle @ inverse).diagonal()
    return PlainEffects(coefficients[:-1], np.sqrt(np.maximum(variances, 0.0))[:-1])

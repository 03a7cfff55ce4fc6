"""Whether single values scatter as far throughout: by the models, and by the sizes of what they leave."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kruskal

from autostatistician.decompose.records.function import FunctionDraws, ScatterChange
from autostatistician.decompose.series.estimates import estimate, witness

__all__ = ["scatter_change", "homoscedasticity"]

Array = NDArray[np.float64]

LEAST_PART = 0.12  # of the rows, on either side of a change
FEWEST_ROWS = 24
SD_OF_LOG = 1.1107  # of the logarithm of the size of a normal value: pi / sqrt(8)
SD_OF_LOG_EXPONENTIAL = 1.2825  # the same of an exponential one: pi / sqrt(6)
MOST_PHASES = 12  # of a cycle
LEAST_OF_PHASE = 4  # rows
PHASE_ROUNDING = 1e-6  # of a phase, so that the first month of a year never is the last
CLEAR = 3.6  # standard errors by which the largest at many rows must stand out
LARGE = 1.5  # times, one way or the other


def homoscedasticity(errors: Array, x: Array | None = None, periods: Sequence[float] = (), gap: float = 1.0) -> float:
    """The p-value for errors (m,) of one size in all thirds of the rows, and in all phases of cycles.

    Every cycle is a test of its own (Bonferroni); ``gap`` is the distance of neighbouring inputs ``x`` (m,).

    >>> rng = np.random.default_rng(0)
    >>> homoscedasticity(rng.normal(size=90)) > 0.05
    True
    >>> homoscedasticity(rng.normal(size=90) * np.repeat([1, 1, 4], 30)) < 0.001
    True
    >>> quiet_sundays = np.where(np.arange(90) % 7 == 6, 0.1, 1.0) * rng.normal(size=90)
    >>> homoscedasticity(quiet_sundays) > 0.05, homoscedasticity(quiet_sundays, np.arange(90.0), (7.0,)) < 0.001
    (True, True)
    """
    sizes = np.abs(errors)
    if len(errors) < FEWEST_ROWS:
        return 1.0
    groupings = [np.array_split(sizes, 3)]
    if x is not None:
        groupings += filter(None, [_by_phase(sizes, x, period, gap) for period in periods])
    tested = [float(kruskal(*groups).pvalue) for groups in groupings if any(np.ptp(group) > 0.0 for group in groups)]
    return min([1.0, *(len(tested) * p for p in tested)])


def _by_phase(sizes: Array, x: Array, period: float, gap: float) -> list[Array]:
    """Sizes (m,) by the phase of a cycle; none where some phase is hardly seen."""
    count = min(round(period / gap), MOST_PHASES)
    phase = np.floor(np.mod(x / period, 1.0) * count + PHASE_ROUNDING).astype(int) % max(count, 1)
    groups = [sizes[phase == number] for number in range(count)]
    return groups if count >= 2 and min(map(len, groups)) >= LEAST_OF_PHASE else []


def _best_place(sizes: Array, least: int, doubt: float = 1.0) -> tuple[int, int, int]:
    """The row from which sizes (m,) are best told to be others: by mean sizes, in which outliers weigh less.

    With the first and the last row of the middle 95 % of what they say of it; ``doubt`` is how many times as far the
    logarithms of their means scatter as those of independent ones.

    >>> sizes = np.array([1.0, 2.0] * 8 + [5.0, 9.0] * 8)
    >>> _best_place(sizes, 6), _best_place(np.arange(1.0, 33.0), 6)
    ((16, 11, 18), (9, 6, 22))
    """
    rows = np.arange(least, len(sizes) - least + 1)
    sums = np.cumsum(np.maximum(sizes, 1e-300))
    before, after = sums[rows - 1] / rows, (sums[-1] - sums[rows - 1]) / (len(sizes) - rows)
    losses = rows * np.log(before) + (len(sizes) - rows) * np.log(np.maximum(after, 1e-300))
    weights = np.cumsum(np.exp(-(losses - losses.min()) / doubt**2))
    low, high = np.searchsorted(weights, weights[-1] * np.array([0.025, 0.975]))
    return int(rows[np.argmin(losses)]), int(rows[low]), int(rows[high])


def scatter_change(draws: FunctionDraws, errors: Array) -> ScatterChange | None:
    """Where the scatter of errors (m,) changes most, if that is clear; the models' ratio beside it."""
    sizes = np.log(np.maximum(np.abs(errors), 1e-3 * np.median(np.abs(errors)) + 1e-300))
    count = len(sizes)
    least = max(6, int(LEAST_PART * count))
    if count < FEWEST_ROWS or not np.ptp(sizes) > 0.0:
        return None
    row, *_ = _best_place(np.abs(errors), least)
    gap = float(sizes[row:].mean() - sizes[:row].mean())
    sd = max(SD_OF_LOG, float(np.std(np.concatenate([part - part.mean() for part in np.split(sizes, [row])]))))
    error = float(np.sqrt(1.0 / row + 1.0 / (count - row))) * sd
    if abs(gap) < max(CLEAR * error, np.log(LARGE)):
        return None
    logs = np.log(np.maximum(draws.noise, 1e-300))
    before, after = slice(0, row - row // 3), slice(row + (count - row) // 3, count)  # models change a little elsewhere
    modelled = estimate(logs[:, after].mean(axis=1) - logs[:, before].mean(axis=1))
    seen = witness("mean size of the logarithms of the errors, after less before", gap, error, modelled)
    first, last = (float(np.sqrt(np.mean(part**2))) for part in (errors[:row], errors[row:]))
    _, low, high = _best_place(np.abs(errors), least, sd / SD_OF_LOG_EXPONENTIAL)
    span = (float(draws.x[low]), float(draws.x[high]), high - low)
    return ScatterChange(float(draws.x[row]), modelled, first, last, seen, span)

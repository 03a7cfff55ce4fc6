"""What the data themselves suggest: periods, places of change and the size of what is left to explain.

Seeds of a greedy search differ mainly in where its fits start, so starting values are drawn around the
peaks of a periodogram and around breaks in level or roughness, of the data and of the incumbent's residuals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.fft import next_fast_len, rfft
from scipy.ndimage import median_filter

from autostatistician.gp.engines.geometry import grid_step, spacing

__all__ = ["ColumnHints", "Hints", "clear_periods", "distinct_frequencies", "hints"]

Array = NDArray[np.float64]

MOST_PERIODS = 6  # periods proposed from one series
MOST_CHANGES = 6  # places of change proposed from one series
OVERSAMPLING = 4  # frequencies per independent frequency
MOST_FREQUENCIES = 12_000  # of a periodogram
MOST_WAVES = 320_000  # rows times frequencies of a periodogram by its definition: as slow as many likelihoods
CELLS_PER_CYCLE = 8  # of the fastest cycle
FEWEST_CYCLES = 1.5  # of a period that is proposed
AROUND_CLEAR = 32  # independent frequencies: a cycle that drifts has a broad peak, which is no background of itself
CLEAR_FROM = 12.0  # times the median power around a peak: of 240 rows of noise the largest is below it in 9 of 10


@dataclass(frozen=True, slots=True)
class Hints:
    """Proposals for one input column, best first; ``sd`` is the root mean square of the series itself."""

    periods: tuple[float, ...]
    changes: tuple[float, ...]
    sd: float
    roughness: float  # standard deviation of noise that would explain the second differences


@dataclass(frozen=True, slots=True)
class ColumnHints:
    """The hints for every column, in the order of the data."""

    columns: Mapping[str, Hints]

    def of(self, name: str | None) -> Hints:
        """Those for the column that a leaf names; else those for the first.

        Leaves name no column where there is only one, and where they act on none: these need the sizes alone.
        """
        return next(iter(self.columns.values())) if name is None else self.columns[name]

    def with_periods(self, name: str, periods: tuple[float, ...]) -> ColumnHints:
        """The same with some periods before the others of a column."""
        before = self.columns[name]
        return ColumnHints({**self.columns, name: replace(before, periods=(*periods, *before.periods))})


def hints(x: Array, residual: Array, *, detrend: bool, frequencies: int = MOST_FREQUENCIES) -> Hints:
    """Hints from a series ``residual`` (n,) at positions ``x`` (n,), in any order.

    With ``detrend`` a cubic polynomial is taken off before the periodogram (for raw data with a trend), which has some
    ``frequencies`` at most.
    """
    order = np.argsort(x, kind="stable")
    x, r = x[order], residual[order]
    flat = r - _polynomial(x, r, 3) if detrend and len(x) > 8 else r - r.mean()
    rough = np.median(np.abs(np.diff(r, 2))) / (0.6745 * np.sqrt(6.0)) if len(r) > 3 else 0.0
    periods = tuple(period for period, _ in _peaks(x, flat, frequencies))
    return Hints(periods, _changes(x, flat), float(np.sqrt(np.mean(flat**2))), float(rough))


def distinct_frequencies(x: Array, frequencies: int = MOST_FREQUENCIES) -> float:
    """How many frequencies `hints` can tell apart along positions (n,), in any order: one per cycle that is added.

    Columns of a few values show none.

    >>> [round(distinct_frequencies(np.arange(float(n))), 1) for n in (101, 4)]
    [48.5, 0.0]
    """
    span = float(np.ptp(x))
    return max(_highest(np.sort(x), frequencies) * span - FEWEST_CYCLES, 0.0) if span > 0.0 else 0.0


def clear_periods(x: Array, y: Array, frequencies: int = MOST_FREQUENCIES) -> tuple[float, ...]:
    """Periods of the peaks (n,) that stand clearly above their neighbourhood in a periodogram, best first.

    >>> weeks = np.arange(200.0)
    >>> noise = np.random.default_rng(0).standard_normal(200)
    >>> [round(period) for period in clear_periods(weeks, 2.0 * np.sin(2.0 * np.pi * weeks / 41.0) + noise)]
    [41]
    >>> clear_periods(weeks, noise)
    ()
    """
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    flat = y - _polynomial(x, y, 3) if len(x) > 8 else y
    return tuple(period for period, excess in _peaks(x, flat, frequencies, AROUND_CLEAR) if excess > CLEAR_FROM)


def _polynomial(x: Array, y: Array, degree: int) -> Array:
    # through few different places there is more than one curve
    fitted = np.polynomial.Polynomial.fit(x, y, min(degree, np.unique(x).size - 1))
    return np.asarray(fitted(x))


def _peaks(x: Array, y: Array, most: int, around: int = 8) -> list[tuple[float, float]]:
    """Periods of the strongest peaks of the periodogram, and how many times as high as their neighbourhood they are.

    The neighbourhood is at least so many independent frequencies wide.
    """
    span = float(np.ptp(x))
    if len(x) < 8 or span == 0.0 or not np.any(y):
        return []
    frequencies = np.arange(1.0, OVERSAMPLING * _highest(x, most) * span + 1.0) / (OVERSAMPLING * span)
    # one frequency below the lowest, so that this one can be a peak
    frequencies = frequencies[frequencies >= (FEWEST_CYCLES - 1.0 / OVERSAMPLING) / span]
    if len(frequencies) < 8:
        return []
    power = _power(x, y, frequencies)
    # Smooth series have steep spectra: a peak counts by how far it stands above the median around it.
    background = median_filter(power, size=max(around * OVERSAMPLING + 1, len(power) // 40), mode="reflect")
    excess = power / (background + 1e-3 * power.max())
    inner = np.flatnonzero((power[1:-1] >= power[:-2]) & (power[1:-1] >= power[2:])) + 1
    best = sorted(inner, key=lambda i: -excess[i] * power[i] ** 0.5)[:MOST_PERIODS]
    return [(1.0 / _refined(frequencies, power, i), float(excess[i])) for i in best]


def _power(x: Array, y: Array, frequencies: Array) -> Array:
    """The periodogram at evenly spaced frequencies, up to a factor.

    Of many rows it is one fast Fourier transform: of the cells of a grid, else of sums over cells of an eighth of the
    fastest cycle.
    """
    if len(x) * len(frequencies) <= MOST_WAVES:
        from scipy.signal import lombscargle  # a tenth of a second that workers do without

        return np.asarray(lombscargle(x, y, 2.0 * np.pi * frequencies))
    step = frequencies[1] - frequencies[0]
    grid = grid_step(x)
    if grid is None:
        length = next_fast_len(int(np.ceil(CELLS_PER_CYCLE * frequencies[-1] / step)), real=True)
    else:  # an oversampled range is a whole number of steps
        length = round(1.0 / (step * grid))
    cells = np.rint((x - x.min()) * (step * length)).astype(np.intp)
    spectrum = rfft(np.bincount(cells, y), length)
    waves = np.rint(frequencies / step).astype(np.intp)
    # by rounding, the last can lie beyond the Nyquist frequency, about which the periodogram is mirrored
    return np.asarray(np.abs(spectrum[np.minimum(waves, length - waves)]) ** 2)


def _highest(x: Array, most: int) -> float:
    """The Nyquist frequency of the grid, or of close neighbours where there is none."""
    span, step = float(np.ptp(x)), grid_step(x)
    if step is not None:
        return 0.5 * round(span / step) / span
    return min(0.5 / spacing(x), most / (OVERSAMPLING * span))


def _refined(frequencies: Array, power: Array, peak: np.intp) -> float:
    """The top of the parabola through a peak and its neighbours."""
    left, top, right = power[peak - 1 : peak + 2]
    bend = left - 2.0 * top + right
    offset = 0.0 if bend == 0.0 else 0.5 * (left - right) / bend
    return float(frequencies[peak] + offset * (frequencies[1] - frequencies[0]))


def _changes(x: Array, y: Array) -> tuple[float, ...]:
    """Positions where level, slope or roughness differ most between the two sides of a moving pair of windows."""
    n = len(x)
    if n < 20:
        return ()
    half = max(6, n // 10)
    size = np.log(np.abs(np.diff(y, prepend=y[0])) + 1e-3 * (np.std(y) or 1.0))
    places = np.arange(half, n - half, max(1, n // 200))
    score = np.array([_contrast(y, i, half) + _contrast(size, i, half) for i in places])
    places_found: list[int] = []
    for index in np.argsort(-score, kind="stable"):
        if all(abs(places[index] - other) > half // 2 for other in places_found):
            places_found.append(int(places[index]))
        if len(places_found) == MOST_CHANGES:
            break
    return tuple(float(0.5 * (x[i - 1] + x[i])) for i in places_found)


def _contrast(series: Array, index: np.intp, half: int) -> float:
    left, right = series[index - half : index], series[index : index + half]
    spread = np.sqrt(left.var() + right.var()) + 1e-12
    return float(abs(left.mean() - right.mean()) / spread)

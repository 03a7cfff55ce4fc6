"""Period detection in long series by epoch folding: what returns after a period is the same in every fold.

The strongest peak of a periodogram is often a harmonic of the cycle that makes it. A fold shows the whole cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, rfft

from autostatistician.search.starting.hints import hints

__all__ = ["Folded", "cycles", "fold"]

Array = NDArray[np.float64]

MOST_CYCLES = 2
MOST_PHASES, FEWEST_PHASES = 400, 4
MOST_HARMONICS = 10  # of a peak, among which its cycle is looked for
FEWEST_FOLDS = 2.0
LEAST_GAIN = 25.0  # of the deviance of what is folded, beside what its phases cost
LEAST_SHARE = 0.01  # of the variance within a period
PEAK, SHARE_OF_PEAK = 4.0, 0.05
ALMOST, NEAR = 0.85, 0.06


def cycles(x: Array, y: Array, named: Sequence[float] = ()) -> tuple[float, ...]:
    """The periods that explain most of a series ``y`` (n,) at ``x`` (n,), one beside another.

    Where a calendar has ``named`` cycles, only these are looked at; else the peaks of the periodogram and multiples
    of them.

    >>> days = np.arange(2400) / 24.0
    >>> noise = np.random.default_rng(0).standard_normal(2400)
    >>> day, weekend = np.cos(2.0 * np.pi * days), (days % 7.0 < 2.0)
    >>> [round(one, 2) for one in cycles(days, day - 3.0 * weekend + 0.3 * noise)]
    [1.0, 7.0]
    >>> cycles(days, noise)
    ()
    """
    periods: list[float] = []
    order = np.argsort(x, kind="stable")
    x, rest = x[order], y[order]
    while len(periods) < MOST_CYCLES:
        folds = {period: fold(x, rest, period) for period in named or _candidates(x, rest) if _is_new(period, periods)}
        best = max((folded.gain for folded in folds.values()), default=0.0)
        if best < LEAST_GAIN:
            break
        # a multiple of a cycle repeats, too
        period = min(repeating for repeating, folded in folds.items() if folded.gain > ALMOST * best)
        quick = (
            [] if named else [period / number for number in folds[period].peaks if _is_new(period / number, periods)]
        )
        periods += [*quick, period][: MOST_CYCLES - len(periods)]
        rest = rest - folds[period].pattern
    return tuple(periods)


def _is_new(period: float, periods: Sequence[float]) -> bool:
    """Whether a period is neither one of those known, nor two or three times one, nor a part of these."""
    multiples = [number * other for other in periods for number in (1.0, 2.0, 3.0)]
    return all(abs(period - multiple / max(round(multiple / period), 1)) > NEAR * period for multiple in multiples)


def _candidates(x: Array, y: Array) -> list[float]:
    """The peaks of the periodogram and multiples of them that the series shows often enough."""
    span = float(np.ptp(x))
    peaks = hints(x, y, detrend=True).periods
    multiples = (peak * number for peak in peaks for number in range(1, MOST_HARMONICS + 1))
    return [multiple for multiple in multiples if FEWEST_FOLDS * multiple <= span]


@dataclass(frozen=True, slots=True)
class Folded:
    """A series (n,) folded: its course over a period at every row, and what else changes within one.

    The course is the sum of harmonics with ``sizes`` (K + 1,), variances, of which those that do not stand out are 0.
    """

    pattern: Array
    rest: Array
    sizes: Array
    folds: float

    @property
    def gain(self) -> float:
        """By how much the fold lowers the deviance of what changes within a period, less what its parameters cost."""
        n, within = len(self.rest), float(np.var(self.pattern + self.rest))
        share = 1.0 - float(np.var(self.rest)) / within if within > 0.0 else 0.0
        chance = 1.0 / self.folds  # folds that have nothing in common share so much
        share = min((share - chance) / (1.0 - chance), 1.0 - 1e-12)
        cost = 2.0 * np.count_nonzero(self.sizes) * float(np.log(n))
        return -n * float(np.log1p(-share)) - cost if share > LEAST_SHARE else 0.0

    @property
    def peaks(self) -> list[int]:
        """The harmonics that are much larger than those beside them: quicker cycles of their own, largest first."""
        around = np.maximum(self.sizes[1:-1], np.append(self.sizes[3:], 0.0))
        standing_out = (
            np.flatnonzero((self.sizes[2:] > PEAK * around) & (self.sizes[2:] > SHARE_OF_PEAK * self.sizes.sum())) + 2
        )
        return sorted(standing_out.tolist(), key=lambda number: -self.sizes[number])


def fold(x: Array, y: Array, period: float) -> Folded:
    """A series ``y`` (n,) at ascending ``x`` (n,) by a period, without what changes more slowly."""
    z = y - _moving_average(x, y, period)
    step = float(np.median(np.diff(x)))
    phases = int(np.clip(round(period / step) if step > 0.0 else MOST_PHASES, FEWEST_PHASES, MOST_PHASES))
    turn = ((x - x[0]) / period + 0.5 / phases) % 1.0 * phases
    place = np.minimum(turn.astype(np.intp), phases - 1)
    waves = rfft(np.bincount(place, z, phases) / np.maximum(np.bincount(place, minlength=phases), 1)) / phases
    sizes = 2.0 * np.abs(waves) ** 2
    # the largest of many harmonics that are noise reach half of this
    sizes[(sizes * len(z) < 4.0 * np.log(len(z)) * np.var(z)) | (np.arange(len(sizes)) == 0)] = 0.0
    course = irfft(np.where(sizes > 0.0, waves, 0.0) * phases, phases)
    places = np.arange(-1, phases + 1)
    pattern = np.interp(turn - 0.5, places, np.take(course, places, mode="wrap"))
    return Folded(pattern, z - pattern, sizes, float(np.ptp(x)) / period)


def _moving_average(x: Array, y: Array, width: float) -> Array:
    """The means (n,) of the rows within half a width on either side."""
    sums = np.concatenate([[0.0], np.cumsum(y)])
    begin, end = np.searchsorted(x, x - 0.5 * width, "left"), np.searchsorted(x, x + 0.5 * width, "left")
    return np.asarray((sums[end] - sums[begin]) / np.maximum(end - begin, 1))

"""The shape of a curve as far as its posterior is sure of it: straight, rising, falling, turning, flat beyond.

A rise or fall counts when it is larger than chance leaves open (its posterior standard deviation) and no detail of
the whole (a tenth of the difference between the highest and the lowest place).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import BAND_SDS
from autostatistician.decompose.records.table import Contrast, CurveShape, Turn
from autostatistician.inference.projection import draw

__all__ = ["contrast", "curve_shape", "stops"]

Array = NDArray[np.float64]

DETAIL_SHARE = 0.1  # of the size of a curve: smaller rises and falls are not told
STRAIGHT_SHARE = 0.05  # of the size of a curve: a smaller distance from a line is not seen
FLAT_SHARE = 0.25  # of the range of the column: a shorter flat end is not told
PLACED_SHARE = 0.5  # of the range of the column: a turn known no better is none
EDGE_SHARE = 0.03  # of it: a turn so near to the end is none
STEEPER_TIMES = 1.5  # times: a smaller difference between two halves is not told
CURVES_DRAWN = 200


def contrast(mean: Array, cov: Array, start: int, stop: int) -> Contrast:
    """The value at one place less that at another, with its posterior standard deviation.

    >>> contrast(np.array([1.0, 3.0]), np.eye(2), 0, 1)
    Contrast(number=2.0, sd=1.4142135623730951)
    """
    variance = cov[start, start] + cov[stop, stop] - 2.0 * cov[start, stop]
    return Contrast(float(mean[stop] - mean[start]), float(np.sqrt(max(variance, 0.0))))


def curve_shape(x: Array, mean: Array, cov: Array, rng: np.random.Generator) -> CurveShape:
    """The shape of a curve with posterior ``mean`` (m,) and ``cov`` (m, m) at ascending places ``x`` (m,).

    Examples
    --------
    >>> x = np.linspace(0.0, 1.0, 11)
    >>> curve_shape(x, 2.0 * x, 1e-6 * np.eye(11), np.random.default_rng(0)).kind
    'straight'
    """
    low, high = int(mean.argmin()), int(mean.argmax())
    whole, size = contrast(mean, cov, 0, len(x) - 1), contrast(mean, cov, low, high)
    known = (whole, size, float(x[low]), float(x[high]))
    ends = stops(mean, cov, size.number)
    if not _is_sure(size, size.number):
        return CurveShape("unclear", *known)
    if len(ends) > 2:
        return _turning(x, mean, cov, ends, known, rng)
    if len(x) > 2 and _is_sure(whole, size.number) and _is_straight(x, mean, cov, size.number):
        return CurveShape("straight", *known)
    rising = high > low
    return CurveShape("rising" if rising else "falling", *known, (), *_flats(x, mean), _bend(x, mean, cov))


def _turning(
    x: Array,
    mean: Array,
    cov: Array,
    stops: list[int],
    known: tuple[Contrast, Contrast, float, float],
    rng: np.random.Generator,
) -> CurveShape:
    """A curve that turns; where the place of a single turn is not known, the larger of its two ways and no more."""
    turns = _turns(x, mean, cov, stops, rng)
    first, last = (abs(contrast(mean, cov, *leg).number) for leg in (stops[:2], stops[-2:]))
    if len(turns) > 1 or _is_placed(turns[0], x):
        return CurveShape("turning", *known, turns=turns)
    turn = turns[0]
    if first >= last:
        return CurveShape("rising" if turn.top else "falling", *known, open_from=turn.at)
    return CurveShape("falling" if turn.top else "rising", *known, open_until=turn.at)


def _is_placed(turn: Turn, x: Array) -> bool:
    """Whether the range of a turn is neither half of the column nor reaches an end of it."""
    low, high = turn.span
    reach = float(np.ptp(x))
    return high - low < PLACED_SHARE * reach and low > x[0] + EDGE_SHARE * reach and high < x[-1] - EDGE_SHARE * reach


def _is_sure(leg: Contrast, size: float) -> bool:
    return abs(leg.number) > BAND_SDS * leg.sd and abs(leg.number) >= DETAIL_SHARE * size > 0.0


def stops(mean: Array, cov: Array, size: float) -> list[int]:
    """The ends, and the extremes between them that are left when unsure rises and falls are taken out."""
    steps = np.sign(np.diff(mean))
    last = len(mean) - 1
    found = [0, *(np.flatnonzero(steps[1:] * steps[:-1] < 0) + 1).tolist(), last]
    while len(found) > 2:
        legs = [contrast(mean, cov, *leg) for leg in pairwise(found)]
        unsure = [index for index, leg in enumerate(legs) if not _is_sure(leg, size)]
        if not unsure:
            break
        worst = min(unsure, key=lambda index: abs(legs[index].number))
        del found[max(worst, 1) : min(worst + 2, len(found) - 1)]
    return found


def _turns(x: Array, mean: Array, cov: Array, stops: list[int], rng: np.random.Generator) -> tuple[Turn, ...]:
    """The inner stops, each with where draws of the curve have their extreme between its neighbours."""
    curves = draw(mean, cov, rng, scale=float(cov.diagonal().max()) or 1.0, count=CURVES_DRAWN)
    found = []
    for before, stop, after in zip(stops, stops[1:], stops[2:], strict=False):
        top = bool(mean[stop] > mean[before])
        near = curves[:, before : after + 1]
        places = x[before + (near.argmax(axis=1) if top else near.argmin(axis=1))]
        first, last = np.quantile(places, (0.025, 0.975), method="nearest").tolist()
        found.append(Turn(float(x[stop]), (first, last), top))
    return tuple(found)


def _is_straight(x: Array, mean: Array, cov: Array, size: float) -> bool:
    """Whether the distances from the best line are too small to see, or within what the posterior leaves open."""
    basis = np.column_stack([np.ones_like(x), (x - x.mean()) / np.ptp(x)])
    apart = np.eye(len(x)) - basis @ np.linalg.pinv(basis)
    left = apart @ mean
    if np.abs(left).max() < STRAIGHT_SHARE * size:
        return True
    sd = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", apart, cov, apart), 0.0))
    return bool(np.all(np.abs(left) < BAND_SDS * sd))


def _flats(x: Array, mean: Array) -> tuple[float | None, float | None]:
    """From where on, and until where, a rise or fall does only a tenth of its whole."""
    if len(x) < 4 or mean[-1] == mean[0]:
        return None, None
    done = (mean - mean[0]) / (mean[-1] - mean[0])
    away = np.flatnonzero((done < 1.0 - DETAIL_SHARE) | (done > 1.0 + DETAIL_SHARE))
    start, stop = float(x[away[-1] + 1]), float(x[np.flatnonzero(np.abs(done) > DETAIL_SHARE)[0] - 1])
    long = FLAT_SHARE * float(np.ptp(x))
    return (start if x[-1] - start >= long else None), (stop if stop - x[0] >= long else None)


def _bend(x: Array, mean: Array, cov: Array) -> int:
    """Whether the later half changes more (+1) or less (-1) than the earlier one, for sure and to be seen."""
    if len(x) < 3:
        return 0
    middle, last = int(np.abs(x - 0.5 * (x[0] + x[-1])).argmin()), len(x) - 1
    if not 0 < middle < last:
        return 0
    weights = np.zeros(len(x))
    weights[[0, middle, last]] = 1.0, -2.0, 1.0
    early, late = float(abs(mean[middle] - mean[0])), float(abs(mean[last] - mean[middle]))
    sure = abs(float(weights @ mean)) > BAND_SDS * np.sqrt(max(float(weights @ cov @ weights), 0.0))
    if not sure or max(early, late) < STEEPER_TIMES * min(early, late):
        return 0
    return 1 if late > early else -1

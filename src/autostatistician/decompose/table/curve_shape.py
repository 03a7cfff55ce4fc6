"""The shape of a curve as far as its posterior is sure of it: straight, rising, falling, turning, flat beyond.

Rises and falls are those between turning points (`decompose.turning_points`).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.table import Contrast, CurveShape
from autostatistician.decompose.turning_points import DETAIL_SHARE, contrast, is_sure, turning_points
from autostatistician.forms import BAND_SDS, CourseKind, TurnAt
from autostatistician.inference.posterior import draw

__all__ = ["curve_shape"]

Array = NDArray[np.float64]

STRAIGHT_SHARE = 0.05  # of the size of a curve: no eye sees that a line is nowhere further off
FLAT_SHARE = 0.25  # of the range of the column: a shorter flat end is not reported
PLACED_SHARE = 0.5  # of the range of the column: a turn counts only where its place is known better than this
EDGE_SHARE = 0.03  # of the range of the column: a turn whose place may be nearer to an end does not count
STEEPER_TIMES = 1.5  # one half must change so many times as much as the other for a bend to be reported
CURVES_DRAWN = 200


def curve_shape(x: Array, mean: Array, cov: Array, rng: np.random.Generator) -> CurveShape:
    """The shape of a curve with posterior ``mean`` (m,) and ``cov`` (m, m) at ascending inputs ``x`` (m,).

    >>> x = np.linspace(0.0, 1.0, 11)
    >>> curve_shape(x, 2.0 * x, 1e-6 * np.eye(11), np.random.default_rng(0)).kind
    <CourseKind.STRAIGHT: 'straight'>
    """
    low, high = int(mean.argmin()), int(mean.argmax())
    whole, size = contrast(mean, cov, 0, len(x) - 1), contrast(mean, cov, low, high)
    sizes = (whole, size, float(x[low]), float(x[high]))
    stops = turning_points(mean, cov, size.number)
    if not is_sure(size, size.number):
        return CurveShape(CourseKind.UNCLEAR, *sizes)
    if len(stops) > 2:
        return _turning(x, mean, cov, stops, sizes, rng)
    if len(x) > 2 and is_sure(whole, size.number) and _is_straight(x, mean, cov, size.number):
        return CurveShape(CourseKind.STRAIGHT, *sizes)
    kind = CourseKind.RISING if high > low else CourseKind.FALLING
    return CurveShape(kind, *sizes, (), *_flats(x, mean), _bend(x, mean, cov))


def _turning(
    x: Array,
    mean: Array,
    cov: Array,
    stops: list[int],
    sizes: tuple[Contrast, Contrast, float, float],
    rng: np.random.Generator,
) -> CurveShape:
    """A curve that turns; where the place of its only turn is not known, the larger of its two legs and no more."""
    turns = _turns(x, mean, cov, stops, rng)
    legs = tuple(contrast(mean, cov, *leg) for leg in pairwise(stops))
    if len(turns) > 1 or _is_placed(turns[0], x):
        return CurveShape(CourseKind.TURNING, *sizes, turns=turns, legs=legs)
    turn = turns[0]
    if abs(legs[0].number) >= abs(legs[-1].number):
        return CurveShape(CourseKind.RISING if turn.top else CourseKind.FALLING, *sizes, open_from=turn.at)
    return CurveShape(CourseKind.FALLING if turn.top else CourseKind.RISING, *sizes, open_until=turn.at)


def _is_placed(turn: TurnAt, x: Array) -> bool:
    """Whether the range of a turn is neither half of the column nor reaches an end of it."""
    low, high = turn.span
    reach = float(np.ptp(x))
    return high - low < PLACED_SHARE * reach and low > x[0] + EDGE_SHARE * reach and high < x[-1] - EDGE_SHARE * reach


def _turns(x: Array, mean: Array, cov: Array, stops: list[int], rng: np.random.Generator) -> tuple[TurnAt, ...]:
    """The inner stops, each with where draws of the curve have their extreme between its neighbours."""
    curves = draw(mean, cov, rng, scale=float(cov.diagonal().max()) or 1.0, count=CURVES_DRAWN)
    turns = []
    for before, stop, after in zip(stops, stops[1:], stops[2:], strict=False):
        top = bool(mean[stop] > mean[before])
        near = curves[:, before : after + 1]
        extremes = x[before + (near.argmax(axis=1) if top else near.argmin(axis=1))]
        first, last = np.quantile(extremes, (0.025, 0.975), method="nearest").tolist()
        turns.append(TurnAt(float(x[stop]), (first, last), top))
    return tuple(turns)


def _is_straight(x: Array, mean: Array, cov: Array, size: float) -> bool:
    """Whether the distances from the best line are too small to see, or within what the posterior leaves open."""
    basis = np.column_stack([np.ones_like(x), (x - x.mean()) / np.ptp(x)])
    off_the_line = np.eye(len(x)) - basis @ np.linalg.pinv(basis)
    distances = off_the_line @ mean
    if np.abs(distances).max() < STRAIGHT_SHARE * size:
        return True
    sd = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", off_the_line, cov, off_the_line), 0.0))
    return bool(np.all(np.abs(distances) < BAND_SDS * sd))


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

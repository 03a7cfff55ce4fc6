"""Where the effect of a column turns from one pace to another: two lines that meet, of a curve and by rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import pi

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from autostatistician.decompose.records.table import END_QUANTILES, Contrast, Hinge
from autostatistician.decompose.table.least_squares import MOST_LEVERAGE, AlikeRows, orthonormal
from autostatistician.decompose.turning_points import DETAIL_SHARE
from autostatistician.decompose.uncertainty import CURVES_DRAWN
from autostatistician.forms import BAND_SDS
from autostatistician.gp.posterior import draw

__all__ = ["hinge_of_curve", "hinge_of_rows"]

Array = NDArray[np.float64]

SLOW = 0.4  # of the pace of the steeper line: what is flat surely goes no faster

FLAT_SHARE = 0.25  # of the range of the column: a shorter flat end is not reported


def hinge_of_curve(x: Array, mean: Array, cov: Array, rng: np.random.Generator) -> Hinge | None:
    """The hinge of a curve with posterior ``mean`` (m,) and ``cov`` (m, m) at ascending places; None of fewer than 3.

    It does not bend where both halves are as steep: an S is no hinge.

    >>> x = np.arange(21.0)
    >>> found = hinge_of_curve(x, np.maximum(x - 12.0, 0.0), 1e-4 * np.eye(21), np.random.default_rng(0))
    >>> found.at, found.bend, found.flat
    (12.0, 1, True)
    """
    level = np.ones((len(x), 1))
    places, turns = _turns(x, level)
    if not places.size:
        return None
    curves = draw(mean, cov, rng, scale=float(cov.diagonal().max()) or 1.0, count=CURVES_DRAWN)
    at, drawn = places[np.abs(mean @ turns).argmax()], places[np.abs(curves @ turns).argmax(axis=1)]
    found, halves = (
        _of_chords(x, mean, cov, place, drawn) for place in (at, x[np.abs(x - x[[0, -1]].mean()).argmin()])
    )
    return found if found.bend == halves.bend else replace(found, bend=0, flat=False)


def _of_chords(x: Array, mean: Array, cov: Array, at: float, drawn: Array) -> Hinge:
    """The hinge of a curve at a place, by the chords to both ends: how it goes on there is as open as these are."""
    middle, chords = int(np.searchsorted(x, at)), np.zeros((2, len(x)))
    chords[0, [0, middle]] = np.array([-1.0, 1.0]) / (at - x[0])
    chords[1, [middle, -1]] = np.array([-1.0, 1.0]) / (x[-1] - at)
    return _hinge(x, at, drawn, chords @ mean, [chords @ cov @ chords.T])


def hinge_of_rows(x: Array, others: Array, y: Array, alike: AlikeRows | None = None) -> Hinge | None:
    """The hinge of a column (n,) beside terms (n, k) of others, the level among them, by least squares.

    Its p-value is of the best of all places, by the length of the path that the turns there take on the sphere (Knafl,
    Sacks and Ylvisaker 1985). It and the ranges are the wider ones of equal and unequal noise, and wider where rows are
    ``alike``. None where others leave nothing of a turn.

    >>> x, noise = np.arange(100.0), np.random.default_rng(0).normal(size=100)
    >>> courses = 0.1 * np.maximum(x - 60.0, 0.0), 0.05 * x
    >>> [hinge_of_rows(x, np.ones((100, 1)), course + noise).p < 0.01 for course in courses]
    [True, False]
    """
    places, turns = _turns(x, others)
    basis = orthonormal(np.column_stack([others, x]))
    free = len(x) - basis.shape[1] - 1
    if not places.size or free < 1:
        return None
    gains = y @ turns
    best = int(np.abs(gains).argmax())
    left = y - basis @ (basis.T @ y) - gains[best] * turns[:, best]
    spread, leverage = float(left @ left) / free, np.sum(basis**2, axis=1) + turns[:, best] ** 2
    far = left / (1.0 - np.minimum(leverage, MOST_LEVERAGE))
    sides = np.minimum(x - places[best], 0.0), np.maximum(x - places[best], 0.0)
    # With a step there, ranges are those of lines that may meet elsewhere (Muggeo 2003).
    slopes, apart = (
        np.linalg.pinv(np.column_stack([others, *step, *sides]))[-2:] for step in ((), (x > places[best],))
    )
    likely = places[gains**2 >= gains[best] ** 2 - BAND_SDS**2 * spread]
    wider = 1.0 if alike is None else max(alike.variance(turns[:, [best]]), 1.0)
    found = [wider * spread * apart @ apart.T, wider * (apart * far**2) @ apart.T]
    sizes = wider * max(float(spread), float((turns[:, best] ** 2) @ far**2))
    p = _best_p(abs(float(gains[best])) / np.sqrt(sizes or 1.0), turns, free)
    return _hinge(x, places[best], likely[[0, -1]], slopes @ y, found, p)


def _turns(x: Array, others: Array) -> tuple[Array, Array]:
    """Places (k,) of a column (n,), and what bends there alone: unit vectors (n, k), without what others explain."""
    basis = orthonormal(np.column_stack([others, x]))
    low, high = np.quantile(x, END_QUANTILES, method="nearest")
    places = np.unique(x[(x >= low) & (x <= high)])
    turns = np.maximum(x[:, None] - places, 0.0)
    alone = turns - basis @ (basis.T @ turns)
    sizes = np.linalg.norm(alone, axis=0)
    seen = sizes > 1e-9 * np.linalg.norm(turns, axis=0)
    return places[seen], alone[:, seen] / sizes[seen]


def _best_p(t: float, turns: Array, free: int) -> float:
    """The p-value of the largest of the sizes of t-statistics along unit vectors (n, k) that follow on each other."""
    angles = np.arccos(np.clip(np.sum(turns[:, 1:] * turns[:, :-1], axis=0), -1.0, 1.0))
    return float(min(1.0, 2.0 * student.sf(t, free) + angles.sum() / pi * (1.0 + t**2 / free) ** (-0.5 * free)))


def _hinge(x: Array, at: float, places: Array, slopes: Array, covariances: Sequence[Array], p: float = 1.0) -> Hinge:
    """A hinge with ``slopes`` (2,) whose covariances may be each of some, and draws of the places of its turn."""

    def told(*weights: float) -> Contrast:
        variance = max(float(np.array(weights) @ each @ np.array(weights)) for each in covariances)
        return Contrast(float(np.array(weights) @ slopes), float(np.sqrt(max(variance, 0.0))))

    before, after, turn = told(1.0, 0.0), told(0.0, 1.0), told(-1.0, 1.0)
    bend = int(np.sign(abs(after.number) - abs(before.number))) if _is_clear(turn) else 0
    low, high = np.quantile(places, (0.025, 0.975), method="nearest").tolist()
    slow, steep = ((before, at - x.min()), (after, x.max() - at))[:: bend or 1]
    apart = all(_is_clear(told(*(side, SLOW)[:: bend or 1])) for side in (-1.0, 1.0))
    is_flat = bool(bend and apart and _is_little(slow, steep))
    return Hinge(float(at), (low, high), before, after, bend, is_flat, p)


def _is_clear(slope: Contrast) -> bool:
    return abs(slope.number) > BAND_SDS * slope.sd


def _is_little(slow: tuple[Contrast, float], steep: tuple[Contrast, float]) -> bool:
    """Whether a line of a slope and a length hardly changes anything beside another, and is not short."""
    (slope, length), (pace, other) = slow, steep
    little = abs(slope.number) * length <= DETAIL_SHARE * abs(pace.number) * other
    return (little or not _is_clear(slope)) and length >= FLAT_SHARE * (length + other)

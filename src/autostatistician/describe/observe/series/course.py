"""Facts about the course of a part: where it heads, whether it bends or turns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.facts.judgement import LIKELY, SURE
from autostatistician.describe.facts.part import (
    DampedTrend,
    Head,
    MultiscaleVariation,
    PolynomialTrend,
    RapidVariation,
    SmoothVariation,
    Trend,
    TrendCourse,
    Wandering,
    Way,
)
from autostatistician.describe.observe.series.component_view import ComponentView
from autostatistician.describe.observe.series.heads import sign_of, slope_band
from autostatistician.forms import BAND_SDS
from autostatistician.language.leaf_row import LeafKind

__all__ = ["course", "trend"]

MOST_BACK = 0.25  # of a rise: what goes back by more in between is no single one

Vector = NDArray[np.float64]


def trend(name: str, head: Head, of: ComponentView) -> tuple[Trend, ...]:
    """Where a curve heads that neither repeats nor follows a formula; nothing for other parts."""
    if not isinstance(head, SmoothVariation | RapidVariation | MultiscaleVariation | Wandering | DampedTrend):
        return ()
    component, x, mean = of.component, of.x[of.where], of.component.mean[of.where]
    number, band = slope_band(component)
    sign, sure = int(np.sign(number)), sign_of(component)
    joint = component.joint
    always = 0.0 if joint is None else joint.rising if sign > 0 else joint.falling
    legs = () if joint is None else joint.legs
    steady = len(legs) < 2 and sign != 0 and (always >= SURE or (always >= LIKELY and sure < SURE))
    return (
        Trend(
            id=f"{name}/trend", number=number, unit="target per axis", interval=band,
            evidence="joint posterior at the data where the part applies", probability=always if steady else sure,
            direction=sign if sure >= LIKELY else 0, steady=steady, share=_gained(mean, sign),
            legs=legs, highest_at=float(x[mean.argmax()]), lowest_at=float(x[mean.argmin()]), rise=_largest(x, mean, 1),
            fall=_largest(x, mean, -1),
        ),
    )  # fmt: skip


def _largest(x: Vector, mean: Vector, sign: int) -> Way | None:
    """The largest rise (or fall, by its ``sign``) of a curve; None where there is none.

    In between it never goes back by more than a quarter of it: that would be another fall, and another rise.

    >>> _largest(np.arange(5.0), np.array([3.0, 0.0, 5.0, 4.0, 6.0]), 1)
    Way(start=1.0, stop=4.0, change=6.0, first=0.0)
    >>> _largest(np.arange(5.0), np.array([3.0, 0.0, 5.0, 1.0, 5.5]), 1)
    Way(start=1.0, stop=2.0, change=5.0, first=0.0)
    """
    way = sign * mean
    best = (0.0, 0, 0)
    for start in np.flatnonzero(np.diff(way) > 0.0):
        if start and way[start - 1] < way[start]:
            continue  # it rose before
        later = way[start:] - way[start]
        tops = np.maximum.accumulate(later)
        backs = np.maximum.accumulate(tops - later)
        reached = np.where((later >= tops) & (backs <= MOST_BACK * tops), later, 0.0)
        stop = int(np.argmax(reached))
        best = max(best, (float(reached[stop]), int(start), int(start) + stop))
    size, start, stop = best
    return Way(float(x[start]), float(x[stop]), float(mean[stop] - mean[start]), float(mean[start])) if size else None


def _gained(mean: Vector, sign: int) -> float:
    """How much of its size a curve goes in one direction: from end to end or, if that is less, from third to third."""
    third, size = max(len(mean) // 3, 1), float(np.ptp(mean))
    way = min(sign * (mean[-1] - mean[0]), sign * (mean[-third:].mean() - mean[:third].mean()))
    return float(way) / size if size > 0.0 else 0.0


def course(name: str, head: Head, of: ComponentView) -> tuple[TrendCourse, ...]:
    """How a slow trend or a polynomial runs; nothing for other parts.

    What is told without reserve is not mixed with what is only probable.
    """
    bend, joint = of.component.bend, of.component.joint
    slow = isinstance(head, SmoothVariation) and head.slow and not of.part.of(LeafKind.LINE)
    if bend is None or joint is None or not (isinstance(head, PolynomialTrend) or slow):
        return ()
    signs = [_signed(joint.rising, joint.falling), _signed(joint.convex, joint.concave), _signed(joint.dip, joint.peak)]
    least = SURE if any(probability >= SURE for _, probability in signs) else LIKELY
    direction, curvature, turn = (sign if probability >= least else 0 for sign, probability in signs)
    held = [probability for _, probability in signs if probability >= least]
    half = BAND_SDS * bend.change_sd
    return (
        TrendCourse(
            id=f"{name}/course", number=bend.change, unit="target per axis",
            interval=(bend.change - half, bend.change + half),
            evidence="joint posterior at the data where the part applies; slopes over their first and second half",
            probability=min(held, default=None), direction=direction, curvature=curvature, turn=turn, early=bend.early,
            late=bend.late,
        ),
    )  # fmt: skip


def _signed(up: float, down: float) -> tuple[int, float]:
    """The likelier of two opposites with its probability.

    >>> _signed(0.2, 0.7)
    (-1, 0.7)
    """
    return (1, up) if up >= down else (-1, down)

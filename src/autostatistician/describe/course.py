"""Facts about the course of a part: where it heads, whether it bends or turns, when in its period a cycle is high."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records import BAND, Component
from autostatistician.describe.facts import (
    Course,
    CyclePhase,
    Head,
    MultiscaleVariation,
    Periodicity,
    PolynomialTrend,
    RapidVariation,
    SmoothVariation,
    Trend,
    Wandering,
)
from autostatistician.describe.heads import sign_of, slope_band
from autostatistician.describe.hedges import LIKELY, SURE
from autostatistician.describe.seen import Seen
from autostatistician.describe.units import Units, phase_kind, phases

__all__ = ["course", "cycle_phase", "trend"]

Vector = NDArray[np.float64]

CERTAIN = 2.0  # standard deviations between the size of a cycle and zero before its peaks are named
_STANDS_OUT = 0.05  # of the swing: how far a peak must rise above the values elsewhere in the period
_AGREE = 2 / 3  # of all cycles must peak within one step of the same place before it is named


def trend(name: str, head: Head, component: Component, where: NDArray[np.bool_]) -> tuple[Trend, ...]:
    """Where a curve heads that neither repeats nor follows a formula; nothing for other parts."""
    if not isinstance(head, SmoothVariation | RapidVariation | MultiscaleVariation | Wandering):
        return ()
    number, band = slope_band(component)
    sign, sure = int(np.sign(number)), sign_of(component)
    joint = component.joint
    always = 0.0 if joint is None else joint.rising if sign > 0 else joint.falling
    steady = sign != 0 and (always >= SURE or (always >= LIKELY and sure < SURE))
    return (
        Trend(
            id=f"{name}/trend",
            number=number,
            unit="target per axis",
            interval=band,
            evidence="joint posterior at the data where the part applies",
            probability=always if steady else sure,
            direction=sign if sure >= LIKELY else 0,
            steady=steady,
            share=_gained(component.mean[where], sign),
        ),
    )


def _gained(mean: Vector, sign: int) -> float:
    """How much of its size a curve goes in one direction: from end to end or, if that is less, from third to third."""
    third, size = max(len(mean) // 3, 1), float(np.ptp(mean))
    way = min(sign * (mean[-1] - mean[0]), sign * (mean[-third:].mean() - mean[:third].mean()))
    return float(way) / size if size > 0.0 else 0.0


def course(name: str, head: Head, of: Seen) -> tuple[Course, ...]:
    """How a slow trend or a polynomial runs; nothing for other parts.

    What is told without reserve is not mixed with what is only probable.
    """
    bend, joint = of.component.bend, of.component.joint
    slow = isinstance(head, SmoothVariation) and head.slow and not of.part.of("Lin")
    if bend is None or joint is None or not (isinstance(head, PolynomialTrend) or slow):
        return ()
    told = [_signed(joint.rising, joint.falling), _signed(joint.convex, joint.concave), _signed(joint.dip, joint.peak)]
    least = SURE if any(probability >= SURE for _, probability in told) else LIKELY
    direction, curvature, turn = (sign if probability >= least else 0 for sign, probability in told)
    held = [probability for _, probability in told if probability >= least]
    half = BAND * bend.change_sd
    return (
        Course(
            id=f"{name}/course",
            number=bend.change,
            unit="target per axis",
            interval=(bend.change - half, bend.change + half),
            evidence="joint posterior at the data where the part applies; slopes over their first and second half",
            probability=min(held, default=None),
            direction=direction,
            curvature=curvature,
            turn=turn,
            early=bend.early,
            late=bend.late,
        ),
    )


def _signed(up: float, down: float) -> tuple[int, float]:
    """The likelier of two opposites with its probability.

    >>> _signed(0.2, 0.7)
    (-1, 0.7)
    """
    return (1, up) if up >= down else (-1, down)


def cycle_phase(
    name: str, head: Head, component: Component, where: NDArray[np.bool_], x: Vector, units: Units
) -> tuple[CyclePhase, ...]:
    """When a cycle is highest and lowest, where most of its cycles in the data agree on that."""
    if not isinstance(head, Periodicity) or head.exactness == "loose":
        return ()
    x, mean, sd = x[where], component.mean[where], component.sd[where]
    if x.size < 4 or np.ptp(mean) < 2.0 * CERTAIN * np.median(sd) or x[-1] - x[0] < head.number:
        return ()
    kind = phase_kind(head.number, units)
    if kind:
        return _named_phase(name, kind, head, x, mean, units)
    peak = _last_peak(component, head.number, float(x[0]), float(x[-1]))
    return () if peak is None else (_phase(name, peak, "", None, None),)


def _phase(name: str, peak: float, kind: str, high: int | None, low: int | None) -> CyclePhase:
    evidence = "posterior mean at the data where the part applies"
    return CyclePhase(id=f"{name}/phase", number=peak, unit="axis", evidence=evidence, kind=kind, high=high, low=low)


def _named_phase(
    name: str, kind: str, head: Periodicity, x: Vector, mean: Vector, units: Units
) -> tuple[CyclePhase, ...]:
    """The month, weekday or hour of the peaks and of the dips, where most cycles agree on both.

    Data too sparse to show single cycles are taken together, where the shape of the cycle stays.
    """
    labels, size = phases(x, kind, units)
    groups = _whole_cycles(x, head.number, float(np.median(np.diff(x))))
    usual = np.array([mean[labels == label].mean() if (labels == label).any() else np.nan for label in range(size + 1)])
    if groups:
        high = _agreed(labels[_extremes(mean, groups)].tolist(), usual, size, len(groups))
        low = _agreed(labels[_extremes(-mean, groups)].tolist(), -usual, size, len(groups))
        last = groups[-1]
    elif head.drift is None or head.steady:
        high, low = (
            _outstanding(int(np.nanargmax(usual)), usual, size),
            _outstanding(int(np.nanargmin(usual)), -usual, size),
        )
        last = np.flatnonzero(labels == (high if high is not None else low))
    else:
        return ()
    if high is None and low is None:
        return ()
    return (_phase(name, float(x[last[np.argmax(mean[last])]]), kind, high, low),)


def _whole_cycles(x: Vector, period: float, gap: float) -> list[NDArray[np.intp]]:
    """Rows of each stretch of one period that has (nearly) all its observations, which are usually ``gap`` apart."""
    number = np.floor((x - x[0]) / period + 1e-9)
    groups = [np.flatnonzero(number == k) for k in range(int(number[-1]) + 1)]
    return [rows for rows in groups if rows.size >= 4 and rows.size >= 0.8 * period / gap]


def _extremes(mean: Vector, groups: list[NDArray[np.intp]]) -> list[int]:
    """The row of the highest value of each cycle, where its neighbours within and beyond the cycle are not higher."""
    tops = [int(rows[np.argmax(mean[rows])]) for rows in groups]
    return [top for top in tops if mean[top] >= mean[max(top - 1, 0) : top + 2].max()]


def _agreed(labels: list[int], usual: Vector, size: int, cycles: int) -> int | None:
    """The label that most of the ``cycles`` share, give or take one step around the circle of ``size`` labels.

    None where they do not agree, or where the ``usual`` value there hardly stands out from those two steps away.

    >>> usual = np.cos(2 * np.pi * (np.arange(13) - 7) / 12)
    >>> _agreed([7, 7, 8, 7], usual, 12, 4), _agreed([1, 4, 7, 10], usual, 12, 4), _agreed([7], usual, 12, 4)
    (7, None, None)
    """
    counts = Counter(labels)
    near = {one: sum(counts[other] for other in counts if (other - one) % size in (0, 1, size - 1)) for one in counts}
    best = max(sorted(counts), key=lambda label: (near[label], counts[label]), default=None)
    if best is None or near[best] < _AGREE * cycles:
        return None
    return _outstanding(best, usual, size)


def _outstanding(best: int, usual: Vector, size: int) -> int | None:
    """A label, where its ``usual`` value stands out from those two steps away and further."""
    elsewhere = [value for one, value in enumerate(usual) if (one - best) % size not in (0, 1, size - 1)]
    swing = float(np.nanmax(usual) - np.nanmin(usual))
    return best if usual[best] - np.nanmax(elsewhere) > _STANDS_OUT * swing else None


def _last_peak(component: Component, period: float, first: float, last: float) -> float | None:
    """Position of the highest value of the last period before the end of the data; None where that is at its edge."""
    curve = component.curve
    rows = np.flatnonzero((curve.x >= max(first, last - 1.25 * period)) & (curve.x <= last))
    inner = [i for i in rows[1:-1] if curve.mean[i] >= max(curve.mean[i - 1], curve.mean[i + 1])]
    return float(curve.x[max(inner, key=lambda i: float(curve.mean[i]))]) if inner else None

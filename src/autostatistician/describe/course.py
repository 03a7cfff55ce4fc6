"""Facts about the course of a part: whether a trend bends or turns, and when in its period a cycle is high or low."""

from __future__ import annotations

from collections import Counter
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records import Component
from autostatistician.describe.facts import Course, CyclePhase, Head, Periodicity, PolynomialTrend, SmoothVariation
from autostatistician.describe.units import Units, phase_kind, phases

__all__ = ["CERTAIN", "certain_sign", "course", "cycle_phase"]

Vector = NDArray[np.float64]

CERTAIN = 2.0  # standard deviations between a value and zero before its sign is stated
_STANDS_OUT = 0.05  # of the swing: how far a peak must rise above the values elsewhere in the period
_AGREE = 2 / 3  # of all cycles must peak within one step of the same place before it is named


def certain_sign(value: float, sd: float) -> int:
    """The sign of a value that is known up to a standard deviation; 0 where it is not certain.

    >>> certain_sign(2.1, 1.0), certain_sign(-1.9, 1.0), certain_sign(-1.0, 0.0)
    (1, 0, -1)
    """
    return int(np.sign(value)) if isfinite(value) and isfinite(sd) and abs(value) > CERTAIN * sd else 0


def course(name: str, head: Head, component: Component) -> tuple[Course, ...]:
    """How a trend runs, where the posterior is certain of it; nothing for other parts."""
    bend = component.bend
    if bend is None or not (isinstance(head, PolynomialTrend) or (isinstance(head, SmoothVariation) and head.slow)):
        return ()
    early, late = certain_sign(bend.early, bend.early_sd), certain_sign(bend.late, bend.late_sd)
    sign = certain_sign(bend.change, bend.change_sd)
    curvature = sign if sign == bend.curvature else 0
    band = (bend.change - 1.96 * bend.change_sd, bend.change + 1.96 * bend.change_sd)
    return (
        Course(
            id=f"{name}/course",
            number=bend.change,
            unit="target per axis",
            interval=band,
            evidence="posterior slope over the first and over the second half of the data where the part applies",
            direction=early if early == late == component.monotonic else 0,
            curvature=curvature,
            turn=late if early * late < 0 and curvature == late else 0,
            early=bend.early,
            late=bend.late,
        ),
    )


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
        return _named_phase(name, kind, head.number, x, mean, units)
    peak = _last_peak(component, head.number, float(x[0]), float(x[-1]))
    return () if peak is None else (_phase(name, peak, "", None, None),)


def _phase(name: str, peak: float, kind: str, high: int | None, low: int | None) -> CyclePhase:
    evidence = "posterior mean at the data where the part applies"
    return CyclePhase(id=f"{name}/phase", number=peak, unit="axis", evidence=evidence, kind=kind, high=high, low=low)


def _named_phase(name: str, kind: str, period: float, x: Vector, mean: Vector, units: Units) -> tuple[CyclePhase, ...]:
    """The month, weekday or hour of the peaks and of the dips, where most cycles agree on both."""
    (labels, size), groups = phases(x, kind, units), _whole_cycles(x, period, units.gap)
    usual = np.array([mean[labels == label].mean() if (labels == label).any() else np.nan for label in range(size + 1)])
    high = _agreed(labels[_extremes(mean, groups)].tolist(), usual, size, len(groups))
    low = _agreed(labels[_extremes(-mean, groups)].tolist(), -usual, size, len(groups))
    if high is None and low is None:
        return ()
    last = groups[-1]
    return (_phase(name, float(x[last[np.argmax(mean[last])]]), kind, high, low),)


def _whole_cycles(x: Vector, period: float, gap: float) -> list[NDArray[np.intp]]:
    """Rows of each stretch of one period that has (nearly) all its observations."""
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
    elsewhere = [value for one, value in enumerate(usual) if (one - best) % size not in (0, 1, size - 1)]
    swing = float(np.nanmax(usual) - np.nanmin(usual))
    return best if usual[best] - np.nanmax(elsewhere) > _STANDS_OUT * swing else None


def _last_peak(component: Component, period: float, first: float, last: float) -> float | None:
    """Position of the highest value of the last period before the end of the data; None where that is at its edge."""
    curve = component.curve
    rows = np.flatnonzero((curve.x >= max(first, last - 1.25 * period)) & (curve.x <= last))
    inner = [i for i in rows[1:-1] if curve.mean[i] >= max(curve.mean[i - 1], curve.mean[i + 1])]
    return float(curve.x[max(inner, key=lambda i: float(curve.mean[i]))]) if inner else None

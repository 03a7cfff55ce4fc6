"""When in its period a cycle is high and low: the means of the data over the phase, with their doubt.

A reader who wants to know when a cycle is high takes the mean of all Julys, of all Augusts, and so on. So do these
words, after what changes more slowly than the cycle is taken off the data. Whether two of these means differ is judged
cycle by cycle, so that a level or a size that changes from one to the next does not blur it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from autostatistician.decompose.records.series import Component, Decomposition
from autostatistician.describe.axis.cycles import first_phase, phase_kind, phases
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.judgement import SURE
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.facts.part import CyclePhase, Head, Periodicity
from autostatistician.describe.observe.series.anatomy import Anatomy, ComponentView, anatomy, smooth_length
from autostatistician.kernels.leaf_row import LeafKind

__all__ = ["cycle_phase"]

Vector = NDArray[np.float64]

CERTAIN = 2.0  # standard deviations between the size of a cycle and zero before its peaks are named
SLOWER = 1.05  # of a period: another cycle that takes longer is no shape of this one
FEWEST_PAIRS = 3  # cycles that show two places each, from which these are compared within cycles


def cycle_phase(name: str, head: Head, of: ComponentView, decomposition: Decomposition) -> tuple[CyclePhase, ...]:
    """When a cycle is highest and lowest; nothing where the data do not tell it."""
    if not isinstance(head, Periodicity):
        return ()
    where, component = of.where, of.component
    x, mean, sd = decomposition.x[where], component.mean[where], component.sd[where]
    if x.size < 4 or np.ptp(mean) < 2.0 * CERTAIN * np.median(sd) or x[-1] - x[0] < head.number:
        return ()
    kind = phase_kind(head.number, of.units)
    if kind:
        values = (decomposition.modelled - _slower(component, head.number, decomposition))[where]
        return _named(name, kind, head.number, x, values, of.units)
    peak = _last_peak(component, head.number, float(x[0]), float(x[-1]))
    return () if peak is None else (_phase(name, peak, Phase.UNNAMED, (), ()),)


def _phase(name: str, peak: float, kind: Phase, high: tuple[int, ...], low: tuple[int, ...]) -> CyclePhase:
    evidence = "means of the data without the slower parts" if kind else "posterior mean at the data"
    return CyclePhase(id=f"{name}/phase", number=peak, unit="axis", evidence=evidence, kind=kind, high=high, low=low)


def _slower(component: Component, period: float, decomposition: Decomposition) -> Vector:
    """The sum of all other parts that change more slowly than a cycle of this period (n,)."""
    others = [part for part in decomposition.components if part is not component and not part.is_noise]
    slow = [part.mean for part in others if _is_slower(anatomy(part.kernel), period)]
    return np.asarray(np.sum(slow, axis=0)) if slow else np.zeros(len(decomposition.x))


def _is_slower(part: Anatomy, period: float) -> bool:
    cycles = [numbers["period"] for numbers in part.of(LeafKind.CYCLIC)]
    if cycles:
        return min(cycles) > SLOWER * period
    length = smooth_length(part)
    return length is None or length >= period


def _named(name: str, kind: Phase, period: float, x: Vector, values: Vector, units: Units) -> tuple[CyclePhase, ...]:
    """The months, weekdays or hours whose means are highest and lowest."""
    labels, size = phases(x, kind, units)
    table = _by_cycle(np.floor((x - x[0]) / period + 1e-9).astype(np.int64), labels % size, values, size)
    high, low = (_level_with_best(sign * table) for sign in (1.0, -1.0))
    if not high and not low:
        return ()
    last = np.flatnonzero(x > x[-1] - period)
    peak = float(x[last[np.argmax(values[last])]])
    first = first_phase(kind)
    return (
        _phase(name, peak, kind, *(tuple((number - first) % size + first for number in ones) for ones in (high, low))),
    )


def _by_cycle(cycles: NDArray[np.int64], labels: NDArray[np.int64], values: Vector, size: int) -> Vector:
    """Means (k, size) of each cycle at each place of the phase; NaN where there is no datum."""
    sums, counts = np.zeros((2, int(cycles[-1]) + 1, size))
    np.add.at(sums, (cycles, labels), values)
    np.add.at(counts, (cycles, labels), 1.0)
    return np.asarray(np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0.0))


def _level_with_best(table: Vector) -> tuple[int, ...]:
    """The places whose means are the highest or level with it, within their doubt, in the order of the circle.

    What is no higher than one that is surely lower is none of them, however much it scatters. None where these are half
    of all or more, or lie apart from each other.

    >>> rows = np.tile([0.0, 9.0, 8.9, 1.0, 0.0, 2.0, 1.0, 0.0], (4, 1))
    >>> _level_with_best(rows + np.outer([0.0, 1.0, 2.0, 5.0], np.ones(8)) * 0.1), _level_with_best(0.0 * rows)
    ((1,), ())
    >>> rows[:, 2] += [0.5, -0.5, 0.4, 0.0]
    >>> _level_with_best(rows)
    (1, 2)
    """
    size = table.shape[1]
    counts = np.sum(np.isfinite(table), axis=0)
    means = np.nansum(table, axis=0) / np.where(counts > 0, counts, np.nan)
    if not np.isfinite(means).any():
        return ()
    best = int(np.nanargmax(means))
    lower = [place for place in range(size) if counts[place] and place != best and _is_lower(table, place, best)]
    least = max((means[place] for place in lower), default=-np.inf)
    level = {place for place in range(size) if means[place] > least}
    start = next((value for value in sorted(level) if (value - 1) % size not in level), best)
    run = [(start + step) % size for step in range(len(level))]
    return tuple(run) if set(run) == level and 2 * len(level) < size else ()


def _is_lower(table: Vector, place: int, best: int) -> bool:
    """Whether the mean at one place is surely lower than at another: by their differences within the cycles."""
    apart = table[:, best] - table[:, place]
    apart = apart[np.isfinite(apart)]
    if len(apart) >= FEWEST_PAIRS:
        middle, sd, freedom = float(apart.mean()), float(apart.std(ddof=1) / np.sqrt(len(apart))), len(apart) - 1
    else:
        columns = [table[np.isfinite(table[:, at]), at] for at in (best, place)]
        if min(map(len, columns)) < 2:
            return False
        middle = float(columns[0].mean() - columns[1].mean())
        sd = float(np.sqrt(sum(column.var(ddof=1) / len(column) for column in columns)))
        freedom = min(map(len, columns)) - 1
    least = 1e-9 * float(np.nanmax(np.abs(table)))
    return middle > max(student.ppf(SURE, freedom) * sd, least)


def _last_peak(component: Component, period: float, first: float, last: float) -> float | None:
    """Position of the highest value of the last period before the end of the data; None where that is at its edge."""
    curve = component.curve
    rows = np.flatnonzero((curve.x >= max(first, last - 1.25 * period)) & (curve.x <= last))
    inner = [i for i in rows[1:-1] if curve.mean[i] >= max(curve.mean[i - 1], curve.mean[i + 1])]
    return float(curve.x[max(inner, key=lambda i: float(curve.mean[i]))]) if inner else None

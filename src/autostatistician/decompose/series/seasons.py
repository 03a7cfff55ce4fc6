"""The seasons of a function by least squares: sines of given periods beside a course that bends at knots.

The same linear map gives the seasons of every draw of the function and, as a plain statistic, those of the data. A
cycle that no calendar keeps in step may become larger, smaller, earlier or later from one stretch to the next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lstsq
from scipy.stats import f as f_distribution

from autostatistician.decompose.records.function import Estimate
from autostatistician.decompose.series.estimates import SEEN, estimate

__all__ = ["MOST_PHASES", "SeasonMap", "broken_lines", "knots_of_course", "period_of", "season_map"]

Array = NDArray[np.float64]

MOST_HARMONICS = 12  # of one season
MOST_PHASES = 60  # at which a season is reported; one of more rows that is made of shorter ones, at these
SHORT_OF_SINE = 0.02  # by which a period may fall short of twice the steps of its last sine
SPARE_ROWS = 4  # at least, beside the coefficients of the map
MOST_KNOTS = 10
CYCLES_BETWEEN_KNOTS = 2.0
HARMONICS_OF_DRIFTING = 3
CYCLES_OF_CHANGE, PARTS_OF_CHANGE = 3.0, 3  # of each part of the data at whose ends a cycle is compared
ALIKE = 0.9  # correlation of the last cycle with the first
CYCLES_OF_END = 2.0  # in a third of the rows, for its swing to be looked at
FEWEST_SILENT, SILENT = 4, 0.5  # rows of an event, and of their variance without seasons what they have as they are
PERIOD_DRAWS = 200  # that are asked for a period
PERIOD_REACH = 1.3  # times the period of the models, and divided by it, between which periods are tried
PERIODS_TRIED = 121
MOST_BLOCKS = 60  # of cycles, that accidents befall
ON_GRID = 1e-6  # of a shorter season, so that the first row of a day is none of the day before


@dataclass(frozen=True, eq=False)
class SeasonMap:
    """Least squares at inputs ``x`` (m,) with seasons of ``periods``; made by `season_map`."""

    x: Array
    periods: tuple[float, ...]
    harmonics: tuple[tuple[int, ...], ...]  # for each period those that shorter ones do not have
    knots: Array
    weights: Array  # (m,) one for the rows that count, zero for those of an event
    steps: tuple[float, ...]  # inputs where the course steps
    drifts: tuple[Array, ...]  # for each period the knots between which its sines change; one where they do not
    silent: NDArray[np.bool_]  # (m,) rows of events in which the seasons are not there
    drifting: frozenset[float]  # periods that no calendar keeps in step
    whole: tuple[Array, Array] | None = None  # places (n,) and values of all rows, of which ``x`` are some
    share: float = 0.0  # of what the data do between these that the function does, too
    made_of: tuple[int, ...] = ()  # for each period of how many shorter ones of the map it is reported; one: as it is

    def seasons(self, curves: Array) -> Array:
        """The sum of the seasons (k, m) of curves (k, m)."""
        return np.where(self.silent, 0.0, self._sum(curves, range(len(self.periods))))

    def are_silent(self, values: Array, rows: NDArray[np.bool_]) -> bool:
        """Whether data (m,) scatter less at the rows (m,) of an event as they are than without their seasons."""
        rest = values - self._sum(values[None], range(len(self.periods)))[0]
        return bool(rows.sum() >= FEWEST_SILENT and values[rows].var() < SILENT * rest[rows].var())

    def season(self, curves: Array, index: int, at: Array) -> Array:
        """One season (k, j) of curves (k, m) at inputs (j,), its mean over the rows taken off."""
        mine = self._coefficients(curves)[self._columns(index)]
        there, rows = (self._sines(index, inputs) for inputs in (at, self.x))
        return np.asarray(((there - rows.mean(axis=0)) @ mine).T)

    def swings(self, curves: Array, index: int) -> Array:
        """How far (k,) one season reaches from its lowest to its highest; of one that drifts, in a middling cycle.

        These are the rows where the middle of the curves is lowest and highest: those of single curves are accidents.
        """
        if self.made_of[index] > 1:
            parts = self.parts(curves, index)[1]
            middle = np.median(parts, axis=0)
            return np.asarray(parts[:, middle.argmax()] - parts[:, middle.argmin()])
        rows = self.season(curves, index, self.x)
        middle, which = np.median(rows, axis=0), np.zeros(len(self.x), dtype=np.intp)
        if len(self.drifts[index]) > 1:  # others are the same in all cycles, of each of which there may be a few inputs
            which = ((self.x - self.x[0]) / self.periods[index]).astype(np.intp)
        whole = np.bincount(which) >= max(2, int(0.7 * np.bincount(which).max()))
        cycles = [np.flatnonzero(which == cycle) for cycle in np.flatnonzero(whole)]
        each = [rows[:, at[middle[at].argmax()]] - rows[:, at[middle[at].argmin()]] for at in cycles]
        return np.asarray(np.median(each, axis=0))

    def parts(self, curves: Array, index: int) -> tuple[Array, Array]:
        """The shares of a period at the middle of each shorter one of a season (j,), and its means over these (k, j).

        They are means over all rows in each, as of the weekdays of hourly data; none where there are no rows.
        """
        every = self.x if self.whole is None else self.whole[0]
        count = self.made_of[index]
        which = np.floor((every - every[0]) / self.periods[index] * count + ON_GRID).astype(np.intp) % count
        belongs = which == np.unique(which)[:, None]
        there = belongs @ self._sines(index, every) / belongs.sum(axis=1)[:, None]
        mine = self._coefficients(curves)[self._columns(index)]
        means = (there - self._sines(index, self.x).mean(axis=0)) @ mine
        return (np.unique(which) + 0.5) / count, np.asarray(means.T)

    def with_accidents(self, curves: Array, values: Array, index: int) -> Array:
        """Curves (k, m) that say what one season would be had other accidents befallen data (m,): what repeats is open.

        The curves follow what errors that remember did in these cycles. What the map leaves of the data is weighed anew
        at random, cycle by cycle, and counts as far as its swings scatter by more than those of the curves.

        >>> x, noise = np.arange(120.0), np.random.default_rng(0).normal(size=120)
        >>> found, sure = season_map(x, (12.0,), 1.0), np.zeros((400, 120))
        >>> [round(float(np.std(found.swings(found.with_accidents(sure, size * noise, 0), 0))), 1) for size in (0, 5)]
        [0.0, 1.8]
        """
        every, data = (self, values) if self.whole is None else (self._every, self.whole[1])
        design, kept = every._design(), every.weights > 0.0
        rest = np.where(kept, data - design @ every._fitted(data[None])[:, 0], 0.0)
        cycles = np.floor((every.x - every.x[0]) / self.periods[index] + ON_GRID)
        blocks = min(MOST_BLOCKS, int(cycles[-1]) + 1)
        each = np.where((cycles * blocks / (cycles[-1] + 1.0)).astype(np.intp) == np.arange(blocks)[:, None], rest, 0.0)
        rows = int(kept.sum())
        free = float(np.sqrt(rows / max(rows - int(np.linalg.matrix_rank(design)), 1)))
        rng = np.random.default_rng(0)
        sizes = free / np.sqrt(rng.chisquare(max(blocks - 1, 1), (len(curves), 1)) / max(blocks - 1, 1))
        weights = sizes * rng.standard_normal((len(curves), blocks))
        moved = weights @ (self._design() @ every._fitted(each)).T
        known, accidental = (
            float(np.var(self.swings(some, index))) for some in (curves, np.median(curves, axis=0) + moved)
        )
        return np.asarray(curves + np.sqrt(max(0.0, 1.0 - known / max(accidental, 1e-300))) * moved)

    def end_swings(self, curves: Array, index: int, gap: float) -> tuple[Array, ...] | None:
        """How far (k,) one season reaches in the first and in the last third of the rows; None of too few cycles."""
        ends = self._ends(index, gap)
        if ends is None:
            return None
        first, last = (part.swings(curves[:, rows], number) for part, number, rows in ends)
        return first, last

    def end_cycles(self, curves: Array, index: int, gap: float, phases: Array) -> tuple[Array, Array] | None:
        """One season (k, j) at phases (j,) as it is in the first and in the last third; None of too few cycles.

        >>> x = np.arange(120.0)
        >>> flips = np.where(x < 60.0, 1.0, -1.0) * np.cos(2 * np.pi * x / 12)
        >>> ends = season_map(x, (12.0,), 1.0).end_cycles(flips[None], 0, 1.0, np.arange(12) / 12)
        >>> [int(each.argmax()) for each in ends]
        [0, 6]
        """
        ends = self._ends(index, gap)
        if ends is None:
            return None
        at = self.x[0] + phases * self.periods[index]
        first, last = (part.season(curves[:, rows], number, at) for part, number, rows in ends)
        return first, last

    def _ends(self, index: int, gap: float) -> list[tuple[SeasonMap, int, NDArray[np.intp]]] | None:
        """Maps of the first and of the last third of the rows, the place of a season in each, and these rows."""
        thirds, period = np.array_split(np.arange(len(self.x)), 3), self.periods[index]
        ends = []
        for rows in (thirds[0], thirds[-1]):
            part = season_map(self.x[rows], self.periods, gap, self.weights[rows])
            part = replace(part, whole=self._within(rows), share=self.share)
            if np.ptp(self.x[rows]) + gap < CYCLES_OF_END * period or period not in part.periods:
                return None
            ends.append((part, part.periods.index(period), rows))
        return ends

    def known_at(self, whole: tuple[Array, Array] | None, curve: Array, values: Array) -> SeasonMap:
        """The map with seasons as they are at all rows (n,); nothing changes where there are no others between its own.

        What the data do between the rows of the map counts as far as the function goes along with them at these:
        ``curve`` (m,) are the draws' medians, ``values`` (m,) the data.

        >>> x, some = np.arange(700.0), np.arange(0, 700, 3)
        >>> y = np.cos(2 * np.pi * x / 7) + np.random.default_rng(0).normal(size=700)
        >>> every, few = season_map(x, (7.0,), 1.0), season_map(x[some], (7.0,), 1.0)
        >>> irregular, smooth = few.known_at((x, y), y[some], y[some]), few.known_at((x, y), 0.0 * y[some], y[some])
        >>> [round(found.season(at[None], 0, np.zeros(1)).item(), 2) for found, at in (
        ...     (every, y), (few, y[some]), (irregular, y[some]), (smooth, y[some]))]
        [0.85, 0.97, 0.85, 0.97]
        """
        if whole is None or len(whole[0]) <= len(self.x):
            return self
        both = np.vstack([curve, values])
        ours, theirs = np.diff(both - (self._design() @ self._fitted(both)).T)
        share = float(np.clip(ours @ theirs / max(float(theirs @ theirs), 1e-300), 0.0, 1.0))
        return replace(self, whole=whole, share=share)

    def _within(self, rows: NDArray[np.intp]) -> tuple[Array, Array] | None:
        """Places and values of all rows from the first to the last of some rows (j,) of the map."""
        if self.whole is None:
            return None
        inside = (self.whole[0] >= self.x[rows[0]]) & (self.whole[0] <= self.x[rows[-1]])
        return self.whole[0][inside], self.whole[1][inside]

    @cached_property
    def between(self) -> Array:
        """How much higher (m,) the data lie on average at the rows about each of the map than there, seasons left out.

        As far as the function goes along with them; zero where there are no rows between.
        """
        if self.whole is None:
            return np.zeros(len(self.x))
        x, values = self.whole
        rest = self._every.rest(values[None])[0]
        nearest = np.searchsorted(0.5 * (self.x[1:] + self.x[:-1]), x)
        counts, sums = (np.bincount(nearest, w, len(self.x)) for w in (self._counting, self._counting * rest))
        here = rest[np.searchsorted(x, self.x)]
        return self.share * np.where(counts > 0.0, sums / np.maximum(counts, 1.0) - here, 0.0)

    @cached_property
    def _counting(self) -> Array:
        """One (n,) for each of all rows that counts, zero for those of an event."""
        assert self.whole is not None
        return np.where(np.interp(self.whole[0], self.x, self.weights) > 0.5, 1.0, 0.0)

    @cached_property
    def _every(self) -> SeasonMap:
        """The same map at all rows."""
        assert self.whole is not None
        x = self.whole[0]
        return replace(self, x=x, weights=self._counting, silent=np.zeros(len(x), dtype=bool), whole=None)

    @property
    def any_drifts(self) -> bool:
        """Whether a cycle gets out of step in the course of the data, so that its map leaves quick remains of it."""
        return bool(self._drifting())

    def sum_of_drifting(self, curves: Array) -> Array:
        """The sum of those cycles (k, m) of curves (k, m) that get out of step in the course of the data."""
        return np.where(self.silent, 0.0, self._sum(curves, self._drifting()))

    def _drifting(self) -> list[int]:
        both = enumerate(zip(self.periods, self.drifts, strict=True))
        return [index for index, (period, knots) in both if period in self.drifting and len(knots) > 1]

    def _sum(self, curves: Array, which: Iterable[int]) -> Array:
        return sum((self.season(curves, index, self.x) for index in which), np.zeros_like(curves))

    def rest(self, curves: Array) -> Array:
        """What the curves (k, m) are without their seasons."""
        return curves - self.seasons(curves) if self.periods else curves

    def without_steps(self, curves: Array) -> Array:
        """The curves (k, m) without the steps of the map, as these are fitted to them."""
        columns = slice(len(self.knots), len(self.knots) + len(self.steps))
        return curves - ((self.x[:, None] >= np.array(self.steps)) @ self._coefficients(curves)[columns]).T

    def p_value(self, values: Array, index: int) -> float:
        """The p-value of one season in the data (m,), or in all rows: F tests against the same map without it.

        The smaller of two, doubled: of the values, and of their differences from row to row, which a level that wanders
        has no part in.
        """
        if self.whole is not None:
            return self._every.p_value(self.whole[1], index)
        return min(1.0, 2.0 * min(self._f_tests(self._design(), values, self._columns(index))))

    def shape_change(self, curves: Array, values: Array, index: int) -> float:
        """The share of curves (k, m) in which the last cycle of a season has another shape than the first one.

        Zero where the data (m,) do not show by F tests, of the values and of their differences from row to row, that
        its sines become others along the data.
        """
        wave, base = self.wave(index), self._design()
        parts = int(np.clip(np.ptp(self.x) / (CYCLES_OF_CHANGE * self.periods[index]), 1, PARTS_OF_CHANGE))
        hats = broken_lines(self.x, np.linspace(self.x[0], self.x[-1], parts + 1))
        whole = np.hstack([np.delete(base, self._columns(index), axis=1), *(hat[:, None] * wave for hat in hats.T)])
        first = base.shape[1]  # as the waves of all hats add up to those of the base
        changing = np.hstack([base, *(hat[:, None] * wave for hat in hats[:, 1:].T)])
        if max(self._f_tests(changing, values, slice(first, None))) > SEEN:
            return 0.0
        kept, size = self.weights > 0.0, wave.shape[1]
        fitted = lstsq(whole[kept], curves.T[kept], cond=1e-9)[0][-size * (parts + 1) :]
        early, late = fitted[:size], fitted[-size:]
        alike = (early * late).sum(axis=0) / np.maximum(np.sqrt((early**2).sum(axis=0) * (late**2).sum(axis=0)), 1e-300)
        return float(np.mean(alike < ALIKE))

    def _f_tests(self, design: Array, values: Array, columns: slice) -> tuple[float, float]:
        """The p-values of some columns of a design (m, j) for data (m,), and for their differences from row to row."""
        kept = self.weights > 0.0
        both = kept[1:] & kept[:-1]
        of_values = _f_test(design[kept], values[kept], columns)
        return of_values, _f_test(np.diff(design, axis=0)[both], np.diff(values)[both], columns)

    def criteria(self, values: Array, more: Array | None = None) -> tuple[float, float]:
        """The Bayesian information criterion of the map for data (m,), and for their differences from row to row.

        The map may have ``more`` columns (m, j).
        """
        kept, whole = self.weights > 0.0, self._design()
        whole = whole if more is None else np.hstack([whole, more])
        both = kept[1:] & kept[:-1]
        return _bic(whole[kept], values[kept]), _bic(np.diff(whole, axis=0)[both], np.diff(values)[both])

    def squares_left(self, curves: Array) -> Array:
        """The sums of squares (k,) that the map leaves of curves (k, m)."""
        return np.asarray(((curves.T - self._design() @ self._coefficients(curves)) ** 2).sum(axis=0))

    def _coefficients(self, curves: Array) -> Array:
        """Those of curves (k, m) at some rows, with by how much those of the data are others at all of them.

        What is irregular has a part in a season that is seen at few rows: of daily data by weekdays a large one.
        """
        fitted = self._fitted(curves)
        return fitted if self.whole is None else fitted + self._of_all_rows[:, None]

    def _fitted(self, curves: Array) -> Array:
        kept = self.weights > 0.0
        return np.asarray(lstsq(self._design()[kept], curves.T[kept], cond=1e-9)[0])

    @cached_property
    def _of_all_rows(self) -> Array:
        """Coefficients of the data at all rows less those at the rows of the map."""
        assert self.whole is not None
        x, values = self.whole
        here = values[np.searchsorted(x, self.x)]
        return self.share * np.asarray((self._every._fitted(values[None]) - self._fitted(here[None]))[:, 0])

    def _design(self) -> Array:
        steps = self.x[:, None] >= np.array(self.steps)
        return np.hstack(
            [
                broken_lines(self.x, self.knots),
                steps,
                *(self._sines(index, self.x) for index in range(len(self.harmonics))),
            ]
        )

    def wave(self, index: int) -> Array:
        """The first sines (m, j) of one season."""
        return _sines(self.x, self.periods[index], self.harmonics[index][:HARMONICS_OF_DRIFTING])

    def resolved(self, index: int) -> float:
        """Over how many stretches of the data the sines of one season may change and still be no other season's."""
        mine, *others = (
            [k / self.periods[which] for k in self.harmonics[which]]
            for which in sorted(range(len(self.periods)), key=lambda which: which != index)
        )
        apart = [abs(first - second) for first in mine[:HARMONICS_OF_DRIFTING] for other in others for second in other]
        return float(np.ptp(self.x)) * min(apart, default=np.inf)

    def _sines(self, index: int, at: Array) -> Array:
        """The columns (j, ..) of one season at inputs (j,)."""
        sines = _sines(at, self.periods[index], self.harmonics[index])
        hats = broken_lines(at, self.drifts[index])
        return (hats[:, :, None] * sines[:, None, :]).reshape(len(at), -1)

    def _columns(self, index: int) -> slice:
        """Where the columns of one season are."""
        sizes = [2 * len(mine) * len(knots) for mine, knots in zip(self.harmonics, self.drifts, strict=True)]
        first = len(self.knots) + len(self.steps) + sum(sizes[:index])
        return slice(first, first + sizes[index])


def season_map(
    x: Array,
    periods: Sequence[float],
    gap: float,
    weights: Array | None = None,
    drifting: Collection[float] = (),
    steps: Sequence[float] = (),
    silent: NDArray[np.bool_] | None = None,
    stretches: Mapping[float, int] | None = None,
    *,
    fine: bool = False,
) -> SeasonMap:
    """A map for seasons of these periods that the inputs (m,) can show; the others are left out.

    Over each of so many ``stretches`` the sines of a period run straight; those of one that no calendar keeps in step
    are ``drifting`` then. The data have ``steps`` at some inputs and rows where the seasons are ``silent``. A ``fine``
    map lets all shorter seasons of which one is made be others: Saturdays have hours of their own.

    >>> x = np.arange(48.0)
    >>> found = season_map(x, (12.0, 40.0), 1.0)
    >>> found.periods, found.harmonics
    ((12.0,), ((1, 2, 3, 4, 5, 6),))
    >>> curve = (0.1 * x + np.cos(2 * np.pi * x / 12))[None]
    >>> bool(np.allclose(found.rest(curve), 0.1 * x, atol=0.02))
    True
    """
    span, count = float(np.ptp(x)), len(x)
    weights = np.ones(count) if weights is None else weights
    usable = [period for period in sorted(periods) if 1.98 * gap <= period and 2.0 * period <= span + 1.001 * gap]
    knots = knots_of_course(x, max(usable, default=0.0)) if span > 0.0 else x[:1]
    room = int((weights > 0.0).sum()) - len(knots) - len(steps) - SPARE_ROWS
    chosen: list[float] = []
    harmonics: list[tuple[int, ...]] = []
    drifts: list[Array] = []
    made_of: list[int] = []
    for period in usable:
        parts = _parts_of(period, chosen, gap)
        most = MOST_HARMONICS * parts if fine else MOST_HARMONICS
        most = min(most, int(period / (2.0 * gap) + SHORT_OF_SINE), room // 2, int(span / gap / 4))
        taken = [k / other for other, ks in zip(chosen, harmonics, strict=True) for k in ks]
        mine = tuple(k for k in range(1, most + 1) if _is_apart(k / period, taken, span))
        bent = (stretches or {}).get(period, 0)
        if bent and period in drifting:
            mine = mine[:HARMONICS_OF_DRIFTING]
        bent = min(bent, room // (2 * max(len(mine), 1)) - 1)
        if mine:
            bends = np.linspace(x[0], x[-1], bent + 1) if bent > 0 else x[:1]
            chosen, harmonics, drifts = [*chosen, period], [*harmonics, mine], [*drifts, bends]
            made_of.append(parts)
            room -= 2 * len(mine) * len(bends)
    silent = np.zeros(count, dtype=bool) if silent is None else silent
    return SeasonMap(
        x, tuple(chosen), tuple(harmonics), knots, weights, tuple(steps), tuple(drifts), silent, frozenset(drifting),
        made_of=tuple(made_of),
    )  # fmt: skip


def _parts_of(period: float, shorter: Sequence[float], gap: float) -> int:
    """Of how many of the longest of ``shorter`` ones a period of many rows is made; one where of no whole number.

    >>> _parts_of(168.0, [24.0], 1.0), _parts_of(168.0, [23.0], 1.0), _parts_of(12.0, [3.0], 1.0)
    (7, 1, 1)
    """
    whole = [other for other in shorter if abs(period / other - round(period / other)) < ON_GRID]
    return round(period / max(whole)) if whole and period > (MOST_PHASES + 0.5) * gap else 1


def knots_of_course(x: Array, period: float) -> Array:
    """Where a course beside seasons, the longest of a ``period``, may bend over ascending inputs (m,).

    >>> knots_of_course(np.arange(97.0), 12.0).tolist()
    [0.0, 24.0, 48.0, 72.0, 96.0]
    """
    span = float(x[-1] - x[0])
    spacing = max(CYCLES_BETWEEN_KNOTS * period, span / MOST_KNOTS)
    return np.linspace(x[0], x[-1], max(2, int(span / spacing) + 1))


def period_of(x: Array, curves: Array, period: float, others: Sequence[float], gap: float) -> Estimate:
    """The period near to one that least squares give for each of curves (k, m) at inputs (m,), beside other cycles.

    A kernel whose cycle may change in the course of the data hardly feels how long its period is; draws of the function
    do. ``gap`` is the distance of neighbouring rows.

    >>> x = np.arange(240.0)
    >>> round(period_of(x, np.cos(2.0 * np.pi * x / 41.0)[None], 38.5, (12.0,), 1.0).number)
    41
    """
    tried = period * np.geomspace(1.0 / PERIOD_REACH, PERIOD_REACH, PERIODS_TRIED)
    tried = tried[[not any(abs(candidate - other) <= 0.1 * other for other in others) for candidate in tried]]
    some = curves[:: max(1, len(curves) // PERIOD_DRAWS)]
    squares = [season_map(x, (*others, float(candidate)), gap).squares_left(some) for candidate in tried]
    if not squares:
        return Estimate(period, period, period, 1.0)
    return estimate(tried[np.argmin(squares, axis=0)])


def _is_apart(frequency: float, others: Sequence[float], span: float) -> bool:
    """Whether a frequency can be told from others: by a quarter of a cycle over the span.

    >>> _is_apart(7 / 7.0, [1.0], 42.0), _is_apart(6 / 7.0, [1.0], 42.0)
    (False, True)
    """
    return all(abs(frequency - other) * span > 0.25 for other in others)


def _sines(x: Array, period: float, harmonics: Sequence[int]) -> Array:
    angles = 2.0 * np.pi * np.outer(x / period, harmonics)
    return np.hstack([np.cos(angles), np.sin(angles)])


def broken_lines(x: Array, knots: Array) -> Array:
    """Broken lines (m, number of knots): one at a knot, zero at all others."""
    if len(knots) == 1:
        return np.ones((len(x), 1))
    return np.stack([np.interp(x, knots, row) for row in np.eye(len(knots))], axis=1)


def _f_test(design: Array, values: Array, columns: slice) -> float:
    """The p-value of some columns of a design (m, j) for data (m,)."""
    without = np.delete(design, columns, axis=1)
    more = np.linalg.matrix_rank(design) - np.linalg.matrix_rank(without)
    free = len(values) - np.linalg.matrix_rank(design)
    if free < 1 or more < 1:
        return 1.0
    squares = [_residual_squares(some, values) for some in (design, without)]
    ratio = max(squares[1] - squares[0], 0.0) / more / max(squares[0] / free, 1e-300)
    return float(f_distribution.sf(ratio, more, free))


def _bic(design: Array, values: Array) -> float:
    """The Bayesian information criterion of least squares, less what all designs have in common."""
    squares = max(_residual_squares(design, values), 1e-300)
    return float(len(values) * np.log(squares / len(values)) + np.linalg.matrix_rank(design) * np.log(len(values)))


def _residual_squares(design: Array, values: Array) -> float:
    """The sum of squares that least squares leave."""
    return float(np.sum((values - design @ lstsq(design, values, cond=1e-9)[0]) ** 2))

"""Seasons of a function from draws of it: how large each is, when it is highest, and how it changes along the data."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.function import (
    Estimate,
    FirstCycle,
    FunctionDraws,
    Season,
    Witness,
)
from autostatistician.decompose.series.course import (
    season_means,
)
from autostatistician.decompose.series.estimates import SEEN, UNBIASED, estimate, witness
from autostatistician.decompose.series.seasons import MOST_PHASES, SeasonMap, broken_lines, season_map

__all__ = ["changing_seasons", "season_of", "turned_seasons"]

Array = NDArray[np.float64]

STRETCHES = (1, 2, 4, 6, 8, 12, 16)  # over each of which seasons change evenly

CYCLES_IN_STRETCH = 3.0

FEWEST_CYCLES = 4.0

CLEAR = 6.0  # by which the criterion falls

ONE_PLACE = 0.75  # of the distance of phases: rows as near are of that phase

USUAL_PHASES = 24  # at which a season is reported

ON_GRID = 0.02  # of a step

NEARLY_ALL, MOST_OF_CYCLE = 0.9, 0.25  # of the draws, within so much of a cycle: then where it is highest is reported

GROWN, SURELY_GROWN = 1.5, 1.2  # times the swings at first: by so much those of late are larger, or smaller


def turned_seasons(draws: FunctionDraws, periods: Sequence[float], natural: Sequence[float], gap: float) -> list[float]:
    """The cycles of the calendar whose mean over all of the data is none of them, as they become others along the data.

    Either the mean is not to be seen, or the last cycles are certainly highest at other phases than the first.
    """
    flat = season_map(draws.x, periods, gap)
    shifting = changing_seasons(draws.x, draws.values, flat, gap, ())
    turned = []
    for index, period in enumerate(flat.periods):
        if period in shifting and period in natural and flat.made_of[index] == 1:
            cycles = _end_cycles(draws, flat, index, _phases(period, gap), gap)
            if cycles is not None and (cycles.are_apart or flat.p_value(draws.values, index) >= SEEN):
                turned.append(period)
    return turned


@dataclass(frozen=True, eq=False)
class _EndCycles:
    """Draws (k, j) of a season in the first and in the last third of the rows, and the highest phases of each.

    They ``are_apart`` where these are certainly others, and the data lie higher in either third at its own.
    """

    first: Array
    last: Array
    tops: tuple[tuple[float, ...], tuple[float, ...]]
    are_apart: bool


def _end_cycles(draws: FunctionDraws, seasons: SeasonMap, index: int, phases: Array, gap: float) -> _EndCycles | None:
    """A season at phases (j,) in the first and in the last third of the rows; None of too few cycles."""
    drawn, plain = (seasons.end_cycles(some, index, gap, phases) for some in (draws.curves, draws.values[None]))
    if drawn is None or plain is None:
        return None
    first, last = drawn
    tops = _likely(first.argmax(axis=1), phases), _likely(last.argmax(axis=1), phases)
    apart = all(tops) and not set(tops[0]) & set(tops[1])
    if apart:
        early, late = ([each[0, np.isin(phases, mine)].mean() for mine in tops] for each in plain)
        apart = bool(early[0] > early[1] and late[1] > late[0])
    return _EndCycles(first, last, tops, apart)


def _likely(rows: NDArray[np.intp], phases: Array) -> tuple[float, ...]:
    """The shortest run of neighbouring phases that holds nearly all draws, whatever the data say."""
    return _run(rows, np.bincount(rows).argmax(), phases)


def season_of(
    draws: FunctionDraws,
    seasons: SeasonMap,
    index: int,
    modelled: float,
    period_range: tuple[float, float],
    gap: float,
    *,
    turned: bool = False,
) -> Season:
    """One season of a map, by draws and by the data; of a ``turned`` one also what it was in the first third.

    It is ``modelled`` by so much of the weight of the models, with a length between the ends of ``period_range``.
    """
    period = seasons.periods[index]
    phases = _phases(period, gap)
    curves = seasons.with_accidents(draws.curves, draws.values, index)
    both = curves, draws.values[None]
    phases = phases[_are_seen(phases, draws.x if seasons.whole is None else seasons.whole[0], draws.x[0], period)]
    course, plain = (seasons.season(some, index, draws.x[0] + phases * period) for some in both)
    if seasons.made_of[index] > 1:
        (phases, course), (_, plain) = (seasons.parts(some, index) for some in both)
    first, cycles = None, _end_cycles(draws, seasons, index, phases, gap) if turned else None
    if cycles is None:
        ends, swings = _end_swings(draws, seasons, index, gap), seasons.swings(curves, index)
    else:
        sizes = [_swing_of(each) for each in (cycles.first, cycles.last)]
        ends, swings = (float(np.median(sizes[0])), float(np.median(sizes[1]))), 0.5 * (sizes[0] + sizes[1])
        course, plain = cycles.last, np.median(cycles.last, axis=0)[None]
        early = np.median(cycles.first, axis=0)
        first = FirstCycle(tuple(early.tolist()), cycles.tops[0], _likely(cycles.first.argmin(axis=1), phases))
    rows = seasons.season(curves, index, draws.x)
    share = estimate(rows.var(axis=1) / max(float(draws.values.var()), 1e-300))
    low, high = np.quantile(course, [0.025, 0.975], axis=0, method=UNBIASED)
    p = seasons.p_value(draws.values, index)
    swing = estimate(swings)
    seen = _swing_in_rows(draws, np.median(rows, axis=0), period, swing, seasons.weights > 0.0)
    seen = replace(seen, agrees=seen.agrees and p < SEEN)
    return Season(
        period, share, swing, tuple(phases.tolist()), tuple(np.median(course, axis=0).tolist()),
        tuple(low.tolist()), tuple(high.tolist()),
        _mode(course.argmax(axis=1), phases), _mode(course.argmin(axis=1), phases),
        _run(course.argmax(axis=1), plain.argmax(), phases), _run(course.argmin(axis=1), plain.argmin(), phases),
        modelled, seen, period_range, p, ends,
        seasons.shape_change(draws.curves, draws.values, index), first,
    )  # fmt: skip


def _swing_of(cycles: Array) -> Array:
    """How far (k,) cycles (k, j) reach between the places where their middle is lowest and highest."""
    middle = np.median(cycles, axis=0)
    return np.asarray(cycles[:, middle.argmax()] - cycles[:, middle.argmin()])


def _swing_in_rows(
    draws: FunctionDraws, rows: Array, period: float, swing: Estimate, usual: NDArray[np.bool_]
) -> Witness:
    """The swing of a season with so much of what is claimed at the ``rows`` (m,) as the ``usual`` data have of it.

    That is by one coefficient for the data less their means over a cycle about each row: no map has a part in these.
    """
    x, both = draws.x[usual], np.stack([rows, draws.values])[:, usual]
    claimed, data = both - season_means(x, both, period)
    squares = max(float(claimed @ claimed), 1e-300)
    share = float(claimed @ data) / squares
    error = float(np.std(data - share * claimed) / np.sqrt(squares))
    statistic = "what data less their means over a cycle have of the season"
    seen = witness(statistic, share * swing.number, error * swing.number, swing)
    return replace(seen, agrees=seen.agrees and seen.low > 0.0)


def _end_swings(draws: FunctionDraws, seasons: SeasonMap, index: int, gap: float) -> tuple[float, float] | None:
    """The swings of a season in the first and in the last third of the rows, where one is certainly the larger."""
    sizes, plain = (seasons.end_swings(curves, index, gap) for curves in (draws.curves, draws.values[None]))
    if sizes is None or plain is None:
        return None
    ratio = estimate(np.log(np.maximum(sizes[1], 1e-300) / np.maximum(sizes[0], 1e-300)))
    seen = float(np.log(max(plain[1][0], 1e-300) / max(plain[0][0], 1e-300))) * np.sign(ratio.number)
    least = min(abs(ratio.low), abs(ratio.high)) if ratio.low * ratio.high > 0.0 else 0.0
    if least < np.log(SURELY_GROWN) or abs(ratio.number) < np.log(GROWN) or seen < np.log(SURELY_GROWN):
        return None
    return float(np.median(sizes[0])), float(np.median(sizes[1]))


def _phases(period: float, gap: float) -> Array:
    """Shares of a period after the first row: those of the rows where a period is a whole number of steps."""
    steps = period / gap
    count = round(steps) if steps < MOST_PHASES + 0.5 and abs(steps - round(steps)) < ON_GRID else USUAL_PHASES
    return np.arange(count) / count


def _are_seen(phases: Array, x: Array, first: float, period: float) -> NDArray[np.bool_]:
    """Which phases have rows (n,) as near as they lie to each other: at others, as closed hours, nothing is known.

    >>> hours = np.array([9.0, 10.0, 33.0, 34.0, 35.0])
    >>> np.flatnonzero(_are_seen(np.arange(24) / 24, hours, 9.0, 24.0))
    array([0, 1, 2])
    """
    away = np.abs(phases[:, None] - (x - first) / period % 1.0)
    return np.asarray(np.minimum(away, 1.0 - away).min(axis=1) < ONE_PLACE / len(phases))


def _mode(rows: NDArray[np.intp], phases: Array) -> tuple[float, float]:
    """The phase that most draws name, and their share."""
    named = np.bincount(rows, minlength=len(phases))
    return float(phases[np.argmax(named)]), float(named.max() / len(rows))


def _run(rows: NDArray[np.intp], seen: np.intp, phases: Array) -> tuple[float, ...]:
    """The shortest run of neighbouring phases that holds nearly all draws; none where the data name another one.

    >>> _run(np.array([0, 11, 0, 0, 0, 0, 0, 0, 0, 11]), np.intp(0), np.arange(12) / 12)
    (0.9166666666666666, 0.0)
    >>> _run(np.arange(12), np.intp(3), np.arange(12) / 12), _run(np.full(9, 5), np.intp(3), np.arange(12) / 12)
    ((), ())
    """
    count = len(phases)
    apart = np.append(phases[1:], phases[0] + 1.0) - phases
    joined = np.tile(apart < (1.0 + ON_GRID) * apart.min(), 2)  # no closed hours lie between
    named = np.tile(np.bincount(rows, minlength=count) / len(rows), 2)
    for length in range(1, max(1, int(np.ceil(MOST_OF_CYCLE * count))) + 1):
        held = [
            float(named[start : start + length].sum() * joined[start : start + length - 1].all())
            for start in range(count)
        ]
        start = int(np.argmax(held))
        if held[start] >= NEARLY_ALL:
            run = [(start + step) % count for step in range(length)]
            return tuple(float(phases[row]) for row in run) if int(seen) in run else ()
    return ()


def changing_seasons(
    x: Array, values: Array, seasons: SeasonMap, gap: float, calendar: Collection[float]
) -> dict[float, int]:
    """Which seasons of a map change along the data (m,), with the number of stretches that show it best.

    By the Bayesian information criterion, of the values and of their differences from row to row: a level that wanders
    has no part in these. A season of the ``calendar`` changes its size: it is multiplied by a broken line. Of another
    the sines may become others.

    >>> from autostatistician.decompose.series.seasons import season_map
    >>> x = np.arange(96.0)
    >>> grows, stays = (size * np.cos(2.0 * np.pi * x / 12.0) for size in (1.0 + 0.1 * x, 5.0))
    >>> noise = np.random.default_rng(0).normal(size=96)
    >>> flat = season_map(x, (12.0,), 1.0)
    >>> [changing_seasons(x, size + noise, flat, 1.0, (12.0,)) for size in (grows, stays)]
    [{12.0: 1}, {}]
    """
    changing: dict[float, int] = {}
    best, columns = seasons.criteria(values), np.zeros((len(x), 0))
    for index, period in enumerate(seasons.periods):
        cycles = (float(np.ptp(x)) + gap) / period
        most, wave = cycles / CYCLES_IN_STRETCH, seasons.season(values[None], index, x).T
        if period not in calendar:
            most, wave = min(most, seasons.resolved(index)), seasons.wave(index)
        before = columns
        for number in (count for count in STRETCHES if cycles >= FEWEST_CYCLES and (count == 1 or count <= most)):
            hats = broken_lines(x, np.linspace(x[0], x[-1], number + 1))[:, 1:]
            trial = np.hstack([before, (hats[:, :, None] * wave[:, None, :]).reshape(len(x), -1)])
            tried = seasons.criteria(values, trial)
            if all(new < old - CLEAR for new, old in zip(tried, best, strict=True)):
                changing[period], best, columns = number, tried, trial
    return changing

"""What the function behind a series does, from draws of it over all weighted models and from the data alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.function import (
    SAME_PERIOD,
    Estimate,
    FirstCycle,
    FunctionCourse,
    FunctionDraws,
    LevelChange,
    Season,
    Witness,
)
from autostatistician.decompose.series.course import (
    LEAST_STILL,
    against_outer_rows,
    against_whole_seasons,
    bounds,
    end_levels,
    ends,
    pace,
    paces,
    plateau,
    season_means,
    slope_of_late,
    smoothed,
    stretches,
    wandering_share,
)
from autostatistician.decompose.series.departures import (
    HALF,
    AnomalousSegment,
    event_sizes,
    spells,
    step_sizes,
    sudden_changes,
)
from autostatistician.decompose.series.estimates import SEEN, UNBIASED, Back, bends, estimate, walks, witness
from autostatistician.decompose.series.scatter import scatter_change, steadiness
from autostatistician.decompose.series.seasons import MOST_PHASES, SeasonMap, broken_lines, period_of, season_map
from autostatistician.forms import FarOff
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of

__all__ = ["change_between", "function_course", "modelled_periods"]


Array = NDArray[np.float64]

STRETCHES = (1, 2, 4, 6, 8, 12, 16)  # over each of which seasons change evenly

CYCLES_IN_STRETCH = 3.0

FEWEST_CYCLES = 4.0

CLEAR = 6.0  # by which the criterion falls

Places = NDArray[np.intp]

FEWEST_ROWS = 8

HELD = 0.9  # weight of the models with a season from which it is no part of the course


SEASONS_IN_SPAN = 3.0  # so often must one fit into the data for its length to be that of the ends

ONE_PLACE = 0.75  # of the distance of phases: rows as near are of that phase
USUAL_PHASES = 24  # at which a season is reported

NEAR_NATURAL = 0.03  # of a period: a cycle of the calendar that it may be

HARDLY_WORSE = 2.0  # nats

ON_GRID = 0.02  # of a step

NEARLY_ALL, MOST_OF_CYCLE = 0.9, 0.25  # of the draws, within so much of a cycle: then where it is highest is reported

SURE_OF_STEP = 0.7

SEASONS_BESIDE_SPELL = 2.5  # so often must a season fit into the data: of fewer, one that is off is not the odd one

GROWN, SURELY_GROWN = 1.5, 1.2  # times the swings at first: by so much those of late are larger, or smaller


def function_course(
    draws: FunctionDraws, periods: Sequence[tuple[float, float]], natural: Sequence[float], gap: float, back: Back
) -> FunctionCourse | None:
    """Everything that is claimed of a function, or None of too few rows.

    ``periods`` are those that the models hold with their weights (`modelled_periods`), ``natural`` those of the
    calendar; ``gap`` is the distance of neighbouring rows, ``back`` the way to the units of the data.
    """
    x = draws.x
    if len(x) < FEWEST_ROWS:
        return None
    found, seasons, far_off = _seasons(draws, periods, natural, gap)
    sudden = _with_spells(draws, seasons, _sudden(draws, seasons), far_off, back)
    usual = _usual_rows(x, sudden)
    x, drifts = x[usual], seasons.any_drifts
    curves, data = seasons.rest(draws.curves) + seasons.between, seasons.rest(draws.values[None]) + seasons.between
    course, moved = (some[..., usual] for some in _without_steps(draws.x, curves, sudden))
    curves, values = curves[:, usual], data[0, usual]
    unstepped = values + moved
    span = float(np.ptp(draws.x))
    fitting = [period for period in seasons.periods if SEASONS_IN_SPAN * period <= span + gap]
    season = max(fitting, default=0.0)
    smooth = smoothed(x, course)
    levels, lengths = end_levels(x, course, season, float(np.median(draws.noise)), drifts=drifts)
    smooth[:, 0], smooth[:, -1] = levels
    both = ends(x, curves, values, lengths, back, (levels[0] - (course - curves)[:, 0], levels[1]))
    both = against_outer_rows(x, values, back, both) if len(fitting) == len(seasons.periods) else both
    for period in seasons.periods[len(fitting) :]:  # as they ascend, those seen twice and no more
        both = against_whole_seasons(x, values, period, back, both)
    slope, slope_witness = slope_of_late(x, course, unstepped, lengths[1], back)
    if not slope_of_late(x, curves, values, lengths[1], back)[1].agrees:  # a step is no slope, nor what hides one
        slope_witness = replace(slope_witness, agrees=False)
    turning = smooth if drifts else course  # remains of a cycle that drifts are no turns
    runs = stretches(x, turning, levels, unstepped, back, season)
    still = plateau(x, season_means(x, turning, season), unstepped, back, LEAST_STILL) if len(runs) == 1 else None
    return FunctionCourse(
        both.first, both.last, both.rise, both.witness,
        slope, pace(x, course, back),
        runs,
        paces(x, course, back), paces(x, course, np.asarray),
        estimate(np.ptp(smooth, axis=1)),
        _bounds(smooth if drifts else curves, draws.values, back),
        wandering_share(x, course), tuple(found), sudden,
        scatter_change(draws, draws.errors),
        steadiness(draws.errors, draws.x, sorted({*seasons.periods, *natural}), gap),
        estimate(np.sqrt(np.mean(draws.noise**2, axis=1))), _noise_in_data(draws, back),
        pace(x, course, np.asarray), slope_witness, still, bends(x, back(unstepped)), bends(x, unstepped),
        _step(values, back) if walks(values) else None,
    )  # fmt: skip


def _seasons(
    draws: FunctionDraws, periods: Sequence[tuple[float, float]], natural: Sequence[float], gap: float
) -> tuple[list[Season], SeasonMap, tuple[AnomalousSegment, ...]]:
    """The seasons that nearly all models hold, their map, and stretches far off.

    The data must show those that no calendar names, or that are seen once or twice: these may as well be a course.
    """
    weights = {_named(period, natural, draws, gap): weight for period, weight in periods}
    lengths = _lengths([period for period, weight in weights.items() if weight >= HELD], natural, draws, gap)
    cycles = {length.number: (weights[period], (length.low, length.high)) for period, length in lengths.items()}
    turned = _turned(draws, list(cycles), natural, gap)
    drifting = [period for period in cycles if period not in natural or period in turned]
    heard, changing, far_off = _map_beside_events(draws, list(cycles), gap, drifting)
    beside = (heard.weights, drifting, heard.steps, heard.silent)
    seen = draws.whole, np.median(draws.curves, axis=0), draws.values
    moving = {period: changing[period] for period in drifting if period in changing}  # others as on average
    seasons = season_map(draws.x, list(cycles), gap, *beside, moving).known_at(*seen)
    found = [
        _season(draws, seasons, index, *cycles[period], gap, turned=period in turned)
        for index, period in enumerate(seasons.periods)
    ]
    often = (float(np.ptp(draws.x)) + gap) / SEASONS_IN_SPAN
    sure = [period for period in natural if period <= often]
    known = [season.period for season in found if season.p_value < SEEN or season.period in sure]
    if len(known) < len(found):  # what repeats too seldom for the data to show it as a season is a part of the course
        return _seasons(draws, [(period, cycles[period][0]) for period in known], natural, gap)
    whole = season_map(draws.x, list(cycles), gap, *beside, changing, fine=True)
    return found, whole.known_at(*seen), far_off


def _turned(draws: FunctionDraws, periods: Sequence[float], natural: Sequence[float], gap: float) -> list[float]:
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


def change_between(
    draws: FunctionDraws, periods: Sequence[tuple[float, float]], natural: Sequence[float], gap: float, back: Back,
    rows: tuple[Places, Places],
) -> Estimate:  # fmt: skip
    """How much higher a function lies on average at the second of two sets of ``rows``, seasons left out.

    The rest is as of `function_course`; of fewer than 8 rows nothing is known of seasons.
    """
    curves = draws.curves
    if len(draws.x) >= FEWEST_ROWS:
        curves = _seasons(draws, periods, natural, gap)[1].rest(curves)
    first, last = (back(curves[:, places]).mean(axis=1) for places in rows)
    return estimate(last - first)


def modelled_periods(models: Sequence[tuple[Kernel, float]]) -> list[tuple[float, float]]:
    """The periods of all cyclic leaves of weighted models, each with the weight of the models that hold about it."""
    groups: list[tuple[float, float]] = []
    for kernel, weight in models:
        mine: set[int] = set()
        for period in _periods(kernel):
            group = next((index for index, (other, _) in enumerate(groups) if _same(period, other)), None)
            if group is None:
                groups.append((period, 0.0))
                group = len(groups) - 1
            mine.add(group)
        groups = [(p, w + weight if index in mine else w) for index, (p, w) in enumerate(groups)]
    return [(period, min(weight, 1.0)) for period, weight in groups]


def _periods(kernel: Kernel) -> list[float]:
    if is_leaf_of(kernel.expr, LeafKind.CYCLIC):
        return [kernel.named()["period"]]
    return [period for part in kernel.parts for period in _periods(part)]


def _same(period: float, other: float) -> bool:
    return abs(period - other) <= SAME_PERIOD * other


def _named(period: float, natural: Sequence[float], draws: FunctionDraws, gap: float) -> float:
    """The cycle of the calendar that a fitted period cannot be told from, else itself.

    Over the span of the data they keep step, or the data are as well described by the one as by the other.
    """
    span = float(np.ptp(draws.x))
    near = min((cycle for cycle in natural if abs(cycle - period) <= NEAR_NATURAL * period), default=None)
    if near is None:
        return period
    keeps_step = abs(near - period) <= max(0.25 * period**2 / span, 0.002 * period) if span > 0.0 else False
    return near if keeps_step or _as_good(near, period, draws, gap) else period


def _as_good(period: float, other: float, draws: FunctionDraws, gap: float) -> bool:
    """Whether least squares with a season of a period leave hardly more of the data than with another."""
    first, second = (
        season_map(draws.x, (length,), gap).squares_left(draws.values[None])[0] for length in (period, other)
    )
    return bool(first <= second * np.exp(2.0 * HARDLY_WORSE / len(draws.x)))


def _map_beside_events(
    draws: FunctionDraws, periods: Sequence[float], gap: float, drifting: Sequence[float]
) -> tuple[SeasonMap, dict[float, int], tuple[AnomalousSegment, ...]]:
    """The map of the seasons that rows of an event have no part in, and that may be silent there, and which grow.

    The events are sudden ones and stretches of the data far off all the rest; these come last.
    """
    calendar = [period for period in periods if period not in drifting]
    changing = changing_seasons(draws.x, draws.values, season_map(draws.x, periods, gap), gap, calendar)
    seasons = season_map(draws.x, periods, gap, None, drifting, stretches=changing)
    for _ in range(2):
        changes = _sudden(draws, seasons)
        steps = [change.at for change in changes if change.until is None and _is_sure(change)]
        far_off = _spells(draws, periods, gap, drifting, steps, changing)
        events = [(draws.x >= e.at) & (draws.x < e.until) for e in changes if e.until is not None]
        events += [_rows_of(draws, spell) for spell in far_off]
        weights = (~_any(events, draws.x)).astype(np.float64)
        steady = season_map(draws.x, periods, gap, weights, (), steps)
        changing = changing_seasons(draws.x, draws.values, steady, gap, calendar)
        heard = season_map(draws.x, periods, gap, weights, drifting, steps, stretches=changing)
        silent = _any([rows for rows in events if heard.are_silent(draws.values, rows)], draws.x)
        seasons = replace(heard, silent=silent)
    return seasons, changing, far_off


def _spells(
    draws: FunctionDraws, periods: Sequence[float], gap: float, drifting: Sequence[float], steps: Sequence[float],
    changing: Mapping[float, int],
) -> tuple[AnomalousSegment, ...]:  # fmt: skip
    """The stretches of all rows that lie far off the rest, in the data and in nearly all draws.

    They are beside seasons that are seen often and ``steps``.
    """
    x, values = draws.whole or (draws.x, draws.values)
    often = [period for period in periods if SEASONS_BESIDE_SPELL * period <= np.ptp(x) + gap]
    moving = {period: changing[period] for period in drifting if period in changing}

    def rest(data: Array, out: NDArray[np.bool_]) -> Array:
        seasons = season_map(x, often, gap, (~out).astype(np.float64), drifting, steps, stretches=moving)
        return np.asarray(seasons.without_steps(seasons.rest(data[None]))[0])

    far_off = spells(values, rest)
    out = _any([_rows_of(draws, spell) for spell in far_off], draws.x)
    if not out.any():
        return ()
    seasons = season_map(draws.x, often, gap, (~out).astype(np.float64), drifting, steps, stretches=moving)
    return tuple(spell for spell in far_off if _drawn_share(draws, seasons, spell) >= SURE_OF_STEP)


def _moves(draws: FunctionDraws, curves: Array, spell: AnomalousSegment) -> tuple[Array, Array]:
    """The levels (k,) of curves (k, m) without seasons before a stretch, and how far they lie off there (k,)."""
    rows = np.flatnonzero(_rows_of(draws, spell))
    return event_sizes(curves, int(rows[0]), int(rows[-1]) + 1)


def _drawn_share(draws: FunctionDraws, seasons: SeasonMap, spell: AnomalousSegment) -> float:
    """In how many draws at least half of how far a stretch lies off is there."""
    if not _rows_of(draws, spell).any():
        return 0.0
    moved = _moves(draws, seasons.rest(draws.curves), spell)[1]
    return round(float(np.mean(moved * np.sign(spell.size) > HALF * abs(spell.size))), 4)


def _rows_of(draws: FunctionDraws, spell: AnomalousSegment) -> NDArray[np.bool_]:
    """Which of the rows (m,) that are looked at lie in a stretch of all rows."""
    every = draws.x if draws.whole is None else draws.whole[0]
    return np.asarray((draws.x >= every[spell.first]) & (draws.x < every[spell.stop]))


def _with_spells(
    draws: FunctionDraws,
    seasons: SeasonMap,
    changes: Sequence[LevelChange],
    far_off: Sequence[AnomalousSegment],
    back: Back,
) -> tuple[LevelChange, ...]:
    """All events in the order of time: sudden ones that are sure, and in the place of others stretches far off."""
    x = draws.x if draws.whole is None else draws.whole[0]
    kept = list(changes)
    for spell in far_off:
        span = float(x[spell.first]), float(x[spell.stop])
        events = [change for change in kept if change.until is not None]
        inside = [event for event in events if event.at < span[1] and (event.until or event.at) > span[0]]
        if any(_is_sure(event) and event.rows > 1 for event in inside):
            continue
        kept = [change for change in kept if change not in inside]
        kept.append(_as_event(draws, seasons, spell, back))
    return tuple(sorted(kept, key=lambda change: change.at))


def _as_event(draws: FunctionDraws, seasons: SeasonMap, spell: AnomalousSegment, back: Back) -> LevelChange:
    """What draws say of a stretch of all rows that lies far off the rest."""
    x, values = draws.whole or (draws.x, draws.values)
    there = values[spell.first : spell.stop]
    mean, usual = (float(np.mean(back(level))) for level in (there, there - np.array(spell.apart)))
    levels, moved = _moves(draws, seasons.rest(draws.curves), spell)
    furthest = spell.first + int(np.argmax(np.sign(spell.size) * there))
    statistic = "mean of the rows less the median of those about them, beside seasons fitted without them"
    seen = Witness(statistic, spell.size, *spell.interval, True)
    return LevelChange(
        float(x[spell.first - 1]), float(x[spell.first]), float(x[spell.stop]), estimate(moved),
        float(np.median(levels)), _drawn_share(draws, seasons, spell),
        spell.stop - spell.first, len(x) - spell.stop, True, seen,
        FarOff(float(x[spell.stop - 1]), float(x[furthest]), mean, usual, float(back(values)[furthest]), spell.chance),
    )  # fmt: skip


def _any(flags: Sequence[NDArray[np.bool_]], x: Array) -> NDArray[np.bool_]:
    return np.logical_or.reduce(flags) if flags else np.zeros(len(x), dtype=bool)


def _sudden(draws: FunctionDraws, seasons: SeasonMap) -> tuple[LevelChange, ...]:
    """The sudden changes beside some seasons."""
    values = seasons.rest(draws.values[None])[0]
    return sudden_changes(draws.x, seasons.rest(draws.curves), values, seasons.sum_of_drifting(draws.curves))


def _without_steps(x: Array, curves: Array, changes: Sequence[LevelChange]) -> tuple[Array, Array]:
    """Curves (k, m) as they would run had they always been where their lasting changes that are sure took them.

    With how far (m,) data lie from that, where these changes are as large as in the middle of the curves.
    """
    rows = [int(np.searchsorted(x, change.at)) for change in changes if change.until is None and _is_sure(change)]
    moved = sum((step_sizes(curves, row)[:, None] * (np.arange(len(x)) < row) for row in rows), np.zeros_like(curves))
    return curves + moved, np.median(moved, axis=0)


def _usual_rows(x: Array, changes: Sequence[LevelChange]) -> NDArray[np.bool_]:
    """Which rows (m,) are not those of an event that is sure and has passed."""
    usual = np.ones(len(x), dtype=bool)
    for change in changes:
        if change.until is not None and _is_sure(change):
            usual &= (x < change.at) | (x >= change.until)
    return usual


def _is_sure(change: LevelChange) -> bool:
    return change.probability >= SURE_OF_STEP and change.witness.agrees


def _bounds(curves: Array, values: Array, back: Back) -> tuple[float, float]:
    """Between which levels the course runs: never beyond the data, where none was seen."""
    low, high = back(np.array([values.min(), values.max()])).tolist()
    lowest, highest = bounds(curves, back)
    return max(low, lowest), min(high, highest)


def _step(values: Array, back: Back) -> float:
    """How far values (m,) typically go from one to the next, in the units of the data at the last of them."""
    step = float(np.median(np.abs(np.diff(values))))
    return float(np.ptp(back(values[-1] + np.array([0.0, step]))))


def _noise_in_data(draws: FunctionDraws, back: Back) -> float:
    """How far single values scatter in the units of the data, at a typical place."""
    middle, noise = np.median(draws.curves, axis=0), np.median(draws.noise, axis=0)
    return float(np.median(back(middle + noise) - back(middle - noise))) / 2.0


def _lengths(
    periods: Sequence[float], natural: Sequence[float], draws: FunctionDraws, gap: float
) -> dict[float, Estimate]:
    """How long cycles are: those that no calendar knows, as long as draws of the function say."""
    lengths = {}
    for period in periods:
        others = [other for other in periods if other != period]
        exact = Estimate(period, period, period, 1.0)
        lengths[period] = exact if period in natural else period_of(draws.x, draws.curves, period, others, gap)
    return lengths


def _season(
    draws: FunctionDraws,
    seasons: SeasonMap,
    index: int,
    modelled: float,
    period_range: tuple[float, float],
    gap: float,
    *,
    turned: bool = False,
) -> Season:
    period = seasons.periods[index]
    phases = _phases(period, gap)
    curves = seasons.with_accidents(draws.curves, draws.values, index)
    both = curves, draws.values[None]
    phases = phases[_are_seen(phases, draws.x if seasons.whole is None else seasons.whole[0], draws.x[0], period)]
    course, plain = (seasons.season(some, index, draws.x[0] + phases * period) for some in both)
    if seasons.made_of[index] > 1:
        (phases, course), (_, plain) = (seasons.parts(some, index) for some in both)
    ends, swings = _end_swings(draws, seasons, index, gap), seasons.swings(curves, index)
    first, cycles = None, _end_cycles(draws, seasons, index, phases, gap) if turned else None
    if cycles is not None:
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


# --- Seasons of the calendar whose size changes along the data ------------------------------------------------------


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

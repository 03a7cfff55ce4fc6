"""What the function behind a series does, from draws of it over all weighted models and from the data alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.function import (
    SAME_PERIOD,
    Estimate,
    FunctionCourse,
    FunctionDraws,
    LevelChange,
    Season,
    Witness,
)
from autostatistician.decompose.series.course import (
    LEAST_STILL,
    SHARE_OF_END,
    against_outer_rows,
    cycle_means,
    ends,
    largest_move,
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
    anomalous_segments,
    event_sizes,
    step_sizes,
    sudden_changes,
)
from autostatistician.decompose.series.estimates import SEEN, Back, bends, error_of_difference, estimate, walks, witness
from autostatistician.decompose.series.scatter import homoscedasticity, scatter_change
from autostatistician.decompose.series.season_draws import changing_seasons, season_of, turned_seasons
from autostatistician.decompose.series.seasons import SeasonMap, period_of, season_map
from autostatistician.decompose.statistics import normal_scores
from autostatistician.forms import FarOff
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of

__all__ = ["FEWEST_ROWS", "change_between", "function_course", "modelled_periods"]


Array = NDArray[np.float64]


Places = NDArray[np.intp]

Size = TypeVar("Size", Estimate, Witness)

FEWEST_ROWS = 8  # of a function of which something is claimed

HELD = 0.9  # weight of the models with a season from which it is no part of the course


SEASONS_IN_SPAN = 3.0  # so often must one of the calendar fit into the data to be one without a further sign


NEAR_NATURAL = 0.03  # of a period: a cycle of the calendar that it may be

HARDLY_WORSE = 2.0  # nats


SURE_OF_STEP = 0.7

SEASONS_BESIDE_SEGMENT = 2.5  # so often must a season fit into the data: of fewer, one that is off is not the odd one


def function_course(
    draws: FunctionDraws, periods: Sequence[tuple[float, float]], natural: Sequence[float], gap: float, back: Back
) -> FunctionCourse | None:
    """Everything that is claimed of a function, or None of too few places.

    ``periods`` are those that the models hold with their weights (`modelled_periods`), ``natural`` those of the
    calendar; ``gap`` is the distance of neighbouring rows, ``back`` the way to the units of the data.
    """
    x = draws.x
    if len(x) < FEWEST_ROWS:
        return None
    found, seasons, far_off = _seasons(draws, periods, natural, gap, back)
    sudden = () if draws.is_curve else _with_segments(_sudden(draws, seasons), far_off)
    usual = _usual_rows(x, sudden)
    x, drifts = x[usual], seasons.any_drifts
    curves, data = seasons.rest(draws.curves) + seasons.between, seasons.rest(draws.values[None]) + seasons.between
    course, moved = (some[..., usual] for some in _without_steps(draws.x, curves, sudden))
    curves, values = curves[:, usual], data[0, usual]
    unstepped = values + moved
    span = float(np.ptp(draws.x))
    fitting = [period for period in seasons.periods if 2.0 * period <= span + gap]  # a first and a last one
    season = max(fitting, default=0.0)
    averaged = season if len(fitting) == len(seasons.periods) else 0.0
    turning = smoothed(x, course) if drifts else course  # remains of a cycle that drifts are no turns
    if averaged and len(x) * gap > span + 0.5 * gap:  # all rows are there: as a reader can work them out
        heights = cycle_means(x, back(draws.curves[:, usual]), averaged)
        apart = cycle_means(x, back(draws.curves[:, usual] + course - curves), averaged)
    else:
        heights, apart = (back(cycle_means(x, some, season)) for some in (curves, turning))
    walk = not draws.is_curve and walks(values)
    if walk and not season:  # its values are its level
        heights = heights + back(values) - np.median(heights, axis=0)
    length = max(SHARE_OF_END * float(np.ptp(x)), season)
    both = ends(x, curves, values, length, back, heights, is_curve=draws.is_curve)
    both = both if seasons.periods else against_outer_rows(x, values, back, both)
    slope, slope_witness = slope_of_late(x, course, unstepped, length, back)
    if not slope_of_late(x, curves, values, length, back)[1].agrees:  # a step is no slope, nor what hides one
        slope_witness = replace(slope_witness, agrees=False)
    runs = stretches(x, turning, apart, unstepped, back, season)
    still = plateau(x, season_means(x, turning, season), unstepped, apart, LEAST_STILL) if len(runs) == 1 else None
    return FunctionCourse(
        both.first, both.last, both.rise, both.witness,
        slope, pace(x, course, back),
        runs,
        paces(x, course, back), paces(x, course, np.asarray),
        _bounds(heights, back(draws.values)),
        wandering_share(x, course), tuple(found), tuple(_in_data(change, back) for change in sudden),
        scatter_change(draws, draws.errors),
        homoscedasticity(draws.errors, draws.x, sorted({*seasons.periods, *natural}), gap),
        estimate(np.sqrt(np.mean(draws.noise**2, axis=1))), _noise_in_data(draws, back),
        pace(x, course, np.asarray), slope_witness, still, bends(x, back(unstepped)), bends(x, unstepped),
        _step(values, back) if walk else None, averaged, float(back(np.median(turning[:, -1:], axis=0)).item()),
        largest_move(x, back(values)) if walk and not seasons.periods else None,
    )  # fmt: skip


def _seasons(
    draws: FunctionDraws, periods: Sequence[tuple[float, float]], natural: Sequence[float], gap: float, back: Back
) -> tuple[list[Season], SeasonMap, tuple[LevelChange, ...]]:
    """The seasons that nearly all models hold, their map, and stretches far off.

    The data must show those that no calendar names, or that are seen once or twice: these may as well be a course.
    """
    weights = {_named(period, natural, draws, gap): weight for period, weight in periods}
    lengths = _lengths([period for period, weight in weights.items() if weight >= HELD], natural, draws, gap)
    cycles = {length.number: (weights[period], (length.low, length.high)) for period, length in lengths.items()}
    turned = turned_seasons(draws, list(cycles), natural, gap)
    drifting = [period for period in cycles if period not in natural or period in turned]
    heard, changing, far_off = _map_beside_events(draws, list(cycles), gap, drifting, back)
    beside = (heard.weights, drifting, heard.steps, heard.silent)
    seen = draws.whole, np.median(draws.curves, axis=0), draws.values
    moving = {period: changing[period] for period in drifting if period in changing}  # others as on average
    seasons = season_map(draws.x, list(cycles), gap, *beside, moving).known_at(*seen)
    found = [
        season_of(draws, seasons, index, *cycles[period], gap, turned=period in turned)
        for index, period in enumerate(seasons.periods)
    ]
    often = (float(np.ptp(draws.x)) + gap) / SEASONS_IN_SPAN
    sure = [period for period in natural if period <= often]
    known = [season.period for season in found if season.p_value < SEEN or season.period in sure]
    if len(known) < len(found):  # what repeats too seldom for the data to show it as a season is a part of the course
        return _seasons(draws, [(period, cycles[period][0]) for period in known], natural, gap, back)
    whole = season_map(draws.x, list(cycles), gap, *beside, changing, fine=True)
    return found, whole.known_at(*seen), far_off


def change_between(
    draws: FunctionDraws, periods: Sequence[tuple[float, float]], natural: Sequence[float], gap: float, back: Back,
    rows: tuple[Places, Places],
) -> Estimate:  # fmt: skip
    """How much higher a function lies on average at the second of two sets of ``rows``.

    Seasons are left out, and rows of events that have passed where others are there. What wanders about its course is
    chance, unless it walks: then its values are its level. The rest is as of `function_course`; of a few rows nothing
    is known of seasons.
    """
    curves, error = draws.curves, np.zeros(len(draws.curves))
    if len(draws.x) >= FEWEST_ROWS:
        _, seasons, far_off = _seasons(draws, periods, natural, gap, back)
        sudden = () if draws.is_curve else _with_segments(_sudden(draws, seasons), far_off)
        curves, usual = seasons.rest(curves), _usual_rows(draws.x, sudden)
        before, after = (places[usual[places]] if usual[places].any() else places for places in rows)
        rows = before, after
        course = np.median(_without_steps(draws.x, curves, sudden)[0], axis=0)[usual]
        if not walks(course):
            places = draws.x[rows[0]], draws.x[rows[1]]
            ranks = np.random.default_rng(0).permutation(len(curves)).astype(np.float64)
            error = error_of_difference(draws.x[usual], course, places) * normal_scores(ranks[None])[0]
    first, last = (
        back(curves[:, places] + error[:, None] * side).mean(axis=1)
        for places, side in zip(rows, (-0.5, 0.5), strict=True)
    )
    return estimate(last - first)


def modelled_periods(models: Sequence[tuple[Kernel, float]]) -> list[tuple[float, float]]:
    """The periods of all cyclic leaves of weighted models, each with the weight of the models that hold about it."""
    groups: list[tuple[float, float]] = []
    for kernel, weight in models:
        mine: set[int] = set()
        for period in _periods(kernel):
            alike = (k for k, (other, _) in enumerate(groups) if abs(period - other) <= SAME_PERIOD * other)
            group = next(alike, None)
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
    draws: FunctionDraws, periods: Sequence[float], gap: float, drifting: Sequence[float], back: Back
) -> tuple[SeasonMap, dict[float, int], tuple[LevelChange, ...]]:
    """The map of the seasons that rows of an event have no part in, and that may be silent there, and which grow.

    The events are sudden ones and stretches of the data far off all the rest; these come last.
    """
    calendar = [period for period in periods if period not in drifting]
    changing = changing_seasons(draws.x, draws.values, season_map(draws.x, periods, gap), gap, calendar)
    seasons = season_map(draws.x, periods, gap, None, drifting, stretches=changing)
    for _ in range(2):
        changes = _sudden(draws, seasons)
        steps = [change.at for change in changes if change.until is None and _is_sure(change)]
        far_off = _segments(draws, periods, gap, drifting, steps, changing, back)
        events = [(draws.x >= e.at) & (draws.x < e.until) for e in (*changes, *far_off) if e.until is not None]
        weights = (~_any(events, draws.x)).astype(np.float64)
        steady = season_map(draws.x, periods, gap, weights, (), steps)
        changing = changing_seasons(draws.x, draws.values, steady, gap, calendar)
        heard = season_map(draws.x, periods, gap, weights, drifting, steps, stretches=changing)
        silent = _any([rows for rows in events if heard.are_silent(draws.values, rows)], draws.x)
        seasons = replace(heard, silent=silent)
    return seasons, changing, far_off


def _segments(
    draws: FunctionDraws, periods: Sequence[float], gap: float, drifting: Sequence[float], steps: Sequence[float],
    changing: Mapping[float, int], back: Back,
) -> tuple[LevelChange, ...]:  # fmt: skip
    """The stretches of all rows that lie far off the rest, in the data and in nearly all draws.

    They are beside seasons that are seen often and ``steps``.
    """
    x, values, aside = draws.every
    often = [period for period in periods if SEASONS_BESIDE_SEGMENT * period <= np.ptp(x) + gap]
    moving = {period: changing[period] for period in drifting if period in changing}

    def rest(data: Array, out: NDArray[np.bool_]) -> Array:
        seasons = season_map(x, often, gap, (~out).astype(np.float64), drifting, steps, stretches=moving)
        return np.asarray(seasons.without_steps(seasons.rest(data[None]))[0])

    far_off = anomalous_segments(values, rest, aside)
    out = _any([(draws.x >= x[each.first]) & (draws.x < x[each.stop]) for each in far_off], draws.x)
    seasons = season_map(draws.x, often, gap, (~out).astype(np.float64), drifting, steps, stretches=moving)
    events = (_as_event(draws, seasons, segment, back) for segment in far_off)
    return tuple(event for event in events if event.probability >= SURE_OF_STEP)


def _as_event(draws: FunctionDraws, seasons: SeasonMap, segment: AnomalousSegment, back: Back) -> LevelChange:
    """What draws say of a stretch of all rows that lies far off the rest.

    It is so probable as draws are many whose levels beside it the data in it are off, by half as much as in the data.
    Whether the curves go along with these does not matter: the models may have been made without some of the rows, or
    may take what they cannot explain for noise.
    """
    x, values, _ = draws.every
    there, size = values[segment.first : segment.stop], segment.size
    mean, usual = (float(np.mean(back(level))) for level in (there, there - np.array(segment.apart)))
    curves, (first, stop) = seasons.rest(draws.curves), np.searchsorted(draws.x, x[[segment.first, segment.stop]])
    shown = np.hstack([curves[:, :first], np.full((len(curves), 1), segment.level), curves[:, stop:]])
    levels, moved = event_sizes(shown, int(first), int(first) + 1)
    furthest = segment.first + int(np.argmax(np.sign(size) * there))
    last, at = x[[segment.stop - 1, furthest]].tolist()
    number = estimate(moved + np.random.default_rng(0).normal(0.0, segment.error, len(moved)))
    statistic = "mean of the rows less the median of those about them, beside seasons fitted without them"
    return LevelChange(
        float(x[segment.first - 1]), float(x[segment.first]), float(x[segment.stop]), number,
        float(np.median(levels)), round(float(np.mean(moved * np.sign(size) > HALF * abs(size))), 4),
        segment.stop - segment.first, len(x) - segment.stop, True,
        replace(witness(statistic, size, segment.error, number), agrees=True),
        FarOff(last, at, mean, usual, float(back(values)[furthest]), segment.chance),
    )  # fmt: skip


def _is_about(change: LevelChange, event: LevelChange) -> bool:
    """Whether a change may lie within an event or at one of its ends: what comes and goes there, the event tells."""
    low, high = change.begins or (change.at, change.at)
    return low <= (event.until or event.at) and (change.until or high) >= event.at


def _with_segments(changes: Sequence[LevelChange], far_off: Sequence[LevelChange]) -> tuple[LevelChange, ...]:
    """All events in the order of time: sudden ones that are sure, and in the place of others stretches far off.

    A sudden one whose first row is not known has no date; the stretch has one.
    """
    kept = list(changes)
    for event in far_off:
        inside = [one for one in kept if one.segment is None and _is_about(one, event)]
        placed = [one for one in inside if one.until is not None and one.begins == (one.at, one.at)]
        if not any(_is_sure(one) and one.rows > 1 for one in placed):
            kept = [*(one for one in kept if one not in inside), event]
    return tuple(sorted(kept, key=lambda change: change.at))


def _any(flags: Sequence[NDArray[np.bool_]], x: Array) -> NDArray[np.bool_]:
    return np.logical_or.reduce(flags) if flags else np.zeros(len(x), dtype=bool)


def _sudden(draws: FunctionDraws, seasons: SeasonMap) -> tuple[LevelChange, ...]:
    """The sudden changes beside some seasons."""
    values = seasons.rest(draws.values[None])[0]
    changes = sudden_changes(draws.x, seasons.rest(draws.curves), values, seasons.sum_of_drifting(draws.curves))
    return tuple(_from_its_phases(change, draws.x, draws.values - values) for change in changes)


def _from_its_phases(change: LevelChange, x: Array, season: Array) -> LevelChange:
    """The same with what the season adds (m,) in the rows of an event, so that its level after is that of the data."""
    if change.until is None:
        return change
    return replace(change, level=change.level + float(season[(x >= change.at) & (x < change.until)].mean()))


def _in_data(change: LevelChange, back: Back) -> LevelChange:
    """The same with its level, its size and its witness in the units of the data."""
    before = float(back(np.array(change.level)))

    def of_data(size: Size) -> Size:
        number, low, high = (back(change.level + np.array([size.number, size.low, size.high])) - before).tolist()
        return replace(size, number=number, low=low, high=high)

    return replace(change, level=before, size=of_data(change.size), witness=of_data(change.witness))


def _without_steps(x: Array, curves: Array, changes: Sequence[LevelChange]) -> tuple[Array, Array]:
    """Curves (k, m) as they would run had they always been where their lasting changes that are sure took them.

    With how far (m,) data lie from that, where these changes are as large as in the middle of the curves.
    """
    moved = np.zeros_like(curves)
    for change in changes:
        if change.until is None and change.begins is not None and _is_sure(change):
            first, row, last = np.searchsorted(x, [change.begins[0], change.at, change.begins[1]]).tolist()
            moved = moved + step_sizes(curves, first, row, last)[:, None] * (np.arange(len(x)) < row)
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


def _bounds(heights: Array, data: Array) -> tuple[float, float]:
    """Between which levels the course runs: never beyond the data, where none was seen."""
    middle = np.median(heights, axis=0)
    return max(float(data.min()), float(middle.min())), min(float(data.max()), float(middle.max()))


def _step(values: Array, back: Back) -> float:
    """How far values (m,) typically go from one to the next, in the units of the data."""
    return float(np.median(np.abs(np.diff(back(values)))))


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

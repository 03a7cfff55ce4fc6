"""Departures of data from their course: steps that last, events that come back, and stretches that come gradually.

They are proposed where means of neighbouring rows lie furthest apart, described by designs beside a line (a step, a
ramp, a step and the way back) of which one criterion with errors that remember takes the best, and told where draws of
the function have them as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter
from scipy.special import expit, logit
from scipy.stats import t as t_distribution

from autostatistician._io.rows import evenly_spaced
from autostatistician.data.times.occurring import runs
from autostatistician.decompose.records.function import LevelChange
from autostatistician.decompose.series.estimates import (
    MOST_PLACES,
    criteria,
    criterion,
    estimate,
    robust_sd,
    walks,
    witness,
)

__all__ = ["HALF", "AnomalousSegment", "event_sizes", "anomalous_segments", "step_sizes", "sudden_changes"]

Array = NDArray[np.float64]
Rows = NDArray[np.bool_]
Place = tuple[int, int, int]  # of a step: the row where it is most probable, between the first and the last it may be
Rest = Callable[[Array, Rows], Array]  # the data without steps and seasons, these fitted to the rows that are not out

FEWEST_ROWS, FEWEST_OF_SEGMENTS = 16, 40
SIDES = (3, 12)  # fewest and most rows looked at on either side of a change
SIDE_SHARE = 0.15  # of all rows, between these limits; and of a stretch that comes gradually, and beside it, at most
MOST_EVIDENCE = float(np.log(10.0))  # of log odds that data alone give, as a criterion is not exact
SELDOM = float(np.log(20.0))  # log odds against a step in data whose models have none
MOST_OF_DATA = 0.85  # probability of a step that these alone give
HALF = 0.5  # of a change: what lasts, or is there in a draw, has as much of it
PROPOSED = 3.5  # standard errors of a step beside a local line, the largest of many: others are not looked at
CLEAR = 4.5  # robust sds of means, the largest of many
MOST_STAY = 0.75  # share of the values after a change that are where it took them
MOST_CHANGES = 3
LARGER = 2.0  # times the largest change of all other rows that lie apart from the few that stand out
BESIDE_PLACE = (2, 4)  # times the rows among which a step is placed: far ones show more, unless they step as well
NEAR = 3  # rows on either side by which the size of a change is measured
BACK = 0.35  # share of a change that may be left where it went back
LONGEST_EVENT = 0.3  # of the rows
FEWEST_BACK = 2  # rows
LENGTHS = 1.3  # times which the next length of a stretch is
FURTHER = 1.5  # times as far as any other stretch of that length
CHANCE = 1e-5  # of such a stretch in data as the others


def sudden_changes(x: Array, curves: Array, values: Array, cycles: Array | None = None) -> tuple[LevelChange, ...]:
    """The largest sudden changes of data (m,) and curves (k, m) without their seasons, in the order of time.

    What ``cycles`` (k, m) that no calendar keeps in step do again and again is not sudden.
    """
    if len(x) < FEWEST_ROWS or not np.ptp(values) > 0.0:
        return ()
    side = _side(len(x))
    usual = LARGER * _usual_jumps(curves if cycles is None else curves + cycles)
    proposed = []
    for row, reach in _candidates(values, side):
        away = max(side, reach // 2)
        for far in BESIDE_PLACE:
            place = _place(values, row, away, far)
            if abs(place[1] - row) < away:  # else it is the foot of one beyond
                proposed.append((place, reach))
    proposed.sort(key=lambda pair: (pair[0][0] - pair[0][2], -pair[1]))  # the sharpest of each row last
    found = {place[1]: (place, reach) for place, reach in proposed if place[2] - place[0] <= 2 * side}
    seldom = 0.0 if walks(values) else SELDOM  # ramps are as seldom as steps where nothing walks
    shapes = {row: shape for row in found if (shape := _shape(values, row, seldom))}
    for row, shape in list(shapes.items()):
        event = None if shape[0] else _begun(values, row)
        if event is not None:
            begun, evidence = event
            found[begun], shapes[begun] = ((begun, begun, begun), found[row][1]), (row, evidence)
            del shapes[row]
    changes = [_change(x, curves, values, *found[row], shape, usual) for row, shape in shapes.items()]
    apart = side * float(np.ptp(x)) / (len(x) - 1)
    return tuple(_without_returns(sorted(_single(changes, apart), key=lambda change: change.at)))


def step_sizes(curves: Array, first: int, row: int, last: int) -> Array:
    """How far (k,) curves (k, m) step at a row, or somewhere between two others, beside their usual slopes."""
    place = first, row, last
    return _steps_of(curves, place, _slopes_beside(curves, place))[1]


def event_sizes(curves: Array, row: int, back: int) -> tuple[Array, Array]:
    """The levels (k,) of curves (k, m) right before an event, and how far they lie off on average (k,) until a row.

    That is from the middle of the levels right before and after it, beside the usual slopes there.

    >>> places = np.arange(40.0)
    >>> curve = 0.5 * places + np.where((places >= 20) & (places < 24), [8.0, 4.0] * 20, 0.0)
    >>> [numbers.tolist() for numbers in event_sizes(curve[None], 20, 24)]
    [[9.75], [6.0]]
    """
    count, side = curves.shape[1], _side(curves.shape[1])
    last = min(back + 1, count - 1)
    levels = []
    for rows, edge in (
        (np.arange(max(0, row - 1 - side), max(1, row - 1)), row - 0.5),
        (np.arange(last, min(last + side, count)), back - 0.5),
    ):
        levels.append(curves[:, rows].mean(axis=1) + (edge - rows.mean()) * _slopes(curves, rows))
    return levels[0], curves[:, row:back].mean(axis=1) - 0.5 * (levels[0] + levels[1])


def _side(count: int) -> int:
    """How many of so many rows are looked at on either side of a change."""
    return int(np.clip(SIDE_SHARE * count, *SIDES))


def _candidates(values: Array, side: int) -> Iterator[tuple[int, int]]:
    """Rows at which the data step most clearly, those of a reach at some distance from each other, with the reach.

    That is how many rows on either side are looked at: those of one side, then twice as many each time, which show
    what is smaller.
    """
    reaches = [side, 2 * side]
    while 2 * reaches[-1] < len(values):
        reaches.append(2 * reaches[-1])
    for reach in reaches:
        sizes, errors = _steps(values, reach)
        clearness = np.abs(sizes) / errors
        for _ in range(2 * MOST_CHANGES):
            row = int(np.argmax(clearness))
            if not clearness[row] > PROPOSED:
                break
            yield row, reach
            clearness[max(0, row - reach // 2) : row + reach // 2 + 1] = 0.0


def _place(values: Array, row: int, side: int, far: int) -> Place:
    """Near which row a step beside a line with errors that remember describes data (m,) best, between the ends of 95 %.

    Looked at are places up to a ``side`` away, and the data ``far`` times as far.

    >>> noise = np.random.default_rng(2).normal(size=100)
    >>> [_place(size * (np.arange(100) >= 50) + noise, 51, 12, 4) for size in (8.0, 2.0)]
    [(50, 50, 50), (49, 49, 50)]
    """
    some = slice(max(0, row - far * side), row + far * side)
    places = np.arange(max(row - side, SIDES[0]), min(row + side, len(values) - SIDES[0]) + 1)
    rows = np.arange(len(values))[some, None]
    line = np.hstack([np.ones_like(rows), rows - row]) * 1.0
    each = criteria(line, np.where(rows >= places, 1.0, 0.0), values[some])
    weights = np.cumsum(np.exp(-0.5 * (each - each.min())))
    first, last = np.searchsorted(weights, [0.025 * weights[-1], 0.975 * weights[-1]])
    return int(places[first]), int(places[np.argmin(each)]), int(places[last])


def _steps(values: Array, side: int) -> tuple[Array, Array]:
    """The step (m,) of the data at each row beside a line through the rows around it, with its standard error."""
    count, least = len(values), _least_scatter(values)
    sizes, errors = np.zeros(count), np.full(count, np.inf)
    for row in range(SIDES[0], count - SIDES[0] + 1):
        sizes[row], errors[row] = _step(values, row, slice(max(0, row - side), min(count, row + side)), least)
    return sizes, errors


def _least_scatter(values: Array) -> float:
    """The least variance of values (m,) about a line that is believed: half of what steps from row to row have."""
    return 0.25 * robust_sd(np.diff(values)) ** 2


def _step(values: Array, row: int, some: slice, least: float) -> tuple[float, float]:
    """The step of the data at a row beside a line through some rows around it, with its standard error."""
    rows = np.arange(some.start, some.stop)
    design = np.column_stack([np.ones(len(rows)), rows - row, rows >= row])
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ values[some]
    residuals = values[some] - design @ coefficients
    scatter = np.sqrt(max(float(residuals @ residuals) / max(len(residuals) - 3, 1), least, 1e-300))
    return float(coefficients[2]), float(scatter * np.sqrt(inverse[2, 2]))


def _steps_of(curves: Array, place: Place, usual: Array) -> tuple[Array, Array]:
    """The levels (k,) of curves (k, m) right before a place, and the steps (k,) there, beside their usual slopes (k,).

    The rows next to it may lie between both levels, and tell nothing of them.

    >>> places = np.arange(20.0)
    >>> curves = 0.5 * places[None] + 3.0 * (places >= 10.0)
    >>> [numbers.tolist() for numbers in _steps_of(curves, (10, 10, 10), np.array([0.5]))]
    [[4.75], [3.0]]
    """
    first, row, last = place
    near = 1 + last - first
    far = 2 * near + NEAR - 1
    before, after = slice(max(0, row - far), max(1, row - near)), slice(row + near, row + far)
    if after.start >= curves.shape[1]:
        before, after = slice(row - 1, row), slice(row, row + 1)
    rows = np.arange(curves.shape[1])
    levels = curves[:, before].mean(axis=1) + (row - 0.5 - rows[before].mean()) * usual
    return levels, curves[:, after].mean(axis=1) - (rows[after].mean() - row + 0.5) * usual - levels


def _slopes_beside(curves: Array, place: Place) -> Array:
    """The usual slopes (k,) of curves (k, m) on both sides of a place."""
    first, row, last = place
    rows = np.arange(curves.shape[1])
    side = _side(len(rows)) + 2 * (last - first)
    return _slopes(curves, rows[max(0, row - side) : row], rows[row + 1 : row + side])


def _slopes(curves: Array, *sides: NDArray[np.intp]) -> Array:
    """The medians (k,) of the slopes between any two rows of curves (k, m) that are on one side (Theil 1950).

    >>> _slopes(np.array([[0.0, 1.0, 2.0, 50.0, 51.0, 52.0]]), np.array([0, 1, 2]), np.array([3, 4, 5])).tolist()
    [1.0]
    """
    pairs = [np.array(np.triu_indices(len(side), 1)) + side[0] for side in sides if len(side) > 1]
    if not pairs:
        return np.zeros(len(curves))
    first, second = np.concatenate(pairs, axis=1)
    return np.asarray(np.median((curves[:, second] - curves[:, first]) / (second - first), axis=1))


def _change(
    x: Array, curves: Array, values: Array, place: Place, reach: int, shape: tuple[int, float], least: Array
) -> LevelChange:  # fmt: skip
    """What draws say of the change at a place that the data show in a `_shape`, beside so many rows on either side.

    Draws may step at any row of the place. Where few do, the data alone make it more probable, but not sure: the
    logarithms of both odds are averaged. Draws that move as far, but smoothly, leave it to data that are clear
    and, beside the step, no walk, as that may jump as far.
    """
    (first, row, last), (back, evidence), side = place, shape, _side(len(x))
    usual, pairs = _slopes_beside(curves, place), 0.5 * (curves[:, 1:] + curves[:, :-1])
    levels, changes = _steps_of(curves, place, usual)
    jumps = pairs[:, first : min(last + 1, len(x) - 1)] - pairs[:, first - 2 : min(last - 1, len(x) - 3)]
    jumping = np.abs(jumps - 2.0 * usual[:, None]).max(axis=1) > least
    share = float(np.mean(jumping))
    pooled = float(expit(0.5 * (logit(share) + min(evidence, MOST_EVIDENCE))))
    size = estimate(changes[jumping] if logit(share) > -SELDOM else changes)  # it is told that there is one
    step, error = _step(values, row, slice(max(0, row - reach), min(len(x), row + reach)), _least_scatter(values))
    if not back and evidence > SELDOM > logit(share) and not walks(values - step * (np.arange(len(x)) >= row)):
        moved = float(np.mean(changes * np.sign(step) > HALF * abs(step)))
        pooled = max(pooled, min(moved * float(expit(evidence - SELDOM)), MOST_OF_DATA))
    probability = round(max(share, pooled), 4)
    if not back:
        seen = witness("step by least squares beside a line through the rows around it", step, error, size)
    else:  # so it is known what it comes back to
        levels, changes = event_sizes(curves, row, back)
        size, number = estimate(changes), float(event_sizes(values[None], row, back)[1][0])
        # Half of the mean of two lines at their ends, of which each has 4 / side.
        error = robust_sd(np.diff(values)) * np.sqrt(0.5 / (back - row) + 1.0 / side)
        seen = witness("mean of its rows less the levels right before and after it", number, error, size)
    stays = _stays(values[row:] - float(np.median(levels)), size.number)
    until = float(x[back]) if back else None
    count = (back or len(x)) - row
    return LevelChange(
        float(x[row - 1]), float(x[row]), until, size, float(np.median(levels)), probability, count,
        len(x) - (back or row), stays, seen, begins=(float(x[first]), float(x[last])),
    )  # fmt: skip


def _shape(values: Array, row: int, against_ramps: float = 0.0) -> tuple[int, float] | None:
    """From which row on a step of data at one is gone again, 0 where it stays, and its log odds; None where it is none.

    The odds are those against a line with errors that remember, and against a ramp over several rows, by their
    criterion, with the log odds beforehand ``against_ramps`` beside lines. An event is a step and a second one that
    takes most of it back. Of a ramp its middle and its width are free as well.

    >>> rows, noise = np.arange(100.0), np.random.default_rng(0).normal(size=100)
    >>> shapes = [np.clip((rows - 49.5) / width + 0.5, 0.0, 1.0) for width in (1.0, 30.0)]
    >>> found = [_shape(8.0 * y + noise, 50) for y in (*shapes, (rows >= 50.0) & (rows < 58.0), np.zeros(100))]
    >>> [shape and shape[0] for shape in found]
    [0, None, 58, None]
    """
    longest = max(int(LONGEST_EVENT * len(values)), 2 * NEAR)
    some = values[max(0, row - longest) : row + longest + SIDES[1]]
    rows, free = np.arange(float(len(some))) - min(row, longest), np.log(len(some))
    line = np.stack([np.ones(len(some)), rows], axis=1)
    steps = np.where(rows[:, None] >= np.arange(-NEAR, NEAR + 1), 1.0, 0.0)
    step = np.column_stack([line, rows >= 0])
    stops = np.arange(FEWEST_BACK, max(FEWEST_BACK, min(longest, int(rows[-1]) - FEWEST_BACK + 1)) + 1)
    ways_back = np.where(rows[:, None] >= stops, 1.0, 0.0)
    lasts, returns = float(criteria(line, steps, some).min()) + free, criteria(step, ways_back, some) + 2.0 * free
    widths = np.unique(np.geomspace(2 * NEAR, longest, 8).round())
    ramps = [
        np.clip((rows - middle) / width + 0.5, 0.0, 1.0)
        for width in widths
        for middle in np.linspace(-0.5 * width, 0.5 * width, 9)
    ]
    best = int(np.argmin(returns))
    moves = np.linalg.lstsq(np.column_stack([step, ways_back[:, best]]), some, rcond=None)[0][2:]
    left, straight = min(lasts, float(returns[best])), criterion(line, some)
    gradual = float(criteria(line, np.stack(ramps, axis=1), some).min()) + 2.0 * free
    if left > straight:
        return None
    if returns[best] < lasts and abs(moves.sum()) < BACK * abs(moves[0]):
        return row + int(stops[best]), 0.5 * (straight - left)
    return None if gradual < left else (0, 0.5 * (min(straight, gradual + 2.0 * against_ramps) - left))


def _begun(values: Array, row: int) -> tuple[int, float] | None:
    """Where an event of data (m,) begins that ends at a row, and its log odds; None where the row is no way back.

    >>> values = np.random.default_rng(0).normal(size=100) - 8.0 * ((np.arange(100) >= 40) & (np.arange(100) < 45))
    >>> _begun(values, 45)[0], _begun(values, 70)
    (40, None)
    """
    backwards = _shape(values[::-1], len(values) - row)
    return (len(values) - backwards[0], backwards[1]) if backwards and backwards[0] else None


def _stays(apart: Array, size: float) -> bool:
    """Whether most values after a change are about where it took them, the last few as well.

    ``apart`` (m,) is from where they would be without it.

    >>> after = np.array([5.0, 6.0, 5.0, 5.0, 6.0, 5.0, 5.0, 5.0, 6.0, 5.0])
    >>> _stays(after, 5.0), _stays(np.append(after, [1.0, 0.0, 1.0]), 5.0)
    (True, False)
    """
    there = np.abs(apart - size) < HALF * abs(size)
    return bool(there.mean() >= MOST_STAY and there[-SIDES[0] :].mean() >= HALF)


def _usual_jumps(curves: Array) -> Array:
    """The largest change within four rows (k,) that curves (k, m) have beside a few that stand out from all others.

    >>> places = np.arange(96.0)
    >>> cycle, step = np.abs(places % 12.0 - 6.0), 6.0 * (places > 50.0)
    >>> _usual_jumps(np.stack([cycle, step])).tolist()
    [2.0, 0.0]
    """
    pairs = 0.5 * (curves[:, 1:] + curves[:, :-1])
    sizes = np.abs(pairs[:, 2:] - pairs[:, :-2])
    largest = []
    for _ in range(2 * MOST_CHANGES + 1):  # as an event has two
        rows = sizes.argmax(axis=1)
        largest.append(sizes[np.arange(len(sizes)), rows])
        sizes = np.where(np.abs(np.arange(sizes.shape[1]) - rows[:, None]) <= NEAR + 1, 0.0, sizes)
    every = np.array(largest)
    following = (every[:-1] / np.maximum(every[1:], 1e-9 * every[0] + 1e-300)).argmax(axis=0) + 1
    return np.asarray(every[following, np.arange(len(sizes))])


def _single(changes: Sequence[LevelChange], apart: float) -> list[LevelChange]:
    """Those that draws have: of changes that are not so far ``apart`` the most probable, of like ones the sharpest."""

    def doubt(change: LevelChange) -> tuple[float, float]:
        low, high = change.begins or (change.at, change.at)
        return -round(change.probability, 1), high - low

    kept: list[LevelChange] = []
    for change in sorted(changes, key=doubt):
        if change.probability > 0.0 and all(abs(change.at - other.at) >= apart for other in kept):
            kept.append(change)
    return kept


def _without_returns(changes: list[LevelChange]) -> list[LevelChange]:
    """Without those that are the end of a surer one, the largest few of those that draws agree on, then of others."""
    kept: list[LevelChange] = []
    for change in changes:
        if not any(_is_way_back(change, event) for event in kept):
            kept.append(change)
    largest = sorted(kept, key=lambda change: (change.probability < 0.5, -abs(change.size.number)))[:MOST_CHANGES]
    return sorted(largest, key=lambda change: change.at)


def _is_way_back(change: LevelChange, event: LevelChange) -> bool:
    """Whether a change may lie where an event ends that is about as sure, and takes it back."""
    if event.until is None or event.size.number * change.size.number >= 0.0:
        return False
    within = event.at < change.at and (change.begins or (change.at,))[0] <= event.until + 1e-9
    return within and round(event.probability, 1) >= round(change.probability, 1)


# --- Stretches that come or go gradually ----------------------------------------------------------------------------


@dataclass(frozen=True)
class AnomalousSegment:
    """The rows ``first`` to ``stop`` (which is not one of them), how far they lie off, and the chance of that."""

    first: int
    stop: int
    level: float  # of its rows on average, seasons left out
    size: float
    chance: float
    error: float  # the sd of means of as many rows elsewhere
    apart: tuple[float, ...]  # how far each of its rows lies off


def anomalous_segments(values: Array, rest: Rest, aside: Rows | bool = False) -> tuple[AnomalousSegment, ...]:
    """The stretches of data (m,) that are clear, in the order of time.

    Neighbours to one side that are known to lie off, each by itself, are ``aside`` (m,): these are stretches, too.

    >>> values = np.random.default_rng(0).normal(size=200)
    >>> values[90:96] += [6.0, 9.0, 8.0, 7.0, 6.0, 6.0]
    >>> [(segment.first, segment.stop) for segment in anomalous_segments(values, lambda values, out: values)]
    [(90, 96)]
    >>> [anomalous_segments(np.cumsum(values + drift), lambda values, out: values) for drift in (0.0, 0.5, 2.0)]
    [(), (), ()]
    >>> values[150:152] = -9.0
    >>> [(one.first, one.stop) for one in anomalous_segments(values, lambda values, out: values, values == -9.0)]
    [(90, 96), (150, 152)]
    """
    if len(values) < FEWEST_OF_SEGMENTS:
        return ()
    longest = max(SIDES[0], int(SIDE_SHARE * len(values)))
    out = np.zeros(len(values), dtype=bool)
    kept: list[AnomalousSegment] = []
    while len(kept) < MOST_CHANGES:
        segment = _next(values, rest, out, aside, longest)
        if segment is None or out[segment.first : segment.stop].any():
            break
        kept.append(segment)
        out[segment.first : segment.stop] = True
    inner = [(first, last + 1) for first, last in runs(aside & ~out) if 0 < first < last < len(values) - 1]
    known = [_segment(values, rest, out | aside, ends, longest) for ends in inner]
    kept += [segment for segment in known if segment is not None and not np.ptp(np.sign(segment.apart))]
    return tuple(sorted(kept, key=lambda segment: segment.first))


def _next(values: Array, rest: Rest, out: Rows, aside: Rows | bool, longest: int) -> AnomalousSegment | None:
    """The clearest stretch beside those that are out already; None where it is not clear."""
    apart = _apart(rest(values, out | aside), out | aside, longest)
    judged = (_judged(values, rest, out | aside, ends, longest) for ends in _furthest(apart, out, longest))
    return next((segment for segment in judged if segment is not None), None)


def _judged(values: Array, rest: Rest, out: Rows, ends: tuple[int, int], longest: int) -> AnomalousSegment | None:
    """A stretch with what is expected there fitted without it."""
    for _ in range(2):  # as its ends become others when it is left out
        without = out.copy()
        without[slice(*ends)] = True
        found = _ends(rest(values, without), *ends, longest)
        if found is None:
            return None
        ends = found
    return _segment(values, rest, without, ends, longest)


def _segment(values: Array, rest: Rest, without: Rows, ends: tuple[int, int], longest: int) -> AnomalousSegment | None:
    """How far some rows lie off what is expected there, fitted ``without`` (m,) them; None where it is not clear."""
    left = rest(values, without)
    apart = _apart(left, without, longest)
    rows, length = slice(*ends), ends[1] - ends[0]
    size = float(np.mean(apart[rows]))
    about = without.copy()
    about[max(0, ends[0] - length) : ends[1] + length] = True  # what is left of it beside it is no other
    means = _means(apart, about, length)
    scale = robust_sd(means)
    if not scale > 0.0 or abs(size) < FURTHER * np.abs(means).max():
        return None
    stretches = len(apart) / length
    chance = float(min(1.0, 2.0 * stretches * t_distribution.sf(abs(size) / scale, stretches - 1.0)))
    if chance >= CHANCE:
        return None
    level, each = float(np.mean(left[rows])), tuple(apart[rows].tolist())
    return AnomalousSegment(*ends, level, size, max(chance, 1e-12), scale, each)


def _furthest(apart: Array, out: Rows, longest: int) -> list[tuple[int, int]]:
    """The stretch of every length that lies furthest off, the clearest first."""
    every, lengths = [], {SIDES[0]}
    while max(lengths) * LENGTHS < longest:
        lengths.add(max(max(lengths) + 1, int(max(lengths) * LENGTHS)))
    for length in sorted(lengths):
        means = _means(np.where(out, 0.0, apart), np.zeros_like(out), length)
        first, scale = int(np.argmax(np.abs(means))), robust_sd(means)
        if abs(means[first]) > CLEAR * scale > 0.0:
            every.append((abs(means[first]) / scale, (first, first + length)))
    return [ends for _, ends in sorted(every, key=lambda pair: -pair[0])]


def _ends(values: Array, first: int, stop: int, longest: int) -> tuple[int, int] | None:
    """The ends of the stretch near to another that describes data (m,) best beside a line with errors that remember.

    None where a step or a single row does, or the line alone.
    """
    length = stop - first
    first, stop = max(first, SIDES[0]), min(stop, len(values) - SIDES[0])
    if stop - first < SIDES[0]:
        return None
    reach = max(2 * length, 4 * SIDES[1])
    start, some = max(0, first - reach), values[max(0, first - reach) : stop + reach]
    rows, free = np.arange(float(len(some)))[:, None] + start, np.log(len(some))
    line = np.hstack([np.ones_like(rows), rows])
    firsts = _places(max(first - length, stop - longest, SIDES[0]), stop - FEWEST_BACK)
    first = int(firsts[np.argmin(criteria(line, np.where((rows >= firsts) & (rows < stop), 1.0, 0.0), some))])
    stops = _places(first + FEWEST_BACK, min(stop + length, first + longest, len(values) - SIDES[0]))
    each = criteria(line, np.where((rows >= first) & (rows < stops), 1.0, 0.0), some) + 2.0 * free
    others = np.hstack([rows >= _places(start + 1, start + len(some) - 1), rows == _places(first, stop - 1)]) * 1.0
    if min(criterion(line, some), float(criteria(line, others, some).min()) + free) < each.min():
        return None
    return first, int(stops[np.argmin(each)])


def _places(low: int, high: int) -> NDArray[np.intp]:
    """Rows from one to another, not too many."""
    return low + evenly_spaced(high - low + 1, MOST_PLACES)


def _means(apart: Array, out: Rows, length: int) -> Array:
    """Means of so many neighbouring rows none of which is out."""
    window = np.full(length, 1.0 / length)
    usable = np.convolve(out, np.ones(length), mode="valid") < 0.5
    return np.asarray(np.convolve(apart, window, mode="valid")[usable])


def _apart(values: Array, out: Rows, longest: int) -> Array:
    """How far data (m,) lie from the line through the medians of the rows before and after each, those left out.

    A median of rows on both sides would be the value itself wherever data only rise, which then seem not to scatter.

    >>> rises = np.cumsum(1.0 + np.random.default_rng(0).uniform(size=200))
    >>> round(robust_sd(_apart(rises, np.zeros(200, dtype=bool), 12)), 1)
    0.9
    """
    kept = np.flatnonzero(~out)
    side = 2 * max(int(0.5 * SIDE_SHARE * len(values)), longest) + 1
    medians = median_filter(values[kept], size=side)[side // 2 :]  # of as many rows from each on
    before = np.clip(np.arange(len(kept)) - side, 0, len(kept) - 2 * side)
    after = before + side
    places = kept[: len(kept) - side + 1] + 0.5 * (side - 1)
    slopes = (medians[after] - medians[before]) / (places[after] - places[before])
    level = medians[before] + slopes * (kept - places[before])
    return np.asarray(values - np.interp(np.arange(len(values)), kept, level))

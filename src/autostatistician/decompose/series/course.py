"""How a function runs as a whole, seasons left out: its level at both ends, its slope of late, where it turns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import theilslopes

from autostatistician._io.serial_correlation import effective_sample_size
from autostatistician.decompose.records.function import (
    EndLevel,
    Estimate,
    Movement,
    Plateau,
    Witness,
)
from autostatistician.decompose.series.estimates import Back, criterion, estimate, robust_sd, witness
from autostatistician.decompose.series.seasons import broken_lines

__all__ = [
    "LEAST_STILL", "SHARE_OF_END", "Ends", "against_outer_rows", "cycle_means", "ends", "largest_move",
    "pace", "paces", "plateau", "season_means", "slope_of_late", "smoothed", "stretches", "wandering_share",
]  # fmt: skip


Array = NDArray[np.float64]

Span = tuple[float, float, float]

SLOW, MOVING = 0.2, 0.5  # times the pace of the whole: what stands still, and from which on it moves

MOST_WITHIN = 0.35  # of a change: what goes up and down by more is no plateau

SURE = 0.95

FEWEST_ROWS = 4

SHARE_OF_END = 0.1  # of the span: how long an end of the data is where no season is longer

FEWEST_AT_END = 3  # rows, or in a third of the data

SMOOTHED_OVER = 1.0 / 24.0  # of the span, but so many rows at least, which in short series are a twelfth of it:

ROWS_SMOOTHED, NEAR_TURN = 8, 1.0 / 12.0  # so near to that of their middle lie the turns of single curves


LEAST_LEG = 0.1  # of the reach of the course

MOST_TURNS = 24  # that are asked for, which takes a time that goes as their square

NEAR_END = 0.25  # of the shorter run beside a turn: so near to it lie the values that are a witness

SHOWN = 0.5  # of a rise: data at both ends that show less of it do not show it

SAME_LEVEL = 0.1  # of the way of a leg: so near to its ends it stays at these

LEAST_STILL = 1.0 / 8.0  # of the span

LEAST_STILL_OF_RUN = 0.27  # of its length: more than of one that is bent as a parabola


@dataclass(frozen=True, eq=False)
class Ends:
    """The level at the first and at the last row, the rise between them, and the same of the data."""

    first: EndLevel
    last: EndLevel
    rise: Estimate
    witness: Witness


def end_rows(x: Array, length: float) -> tuple[slice, slice]:
    """The rows of the first and of the last stretch of a length, a few at least.

    >>> end_rows(np.arange(20.0), 5.0)
    (slice(0, 5, None), slice(15, 20, None))
    """
    fewest = min(FEWEST_AT_END, max(1, len(x) // 3))
    early = max(int(np.searchsorted(x, x[0] + length * (1.0 - 1e-9))), fewest)
    late = min(int(np.searchsorted(x, x[-1] - length * (1.0 - 1e-9), side="right")), len(x) - fewest)
    return slice(0, early), slice(late, len(x))


def cycle_means(x: Array, curves: Array, season: float) -> Array:
    """Means of curves (k, m) over one whole season about each row, near the ends over the outermost one.

    Without a season (0) they are the curves themselves.

    >>> x = np.arange(6.0)
    >>> cycle_means(x, x[None], 2.0).tolist()
    [[0.5, 0.5, 1.5, 2.5, 3.5, 4.5]]
    """
    if not season:
        return curves
    starts = np.clip(x - 0.5 * season, x[0], x[end_rows(x, season)[1].start])
    first, last = (np.searchsorted(x, starts + far) for far in (-1e-9 * season, season * (1.0 - 1e-9)))
    return _means_between(curves, first, last)


def _means_between(curves: Array, first: NDArray[np.intp], last: NDArray[np.intp]) -> Array:
    """Means of curves (k, m) over rows from ``first`` to before ``last``, (j,) each."""
    sums = np.hstack([np.zeros((len(curves), 1)), np.cumsum(curves, axis=1)])
    return np.asarray((sums[:, last] - sums[:, first]) / (last - first))


def ends(
    x: Array, curves: Array, values: Array, length: float, back: Back, heights: Array, *, is_curve: bool = False
) -> Ends:  # fmt: skip
    """How much curves (k, m) lie higher at the end than at the start; ``values`` (m,) are the data, seasons left out.

    ``heights`` (k, m) are theirs in the units of the data, to which ``back`` maps others. The witness compares whole
    stretches of a ``length``, as single rows of data scatter; of a curve, whose
    rows came in no order and may be few where it ends, as many rows as would fill these.
    """
    by = np.linspace(x[0], x[-1], len(x)) if is_curve else x
    stretches = end_rows(by, length)
    middle = np.median if is_curve else np.mean  # as of the data: places of a curve may be uneven
    middles = [back(middle(curves[:, rows], axis=1)) for rows in stretches]
    statistic = "difference of the medians of the last and the first rows"
    seen = _difference(statistic, [back(values[rows]) for rows in stretches], estimate(middles[1] - middles[0]))
    outer = (stretches, end_rows(by, float(np.ptp(by)) / 3.0))
    clear = any(_clearly_apart(x, back(values), sides) * seen.number > 0.0 for sides in outer)
    seen = replace(seen, agrees=seen.agrees and clear)
    first, last = (
        EndLevel(float(x[rows][0]), float(x[rows][-1]), estimate(heights[:, row]))
        for rows, row in zip(stretches, (0, -1), strict=True)
    )
    return Ends(first, last, estimate(heights[:, -1] - heights[:, 0]), seen)


def _clearly_apart(x: Array, values: Array, sides: tuple[slice, slice]) -> float:
    """The direction in which medians of two stretches of values (m,) lie apart further than values stray; else zero.

    Values remember those before, which makes for fewer that count.

    >>> x, noise, thirds = np.arange(100.0), np.random.default_rng(0).normal(size=100), (slice(0, 33), slice(67, 100))
    >>> [_clearly_apart(x, slope * x + noise, thirds) for slope in (0.02, -0.02, 0.0)]
    [1.0, -1.0, 0.0]
    """
    errors = values - np.polynomial.Polynomial.fit(x, values, 1)(x)
    worth = effective_sample_size(errors) / len(errors)
    first, last = (values[side] for side in sides)
    share = sum(1.0 / max(1.0, worth * len(side)) for side in (first, last))
    apart = float(np.median(last) - np.median(first))
    sds = float(ndtri(1.0 - (1.0 - SURE) / 4.0))  # of each of two differences, upwards or downwards
    return float(np.sign(apart)) if abs(apart) > sds * 1.25 * robust_sd(errors) * np.sqrt(share) else 0.0


def _difference(statistic: str, sides: list[Array], claimed: Estimate) -> Witness:
    """How much higher the second of two sets of values lies than the first, by their medians."""
    before, after = (float(np.median(side)) for side in sides)
    # medians of k values have about 1.25 times the error of means
    error = 1.25 * float(np.hypot(*(robust_sd(side) / np.sqrt(len(side)) for side in sides)))
    return witness(statistic, after - before, error, claimed)


def against_outer_rows(x: Array, values: Array, back: Back, both: Ends) -> Ends:
    """A rise whose witness is the difference of the outermost rows, where the data (m,) there surely do not show half.

    The levels that are claimed are those at the ends; of a long season, stretches as long as it say little of these.
    The last few rows may show a bend that a longer stretch hides.

    >>> x = np.arange(240.0)
    >>> rise = Ends(None, None, Estimate(5.0, 4.0, 6.0, 1.0), Witness("ends", 5.0, 4.0, 6.0, True))
    >>> values = np.where((x > 130.0) & (x < 220.0), 5.0, 0.0) + np.tile([-1.0, 1.0], 120)
    >>> against_outer_rows(x, values, lambda values: values, rise).witness.agrees
    False
    >>> against_outer_rows(x, x / 40.0 + np.tile([-1.0, 1.0], 120), lambda values: values, rise) is rise
    True
    """
    statistic, few = "difference of the medians of the outermost rows at both ends", min(ROWS_SMOOTHED, len(x) // 2)
    for rows in (slice(0, few), slice(len(x) - few, len(x))), end_rows(x, 2.0 * _width(x)):
        seen = _difference(statistic, [back(values[some]) for some in rows], both.rise)
        most = max(seen.low * np.sign(both.rise.number), seen.high * np.sign(both.rise.number))
        if seen.agrees or most >= SHOWN * abs(both.rise.number):
            return both
    return replace(both, witness=seen)


def slope_of_late(x: Array, curves: Array, values: Array, length: float, back: Back) -> tuple[Estimate, Witness]:
    """The slope per unit of the axis between the last stretch of a length and the one before it.

    The witness is the median slope (Theil and Sen) of the ``values`` (m,) over both: where it does not surely go the
    same way, what the models make of the last rows is not in the data.
    """
    late = end_rows(x, length)[1]
    before = end_rows(x[: late.start], length)[1] if late.start > 1 else slice(0, 1)
    apart = float(x[late].mean() - x[before].mean())
    slope = estimate((back(curves[:, late].mean(axis=1)) - back(curves[:, before].mean(axis=1))) / (apart or 1.0))
    both = slice(before.start, late.stop)
    number, _, low, high = map(float, theilslopes(back(values[both]), x[both]))
    same = low * np.sign(slope.number) > 0.0 and high * np.sign(slope.number) > 0.0
    return slope, Witness("median slope of the last rows and those before them", number, low, high, bool(same))


def pace(x: Array, curves: Array, back: Back) -> Estimate:
    """The slope of a straight line through each of the curves (k, m), in the units of the data."""
    centred = x - x.mean()
    return estimate(back(curves) @ centred / max(float(centred @ centred), 1e-300))


def paces(x: Array, curves: Array, back: Back) -> tuple[float, float, float]:
    """The slopes of straight lines through the three thirds of curves (k, m), in the middle of the draws.

    These are thirds of the span, or of the rows where few of these lie in one.

    >>> x = np.arange(30.0)
    >>> paces(x, np.abs(x - 10.0)[None], lambda values: values)
    (-1.0, 1.0, 1.0)
    >>> rows = [0, 4, 9, *range(10, 30)]
    >>> paces(x[rows], np.abs(x - 10.0)[None, rows], lambda values: values)
    (-1.0, 1.0, 1.0)
    """
    ends = x[0] + np.ptp(x) * np.array([1.0, 2.0]) / 3.0 * (1.0 + 1e-9)
    thirds = np.split(np.arange(len(x)), np.searchsorted(x, ends, side="right"))
    if min(map(len, thirds)) < FEWEST_AT_END:
        thirds = np.array_split(np.arange(len(x)), 3)
    first, middle, last = (round(pace(x[rows], curves[:, rows], back).number, 12) for rows in thirds)
    return first, middle, last


def smoothed(x: Array, curves: Array) -> Array:
    """Local lines through curves (k, m), with weights that fall off over a part of the span."""
    apart = (x[None] - x[:, None]) / max(_width(x), 1e-300)
    weights = np.exp(-0.5 * apart**2)
    total, first, second = (np.sum(weights * apart**power, axis=1) for power in (0, 1, 2))
    spread = total * second - first**2
    lines = weights * (second[:, None] - first[:, None] * apart) / np.where(spread > 0.0, spread, 1.0)[:, None]
    return np.asarray(curves @ lines.T)


def _width(x: Array) -> float:
    """Over how much of the axis a course is smoothed.

    >>> [round(_width(np.arange(float(n)))) for n in (37, 97, 385)]
    [3, 8, 16]
    """
    span = float(np.ptp(x))
    return max(SMOOTHED_OVER * span, min(NEAR_TURN * span, ROWS_SMOOTHED * span / max(len(x) - 1, 1)))


def wandering_share(x: Array, curves: Array) -> float:
    """Which share of the variation of curves (k, m) a straight line leaves, in the middle of the draws.

    >>> x = np.linspace(0.0, 1.0, 50)
    >>> round(wandering_share(x, np.array([2.0 * x])), 6)
    0.0
    """
    line = np.polynomial.polynomial.polyvander((x - x.mean()) / (np.ptp(x) or 1.0), 1)
    remainder = curves.T - line @ np.linalg.lstsq(line, curves.T, rcond=None)[0]
    whole = np.maximum(curves.var(axis=1), 1e-300)
    return float(np.median(remainder.var(axis=0) / whole))


def stretches(
    x: Array, curves: Array, heights: Array, values: Array, back: Back, remains: float
) -> tuple[Movement, ...]:
    """The rises and falls that nearly all curves (k, m) share; a single one where they never turn for sure.

    Their ``heights`` (k, m) are in the units of the data. A season may leave ``remains`` of so long a cycle: then their
    means over it turn. The witnesses are ``values`` (m,), the data, near to both ends of each.
    """
    means = season_means(x, curves, remains)
    means[:, [0, -1]] = cycle_means(x, curves, remains)[:, [0, -1]]
    middle = np.median(means, axis=0)
    spans = {0: (x[0], x[0], x[0]), len(x) - 1: (x[-1], x[-1], x[-1])}
    found = _clear_turns(x, values, _sure_turns(_turns(middle), means), middle)
    for before, turn, after in zip(found, found[1:], found[2:], strict=False):
        some = slice(before, after + 1)
        if remains:  # means over a season turn before, or after, what they are means of
            span = _bending_place(x[some], curves[:, some], turn - before, 0.5 * remains)
        else:
            span = _turning_place(x[some], means[:, some], middle[some], turn - before)
        spans.setdefault(int(np.searchsorted(x, span[1])), span)
    turns = _clear_turns(x, values, _sure_turns(sorted(spans), means), middle)
    levels = {row: heights[:, row] for row in turns}
    shorter = {row: min(abs(x[row] - x[other]) for other in turns if other != row) for row in turns}
    sides = {row: back(values[_rows_near(x, row, min(_width(x), NEAR_END * shorter[row]))]) for row in turns}
    statistic = "difference of the medians of the values about its ends"
    runs, stays = [], _stays(x, means, values, turns)
    for start, stop in pairwise(turns):  # the level beside a date is that of the date
        change = estimate(levels[stop] - levels[start])
        (_, (low, begin, high)), ((_, end, _), _) = (stays.get(row, (spans[row], spans[row])) for row in (start, stop))
        first, last = (float(np.median(levels[row])) for row in (start, stop))
        seen = _difference(statistic, [sides[start], sides[stop]], change)
        seen = replace(seen, agrees=min(seen.low * change.number, seen.high * change.number) > 0.0)  # goes the same way
        some = slice(int(np.searchsorted(x, begin)), int(np.searchsorted(x, end)) + 1)
        within, least = season_means(x[some], curves[:, some], remains), LEAST_STILL * float(np.ptp(x) / (end - begin))
        still = plateau(x[some], within, values[some], heights[:, some], max(LEAST_STILL_OF_RUN, least))
        runs.append(Movement(float(begin), float(end), first, last, change, (float(low), float(high)), seen, still))
    return tuple(runs)


def _stays(x: Array, curves: Array, values: Array, turns: list[int]) -> dict[int, tuple[Span, Span]]:
    """For each turn at which a course stays for a while when it comes there, and when it leaves, with the ends of 95 %.

    It stays for longer than it takes to come or to go, and a line with a bend at both ends of that describes the data
    (m,) better than one that turns at once.

    >>> x, noise = np.arange(90.0), np.random.default_rng(0).normal(size=90)
    >>> plateau, roof = np.interp(x, [20.0, 30.0, 55.0, 65.0], [0.0, 40.0, 40.0, 0.0]), 45.0 - np.abs(x - 45.0)
    >>> [_stays(x, y[None], y + noise, [0, 45, 89]) for y in (plateau, roof)]
    [{45: ((29.0, 29.0, 29.0), (56.0, 56.0, 56.0))}, {}]
    """
    middle, found = np.median(curves, axis=0), {}
    for before, turn, after in zip(turns, turns[1:], turns[2:], strict=False):
        (start, comes), (goes, stop) = _moving(middle, before, turn), _moving(middle, turn, after)
        if x[goes] - x[comes] <= max(x[comes] - x[start], x[stop] - x[goes]):
            continue
        some, ends = slice(before, after + 1), [before, start, stop, after]
        at_once, stays = (
            criterion(broken_lines(x[some], x[sorted({*ends, *rows})]), values[some]) + len(rows) * np.log(len(x))
            for rows in ((turn,), (comes, goes))
        )
        if stays < at_once:
            both = [(_moving(curve, before, turn)[1], _moving(curve, turn, after)[0]) for curve in curves]
            came, went = np.quantile(x[np.array(both)], [0.025, 0.5, 0.975], axis=0, method="nearest").T.tolist()
            found[turn] = (tuple(came), tuple(went))
    return found


def season_means(x: Array, curves: Array, season: float) -> Array:
    """Means of curves (k, m) over a season about each row, which get shorter towards both ends.

    >>> x = np.arange(6.0)
    >>> season_means(x, x[None] ** 2, 2.0).round(2).tolist()
    [[0.0, 1.67, 4.67, 9.67, 16.67, 25.0]]
    """
    half = np.minimum(0.5 * season, np.minimum(x - x[0], x[-1] - x)) * (1.0 + 1e-9)
    return _means_between(curves, np.searchsorted(x, x - half), np.searchsorted(x, x + half, side="right"))


def _rows_near(x: Array, row: int, width: float) -> slice:
    """The rows within a width about one, a few at least."""
    low, high = np.searchsorted(x, [x[row] - width, x[row] + width])
    first = max(0, min(int(low), row - FEWEST_AT_END // 2, len(x) - FEWEST_AT_END))
    return slice(first, max(int(high), row + FEWEST_AT_END // 2 + 1, first + FEWEST_AT_END))


def _turns(middle: Array) -> list[int]:
    """Rows of the ends of a curve (m,) and of all its turning points at some distance from them."""
    slopes = np.sign(np.diff(middle))
    within = range(FEWEST_AT_END - 1, len(slopes) - FEWEST_AT_END)
    inner = [row + 1 for row in within if slopes[row] * slopes[row + 1] < 0.0]
    return [0, *inner, len(middle) - 1]


def _sure_turns(turns: list[int], curves: Array) -> list[int]:
    """Those of the rows, and the ends, between which nearly all curves (k, m) rise, or nearly all fall."""
    reach = float(np.ptp(np.median(curves, axis=0)))
    turns, sizes = [*turns], [_leg_weight(curves, a, b, reach) for a, b in pairwise(turns)]
    while len(turns) > 2 and min(sizes) < 1.0:
        weakest = int(np.argmin(sizes))
        first, last = max(weakest, 1), min(weakest + 1, len(turns) - 2)
        turns = _without_leg(turns, weakest)
        del sizes[first - 1 : last + 1]
        sizes.insert(first - 1, _leg_weight(curves, turns[first - 1], turns[first], reach))
    return turns


def _clear_turns(x: Array, values: Array, turns: list[int], middle: Array) -> list[int]:
    """Those of the rows, and the ends, at which a line through data (m,) must turn beside noise that remembers.

    Of many, the legs that go least far in the ``middle`` (m,) of curves are not asked for.

    >>> x, noise = np.arange(120.0), np.random.default_rng(0).normal(size=120)
    >>> roof = 60.0 - np.abs(x - 60.0)
    >>> _clear_turns(x, roof + noise, [0, 20, 24, 60, 119], roof)
    [0, 60, 119]
    """
    while len(turns) > MOST_TURNS:
        turns = _without_leg(turns, int(np.argmin(np.abs(np.diff(middle[turns])))))
    left = _information_of(x, values, turns, middle)
    while len(turns) > 2:
        trials = [_without_leg(turns, leg) for leg in range(len(turns) - 1)]
        tried = [_information_of(x, values, trial, middle) for trial in trials]
        best = int(np.argmin(tried))
        if tried[best] > left:
            break
        turns, left = trials[best], tried[best]
    return turns


def _information_of(x: Array, values: Array, turns: list[int], middle: Array) -> float:
    """The criterion of lines through data (m,) that bend at turns, or where each leg begins and ends to move.

    Of a bend, its place is free as well.
    """
    moving = sorted({turns[0], turns[-1], *(row for leg in pairwise(turns) for row in _moving(middle, *leg))})
    tried = ([*turns], moving)
    return min(criterion(broken_lines(x, x[rows]), values) + len(rows) * float(np.log(len(x))) for rows in tried)


def _moving(middle: Array, start: int, stop: int) -> tuple[int, int]:
    """From which row to which a leg of a curve (m,) does most of its way.

    >>> _moving(np.array([0.0, 0.0, 0.0, 4.0, 8.0, 8.0, 8.0]), 0, 6)
    (2, 4)
    """
    change = float(middle[stop] - middle[start])
    done = (middle[start : stop + 1] - middle[start]) / (change or 1.0)
    begins = int(np.flatnonzero(done <= SAME_LEVEL)[-1])
    ends = np.flatnonzero(done[begins:] >= 1.0 - SAME_LEVEL)
    return start + begins, start + begins + int(ends[0] if len(ends) else stop - start - begins)


def _without_leg(turns: list[int], leg: int) -> list[int]:
    """Turns without those at the ends of a leg that are no ends of the data."""
    return [turns[0], *turns[1 : max(leg, 1)], *turns[min(leg + 1, len(turns) - 2) + 1 :]]


def _leg_weight(curves: Array, start: int, stop: int, reach: float) -> float:
    """How clear a leg is: one and more where it is sure and long enough."""
    change = curves[:, stop] - curves[:, start]
    middle = float(np.median(change))
    sure = float(np.mean(np.sign(change) == np.sign(middle))) / SURE
    long = abs(middle) / (LEAST_LEG * reach) if reach > 0.0 else 0.0
    return min(sure, long) if min(sure, long) < 1.0 else long


def _turning_place(x: Array, curves: Array, middle: Array, row: int) -> tuple[float, float, float]:
    """Where curves (k, m) turn near to a turn of their middle (m,): the median with the ends of 95 %."""
    near = np.flatnonzero(np.abs(x - x[row]) <= NEAR_TURN * float(np.ptp(x)))
    top = middle[row] >= max(middle[near[0]], middle[near[-1]])
    rows = curves[:, near].argmax(axis=1) if top else curves[:, near].argmin(axis=1)
    low, half, high = np.quantile(x[near][rows], [0.025, 0.5, 0.975], method="nearest").tolist()
    return float(low), float(half), float(high)


def _bending_place(x: Array, curves: Array, row: int, within: float) -> tuple[float, float, float]:
    """Where lines with one bend, near to a row, leave the least of curves (k, m): the median with the ends of 95 %.

    >>> x = np.arange(60.0)
    >>> _bending_place(x, np.minimum(x, 120.0 - 2.0 * x)[None] + np.sin(x), 34, 10.0)
    (40.0, 40.0, 40.0)
    """
    near = np.flatnonzero(np.abs(x - x[row]) <= within)
    left = []
    for place in x[near]:
        line = np.linalg.qr(np.stack([np.ones(len(x)), x - place, np.maximum(x - place, 0.0)], axis=1))[0]
        left.append(np.sum((curves - (curves @ line) @ line.T) ** 2, axis=1))
    low, half, high = np.quantile(x[near][np.argmin(left, axis=0)], [0.025, 0.5, 0.975], method="nearest").tolist()
    return float(low), float(half), float(high)


def largest_move(x: Array, values: Array) -> Movement:
    """The largest fall or rise between two of some values (m,), in the units of the data: a fact of these alone.

    >>> move = largest_move(np.arange(6.0), np.array([3.0, 4.0, 1.0, 2.0, 0.5, 2.0]))
    >>> (move.start, move.stop, move.first, move.last)
    (1.0, 4.0, 4.0, 0.5)
    """
    rises = values - np.minimum.accumulate(values)
    falls = np.maximum.accumulate(values) - values
    is_rise = bool(rises.max() >= falls.max())
    stop = int(np.argmax(rises if is_rise else falls))
    start = int(np.argmin(values[: stop + 1]) if is_rise else np.argmax(values[: stop + 1]))
    size = float(values[stop] - values[start])
    seen = Witness("difference of the values", size, size, size, True)
    ends, at = (float(values[start]), float(values[stop])), float(x[start])
    return Movement(at, float(x[stop]), *ends, Estimate(size, size, size, 1.0), (at, at), seen)


# --- Where a rise or fall stands still ------------------------------------------------------------------------------


def plateau(x: Array, curves: Array, values: Array, heights: Array, least: float) -> Plateau | None:
    """The stretch in which smooth curves (k, m), which go one way in all, hardly go that way, or against it.

    It is at least so large a share of the inputs ``x`` (m,), and nearly all curves are slower there than half the pace
    of the whole. A line that bends at its ends describes the ``values`` (m,), the data, clearly better than a straight
    one, with noise that remembers beside both.

    >>> x = np.arange(60.0)
    >>> stairs = np.interp(x, [0.0, 15.0, 40.0, 59.0], [0.0, 30.0, 30.0, 70.0])
    >>> still = plateau(x, stairs[None], stairs, stairs[None], 0.3)
    >>> (still.start, still.stop, still.first, still.last)
    (15.0, 40.0, 30.0, 30.0)
    >>> plateau(x, x[None], x, x[None], 0.3) is None
    True
    """
    middle = np.median(curves, axis=0)
    change, span = float(middle[-1] - middle[0]), float(np.ptp(x))
    if change == 0.0 or len(x) < FEWEST_ROWS:
        return None
    done, passed = (middle - middle[0]) / change, (x - x[0]) / span
    start, stop = _slowest(done, passed)
    length = float(passed[stop] - passed[start])
    if length < least or stop - start < FEWEST_ROWS or done[stop] - done[start] > SLOW * length:
        return None
    if np.ptp(done[start : stop + 1]) > MOST_WITHIN:
        return None
    most = MOVING * abs(change) / span
    slopes = np.sign(change) * (curves[:, stop] - curves[:, start]) / (x[stop] - x[start])
    line, bends = np.stack([np.ones(len(x)), x], axis=1), np.maximum(x[:, None] - x[[start, stop]], 0.0)
    bent = np.hstack([line, bends[:, [start > 0, stop < len(x) - 1]]])
    places = (bent.shape[1] - 2) * np.log(len(x))  # as free as the bends are
    if np.mean(slopes < most) < SURE or criterion(bent, values) + places > criterion(line, values):
        return None
    first, last = (float(np.median(heights[:, row])) for row in (start, stop))
    return Plateau(float(x[start]), float(x[stop]), first, last)


def _slowest(done: Array, passed: Array) -> tuple[int, int]:
    """The two rows between which most is missing to half the pace of the whole; what goes against it counts as nothing.

    >>> _slowest(np.array([0.0, 0.4, 0.5, 0.3, 0.5, 1.0]), np.linspace(0.0, 1.0, 6))
    (1, 4)
    """
    missing = MOVING * (passed[None] - passed[:, None]) - np.maximum(done[None] - done[:, None], 0.0)
    start, stop = np.unravel_index(int(np.argmax(np.triu(missing))), missing.shape)
    return int(start), int(stop)

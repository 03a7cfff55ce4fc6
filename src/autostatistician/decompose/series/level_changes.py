"""Sudden changes of a function: found in the data as steps beside a local line, judged by draws of the function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.function import Sudden
from autostatistician.decompose.series.estimates import estimate, robust_sd, witness

__all__ = ["event_sizes", "step_sizes", "sudden_changes"]

Array = NDArray[np.float64]

FEWEST_ROWS = 16
SIDES = (3, 12)  # fewest and most rows looked at on either side of a change
SIDE_SHARE = 0.15  # of all rows, between these limits
AT_ONCE = 0.6  # share of a change within three steps that is not the slope around them
LASTS = 0.5  # share of a change that is there for the rows after it
CLEAR = 4.5  # standard errors of a step beside a local line, the largest of many
MOST_STAY = 0.75  # share of the values after a change that are where it took them
MOST_CHANGES = 3
LARGER, APART = 2.0, 4  # times the largest change of all other rows that lie so far from the few that stand out
NEAR = 3  # rows on either side by which the size of a change is measured
BACK = 0.35  # share of a change that may be left where it went back
LONGEST_EVENT = 0.3  # of the rows
FEWEST_BACK = 2  # rows


def sudden_changes(x: Array, curves: Array, values: Array, cycles: Array | None = None) -> tuple[Sudden, ...]:
    """The largest sudden changes of data (m,) and curves (k, m) without their seasons, in the order of time.

    What ``cycles`` (k, m) that no calendar keeps in step do again and again is not sudden.
    """
    if len(x) < FEWEST_ROWS or not np.ptp(values) > 0.0:
        return ()
    side = _side(len(x))
    usual = LARGER * _usual_jumps(curves if cycles is None else curves + cycles)
    changes = [_change(x, curves, values, row, side, usual) for row in _candidates(values, side)]
    return tuple(_without_returns(sorted(changes, key=lambda change: change.at)))


def step_sizes(curves: Array, row: int) -> Array:
    """How far (k,) curves (k, m) step at a row, beside their usual slopes."""
    return _steps_of(curves, row, _slopes_beside(curves, row, _side(curves.shape[1])))[1]


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


def _candidates(values: Array, side: int) -> Iterator[int]:
    """Rows at which the data step most clearly, each at some distance from those before.

    Beside the rows of one side on either side of them, then beside twice as many: those show what is smaller.
    """
    seen: list[int] = []
    for reach in (side, 2 * side):
        sizes, errors = _steps(values, reach)
        clearness = np.abs(sizes) / errors
        for _ in range(2 * MOST_CHANGES):
            for row in seen:
                clearness[max(0, row - reach // 2) : row + reach // 2 + 1] = 0.0
            row = int(np.argmax(clearness))
            if not clearness[row] > CLEAR:
                break
            yield row
            seen.append(row)


def _steps(values: Array, side: int) -> tuple[Array, Array]:
    """The step (m,) of the data at each row beside a line through the rows around it, with its standard error."""
    count = len(values)
    sizes, errors = np.zeros(count), np.full(count, np.inf)
    for row in range(SIDES[0], count - SIDES[0] + 1):
        sizes[row], errors[row] = _step(values, row, slice(max(0, row - side), min(count, row + side)))
    return sizes, errors


def _step(values: Array, row: int, some: slice) -> tuple[float, float]:
    """The step of the data at a row beside a line through some rows around it, with its standard error."""
    usual = robust_sd(np.diff(values)) / np.sqrt(2.0)
    rows = np.arange(some.start, some.stop)
    design = np.column_stack([np.ones(len(rows)), rows - row, rows >= row])
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ values[some]
    residuals = values[some] - design @ coefficients
    scatter = np.sqrt(max(float(residuals @ residuals) / max(len(residuals) - 3, 1), 0.5 * usual**2, 1e-300))
    return float(coefficients[2]), float(scatter * np.sqrt(inverse[2, 2]))


def _steps_of(curves: Array, row: int, usual: Array) -> tuple[Array, Array]:
    """The levels (k,) of curves (k, m) right before a row, and the steps (k,) there, beside their usual slopes (k,).

    The rows next to it may lie between both levels, and tell nothing of them.

    >>> places = np.arange(20.0)
    >>> [numbers.tolist() for numbers in _steps_of(0.5 * places[None] + 3.0 * (places >= 10.0), 10, np.array([0.5]))]
    [[4.75], [3.0]]
    """
    before, after = slice(max(0, row - 1 - NEAR), max(1, row - 1)), slice(row + 1, row + 1 + NEAR)
    if after.start >= curves.shape[1]:
        before, after = slice(row - 1, row), slice(row, row + 1)
    rows = np.arange(curves.shape[1])
    levels = curves[:, before].mean(axis=1) + (row - 0.5 - rows[before].mean()) * usual
    return levels, curves[:, after].mean(axis=1) - (rows[after].mean() - row + 0.5) * usual - levels


def _slopes_beside(curves: Array, row: int, side: int) -> Array:
    """The usual slopes (k,) of curves (k, m) on both sides of a row."""
    rows = np.arange(curves.shape[1])
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


def _change(x: Array, curves: Array, values: Array, row: int, side: int, least: Array) -> Sudden:
    """What draws say of the change at a row, and how long it lasts in the data."""
    before, after = slice(max(0, row - side), row), slice(row, min(len(x), row + side))
    rows = np.arange(len(x))
    usual = _slopes_beside(curves, row, side)
    beside = curves - usual[:, None] * (rows - row)
    moves = beside[:, after].mean(axis=1) - beside[:, before].mean(axis=1)
    near = slice(max(0, row - 2), row), slice(row, min(len(x), row + 2))
    jumps = beside[:, near[1]].mean(axis=1) - beside[:, near[0]].mean(axis=1)
    sudden = (np.abs(jumps) > least) & (_at_once(curves, row) > AT_ONCE)
    lasting = moves * np.sign(np.median(jumps)) > LASTS * np.abs(jumps)
    levels, changes = _steps_of(curves, row, usual)
    size = estimate(changes)
    apart = [values - _line_before(values, row, 2 * side), values - float(np.median(levels))]
    back = _back(apart, row, side, size.number)
    if back is None:
        step = _step(values, row, slice(before.start, after.stop))
        seen = witness("step by least squares beside a line through the rows around it", *step, size)
        seen = replace(
            seen, agrees=seen.agrees and not _is_ramp(values, row, max(int(LONGEST_EVENT * len(x)), 2 * NEAR))
        )
    else:  # so it is known what it comes back to
        levels, changes = event_sizes(curves, row, back)
        size, number = estimate(changes), float(event_sizes(values[None], row, back)[1][0])
        # Half of the mean of two lines at their ends, of which each has 4 / side.
        error = robust_sd(np.diff(values)) * np.sqrt(0.5 / (back - row) + 1.0 / side)
        seen = witness("mean of its rows less the levels right before and after it", number, error, size)
    stays = _stays(values[row:] - float(np.median(levels)), size.number)
    until = None if back is None else float(x[back])
    count = (len(x) if back is None else back) - row
    share = float(np.mean(sudden & (lasting | (count < side))))
    return Sudden(
        float(x[row - 1]), float(x[row]), until, size, float(np.median(levels)), round(share, 4), count,
        len(x) - (row if back is None else back), stays, seen,
    )  # fmt: skip


def _at_once(curves: Array, row: int) -> Array:
    """The share (k,) of the change of curves (k, m) in the three steps around a row that is beside their slope there.

    That is the slope over the three steps before these and after them: of a step all is beside it, of a curve none.

    >>> places = np.arange(20.0)
    >>> curves = [places >= 10.0, 1.0 * places, 1.0 / (1.0 + np.exp(10.0 - places))]
    >>> _at_once(np.array(curves, dtype=np.float64), 10).round(2).tolist()
    [1.0, 0.0, 0.7]
    """
    last = curves.shape[1] - 1
    ends = [curves[:, int(np.clip(place, 0, last))] for place in (row - 2 - NEAR, row - 2, row + 1, row + 1 + NEAR)]
    inside, around = ends[2] - ends[1], 0.5 * (ends[1] - ends[0] + ends[3] - ends[2])
    return np.asarray((inside - around) / np.where(inside == 0.0, np.inf, inside))


def _is_ramp(values: Array, row: int, reach: int) -> bool:
    """Whether data rise or fall over several rows, where a model may have a step: by BIC, beside a line.

    Rows whose errors remember count for fewer (Bartlett 1935): among them a step may look like a ramp by chance.

    >>> rows, noise = np.arange(100.0), np.random.default_rng(0).normal(size=100)
    >>> [_is_ramp(8.0 * np.clip((rows - 49.5) / width + 0.5, 0.0, 1.0) + noise, 50, 48) for width in (1.0, 30.0)]
    [False, True]
    """
    some = values[max(0, row - reach) : row + reach]
    rows, count = np.arange(float(len(some))) - min(row, reach), len(some)
    steps = [_left(some, rows, np.where(rows >= at, 1.0, 0.0)) for at in range(-NEAR, NEAR + 1)]
    ramps = [
        _left(some, rows, np.clip((rows - middle) / width + 0.5, 0.0, 1.0))
        for width in np.unique(np.geomspace(2 * NEAR, reach, 8).round())
        for middle in np.linspace(-0.5 * width, 0.5 * width, 9)
    ]
    best = min(ramps, key=_square)
    memory = min(max(float(best[1:] @ best[:-1]) / _square(best), 0.0), 1.0)
    gain = count * np.log(min(map(_square, steps)) / _square(best))
    return bool(gain * (1.0 - memory) / (1.0 + memory) > 2.0 * np.log(count))


def _square(left: Array) -> float:
    return max(float(left @ left), 1e-300)


def _left(values: Array, rows: Array, change: Array) -> Array:
    """What least squares leave of values (m,) by a line and a change."""
    design = np.column_stack([np.ones(len(rows)), rows, change])
    return np.asarray(values - design @ np.linalg.lstsq(design, values, rcond=None)[0])


def _stays(apart: Array, size: float) -> bool:
    """Whether most values after a change are about where it took them, the last few as well.

    ``apart`` (m,) is from where they would be without it.

    >>> after = np.array([5.0, 6.0, 5.0, 5.0, 6.0, 5.0, 5.0, 5.0, 6.0, 5.0])
    >>> _stays(after, 5.0), _stays(np.append(after, [1.0, 0.0, 1.0]), 5.0)
    (True, False)
    """
    there = np.abs(apart - size) < LASTS * abs(size)
    return bool(there.mean() >= MOST_STAY and there[-SIDES[0] :].mean() >= LASTS)


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
        sizes = np.where(np.abs(np.arange(sizes.shape[1]) - rows[:, None]) <= APART, 0.0, sizes)
    every = np.array(largest)
    following = (every[:-1] / np.maximum(every[1:], 1e-9 * every[0] + 1e-300)).argmax(axis=0) + 1
    return np.asarray(every[following, np.arange(len(sizes))])


def _line_before(values: Array, row: int, side: int) -> Array:
    """The line (m,) that the rows before one lie on, by the median of the slopes between them."""
    before = values[max(0, row - side) : row]
    apart = np.subtract.outer(np.arange(len(before)), np.arange(len(before)))
    later = apart > 0
    slope = float(np.median(np.subtract.outer(before, before)[later] / apart[later])) if later.any() else 0.0
    offsets = np.arange(len(values)) - row
    return np.asarray(slope * offsets + np.median(before - slope * offsets[max(0, row - side) : row]))


def _back(apart: Sequence[Array], row: int, side: int, size: float) -> int | None:
    """The row from which most of a change is gone again for good; None where it is not, or only after long.

    The values lie so far ``apart`` (m,) from where they would be without it, and from where they were before it.
    """
    left, most = np.array(apart)[:, row:] * np.sign(size), BACK * abs(size)
    for start in range(FEWEST_BACK, min(left.shape[1], int(LONGEST_EVENT * len(apart[0]))) + 1):
        next_ones = left[:, start : start + SIDES[0]]
        if next_ones.shape[1] < FEWEST_BACK or max(next_ones[0].max(), next_ones[1].mean()) >= most:
            continue
        if np.median(left[:, start : start + 2 * side], axis=1).max() < most:
            return row + start
    return None


def _without_returns(changes: list[Sudden]) -> list[Sudden]:
    """Without those that are the end of another, the largest few of those that draws agree on, then of the others."""
    kept: list[Sudden] = []
    for change in changes:
        event = next(
            (
                earlier
                for earlier in kept
                if earlier.until is not None and earlier.at < change.at <= earlier.until + 1e-9
            ),
            None,
        )
        if event is None or change.size.number * event.size.number > 0.0:
            kept.append(change)
    largest = sorted(kept, key=lambda change: (change.probability < 0.5, -abs(change.size.number)))[:MOST_CHANGES]
    return sorted(largest, key=lambda change: change.at)

"""Rows that stand out because something happened there: runs that lie off together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["together"]


Flags = NDArray[np.bool_]

Array = NDArray[np.float64]

BESIDE, FEWEST_BESIDE = 12, 3  # rows on either side that an event is compared with

ENDS_TRIED = 3  # on either side of a row, beside those that are larger than all nearer ones

FEWEST_ROWS = 3  # of an event: fewer may be single values

LONGEST_EVENT = 0.3  # of the rows

APART = 1.0 / 3.0  # of the distance of the medians: so far apart are all rows of an event from all beside it


def together(y: Array, out: Flags) -> Flags:
    """Which rows (n,) of a series belong to runs that lie off together, by the rows that are ``out``.

    >>> y = np.where((np.arange(60) >= 30) & (np.arange(60) < 40), 9.0, 0.0)
    >>> np.flatnonzero(together(y, np.arange(60) == 31)).tolist()
    [30, 31, 32, 33, 34, 35, 36, 37, 38, 39]
    """
    rows = np.zeros(len(y), dtype=bool)
    for row in np.flatnonzero(out):
        if not rows[row]:
            first, last = _event(y, int(row))
            rows[first : last + 1] = True
    return rows


def _event(y: Array, row: int) -> tuple[int, int]:
    """The first and last row of the longest run around a row that lies off together; an empty one where there is none.

    From one row to the next it moves by less than to the rows beside it: its ends are the largest moves so far.
    """
    longest = int(LONGEST_EVENT * len(y))
    low, high = max(FEWEST_BESIDE, row - longest + 1), min(len(y) - FEWEST_BESIDE, row + longest) - 1
    moves = np.abs(np.diff(y))
    firsts = row - _ends(moves[low - 1 : row][::-1])
    lasts = row + _ends(moves[row : high + 1])
    pairs = [(int(a), int(b)) for a in firsts for b in lasts if FEWEST_ROWS <= b - a + 1 <= longest]
    return max((pair for pair in pairs if _is_off(y, *pair)), key=lambda pair: pair[1] - pair[0], default=(1, 0))


def _ends(moves: Array) -> NDArray[np.intp]:
    """The places of moves (m,) that are larger than all before them, or the largest of all.

    Single values that are off elsewhere move as far as an event does: its ends need not be among the largest.

    >>> _ends(np.array([1.0, 5.0, 2.0, 9.0, 8.0, 9.0, 9.0])).tolist()
    [0, 1, 3, 5, 6]
    """
    before = np.maximum.accumulate(np.append(-1.0, moves))[:-1]
    return np.union1d(np.flatnonzero(moves > before), np.argsort(-moves, kind="stable")[:ENDS_TRIED])


def _is_off(y: Array, first: int, last: int) -> bool:
    """Whether all rows from one to another lie clearly above, or below, all those beside them."""
    inside = y[first : last + 1]
    beside = np.concatenate([y[max(0, first - BESIDE) : first], y[last + 1 : last + 1 + BESIDE]])
    least = APART * abs(float(np.median(inside) - np.median(beside)))
    return bool(max(inside.min() - beside.max(), beside.min() - inside.max()) > least > 0.0)

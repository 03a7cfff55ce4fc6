"""Symmetries that a function of the columns of a table may have, each as a plain value, and which are worth a look.

A claim says what may be done to a row without changing the function, or while only turning its sign about a level.
Claims are about pairs of columns at most (exchanges of blocks about two pairs); larger groups are generated from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Claim", "Kind", "proposals"]

Array = NDArray[np.float64]

LEAST_COMMON = 0.5  # of the values of either column that lie in the range of the other, to exchange them
MOST_RATIO = 3.0  # of the spreads of columns whose sum or difference is taken as it stands
LEAST_VALUES = 8  # different ones, for a mirror or a period
MOST_FOR_BLOCKS = 6  # columns: of more there are too many pairs of pairs


class Kind(StrEnum):
    """What is done to a row."""

    EXCHANGE = "exchange"  # of two columns
    BLOCKS = "exchange of blocks"  # of two pairs of columns: a with c, and b with d
    MIRROR = "mirror"  # one column changes sides of an unknown point
    POINT = "mirror of two"  # two columns do so together
    SHIFT = "shift"  # one column moves at will
    COMMON_SHIFT = "common shift"  # columns move together
    COUNTER_SHIFT = "counter shift"  # one of two columns moves up as the other moves down
    COMBINATION = "combination"  # both move along an unknown direction
    PERIOD = "period"  # one column moves by an unknown period


@dataclass(frozen=True)
class Claim:
    """A symmetry: what is done, to which columns (places from 0), and whether it turns the sign.

    >>> Claim(Kind.EXCHANGE, (0, 2)).odd
    False
    """

    kind: Kind
    columns: tuple[int, ...]
    odd: bool = False


def proposals(X: Array, columns: Sequence[int]) -> tuple[Claim, ...]:
    """The symmetries that rows (n, d) could show, of some of their columns.

    Columns are only exchanged, added or subtracted where their numbers can mean the same: where each takes values in
    the range of the other, or varies as much. Mirrors and periods need several different values.

    >>> rows = np.random.default_rng(0).uniform(size=(20, 2)) * [1.0, 9.0]
    >>> sorted({claim.kind.value for claim in proposals(rows, (0, 1))})
    ['combination', 'mirror', 'mirror of two', 'period', 'shift']
    """
    columns = [column for column in columns if np.ptp(X[:, column]) > 0.0]
    return (*_of_one(X, columns), *_of_two(X, columns), *_of_several(X, columns))


def _of_one(X: Array, columns: Sequence[int]) -> Iterator[Claim]:
    for column in columns:
        yield Claim(Kind.SHIFT, (column,))
        if len(np.unique(X[:, column])) >= LEAST_VALUES:
            yield Claim(Kind.PERIOD, (column,))
            yield from _both_signs(Kind.MIRROR, (column,))


def _of_two(X: Array, columns: Sequence[int]) -> Iterator[Claim]:
    for pair in combinations(columns, 2):
        if _exchangeable(X, *pair):
            yield from _both_signs(Kind.EXCHANGE, pair)
        if _alike(X, pair):
            yield Claim(Kind.COMMON_SHIFT, pair)
            yield Claim(Kind.COUNTER_SHIFT, pair)
        if all(len(np.unique(X[:, column])) >= LEAST_VALUES for column in pair):
            yield from _both_signs(Kind.POINT, pair)
            yield Claim(Kind.COMBINATION, pair)


def _of_several(X: Array, columns: Sequence[int]) -> Iterator[Claim]:
    if len(columns) > 2 and _alike(X, columns):
        yield Claim(Kind.COMMON_SHIFT, tuple(columns))
    for four in combinations(columns, 4) if len(columns) <= MOST_FOR_BLOCKS else ():
        for c in four[1:]:
            b, d = (column for column in four[1:] if column != c)
            if _exchangeable(X, four[0], c) and _exchangeable(X, b, d):
                yield from _both_signs(Kind.BLOCKS, (four[0], b, c, d))


def _both_signs(kind: Kind, columns: tuple[int, ...]) -> tuple[Claim, Claim]:
    return Claim(kind, columns), Claim(kind, columns, odd=True)


def _exchangeable(X: Array, one: int, other: int) -> bool:
    pairs = (X[:, one], X[:, other]), (X[:, other], X[:, one])
    return all(np.mean((a >= b.min()) & (a <= b.max())) >= LEAST_COMMON for a, b in pairs)


def _alike(X: Array, columns: Sequence[int]) -> bool:
    sds = X[:, list(columns)].std(axis=0)
    return bool(sds.max() <= MOST_RATIO * sds.min())

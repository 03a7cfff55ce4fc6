"""The subsets of the columns that take part: a set of them that has all subsets of its members, with their kernels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Hull", "closure", "members"]

Array = NDArray[np.float64]


def members(subset: int) -> tuple[int, ...]:
    """The columns of a subset, which is a number with one bit for each.

    >>> members(0b101)
    (0, 2)
    """
    return tuple(place for place in range(subset.bit_length()) if subset >> place & 1)


def parents(subset: int) -> Iterator[int]:
    """The subsets with one column less."""
    return (subset ^ (1 << column) for column in members(subset))


def closure(subsets: Iterable[int]) -> set[int]:
    """The subsets with all of theirs.

    >>> sorted(closure([0b011]))
    [0, 1, 2, 3]
    """
    closed, waiting = {0}, list(subsets)
    while waiting:
        subset = waiting.pop()
        if subset not in closed:
            closed.add(subset)
            waiting.extend(parents(subset))
    return closed


class Hull:
    """Subsets with their packed kernels, every subset after its own subsets; the empty one is the first.

    ``columns`` (p, N) are the packed kernels of the columns.
    """

    def __init__(self, columns: Array, most: int) -> None:
        self.columns = columns
        self.subsets: list[int] = []
        self._places: dict[int, int] = {}
        self._kernels = np.empty((most, columns.shape[1]))  # memory is taken when it is filled
        self.add([0])

    def __len__(self) -> int:
        return len(self.subsets)

    @property
    def room(self) -> int:
        """How many subsets more can be taken in."""
        return len(self._kernels) - len(self)

    @property
    def kernels(self) -> Array:
        """The packed kernels (m, N)."""
        return self._kernels[: len(self)]

    @property
    def sizes(self) -> Array:
        """How many columns each subset has (m,)."""
        return np.array([subset.bit_count() for subset in self.subsets], dtype=float)

    @property
    def below(self) -> Array:
        """A matrix (m, m): one where the second is a subset of the first."""
        held = np.array([[subset >> j & 1 for j in range(len(self.columns))] for subset in self.subsets], dtype=float)
        return np.asarray((held @ held.T == self.sizes[None, :]), dtype=float)

    def last_steps(self) -> Iterator[tuple[int, int, int]]:
        """Of every subset but the empty one: its place, that of the subset without its last column, and this column."""
        for place, subset in enumerate(self.subsets[1:], 1):
            column = subset.bit_length() - 1
            yield place, self._places[subset ^ (1 << column)], column

    def add(self, subsets: Sequence[int]) -> None:
        """Take subsets in whose own subsets are there."""
        for subset in subsets:
            assert all(parent in self._places for parent in parents(subset))
            place, column = len(self), subset.bit_length() - 1
            row = self._kernels[place]
            if subset:
                np.multiply(self._kernels[self._places[subset ^ (1 << column)]], self.columns[column], out=row)
            else:
                row[:] = 1.0
            self._places[subset] = place
            self.subsets.append(subset)

    def keep(self, kept: NDArray[np.bool_]) -> None:
        """Leave out all but some subsets, which must have all of theirs."""
        for new, old in enumerate(np.flatnonzero(kept)):
            if new < old:
                self._kernels[new] = self._kernels[old]
        self.subsets = [subset for subset, stays in zip(self.subsets, kept, strict=True) if stays]
        assert closure(self.subsets) == set(self.subsets)
        self._places = {subset: place for place, subset in enumerate(self.subsets)}

    def sources(self) -> list[tuple[int, int, int]]:
        """Subsets outside all of whose own subsets are inside: place of one of them, column that is added, subset."""
        steps = {}
        for place, subset in enumerate(self.subsets):
            for column in range(len(self.columns)):
                source = subset | (1 << column)
                if source not in self._places and source not in steps and self._is_ready(source):
                    steps[source] = (place, column, source)
        return list(steps.values())

    def _is_ready(self, source: int) -> bool:
        return all(parent in self._places for parent in parents(source))

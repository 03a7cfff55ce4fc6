"""The inputs of one column, in order and in blocks, with the lags within the blocks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.geometry import grid_step

__all__ = ["BLOCK", "BlockLayout", "Lengths", "laid_out"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Index = NDArray[np.intp]

BLOCK = 56  # inputs: of those between 48 and 64 none is much faster


@dataclass(frozen=True, slots=True, eq=False)
class Lengths:
    """Lengths (B, m) among which the same ones come again and again: the different ones, and which stands where."""

    lengths: Array
    distinct: Array  # (L,)
    index: Index | None  # (B, m), or (1, m) where all blocks share it; None where each has its own

    def damped(self, rate: Array | Complex) -> Array | Complex:
        """``exp(-rate length)``, shape (B or 1, m, A)."""
        table = np.exp(-self.distinct[:, None] * rate)
        return np.asarray(table.reshape(*self.lengths.shape, len(rate)) if self.index is None else table[self.index])

    def part(self, which: slice) -> Lengths:
        """Those of some blocks; of a gap between others nothing is left.

        >>> both = Lengths.of(np.array([[0.0, 1.0], [0.0, 3.0], [0.0, 1.0]]), 1.0)
        >>> both.distinct.tolist(), both.part(slice(2, 3)).distinct.tolist()
        ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0])
        """
        lengths = self.lengths[which]
        if self.index is None:
            return Lengths(lengths, lengths.ravel(), None)
        if len(self.index) == 1:
            return replace(self, lengths=lengths)
        used, index = np.unique(self.index[which], return_inverse=True)
        index = index.reshape(lengths.shape)
        return Lengths(lengths, self.distinct[used], index[:1] if (index == index[0]).all() else index)

    @classmethod
    def of(cls, lengths: Array, step: float | None) -> Lengths:
        """The lengths as multiples of a step, where there are not too many of these."""
        if step is not None:
            index = np.rint(lengths / step).astype(np.intp)
            if (index == index[0]).all():
                index = index[:1]
            if (most := int(index.max())) < lengths.size:
                return cls(lengths, step * np.arange(most + 1.0), index)
        return cls(lengths, lengths.ravel(), None)


@dataclass(frozen=True, slots=True, eq=False)
class BlockLayout:
    """Inputs (B, m) in B blocks of m; the last inputs of the last block only fill it.

    ``since`` is measured from the first input of a block, ``until`` to that of the next, ``steps`` (B,) are the sums.
    After the last block the next one is as far as after the one before.
    """

    order: Index  # (n,): the rows in the order of their inputs
    x: Array  # (n,): the inputs in order
    inputs: Array
    since: Lengths
    until: Lengths
    steps: Array
    anchors: Array  # (B, 2): where each block and the next one begin, from the middle
    turn: Array  # (B, m): inputs from the middle
    relative: Array  # from the middle, in units of half the range
    unit: float  # half the range
    filled: NDArray[np.bool_]  # (B, m)
    distinct: Array  # (L,): lags, the first zero
    index: Index  # (B, m, m), or (1, m, m) where all blocks share it: which lag stands where

    @property
    def shortest(self) -> float:
        """The shortest lag between blocks that is not zero."""
        gaps = np.diff(self.x)
        return float(gaps[gaps > 0.0].min(initial=2.0 * self.unit))

    @property
    def has_lags(self) -> bool:
        """Whether more than lag zero is known."""
        return len(self.distinct) > 1 or self.inputs.shape[1] == 1

    def part(self, which: slice) -> BlockLayout:
        """Some of the blocks with their own lags.

        >>> laid_out(np.arange(5.0), 2, with_lags=False).part(slice(1, 3)).x.tolist()
        [2.0, 3.0, 4.0]
        """
        m = self.inputs.shape[1]
        rows = slice(which.start * m, min(which.stop * m, len(self.x)))
        inputs, x = self.inputs[which], self.x[rows]
        distinct, index = _lags(inputs, len(x), grid_step(x))
        names = ("steps", "anchors", "turn", "relative", "filled")
        return replace(
            self,
            order=self.order[rows],
            x=x,
            inputs=inputs,
            since=self.since.part(which),
            until=self.until.part(which),
            distinct=distinct,
            index=index,
            **{name: getattr(self, name)[which] for name in names},
        )

    def seen_from(self, blocks: Index, x: Array) -> BlockLayout:
        """Other inputs x (k,), each as a block that begins and ends where one of the blocks (k,) does, around it.

        No lags are known of them. Beyond all blocks nothing is damped: no columns are asked for there.
        """
        start, middle = self.inputs[blocks, 0], 0.5 * (self.x[0] + self.x[-1])
        since, until = np.maximum(x - start, 0.0)[:, None], np.maximum(start + self.steps[blocks] - x, 0.0)[:, None]
        return replace(
            self,
            order=np.arange(len(x)),
            x=x,
            inputs=x[:, None],
            since=Lengths(since, since.ravel(), None),
            until=Lengths(until, until.ravel(), None),
            steps=self.steps[blocks],
            anchors=self.anchors[blocks],
            turn=x[:, None] - middle,
            relative=(x[:, None] - middle) / self.unit,
            filled=np.ones((len(x), 1), dtype=bool),
            distinct=np.zeros(1),
            index=np.zeros((1, 1, 1), dtype=np.intp),
        )

    def blocked(self, values: Array) -> Array:
        """Values (n, ...) of rows in order as blocks (B, m, ...), with zeros at the end."""
        padded = np.zeros((self.filled.size, *values.shape[1:]))
        padded[: len(values)] = values
        return padded.reshape(*self.filled.shape, *values.shape[1:])

    def in_blocks(self, rows: Array) -> Array:
        """The same of rows in the order in which they were given."""
        return self.blocked(rows[self.order])

    def flat(self, values: Array) -> Array:
        """Blocks (B, m) as values (n,)."""
        return values.ravel()[: len(self.x)]

    def expand(self, values: Array | float) -> Array:
        """What stands at the lags as matrices (B, m, m) or (1, m, m)."""
        return values[self.index] if isinstance(values, np.ndarray) else np.full((1, 1, 1), values)

    def collapse(self, matrices: Array) -> Array:
        """Sums (L,) of matrices (B, m, m) over the inputs where a lag stands."""
        if len(self.index) == 1:
            matrices = matrices.sum(0, keepdims=True)
        sums = np.bincount(self.index.ravel(), matrices.ravel(), minlength=len(self.distinct))
        return sums.astype(np.float64, copy=False)

    def lags(self, column: int) -> Array:
        """The distinct lags (as a `Geometry` gives them)."""
        return self.distinct


def laid_out(x: Array, m: int = BLOCK, *, with_lags: bool = True) -> BlockLayout:
    """Inputs x (n,), in any order, in blocks; without lags only that of zero is known.

    >>> found = laid_out(np.array([0.0, 2.0, 1.0, 3.0, 4.0]), 2)
    >>> found.inputs.tolist(), found.until.lengths.tolist(), found.distinct.tolist()
    ([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[2.0, 1.0], [2.0, 1.0], [2.0, 1.0]], [0.0, 1.0])
    """
    order = np.argsort(x, kind="stable")
    n, m = len(x), min(m, len(x))
    B = -(-n // m)
    ordered = x[order]
    step = grid_step(ordered)
    padded = ordered[-1] + (step or 0.0) * np.maximum(np.arange(B * m) - (n - 1.0), 0.0)
    padded[:n] = ordered
    inputs: Array = padded.reshape(B, m)
    starts = inputs[:, 0]
    after = np.append(starts[1:], max(starts[-1] + (starts[-1] - starts[-2] if B > 1 else 0.0), inputs[-1, -1]))
    middle, unit = 0.5 * (ordered[0] + ordered[-1]), 0.5 * float(np.ptp(ordered)) or 1.0
    distinct, index = _lags(inputs, n, step) if with_lags else (np.zeros(1), np.zeros((1, 1, 1), dtype=np.intp))
    return BlockLayout(
        order,
        ordered,
        inputs,
        Lengths.of(inputs - inputs[:, :1], step),
        Lengths.of(after[:, None] - inputs, step),
        after - starts,
        np.stack([starts, after], axis=1) - middle,
        inputs - middle,
        (inputs - middle) / unit,
        unit,
        (np.arange(B * m) < n).reshape(B, m),
        distinct,
        index,
    )


def _lags(inputs: Array, n: int, step: float | None) -> tuple[Array, Index]:
    """The distinct lags within blocks and which stands where; without a grid every pair has its own."""
    B, m = inputs.shape
    if step is not None:
        cells = np.rint((inputs - inputs[0, 0]) / step).astype(np.intp)
        index = np.abs(cells[:, :, None] - cells[:, None, :])
        longest = int(index.max())
        if longest <= B * m * m:
            last = n - (B - 1) * m
            same = (index[: B - 1] == index[0]).all() and (index[-1, :last, :last] == index[0, :last, :last]).all()
            return step * np.arange(longest + 1.0), index[:1] if same else index
    i, j = np.tril_indices(m, -1)
    index = np.zeros((B, m, m), dtype=np.intp)
    index[:, i, j] = index[:, j, i] = 1 + np.arange(B * len(i)).reshape(B, len(i))
    return np.append(0.0, (inputs[:, i] - inputs[:, j]).ravel()), index

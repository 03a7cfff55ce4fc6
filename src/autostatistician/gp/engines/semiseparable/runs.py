"""Runs of blocks that need the same columns: at a change those of what was before end, and those of what comes begin.

A column whose profile is nothing in all blocks from some block on tells no block of anything before, and one that is
nothing in all blocks before has nothing to tell. So what blocks know goes from run to run without such columns, and the
cost of a change is that of the sides of it one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.semiseparable.recursion import Adjoints, BlockMatrices, Pass, backward, forward

__all__ = ["BlockRun", "Mask", "RunsPass", "backward_in_runs", "forward_in_runs", "needed", "runs_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

NEGLIGIBLE = 1e-8  # part of the largest value of a profile
WORTH = 0.8  # a run with more of the columns has them all: to leave out few costs more than it saves


def needed(profile: Array) -> Mask:
    """Which blocks need the columns of a profile (B, m): those from the first to the last where it is something.

    >>> needed(np.array([[0.0, 0.0], [0.0, 1e-3], [1e-12, 0.0], [1.0, 1.0], [1e-12, 0.0]])).tolist()
    [False, True, True, True, False]
    """
    sizes = np.abs(profile).max(axis=1)
    some = np.flatnonzero(sizes > NEGLIGIBLE * sizes.max(initial=0.0))
    needs = np.zeros(len(sizes), dtype=bool)
    if len(some):
        needs[some[0] : some[-1] + 1] = True
    return needs


@dataclass(frozen=True, slots=True, eq=False)
class BlockRun:
    """Some blocks and the columns that they need, that of the observations the last; None: all."""

    blocks: slice
    columns: Index | None

    def of(self, blocks: BlockMatrices) -> BlockMatrices:
        """What the run sees of the blocks."""
        K, U, V, phi = (matrix[self.blocks] for matrix in (blocks.K, blocks.U, blocks.V, blocks.phi))
        if self.columns is None:
            return BlockMatrices(K, U, V, phi)
        return BlockMatrices(K, *(np.ascontiguousarray(matrix[..., self.columns]) for matrix in (U, V, phi)))

    def part(self, matrix: Array | None) -> Array | None:
        """What a matrix (R + 1, R + 1) says of the columns of the run."""
        return matrix if matrix is None or self.columns is None else matrix[np.ix_(self.columns, self.columns)]

    def whole(self, part: Array, size: int) -> Array:
        """The same of all columns: nothing of others."""
        if self.columns is None:
            return part
        whole = np.zeros((size, size))
        whole[np.ix_(self.columns, self.columns)] = part
        return whole


def runs_of(needs: Sequence[tuple[int, Mask]], count: int) -> list[BlockRun]:
    """The runs of ``count`` blocks with columns side by side: how many need which blocks.

    >>> runs = runs_of([(2, np.array([True, True, False])), (1, np.array([False, True, True]))], 3)
    >>> [(one.blocks.start, one.blocks.stop, None if one.columns is None else one.columns.tolist()) for one in runs]
    [(0, 1, [0, 1, 3]), (1, 2, None), (2, 3, [2, 3])]
    """
    every = np.concatenate([np.zeros((0, count), dtype=bool), *(np.tile(need, (width, 1)) for width, need in needs)])
    every = np.concatenate([every, np.ones((1, count), dtype=bool)])
    every |= every.mean(axis=0) > WORTH
    edges = np.flatnonzero((every[:, 1:] != every[:, :-1]).any(axis=0)) + 1
    return [
        BlockRun(slice(start, stop), None if every[:, start].all() else np.flatnonzero(every[:, start]))
        for start, stop in pairwise([0, *edges.tolist(), count])
    ]


@dataclass(frozen=True, slots=True, eq=False)
class RunsPass:
    """The way there through all runs."""

    nll: float  # as that of `Pass`
    end: Array  # (R + 1, R + 1): what is known after the last block
    passes: list[tuple[BlockRun, BlockMatrices, Pass]]


def forward_in_runs(
    blocks: BlockMatrices, runs: Sequence[BlockRun], count: int, *, way_back: bool = True, start: Array | None = None
) -> RunsPass | None:
    """`recursion.forward`, run by run."""
    B, m, Q = blocks.U.shape
    nll, passes, end = 0.0 if start is None else 0.5 * float(start[-1, -1]), [], start
    for run in runs:
        part = run.of(blocks)
        observed = m * len(part.phi) - (B * m - count if run.blocks.stop == B else 0)
        before = run.part(end)
        passed = forward(part, observed, way_back=way_back, start=before)
        if passed is None:
            return None
        nll += passed.nll - (0.0 if before is None else 0.5 * float(before[-1, -1]))
        end = run.whole(passed.known[-1], Q)
        passes.append((run, part, passed))
    assert end is not None
    return RunsPass(nll, end, passes)


def backward_in_runs(blocks: BlockMatrices, forward: RunsPass, ahead: Array | None = None) -> Adjoints:
    """`recursion.backward`, the last run first; derivatives by columns where they are not needed are zero."""
    Q = blocks.U.shape[-1]
    if len(forward.passes) == 1 and forward.passes[0][0].columns is None:
        return backward(blocks, forward.passes[0][2], ahead)
    K, U, V, phi = (np.zeros_like(like) for like in (blocks.K, blocks.U, blocks.V, blocks.phi))
    by = Adjoints(K, U, V, phi, np.empty((Q, Q)))
    for run, within, passed in reversed(forward.passes):
        part = backward(within, passed, run.part(ahead))
        columns = np.arange(Q) if run.columns is None else run.columns
        by.K[run.blocks] = part.K
        for whole, some in ((by.U, part.U), (by.V, part.V), (by.phi, part.phi)):
            whole[run.blocks][..., columns] = some
        ahead = run.whole(part.before, Q)
    assert ahead is not None
    by.before[...] = ahead
    return by

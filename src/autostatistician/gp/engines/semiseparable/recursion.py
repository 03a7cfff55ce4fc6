"""The evidence of blocks that know each other through R columns, and its derivatives, by one pass there and one back.

Below its diagonal the covariance is ``K_ij = sum_r U_ir V_jr exp(-c_r (t_i - t_j))``; within a block it is given as it
is. The observations stand beside V, as if they were one more column with which nothing varies: what all blocks before
know about the next one is then one matrix `Pass.known`, the variance ``X`` of its columns that they explain beside
their mean ``g``, and one solution serves both. The cost is n (m^2 + m R + R^2), the largest matrices are m x m, m x R
and R x R.

Runs of blocks that need the same columns: at a change those of what was before end, and those of what comes begin.

A column whose profile is nothing in all blocks from some block on tells no block of anything before, and one that is
nothing in all blocks before has nothing to tell. So what blocks know goes from run to run without such columns, and the
cost of a change is that of the sides of it one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

__all__ = [
    "Adjoints", "BlockMatrices", "BlockRun", "Mask", "Pass", "RunsPass", "backward", "backward_in_runs", "forward",
    "forward_in_runs", "needed", "runs_of",
]  # fmt: skip


Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BlockMatrices:
    """B blocks of m inputs, in order; inputs that only fill the last block have K = 1 on the diagonal and else zeros.

    ``K`` (B, m, m) is the covariance within the blocks, noise included. ``U`` and ``V`` (B, m, R + 1) are the columns,
    each damped from the start of its block and to the start of the next; ``phi`` (B, R + 1) is how much is left of a
    column from the start of a block to that of the next. The last column is that of the observations: zeros, the
    observations, ones.
    """

    K: Array
    U: Array
    V: Array
    phi: Array

    @classmethod
    def of(cls, K: Array, U: Array, V: Array, phi: Array, y: Array) -> BlockMatrices:
        """The blocks of R columns and of observations ``y`` (B, m)."""
        last = y[..., None]
        U = np.concatenate([U, np.zeros_like(last)], axis=-1)
        return cls(K, U, np.concatenate([V, last], axis=-1), np.concatenate([phi, np.ones((len(y), 1))], axis=-1))

    @property
    def columns(self) -> int:
        """R."""
        return int(self.U.shape[-1]) - 1

    @property
    def y(self) -> Array:
        """The observations (B, m)."""
        return self.V[..., -1]


@dataclass(frozen=True, slots=True)
class Pass:
    """What the way there has found: for every block the factor of S, what it took over, and what it passed on."""

    nll: float  # of the observations, with the 2 pi of as many as are counted
    L: Array  # (B, m, m), lower; S = L L' is the covariance of a block given all before it
    solved: Array  # (B, m, R + 1): S^-1 [C' r]
    known: Array  # (B + 1, R + 1, R + 1): [X g; g' misfit] before each block and after the last one

    @property
    def A(self) -> Array:
        """``S^-1 C'`` (B, m, R)."""
        return self.solved[..., :-1]

    @property
    def a(self) -> Array:
        """``S^-1 r`` (B, m)."""
        return self.solved[..., -1]

    @property
    def X(self) -> Array:
        """The variance (B, R, R) of its columns that the blocks before one explain."""
        return self.known[:-1, :-1, :-1]

    @property
    def g(self) -> Array:
        """Their mean (B, R)."""
        return self.known[:-1, :-1, -1]


@dataclass(frozen=True, slots=True)
class Adjoints:
    """Derivatives of the negative log evidence by `BlockMatrices`; that by K is symmetric, that by y is K^-1 y."""

    K: Array
    U: Array
    V: Array
    phi: Array
    before: Array  # twice that by what the first block took over (`Pass.known`)

    @property
    def y(self) -> Array:
        """That by the observations (B, m)."""
        return self.V[..., -1]


def forward(blocks: BlockMatrices, count: int, *, way_back: bool = True, start: Array | None = None) -> Pass | None:
    """The negative log evidence of ``count`` observations; None where a block is not positive definite.

    ``start`` is what is known from blocks before (`Pass.known`), by which the evidence of all of them is meant but for
    their determinants. Without a way back there is nothing but the evidence: the rest is of the last block alone, and
    half done.

    >>> one = np.ones((2, 1, 1))
    >>> found = forward(BlockMatrices.of(2.0 * one, one, one, one[:, 0], one[:, 0]), 2)
    >>> round(found.nll, 6), round(float(found.L[1, 0, 0] ** 2), 6)  # of [[2, 1], [1, 2]]; 2 - 1 / 2
    (2.720517, 1.5)
    """
    B, m, Q = blocks.U.shape
    kept = B if way_back else 1
    L, solved, known = np.empty((kept, m, m)), np.empty((kept, m, Q)), np.zeros((kept + 1, Q, Q))
    known[0] = 0.0 if start is None else start
    main, through = np.empty((B, m)), np.empty((m, Q))
    same = np.append(False, (blocks.phi[1:] == blocks.phi[:-1]).all(1))
    for b in range(B):
        at, after = (b, b + 1) if way_back else (0, 0)
        U, phi, S, H = blocks.U[b], blocks.phi[b], L[at], solved[at]
        np.matmul(U, known[at], out=through)
        np.matmul(through, U.T, out=S)
        np.subtract(blocks.K[b], S, out=S)
        # S' is S in the order of LAPACK; its factor from the right is that of what is transposed too from the left.
        if lapack.dpotrf(S.T, lower=1, clean=1, overwrite_a=1)[1]:
            return None
        main[b] = S.diagonal()
        through *= phi
        np.subtract(blocks.V[b], through, out=H)
        blas.dtrsm(1.0, S.T, H.T, side=1, lower=1, trans_a=1, overwrite_b=1)
        if not same[b]:
            decay = np.multiply.outer(phi, phi)
        np.multiply(known[at], decay, out=known[after])
        known[after] += np.dot(H.T, H)
        if way_back:
            blas.dtrsm(1.0, S.T, H.T, side=1, lower=1, overwrite_b=1)
    nll = float(np.log(main).sum()) + 0.5 * float(known[after, -1, -1]) + 0.5 * count * log(2.0 * pi)
    return Pass(nll, L.transpose(0, 2, 1), solved, known[: after + 1]) if np.isfinite(nll) else None


def backward(blocks: BlockMatrices, passed: Pass, ahead: Array | None = None) -> Adjoints:
    """The derivatives, from the last block to the first; ``ahead`` is `Adjoints.before` of blocks after the last.

    What a block passes on depends on what it took over through ``T = diag(phi) - C S^-1 U`` alone, which shrinks: the
    way back in its terms is stable, where differences of the single derivatives lose all digits for little noise.
    """
    B, m, Q = blocks.U.shape
    K, U, V, phi = (np.empty_like(like) for like in (blocks.K, blocks.U, blocks.V, blocks.phi))
    by = Adjoints(K, U, V, phi, np.empty((Q, Q)))
    if ahead is None:  # twice the derivative by what the block passed on
        ahead = np.zeros((Q, Q))
        ahead[-1, -1] = 1.0
    earlier, later = np.empty((Q + m, Q)), np.empty((Q + m, Q))  # [T; U] and [ahead T; -S^-1 U]
    T, TX, SU = earlier[:Q], later[:Q], later[Q:]
    main = T.reshape(-1)[:: Q + 1]
    for b in range(B - 1, -1, -1):
        U, A, K, P = blocks.U[b], passed.solved[b], by.K[b], by.V[b]
        inverse = _inverse(passed.L[b])
        np.matmul(A, ahead, out=P)
        np.matmul(P, A.T, out=K)
        np.subtract(inverse, K, out=K)
        K *= 0.5
        np.matmul(A.T, U, out=T)
        np.negative(T, out=T)
        main += blocks.phi[b]
        np.matmul(ahead, T, out=TX)
        np.matmul(inverse, U, out=SU)
        np.negative(SU, out=SU)
        by.phi[b] = np.einsum("ij,ij->i", TX, passed.known[b])
        by_U = np.matmul(P, T)
        np.subtract(SU, by_U, out=by_U)
        np.matmul(by_U, passed.known[b], out=by.U[b])
        earlier[Q:] = U
        ahead = np.matmul(earlier.T, later)
        ahead = 0.5 * (ahead + ahead.T)
    by.before[...] = ahead
    return by


def _inverse(L: Array) -> Array:
    """Of ``L L'``, both triangles; ``L`` has zeros above its diagonal."""
    lower, _ = lapack.dpotri(L, lower=1)
    inverse = lower + lower.T
    inverse.reshape(-1, order="A")[:: len(L) + 1] *= 0.5
    return np.asarray(inverse)


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

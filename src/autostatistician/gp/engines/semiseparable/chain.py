"""All blocks of a kernel given their observations: what those before and those after say about each.

The way there is that of `recursion`. On the way back ``Z`` is what all blocks after tell of the columns that a block
passes on, given all before, and ``zeta`` what they say: with ``T = diag(phi) - C S^-1 U``, which shrinks,

    alpha = a - A zeta      zeta <- phi zeta + U' alpha      Z <- T' Z T + U' S^-1 U

(the smoother of Bryson and Frazier 1963, block by block). Of n rows only some sections of blocks are held at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.gp.engines.semiseparable.assembly import Assembly
from autostatistician.gp.engines.semiseparable.recursion import BlockMatrices, Pass, forward

__all__ = ["ChainSection", "FactoredChain", "chained"]

Array = NDArray[np.float64]

KEPT_NUMBERS = 200_000_000  # of sections that are asked for again and again


@dataclass(frozen=True, slots=True, eq=False)
class ChainSection:
    """Some blocks with what stands before, in and after each of them."""

    first: int  # block
    U: Array  # (b, m, R)
    phi: Array  # (b, R)
    L: Array  # (b, m, m)
    A: Array  # (b, m, R)
    X: Array  # (b, R, R), before each block
    Z: Array  # (b, R, R), after each block


@dataclass(frozen=True, eq=False)
class FactoredChain:
    """Blocks with their observations; made by `chained`. Arrays are over all blocks, starts and ends over sections.

    The way back goes as far as it is asked for: what lies ahead of the observations needs its first step alone.
    """

    assembly: Assembly
    extra: Array  # (B, m): variances of the observations beside those of the kernel
    nll: float
    starts: list[Array]  # of sections: what is known from before (`Pass.known`)
    innovations: Array  # (B, m): standardised errors of predicting each observation from those before
    innovation_sd: Array  # (B, m)
    left: Array  # (B, R): V' alpha of all blocks before, of sections that were reached on the way back
    right: Array  # (B, R): U' alpha of all blocks after
    _alpha: Array = field(repr=False)  # (B, m)
    _diagonal: Array = field(repr=False)  # (B, m)
    _ends: dict[int, tuple[Array, Array]] = field(repr=False)  # of sections: Z and zeta
    _kept: dict[int, ChainSection] = field(default_factory=dict, repr=False)

    @property
    def alpha(self) -> Array:
        """K^-1 y (B, m)."""
        self.reach(0)
        return self._alpha

    @property
    def inverse_diagonal(self) -> Array:
        """That of K^-1 (B, m)."""
        self.reach(0)
        return self._diagonal

    def reach(self, index: int) -> Array:
        """Go back as far as to a section, and give ``alpha`` (B, m), which holds from there on."""
        while index not in self._ends or index - 1 not in self._ends:
            self._back(min(self._ends))
        return self._alpha

    def _back(self, index: int) -> ChainSection:
        """A section, with all that the way back through it finds."""
        which = self.assembly.sections[index]
        there = _forward(self.assembly, index, self.extra, self.starts[index])
        assert there is not None  # it was before
        blocks, passed = there
        back = _backward(blocks, passed, *self._ends[index])
        self._alpha[which], self._diagonal[which] = back.alpha, back.diagonal
        self.left[which], self.right[which], self._ends[index - 1] = back.left, back.zeta, back.before
        U, phi = blocks.U[..., :-1], blocks.phi[..., :-1]
        return ChainSection(which.start, U, phi, passed.L, passed.A, passed.X, back.Z)

    def section(self, index: int) -> ChainSection:
        """A section, made again unless it is the last that was asked for, or all are small enough to be kept."""
        if index not in self._kept:
            if index not in self._ends:
                self.reach(index + 1)
            B, m = self.assembly.layout.inputs.shape
            if B * (m * m + 2 * m * self.assembly.columns + 2 * self.assembly.columns**2) > KEPT_NUMBERS:
                self._kept.clear()
            self._kept[index] = self._back(index)
        return self._kept[index]

    def sums(self, weights: Array) -> tuple[Array, Array]:
        """Sums (B, R, k) before and after each block, ``V' weights`` and ``U' weights``, for weights (B, m, k)."""
        assembly, k = self.assembly, weights.shape[2]
        left, right = np.empty((2, len(weights), assembly.columns, k))
        before = after = np.zeros((assembly.columns, k))
        for which in assembly.sections:
            _, _, V, phi = assembly.parts(assembly.every, assembly.layout.part(which))
            for b, block in enumerate(range(which.start, which.stop)):
                left[block] = before
                before = phi[b][:, None] * before + V[b].T @ weights[block]
        for which in reversed(assembly.sections):
            _, U, _, phi = assembly.parts(assembly.every, assembly.layout.part(which))
            for b, block in reversed(list(enumerate(range(which.start, which.stop)))):
                right[block] = after
                after = phi[b][:, None] * after + U[b].T @ weights[block]
        return left, right

    def half_times(self, values: Array) -> Array:
        """``L c`` for columns c (n, k), rows in the order of the problem."""
        return self._swept(_half_times, values)

    def half_solve(self, values: Array) -> Array:
        """``L^-1 c`` for columns c (n, k), rows in the order of the problem."""
        return self._swept(_half_solved, values)

    def back_solve(self, values: Array) -> Array:
        """``L'^-1 c`` for columns c (n, k), rows in the order of the problem."""
        return self._swept(_back_solved, values, order=-1)

    def _swept(self, step: Step, values: Array, order: int = 1) -> Array:
        """What steps make of columns (n, k), from the first block on or (``order`` -1) from the last one back."""
        c = self.assembly.layout.in_blocks(values)
        state = np.zeros((self.assembly.columns, values.shape[1]))
        for index in range(len(self.starts))[::order]:
            section = self.section(index)
            for b in range(len(section.Z))[::order]:
                c[section.first + b], passed = step(section, b, c[section.first + b], state)
                state = section.phi[b][:, None] * state + passed
        return self.rows(c)

    def rows(self, blocked: Array) -> Array:
        """Blocks (B, m, ...) as rows (n, ...) in the order of the problem."""
        order = self.assembly.layout.order
        by_row = np.empty((len(order), *blocked.shape[2:]))
        by_row[order] = blocked.reshape(-1, *blocked.shape[2:])[: len(order)]
        return by_row


# What a block (m, k) becomes, given the state (R, k) of the columns before or after it, and what it adds to that.
Step = Callable[[ChainSection, int, Array, Array], tuple[Array, Array]]


def _half_times(section: ChainSection, b: int, c: Array, state: Array) -> tuple[Array, Array]:
    within = section.L[b] @ c
    return within + section.U[b] @ state, section.A[b].T @ within


def _half_solved(section: ChainSection, b: int, c: Array, state: Array) -> tuple[Array, Array]:
    remaining = c - section.U[b] @ state
    return lapack.dtrtrs(section.L[b], remaining, lower=1)[0], section.A[b].T @ remaining


def _back_solved(section: ChainSection, b: int, c: Array, state: Array) -> tuple[Array, Array]:
    within = lapack.dtrtrs(section.L[b], c, lower=1, trans=1)[0] - section.A[b] @ state
    return within, section.U[b].T @ within


def chained(assembly: Assembly, extra: Array) -> FactoredChain | None:
    """The blocks with their observations and further variances (B, m); None where they are not positive definite."""
    B, m = assembly.layout.inputs.shape
    R, nll = assembly.columns, 0.0
    known = np.zeros((R + 1, R + 1))
    starts, errors, sds = [], np.empty((B, m)), np.empty((B, m))
    for index, which in enumerate(assembly.sections):
        starts.append(known)
        passed = _forward(assembly, index, extra, known)
        if passed is None:
            return None
        last = passed[1]
        nll += last.nll - 0.5 * float(known[-1, -1])  # the misfit before is in that of all
        errors[which], sds[which] = np.einsum("bji,bj->bi", last.L, last.a), np.einsum("bii->bi", last.L)
        known = last.known[-1].copy()
    left, right, alpha, diagonal = (np.empty((B, count)) for count in (R, R, m, m))
    ends = {len(starts) - 1: (np.zeros((R, R)), np.zeros(R))}
    return FactoredChain(assembly, extra, nll, starts, errors, sds, left, right, alpha, diagonal, ends)


def _forward(assembly: Assembly, index: int, extra: Array, start: Array) -> tuple[BlockMatrices, Pass] | None:
    """A section and the way there through it."""
    where = assembly.sections[index]
    blocks = assembly.blocks(where, extra)
    if not all(np.isfinite(matrix).all() for matrix in (blocks.K, blocks.U, blocks.V)):
        return None
    passed = forward(blocks, int(assembly.layout.filled[where].sum()), start=start)
    return None if passed is None else (blocks, passed)


@dataclass(frozen=True, slots=True)
class _Back:
    Z: Array  # (b, R, R), after each block
    zeta: Array  # (b, R)
    alpha: Array
    diagonal: Array
    left: Array
    before: tuple[Array, Array]  # Z and zeta before the first block


def _backward(blocks: BlockMatrices, passed: Pass, Z: Array, zeta: Array) -> _Back:
    """The way back through a section, given what comes after it."""
    B, m, R = *blocks.y.shape, blocks.columns
    Zs, zetas, left = np.empty((B, R, R)), np.empty((B, R)), np.empty((B, R))
    alpha, diagonal = np.empty((B, m)), np.empty((B, m))
    for b in range(B - 1, -1, -1):
        U, phi, A = blocks.U[b, :, :-1], blocks.phi[b, :-1], passed.A[b]
        Zs[b], zetas[b] = Z, zeta
        inverse, _ = lapack.dtrtri(passed.L[b], lower=1)
        alpha[b] = passed.a[b] - A @ zeta
        diagonal[b] = (inverse * inverse).sum(0) + ((A @ Z) * A).sum(1)
        T, half = np.diag(phi) - A.T @ U, inverse @ U
        Z = T.T @ Z @ T + half.T @ half
        zeta = phi * zeta + U.T @ alpha[b]
        left[b] = passed.g[b] - passed.X[b] @ zeta
    return _Back(Zs, zetas, alpha, diagonal, left, (0.5 * (Z + Z.T), zeta))

"""What observations take off the covariances of values, of which each is seen from its block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.inference.engines.semiseparable.chain import ChainSection, FactoredChain
from autostatistician.inference.engines.semiseparable.view import ValuesGivenBefore, View

__all__ = ["ByBlock", "explained_together"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
ByBlock = dict[int, list[tuple[View, Index, Index]]]  # views with their columns among all, and which values they are


def explained_together(chain: FactoredChain, by_block: ByBlock, count: int) -> Array:
    """What is taken off the covariances (count, count) of all values.

    From block to block goes what is left of the covariance of earlier values with the columns: ``d <- T d``.
    """
    explained = np.empty((count, count))
    passed = _Passed(chain)
    for block in sorted(by_block):
        passed.go_to(block)
        for view, columns, rows in by_block[block]:
            passed.meet(view, columns, rows, explained)
    return explained


@dataclass(slots=True, eq=False)
class _Left:
    """Values that were passed: what is left of their covariances with the columns, and what these were.

    Of many values both stay as they were at some block; what has changed since then is ``moved`` (R, R) and ``damped``.
    """

    rows: Index  # (k,)
    d: Array  # (k, R)
    r: Array  # (k, R)
    moved: Array | None = None
    damped: Array | None = None

    def passed(self, section: ChainSection, b: int) -> None:
        """One block more: ``T d``, and r damped."""
        phi, A, U = section.phi[b], section.A[b], section.U[b]
        if self.moved is None or self.damped is None:
            self.d, self.r = self.d * phi - (self.d @ U.T) @ A, self.r * phi
        else:
            self.moved, self.damped = phi[:, None] * self.moved - A.T @ (U @ self.moved), self.damped * phi

    def met(self, p: Array, through: Array) -> Array:
        """``(r - d) p + d through`` (k, l) with values that have rows p (l, R)."""
        through = through - p.T
        if self.moved is None or self.damped is None:
            return np.asarray(self.r @ p.T + self.d @ through)
        return np.asarray(self.r @ (p * self.damped).T + self.d @ (self.moved.T @ through))

    def joined(self, other: _Left, *, many: bool) -> _Left:
        """Both, as they are by now."""
        moved = [side.d if side.moved is None else side.d @ side.moved.T for side in (self, other)]
        damped = [side.r if side.damped is None else side.r * side.damped for side in (self, other)]
        R = self.d.shape[1]
        joint = _Left(np.concatenate([self.rows, other.rows]), np.concatenate(moved), np.concatenate(damped))
        if many:
            joint.moved, joint.damped = np.eye(R), np.ones(R)
        return joint


class _Passed:
    """The values that were met on the way: many before, some of late, and those of this block."""

    def __init__(self, chain: FactoredChain) -> None:
        R = chain.assembly.columns
        nothing = _Left(np.zeros(0, dtype=np.intp), np.zeros((0, R)), np.zeros((0, R)))
        self.chain, self.block, self.index = chain, 0, 0
        self.before, self.late, self.nothing = nothing, nothing, nothing
        self.here: list[tuple[Index, ValuesGivenBefore, Array]] = []  # with r

    def go_to(self, block: int) -> None:
        """Pass all blocks before one."""
        if self.here:
            self._pass(self.block + 1)
            for rows, given, r in self.here:
                self.late = self.late.joined(_Left(rows, given.D, r), many=False)
            self.here = []
            if len(self.late.rows) > self.chain.assembly.columns:
                self.before, self.late = self.before.joined(self.late, many=True), self.nothing
        self._pass(block)

    def _pass(self, block: int) -> None:
        for b in range(self.block, block):
            section = self.section(b)
            for side in (self.before, self.late):
                if len(side.rows):
                    side.passed(section, b - section.first)
        self.block = max(self.block, block)

    def section(self, block: int) -> ChainSection:
        """The section in which a block is."""
        while self.chain.assembly.sections[self.index].stop <= block:
            self.index += 1
        return self.chain.section(self.index)

    def meet(self, view: View, columns: Index, rows: Index, target: Array) -> None:
        """Values of this block with each other, with those of this block that were met, and with all before."""
        section = self.section(view.block)
        b = view.block - section.first
        U, L, A, phi = section.U[b], section.L[b], section.A[b], section.phi[b]
        given = ValuesGivenBefore.of(view, section, columns)
        r = np.zeros((len(rows), self.chain.assembly.columns))
        r[:, columns] = view.r
        ZD = section.Z[b] @ given.D.T
        p = np.zeros_like(r)
        p[:, columns] = view.p
        # of values before: (r - d) p' from blocks before, d U' S^-1 s from this one, (T d) Z D' from those after
        solved = lapack.dtrtrs(L, given.half, lower=1, trans=1)[0]
        through = U.T @ solved + phi[:, None] * ZD - U.T @ (A @ ZD)
        for passed in (self.before, self.late):
            before = passed.met(p, through)
            target[np.ix_(passed.rows, rows)] = before
            target[np.ix_(rows, passed.rows)] = before.T
        self.here.append((rows, given, r))
        for others, other, _ in self.here:
            met = other.XP.T @ p.T + other.half.T @ given.half + other.D @ ZD
            target[np.ix_(others, rows)] = met
            target[np.ix_(rows, others)] = met.T

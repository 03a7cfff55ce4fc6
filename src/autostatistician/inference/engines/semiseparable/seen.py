"""Values of a part of a kernel as observations see them, block by block: means, variances, covariances.

The covariances of a value in the stretch of a block are ``[V_< p; q; U_> r]`` with the blocks before, with the block
itself, and with those after; p and r are its rows of the columns of the part, q (m,) is exact. So its posterior needs
what blocks before and after tell of their columns, and nothing else of them (see `chain`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.inference.covariance import covariance
from autostatistician.inference.engines.semiseparable.chain import Chain, Section
from autostatistician.inference.projection import Dense, Reduction, root
from autostatistician.language.kernel import Kernel

__all__ = ["Seen"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]

MOST_AT_ONCE = 8192  # values whose rows of columns are made together


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Some k values in the stretch of one block."""

    block: int
    rows: Index  # (k,): which of the values that were asked for
    p: Array  # (k, r)
    q: Array  # (k, m)
    r: Array  # (k, r)


@dataclass(frozen=True, slots=True, eq=False)
class _Given:
    """Values of one block given all before it, and what is left of them for the blocks after it."""

    XP: Array  # (R, k): what blocks before tell of the columns, along p
    half: Array  # (m, k)
    D: Array  # (k, R): the covariance with the columns that is left

    @classmethod
    def of(cls, view: View, section: Section, columns: Index) -> _Given:
        """Values by their view."""
        b = view.block - section.first
        U, phi, L, A = section.U[b], section.phi[b], section.L[b], section.A[b]
        XP = section.X[b][:, columns] @ view.p.T
        s = view.q.T - U @ XP
        half = lapack.dtrtrs(L, s, lower=1)[0]
        D = -(phi[:, None] * XP + A.T @ s).T
        D[:, columns] += view.r
        return cls(XP, half, D)


@dataclass(frozen=True, eq=False)
class Seen:
    """What the observations of a chain take off the prior of a part, at points (m,) or at the observations (None)."""

    chain: Chain
    part: Kernel | None  # None: of nothing
    points: Array | None
    which: tuple[int, ...]  # summands of the part

    @property
    def count(self) -> int:
        """How many values are asked for."""
        return len(self.chain.assembly.cut.x if self.points is None else self.points)

    def mean(self) -> Array:
        """The posterior mean (m,)."""
        found = np.empty(self.count)
        for index, views in self._by_section():
            own = self.chain.reach(index)
            self._weighted(views, self.chain.left, own, self.chain.right, found)
        return found

    def times(self, weights: Array) -> Array:
        """The prior covariances (m, n) with the observations times weights (n, k) of these."""
        own = self.chain.in_order(weights)
        left, right = self.chain.sums(own)
        found = np.empty((self.count, weights.shape[1]))
        for _, views in self._by_section():
            self._weighted(views, left, own, right, found)
        return found

    def _weighted(self, views: Sequence[View], left: Array, own: Array, right: Array, found: Array) -> None:
        """The same for some values, for weights (B, m) or (B, m, k), and their sums before and after each block."""
        columns = self._columns
        for view in views:
            b = view.block
            found[view.rows] = view.p @ left[b][columns] + view.q @ own[b] + view.r @ right[b][columns]

    def explained(self) -> Array:
        """How much of the prior variance (m,) the observations explain."""
        found, columns = np.empty(self.count), self._columns
        for index, views in self._by_section():
            section = self.chain.section(index)
            for view in views:
                given = _Given.of(view, section, columns)
                before = np.einsum("kr,rk->k", view.p, given.XP[columns])
                after = np.einsum("kr,kr->k", given.D @ section.Z[view.block - section.first], given.D)
                found[view.rows] = before + (given.half**2).sum(0) + after
        return found

    def gram(self, other: Reduction) -> Array:
        """What is taken off the covariances (m, k) with other values."""
        if other is self:
            return self._gram
        if not isinstance(other, Seen) or other.chain is not self.chain:
            return np.asarray(self.dense().T @ other.dense())
        return explained_together((self, other))[: self.count, self.count :]

    def means(self, errors: Array) -> Array:
        """Means (k, m) as likely as those under independent standard normal errors (k, n)."""
        return np.asarray(errors[:, : self._root.shape[1]] @ self._root[:, : errors.shape[1]].T)

    def plus(self, other: Reduction) -> Reduction:
        """That of the sum with another part at the same places."""
        if isinstance(other, Seen) and other.chain is self.chain and not set(self.which) & set(other.which):
            parts = tuple(one for one in (self.part, other.part) if one is not None)
            return replace(self, part=Kernel.sum(parts) if parts else None, which=self.which + other.which)
        return Dense(self.dense() + other.dense())

    def zero(self) -> Seen:
        """That of a part that is zero."""
        return replace(self, part=None, which=())

    def repeated(self, count: int) -> Reduction:
        """That of a single value at so many places."""
        return Dense(np.repeat(self.dense(), count, axis=1))

    def dense(self) -> Array:
        """The matrix (n, m)."""
        X, columns = self.chain.assembly.problem.X, self.chain.assembly.problem.columns
        if self.part is None:
            return np.zeros((len(X), self.count))
        points = None if self.points is None else self.points[:, None]
        cross = covariance(self.part, X, points, columns)
        return self.chain.half_solve(cross)

    @cached_property
    def _gram(self) -> Array:
        return explained_together((self,))

    @cached_property
    def _root(self) -> Array:
        """A root (m, k) of the covariance of the means."""
        return root(self._gram, scale=float(self._gram.diagonal().max(initial=0.0)))

    @cached_property
    def _columns(self) -> Index:
        return self.chain.assembly.columns_among_all(self.which)

    def _by_section(self) -> Iterator[tuple[int, Sequence[View]]]:
        """The views in the order of their places, with the index of the section in which their blocks are."""
        return self._at_observations() if self.points is None else self._at_points(self.points)

    def _at_observations(self) -> Iterator[tuple[int, Sequence[View]]]:
        cut, m = self.chain.assembly.cut, self.chain.assembly.cut.places.shape[1]
        for index, which in enumerate(self.chain.assembly.sections):
            K, U, V, _ = self.chain.assembly.parts(self.which, cut.part(which))
            views = []
            for b, block in enumerate(range(which.start, which.stop)):
                rows = cut.order[block * m : (block + 1) * m]
                k = len(rows)
                own = K[b, :k] * cut.filled[block]  # what only fills a block is nobody's
                views.append(View(block, rows, U[b, :k], own, V[b, :k]))
            yield index, views

    def _at_points(self, points: Array) -> Iterator[tuple[int, Sequence[View]]]:
        cut, sections = self.chain.assembly.cut, self.chain.assembly.sections
        order = np.argsort(points, kind="stable")
        blocks = np.clip(np.searchsorted(cut.places[:, 0], points[order], side="right") - 1, 0, len(cut.places) - 1)
        for index, which in enumerate(sections):
            first, last = np.searchsorted(blocks, [which.start, which.stop])
            for start in range(first, last, MOST_AT_ONCE):
                chosen = slice(start, min(start + MOST_AT_ONCE, last))
                yield index, self._views(points, order[chosen], blocks[chosen])

    def _views(self, points: Array, rows: Index, blocks: Index) -> list[View]:
        assembly = self.chain.assembly
        U, V = assembly.at(self.which, points[rows], blocks)
        edges = np.flatnonzero(np.diff(blocks, prepend=-1, append=-1))
        views = []
        for start, stop in pairwise(edges.tolist()):
            here = slice(start, stop)
            own = self._own(points[rows[here]], blocks[start])
            views.append(View(int(blocks[start]), rows[here], U[here], own, V[here]))
        return views

    def _own(self, x: Array, block: int) -> Array:
        """The covariances (k, m) of values at x (k,) with the observations of a block."""
        cut = self.chain.assembly.cut
        filled = cut.filled[block]
        own = np.zeros((len(x), len(filled)))
        if self.part is not None:
            places = cut.places[block, filled]
            own[:, filled] = covariance(self.part, x[:, None], places[:, None], self.chain.assembly.problem.columns)
        return own


def explained_together(sets: Sequence[Seen]) -> Array:
    """What the observations take off the covariances (M, M) of all values of some sets, one set behind the other.

    From block to block goes what is left of the covariance of earlier values with the columns: ``d <- T d``.
    """
    chain, starts = sets[0].chain, np.cumsum([0, *(one.count for one in sets)])
    by_block: dict[int, list[tuple[View, Index, Index]]] = {}
    for one, start in zip(sets, starts, strict=False):
        for _, views in one._by_section():
            for view in views:
                by_block.setdefault(view.block, []).append((view, one._columns, view.rows + start))
    found = np.empty((starts[-1],) * 2)
    passed = _Passed(chain)
    for block in sorted(by_block):
        passed.go_to(block)
        for view, columns, rows in by_block[block]:
            passed.meet(view, columns, rows, found)
    return found


class _Passed:
    """Values that were met on the way: what is left of their covariance with the columns, and what it was."""

    def __init__(self, chain: Chain) -> None:
        R = chain.assembly.columns
        self.chain, self.block, self.index = chain, 0, 0
        self.rows, self.d, self.r = np.zeros(0, dtype=np.intp), np.zeros((0, R)), np.zeros((0, R))
        self.here: list[tuple[Index, _Given, Array]] = []  # those of this block, with r

    def go_to(self, block: int) -> None:
        """Pass all blocks before one."""
        R = self.chain.assembly.columns
        while self.block < block:
            if not len(self.rows) and not self.here:
                self.block = block
                return
            T, left = np.eye(R), np.ones(R)
            target = self.block + 1 if self.here else block
            for b in range(self.block, target):
                section = self.section(b)
                one = b - section.first
                phi = section.phi[one]
                T = phi[:, None] * T - section.A[one].T @ (section.U[one] @ T)
                left = left * phi
            self.d, self.r = self.d @ T.T, self.r * left
            if self.here:
                self.rows = np.concatenate([self.rows, *(rows for rows, _, _ in self.here)])
                self.d = np.concatenate([self.d, *(given.D for _, given, _ in self.here)])
                self.r = np.concatenate([self.r, *(r for _, _, r in self.here)])
                self.here = []
            self.block = target

    def section(self, block: int) -> Section:
        """The section in which a block is."""
        while self.chain.assembly.sections[self.index].stop <= block:
            self.index += 1
        return self.chain.section(self.index)

    def meet(self, view: View, columns: Index, rows: Index, found: Array) -> None:
        """Values of this block with each other, with those of this block that were met, and with all before."""
        section = self.section(view.block)
        b = view.block - section.first
        U, L, A, phi = section.U[b], section.L[b], section.A[b], section.phi[b]
        given = _Given.of(view, section, columns)
        r = np.zeros((len(rows), self.chain.assembly.columns))
        r[:, columns] = view.r
        ZD = section.Z[b] @ given.D.T
        p = np.zeros_like(r)
        p[:, columns] = view.p
        # of values before: (r - d) p' from blocks before, d U' S^-1 s from this one, (T d) Z D' from those after
        solved = lapack.dtrtrs(L, given.half, lower=1, trans=1)[0]
        through = U.T @ solved + phi[:, None] * ZD - U.T @ (A @ ZD)
        before = (self.r - self.d) @ p.T + self.d @ through
        found[np.ix_(self.rows, rows)] = before
        found[np.ix_(rows, self.rows)] = before.T
        self.here.append((rows, given, r))
        for others, other, _ in self.here:
            met = other.XP.T @ p.T + other.half.T @ given.half + other.D @ ZD
            found[np.ix_(others, rows)] = met
            found[np.ix_(rows, others)] = met.T

"""Values of a part of a kernel as observations see them, block by block: means, variances, covariances.

The covariances of a value in the stretch of a block are ``[V_< p; q; U_> r]`` with the blocks before, with the block
itself, and with those after; p and r are its rows of the columns of the part, q (m,) is exact. So its posterior needs
what blocks before and after tell of their columns, and nothing else of them (see `chain`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.semiseparable.chain import ChainSection, FactoredChain
from autostatistician.gp.posterior import Dense, Reduction, root
from autostatistician.kernels.kernel import Kernel

__all__ = ["ChainReduction"]


Array = NDArray[np.float64]

Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Some k values in the stretch of one block."""

    block: int
    rows: Index  # (k,): which of the values that were asked for
    p: Array  # (k, r)
    q: Array  # (k, m)
    r: Array  # (k, r)

    def plus(self, other: View) -> View:
        """That of the sums with other values at the same places."""
        p, r = (np.concatenate(both, axis=1) for both in ((self.p, other.p), (self.r, other.r)))
        return View(self.block, self.rows, p, self.q + other.q, r)


@dataclass(frozen=True, slots=True, eq=False)
class ValuesGivenBefore:
    """Values of one block given all before it, and what is left of them for the blocks after it."""

    XP: Array  # (R, k): what blocks before tell of the columns, along p
    half: Array  # (m, k)
    D: Array  # (k, R): the covariance with the columns that is left

    @classmethod
    def of(cls, view: View, section: ChainSection, columns: Index) -> ValuesGivenBefore:
        """Values by their view."""
        b = view.block - section.first
        U, phi, L, A = section.U[b], section.phi[b], section.L[b], section.A[b]
        XP = _columns_times(section.X[b], columns, view.p.T)
        s = view.q.T - U @ XP
        half = lapack.dtrtrs(L, s, lower=1)[0]
        D = -(phi[:, None] * XP + A.T @ s).T
        D[:, columns] += view.r
        return cls(XP, half, D)


def _columns_times(X: Array, columns: Index, values: Array) -> Array:
    """``X[:, columns] @ values``; columns side by side are not copied."""
    if len(columns) and columns[-1] - columns[0] + 1 == len(columns):
        return np.asarray(X[:, columns[0] : columns[-1] + 1] @ values)
    return np.asarray(X[:, columns] @ values)


ByBlock = dict[int, list[tuple[View, Index, Index]]]  # views with their columns among all, and which values they are

MOST_AT_ONCE = 8192  # values whose rows of columns are made together

MOST_KEPT = 2000  # values whose views are kept for further questions, and for sums


@dataclass(frozen=True, eq=False)
class ChainReduction:
    """What the observations of a chain take off the prior of a part, at points (m,) or at the observations (None)."""

    chain: FactoredChain
    part: Kernel | None  # None: of nothing
    points: Array | None
    which: tuple[int, ...]  # summands of the part
    sum_of: tuple[ChainReduction, ChainReduction] | None = None  # two parts whose sum it is

    @property
    def count(self) -> int:
        """How many values are asked for."""
        return len(self.chain.assembly.layout.x if self.points is None else self.points)

    def mean(self) -> Array:
        """The posterior mean (m,)."""
        mean = np.empty(self.count)
        for index, views in self._by_section():
            reach = self.chain.reach(index)
            self._weighted(views, self.chain.left, reach, self.chain.right, mean)
        return mean

    def times(self, weights: Array) -> Array:
        """The prior covariances (m, n) with the observations times weights (n, k) of these."""
        ordered = self.chain.assembly.layout.in_blocks(weights)
        left, right = self.chain.sums(ordered)
        products = np.empty((self.count, weights.shape[1]))
        for _, views in self._by_section():
            self._weighted(views, left, ordered, right, products)
        return products

    def _weighted(self, views: Sequence[View], left: Array, within: Array, right: Array, target: Array) -> None:
        """The same for some values, for weights (B, m) or (B, m, k), and their sums before and after each block."""
        columns = self._columns
        for view in views:
            b = view.block
            target[view.rows] = view.p @ left[b][columns] + view.q @ within[b] + view.r @ right[b][columns]

    def explained(self) -> Array:
        """How much of the prior variance (m,) the observations explain."""
        explained, columns = np.empty(self.count), self._columns
        for index, views in self._by_section():
            section = self.chain.section(index)
            for view in views:
                given = ValuesGivenBefore.of(view, section, columns)
                before = np.einsum("kr,rk->k", view.p, given.XP[columns])
                after = np.einsum("kr,kr->k", given.D @ section.Z[view.block - section.first], given.D)
                explained[view.rows] = before + (given.half**2).sum(0) + after
        return np.maximum(explained, 0.0)  # of what has no variance only rounding is left

    def gram(self, other: Reduction) -> Array:
        """What is taken off the covariances (m, k) with other values."""
        if other is self:
            return self._gram
        if not isinstance(other, ChainReduction) or other.chain is not self.chain:
            return np.asarray(self.dense().T @ other.dense())
        return _together((self, other))[: self.count, self.count :]

    def means(self, errors: Array) -> Array:
        """Means (k, m) as likely as those under independent standard normal errors (k, n)."""
        return np.asarray(errors[:, : self._root.shape[1]] @ self._root[:, : errors.shape[1]].T)

    def plus(self, other: Reduction) -> Reduction:
        """That of the sum with another part at the same inputs."""
        if isinstance(other, ChainReduction) and other.chain is self.chain and not set(self.which) & set(other.which):
            parts = tuple(term for term in (self.part, other.part) if term is not None)
            part = Kernel.sum(parts) if parts else None
            return ChainReduction(self.chain, part, self.points, self.which + other.which, (self, other))
        return Dense(self.dense() + other.dense())

    def zero(self) -> ChainReduction:
        """That of a part that is zero."""
        return ChainReduction(self.chain, None, self.points, ())

    def repeated(self, count: int) -> Reduction:
        """That of a single value at so many inputs."""
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
        return _together((self,))

    @cached_property
    def _root(self) -> Array:
        """A root (m, k) of the covariance of the means."""
        return root(self._gram, scale=float(self._gram.diagonal().max(initial=0.0)))

    @cached_property
    def _columns(self) -> Index:
        return self.chain.assembly.columns_among_all(self.which)

    def _by_section(self) -> Iterator[tuple[int, Sequence[View]]]:
        """The views in the order of their inputs, with the index of the section in which their blocks are."""
        if self.points is None:
            return self._at_observations()
        return iter(self._kept) if len(self.points) <= MOST_KEPT else self._at_points(self.points)

    @cached_property
    def _kept(self) -> list[tuple[int, Sequence[View]]]:
        """The views at few points, for a sum those of the parts together."""
        if self.sum_of is None:
            return list(self._at_points(np.zeros(0) if self.points is None else self.points))
        pairs = zip(self.sum_of[0]._kept, self.sum_of[1]._kept, strict=True)
        return [(i, [view.plus(same) for view, same in zip(a, b, strict=True)]) for (i, a), (_, b) in pairs]

    def _at_observations(self) -> Iterator[tuple[int, Sequence[View]]]:
        layout, m = self.chain.assembly.layout, self.chain.assembly.layout.inputs.shape[1]
        for index, which in enumerate(self.chain.assembly.sections):
            K, U, V, _ = self.chain.assembly.parts(self.which, layout.part(which))
            views = []
            for b, block in enumerate(range(which.start, which.stop)):
                rows = layout.order[block * m : (block + 1) * m]
                k = len(rows)
                within = K[b, :k] * layout.filled[block]  # what only fills a block is nobody's
                views.append(View(block, rows, U[b, :k], within, V[b, :k]))
            yield index, views

    def _at_points(self, points: Array) -> Iterator[tuple[int, Sequence[View]]]:
        layout, sections = self.chain.assembly.layout, self.chain.assembly.sections
        order = np.argsort(points, kind="stable")
        blocks = np.clip(
            np.searchsorted(layout.inputs[:, 0], points[order], side="right") - 1, 0, len(layout.inputs) - 1
        )
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
            within = self._own(points[rows[here]], blocks[start])
            views.append(View(int(blocks[start]), rows[here], U[here], within, V[here]))
        return views

    def _own(self, x: Array, block: int) -> Array:
        """The covariances (k, m) of values at x (k,) with the observations of a block."""
        layout = self.chain.assembly.layout
        filled = layout.filled[block]
        covariances = np.zeros((len(x), len(filled)))
        if self.part is not None:
            inputs = layout.inputs[block, filled]
            columns = self.chain.assembly.problem.columns
            covariances[:, filled] = covariance(self.part, x[:, None], inputs[:, None], columns)
        return covariances


def _together(sets: Sequence[ChainReduction]) -> Array:
    """What the observations take off the covariances (M, M) of all values of some sets, one set behind the other."""
    starts = np.cumsum([0, *(projection.count for projection in sets)])
    by_block: ByBlock = {}
    for projection, start in zip(sets, starts, strict=False):
        for _, views in projection._by_section():
            for view in views:
                by_block.setdefault(view.block, []).append((view, projection._columns, view.rows + start))
    return explained_together(sets[0].chain, by_block, int(starts[-1]))


# --- What observations take off the covariances of values, of which each is seen from its block ---------------------


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

"""The log marginal likelihood of one expression on one data set, with its gradient.

With ``A = K^-1 - alpha alpha'`` the derivative of the negative log likelihood is ``tr(A dK) / 2``
(Rasmussen and Williams 2006, eq. 5.9). K is assembled once, factorised once (potrf) and inverted once
(potri); what follows are sums along the diagonals of A, weighted by the profiles, and arithmetic
on vectors (see `lagspace`). Points in several columns share no lags: their matrix is made in blocks (see `blocks`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from autostatistician.inference import blocks, tiles
from autostatistician.inference.basis import Basis, Integrated, integrated
from autostatistician.inference.factor import JITTERS
from autostatistician.inference.geometry import Geometry, Indexed, Triangle, geometry_of
from autostatistician.inference.lagspace import Columns, Evaluation, compiled, evaluate
from autostatistician.inference.terms import Profile, Slot, Terms
from autostatistician.inference.tiles import Tiled
from autostatistician.language.expr import Expr

__all__ = ["Evidence", "Points"]

Vector = NDArray[np.float64]

FEW = 40  # rows that say roughly what all say


class Points:
    """Data prepared for many evaluations: points ``X`` (n, d), targets ``y`` (n,), their geometry and work space.

    With a ``basis`` its coefficients are integrated out of every likelihood.
    """

    def __init__(self, X: Vector, y: Vector, columns: tuple[str, ...], basis: Basis | None = None) -> None:
        self.basis = basis
        self.X = np.ascontiguousarray(X, dtype=np.float64)
        self.y = np.ascontiguousarray(y, dtype=np.float64)
        self.n = len(y)
        self.columns: Columns = {name: index for index, name in enumerate(columns)}
        if len(columns) == 1:
            self.columns[None] = 0
        self.pool: list[Vector] = []
        self.triangle = Triangle(self.n)
        self.scaled = Triangle(self.n)
        self.spare: Vector = np.zeros((self.n, self.n))

    @cached_property
    def geometry(self) -> Geometry:
        """Which lags occur, on one column."""
        return geometry_of(self.X)

    @cached_property
    def few(self) -> Points:
        """A random part of the rows, always the same, for what need not be exact."""
        if self.n <= FEW:
            return self
        chosen = np.sort(np.random.default_rng(0).choice(self.n, FEW, replace=False))
        names = tuple(name for name in self.columns if name is not None)
        return Points(self.X[chosen], self.y[chosen], names)


class Evidence:
    """Negative log marginal likelihood of one expression: a function of its parameters.

    Examples
    --------
    >>> from autostatistician.language.expr import Leaf
    >>> points = Points(np.zeros((2, 1)), np.array([1.0, -1.0]), ("x",))
    >>> value, gradient = Evidence(Leaf("WN"), points)((1.0,))
    >>> round(value, 4), gradient.round(4).tolist()
    (2.8379, [0.0])
    """

    def __init__(self, expr: Expr, points: Points) -> None:
        self.expr, self.points = expr, points
        self.evaluations = 0
        several = points.X.shape[1] > 1 or blocks.only_in_blocks(expr)
        self._in_lags = None if several else compiled(expr)
        self._in_blocks = blocks.blocked(expr) if several else None

    def __call__(self, values: tuple[float, ...]) -> tuple[float, Vector]:
        """Value and gradient (by the logarithm of positive parameters, by locations as they are).

        A covariance that cannot be factorised even with the largest jitter has the value infinity.
        """
        self.evaluations += 1
        at = self._at(values)
        logdet = _factorise(at, self.points)
        if logdet is None:
            return inf, np.zeros(len(values))
        factor = self.points.triangle.matrix.T
        alpha, _ = lapack.dpotrs(factor, self.points.y, lower=1)
        if self.points.basis is not None:
            return self._with_basis(self.points.basis, at, alpha, logdet)
        value = 0.5 * float(self.points.y @ alpha) + 0.5 * logdet + 0.5 * self.points.n * log(2.0 * pi)
        lapack.dpotri(factor, lower=1, overwrite_c=1)
        return value, at.gradient(alpha)

    def value(self, values: tuple[float, ...]) -> float:
        """The value alone: about a third of the cost."""
        self.evaluations += 1
        logdet = _factorise(self._at(values, with_gradient=False), self.points)
        if logdet is None:
            return inf
        if self.points.basis is not None:
            alpha, _ = lapack.dpotrs(self.points.triangle.matrix.T, self.points.y, lower=1)
            found = self._integrated(self.points.basis, alpha)
            return inf if found is None else found.nll(self.points.y, logdet)
        half, _ = lapack.dtrtrs(self.points.triangle.matrix.T, self.points.y, lower=1)
        return 0.5 * float(half @ half) + 0.5 * logdet + 0.5 * self.points.n * log(2.0 * pi)

    def matrix(self, values: tuple[float, ...]) -> Vector:
        """The covariance (n, n) itself."""
        self._at(values, with_gradient=False).assemble()
        upper = self.points.triangle.matrix
        full = upper + upper.T
        full[np.diag_indices_from(full)] *= 0.5
        return full

    def _integrated(self, basis: Basis, alpha: Vector) -> Integrated | None:
        solved, _ = lapack.dpotrs(self.points.triangle.matrix.T, basis.values, lower=1)
        return integrated(basis, solved, alpha)

    def _with_basis(self, basis: Basis, at: _InLags | _InBlocks, alpha: Vector, logdet: float) -> tuple[float, Vector]:
        """As without, but for K + H B H': its inverse takes the place of that of K."""
        found = self._integrated(basis, alpha)
        if found is None:
            return inf, np.zeros(len(at.values))
        factor = self.points.triangle.matrix.T
        lapack.dpotri(factor, lower=1, overwrite_c=1)
        found.reduce(factor)
        return found.nll(self.points.y, logdet), at.gradient(found.alpha)

    def _at(self, values: tuple[float, ...], with_gradient: bool = True) -> _InLags | _InBlocks:
        if self._in_blocks is not None:
            return _InBlocks(self._in_blocks, values, self.points)
        assert self._in_lags is not None
        return _InLags(evaluate(self._in_lags, values, self.points, with_gradient), self.points)


@dataclass(frozen=True, slots=True)
class _InLags:
    """An expression at given numbers, as terms over the lags of one column."""

    state: Evaluation
    points: Points

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers of the expression."""
        return self.state.values

    def assemble(self) -> None:
        """Write the upper triangle (C order) of K into the work matrix."""
        _assemble(self.state, self.points)

    def gradient(self, alpha: Vector) -> Vector:
        """From the inverse of K in the work matrix and ``alpha``, its product with the targets."""
        return self.state.backward(_adjoints(self.state, self.points, alpha))


@dataclass(frozen=True, slots=True)
class _InBlocks:
    """The same for points in several columns."""

    root: blocks.Node
    values: tuple[float, ...]
    points: Points

    def assemble(self) -> None:
        triangle, places = self.points.triangle, (self.points.X, self.points.columns)
        blocks.fill(self.root, self.values, *places, triangle.matrix, triangle.main)

    def gradient(self, alpha: Vector) -> Vector:
        places = (self.points.X, self.points.columns)
        return blocks.gradient(self.root, self.values, *places, self.points.triangle.matrix, alpha)


def _factorise(at: _InLags | _InBlocks, points: Points) -> float | None:
    """Assemble K and factorise it in place; its log determinant, or None when no jitter helps."""
    main = points.triangle.main
    for level in JITTERS:
        at.assemble()
        if not np.isfinite(main).all():
            return None
        if level:
            main += level * float(main.mean())
        _, info = lapack.dpotrf(points.triangle.matrix.T, lower=1, overwrite_a=1, clean=0)
        if info == 0:
            return 2.0 * float(np.log(main).sum())
    return None


def _assemble(state: Evaluation, points: Points) -> None:
    """Write the upper triangle (C order) of K into the work matrix."""
    matrix, main = points.triangle.matrix, points.triangle.main
    if in_tiles := isinstance(points.geometry, Indexed):
        tiles.assemble(points.geometry, list(_tiled(state, points, constant=True).values()), matrix)
    else:
        _expand_plain(state, points)
    for key, slot in state.terms.items():
        profile = state.profile(key)
        if profile is None:
            main += slot.d
            continue
        if isinstance(slot.v, np.ndarray):
            if not in_tiles:
                _add_profiled(slot.v, profile, points)
        elif slot.v:
            blas.dsyr(slot.v, profile, a=matrix.T, lower=1, overwrite_a=1)
        if slot.d:
            main += slot.d * profile**2


def _expand_plain(state: Evaluation, points: Points) -> None:
    """Start the matrix with the stationary part, or with zero where there is none."""
    slot = state.terms.get(())
    if slot is None or (isinstance(slot.v, float) and slot.v == 0.0):
        points.triangle.matrix[...] = 0.0
    else:
        points.geometry.expand(_over_lags(slot.v, points), points.triangle.matrix)


def _over_lags(v: Vector | float, points: Points) -> Vector:
    return v if isinstance(v, np.ndarray) else np.full(points.geometry.size, v)


def _add_profiled(v: Vector, profile: Vector, points: Points) -> None:
    points.geometry.expand(v, points.spare)
    points.spare *= profile
    points.spare *= profile[:, None]
    points.triangle.matrix += points.spare


def _tiled(state: Evaluation, points: Points, constant: bool = False) -> dict[Profile, Tiled]:
    """The terms that differ from lag to lag, and on demand a stationary one that does not."""
    geometry = points.geometry
    assert isinstance(geometry, Indexed)
    return {
        key: Tiled.of(geometry, _over_lags(slot.v, points), state.profile(key))
        for key, slot in state.terms.items()
        if isinstance(slot.v, np.ndarray) or (constant and not key and slot.v)
    }


def _adjoints(state: Evaluation, points: Points, alpha: Vector) -> Terms:
    """Derivatives of the value by every slot; those by the profiles are added to the state."""
    inverse_diagonal = points.triangle.main - alpha**2
    tiled = {}
    if isinstance(points.geometry, Indexed):
        tiled = _tiled(state, points)
        tiles.derive(points.geometry, list(tiled.values()), points.triangle.matrix, alpha)
    found: Terms = {}
    for key, slot in state.terms.items():
        known = tiled.get(key)
        if key:
            found[key] = _profiled_adjoint(state, key, points, alpha, inverse_diagonal, known)
        else:
            found[key] = _plain_adjoint(slot, points, alpha, inverse_diagonal, known)
    return found


def _plain_adjoint(slot: Slot, points: Points, alpha: Vector, diagonal: Vector, known: Tiled | None) -> Slot:
    d = 0.5 * float(diagonal.sum()) if slot.d else 0.0
    if known is not None:
        return Slot(known.sums[: points.geometry.size], d)
    if isinstance(slot.v, np.ndarray):
        sums = points.geometry.collapse(points.triangle)
        sums -= points.geometry.collapse_outer(alpha)
        sums *= 0.5
        return Slot(sums, d)
    if slot.v == 0.0:
        return Slot(0.0, d)
    ones = np.ones(points.n)
    return Slot(0.5 * float(ones @ _symmetric(points, ones) - alpha.sum() ** 2), d)


def _profiled_adjoint(
    state: Evaluation, key: Profile, points: Points, alpha: Vector, diagonal: Vector, known: Tiled | None
) -> Slot:
    profile, slot = state.profile(key), state.terms[key]
    assert profile is not None
    found = Slot()
    by_profile = np.zeros(points.n)
    if known is not None and known.by_profile is not None:
        found.v, by_profile = known.sums[: points.geometry.size], known.by_profile
    elif isinstance(slot.v, np.ndarray):
        found.v, by_profile = _weighted(slot.v, profile, points, alpha)
    elif slot.v:
        product = _symmetric(points, profile) - alpha * float(alpha @ profile)
        found.v = 0.5 * float(profile @ product)
        by_profile = slot.v * product
    if slot.d:
        found.d = 0.5 * float(diagonal @ profile**2)
        by_profile = by_profile + slot.d * diagonal * profile
    state.add_profile_adjoint(key, by_profile)
    return found


def _symmetric(points: Points, vector: Vector) -> Vector:
    """K^-1 times a vector, from the one triangle that potri leaves."""
    product: Vector = blas.dsymv(1.0, points.triangle.matrix.T, vector, lower=1)
    return product


def _weighted(v: Vector, profile: Vector, points: Points, alpha: Vector) -> tuple[Vector, Vector]:
    """Derivatives by ``v`` and by the profile ``a`` of a term ``diag(a) T(v) diag(a)``."""
    scaled = points.scaled
    np.multiply(points.triangle.matrix, profile, out=scaled.matrix)
    scaled.matrix *= profile[:, None]
    sums = points.geometry.collapse(scaled)
    weighted = alpha * profile
    sums -= points.geometry.collapse_outer(weighted)
    sums *= 0.5
    points.geometry.expand(v, points.spare)
    by_profile = blas.dsymv(1.0, points.spare.T, weighted, lower=1)
    by_profile *= -alpha
    points.spare *= points.triangle.matrix
    by_profile += blas.dsymv(1.0, points.spare.T, profile, lower=1)
    return sums, by_profile

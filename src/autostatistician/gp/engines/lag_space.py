"""Points on one column: an expression as terms over the lags, its matrix put together from few vectors.

What depends on the parameters is arithmetic on vectors over the lags (see `profiles`); the matrix sees additions and
products, and the gradient follows from sums along its diagonals, weighted by the profiles.

Matrix and derivatives of terms over a table of lags (`Indexed`), some rows at a time.

Where every pair has its own place in a table, matrices cost more in memory traffic than in arithmetic. So the terms
``diag(a) T(v) diag(a)`` of an expression (see `profiles`) are added up tile by tile, and all their derivatives are
taken from a tile of ``A = K^-1 - alpha alpha'`` while it is in the processor's cache. Nothing but the matrix itself is
as large as the matrix.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from autostatistician.gp.engines.exact import SECONDS_PER_CUBE, ExactEngine, ExactObjective, Workspace
from autostatistician.gp.engines.geometry import Grid, Indexed, Pairs, Tile, halved_diagonal
from autostatistician.gp.engines.profiles import Evaluation, Profile, Slot, Terms, compiled, evaluate
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import size
from autostatistician.kernels.points import only_at_points

__all__ = ["LagSpace", "Tiled", "assemble", "derive"]


Vector = NDArray[np.float64]


@dataclass(slots=True)
class Tiled:
    """One term: values per lag with zeros behind them, the profile (n,) or None for 1, and what is summed up."""

    source: Vector
    profile: Vector | None
    sums: Vector  # the derivative by the source
    by_profile: Vector | None

    @classmethod
    def of(cls, geometry: Indexed, values: Vector, profile: Vector | None) -> Tiled:
        """A term whose derivatives are still zero."""
        source = geometry.padded(values)
        return cls(source, profile, np.zeros_like(source), None if profile is None else np.zeros_like(profile))


def assemble(geometry: Indexed, terms: list[Tiled], matrix: Vector) -> None:
    """Write the sum of the terms into the upper triangle of ``matrix`` (n, n); below it stay the zeros it has."""
    for tile in geometry.tiles:
        total, part, _ = _work(geometry, tile)
        if not terms:
            total[...] = 0.0
        for index, term in enumerate(terms):
            place = part if index else total
            np.take(term.source, tile.index, out=place, mode="clip")
            if term.profile is not None:
                place *= term.profile[tile.columns]
                place *= term.profile[tile.rows, None]
            if index:
                total += part
        matrix[tile.rows, tile.columns] = total


def derive(geometry: Indexed, terms: list[Tiled], inverse: Vector, alpha: Vector) -> None:
    """Sum up ``tr(A dK) / 2`` by values per lag and by profiles, ``A = K^-1 - alpha alpha'``.

    ``inverse`` (n, n) holds the upper triangle of K^-1 and ``alpha`` (n,) its product with the targets.
    """
    for tile in geometry.tiles:
        weight, part, product = _work(geometry, tile)
        np.multiply(-alpha[tile.rows, None], alpha[tile.columns], out=weight)
        weight += inverse[tile.rows, tile.columns]
        halved_diagonal(weight)
        for term in terms:
            if term.profile is None or term.by_profile is None:
                _add_sums(term, tile, weight)
                continue
            left, right = term.profile[tile.rows], term.profile[tile.columns]
            np.take(term.source, tile.index, out=part, mode="clip")
            np.multiply(part, weight, out=product)
            term.by_profile[tile.rows] += product @ right
            term.by_profile[tile.columns] += left @ product
            np.multiply(weight, right, out=part)
            part *= left[:, None]
            _add_sums(term, tile, part)


def _add_sums(term: Tiled, tile: Tile, weight: Vector) -> None:
    term.sums += np.bincount(tile.index.reshape(-1), weights=weight.reshape(-1), minlength=len(term.sums))


def _work(geometry: Indexed, tile: Tile) -> tuple[Vector, Vector, Vector]:
    first, second, third = (work[: tile.index.size].reshape(tile.index.shape) for work in geometry.work)
    return first, second, third


SECONDS_PER_CELL = 7e-10  # and parameter of the expression, for n^2


class LagSpace(ExactEngine):
    """Exact inference on one column.

    Examples
    --------
    >>> from autostatistician.kernels.expr import Leaf
    >>> objective = LagSpace().objective(Leaf("WN"), Problem(np.zeros((2, 1)), np.array([1.0, -1.0])))
    >>> value, gradient = objective.value_and_gradient((1.0,))
    >>> round(value, 4), gradient.round(4).tolist()
    (2.8379, [0.0])
    """

    name = "lag space"

    def cost(self, expr: Expr, problem: Problem) -> float | None:
        """About n^3 for LAPACK and n^2 for each parameter; None for several columns, or categories."""
        if not (self.can_bear(problem) and self.takes(expr, problem)):
            return None
        return SECONDS_PER_CUBE * problem.n**3 + SECONDS_PER_CELL * problem.n**2 * size(expr)

    @staticmethod
    def takes(expr: Expr, problem: Problem) -> bool:
        """Whether there is one column, and of numbers."""
        return problem.X.shape[1] == 1 and not only_at_points(expr)

    def objective(self, expr: Expr, problem: Problem) -> ExactObjective:
        """The negative log marginal likelihood of an expression on one column."""
        return _LagObjective(expr, problem)


class _LagObjective(ExactObjective):
    def __init__(self, expr: Expr, problem: Problem) -> None:
        super().__init__(expr, problem)
        self.root = compiled(expr)

    def at(self, values: tuple[float, ...], with_gradient: bool = True) -> _InLags:
        space, columns = self.workspace, self.problem.columns
        state = evaluate(self.root, values, space.X, space.geometry, columns, space.pool, with_gradient)
        return _InLags(state, space)


@dataclass(frozen=True, slots=True)
class _InLags:
    """An expression at given parameters, as terms over the lags of one column."""

    state: Evaluation
    space: Workspace

    def assemble(self) -> None:
        """Write the upper triangle (C order) of K into the work matrix."""
        state, space = self.state, self.space
        matrix, main = space.triangle.matrix, space.triangle.main
        if in_tiles := isinstance(space.geometry, Indexed):
            assemble(space.geometry, list(_tiled(state, space, constant=True).values()), matrix)
        else:
            _expand_plain(state, space)
        for key, slot in state.terms.items():
            profile = state.profile(key)
            if slot.rise is not None:
                left, right = (np.ones(space.n), slot.rise) if profile is None else (profile, slot.rise * profile)
                blas.dsyr2(1.0, left, right, a=matrix.T, lower=1, overwrite_a=1)
            if profile is None:
                main += slot.d
                continue
            if isinstance(slot.v, np.ndarray):
                if not in_tiles:
                    _add_profiled(slot.v, profile, space)
            elif slot.v:
                blas.dsyr(slot.v, profile, a=matrix.T, lower=1, overwrite_a=1)
            if slot.d:
                main += slot.d * profile**2

    def gradient(self, alpha: Vector) -> Vector:
        """From the inverse of K in the work matrix and ``alpha``, its product with the targets."""
        return self.state.backward(_adjoints(self.state, self.space, alpha))


def _plain(space: Workspace) -> Grid | Pairs:
    """The geometry of points whose matrix is not made in tiles."""
    assert not isinstance(space.geometry, Indexed)
    return space.geometry


def _expand_plain(state: Evaluation, space: Workspace) -> None:
    """Start the matrix with the stationary part, or with zero where there is none."""
    slot = state.terms.get(())
    if slot is None or (isinstance(slot.v, float) and slot.v == 0.0):
        space.triangle.matrix[...] = 0.0
    else:
        _plain(space).expand(_over_lags(slot.v, space), space.triangle.matrix)


def _over_lags(v: Vector | float, space: Workspace) -> Vector:
    return v if isinstance(v, np.ndarray) else np.full(space.geometry.size, v)


def _add_profiled(v: Vector, profile: Vector, space: Workspace) -> None:
    _plain(space).expand(v, space.spare)
    space.spare *= profile
    space.spare *= profile[:, None]
    space.triangle.matrix += space.spare


def _tiled(state: Evaluation, space: Workspace, constant: bool = False) -> dict[Profile, Tiled]:
    """The terms that differ from lag to lag, and on demand a stationary one that does not."""
    geometry = space.geometry
    assert isinstance(geometry, Indexed)
    return {
        key: Tiled.of(geometry, _over_lags(slot.v, space), state.profile(key))
        for key, slot in state.terms.items()
        if isinstance(slot.v, np.ndarray) or (constant and not key and slot.v)
    }


def _adjoints(state: Evaluation, space: Workspace, alpha: Vector) -> Terms:
    """Derivatives of the value by every slot; those by the profiles are added to the state."""
    inverse_diagonal = space.triangle.main - alpha**2
    tiled = {}
    if isinstance(space.geometry, Indexed):
        tiled = _tiled(state, space)
        derive(space.geometry, list(tiled.values()), space.triangle.matrix, alpha)
    adjoints: Terms = {}
    for key, slot in state.terms.items():
        in_tiles = tiled.get(key)
        if key:
            adjoints[key] = _profiled_adjoint(state, key, space, alpha, inverse_diagonal, in_tiles)
        else:
            adjoints[key] = _plain_adjoint(slot, space, alpha, inverse_diagonal, in_tiles)
        if slot.rise is not None:
            adjoints[key].rise = _rise_adjoint(state, key, slot.rise, space, alpha)
    return adjoints


def _rise_adjoint(state: Evaluation, key: Profile, rise: Vector, space: Workspace, alpha: Vector) -> Vector:
    """The derivative by the rise of a term ``diag(a) (rise 1' + 1 rise') diag(a)``; that by the profile is added."""
    profile = state.profile(key)
    if profile is None:
        return _weighed(space, np.ones(space.n), alpha)
    product, risen = _weighed(space, profile, alpha), rise * profile
    state.add_profile_adjoint(key, rise * product + _weighed(space, risen, alpha))
    return profile * product


def _weighed(space: Workspace, vector: Vector, alpha: Vector) -> Vector:
    """(K^-1 - alpha alpha') times a vector."""
    return _symmetric(space, vector) - alpha * float(alpha @ vector)


def _plain_adjoint(slot: Slot, space: Workspace, alpha: Vector, diagonal: Vector, inverse: Tiled | None) -> Slot:
    d = 0.5 * float(diagonal.sum()) if slot.d else 0.0
    if inverse is not None:
        return Slot(inverse.sums[: space.geometry.size], d)
    if isinstance(slot.v, np.ndarray):
        sums = _plain(space).collapse(space.triangle)
        sums -= _plain(space).collapse_outer(alpha)
        sums *= 0.5
        return Slot(sums, d)
    if slot.v == 0.0:
        return Slot(0.0, d)
    ones = np.ones(space.n)
    return Slot(0.5 * float(ones @ _symmetric(space, ones) - alpha.sum() ** 2), d)


def _profiled_adjoint(
    state: Evaluation, key: Profile, space: Workspace, alpha: Vector, diagonal: Vector, inverse: Tiled | None
) -> Slot:
    profile, slot = state.profile(key), state.terms[key]
    assert profile is not None
    adjoint = Slot()
    by_profile = np.zeros(space.n)
    if inverse is not None and inverse.by_profile is not None:
        adjoint.v, by_profile = inverse.sums[: space.geometry.size], inverse.by_profile
    elif isinstance(slot.v, np.ndarray):
        adjoint.v, by_profile = _weighted(slot.v, profile, space, alpha)
    elif slot.v:
        product = _weighed(space, profile, alpha)
        adjoint.v = 0.5 * float(profile @ product)
        by_profile = slot.v * product
    if slot.d:
        adjoint.d = 0.5 * float(diagonal @ profile**2)
        by_profile = by_profile + slot.d * diagonal * profile
    state.add_profile_adjoint(key, by_profile)
    return adjoint


def _symmetric(space: Workspace, vector: Vector) -> Vector:
    """K^-1 times a vector, from the one triangle that potri leaves."""
    return np.asarray(blas.dsymv(1.0, space.triangle.matrix.T, vector, lower=1))


def _weighted(v: Vector, profile: Vector, space: Workspace, alpha: Vector) -> tuple[Vector, Vector]:
    """Derivatives by ``v`` and by the profile ``a`` of a term ``diag(a) T(v) diag(a)``."""
    scaled = space.scaled
    np.multiply(space.triangle.matrix, profile, out=scaled.matrix)
    scaled.matrix *= profile[:, None]
    sums = _plain(space).collapse(scaled)
    weighted = alpha * profile
    sums -= _plain(space).collapse_outer(weighted)
    sums *= 0.5
    _plain(space).expand(v, space.spare)
    by_profile = blas.dsymv(1.0, space.spare.T, weighted, lower=1)
    by_profile *= -alpha
    space.spare *= space.triangle.matrix
    by_profile += blas.dsymv(1.0, space.spare.T, profile, lower=1)
    return sums, by_profile

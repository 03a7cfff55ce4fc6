"""Points on one column: an expression as terms over the lags, its matrix put together from few vectors.

What depends on the parameters is arithmetic on vectors over the lags (see `profiles`); the matrix sees additions and
products, and the gradient follows from sums along its diagonals, weighted by the profiles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from autostatistician.gp.engines import tiles
from autostatistician.gp.engines.exact import SECONDS_PER_CUBE, ExactEngine, ExactObjective
from autostatistician.gp.engines.geometry import Indexed
from autostatistician.gp.engines.profiles import Evaluation, compiled, evaluate
from autostatistician.gp.engines.terms import Profile, Slot, Terms
from autostatistician.gp.engines.tiles import Tiled
from autostatistician.gp.engines.workspace import Workspace
from autostatistician.gp.problem import Problem
from autostatistician.kernels.covariance.points import only_at_points
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import size

__all__ = ["LagSpace"]

Vector = NDArray[np.float64]

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
        _assemble(self.state, self.space)

    def gradient(self, alpha: Vector) -> Vector:
        """From the inverse of K in the work matrix and ``alpha``, its product with the targets."""
        return self.state.backward(_adjoints(self.state, self.space, alpha))


def _assemble(state: Evaluation, space: Workspace) -> None:
    """Write the upper triangle (C order) of K into the work matrix."""
    matrix, main = space.triangle.matrix, space.triangle.main
    if in_tiles := isinstance(space.geometry, Indexed):
        tiles.assemble(space.geometry, list(_tiled(state, space, constant=True).values()), matrix)
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


def _expand_plain(state: Evaluation, space: Workspace) -> None:
    """Start the matrix with the stationary part, or with zero where there is none."""
    slot = state.terms.get(())
    if slot is None or (isinstance(slot.v, float) and slot.v == 0.0):
        space.triangle.matrix[...] = 0.0
    else:
        space.geometry.expand(_over_lags(slot.v, space), space.triangle.matrix)


def _over_lags(v: Vector | float, space: Workspace) -> Vector:
    return v if isinstance(v, np.ndarray) else np.full(space.geometry.size, v)


def _add_profiled(v: Vector, profile: Vector, space: Workspace) -> None:
    space.geometry.expand(v, space.spare)
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
        tiles.derive(space.geometry, list(tiled.values()), space.triangle.matrix, alpha)
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
        sums = space.geometry.collapse(space.triangle)
        sums -= space.geometry.collapse_outer(alpha)
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
    product: Vector = blas.dsymv(1.0, space.triangle.matrix.T, vector, lower=1)
    return product


def _weighted(v: Vector, profile: Vector, space: Workspace, alpha: Vector) -> tuple[Vector, Vector]:
    """Derivatives by ``v`` and by the profile ``a`` of a term ``diag(a) T(v) diag(a)``."""
    scaled = space.scaled
    np.multiply(space.triangle.matrix, profile, out=scaled.matrix)
    scaled.matrix *= profile[:, None]
    sums = space.geometry.collapse(scaled)
    weighted = alpha * profile
    sums -= space.geometry.collapse_outer(weighted)
    sums *= 0.5
    space.geometry.expand(v, space.spare)
    by_profile = blas.dsymv(1.0, space.spare.T, weighted, lower=1)
    by_profile *= -alpha
    space.spare *= space.triangle.matrix
    by_profile += blas.dsymv(1.0, space.spare.T, profile, lower=1)
    return sums, by_profile

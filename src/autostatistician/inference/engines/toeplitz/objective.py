"""The negative log marginal likelihood of a stationary expression on a grid, without a matrix of all rows.

Lines and their products stand beside what is stationary as some columns of a known form. A cell without a row counts
as one whose value has no end of noise. With ``B`` the columns of lines, each by its size, and of empty cells (one
there, else zero), the inverse is ``T^-1 - T^-1 B C^-1 B' T^-1``, ``C = B' T^-1 B`` and one more on the diagonal for
every line (Woodbury); that is zero where a cell is empty. The determinant of ``C`` is the factor between those.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack, solve_triangular

from autostatistician.inference.engines.base import Engine, Objective
from autostatistician.inference.engines.geometry import Grid
from autostatistician.inference.engines.profiles import Evaluation, compiled, evaluate
from autostatistician.inference.engines.terms import Profile, Slot, Terms
from autostatistician.inference.engines.toeplitz.recursion import Inverse, inverted
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr

__all__ = ["ToeplitzObjective"]

Array = NDArray[np.float64]

# Beyond these rounding has eaten too much: of what a solution leaves, and of the trace of what should be the identity.
# The evidence then errs by some 0.001 nats, a gradient by as large a part.
MOST_LEFT, MOST_OFF_TRACE = 1e-6, 1e-4


@dataclass(frozen=True, slots=True)
class _Solved:
    """``K^-1 = T^-1 - H H'``; all arrays are over cells."""

    state: Evaluation
    inverse: Inverse
    lines: dict[Profile, tuple[Array, Array]]  # p (N,) and T^-1 p
    H: Array  # (N, k)
    alpha: Array
    nll: float

    def gradient(self) -> Array:
        """The derivatives (p,)."""
        sums = self.inverse.sums - self.inverse.alike(np.column_stack([self.H, self.alpha]))
        sums[0] *= 0.5
        plain = self.state.terms.get(())
        adjoints: Terms = {} if plain is None else {(): Slot(_like(plain.v, sums), float(sums[0]))}
        for key, (p, solved) in self.lines.items():
            product = solved - self.H @ (self.H.T @ p) - self.alpha * float(self.alpha @ p)
            adjoints[key] = Slot(0.5 * float(p @ product))
            self.state.add_profile_adjoint(key, self.state.terms[key].at_zero() * product)
        return self.state.backward(adjoints)


def _like(v: Array | float, sums: Array) -> Array | float:
    """Derivatives by what stands at every lag, or by the one number that stands at all."""
    return sums if isinstance(v, np.ndarray) else float(sums.sum())


class ToeplitzObjective:
    """The negative log marginal likelihood; where rounding would spoil it, that of another engine.

    The rows stand in ``cells`` (n,) of a grid.
    """

    def __init__(self, expr: Expr, problem: Problem, cells: NDArray[np.intp], step: float, other: Engine) -> None:
        self.expr, self.problem, self.cells, self._engine = expr, problem, cells, other
        N = int(cells[-1]) + 1
        self.grid, self.root = Grid(N, step), compiled(expr)
        self.X, self.y = problem.X[0, 0] + step * np.arange(float(N))[:, None], np.zeros(N)
        self.X[cells], self.y[cells] = problem.X, problem.y
        self.empty = np.delete(np.arange(N), cells)
        self.pool: list[Array] = []
        self.evaluations = 0

    @cached_property
    def other(self) -> Objective:
        """The misfit by another engine."""
        return self._engine.objective(self.expr, self.problem)

    def value(self, values: tuple[float, ...]) -> float:
        """The value at some parameters; infinite where there is none."""
        self.evaluations += 1
        exact = self.exact(values, with_gradient=False)
        return self.other.value(values) if exact is None else exact[0]

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """Value and gradient (p,), by the logarithm of positive parameters, by others as they are."""
        self.evaluations += 1
        return self.exact(values, with_gradient=True) or self.other.value_and_gradient(values)

    def exact(self, values: tuple[float, ...], *, with_gradient: bool) -> tuple[float, Array] | None:
        """Value and gradient (p,), of zeros where it is not asked for; None where rounding would spoil them."""
        solved = self._solved(values, with_gradient=with_gradient)
        if solved is None:
            return None
        if not with_gradient:
            return solved.nll, np.zeros(len(values))
        return (solved.nll, solved.gradient()) if solved.inverse.trace_error < MOST_OFF_TRACE else None

    def renewed(self, values: tuple[float, ...]) -> None:
        """Nothing is chosen."""

    def _solved(self, values: tuple[float, ...], *, with_gradient: bool) -> _Solved | None:
        """What both need; None where rounding spoils it."""
        state = evaluate(self.root, values, self.X, self.grid, self.problem.columns, self.pool, with_gradient)
        plain = state.terms.get((), Slot())
        r = plain.v + np.zeros(len(self.y))
        r[0] += plain.d
        inverse = inverted(r)
        if inverse is None:
            return None
        keys = [key for key in state.terms if key]
        columns = self._columns(state, keys)
        solved, residual = inverse.solve(np.column_stack([self.y, columns]))
        if not residual < MOST_LEFT:
            return None
        sizes = np.append(np.sqrt([state.terms[key].at_zero() for key in keys]), np.ones(len(self.empty)))
        C = sizes[:, None] * (columns.T @ solved[:, 1:]) * sizes
        C.reshape(-1)[:: len(C) + 1][: len(keys)] += 1.0
        L = _factor(C)
        if L is None:
            return None
        H = solve_triangular(L, (solved[:, 1:] * sizes).T, lower=True).T if len(C) else columns
        alpha = solved[:, 0] - H @ (H.T @ self.y)
        determinant = inverse.log_determinant + 2.0 * float(np.log(L.diagonal()).sum())
        nll = 0.5 * float(self.y @ alpha) + 0.5 * determinant + 0.5 * self.problem.n * log(2.0 * pi)
        lines = {key: (columns[:, index], solved[:, 1 + index]) for index, key in enumerate(keys)}
        return _Solved(state, inverse, lines, H, alpha, nll)

    def _columns(self, state: Evaluation, keys: list[Profile]) -> Array:
        """Those (N, k) of a known form: of lines, and of empty cells."""
        columns = np.zeros((len(self.y), len(keys) + len(self.empty)))
        for index, key in enumerate(keys):
            columns[:, index] = state.profile(key)
        columns[self.empty] = 0.0
        columns[self.empty, len(keys) + np.arange(len(self.empty))] = 1.0
        return columns


def _factor(M: Array) -> Array | None:
    """The lower factor (k, k); None where there is none."""
    if not M.size:
        return M
    factor, info = lapack.dpotrf(M, lower=1)
    return None if info or not np.isfinite(factor).all() else factor

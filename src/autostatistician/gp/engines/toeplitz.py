"""Inference where the matrix of all rows is constant along its diagonals: stationary models on a grid.

The negative log marginal likelihood of a stationary expression on a grid, without a matrix of all rows.

Lines and their products stand beside what is stationary as some columns of a known form. A cell without a row counts as
one whose value has no end of noise. With ``B`` the columns of lines, each by its size, and of empty cells (one there,
else zero), the inverse is ``T^-1 - T^-1 B C^-1 B' T^-1``, ``C = B' T^-1 B`` and one more on the diagonal for every line
(Woodbury); that is zero where a cell is empty. The determinant of ``C`` is the factor between those.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.linalg import blas, lapack, solve_triangular

from autostatistician.gp.engines.exact import Engine, Objective
from autostatistician.gp.engines.geometry import Grid, cells_in_order
from autostatistician.gp.engines.profiles import Evaluation, Profile, Slot, Terms, compiled, evaluate
from autostatistician.gp.engines.semiseparable.exponentials import PlacedFactor, distributed
from autostatistician.gp.likelihoods import Gaussian
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES

__all__ = ["ToeplitzObjective", "cells_of"]


ALIKE = {LeafKind.CONSTANT, LeafKind.LINE, LeafKind.ZERO}  # the same at all lags

MOST_EMPTY = 100  # cells of the grid

Array = NDArray[np.float64]

Complex = NDArray[np.complex128]

PRECISE = 1e-10  # a solution with such an error is not improved

TINY = 1e-300

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
        adjoints: Terms = {}
        if plain := self.state.terms.get(()):
            by_lags = sums if isinstance(plain.v, np.ndarray) else float(sums.sum())
            adjoints[()] = Slot(by_lags, float(sums[0]))
        for key, (p, solved) in self.lines.items():
            product = solved - self.H @ (self.H.T @ p) - self.alpha * float(self.alpha @ p)
            adjoints[key] = Slot(0.5 * float(p @ product))
            self.state.add_profile_adjoint(key, self.state.terms[key].at_zero() * product)
        return self.state.backward(adjoints)


class ToeplitzObjective(Objective):
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


# --- A positive definite matrix that is constant along its diagonals, and its inverse -------------------------------


@dataclass(frozen=True, eq=False)
class Inverse:
    """The inverse of the matrix with first row ``r`` (n,); made by `inverted`."""

    r: Array
    x: Array  # (n,): its first column
    log_determinant: float  # of the matrix itself

    def solve(self, b: Array) -> tuple[Array, float]:
        """``T^-1 b`` for a vector (n,) or for columns (n, k), and the part of b that it left before it was improved.

        >>> found, error = inverted(np.array([2.0, 1.0])).solve(np.array([3.0, 3.0]))
        >>> found.round(12).tolist(), error < 1e-12
        ([1.0, 1.0], True)
        """
        solution = self._solve(b)
        residual = b - self.times(solution)
        error = float((np.linalg.norm(residual, axis=0) / np.maximum(np.linalg.norm(b, axis=0), TINY)).max(initial=0.0))
        return (solution if error < PRECISE else solution + self._solve(residual)), error

    def times(self, b: Array) -> Array:
        """``T b``."""
        row = self._transformed(np.concatenate([self.r, np.zeros(self._length - 2 * self._n + 1), self.r[:0:-1]]))
        return self._back(_beside(row, b) * self._transformed(b))

    @cached_property
    def sums(self) -> Array:
        """Sums (n,) along the diagonals from the main one on, of one side.

        >>> inverted(np.array([2.0, 1.0])).sums.round(12).tolist()  # of [[2, -1], [-1, 2]] / 3
        [1.333333333333, -0.333333333333]
        """
        places, X = np.arange(float(self._n)), self._of_x[0]
        alike, weighed = self._back(X * X.conj()), self._back(X * self._transformed(places * self.x).conj())
        return np.asarray(((self._n - places) * alike - 2.0 * weighed) / self.x[0])

    @property
    def trace_error(self) -> float:
        """How far the trace of ``T^-1 T`` is from n, in parts of it."""
        return abs(2.0 * float(self.sums @ self.r) - float(self.sums[0] * self.r[0]) - self._n) / self._n

    def alike(self, b: Array) -> Array:
        """Sums (n,) along the diagonals of ``b b'``, from the main one on; of columns (n, k) those of all together."""
        transformed = self._transformed(b)
        power: Complex = transformed * transformed.conj()
        return self._back(np.asarray(power.reshape(len(power), -1).sum(1)))

    @property
    def _n(self) -> int:
        return len(self.r)

    @cached_property
    def _length(self) -> int:
        return int(next_fast_len(2 * self._n, real=True))

    @cached_property
    def _of_x(self) -> tuple[Complex, Complex]:
        turned = np.append(0.0, self.x[:0:-1])
        return self._transformed(self.x), self._transformed(turned)

    def _solve(self, b: Array) -> Array:
        X, Z = (_beside(spectrum, b) for spectrum in self._of_x)
        B = self._transformed(b)
        first, second = (self._transformed(self._back(spectrum.conj() * B)) for spectrum in (X, Z))
        return np.asarray(self._back(X * first - Z * second) / self.x[0])

    def _transformed(self, values: Array) -> Complex:
        return np.asarray(rfft(values, self._length, axis=0))

    def _back(self, transformed: Complex) -> Array:
        return np.asarray(irfft(transformed, self._length, axis=0)[: self._n])


def _beside(values: Complex, b: Array) -> Complex:
    """Values (m,) that multiply each column where there are such."""
    return values if b.ndim == 1 else values[:, None]


def inverted(r: Array) -> Inverse | None:
    """The inverse of the matrix with first row r (n,); None where rounding does not let it be positive definite.

    >>> found = inverted(np.array([2.0, 1.0]))
    >>> found.x.round(6).tolist(), round(float(np.exp(found.log_determinant)), 6)
    ([0.666667, -0.333333], 3.0)
    """
    n, lags, variance = len(r), r.tolist(), float(r[0])  # plain numbers: quicker, and silent where they overflow
    if not variance > 0.0:
        return None
    backwards, predictor, before = np.ascontiguousarray(r[::-1]), np.zeros(n), np.empty(n)
    remaining = [variance]  # the variance of each value given those before
    for k in range(1, n):
        explained = blas.ddot(predictor, backwards, k - 1, 0, 1, n - k) if k > 1 else 0.0
        reflection = (lags[k] - explained) / variance
        variance *= 1.0 - reflection * reflection
        if not variance > 0.0:
            return None
        if k > 1:
            before[: k - 1] = predictor[: k - 1]
            blas.daxpy(before, predictor, k - 1, -reflection, 0, -1, 0, 1)
        predictor[k - 1] = reflection
        remaining.append(variance)
    x = np.append(1.0, -predictor[: n - 1]) / variance
    return Inverse(r, x, float(np.log(remaining).sum()))


# --- Which problems have a matrix that is constant along its diagonals, but for columns of a known form -------------


def cells_of(expr: Expr, problem: Problem) -> tuple[NDArray[np.intp], float] | None:
    """The cells (n,) of a grid in which rows stand, in order, and its step; None where the matrix has another form.

    >>> from autostatistician.kernels.text import parse
    >>> even, uneven = (Problem(np.arange(4.0) ** power, np.zeros(4)) for power in (1.0, 1.5))
    >>> cells, step = cells_of(parse("SE + WN"), even)
    >>> cells.tolist(), float(step), cells_of(parse("SE + WN"), uneven), cells_of(parse("Wiener + WN"), even)
    ([0, 1, 2, 3], 1.0, None, None)
    """
    plain = isinstance(problem.likelihood, Gaussian) and problem.basis is None and problem.noise is None
    if not plain or problem.X.shape[1] != 1 or not is_bordered(expr):
        return None
    cells = cells_in_order(problem.X[:, 0])
    return cells if cells is not None and int(cells[0][-1]) + 1 - problem.n <= MOST_EMPTY else None


def is_bordered(expr: Expr) -> bool:
    """Whether a covariance is one of lags alone, but for some columns of a known form.

    >>> from autostatistician.kernels.text import parse
    >>> [is_bordered(parse(text)) for text in ("SE * Per + WN", "Lin * Lin + SE", "Lin * SE", "CP(SE, C)", "Wiener")]
    [True, True, False, False, False]
    """
    return all(map(_is_bordered, distributed(expr, 0)))


def _is_bordered(factors: list[PlacedFactor]) -> bool:
    """The same of a product."""
    kinds = {LEAVES[factor.expr.symbol].kind if isinstance(factor.expr, Leaf) else None for factor in factors}
    if LeafKind.LINE in kinds:
        return kinds <= ALIKE
    return None not in kinds and LeafKind.UNBOUNDED not in kinds

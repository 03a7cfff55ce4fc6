"""What an engine is, and exact Gaussian inference with one matrix.

The matrix is assembled once, factorised once, inverted once for each gradient.

With ``A = K^-1 - alpha alpha'`` the derivative of the negative log likelihood is ``tr(A dK) / 2`` (Rasmussen and
Williams 2006, eq. 5.9). Engines differ in how they assemble K and take that trace.

The memory that exact engines work in is one matrix for a problem, and two more where an expression asks for them.

Points in several columns, or categories: they share no lags, so their matrix is made in blocks of rows.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite, log, pi
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.errors import InputError
from autostatistician.gp.covariance import RELATIVE_JITTERS, mirrored
from autostatistician.gp.engines.geometry import Geometry, UpperTriangle, geometry_of
from autostatistician.gp.likelihoods import Gaussian
from autostatistician.gp.posterior import ExactPosterior, Posterior, conditioned_on
from autostatistician.gp.problem import Basis, Integrated, Problem, integrated
from autostatistician.kernels.covariance import DenseCovariance, Squares
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel, size

__all__ = [
    "MOST_ROWS", "Blocks", "Covariance", "Engine", "ExactEngine", "ExactObjective", "Objective", "Workspace",
    "check_rows", "workspace_of",
]  # fmt: skip


Array = NDArray[np.float64]

MOST_SQUARES = 8_000_000  # cells of the matrices of all columns, half of which are kept: 32 megabytes


class Objective(Protocol):
    """The negative log marginal likelihood of one expression, a function of its parameters; it owns its work space."""

    evaluations: int = 0  # so far

    def value(self, values: tuple[float, ...]) -> float:
        """The value at some parameters (natural units, preorder); infinite where there is none."""

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """The same with its derivatives (p,), by the logarithm of positive parameters, by others as they are."""

    def renewed(self, values: tuple[float, ...]) -> Objective | None:
        """The same with what it chose at its first parameters chosen anew at these; None where that changes nothing."""
        return None


class Engine(Protocol):
    """A way of computing."""

    @property
    def name(self) -> str:
        """By which it can be preferred, and is told in reports."""

    @property
    def is_exact(self) -> bool:
        """Whether its values are those of the model itself, but for rounding."""

    def cost(self, expr: Expr, problem: Problem) -> float | None:
        """Seconds that an evaluation takes, expected from expression and sizes alone; None where it cannot."""

    def objective(self, expr: Expr, problem: Problem) -> Objective:
        """The negative log marginal likelihood of an expression."""

    def condition(self, kernel: Kernel, problem: Problem) -> Posterior:
        """The posterior of a kernel."""


class Workspace:
    """What evaluations on the same observations share: matrices (n, n), lags, vectors over the lags.

    One evaluation at a time: the next one overwrites what the last one left.
    """

    def __init__(self, X: Array) -> None:
        self.X, self.n = X, len(X)
        self.pool: list[Array] = []  # vectors over the lags
        # Squared differences of several columns, where there is room for them.
        self.squares: Squares | None = {} if X.size * self.n <= MOST_SQUARES else None

    @cached_property
    def triangle(self) -> UpperTriangle:
        """Where the covariance is assembled, factorised and inverted."""
        return UpperTriangle(self.n)

    @cached_property
    def scaled(self) -> UpperTriangle:
        """For the matrix times a profile."""
        return UpperTriangle(self.n)

    @cached_property
    def spare(self) -> Array:
        """For one term of a covariance."""
        return np.zeros((self.n, self.n))

    @cached_property
    def geometry(self) -> Geometry:
        """Which lags occur, on one column."""
        return geometry_of(self.X)


class _Workspaces(threading.local):
    """Those of one thread: threads that share a problem evaluate at the same time."""

    def __init__(self) -> None:
        self.known: WeakKeyDictionary[Problem, Workspace] = WeakKeyDictionary()


_workspaces = _Workspaces()


def workspace_of(problem: Problem) -> Workspace:
    """The workspace of a problem in this thread: made when first asked for, gone with the problem."""
    workspaces = _workspaces.known
    if problem not in workspaces:
        workspaces[problem] = Workspace(problem.X)
    return workspaces[problem]


MOST_ROWS = 5000  # the covariance of more does not fit
SECONDS_PER_CUBE = 2e-11  # of factorising and inverting, for n^3


def check_rows(rows: int, most: int = MOST_ROWS) -> None:
    """Raise an `InputError` when there are more rows than one matrix can hold, or another engine can bear."""
    if rows > most:
        remedy = "give a random sample of the rows (it keeps most of what they tell)"
        raise InputError.of(f"at most {most} rows", f"{rows}", remedy)


class Covariance(Protocol):
    """An expression at given parameters on the rows of a problem."""

    def assemble(self) -> None:
        """Write the upper triangle (C order) of K into the work matrix; what is below it has no meaning."""

    def gradient(self, alpha: Array) -> Array:
        """``tr(A dK) / 2`` (p,), from the inverse of K in the work matrix and from ``alpha``, K^-1 y."""


class ExactObjective(Objective):
    """The negative log marginal likelihood of one expression; subclasses say how its covariance is assembled."""

    def __init__(self, expr: Expr, problem: Problem) -> None:
        self.expr, self.problem = expr, problem
        self.workspace: Workspace = workspace_of(problem)

    def at(self, values: tuple[float, ...], with_gradient: bool = True) -> Covariance:
        """The expression at some parameters."""
        raise NotImplementedError

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """Value and gradient (by the logarithm of positive parameters, by locations as they are; 0 for what rows hold).

        A covariance that cannot be factorised even with the largest jitter has the value infinity.
        """
        self.evaluations += 1
        at, y = self.at(values), self.problem.y
        logdet = self._factorise(at)
        if logdet is None:
            return inf, np.zeros(len(values))
        factor = self.workspace.triangle.matrix.T
        alpha, _ = lapack.dpotrs(factor, y, lower=1)
        if self.problem.basis is not None:
            return self._with_basis(self.problem.basis, at, alpha, logdet, len(values))
        value = 0.5 * float(y @ alpha) + 0.5 * logdet + 0.5 * self.problem.n * log(2.0 * pi)
        lapack.dpotri(factor, lower=1, overwrite_c=1)
        return value, at.gradient(alpha)

    def value(self, values: tuple[float, ...]) -> float:
        """The value alone: about a third of the cost."""
        self.evaluations += 1
        logdet, y = self._factorise(self.at(values, with_gradient=False)), self.problem.y
        if logdet is None:
            return inf
        if self.problem.basis is not None:
            alpha, _ = lapack.dpotrs(self.workspace.triangle.matrix.T, y, lower=1)
            with_basis = self._integrated(self.problem.basis, alpha)
            return inf if with_basis is None else with_basis.nll(y, logdet)
        half, _ = lapack.dtrtrs(self.workspace.triangle.matrix.T, y, lower=1)
        return 0.5 * float(half @ half) + 0.5 * logdet + 0.5 * self.problem.n * log(2.0 * pi)

    def covariance(self, values: tuple[float, ...]) -> Array:
        """The covariance (n, n) of the observations, both triangles filled."""
        self._assemble(self.at(values, with_gradient=False))
        return mirrored(self.workspace.triangle.matrix)

    def _assemble(self, at: Covariance) -> None:
        """Write K with the noise that rows have by themselves."""
        at.assemble()
        if self.problem.noise is not None:
            main = self.workspace.triangle.main
            main += self.problem.noise

    def _factorise(self, at: Covariance) -> float | None:
        """Assemble K and factorise it in place; its log determinant, or None when no jitter helps."""
        matrix, main = self.workspace.triangle.matrix, self.workspace.triangle.main
        for level in RELATIVE_JITTERS:
            self._assemble(at)
            if not isfinite(main.sum()):
                return None
            if level:
                main += level * float(main.mean())
            _, info = lapack.dpotrf(matrix.T, lower=1, overwrite_a=1, clean=0)
            if info == 0:
                return 2.0 * float(np.log(main).sum())
        return None

    def _integrated(self, basis: Basis, alpha: Array) -> Integrated | None:
        solved, _ = lapack.dpotrs(self.workspace.triangle.matrix.T, basis.values, lower=1)
        return integrated(basis, solved, alpha)

    def _with_basis(self, basis: Basis, at: Covariance, alpha: Array, logdet: float, count: int) -> tuple[float, Array]:
        """As without, but for K + H B H': its inverse takes the place of that of K."""
        with_basis = self._integrated(basis, alpha)
        if with_basis is None:
            return inf, np.zeros(count)
        factor = self.workspace.triangle.matrix.T
        lapack.dpotri(factor, lower=1, overwrite_c=1)
        with_basis.reduce(factor)
        return with_basis.nll(self.problem.y, logdet), at.gradient(with_basis.alpha)


class ExactEngine:
    """What the exact engines have in common."""

    name = "exact"
    is_exact = True

    def objective(self, expr: Expr, problem: Problem) -> ExactObjective:
        """The negative log marginal likelihood of an expression."""
        raise NotImplementedError

    def condition(self, kernel: Kernel, problem: Problem) -> ExactPosterior:
        """The posterior of a kernel.

        Raises
        ------
        NotPositiveDefinite
            When the covariance cannot be factorised even with jitter.
        """
        return conditioned_on(kernel, problem, self.objective(kernel.expr, problem).covariance(kernel.values))

    @staticmethod
    def can_bear(problem: Problem) -> bool:
        """Whether the noise is normal and one matrix holds all rows."""
        return isinstance(problem.likelihood, Gaussian) and problem.n <= MOST_ROWS


SECONDS_PER_CELL = 8e-9  # and parameter of the expression, for n^2


class Blocks(ExactEngine):
    """Exact inference on any columns.

    Examples
    --------
    >>> from autostatistician.kernels.expr import Leaf
    >>> objective = Blocks().objective(Leaf("WN"), Problem(np.zeros((2, 2)), np.array([1.0, -1.0]), ("a", "b")))
    >>> round(objective.value((1.0,)), 4)
    2.8379
    """

    name = "blocks"

    def cost(self, expr: Expr, problem: Problem) -> float | None:
        """About n^3 for LAPACK and n^2 for each parameter."""
        if not self.can_bear(problem):
            return None
        return SECONDS_PER_CUBE * problem.n**3 + SECONDS_PER_CELL * problem.n**2 * size(expr)

    def objective(self, expr: Expr, problem: Problem) -> ExactObjective:
        """The negative log marginal likelihood of an expression."""
        return _BlockObjective(expr, problem)


class _BlockObjective(ExactObjective):
    def __init__(self, expr: Expr, problem: Problem) -> None:
        super().__init__(expr, problem)
        self.dense = DenseCovariance(expr, problem.columns)

    def at(self, values: tuple[float, ...], with_gradient: bool = True) -> _InBlocks:
        return _InBlocks(self.dense, values, self.workspace)


@dataclass(frozen=True, slots=True)
class _InBlocks:
    """An expression at given parameters, on a few rows of the matrix at a time."""

    dense: DenseCovariance
    values: tuple[float, ...]
    space: Workspace

    def assemble(self) -> None:
        triangle = self.space.triangle
        self.dense.fill(self.values, self.space.X, triangle.matrix, triangle.main, self.space.squares)

    def gradient(self, alpha: Array) -> Array:
        space = self.space
        return self.dense.nll_gradient(self.values, space.X, space.triangle.matrix, alpha, space.squares)

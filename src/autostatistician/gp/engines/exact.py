"""Exact Gaussian inference with one matrix: assembled once, factorised once, inverted once for each gradient.

With ``A = K^-1 - alpha alpha'`` the derivative of the negative log likelihood is ``tr(A dK) / 2``
(Rasmussen and Williams 2006, eq. 5.9). Engines differ in how they assemble K and take that trace.
"""

from __future__ import annotations

from math import inf, log, pi
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.errors import InputError
from autostatistician.gp.covariance import RELATIVE_JITTERS, mirrored
from autostatistician.gp.engines.base import Objective
from autostatistician.gp.engines.workspace import Workspace, workspace_of
from autostatistician.gp.likelihoods.gaussian import Gaussian
from autostatistician.gp.posterior import ExactPosterior, conditioned_on
from autostatistician.gp.problem import Basis, Integrated, Problem, integrated
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel

__all__ = ["MOST_ROWS", "Covariance", "ExactEngine", "ExactObjective", "check_rows"]

Array = NDArray[np.float64]

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
            if not np.isfinite(main).all():
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

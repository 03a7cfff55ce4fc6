"""Several classes whose functions share one kernel of the language: the approximate evidence, and predictions."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.classes import SoftmaxLaplace, laplace_of_several
from autostatistician.gp.covariance import NotPositiveDefinite, covariance, prior_variance
from autostatistician.gp.engines.approximate import covariances_of
from autostatistician.gp.engines.base import Objective
from autostatistician.gp.likelihoods.bernoulli import Softmax
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel

__all__ = ["SoftmaxObjective", "SoftmaxPosterior", "given_classes"]

Array = NDArray[np.float64]


class SoftmaxObjective(Objective):
    """The negative log approximate evidence of classes, coded 0, 1, ... in the problem.

    Examples
    --------
    >>> from autostatistician.kernels.expr import Leaf
    >>> objective = SoftmaxObjective(Leaf("C"), Problem(np.zeros((1, 1)), np.array([2.0])), Softmax(3))
    >>> round(objective.value((1.0,)), 2)
    1.12
    """

    def __init__(self, expr: Expr, problem: Problem, likelihood: Softmax) -> None:
        self.problem, self.likelihood = problem, likelihood
        self.exact = covariances_of(expr, problem)
        self.last: Array | None = None

    def value(self, values: tuple[float, ...]) -> float:
        """The value at some parameters; infinite where the covariance is far from one."""
        approximation = self._found(values)
        return inf if approximation is None else -approximation.log_evidence

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """The same with its derivatives (p,), by the logarithm of positive parameters, by others as they are."""
        approximation, at = self._found(values), self.exact.at(values)
        if approximation is None:
            return inf, np.zeros(len(values))
        self.last = approximation.alpha
        at.assemble()
        self.exact.workspace.triangle.matrix[...] = np.triu(approximation.adjoint())
        return -approximation.log_evidence, at.gradient(np.zeros(self.problem.n))

    def _found(self, values: tuple[float, ...]) -> SoftmaxLaplace | None:
        self.evaluations += 1
        K = self.exact.covariance(values)
        if not np.isfinite(K).all():
            return None
        try:
            return laplace_of_several(K, self.problem.y, self.likelihood, self.last)
        except NotPositiveDefinite:
            return None


@dataclass(frozen=True, eq=False)
class SoftmaxPosterior:
    """The functions of all classes, given the classes of rows."""

    kernel: Kernel
    problem: Problem
    likelihood: Softmax
    approximation: SoftmaxLaplace

    @property
    def log_evidence(self) -> float:
        """The logarithm of the approximate marginal likelihood."""
        return self.approximation.log_evidence

    def joint(self, at: Array) -> tuple[Array, Array]:
        """Means (m, classes) and covariances (m, classes, classes) of the functions at points (m, d)."""
        columns, approximation = self.problem.columns, self.approximation
        cross = covariance(self.kernel, at, self.problem.X, columns)
        return cross @ approximation.alpha, approximation.covariance(cross, prior_variance(self.kernel, at, columns))


def given_classes(kernel: Kernel, problem: Problem, likelihood: Softmax) -> SoftmaxPosterior:
    """A kernel given classes."""
    K = covariances_of(kernel.expr, problem).covariance(kernel.values)
    return SoftmaxPosterior(kernel, problem, likelihood, laplace_of_several(K, problem.y, likelihood))

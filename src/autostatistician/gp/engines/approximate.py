"""Approximate inference of functions behind observations that are not normal, for every expression of the language.

The covariance is put together, and the trace of the gradient taken, by the exact engines; what differs is the one
matrix with which that trace is taken (see `gp.classes.approximations`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.classes import Root, SiteApproximation, expectation_propagation, laplace, rooted
from autostatistician.gp.covariance import NotPositiveDefinite, mirrored
from autostatistician.gp.engines.exact import MOST_ROWS, Blocks, ExactObjective, Objective
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.posterior import ColumnPrior, ExactPosterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel

__all__ = ["EP", "ApproximateEngine", "ApproximatePosterior", "Laplace", "covariances_of"]

Array = NDArray[np.float64]


LEAST_OF_SITES = 1e-12  # precision of what is left out


class ApproximateEngine:
    """What both have in common."""

    name = "approximate"
    is_exact = False
    seconds_per_cube = 1e-10  # about, for n^3
    method: Callable[..., SiteApproximation]  # from a covariance, observations and their likelihood

    def cost(self, expr: Expr, problem: Problem) -> float | None:
        """About n^3, for any expression."""
        takes = isinstance(problem.likelihood, Bernoulli) and problem.basis is None and problem.n <= MOST_ROWS
        return self.seconds_per_cube * problem.n**3 if takes else None

    def objective(self, expr: Expr, problem: Problem) -> ApproximateObjective:
        """The negative log marginal likelihood of an expression."""
        return ApproximateObjective(self, expr, problem)

    def condition(self, kernel: Kernel, problem: Problem) -> ApproximatePosterior:
        """The posterior of a kernel.

        Raises
        ------
        NotPositiveDefinite
            When the covariance is far from one.
        """
        covariance = covariances_of(kernel.expr, problem).covariance(kernel.values)
        few = rooted(covariance)
        near = None if few is None else self.approximated(few, problem, None, False)
        return _posterior(self, kernel, problem, self.approximated(covariance, problem, near, False))

    def approximated(
        self, K: Array | Root, problem: Problem, last: SiteApproximation | None, with_gradient: bool
    ) -> SiteApproximation:
        """The approximation for a covariance, begun where the last one near by ended."""
        start = None if last is None else last.given
        return self.method(K, problem.y, _latent(problem), start, with_gradient=with_gradient)


class Laplace(ApproximateEngine):
    """A normal distribution around the mode: cheap, and too narrow or too wide where the posterior is skew.

    Examples
    --------
    >>> from autostatistician.kernels.expr import Leaf
    >>> problem = Problem(np.zeros((2, 1)), np.array([1.0, -1.0]), likelihood=Bernoulli("logistic"))
    >>> round(Laplace().objective(Leaf("C"), problem).value((1.0,)), 4)
    1.589
    """

    name = "laplace"
    seconds_per_cube = 8e-11
    method = staticmethod(laplace)


class EP(ApproximateEngine):
    """Expectation propagation (Minka 2001): several times the cost, and for classes nearly exact.

    Examples
    --------
    >>> from autostatistician.kernels.expr import Leaf
    >>> problem = Problem(np.zeros((2, 1)), np.array([1.0, -1.0]), likelihood=Bernoulli())
    >>> round(EP().objective(Leaf("C"), problem).value((1.0,)), 4)  # exact: log 6 = 1.7918
    1.7911
    """

    name = "ep"
    seconds_per_cube = 4e-10
    method = staticmethod(expectation_propagation)


class ApproximateObjective(Objective):
    """The negative log approximate evidence of one expression; every evaluation begins where the last one ended."""

    def __init__(self, engine: ApproximateEngine, expr: Expr, problem: Problem) -> None:
        self.engine, self.problem = engine, problem
        self.exact = covariances_of(expr, problem)
        self.last: SiteApproximation | None = None
        self.has_few_columns = True  # until a covariance has many

    def value(self, values: tuple[float, ...]) -> float:
        """The value alone; infinite where the covariance is far from one."""
        approximation = self._found(self.exact.at(values, with_gradient=False), with_gradient=False)
        if approximation is None:
            return inf
        if self.last is None or self.last.vector is None:  # a walk asks for values alone
            self.last = approximation
        return -approximation.log_evidence

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """Value and gradient, by the logarithm of positive parameters, by others as they are."""
        at = self.exact.at(values)
        approximation = self._found(at, with_gradient=True)
        if approximation is None or approximation.matrix is None or approximation.vector is None:
            return inf, np.zeros(len(values))
        self.exact.workspace.triangle.matrix[...] = np.triu(approximation.matrix)
        self.last = replace(approximation, matrix=None)
        return -approximation.log_evidence, at.gradient(approximation.vector)

    def _found(self, at: Any, *, with_gradient: bool) -> SiteApproximation | None:
        self.evaluations += 1
        at.assemble()
        K = self.exact.workspace.triangle.matrix.copy()
        if not np.isfinite(K.diagonal()).all():
            return None
        try:
            few = rooted(K) if self.has_few_columns else None
            self.has_few_columns = few is not None
            approximation = self.engine.approximated(few or K, self.problem, self.last, with_gradient)
        except NotPositiveDefinite:
            return None
        return approximation if np.isfinite(approximation.log_evidence) else None


@dataclass(frozen=True, eq=False)
class ApproximatePosterior(ExactPosterior):
    """That of a kernel given sites: ``y`` (n,) are their pseudo-targets, those of the problem the classes."""

    engine: ApproximateEngine
    approximation: SiteApproximation
    evaluated_by: ClassVar[tuple[str, ...]] = ()

    @property
    def log_evidence(self) -> float:
        """The logarithm of the approximate marginal likelihood."""
        return self.approximation.log_evidence

    @property
    def settled(self) -> bool:
        """Whether the approximation came to its end."""
        return self.approximation.settled

    def probability(self, at: Array | None = None) -> Array:
        """The probability (m,) of the class +1."""
        mean, sd = self.signal(at)
        return _latent(self.problem).averaged(mean, sd**2)

    def observations(self, at: Array | None = None) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) of new classes, coded -1 and +1."""
        p = self.probability(at)
        return 2.0 * p - 1.0, 2.0 * np.sqrt(p * (1.0 - p))

    def noise_variance(self, at: Array | None = None) -> Array:
        """What classes vary by about their mean (m,)."""
        return np.asarray(self.observations(at)[1] ** 2)

    def residual(self) -> Array:
        """Classes less their mean (n,), between -2 and 2."""
        return self.problem.y - self.observations()[0]

    @property
    def spread(self) -> float:
        """The variance of the function over the data and of what else decides (McKelvey and Zavoina 1975)."""
        return float(self.signal()[0].var()) + self.deciding_variance

    @property
    def left(self) -> Array:
        """Nothing: classes are on another scale."""
        return np.zeros(self.problem.n)

    def leave_one_out(self) -> tuple[Array, Array, Array]:
        """Mean and variance (n,) of each class given all others, and the log probability of the one that was seen."""
        likelihood, (mean, variance) = _latent(self.problem), self.approximation.given.cavity
        p = likelihood.averaged(mean, variance)
        density = likelihood.tilted(self.problem.y, mean, variance)[0]
        return 2.0 * p - 1.0, 4.0 * p * (1.0 - p), density

    @property
    def deciding_variance(self) -> float:
        """Of what decides between classes beside the function."""
        return _latent(self.problem).math.variance

    def left_out_in_pairs(self) -> tuple[Array, Array]:
        """Mean and variance (n, n) of the function at every row i, given all others but row j.

        With R the inverse of the covariance of the pseudo-targets, those of two rows given all others have as precision
        the block of R for both (Rasmussen and Williams 2006, section 5.4.2, for one).
        """
        given = self.approximation.given
        root = np.sqrt(np.maximum(given.precision, LEAST_OF_SITES))
        B = mirrored(given.inverse())
        diagonal, weight = B.diagonal(), given.alpha / root
        det = np.multiply.outer(diagonal, diagonal) - B**2
        np.fill_diagonal(det, diagonal)  # of one row alone
        alone = np.eye(self.problem.n, dtype=bool)
        spread, cross = np.where(alone, 1.0, diagonal[None, :]) / det, np.where(alone, 0.0, B) / det
        variance = np.maximum((spread - 1.0) / root[:, None] ** 2, 0.0)
        mean = (given.natural / root)[:, None] - spread * weight[:, None] + cross * weight[None, :]
        return mean / root[:, None], variance

    def given(self, problem: Problem, variances: Array | None = None) -> ApproximatePosterior:
        """The same parameters, given other observations, or where the function varies more: by variances (n,)."""
        if variances is None:
            return self.engine.condition(self.kernel, problem)
        covariance = covariances_of(self.kernel.expr, problem).covariance(self.kernel.values)
        covariance[np.diag_indices_from(covariance)] += variances
        approximation = self.engine.approximated(covariance, problem, None, False)
        return _posterior(self.engine, self.kernel, problem, approximation)

    def updated(self, X: Array, y: Array) -> ApproximatePosterior:
        """The same parameters, given further observations ``y`` (m,) at ``X`` (m, d) as well."""
        return self.given(self.problem.with_more(X, y))


def _posterior(
    engine: ApproximateEngine, kernel: Kernel, problem: Problem, approximation: SiteApproximation
) -> ApproximatePosterior:
    """The normal posterior that sites leave."""
    targets, factor = approximation.given.as_normal_data()
    prior, alpha = ColumnPrior(problem.columns), approximation.given.alpha
    return ApproximatePosterior(prior, problem.X, targets, factor, alpha, kernel, problem, engine, approximation)


def covariances_of(expr: Expr, problem: Problem) -> ExactObjective:
    """What puts covariances together and takes traces."""
    return (LagSpace() if LagSpace.takes(expr, problem) else Blocks()).objective(expr, problem)


def _latent(problem: Problem) -> Bernoulli:
    assert isinstance(problem.likelihood, Bernoulli)
    return problem.likelihood

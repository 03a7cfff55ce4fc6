"""A kernel given its data: what an engine hands out, and what searches, reports and forecasts ask of it.

A normal prior conditioned on observations with one factorisation, and all that is asked of it.

Rasmussen and Williams 2006 (Gaussian Processes for Machine Learning), algorithm 2.1 and section 5.4.2, for evidence,
prediction and leave-one-out; Duvenaud 2014, section 2.4.5, for the posterior of additive parts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from math import log, pi
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import Factor, covariance, factorise, prior_variance
from autostatistician.gp.posterior.functionals import ColumnPrior, Functional, PartLevel, Prior, Values, places_of
from autostatistician.gp.posterior.projection import Dense, Projection
from autostatistician.gp.problem import Basis, Problem, integrated
from autostatistician.kernels.kernel import Kernel

__all__ = [
    "Conditioned", "ExactPosterior", "Posterior", "conditioned", "conditioned_on", "covariance_of", "given_before",
    "log_evidence_of", "misfit", "with_functions",
]  # fmt: skip


Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Conditioned:
    """Observations ``y`` (n,) at ``X`` (n, d) under a prior of additive parts; built by `conditioned`.

    Everything is in the units of ``y``. Only this room looks at the factor and at ``alpha``.
    """

    prior: Prior
    X: Array
    y: Array
    factor: Factor  # of the covariance of the observations
    alpha: Array  # (n,) that covariance's inverse times y

    @property
    def log_evidence(self) -> float:
        """The log marginal likelihood of ``y`` (of the jittered covariance, should there be jitter)."""
        return log_evidence_of(self.factor, self.y, self.alpha)

    @property
    def jitter(self) -> float:
        """What was added to the variances of the observations to keep the arithmetic stable; 0 as a rule."""
        return self.factor.jitter

    def project(self, part: Any, at: Functional | Array | None = None) -> Projection:
        """The posterior of an additive part at points (m, d), at other `Functional`, or at the observations (None).

        At the observations white noise in a part is that of the data (the residuals have a posterior); at any points
        it is a new, independent draw with mean zero, also where a datum happens to lie.
        """
        return Projection.of(places_of(at).covariances(self.prior, part, self.X), self.alpha, self._half_solved)

    def _half_solved(self, across: Array) -> Array:
        """L^-1 times some covariances (n, m); those of new noise are zero, and so is what is solved for them."""
        return self.factor.half_solve(across, overwrite=True) if across.any() else across

    def level(self, part: Any) -> tuple[PartLevel, float]:
        """The mean of a part over the observations, and the largest prior variance of the part there."""
        matrix = self.prior.matrix(part, self.X)
        return PartLevel.of(matrix), float(matrix.diagonal().max(initial=0.0))

    def leave_one_out(self) -> tuple[Array, Array, Array]:
        """Mean, variance and log density (n,) of each observation predicted from all the others.

        Rasmussen and Williams 2006, equations 5.10 to 5.12.
        """
        return left_out(self.y, self.alpha, self.factor.inverse_diagonal())

    def simulated_leave_one_out(self, count: int, rng: np.random.Generator) -> Array:
        """Standardised leave-one-out errors (count, n) of data drawn from the model.

        With K = L L', errors are K^-1 y over the roots of the diagonal of K^-1, and K^-1 L z is L^-T z.
        """
        n = len(self.y)
        lower = self.factor.half_solve(np.asfortranarray(np.eye(n)))  # L^-1
        normal = rng.standard_normal((n, count))
        return np.asarray((lower.T @ normal).T / np.sqrt(self.factor.inverse_diagonal()))

    def whitened(self, values: Array) -> Array:
        """Values (n,) or (n, k) at the observations in units in which these are independent, each of variance one.

        Least squares of whitened values are generalised least squares (Rao 1973, section 4a.8).
        """
        return self.factor.half_solve(values)

    def innovations(self) -> Array:
        """Standardised errors (n,) of predicting each observation from all before it."""
        return self.whitened(self.y)

    @property
    def innovation_sd(self) -> Array:
        """The standard deviations (n,) of these errors before they are standardised."""
        return np.array(self.factor.packed.diagonal())


def left_out(y: Array, alpha: Array, inverse_diagonal: Array) -> tuple[Array, Array, Array]:
    """What `Conditioned.leave_one_out` says of ``y``, from the inverse covariance: times ``y``, and its diagonal."""
    variance = 1.0 / inverse_diagonal
    error = alpha * variance
    return y - error, variance, -0.5 * (np.log(2.0 * pi * variance) + error**2 / variance)


def log_evidence_of(factor: Factor, y: Array, alpha: Array) -> float:
    """Log density of ``y`` under a normal distribution with mean zero and the factorised covariance.

    Rasmussen and Williams 2006, equation 2.30; ``alpha`` is the inverse of the covariance times ``y``.
    """
    return -0.5 * (float(y @ alpha) + factor.logdet + len(y) * log(2.0 * pi))


def conditioned(prior: Prior, X: Array, y: Array, matrix: Array) -> Conditioned:
    """Condition a prior on observations whose covariance ``matrix`` (n, n) is given, and lost.

    Raises
    ------
    NotPositiveDefinite
        When it cannot be factorised even with jitter.
    """
    factor = factorise(matrix, overwrite=True)
    return Conditioned(prior, X, y, factor, factor.solve(y))


def misfit(matrix: Array, y: Array) -> tuple[float, Array]:
    """The negative log density of ``y`` with a covariance ``matrix`` (n, n), which is lost, and its derivatives by it.

    The derivatives by the entries are ``(K^-1 - alpha alpha') / 2`` (Rasmussen and Williams 2006, equation 5.9).

    Raises
    ------
    NotPositiveDefinite
        When it cannot be factorised even with jitter.

    Examples
    --------
    >>> value, slopes = misfit(np.eye(2), np.array([1.0, 0.0]))
    >>> round(value - log(2.0 * pi), 6), slopes.tolist()
    (0.5, [[0.0, 0.0], [0.0, 0.5]])
    """
    factor = factorise(matrix, overwrite=True)
    alpha = factor.solve(y)
    slopes = factor.inverse()
    slopes -= np.multiply.outer(alpha, alpha)
    slopes *= 0.5
    return -log_evidence_of(factor, y, alpha), slopes


# --- What each of several jointly normal values is expected to be, given those before it ----------------------------


def given_before(values: Array, mean: Array, covariance: Array) -> tuple[Array, Array]:
    """Mean and standard deviation (m,) of each value given those before it, from the moments (m,), (m, m) of all.

    >>> means, sds = given_before(np.array([2.0, 3.0]), np.zeros(2), np.array([[4.0, 4.0], [4.0, 5.0]]))
    >>> means.tolist(), sds.tolist()
    ([0.0, 2.0], [2.0, 1.0])
    """
    factor = factorise(covariance)
    sds = np.array(factor.lower.diagonal())
    return values - sds * factor.half_solve(values - mean), sds


# --- Known functions with normal coefficients beside a prior, given observations -----------------------------------


@dataclass(frozen=True, eq=False)
class WithFunctions:
    """The posterior of ``h(x)' b + g(x)``: of the coefficients b, and of the function g; built by `with_functions`."""

    rest: Conditioned  # g, given what the functions leave of the observations
    coefficients: Array  # posterior mean (m,)
    covariance: Array  # of the coefficients (m, m)
    solved: Array  # (n, m): the inverse of the covariance of g and noise, times the functions
    log_evidence: float

    def project(self, part: Any, at: Array, functions: Array) -> Projection:
        """The posterior of a part of g at points (k, d), with the functions (k, m) there."""
        rest = Values(at).covariances(self.rest.prior, part, self.rest.X)
        apart = functions - rest.cross @ self.solved  # what the data say of g is not news of b
        mean = functions @ self.coefficients + rest.cross @ self.rest.alpha
        return Projection(
            mean,
            lambda: rest.variance + np.einsum("ij,jk,ik->i", apart, self.covariance, apart),
            lambda: Dense(self.rest.factor.half_solve(rest.cross.T, overwrite=True)),
            lambda: rest.matrix() + apart @ self.covariance @ apart.T,
        )


def with_functions(prior: Prior, X: Array, y: Array, matrix: Array, basis: Basis) -> WithFunctions | None:
    """Condition a prior and known functions on observations; None where the functions cannot be told apart.

    ``matrix`` (n, n) is the covariance of the observations without the functions; it is lost.

    Raises
    ------
    NotPositiveDefinite
        When it cannot be factorised even with jitter.

    Examples
    --------
    >>> from autostatistician.gp.posterior.functionals import ColumnPrior
    >>> rows, functions = np.array([[0.0], [1.0]]), Basis(np.ones((2, 1)), np.zeros(1))
    >>> known = with_functions(ColumnPrior(("x",)), rows, np.array([1.0, 3.0]), np.eye(2), functions)
    >>> known.coefficients.round(6).tolist(), known.covariance.round(6).tolist()
    ([2.0], [[0.5]])
    """
    sizes = np.sqrt(np.mean(basis.values**2, axis=0))
    sizes[sizes == 0.0] = 1.0
    even = Basis(basis.values / sizes, basis.precisions / sizes**2)
    plain = conditioned(prior, X, y, matrix)
    fitted = integrated(even, plain.factor.solve(even.values), plain.alpha)
    if fitted is None:
        return None
    coefficients = fitted.coefficients / sizes
    return WithFunctions(
        Conditioned(prior, X, y - basis.values @ coefficients, plain.factor, fitted.alpha),
        coefficients,
        fitted.covariance / np.multiply.outer(sizes, sizes),
        fitted.solved * sizes,
        # of the functions as they are, not of those of size one
        -fitted.nll(y, plain.factor.logdet) - float(np.log(sizes[basis.precisions == 0.0]).sum()),
    )


Moments = tuple[Array, Array]


class Posterior(ABC):
    """The posterior of the parts of a kernel, on the scale of the model.

    What is abstract an engine gives, however it makes it; all else follows from that, and from the kernel with its
    normal noise.
    """

    kernel: Kernel  # the model with its parameters
    problem: Problem  # the observations
    X: Array  # inputs (n, d) of the observations
    y: Array  # targets (n,)
    points: Array | None = None  # (M, d): inducing points, where the function stands on these
    evaluated_by: ClassVar[tuple[str, ...]] = ()  # the engines, by name, that evaluate models of this kind quickly

    # What an engine gives ---------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def log_evidence(self) -> float:
        """The log marginal likelihood."""

    @property
    @abstractmethod
    def jitter(self) -> float:
        """Variance that was added to keep the arithmetic stable."""

    @property
    @abstractmethod
    def innovation_sd(self) -> Array:
        """Standard deviations (n,) of predicting each observation from all before it."""

    @abstractmethod
    def project(self, part: Kernel, at: Functional | Array | None = None) -> Projection:
        """The posterior of an additive part at points (m, d), other places, or the observations (None)."""

    @abstractmethod
    def level(self, part: Kernel) -> tuple[PartLevel, float]:
        """The mean of a part over the observations, and the largest prior variance of the part there."""

    @abstractmethod
    def leave_one_out(self) -> tuple[Array, Array, Array]:
        """Mean, variance and log density (n,) of each observation given all others."""

    @abstractmethod
    def simulated_leave_one_out(self, count: int, rng: np.random.Generator) -> Array:
        """Standardised errors (count, n) of such predictions, for data drawn from the model."""

    @abstractmethod
    def whitened(self, values: Array) -> Array:
        """Values (n,) at the observations in units in which these are independent with variance one."""

    @abstractmethod
    def innovations(self) -> Array:
        """Standardised errors (n,) of predicting each observation from all before it."""

    @abstractmethod
    def given(self, problem: Problem, variances: Array | None = None) -> Posterior:
        """The same parameters, given other observations: with further variances (n,), or else the jitter of these."""

    # What follows -----------------------------------------------------------------------------------------------

    def without(self, rows: NDArray[np.intp]) -> Posterior:
        """The same parameters, given all observations but some rows."""
        return self.given(self.problem.rows(np.delete(np.arange(len(self.y)), rows)))

    def noisier(self, variances: Array) -> Posterior:
        """The same with more noise: further variances (n,) of the observations."""
        return self.given(self.problem, variances)

    def updated(self, X: Array, y: Array) -> Posterior:
        """The same parameters, given further observations ``y`` (m,) at ``X`` (m, d) as well."""
        return self.given(self.problem.with_more(X, y))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the inputs."""
        return self.problem.columns

    @cached_property
    def halves(self) -> tuple[Kernel | None, Kernel | None]:
        """The signal and the noise of the kernel, either of which may be absent (None)."""
        return self.problem.likelihood.halves(self.kernel)

    def prior_variance(self, part: Kernel, at: Array) -> Array:
        """Prior variance (m,) of an additive part at points (m, d)."""
        return prior_variance(part, at, self.columns)

    def signal(self, at: Array | None = None) -> Moments:
        """Posterior mean and standard deviation (m,) of all parts but noise."""
        if self.halves[0] is None:
            return self._zeros(at), self._zeros(at)
        projection = self.project(self.halves[0], at)
        return projection.mean, projection.sd

    def signal_joint(self, at: Array | None = None) -> Moments:
        """Posterior mean (m,) and covariance (m, m) of all parts but noise."""
        if self.halves[0] is None:
            zeros = self._zeros(at)
            return zeros, np.zeros((len(zeros), len(zeros)))
        projection = self.project(self.halves[0], at)
        return projection.mean, projection.covariance()

    def observations(self, at: Array | None = None) -> Moments:
        """Mean and standard deviation (m,) of new observations: the signal with the noise of its place."""
        mean, sd = self.signal(at)
        return mean, np.sqrt(sd**2 + self.noise_variance(at))

    def observations_joint(self, at: Array | None = None) -> Moments:
        """Mean (m,) and covariance (m, m) of new observations, one for each place."""
        mean, cov = self.signal_joint(at)
        cov[np.diag_indices_from(cov)] += self.noise_variance(at)
        return mean, cov

    @property
    def keeps_digits(self) -> bool:
        """Whether rounding leaves its variances as they are: one matrix does."""
        return True

    def noise_variance(self, at: Array | None = None) -> Array:
        """Variance (m,) of new observations about the signal; of those of the data with that of rows by themselves."""
        X, noise = self.X if at is None else at, self.halves[1]
        beside = self.problem.beside_kernel if at is None else self.problem.likelihood.variance(X)
        return beside + (0.0 if noise is None else self.prior_variance(noise, X))

    def samples(self, at: Array | None, rng: np.random.Generator, *, count: int = 3) -> Array:
        """Joint draws (count, m) of the signal."""
        if self.halves[0] is None:
            return np.zeros((count, len(self._zeros(at))))
        return self.project(self.halves[0], at).draws(rng, count)

    def residual(self) -> Array:
        """What the signal leaves of the observations (n,)."""
        return self.y - self.signal()[0]

    @property
    def spread(self) -> float:
        """The variance of which the parts explain shares: of the targets, or of what stands behind them."""
        return float(self.y.var())

    @property
    def left(self) -> Array:
        """What the signal leaves of the targets (n,), on the scale of the model; zero where they are on another."""
        return self.residual()

    def gap(self, rows: NDArray[np.intp]) -> float:
        """By how much the log evidence of some rows is below the exact one."""
        return 0.0

    def _zeros(self, at: Array | None) -> Array:
        return np.zeros(len(self.X if at is None else at))


@dataclass(frozen=True, eq=False)
class ExactPosterior(Conditioned, Posterior):
    """That of a kernel with normal noise, by one factorisation; built by `conditioned_on`."""

    kernel: Kernel
    problem: Problem
    evaluated_by: ClassVar[tuple[str, ...]] = ("lag space", "blocks", "Toeplitz")

    def given(self, problem: Problem, variances: Array | None = None) -> ExactPosterior:
        """The same parameters, given other observations: with further variances (n,), or else the jitter of these."""
        matrix = covariance_of(self.kernel, problem)
        matrix[np.diag_indices_from(matrix)] += self.jitter if variances is None else variances
        return conditioned_on(self.kernel, problem, matrix)

    def updated(self, X: Array, y: Array) -> ExactPosterior:
        """The same parameters, given observations ``y`` (m,) at ``X`` (m, d), too: the factor grows by m rows."""
        cross = covariance(self.kernel, self.X, X, self.columns)
        among_new = covariance_of(self.kernel, self.problem.elsewhere(X, y))
        among_new[np.diag_indices_from(among_new)] += self.jitter
        problem = self.problem.with_more(X, y)
        factor = self.factor.extended(cross, among_new)
        return replace(self, X=problem.X, y=problem.y, factor=factor, alpha=factor.solve(problem.y), problem=problem)


def covariance_of(kernel: Kernel, problem: Problem) -> Array:
    """The prior covariance (n, n) of observations: of the kernel, with the noise that no leaf of it stands for."""
    matrix = covariance(kernel, problem.X, None, problem.columns)
    matrix[np.diag_indices_from(matrix)] += problem.beside_kernel
    return matrix


def conditioned_on(kernel: Kernel, problem: Problem, matrix: Array) -> ExactPosterior:
    """A kernel conditioned on observations with the covariance ``matrix`` (n, n), which is lost.

    Raises
    ------
    NotPositiveDefinite
        When it cannot be factorised even with jitter.
    """
    factor = factorise(matrix, overwrite=True)
    prior = ColumnPrior(problem.columns)
    return ExactPosterior(prior, problem.X, problem.y, factor, factor.solve(problem.y), kernel, problem)

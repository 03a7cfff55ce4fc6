"""A kernel given its data: what an engine hands out, and what searches, reports and forecasts ask of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import covariance, factorise, prior_variance
from autostatistician.gp.posterior.conditioning import Conditioned
from autostatistician.gp.posterior.functionals import ColumnPrior, Functional, PartLevel
from autostatistician.gp.posterior.projection import Projection
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel

__all__ = ["ExactPosterior", "Posterior", "conditioned_on", "covariance_of"]

Array = NDArray[np.float64]
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
    def without(self, rows: NDArray[np.intp]) -> Posterior:
        """The same parameters, given all observations but some rows."""

    @abstractmethod
    def noisier(self, variances: Array) -> Posterior:
        """The same with more noise: further variances (n,) of the observations."""

    @abstractmethod
    def updated(self, X: Array, y: Array) -> Posterior:
        """The same parameters, given further observations ``y`` (m,) at ``X`` (m, d) as well."""

    # What follows -----------------------------------------------------------------------------------------------

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

    def without(self, rows: NDArray[np.intp]) -> ExactPosterior:
        """The same parameters and jitter, given all observations but some rows."""
        kept = self.problem.rows(np.delete(np.arange(len(self.y)), rows))
        matrix = covariance_of(self.kernel, kept)
        matrix[np.diag_indices_from(matrix)] += self.jitter
        return conditioned_on(self.kernel, kept, matrix)

    def noisier(self, variances: Array) -> ExactPosterior:
        """The same with more noise: further variances (n,) of the observations."""
        matrix = covariance_of(self.kernel, self.problem)
        matrix[np.diag_indices_from(matrix)] += variances
        return conditioned_on(self.kernel, self.problem, matrix)

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

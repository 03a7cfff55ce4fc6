"""A kernel given its data: what an engine hands out, and what searches, reports and forecasts ask of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import covariance, factorise, prior_variance
from autostatistician.inference.posterior.averages import ColumnPrior
from autostatistician.inference.posterior.conditioning import Conditioned
from autostatistician.inference.posterior.places import Level, Places
from autostatistician.inference.posterior.projection import Projection
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel

__all__ = ["ExactPosterior", "GaussianPosterior", "Posterior", "conditioned_on", "covariance_of"]

Array = NDArray[np.float64]
Moments = tuple[Array, Array]


class Posterior(Protocol):
    """The posterior of the parts of a kernel, on the scale of the model."""

    @property
    def kernel(self) -> Kernel:
        """The model with its numbers."""

    @property
    def problem(self) -> Problem:
        """The observations."""

    @property
    def X(self) -> Array:
        """Inputs (n, d) of the observations."""

    @property
    def y(self) -> Array:
        """Targets (n,)."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the inputs."""

    @property
    def halves(self) -> tuple[Kernel | None, Kernel | None]:
        """The signal and the noise of the kernel, either of which may be absent (None)."""

    @property
    def log_evidence(self) -> float:
        """The log marginal likelihood."""

    @property
    def jitter(self) -> float:
        """Variance that was added to keep the arithmetic stable."""

    @property
    def keeps_digits(self) -> bool:
        """Whether rounding leaves its variances as they are."""

    @property
    def innovation_sd(self) -> Array:
        """Standard deviations (n,) of predicting each observation from all before it."""

    def project(self, part: Kernel, at: Places | Array | None = None) -> Projection:
        """The posterior of an additive part at points (m, d), other places, or the observations (None)."""

    def prior_variance(self, part: Kernel, at: Array) -> Array:
        """Prior variance (m,) of an additive part at points (m, d)."""

    def level(self, part: Kernel) -> tuple[Level, float]:
        """The mean of a part over the observations, and the largest prior variance of the part there."""

    def signal(self, at: Array | None = None) -> Moments:
        """Mean and standard deviation (m,) of all parts but noise."""

    def signal_joint(self, at: Array | None = None) -> Moments:
        """Mean (m,) and covariance (m, m) of all parts but noise."""

    def observations(self, at: Array | None = None) -> Moments:
        """Mean and standard deviation (m,) of new observations."""

    def observations_joint(self, at: Array | None = None) -> Moments:
        """Mean (m,) and covariance (m, m) of new observations, one for each place."""

    def noise_variance(self, at: Array | None = None) -> Array:
        """Variance (m,) of new observations about the signal; it may change along the input."""

    def samples(self, at: Array | None, rng: np.random.Generator, *, count: int = 3) -> Array:
        """Joint draws (count, m) of the signal."""

    def leave_one_out(self) -> tuple[Array, Array, Array]:
        """Mean, variance and log density (n,) of each observation given all others."""

    def simulated_leave_one_out(self, count: int, rng: np.random.Generator) -> Array:
        """Standardised errors (count, n) of such predictions, for data drawn from the model."""

    def whitened(self, values: Array) -> Array:
        """Values (n,) at the observations in units in which these are independent with variance one."""

    def innovations(self) -> Array:
        """Standardised errors (n,) of predicting each observation from all before it."""

    def residual(self) -> Array:
        """What the signal leaves of the observations (n,)."""

    @property
    def spread(self) -> float:
        """The variance of which the parts explain shares: of the targets, or of what stands behind them."""

    @property
    def left(self) -> Array:
        """What the signal leaves of the targets (n,), on the scale of the model; zero where they are on another."""

    def without(self, rows: NDArray[np.intp]) -> Posterior:
        """The same numbers, given all observations but some rows."""

    def noisier(self, variances: Array) -> Posterior:
        """The same with more noise: further variances (n,) of the observations."""

    def updated(self, X: Array, y: Array) -> Posterior:
        """The same numbers, given further observations ``y`` (m,) at ``X`` (m, d) as well."""


class GaussianPosterior:
    """What follows from the projections of a kernel with normal noise, however an engine makes them."""

    kernel: Kernel
    problem: Problem
    X: Array
    y: Array
    project: Callable[..., Projection]

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
        known = self.project(self.halves[0], at)
        return known.mean, known.sd

    def signal_joint(self, at: Array | None = None) -> Moments:
        """Posterior mean (m,) and covariance (m, m) of all parts but noise."""
        if self.halves[0] is None:
            zeros = self._zeros(at)
            return zeros, np.zeros((len(zeros), len(zeros)))
        known = self.project(self.halves[0], at)
        return known.mean, known.covariance()

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
        """Variance (m,) of new observations about the signal; it may change along the input."""
        X, noise = self.X if at is None else at, self.halves[1]
        return self.problem.likelihood.variance(X) + (0.0 if noise is None else self.prior_variance(noise, X))

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
        """The variance of the targets."""
        return float(self.y.var())

    @property
    def left(self) -> Array:
        """What the signal leaves of the targets (n,)."""
        return self.residual()

    def _zeros(self, at: Array | None) -> Array:
        return np.zeros(len(self.X if at is None else at))


@dataclass(frozen=True, eq=False)
class ExactPosterior(Conditioned, GaussianPosterior):
    """That of a kernel with normal noise, by one factorisation; built by `conditioned_on`."""

    kernel: Kernel
    problem: Problem

    def without(self, rows: NDArray[np.intp]) -> ExactPosterior:
        """The same numbers and jitter, given all observations but some rows."""
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
        """The same numbers, given further observations ``y`` (m,) at ``X`` (m, d), too: the factor grows by m rows."""
        cross = covariance(self.kernel, self.X, X, self.columns)
        own = covariance_of(self.kernel, replace(self.problem, X=X, y=y))
        own[np.diag_indices_from(own)] += self.jitter
        problem = replace(self.problem, X=np.vstack([self.X, X]), y=np.append(self.y, y))
        factor = self.factor.extended(cross, own)
        return replace(self, X=problem.X, y=problem.y, factor=factor, alpha=factor.solve(problem.y), problem=problem)


def covariance_of(kernel: Kernel, problem: Problem) -> Array:
    """The prior covariance (n, n) of observations: of the kernel, with the noise that no leaf of it stands for."""
    matrix = covariance(kernel, problem.X, None, problem.columns)
    matrix[np.diag_indices_from(matrix)] += problem.likelihood.variance(problem.X)
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

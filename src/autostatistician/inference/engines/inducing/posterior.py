"""The posterior of a kernel that inducing points stand for: a normal one over their values, the prior given these.

With the notation of `bound` and ``a* = L^-1 k_z*``, a value has the mean ``a*' beta`` and the variance
``k** - a*' (I - B^-1) a*`` (Titsias 2009, equation 6). ``I - B^-1`` is positive semidefinite, so with R'R for it parts
of the function are projections as with one matrix: ``R a*`` is what the observations take off the prior.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.inference.averages import ColumnPrior
from autostatistician.inference.engines.inducing.bound import Collapsed, collapsed
from autostatistician.inference.engines.variances import variances
from autostatistician.inference.places import Level, Places, Values
from autostatistician.inference.posterior import GaussianPosterior, conditioned_on, covariance_of
from autostatistician.inference.problem import Problem
from autostatistician.inference.projection import Dense, Projection
from autostatistician.language.kernel import Kernel

__all__ = ["InducingPosterior", "conditioned_by_points"]

Array = NDArray[np.float64]
Moments = tuple[Array, Array]

LEVEL_ROWS = 1000  # evenly spaced ones, over which the mean of a part is taken
POINTS_AT_A_TIME = 8000


@dataclass(frozen=True, eq=False)
class InducingPosterior(GaussianPosterior):
    """Built by `conditioned_by_points`; ``points`` (M, d) are the inducing ones."""

    kernel: Kernel
    problem: Problem
    points: Array
    bound: Collapsed

    @property
    def X(self) -> Array:  # type: ignore[override]
        """Inputs (n, d) of the observations."""
        return self.problem.X

    @property
    def y(self) -> Array:  # type: ignore[override]
        """Targets (n,)."""
        return self.problem.y

    @property
    def log_evidence(self) -> float:
        """The bound on the log marginal likelihood."""
        return self.bound.value

    @property
    def jitter(self) -> float:
        """None on the variances of the observations."""
        return 0.0

    @cached_property
    def prior(self) -> ColumnPrior:
        """That of the parts."""
        return ColumnPrior(self.problem.columns)

    def project(self, part: Kernel, at: Places | Array | None = None) -> Projection:
        """The posterior of an additive part at points (m, d), at other `Places`, or at the observations (None).

        White noise in a part is a new, independent draw with mean zero, at the observations, too.
        """
        places = Values(self.X if at is None else at) if at is None or isinstance(at, np.ndarray) else at
        known = places.covariances(self.prior, part, self.points)
        inner = self._inner(known.cross)
        return Projection(
            self.bound.beta @ inner, lambda: known.variance, lambda: Dense(self._root @ inner), known.matrix
        )

    def signal(self, at: Array | None = None) -> Moments:
        """Posterior mean and standard deviation (m,) of all parts but noise, some points at a time."""
        X, signal = self.X if at is None else at, self.halves[0]
        if signal is None:
            return self._zeros(at), self._zeros(at)
        starts = range(0, max(len(X), 1), POINTS_AT_A_TIME)
        found = [self._moments(signal, X[start : start + POINTS_AT_A_TIME]) for start in starts]
        mean, variance = (np.concatenate(each) for each in zip(*found, strict=True))
        return mean, np.sqrt(np.maximum(variance, 0.0))

    def level(self, part: Kernel) -> tuple[Level, float]:
        """The mean of a part over evenly spaced observations, and its largest prior variance at all of them."""
        rows = self.X[np.unique(np.linspace(0, len(self.X) - 1, min(len(self.X), LEVEL_ROWS)).round().astype(np.intp))]
        cross = self.prior.matrix(part, self.points, rows).mean(axis=1)
        variance = float(self.prior.matrix(part, rows, rows).mean())
        return Level(cross, variance, rows), float(self.prior_variance(part, self.X).max(initial=0.0))

    def leave_one_out(self) -> tuple[Array, Array, Array]:
        """Mean, variance and log density (n,) of each observation predicted from all the others.

        The inducing points stay. With ``C = Q + D`` the mean is ``y_i - [C^-1 y]_i / [C^-1]_ii``, as with one matrix
        (Rasmussen and Williams 2006, equations 5.10 to 5.12); the variance is ``1 / [C^-1]_ii`` and what the inducing
        points leave of the prior variance at the place.
        """
        alpha, own = self._alpha_and_own
        error, variance = alpha / own, 1.0 / own + self.bound.unexplained
        return self.y - error, variance, -0.5 * (np.log(2.0 * pi * variance) + error**2 / variance)

    def simulated_leave_one_out(self, count: int, rng: np.random.Generator) -> Array:
        """Standardised errors (count, n) of such predictions, for data drawn from the posterior's own prior.

        That is ``Q + D`` with what the inducing points leave of the variances as further noise.
        """
        bound, own = self.bound, self._alpha_and_own[1]
        variance = 1.0 / own + bound.unexplained
        values = rng.standard_normal((len(self.points), count))
        found, total = np.empty((count, len(self.y))), np.zeros((len(self.points), count))
        for some, scaled in bound.scaled():
            spread = np.sqrt(1.0 + bound.unexplained[some] / bound.noise[some])
            drawn = scaled @ values + spread[:, None] * rng.standard_normal((len(scaled), count))
            total += scaled.T @ drawn
            found[:, some] = drawn.T
        weights = bound.inner.solve(total)
        for some, scaled in bound.scaled():
            left = found[:, some] - (scaled @ weights).T
            found[:, some] = left / np.sqrt(bound.noise[some]) / (own[some] * np.sqrt(variance[some]))
        return found

    def whitened(self, values: Array) -> Array:
        """Values (n,) or (n, k) at the observations in units in which these are independent, each of variance one.

        That is the inverse of the symmetric root of ``Q + D`` with D divided out, one but for M directions.
        """
        spread, vectors = self._directions
        scaled = (values.T / np.sqrt(self.bound.noise)).T
        total = np.zeros((len(self.points), *values.shape[1:]))
        for some, rows in self.bound.scaled():
            total += rows.T @ scaled[some]
        shrunk = (1.0 - 1.0 / np.sqrt(1.0 + spread)) / np.maximum(spread, np.finfo(float).tiny)
        weights = vectors @ (shrunk * (vectors.T @ total).T).T
        return np.concatenate([scaled[some] - rows @ weights for some, rows in self.bound.scaled()])

    def innovations(self) -> Array:
        """Standardised values (n,) that are independent under the model; rows of a table have none before them."""
        return self.whitened(self.y)

    @property
    def innovation_sd(self) -> Array:
        """The standard deviations (n,) of predicting each observation from all others."""
        return np.sqrt(self.leave_one_out()[1])

    def without(self, rows: NDArray[np.intp]) -> InducingPosterior:
        """The same numbers and inducing points, given all observations but some rows."""
        kept = np.delete(np.arange(len(self.y)), rows)
        return conditioned_by_points(self.kernel, self.problem.rows(kept), self.points)

    def noisier(self, variances: Array) -> InducingPosterior:
        """The same with more noise: further variances (n,) of the observations."""
        return conditioned_by_points(self.kernel, self.problem, self.points, variances)

    def updated(self, X: Array, y: Array) -> InducingPosterior:
        """The same numbers and inducing points, given further observations ``y`` (m,) at ``X`` (m, d) as well."""
        problem = replace(self.problem, X=np.vstack([self.X, X]), y=np.append(self.y, y))
        return conditioned_by_points(self.kernel, problem, self.points)

    def gap(self, rows: NDArray[np.intp]) -> float:
        """By how much the bound is below the exact log evidence, on some rows with the same inducing points."""
        some = self.problem.rows(rows)
        exact = conditioned_on(self.kernel, some, covariance_of(self.kernel, some))
        return exact.log_evidence - conditioned_by_points(self.kernel, some, self.points).log_evidence

    def _inner(self, cross: Array) -> Array:
        """``a*`` (M, m), from covariances (m, M)."""
        found, _ = lapack.dtrtrs(self.bound.lower, cross.T, lower=1)
        return np.asarray(found).reshape(cross.T.shape)

    def _moments(self, part: Kernel, X: Array) -> Moments:
        inner = self._inner(self.prior.matrix(part, X, self.points))
        half = self.bound.inner.half_solve(inner)
        explained = np.einsum("ij,ij->j", inner, inner) - np.einsum("ij,ij->j", half, half)
        return self.bound.beta @ inner, self.prior_variance(part, X) - explained

    @cached_property
    def _directions(self) -> tuple[Array, Array]:
        """Eigenvalues (M,) of ``B - I``, not below zero, with their vectors as columns."""
        values, vectors = np.linalg.eigh(self.bound.gram)
        return np.maximum(values - 1.0, 0.0), vectors

    @cached_property
    def _root(self) -> Array:
        """R (M, M) with ``R'R = I - B^-1``."""
        spread, vectors = self._directions
        return np.asarray(np.sqrt(spread / (1.0 + spread))[:, None] * vectors.T)

    @cached_property
    def _alpha_and_own(self) -> tuple[Array, Array]:
        """``C^-1 y`` (n,) and the diagonal of ``C^-1`` for ``C = Q + D``."""
        bound, alpha, own = self.bound, np.empty(len(self.y)), np.empty(len(self.y))
        for some, scaled in bound.scaled():
            alpha[some] = bound.residuals(scaled, some) / np.sqrt(bound.noise[some])
            own[some] = (1.0 - bound.leverage(scaled)) / bound.noise[some]
        return alpha, own


def conditioned_by_points(
    kernel: Kernel, problem: Problem, points: Array, more_noise: Array | float = 0.0
) -> InducingPosterior:
    """A kernel conditioned on observations by inducing points (M, d).

    Raises
    ------
    NotPositiveDefinite
        When covariances are not finite.

    Examples
    --------
    >>> from autostatistician.language.kernel import leaf
    >>> kernel = leaf("Lin", "a", sd=1.0, location=0.0) + leaf("WN", sd=1.0)
    >>> problem = Problem(np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([1.0, 2.0]), ("a", "b"))
    >>> mean, sd = conditioned_by_points(kernel, problem, problem.X[1:]).signal(np.array([[6.0, 0.0]]))
    >>> mean.round(4).tolist(), sd.round(4).tolist()  # 5 + 1 observations of weight one
    ([5.0], [2.4495])
    """
    prior = ColumnPrior(problem.columns)
    known = variances(kernel.expr, kernel.values, problem.X, problem.columns)
    zeros = np.zeros(problem.n)
    bound = collapsed(
        prior.matrix(kernel, points, points),
        lambda some: prior.matrix(kernel, problem.X[some], points),
        problem.y, zeros + known.signal, zeros + known.noise + more_noise, keep=False,
    )  # fmt: skip
    return InducingPosterior(kernel, problem, points, bound)

"""Tables of many rows by inducing points: the collapsed bound of Titsias, its gradient and its posterior.

The engine for tables of more rows than one matrix should hold.

A normal prior conditioned on observations by inducing points, and all that is asked of it.

With the notation of `inducing_bound` and ``a* = L^-1 k_z*``, a value has the mean ``a*' beta`` and the variance
``k** - a*' (I - B^-1) a*`` (Titsias 2009, equation 6). ``I - B^-1`` is positive semidefinite, so with R'R for it parts
of the function are projections as with one matrix: ``R a*`` is what the observations take off the prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, pi
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician._io.rows import evenly_spaced
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines.exact import Objective
from autostatistician.gp.engines.inducing_bound import (
    ENOUGH,
    RELATIVE_JITTER,
    SMALLEST_JITTER,
    Collapsed,
    collapsed,
    inducing_rows,
)
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.likelihoods import Gaussian
from autostatistician.gp.posterior import (
    ColumnPrior,
    Functional,
    PartLevel,
    Posterior,
    Prior,
    Projection,
    Values,
    conditioned_on,
    covariance_of,
)
from autostatistician.gp.problem import Problem
from autostatistician.kernels.covariance import CrossCovariance, Variances, variances
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel, size
from autostatistician.kernels.traits import always_noisy

__all__ = [
    "MOST_ROWS", "CloseObjective", "ConditionedByPoints", "CovariancesOfRows", "Inducing", "closely_conditioned",
    "given_points",
]  # fmt: skip


Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CovariancesOfRows:
    """Prior covariances of a part at some rows of ``X`` (n, d) with inducing ``points`` (M, d), when called."""

    prior: Prior
    part: Any
    X: Array
    points: Array

    def __call__(self, some: slice) -> Array:
        """Those of some rows (c, M)."""
        return self.prior.matrix(self.part, self.X[some], self.points)


@dataclass(frozen=True, eq=False)
class ConditionedByPoints:
    """Observations ``y`` (n,) at ``X`` (n, d) under a prior of additive parts, by inducing ``points`` (M, d)."""

    prior: Prior
    X: Array
    y: Array
    points: Array
    bound: Collapsed

    @property
    def log_evidence(self) -> float:
        """The bound on the log marginal likelihood."""
        return self.bound.value

    @property
    def jitter(self) -> float:
        """None on the variances of the observations."""
        return 0.0

    def project(self, part: Any, at: Functional | Array | None = None) -> Projection:
        """The posterior of an additive part at points (m, d), at other `Functional`, or at the observations (None).

        White noise in a part is a new, independent draw with mean zero, at the observations, too.
        """
        places = Values(self.X if at is None else at) if at is None or isinstance(at, np.ndarray) else at
        covariances = places.covariances(self.prior, part, self.points)
        return Projection.of(covariances, self._weights, lambda across: self._root @ self._inner(across.T))

    def leave_one_out(self) -> tuple[Array, Array, Array]:
        """Mean, variance and log density (n,) of each observation predicted from all the others.

        The inducing points stay. With ``C = Q + D`` the mean is ``y_i - [C^-1 y]_i / [C^-1]_ii``, as with one matrix
        (Rasmussen and Williams 2006, equations 5.10 to 5.12); the variance is ``1 / [C^-1]_ii`` and what the inducing
        points leave of the prior variance at the place.
        """
        alpha, diagonal = self._alpha_and_own
        error, variance = alpha / diagonal, 1.0 / diagonal + self.bound.unexplained
        return self.y - error, variance, -0.5 * (np.log(2.0 * pi * variance) + error**2 / variance)

    def simulated_leave_one_out(self, count: int, rng: np.random.Generator) -> Array:
        """Standardised errors (count, n) of such predictions, for data drawn from the posterior's own prior.

        That is ``Q + D`` with what the inducing points leave of the variances as further noise.
        """
        bound, diagonal = self.bound, self._alpha_and_own[1]
        variance = 1.0 / diagonal + bound.unexplained
        values = rng.standard_normal((len(self.points), count))
        errors, total = np.empty((count, len(self.y))), np.zeros((len(self.points), count))
        for some, scaled in bound.scaled():
            spread = np.sqrt(1.0 + bound.unexplained[some] / bound.noise[some])
            drawn = scaled @ values + spread[:, None] * rng.standard_normal((len(scaled), count))
            total += scaled.T @ drawn
            errors[:, some] = drawn.T
        weights = bound.inner.solve(total)
        for some, scaled in bound.scaled():
            residuals = errors[:, some] - (scaled @ weights).T
            errors[:, some] = residuals / np.sqrt(bound.noise[some]) / (diagonal[some] * np.sqrt(variance[some]))
        return errors

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

    def _inner(self, cross: Array) -> Array:
        """``a*`` (M, m), from covariances (m, M)."""
        inner, _ = lapack.dtrtrs(self.bound.lower, cross.T, lower=1)
        return np.asarray(inner).reshape(cross.T.shape)

    @cached_property
    def _weights(self) -> Array:
        """``L^-T beta`` (M,): by what covariances with the inducing points are multiplied and summed for a mean."""
        weights, _ = lapack.dtrtrs(self.bound.lower, self.bound.beta, lower=1, trans=1)
        return np.asarray(weights)

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
        bound, alpha, diagonal = self.bound, np.empty(len(self.y)), np.empty(len(self.y))
        for some, scaled in bound.scaled():
            alpha[some] = bound.residuals(scaled, some) / np.sqrt(bound.noise[some])
            diagonal[some] = (1.0 - bound.leverage(scaled)) / bound.noise[some]
        return alpha, diagonal


def given_points(prior: Prior, part: Any, X: Array, y: Array, points: Array, noise: Array) -> ConditionedByPoints:
    """Condition the function that a part stands for on observations with variances ``noise`` (n,).

    Raises
    ------
    NotPositiveDefinite
        When covariances are not finite.
    """
    rows = CovariancesOfRows(prior, part, X, points)
    bound = collapsed(prior.matrix(part, points, points), rows, y, prior.variance(part, X), noise, keep=False)
    return ConditionedByPoints(prior, X, y, points, bound)


# Nats that other inducing points gain, so that it is worth while to go on with them: at least, and for every row.
WORTH_RENEWING, WORTH_RENEWING_PER_ROW = 0.5, 2e-4

Moments = tuple[Array, Array]

LEVEL_ROWS = 1000  # evenly spaced ones, over which the mean of a part is taken

POINTS_AT_A_TIME = 8000

MOST_CLOSE_POINTS = 600

NATS = 0.05  # that points may leave

TO_SPARE = 10.0  # times fewer are asked for when points are chosen

MOST_ROWS = 1_000_000

MOST_POINTS, MOST_POINTS_OF_POSTERIOR = 300, 600

SECONDS_PER_SQUARE = 1.5e-10  # of linear algebra, for n M^2

SECONDS_PER_CELL = 8e-9  # and parameter of the expression, for n M


class InducingObjective(Objective):
    """Minus the bound of one expression; the inducing points are chosen at the first parameters it is asked for.

    Parameters
    ----------
    expr : Expr
        Of any columns; it has noise everywhere.
    problem : Problem
        With normal noise and without basis functions.
    most : int
        Limit of the inducing points.
    points : array (M, d), optional
        Inducing points to take in the place of such a choice.
    enough, jitter : float
        Of the noise, what the points may leave per row; of their mean variance, what is added to it.
    """

    def __init__(
        self,
        expr: Expr,
        problem: Problem,
        most: int,
        points: Array | None = None,
        *,
        enough: float = ENOUGH,
        jitter: float = RELATIVE_JITTER,
    ) -> None:
        self.expr, self.problem, self.most, self.points = expr, problem, most, points
        self.enough, self.jitter = enough, jitter
        self.cross = CrossCovariance(expr, problem.columns)

    def value(self, values: tuple[float, ...]) -> float:
        """Minus the bound; infinite where there is none."""
        self.evaluations += 1
        bound = self.at(values, keep=False)
        return inf if bound is None else -bound[0].value

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """Minus the bound with its derivatives, by the logarithm of positive parameters, by others as they are."""
        self.evaluations += 1
        at_values = self.at(values, keep=True)
        if at_values is None:
            return inf, np.zeros(len(values))
        (bound, diagonal), Z = at_values, self.points_for(values)
        slopes = [0.0] * len(values)
        even = isinstance(diagonal.noise, float) and self.problem.noise is None
        diagonal.back(bound.by_signal(), bound.by_noise(even=even), slopes)
        gradient = np.array(slopes)
        gradient += self.cross.gradient(values, Z, Z, bound.by_points())
        for some, weights in bound.by_cross():
            gradient += self.cross.gradient(values, self.problem.X[some], Z, weights)
        return -bound.value, -gradient

    def renewed(self, values: tuple[float, ...]) -> InducingObjective | None:
        """The same with inducing points chosen at these parameters, where they say more about the data."""
        new = InducingObjective(self.expr, self.problem, self.most, enough=self.enough, jitter=self.jitter)
        worth = max(WORTH_RENEWING, WORTH_RENEWING_PER_ROW * self.problem.n)
        return new if new.value(values) < self.value(values) - worth else None

    def points_for(self, values: tuple[float, ...]) -> Array:
        """The inducing points (M, d), chosen at these parameters where there are none yet."""
        if self.points is None:
            kernel = Kernel(self.expr, values)
            rows = inducing_rows(kernel, self.problem, self.most, enough=self.enough, jitter=self.jitter)
            self.points = np.ascontiguousarray(self.problem.X[rows])
        return self.points

    def at(self, values: tuple[float, ...], *, keep: bool) -> tuple[Collapsed, Variances] | None:
        """The bound at some parameters; None where covariances are not finite or there is no noise."""
        problem = self.problem
        diagonal = variances(self.expr, values, problem.X, problem.columns)
        signal, noise = np.zeros(problem.n) + diagonal.signal, problem.beside_kernel + diagonal.noise
        if not (np.isfinite(signal).all() and np.isfinite(noise).all() and noise.min() > 0.0):
            return None
        Z = self.points_for(values)
        try:
            bound = collapsed(
                self.cross.filled(values, Z, Z),
                lambda some: self.cross.filled(values, problem.X[some], Z),
                problem.y, signal, noise, keep=keep, jitter=self.jitter,
            )  # fmt: skip
        except NotPositiveDefinite:
            return None
        return (bound, diagonal) if np.isfinite(bound.value) else None


class Inducing:
    """The function stands on its values at some of the rows, as many as the noise asks for (see `chosen`).

    Examples
    --------
    >>> from autostatistician.kernels.text import parse
    >>> problem = Problem(np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([1.0, 2.0]), ("a", "b"))
    >>> round(Inducing().objective(parse("Lin[a] + WN"), problem).value((1.0, 0.0, 1.0)), 4)
    3.1504
    """

    name = "inducing points"
    is_exact = False

    def cost(self, expr: Expr, problem: Problem) -> float | None:
        """About n M^2 for the linear algebra and n M for each parameter; for tables with normal noise."""
        plain = isinstance(problem.likelihood, Gaussian) and problem.basis is None
        takes = plain and (always_noisy(expr) or problem.least_noise > 0.0)
        if not takes or problem.n > MOST_ROWS or LagSpace.takes(expr, problem):
            return None
        count = min(MOST_POINTS, problem.n)
        return SECONDS_PER_SQUARE * problem.n * count**2 + SECONDS_PER_CELL * problem.n * count * size(expr)

    def objective(self, expr: Expr, problem: Problem) -> InducingObjective:
        """The negative log marginal likelihood of an expression."""
        return InducingObjective(expr, problem, MOST_POINTS)

    def condition(self, kernel: Kernel, problem: Problem) -> InducingPosterior:
        """The posterior of a kernel.

        Raises
        ------
        NotPositiveDefinite
            When covariances are not finite.
        """
        rows = inducing_rows(kernel, problem, MOST_POINTS_OF_POSTERIOR)
        return conditioned_by_points(kernel, problem, np.ascontiguousarray(problem.X[rows]))


# --- Inducing points as good as all rows ----------------------------------------------------------------------------


class CloseObjective(InducingObjective):
    """Minus the log evidence of one expression up to `NATS`; infinite where so many points leave more than that."""

    def __init__(self, expr: Expr, problem: Problem) -> None:
        enough = NATS / (TO_SPARE * problem.n)
        super().__init__(expr, problem, MOST_CLOSE_POINTS, enough=enough, jitter=SMALLEST_JITTER)

    def at(self, values: tuple[float, ...], *, keep: bool) -> tuple[Collapsed, Variances] | None:
        """The bound at some parameters, by the points of others where these serve; None where none serve."""
        before, found = self.points, super().at(values, keep=keep)
        if before is not None and (found is None or not found[0].is_within(NATS)):
            self.points = None
            found = super().at(values, keep=keep)
        return found if found is not None and found[0].is_within(NATS) else None


def closely_conditioned(kernel: Kernel, problem: Problem) -> InducingPosterior | None:
    """The posterior of a kernel; None where so many points are not enough for it."""
    objective = CloseObjective(kernel.expr, problem)
    if objective.at(kernel.values, keep=False) is None:
        return None
    return conditioned_by_points(kernel, problem, objective.points_for(kernel.values), jitter=objective.jitter)


# --- The posterior of a kernel that inducing points stand for -------------------------------------------------------


@dataclass(frozen=True, eq=False)
class InducingPosterior(ConditionedByPoints, Posterior):
    """Built by `conditioned_by_points`."""

    kernel: Kernel
    problem: Problem
    evaluated_by: ClassVar[tuple[str, ...]] = ("inducing points",)

    def signal(self, at: Array | None = None) -> Moments:
        """Posterior mean and standard deviation (m,) of all parts but noise, some points at a time."""
        X, signal = self.X if at is None else at, self.halves[0]
        if signal is None:
            return self._zeros(at), self._zeros(at)
        starts = range(0, max(len(X), 1), POINTS_AT_A_TIME)
        moments = [self._moments(signal, X[start : start + POINTS_AT_A_TIME]) for start in starts]
        mean, variance = (np.concatenate(each) for each in zip(*moments, strict=True))
        return mean, np.sqrt(np.maximum(variance, 0.0))

    def level(self, part: Kernel) -> tuple[PartLevel, float]:
        """The mean of a part over evenly spaced observations, and its largest prior variance at all of them."""
        rows = self.X[evenly_spaced(len(self.X), LEVEL_ROWS)]
        cross = self.prior.matrix(part, self.points, rows).mean(axis=1)
        variance = float(self.prior.matrix(part, rows, rows).mean())
        return PartLevel(cross, variance, rows), float(self.prior_variance(part, self.X).max(initial=0.0))

    def gap(self, rows: NDArray[np.intp]) -> float:
        """By how much the bound is below the exact log evidence, on some rows with the same inducing points."""
        some = self.problem.rows(rows)
        exact = conditioned_on(self.kernel, some, covariance_of(self.kernel, some))
        return exact.log_evidence - self.given(some).log_evidence

    def given(self, problem: Problem, variances: Array | None = None) -> InducingPosterior:
        """The same parameters and inducing points, given other observations, which may have further variances (n,)."""
        more_noise = 0.0 if variances is None else variances
        return conditioned_by_points(self.kernel, problem, self.points, more_noise, jitter=self.bound.jitter)

    def _moments(self, part: Kernel, X: Array) -> Moments:
        inner = self._inner(self.prior.matrix(part, X, self.points))
        half = self.bound.inner.half_solve(inner)
        explained = np.einsum("ij,ij->j", inner, inner) - np.einsum("ij,ij->j", half, half)
        return self.bound.beta @ inner, self.prior_variance(part, X) - explained


def conditioned_by_points(
    kernel: Kernel, problem: Problem, points: Array, more_noise: Array | float = 0.0, *, jitter: float = RELATIVE_JITTER
) -> InducingPosterior:
    """A kernel conditioned on observations by inducing points (M, d).

    Raises
    ------
    NotPositiveDefinite
        When covariances are not finite.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> kernel = leaf("Lin", "a", sd=1.0, location=0.0) + leaf("WN", sd=1.0)
    >>> problem = Problem(np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([1.0, 2.0]), ("a", "b"))
    >>> mean, sd = conditioned_by_points(kernel, problem, problem.X[1:]).signal(np.array([[6.0, 0.0]]))
    >>> mean.round(4).tolist(), sd.round(4).tolist()  # 5 + 1 observations of weight one
    ([5.0], [2.4495])
    """
    prior = ColumnPrior(problem.columns)
    diagonal = variances(kernel.expr, kernel.values, problem.X, problem.columns)
    bound = collapsed(
        prior.matrix(kernel, points, points),
        CovariancesOfRows(prior, kernel, problem.X, points),
        problem.y, np.zeros(problem.n) + diagonal.signal, problem.beside_kernel + diagonal.noise + more_noise,
        keep=False, jitter=jitter,
    )  # fmt: skip
    return InducingPosterior(prior, problem.X, problem.y, points, bound, kernel, problem)

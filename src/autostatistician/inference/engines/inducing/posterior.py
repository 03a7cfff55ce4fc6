"""The posterior of a kernel that inducing points stand for: a normal one over their values, the prior given these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import variances
from autostatistician.inference.engines.inducing.bound import RELATIVE_JITTER, collapsed
from autostatistician.inference.engines.inducing.conditioned import ConditionedByPoints, CovariancesOfRows
from autostatistician.inference.posterior import ColumnPrior, PartLevel, Posterior, conditioned_on, covariance_of
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel
from autostatistician.rows import evenly_spaced

__all__ = ["InducingPosterior", "conditioned_by_points"]

Array = NDArray[np.float64]
Moments = tuple[Array, Array]

LEVEL_ROWS = 1000  # evenly spaced ones, over which the mean of a part is taken
POINTS_AT_A_TIME = 8000


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

    def without(self, rows: NDArray[np.intp]) -> InducingPosterior:
        """The same parameters and inducing points, given all observations but some rows."""
        kept = np.delete(np.arange(len(self.y)), rows)
        return self._given(self.problem.rows(kept))

    def noisier(self, variances: Array) -> InducingPosterior:
        """The same with more noise: further variances (n,) of the observations."""
        return self._given(self.problem, variances)

    def updated(self, X: Array, y: Array) -> InducingPosterior:
        """The same parameters and inducing points, given further observations ``y`` (m,) at ``X`` (m, d) as well."""
        return self._given(self.problem.with_more(X, y))

    def gap(self, rows: NDArray[np.intp]) -> float:
        """By how much the bound is below the exact log evidence, on some rows with the same inducing points."""
        some = self.problem.rows(rows)
        exact = conditioned_on(self.kernel, some, covariance_of(self.kernel, some))
        return exact.log_evidence - self._given(some).log_evidence

    def _given(self, problem: Problem, more_noise: Array | float = 0.0) -> InducingPosterior:
        return conditioned_by_points(self.kernel, problem, self.points, more_noise, jitter=self.bound.jitter)

    def _moments(self, part: Kernel, X: Array) -> Moments:
        inner = self._inner(self.prior.matrix(part, X, self.points))
        half = self.bound.inner.half_solve(inner)
        explained = np.einsum("ij,ij->j", inner, inner) - np.einsum("ij,ij->j", half, half)
        return self.bound.beta @ inner, self.prior_variance(part, X) - explained


def conditioned_by_points(
    kernel: Kernel,
    problem: Problem,
    points: Array,
    more_noise: Array | float = 0.0,
    *,
    jitter: float = RELATIVE_JITTER,
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
    diagonal = variances(kernel.expr, kernel.values, problem.X, problem.columns)
    bound = collapsed(
        prior.matrix(kernel, points, points),
        CovariancesOfRows(prior, kernel, problem.X, points),
        problem.y, np.zeros(problem.n) + diagonal.signal, problem.beside_kernel + diagonal.noise + more_noise,
        keep=False, jitter=jitter,
    )  # fmt: skip
    return InducingPosterior(prior, problem.X, problem.y, points, bound, kernel, problem)

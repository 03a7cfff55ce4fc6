"""The bound of one expression as a function of its parameters, with inducing points that stay where they are."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import NotPositiveDefinite, Variances, variances
from autostatistician.inference.engines.cross import CrossCovariance
from autostatistician.inference.engines.inducing.bound import RELATIVE_JITTER, Collapsed, collapsed
from autostatistician.inference.engines.inducing.selection import ENOUGH, inducing_rows
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel

__all__ = ["InducingObjective"]

Array = NDArray[np.float64]

# Nats that other inducing points gain, so that it is worth while to go on with them: at least, and for every row.
WORTH_RENEWING, WORTH_RENEWING_PER_ROW = 0.5, 2e-4


class InducingObjective:
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
        self.evaluations = 0

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

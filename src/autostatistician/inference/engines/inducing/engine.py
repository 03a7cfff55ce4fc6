"""The engine for tables of more rows than one matrix should hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.inducing.objective import InducingObjective
from autostatistician.inference.engines.inducing.posterior import InducingPosterior, conditioned_by_points
from autostatistician.inference.engines.inducing.selection import inducing_rows
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.likelihoods.gaussian import Gaussian
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel, size
from autostatistician.language.traits import always_noisy

__all__ = ["MOST_ROWS", "Inducing"]

Array = NDArray[np.float64]

MOST_ROWS = 1_000_000
MOST_POINTS, MOST_POINTS_OF_POSTERIOR = 300, 600
SECONDS_PER_SQUARE = 1.5e-10  # of linear algebra, for n M^2
SECONDS_PER_CELL = 8e-9  # and parameter of the expression, for n M


class Inducing:
    """The function stands on its values at some of the rows, as many as the noise asks for (see `bound`).

    Examples
    --------
    >>> from autostatistician.language.text import parse
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

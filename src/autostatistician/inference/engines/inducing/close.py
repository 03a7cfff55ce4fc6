"""Inducing points as good as all rows: for smooth functions with hardly any noise, where exponential terms lose digits.

The covariance of such a function has a low rank, so few rows leave nothing of it. How much they leave is known.
"""

from __future__ import annotations

from autostatistician.inference.covariance import Variances
from autostatistician.inference.engines.inducing.bound import SMALLEST_JITTER, Collapsed
from autostatistician.inference.engines.inducing.objective import InducingObjective
from autostatistician.inference.engines.inducing.posterior import InducingPosterior, conditioned_by_points
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel

__all__ = ["CloseObjective", "closely_conditioned"]

MOST_POINTS = 600
NATS = 0.05  # that points may leave
TO_SPARE = 10.0  # times fewer are asked for when points are chosen


class CloseObjective(InducingObjective):
    """Minus the log evidence of one expression up to `NATS`; infinite where so many points leave more than that."""

    def __init__(self, expr: Expr, problem: Problem) -> None:
        enough = NATS / (TO_SPARE * problem.n)
        super().__init__(expr, problem, MOST_POINTS, enough=enough, jitter=SMALLEST_JITTER)

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

"""Points in several columns, or categories: they share no lags, so their matrix is made in blocks of rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.exact import SECONDS_PER_CUBE, ExactEngine, ExactObjective
from autostatistician.gp.engines.workspace import Workspace
from autostatistician.gp.problem import Problem
from autostatistician.kernels.covariance.matrix import fill, gradient
from autostatistician.kernels.covariance.nodes import Evaluator
from autostatistician.kernels.covariance.points import at_points
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import size

__all__ = ["Blocks"]

Array = NDArray[np.float64]

SECONDS_PER_CELL = 8e-9  # and parameter of the expression, for n^2


class Blocks(ExactEngine):
    """Exact inference on any columns.

    Examples
    --------
    >>> from autostatistician.kernels.expr import Leaf
    >>> objective = Blocks().objective(Leaf("WN"), Problem(np.zeros((2, 2)), np.array([1.0, -1.0]), ("a", "b")))
    >>> round(objective.value((1.0,)), 4)
    2.8379
    """

    name = "blocks"

    def cost(self, expr: Expr, problem: Problem) -> float | None:
        """About n^3 for LAPACK and n^2 for each parameter."""
        if not self.can_bear(problem):
            return None
        return SECONDS_PER_CUBE * problem.n**3 + SECONDS_PER_CELL * problem.n**2 * size(expr)

    def objective(self, expr: Expr, problem: Problem) -> ExactObjective:
        """The negative log marginal likelihood of an expression."""
        return _BlockObjective(expr, problem)


class _BlockObjective(ExactObjective):
    def __init__(self, expr: Expr, problem: Problem) -> None:
        super().__init__(expr, problem)
        self.root = at_points(expr)

    def at(self, values: tuple[float, ...], with_gradient: bool = True) -> _InBlocks:
        return _InBlocks(self.root, values, self.problem.columns, self.workspace)


@dataclass(frozen=True, slots=True)
class _InBlocks:
    """An expression at given parameters, on a few rows of the matrix at a time."""

    root: Evaluator
    values: tuple[float, ...]
    columns: tuple[str, ...]
    space: Workspace

    def assemble(self) -> None:
        triangle = self.space.triangle
        kept = self.space.squares
        fill(self.root, self.values, self.space.X, self.columns, triangle.matrix, triangle.main, kept)

    def gradient(self, alpha: Array) -> Array:
        matrix = self.space.triangle.matrix
        return gradient(self.root, self.values, self.space.X, self.columns, matrix, alpha, self.space.squares)

"""The engine for stationary models on grids with few empty cells."""

from __future__ import annotations

from autostatistician.gp.engines.base import Engine
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.engines.semiseparable.engine import Semiseparable
from autostatistician.gp.engines.toeplitz.objective import ToeplitzObjective, cells_of
from autostatistician.gp.posterior import Posterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel, size

__all__ = ["Toeplitz"]

OTHERS: tuple[Engine, ...] = (LagSpace(), Semiseparable())
# Of value and gradient; measured by `benchmarks/long.py` beside those of the other engines.
SECONDS, SECONDS_PER_NUMBER, SECONDS_PER_CELL, SECONDS_PER_PAIR = 2.2e-4, 1e-5, 1.1e-6, 3.6e-10
SECONDS_PER_EMPTY = 2e-7  # and cell


class Toeplitz:
    """Exact inference where rows stand on a grid, in order, and the model is stationary but for lines.

    Examples
    --------
    >>> import numpy as np
    >>> from autostatistician.kernels.text import parse
    >>> problem = Problem(np.arange(200.0), np.sin(np.arange(200.0)))
    >>> value, gradient = Toeplitz().objective(parse("SE + WN"), problem).value_and_gradient((5.0, 1.0, 0.5))
    >>> abs(value - LagSpace().objective(parse("SE + WN"), problem).value((5.0, 1.0, 0.5))) < 1e-9
    True
    """

    name = "Toeplitz"
    is_exact = True

    def cost(self, expr: Expr, problem: Problem) -> float | None:
        """Steps for cells, vectors of all cells in each of them; None where the matrix has another form."""
        cells = cells_of(expr, problem)
        if cells is None or not LagSpace.takes(expr, problem):
            return None
        count = int(cells[0][-1]) + 1
        empty = count - problem.n
        for_each = SECONDS_PER_CELL + SECONDS_PER_EMPTY * empty + SECONDS_PER_PAIR * count
        return SECONDS + SECONDS_PER_NUMBER * size(expr) + for_each * count

    def objective(self, expr: Expr, problem: Problem) -> ToeplitzObjective:
        """The negative log marginal likelihood of an expression."""
        cells = cells_of(expr, problem)
        assert cells is not None  # else it has no cost
        return ToeplitzObjective(expr, problem, *cells, self._other(expr, problem))

    def condition(self, kernel: Kernel, problem: Problem) -> Posterior:
        """The posterior of a kernel, by the cheapest of the other engines."""
        return self._other(kernel.expr, problem).condition(kernel, problem)

    @staticmethod
    def _other(expr: Expr, problem: Problem) -> Engine:
        costs = {engine: cost for engine in OTHERS if (cost := engine.cost(expr, problem)) is not None}
        return min(costs, key=costs.__getitem__)

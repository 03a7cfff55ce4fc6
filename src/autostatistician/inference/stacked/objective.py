"""The negative log marginal likelihoods of one expression for a stack of members, each with its own parameters.

All that depends on parameters is arithmetic on matrices with a row for each member (the evaluators of `profiles`, on
columns of parameters); matrices are put together in blocks that stay in the cache, and LAPACK takes them one by one.
No number of a member depends on the others: sums are taken along its row alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.profiles import compiled
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked.blocks import Blocks
from autostatistician.inference.stacked.evaluation import StackedEvaluation, stacked_evaluation
from autostatistician.inference.stacked.lags import shared_lags
from autostatistician.language.expr import Expr

__all__ = ["StackedObjective"]

Array = NDArray[np.float64]

MOST_CELLS = 2400  # of one vector of all members


class StackedObjective:
    """The negative log marginal likelihood of one expression at several parameters.

    Examples
    --------
    >>> from autostatistician.language.expr import Leaf
    >>> problem = Problem(np.zeros((2, 1)), np.array([1.0, -1.0]))
    >>> value, gradient = StackedObjective(Leaf("WN"), problem).value_and_gradient(np.ones((2, 1)))
    >>> value.round(4).tolist(), gradient.round(4).tolist()
    ([2.8379, 2.8379], [[0.0], [0.0]])
    """

    def __init__(self, expr: Expr, problem: Problem) -> None:
        self._y, self._lags, self._root = problem.y, shared_lags(problem), compiled(expr)

    def value_and_gradient(self, values: Array) -> tuple[Array, Array]:
        """Values (b,) and gradients (b, parameters) at parameters (b, parameters).

        As those of one objective (`exact.ExactObjective`): by the logarithm of positive parameters, infinite where a
        covariance cannot be factorised.
        """
        parts = [self._differentiated(part) for part in self._parts(values)]
        return np.concatenate([nll for nll, _ in parts]), np.concatenate([gradient for _, gradient in parts])

    def value(self, values: Array) -> Array:
        """The values alone."""
        return np.concatenate([self._at(part, with_gradient=False)[1].nll() for part in self._parts(values)])

    def _parts(self, values: Array) -> list[Array]:
        """Members that are evaluated at a time: so many that no vector of theirs needs memory from the system."""
        most = max(1, MOST_CELLS // len(self._y))
        return [values[start : start + most] for start in range(0, max(len(values), 1), most)]

    def _differentiated(self, values: Array) -> tuple[Array, Array]:
        state, blocks = self._at(values, with_gradient=True)
        nll = blocks.nll()
        gradient = state.backward(blocks.adjoints())
        gradient[~np.isfinite(nll)] = 0.0
        return nll, gradient

    def _at(self, values: Array, *, with_gradient: bool) -> tuple[StackedEvaluation, Blocks]:
        x, lags = self._lags.x, self._lags.lags
        state = stacked_evaluation(self._root, values, x, lags, with_gradient=with_gradient)
        return state, Blocks(state, np.tile(self._y, (len(values), 1)), self._lags)

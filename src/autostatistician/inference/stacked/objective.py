"""The negative log marginal likelihoods of one expression for a stack of members, each with its parameters and data.

All that depends on parameters is arithmetic on matrices with a row for each member (the evaluators of `profiles`, on
columns of parameters); matrices are put together in blocks that stay in the cache, and LAPACK takes them one by one.
No number of a member depends on the others: sums are taken along its row alone.
"""

from __future__ import annotations

from collections.abc import Sequence

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
Members = NDArray[np.intp]

MOST_CELLS = 2400  # of one vector of all members


class StackedObjective:
    """The negative log marginal likelihood of one expression for each of some problems of one shape.

    Examples
    --------
    >>> from autostatistician.language.expr import Leaf
    >>> problem = Problem(np.zeros((2, 1)), np.array([1.0, -1.0]))
    >>> value, gradient = StackedObjective(Leaf("WN"), [problem, problem]).value_and_gradient(np.ones((2, 1)))
    >>> value.round(4).tolist(), gradient.round(4).tolist()
    ([2.8379, 2.8379], [[0.0], [0.0]])
    """

    def __init__(self, expr: Expr, problems: Sequence[Problem]) -> None:
        self.expr, self.count = expr, len(problems)
        self._y = np.array([problem.y for problem in problems])
        self._lags = shared_lags(problems)
        self._root = compiled(expr)

    def value_and_gradient(self, values: Array, members: Members | None = None) -> tuple[Array, Array]:
        """Values (b,) and gradients (b, parameters) at parameters (b, parameters) of some members; of all by default.

        As those of one objective (`exact.ExactObjective`): by the logarithm of positive parameters, infinite where a
        covariance cannot be factorised.
        """
        parts = [self._differentiated(*part) for part in self._parts(values, members)]
        return np.concatenate([nll for nll, _ in parts]), np.concatenate([gradient for _, gradient in parts])

    def value(self, values: Array, members: Members | None = None) -> Array:
        """The values alone."""
        parts = self._parts(values, members)
        return np.concatenate([Blocks(*self._at(*part, with_gradient=False), self._lags).nll() for part in parts])

    def _parts(self, values: Array, members: Members | None) -> list[tuple[Array, Members]]:
        """Members that are evaluated at a time: so many that no vector of theirs needs memory from the system."""
        members = np.arange(len(values)) if members is None else members
        most = max(1, MOST_CELLS // self._y.shape[1])
        starts = range(0, max(len(values), 1), most)
        return [(values[start : start + most], members[start : start + most]) for start in starts]

    def _differentiated(self, values: Array, members: Members) -> tuple[Array, Array]:
        state, y = self._at(values, members, with_gradient=True)
        blocks = Blocks(state, y, self._lags)
        nll = blocks.nll()
        gradient = state.backward(blocks.adjoints())
        gradient[~np.isfinite(nll)] = 0.0
        return nll, gradient

    def _at(self, values: Array, members: Members, *, with_gradient: bool) -> tuple[StackedEvaluation, Array]:
        y, x, lags = self._y[members], self._lags.x, self._lags.lags
        x, lags = (x, lags) if len(x) == 1 else (x[members], lags[members])
        return stacked_evaluation(self._root, values, x, lags, with_gradient=with_gradient), y

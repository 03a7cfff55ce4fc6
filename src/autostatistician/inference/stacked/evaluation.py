"""One expression at the parameters of a stack of members: the evaluators of `profiles` on columns of parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.nodes import Evaluator
from autostatistician.inference.engines.profiles import Evaluation
from autostatistician.inference.engines.terms import Terms

__all__ = ["StackedEvaluation", "stacked_evaluation"]

Array = NDArray[np.float64]


class StackedEvaluation(Evaluation):
    """One expression at the parameters of all members: every vector is a matrix with a row for each."""

    __slots__ = ("points", "shared")
    points: Array
    shared: Array

    def lags(self, column: str | None) -> Array:
        """Distinct lags."""
        return self.shared

    def along(self, column: str | None) -> Array:
        """The points."""
        return self.points

    def places(self, column: str | None, location: Any) -> Array:
        """The points as a location sees them, and behind them the lags: once for all members where these agree."""
        seen = self.points - (location[:1] if (location == location[0]).all() else location)
        members = max(len(seen), len(self.shared))
        return np.concatenate([np.broadcast_to(part, (members, part.shape[1])) for part in (seen, self.shared)], axis=1)

    def largest(self, rise: Array) -> Any:
        """The largest of what rises over the points, 1 where there is none."""
        most = rise.max(axis=1, keepdims=True)
        return np.where(most == 0.0, 1.0, most)

    def inner(self, adjoint: Any, derivative: Array) -> Any:
        """The sum of products over all lags or points."""
        return (adjoint * derivative).sum(axis=1, keepdims=True)

    def backward(self, adjoints: Terms) -> Array:
        """The derivatives (members, parameters) by every parameter."""
        assert self.root is not None
        with np.errstate(all="ignore"):
            self.root.backward(self, adjoints)
        gradient = np.empty((np.asarray(self.values[0]).size, len(self.values)))
        for index, derivative in enumerate(self.gradient):
            gradient[:, index : index + 1] = derivative
        return gradient


def stacked_evaluation(
    root: Evaluator, values: Array, x: Array, lags: Array, *, with_gradient: bool
) -> StackedEvaluation:
    """Evaluate the terms of a compiled expression at parameters (members, parameters)."""
    columns = tuple(np.ascontiguousarray(values.T)[:, :, None])
    state = StackedEvaluation(columns, x, None, (), with_gradient, [])  # type: ignore[arg-type]
    state.points, state.shared = x, lags
    state.gradient = [0.0] * len(columns)
    state.root = root
    with np.errstate(all="ignore"):  # what overflows has no likelihood
        state.terms = root.forward(state)
    return state

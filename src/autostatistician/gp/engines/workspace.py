"""The memory that exact engines work in: one matrix for a problem, and two more where an expression asks for them."""

from __future__ import annotations

import threading
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.geometry import Geometry, UpperTriangle, geometry_of
from autostatistician.gp.problem import Problem
from autostatistician.kernels.covariance.matrix import Squares

__all__ = ["Workspace", "workspace_of"]

Array = NDArray[np.float64]

MOST_SQUARES = 8_000_000  # cells of the matrices of all columns, half of which are kept: 32 megabytes


class Workspace:
    """What evaluations on the same observations share: matrices (n, n), lags, vectors over the lags.

    One evaluation at a time: the next one overwrites what the last one left.
    """

    def __init__(self, X: Array) -> None:
        self.X, self.n = X, len(X)
        self.pool: list[Array] = []  # vectors over the lags
        # Squared differences of several columns, where there is room for them.
        self.squares: Squares | None = {} if X.size * self.n <= MOST_SQUARES else None

    @cached_property
    def triangle(self) -> UpperTriangle:
        """Where the covariance is assembled, factorised and inverted."""
        return UpperTriangle(self.n)

    @cached_property
    def scaled(self) -> UpperTriangle:
        """For the matrix times a profile."""
        return UpperTriangle(self.n)

    @cached_property
    def spare(self) -> Array:
        """For one term of a covariance."""
        return np.zeros((self.n, self.n))

    @cached_property
    def geometry(self) -> Geometry:
        """Which lags occur, on one column."""
        return geometry_of(self.X)


class _Workspaces(threading.local):
    """Those of one thread: threads that share a problem evaluate at the same time."""

    def __init__(self) -> None:
        self.known: WeakKeyDictionary[Problem, Workspace] = WeakKeyDictionary()


_workspaces = _Workspaces()


def workspace_of(problem: Problem) -> Workspace:
    """The workspace of a problem in this thread: made when first asked for, gone with the problem."""
    workspaces = _workspaces.known
    if problem not in workspaces:
        workspaces[problem] = Workspace(problem.X)
    return workspaces[problem]

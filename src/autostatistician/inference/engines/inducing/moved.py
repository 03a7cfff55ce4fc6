"""Inducing points moved to where the bound is higher, wherever that is, and no longer rows of the data.

Points that a pivoted Cholesky factorisation chooses are good ones already: three times as many of them say more than a
few such steps, in less time (`benchmarks/inducing_points.py`), so that no fit moves its points by itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import covariance_slope
from autostatistician.inference.engines.inducing.objective import InducingObjective
from autostatistician.inference.fitting import INSTEAD_OF_INFINITY, lowest
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import columns_of

__all__ = ["moved", "negative_bound_by_points"]

Array = NDArray[np.float64]

STEPS = 10  # most is gained in five


def moved(objective: InducingObjective, values: tuple[float, ...], steps: int = STEPS) -> InducingObjective:
    """The bound of the same expression with other inducing points, at which it is no lower.

    Parameters
    ----------
    objective : InducingObjective
        Whose points the steps begin at.
    values : tuple of float
        The numbers of the expression, which stay.
    steps : int
        Quasi-Newton steps at most; each costs some evaluations with gradient for every column.

    Examples
    --------
    >>> from autostatistician.inference.problem import Problem
    >>> from autostatistician.language.text import parse
    >>> x = np.linspace(-1.0, 1.0, 20)
    >>> problem = Problem(np.column_stack([x, 0.0 * x]), np.sin(3.0 * x), ("a", "b"))
    >>> first = InducingObjective(parse("SE[a] + WN"), problem, 3, problem.X[:3])
    >>> values = (0.5, 1.0, 0.1)
    >>> moved(first, values).value(values) < first.value(values) - 100.0
    True
    """
    start = objective.points_for(values)
    found = lowest(
        lambda places: _flat(negative_bound_by_points(objective, values, places.reshape(start.shape))),
        [start.ravel()], [(-np.inf, np.inf)] * start.size, ((steps, 1),),
    )  # fmt: skip
    return InducingObjective(objective.expr, objective.problem, objective.most, found.reshape(start.shape))


def negative_bound_by_points(
    objective: InducingObjective, values: tuple[float, ...], points: Array
) -> tuple[float, Array]:
    """Minus the bound with other inducing points (M, d), and its derivatives by these; codes of categories have none.

    A pair of inducing points that meet is a place where the bound has no derivative; each of them counts as apart.
    """
    problem, kernel = objective.problem, Kernel(objective.expr, values)
    found = InducingObjective(objective.expr, problem, objective.most, points).at(values, keep=True)
    slopes = np.zeros_like(points)
    if found is None:
        return INSTEAD_OF_INFINITY, slopes
    bound, by_points = found[0], found[0].by_points()
    used = [(problem.columns.index(name), name) for name in sorted(columns_of(kernel.expr))]
    for index, name in used:
        along = covariance_slope(kernel, points, points, name, problem.columns)
        slopes[:, index] = 2.0 * np.einsum("ij,ij->i", by_points, along)
    for some, weights in bound.by_cross():
        for index, name in used:
            along = covariance_slope(kernel, points, problem.X[some], name, problem.columns)
            slopes[:, index] += np.einsum("ji,ij->i", weights, along)
    return -bound.value, -slopes


def _flat(found: tuple[float, Array]) -> tuple[float, Array]:
    return found[0], found[1].ravel()

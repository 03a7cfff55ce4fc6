"""The lowest of what quasi-Newton steps find from several starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from autostatistician.inference.factor import NotPositiveDefinite

__all__ = ["lowest"]

Array = NDArray[np.float64]

INSTEAD_OF_INFINITY = 1e25  # instead of a value where there is none
# Change of the value, as a share of it, at which a search ends, as in SciPy.
RELATIVE_TOLERANCE = 1e7 * float(np.finfo(np.float64).eps)


def lowest(
    function: Callable[[Array], tuple[float, Array]],
    starts: Sequence[Array],
    limits: Sequence[Sequence[float]],
    race: Sequence[tuple[int, int]],
    enough: float = RELATIVE_TOLERANCE,
) -> Array:
    """Where a function is lowest, as far as bounded quasi-Newton steps (L-BFGS-B) find it.

    Parameters
    ----------
    function : callable
        Value and gradient at a place; where a covariance cannot be factorised, it raises `NotPositiveDefinite`.
    starts : sequence of array (k,)
        Where to begin.
    limits : sequence of (low, high)
        The bounds of every coordinate.
    race : sequence of (int, int)
        How many steps every place that is left is taken, and how many of the lowest then go on, round by round.
    enough : float
        Relative change of the value at which steps end.

    Examples
    --------
    >>> def valley(u):
    ...     return float((u[0] ** 2 - 1.0) ** 2 + u[0]), np.array([4.0 * u[0] * (u[0] ** 2 - 1.0) + 1.0])
    >>> lowest(valley, [np.array([1.0]), np.array([-1.0])], [(-2.0, 2.0)], [(20, 1)]).round(3).tolist()
    [-1.107]
    """

    def objective(u: Array) -> tuple[float, Array]:
        try:
            return function(u)
        except NotPositiveDefinite:
            return INSTEAD_OF_INFINITY, np.zeros_like(u)

    def improved(u: Array, steps: int) -> tuple[float, Array]:
        options: Any = {"maxiter": steps, "maxcor": 20, "ftol": enough}
        bounds: Any = limits
        found = minimize(objective, u, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        return float(found.fun), np.asarray(found.x)

    left = list(starts)
    if not limits:
        return left[0]
    for steps, kept in race:
        tried = sorted((improved(u, steps) for u in left), key=lambda one: one[0])
        left = [u for _, u in tried[:kept]]
    return left[0]
